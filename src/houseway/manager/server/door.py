"""The door: connections from their first packet until they have proved who they are, and how many there may be.

Nobody knows yet who they are, so they get little: a short line, a few seconds, and a place only as long as others do
not need it. When there is no room the oldest goes, first of the address that has most: a device that greets at once is
never kept out by strangers who say nothing, however many they are.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from houseway.errors import present
from houseway.manager.core.networks import network_of
from houseway.manager.store.supervisor import Supervisor

LOG: Final = logging.getLogger("houseway.manager.server")
MOST_STRANGERS: Final = 192
"""Connections that have not proved themselves, of all addresses together."""
MOST_OF_ADDRESS: Final = 64
"""Of one address, or one network of IPv6."""
GREETING_BYTES: Final = 4096
"""The longest first line."""
HANDSHAKE_SECONDS: Final = 5.0
BACKLOG: Final = 512
PAUSE_SECONDS: Final = 0.1
"""How long no connection is taken when the machine has no room for one."""


class GrowingReader(asyncio.StreamReader):
    """A reader whose longest line grows once it is known who speaks."""

    def allow(self, longest: int) -> None:
        """Read lines of so many bytes from now on."""
        self._limit = longest


class Arrival:
    """A connection that has not proved itself."""

    def __init__(self, address: str, task: asyncio.Task[None]) -> None:
        """Take the address, and the task that serves the connection."""
        self.address = address
        self.network = network_of(address)
        self._task = task
        self.transport: asyncio.Transport | None = None

    def turn_away(self) -> None:
        """End the connection at once."""
        if self.transport is not None:
            self.transport.abort()
        else:
            self._task.cancel()


Serve = Callable[[GrowingReader, asyncio.StreamWriter, Arrival], Awaitable[None]]


class Door:
    """Listens, and keeps those who have not proved themselves within bounds."""

    def __init__(
        self, serve: Serve, crowded: Callable[[str], None], supervisor: Supervisor, *, most: int | None = None,
        most_of_network: int | None = None,
    ) -> None:  # fmt: skip
        """`serve` has the connection from the greeting on; `crowded` hears of an address that had to make room."""
        self._most = MOST_STRANGERS if most is None else most
        self._most_of_network = MOST_OF_ADDRESS if most_of_network is None else most_of_network
        self._serve = serve
        self._supervisor = supervisor
        self._crowded = crowded
        self._listeners: list[socket.socket] = []
        self._accepting: list[asyncio.Task[None]] = []
        self._tasks: set[asyncio.Task[None]] = set()
        self._waiting: dict[str, dict[Arrival, None]] = {}
        """By network, the oldest first."""

    async def open(self, host: str, port: int, tls: ssl.SSLContext | None) -> tuple[str, int]:
        """Begin to listen; returns the address."""
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        try:
            for family, _, _, _, address in dict.fromkeys(found):
                self._listeners.append(_listening(family, address))
        except OSError:
            self.close()
            raise
        self._accepting = [
            asyncio.create_task(self._supervisor.keep("door", partial(self._accept, listener, tls)))
            for listener in self._listeners
        ]
        name: Any = self._listeners[0].getsockname()
        return str(name[0]), int(name[1])

    def close(self) -> None:
        """Listen no more, and let go whoever has not proved itself."""
        for task in self._accepting:
            task.cancel()
        for listener in self._listeners:
            listener.close()
        for arrival in [one for waiting in self._waiting.values() for one in waiting]:
            arrival.turn_away()

    async def wait(self) -> None:
        """Wait until all connections have ended."""
        await asyncio.gather(*self._accepting, *self._tasks, return_exceptions=True)

    def proved(self, arrival: Arrival) -> None:
        """It is known who this is: its place among strangers is free."""
        waiting = self._waiting.get(arrival.network, {})
        waiting.pop(arrival, None)
        if not waiting:
            self._waiting.pop(arrival.network, None)

    @property
    def strangers(self) -> int:
        """Connections that have not proved themselves."""
        return sum(map(len, self._waiting.values()))

    def socket_within(self) -> socket.socket:
        """The other end of a new connection, for a client in this process: it greets like any other."""
        ours, theirs = socket.socketpair()
        for end in (ours, theirs):
            end.setblocking(False)
        self._taken(ours, None, None)
        return theirs

    async def _accept(self, listener: socket.socket, tls: ssl.SSLContext | None) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, peer = await loop.sock_accept(listener)
            except OSError as error:
                LOG.warning("no connection can be taken: %s", error)
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            try:
                self._taken(connection, peer, tls)
            except BaseException:
                connection.close()
                raise
            # While more wait, the next one is there at once: devices have their turn before it, however many there are.
            await asyncio.sleep(0)

    def _taken(self, connection: socket.socket, peer: object, tls: ssl.SSLContext | None) -> None:
        address = str(peer[0]) if isinstance(peer, tuple) and peer else "a local client"
        task = asyncio.create_task(self._admit(connection, address, tls))
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        """A connection is over; an internal error in one is seen, and ends no other."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self._supervisor.met("connections", error)

    async def _admit(self, connection: socket.socket, address: str, tls: ssl.SSLContext | None) -> None:
        """Serve a connection from its first packet to its last."""
        loop, task = asyncio.get_running_loop(), present(asyncio.current_task(), "task of its own for a connection")
        arrival = Arrival(address, task)
        self._waiting.setdefault(arrival.network, {})[arrival] = None
        reader = GrowingReader(GREETING_BYTES, loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
        seconds = HANDSHAKE_SECONDS if tls else None
        with contextlib.suppress(OSError, asyncio.CancelledError):
            try:
                self._make_room(arrival.network)
                transport, _ = await loop.connect_accepted_socket(
                    lambda: protocol, connection, ssl=tls, ssl_handshake_timeout=seconds
                )
                arrival.transport = transport
                await self._serve(reader, asyncio.StreamWriter(transport, protocol, reader, loop), arrival)
            finally:
                self.proved(arrival)
                if arrival.transport is None:
                    connection.close()

    def _make_room(self, network: str) -> None:
        """Let the oldest go where there are too many: of the newcomer's network, else of the one that has most."""
        if len(self._waiting[network]) <= self._most_of_network:
            if self.strangers <= self._most:
                return
            network = max(self._waiting, key=lambda one: len(self._waiting[one]))
        oldest = next(iter(self._waiting[network]))
        self.proved(oldest)
        oldest.turn_away()
        self._crowded(network)


def _listening(family: int, address: Any) -> socket.socket:  # noqa: ANN401 - as the system resolves it
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
        listener.setblocking(False)
    except OSError:
        listener.close()
        raise
    return listener
