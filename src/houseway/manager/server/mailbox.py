"""What waits to be sent to one client: answers in order, and of every state only the newest.

A client that reads slowly gets fewer states, never older ones, and costs no more memory than one of each. Single events
cannot be left out; whoever does not keep up with those loses the connection and begins again.
"""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Final

MOST_EVENTS: Final = 10_000
"""Events that may wait for one client."""
MOST_ANSWERS: Final = 64
"""Answers that may wait for one client before its further requests are left unread."""
MOST_ANSWER_BYTES: Final = 1024 * 1024
"""Bytes of answers that may wait before that; the state of a large floor is one answer."""
MOST_BYTES_AT_ONCE: Final = 256 * 1024


class Mailbox:
    """Lines for one client; used from the event loop only."""

    def __init__(self) -> None:
        """Begin empty."""
        self._answers: deque[bytes] = deque()
        self._answer_bytes = 0
        self._events: deque[bytes] = deque()
        self._states: dict[tuple[str, str], bytes] = {}
        self._filled = asyncio.Event()
        self._emptied = asyncio.Event()
        self.closed = False
        """No more lines are taken; what waits may still be sent."""

    def answer(self, line: bytes) -> None:
        """Send this after all other answers."""
        if not self.closed:
            self._answers.append(line)
            self._answer_bytes += len(line)
            self._filled.set()

    def state(self, topic: str, id_: str, line: bytes) -> None:
        """Send this state, instead of an older one of the same thing that still waits."""
        if not self.closed:
            self._states[topic, id_] = line
            self._filled.set()

    def event(self, line: bytes) -> bool:
        """Send this event; False if the client is too far behind."""
        if len(self._events) >= MOST_EVENTS:
            return False
        if not self.closed:
            self._events.append(line)
            self._filled.set()
        return True

    def close(self) -> None:
        """Take no more lines."""
        self.closed = True
        self._filled.set()
        self._emptied.set()

    def __len__(self) -> int:
        """How many lines wait."""
        return len(self._answers) + len(self._events) + len(self._states)

    @property
    def is_full(self) -> bool:
        """Whether so many answers wait that the client must read some before it is given more."""
        return (len(self._answers) >= MOST_ANSWERS or self._answer_bytes >= MOST_ANSWER_BYTES) and not self.closed

    async def has_room(self) -> None:
        """Wait until the client has read enough of its answers to be given more."""
        while self.is_full:
            self._emptied.clear()
            await self._emptied.wait()

    async def take(self) -> bytes:
        """The next lines, as many as fit into one write; empty once the mailbox is closed and all was taken."""
        while not (self._answers or self._events or self._states or self.closed):
            self._filled.clear()
            await self._filled.wait()
        lines: list[bytes] = []
        size = 0
        while size < MOST_BYTES_AT_ONCE and (self._answers or self._events or self._states):
            lines.append(self._next())
            size += len(lines[-1])
        self._emptied.set()
        return lines[0] if len(lines) == 1 else b"".join(lines)

    def _next(self) -> bytes:
        if self._answers:
            line = self._answers.popleft()
            self._answer_bytes -= len(line)
            return line
        if self._events:
            return self._events.popleft()
        return self._states.pop(next(iter(self._states)))
