"""A gate before every command: closed, the floor falls idle; opened, all tables send at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


class Gate:
    """Counts commands under way, and holds back new ones while it is closed."""

    def __init__(self) -> None:
        self._open = asyncio.Event()
        self._open.set()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self.under_way = 0
        self.waiting = 0
        """Commands that are held back."""
        self.answers = 0
        """Since it was opened last."""
        self._waited_for = 0
        self._then: Callable[[], None] | None = None

    @asynccontextmanager
    async def passed(self) -> AsyncIterator[None]:
        """Wait until it is open, and count as under way until the command is settled."""
        self.waiting += 1
        try:
            await self._open.wait()
        finally:
            self.waiting -= 1
        self.under_way += 1
        self._quiet.clear()
        try:
            yield
        finally:
            self.under_way -= 1
            if not self.under_way:
                self._quiet.set()

    async def close(self) -> None:
        """Hold new commands back and wait until those under way are settled."""
        self._open.clear()
        async with asyncio.timeout(90):
            await self._quiet.wait()

    async def gathered(self, commands: int, seconds: float) -> None:
        """Wait until so many commands are held back, but not for ever."""
        until = asyncio.get_running_loop().time() + seconds
        while self.waiting < commands and asyncio.get_running_loop().time() < until:
            await asyncio.sleep(0.005)

    def open(self) -> None:
        """Let everybody go."""
        self.answers = 0
        self._open.set()

    def answered(self) -> None:
        """Somebody has got an answer."""
        self.answers += 1
        if self._then is not None and self.answers >= self._waited_for:
            then, self._then = self._then, None
            then()

    def after(self, answers: int, then: Callable[[], None]) -> None:
        """Do something at once when so many answers have come since the gate was opened."""
        self._waited_for, self._then = answers, then
