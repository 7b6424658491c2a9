"""The HTTP server: it listens, lets connections in within bounds, and hands their requests to the application."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import resource
import socket
import ssl
from collections.abc import Callable
from typing import Any, Final

from starlette.types import ASGIApp

from houseway.manager.http.entrance import MOST_KNOWN, MOST_STRANGERS, RESERVED_FILES, Entrance, StrangersPace
from houseway.manager.http.http_connection import HttpConnection
from houseway.manager.interface.requests import network_of

LOG: Final = logging.getLogger("houseway.manager.http")
BACKLOG: Final = 1_024
HANDSHAKE_SECONDS: Final = 5.0
PAUSE_SECONDS: Final = 0.1
"""How long no connection is taken when the machine has no room for one."""
END_SECONDS: Final = 5.0
LOG_SECONDS: Final = 60.0
"""How often the log tells how many had to make room."""

Identify = Callable[[str | None], str | None]
"""Whose an `Authorization` is; None where it is nobody's."""


def places_for_known() -> int:
    """How many connections of known callers the files allow that this process may open, after all that comes first."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = MOST_STRANGERS + MOST_KNOWN + RESERVED_FILES
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return MOST_KNOWN
    LOG.warning("only %d files may be open, and all connections need %d: set LimitNOFILE", soft, needed)
    return max(1, soft - MOST_STRANGERS - RESERVED_FILES)


class HttpServer:
    """One address at which an application is served."""

    def __init__(self, app: ASGIApp, identify: Identify, tls: ssl.SSLContext | None = None) -> None:
        """Serve an application; `identify` says whose a request is."""
        self.app = app
        self.entrance = Entrance(places_for_known())
        self.pace = StrangersPace()
        self.tasks: set[asyncio.Task[None]] = set()
        self.is_closing = False
        self.name = ("", 0)
        """Where it listens."""
        self.scheme = "http" if tls is None else "https"
        self._identify = identify
        self._tls = tls
        self._connections: set[HttpConnection] = set()
        self._listeners: list[socket.socket] = []
        self._accepting: list[asyncio.Task[None]] = []
        self._arriving: set[asyncio.Task[None]] = set()
        self._told = 0

    async def open(self, host: str, port: int) -> None:
        """Begin to listen; OSError where that cannot be."""
        self.name = (host, port)
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        try:
            for family, _, _, _, address in dict.fromkeys(found):
                self._listeners.append(_listening(family, address))
        except OSError:
            self._stop_listening()
            raise
        self._accepting = [asyncio.create_task(self._accept(listener)) for listener in self._listeners]
        self._accepting.append(asyncio.create_task(self._tell()))

    async def close(self) -> None:
        """Listen no more, answer what is in hand for some seconds, and end."""
        self.is_closing = True
        for task in (*self._accepting, *self._arriving):
            task.cancel()
        await asyncio.gather(*self._accepting, *self._arriving, return_exceptions=True)
        self._stop_listening()
        for connection in list(self._connections):
            connection.end()
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=END_SECONDS)
        for task in list(self.tasks):
            task.cancel()
        for connection in list(self._connections):
            connection.turn_away()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def show(self, connection: HttpConnection, authorization: str | None) -> bool:
        """A request has come: whether there is a place for whose it is."""
        return self.entrance.show(connection, self._identify(authorization))

    def left(self, connection: HttpConnection) -> None:
        """A connection has ended."""
        self._connections.discard(connection)
        self.entrance.leave(connection)

    def _stop_listening(self) -> None:
        for listener in self._listeners:
            listener.close()

    async def _accept(self, listener: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                accepted, peer = await loop.sock_accept(listener)
            except OSError as error:
                LOG.warning("no connection can be taken: %s", error)
                await asyncio.sleep(PAUSE_SECONDS)
                continue
            self._arrived(accepted, peer)
            # While more wait, the next one is there at once: others have their turn before it, however many there are.
            await asyncio.sleep(0)

    def _arrived(self, accepted: socket.socket, peer: Any) -> None:  # noqa: ANN401 - as the system names it
        address = str(peer[0]) if isinstance(peer, tuple) and peer else "unknown"
        connection = HttpConnection(self, address, network_of(address))
        self._connections.add(connection)
        task = connection.arriving = asyncio.create_task(self._admit(accepted, connection))
        self._arriving.add(task)
        task.add_done_callback(self._arriving.discard)
        self.entrance.enter(connection)

    async def _admit(self, accepted: socket.socket, connection: HttpConnection) -> None:
        """Greet by TLS where that is asked for."""
        loop = asyncio.get_running_loop()
        try:
            await loop.connect_accepted_socket(
                lambda: connection, accepted, ssl=self._tls,
                ssl_handshake_timeout=HANDSHAKE_SECONDS if self._tls is not None else None,
            )  # fmt: skip
        except (OSError, asyncio.CancelledError):
            accepted.close()
            self.left(connection)

    async def _tell(self) -> None:
        """Say in the log how many strangers had to make room, not more often than somebody reads it."""
        while True:
            await asyncio.sleep(LOG_SECONDS)
            new, self._told = self.entrance.turned_away - self._told, self.entrance.turned_away
            if new:
                LOG.warning("%d connections of strangers made room for others in %g seconds", new, LOG_SECONDS)


def _listening(family: int, address: Any) -> socket.socket:  # noqa: ANN401 - as the system resolves it
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        listener.setblocking(False)
        listener.bind(address)
        listener.listen(BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener
