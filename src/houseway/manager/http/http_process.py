"""The HTTP service as it runs: beside a server in its process, or by itself for a manager at an address."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server.embed import Server

from houseway.errors import StateError
from houseway.manager.http.guard import ACCESS
from houseway.manager.http.http_app import build_app
from houseway.manager.http.own_book import OwnBook
from houseway.manager.http.service import MOST_STREAMS, Connect, HttpService, HttpSettings
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_connection import AsyncManagerConnection
from houseway.manager.interface.contract import AsyncManagerInterface
from houseway.manager.interface.serving import Beside, check_network, check_port
from houseway.manager.interface.sessions import Sessions

LOG: Final = logging.getLogger("houseway.manager.http")
HEADER_MILLISECONDS: Final = 10_000
"""How long the head of a request may take."""
BACKLOG: Final = 1_024
BEGIN_SECONDS: Final = 10.0
END_SECONDS: Final = 5.0

Ready = Callable[[str, int], None]


@dataclass(frozen=True)
class HttpSetup:
    """What an HTTP service is started with."""

    host: str
    port: int
    device: str
    secret: str = field(repr=False)
    names: tuple[str, ...] = ()
    """Further names by which it may be called, beside the address at which it listens."""
    book: Path | None = None
    """The file with its keys and webhooks."""
    certificate: Path | None = None
    certificate_key: Path | None = None
    plain_network: bool = False
    source: str | None = None

    @property
    def settings(self) -> HttpSettings:
        """What the service itself needs to know."""
        here = ("localhost", "127.0.0.1", "[::1]") if self.host in ("127.0.0.1", "::1", "localhost") else ()
        own = f"[{self.host}]" if ":" in self.host else self.host
        hosts = frozenset(name.lower() for name in (own, *here, *self.names))
        found = HttpSettings(self.device, hosts, has_tls=self.certificate is not None)
        return found if self.source is None else HttpSettings(self.device, hosts, self.source, has_tls=found.has_tls)


def check(setup: HttpSetup) -> None:
    """Refuse an address at which nobody should or can listen, before anything begins."""
    has_tls = setup.certificate is not None
    check_network(setup.host, "http", has_tls=has_tls, plain_network=setup.plain_network)
    check_port(setup.host, setup.port, "http")


def beside(setup: HttpSetup, ready: Ready) -> Beside:
    """The service as it runs beside a server in its process."""

    def begun(new_socket: Callable[[], socket.socket]) -> contextlib.AbstractAsyncContextManager[None]:
        async def connect(sessions: Sessions) -> AsyncManagerInterface:
            access = ManagerAccess.in_process(new_socket, setup.device, setup.secret)
            return await AsyncManagerConnection(access, sessions=sessions).open()

        return _serving(setup, connect, ready)

    return begun


def run_at(setup: HttpSetup, manager: str, trust: tuple[str | None, str | None, str | None], ready: Ready) -> None:
    """Serve by itself, for a manager at an address, until SIGTERM or SIGINT.

    `trust` is the authority to trust there, and the service's own certificate and key.
    """
    check(setup)
    tls_ca, cert, key = trust
    access = ManagerAccess.at(manager, setup.device, setup.secret, tls_ca=tls_ca, device_cert=cert, device_key=key)

    async def connect(sessions: Sessions) -> AsyncManagerInterface:
        return await AsyncManagerConnection(access, sessions=sessions).open()

    async def until_told() -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        async with _serving(setup, connect, ready):
            await stop.wait()

    asyncio.run(until_told())


@contextlib.asynccontextmanager
async def _serving(setup: HttpSetup, connect: Connect, ready: Ready) -> AsyncIterator[None]:
    book = None if setup.book is None else OwnBook.open(setup.book, setup.secret)
    async with HttpService(connect, setup.settings, book) as service, listening(service, setup):
        LOG.info("HTTP at %s:%d%s", setup.host, setup.port, " with TLS" if setup.certificate else "")
        ready(setup.host, setup.port)
        yield


@contextlib.asynccontextmanager
async def listening(service: HttpService, setup: HttpSetup) -> AsyncIterator[None]:
    """The application of a service, listening; its streams end before it does."""
    was_disabled = ACCESS.disabled
    server = Server(
        build_app(service), address=setup.host, port=setup.port, interface=Interfaces.ASGINL, http=HTTPModes.auto,
        websockets=False, backlog=BACKLOG, backpressure=2 * MOST_STREAMS, log_enabled=False,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_MILLISECONDS), ssl_cert=setup.certificate,
        ssl_key=setup.certificate_key,
    )  # fmt: skip
    # Setting up its own loggers, granian enables all that there are.
    ACCESS.disabled = was_disabled
    serving = asyncio.create_task(server.serve())
    try:
        await _answers(setup, serving)
        yield
    finally:
        service.closing.set()
        server.stop()  # type: ignore[no-untyped-call]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS):
                await asyncio.shield(serving)
        serving.cancel()


async def _answers(setup: HttpSetup, serving: asyncio.Task[None]) -> None:
    """Wait until somebody listens at the address."""
    async with asyncio.timeout(BEGIN_SECONDS):
        while not serving.done():
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection(setup.host, setup.port)
                writer.close()
                return
            await asyncio.sleep(0.01)
    raise StateError("the HTTP server ended before it listened") from serving.exception()
