"""The lobby: sign-ins wait in a short line for the manager, and no line of strangers is anybody else's.

A wrong badge is answered late, and the manager reads nothing more on that connection meanwhile. So sign-ins have
connections of their own, apart from those of people who are signed in: one for networks from which somebody has signed
in before, one for all others. Whoever finds the line full is told at once to come again.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from houseway.errors import InputError
from houseway.manager.interface.contract import AsyncManagerInterface

MOST_IN_LINE: Final = 8
"""Sign-ins of networks from which nobody has come before, with the one in hand."""
MOST_IN_KNOWN_LINE: Final = 32
MOST_OF_NETWORK: Final = 2
MOST_OF_KNOWN_NETWORK: Final = 8


class SpareConnection:
    """A connection to the manager that is made when it is first needed."""

    def __init__(self, connect: Callable[[], Awaitable[AsyncManagerInterface]]) -> None:
        """Connect later."""
        self._connect = connect
        self._connecting = asyncio.Lock()
        self._manager: AsyncManagerInterface | None = None

    async def reached(self) -> AsyncManagerInterface:
        """The manager; ManagerAwayError where it cannot be reached."""
        async with self._connecting:
            if self._manager is None:
                self._manager = await self._connect()
            return self._manager

    async def close(self) -> None:
        """Leave."""
        if self._manager is not None:
            await self._manager.close()


class WaitingLine:
    """One line: a connection, and those who wait for it one after the other."""

    def __init__(self, connection: SpareConnection, most: int, most_of_network: int) -> None:
        """Nobody waits."""
        self.connection = connection
        self._most = most
        self._most_of_network = most_of_network
        self._turn = asyncio.Lock()
        self._waiting: Counter[str] = Counter()

    @property
    def length(self) -> int:
        """How many wait, with the one in hand."""
        return self._waiting.total()

    @contextlib.asynccontextmanager
    async def turn(self, network: str) -> AsyncIterator[AsyncManagerInterface]:
        """The manager, when it is one's turn; refused at once where the line is full."""
        if self.length >= self._most or self._waiting[network] >= self._most_of_network:
            message = "too many sign-ins wait here: send this one again in a moment"
            raise InputError.of("too-many-clients", "", message)
        self._waiting[network] += 1
        try:
            async with self._turn:
                yield await self.connection.reached()
        finally:
            self._waiting[network] -= 1
            if not self._waiting[network]:
                del self._waiting[network]


class Lobby:
    """Where sign-ins wait."""

    def __init__(self, connect: Callable[[], Awaitable[AsyncManagerInterface]]) -> None:
        """No network is known yet."""
        self.known: set[str] = set()
        """Networks from which people have signed in, by the manager's word."""
        self._known_line = WaitingLine(SpareConnection(connect), MOST_IN_KNOWN_LINE, MOST_OF_KNOWN_NETWORK)
        self._line = WaitingLine(SpareConnection(connect), MOST_IN_LINE, MOST_OF_NETWORK)

    def line_of(self, network: str) -> WaitingLine:
        """The line in which somebody from a network waits."""
        return self._known_line if network in self.known else self._line

    async def close(self) -> None:
        """Let the connections go."""
        for line in (self._known_line, self._line):
            await line.connection.close()
