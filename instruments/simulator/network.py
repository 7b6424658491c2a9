"""The wires between controllers and the manager: messages are lost, held up, overtaken, doubled, and asked again.

A message keeps its key however often it is sent; what comes back is lost in the same way. All luck comes from the
generator that is handed in, so a seed always makes the same mess.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from random import Random
from typing import Any

SECOND = 1_000_000


@dataclass
class Message:
    """A command on its way, as plain data; the key is made once for it."""

    key: str
    actor: str
    device: str | None
    do: dict[str, Any]
    sender: str
    session: str | None = None
    attempts: int = 0
    timeout_at: int = 0
    done: bool = False
    answered: bool = False
    refused: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Weather:
    """How bad the wires are: chances in a thousand, and the longest delay in microseconds."""

    lost: int
    answer_lost: int
    doubled: int
    delay: int


@dataclass
class Wires:
    """Messages in flight, in the order in which they arrive."""

    rng: Random
    weather: Weather
    sent: int = 0
    _flying: list[tuple[int, int, Message]] = field(default_factory=list)
    _count: int = 0

    def send(self, message: Message, now: int) -> None:
        """Send a message: it may be lost, held up, or arrive twice, the second time much later."""
        message.attempts += 1
        self.sent += 1
        message.timeout_at = now + 2 * self.weather.delay + SECOND
        if not self._happens(self.weather.lost):
            self._fly(message, now + self._delay())
        if self._happens(self.weather.doubled):
            self._fly(message, now + self._delay() + self.rng.randrange(60) * SECOND)

    def arrived(self, now: int, most: int) -> list[Message]:
        """Messages that have arrived by now, at most so many of them."""
        found: list[Message] = []
        while self._flying and self._flying[0][0] <= now and len(found) < most:
            found.append(heapq.heappop(self._flying)[2])
        return found

    def loses_answer(self) -> bool:
        """Whether an answer goes astray on its way back."""
        return self._happens(self.weather.answer_lost)

    @property
    def next_arrival(self) -> int | None:
        """When the next message arrives, if any is in flight."""
        return self._flying[0][0] if self._flying else None

    def _fly(self, message: Message, arrives: int) -> None:
        self._count += 1
        heapq.heappush(self._flying, (arrives, self._count, message))

    def _delay(self) -> int:
        return self.rng.randrange(self.weather.delay + 1)

    def _happens(self, chance: int) -> bool:
        return chance > 0 and self.rng.randrange(1000) < chance
