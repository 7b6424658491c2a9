"""The entrance: how many connections there may be, whose, and who makes room when there are too many.

Nobody knows who a connection is from until a request on it shows a token that counts. Until then it is a stranger's: of
these there are few, in all and of one network, and the oldest that is not being answered makes room for the next, first
of the network that has most. So whoever holds thousands of silent connections holds none of anybody else's places.
Callers who are known have places apart, which strangers never take.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Final, Protocol

MOST_STRANGERS: Final = 1_024
MOST_OF_NETWORK: Final = 512
"""Also signs and programs with a key are strangers until their first request is read: hundreds may come at once, from
one address, after a restart."""
MOST_KNOWN: Final = 2_200
"""Connections of callers who are known: as many as there may be streams, and some to ask."""
MOST_OF_CALLER: Final = 1_100
RESERVED_FILES: Final = 100
"""Files and sockets that connections never take: the manager, keys and letters, webhooks, the log."""
PACE_PER_SECOND: Final = 200.0
"""Requests of strangers that are begun in a second; the others wait for their turn, callers who are known do not."""
PACE_AT_ONCE: Final = 50


class Visitor(Protocol):
    """A connection as the entrance sees it."""

    network: str
    is_answered: bool
    """Whether a whole request of it is being answered: then it goes after those that only hold a place."""

    def turn_away(self) -> None:
        """End it at once."""


class Entrance:
    """The places of one server."""

    def __init__(self, most_known: int = MOST_KNOWN) -> None:
        """Nobody is here."""
        self._strangers: dict[str, dict[Visitor, None]] = {}
        """By network, the oldest first."""
        self._callers: dict[Visitor, str] = {}
        self._of_caller: Counter[str] = Counter()
        self._most_known = most_known
        self.turned_away = 0
        """How many have had to make room."""

    @property
    def strangers(self) -> int:
        """Connections of which nobody knows whose they are."""
        return sum(map(len, self._strangers.values()))

    @property
    def known(self) -> int:
        """Connections of callers who are known."""
        return len(self._callers)

    def enter(self, visitor: Visitor) -> None:
        """Somebody has come; where there are too many, another one goes."""
        there = self._strangers.setdefault(visitor.network, {})
        there[visitor] = None
        network = visitor.network
        if len(there) <= MOST_OF_NETWORK:
            if self.strangers <= MOST_STRANGERS:
                return
            network = max(self._strangers, key=lambda one: len(self._strangers[one]))
        there = self._strangers[network]
        gone = next((one for one in there if not one.is_answered and one is not visitor), next(iter(there)))
        self.leave(gone)
        self.turned_away += 1
        gone.turn_away()

    def leave(self, visitor: Visitor) -> None:
        """A connection has ended."""
        there = self._strangers.get(visitor.network, {})
        there.pop(visitor, None)
        if not there:
            self._strangers.pop(visitor.network, None)
        caller = self._callers.pop(visitor, None)
        if caller is not None:
            self._of_caller[caller] -= 1
            if not self._of_caller[caller]:
                del self._of_caller[caller]

    def show(self, visitor: Visitor, caller: str | None) -> bool:
        """A request has shown whose the connection is; False where that caller, or all of them, have no place left.

        One whose token no longer counts is a stranger's again.
        """
        if self._callers.get(visitor) == caller and (caller is not None or visitor in self._at(visitor)):
            return True
        self.leave(visitor)
        if caller is None:
            self.enter(visitor)
            return True
        if len(self._callers) >= self._most_known or self._of_caller[caller] >= MOST_OF_CALLER:
            self.enter(visitor)
            return False
        self._callers[visitor] = caller
        self._of_caller[caller] += 1
        return True

    def is_known(self, visitor: Visitor) -> bool:
        """Whether a connection is of a caller who is known."""
        return visitor in self._callers

    def _at(self, visitor: Visitor) -> dict[Visitor, None]:
        return self._strangers.get(visitor.network, {})


class StrangersPace:
    """Requests of strangers begin so many a second, one network after the other; who has gone keeps nobody waiting."""

    def __init__(self, per_second: float = PACE_PER_SECOND, at_once: int = PACE_AT_ONCE) -> None:
        """None waits."""
        self._every = 1.0 / per_second
        self._ahead = at_once * self._every
        self._spent = 0.0
        """When all turns that were taken will have come back."""
        self._waiting: dict[str, dict[asyncio.Future[None], None]] = {}
        """By network, in the order of their turns."""
        self._timer: asyncio.TimerHandle | None = None

    async def turn(self, network: str) -> None:
        """Wait for the turn of a request."""
        loop = asyncio.get_running_loop()
        coming: asyncio.Future[None] = loop.create_future()
        self._waiting.setdefault(network, {})[coming] = None
        self._give(loop)
        try:
            await coming
        finally:
            self._forget(network, coming)

    def _give(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give all turns that are due, and come again for the next."""
        now = loop.time()
        while self._waiting and self._spent + self._every - self._ahead <= now:
            network = next(iter(self._waiting))
            coming = next(iter(self._waiting[network]))
            self._forget(network, coming)
            if network in self._waiting:
                # The next turn is another network's.
                self._waiting[network] = self._waiting.pop(network)
            if not coming.done():
                coming.set_result(None)
                self._spent = max(self._spent, now) + self._every
        if self._waiting and self._timer is None:
            self._timer = loop.call_at(self._spent + self._every - self._ahead, self._go_on, loop)

    def _go_on(self, loop: asyncio.AbstractEventLoop) -> None:
        self._timer = None
        self._give(loop)

    def _forget(self, network: str, coming: asyncio.Future[None]) -> None:
        there = self._waiting.get(network)
        if there is not None:
            there.pop(coming, None)
            if not there:
                del self._waiting[network]
