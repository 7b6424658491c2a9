"""The HTTP service as it runs by itself, for a manager at an address."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from houseway.certificates.server_tls import LOOK_SECONDS, ServerTls
from houseway.errors import InputError
from houseway.manager.http.http_app import build_app
from houseway.manager.http.http_server import HttpServer
from houseway.manager.http.own_book import OwnBook
from houseway.manager.http.service import Connect, HttpService, HttpSettings
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_connection import AsyncManagerConnection
from houseway.manager.interface.contract import AsyncManagerInterface
from houseway.manager.interface.serving import check_network, check_port, spare_the_collector
from houseway.manager.interface.sessions import Sessions

LOG: Final = logging.getLogger("houseway.manager.http")
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
        async with serving(setup, connect):
            spare_the_collector()
            ready(setup.host, setup.port)
            await stop.wait()

    asyncio.run(until_told())


@contextlib.asynccontextmanager
async def serving(setup: HttpSetup, connect: Connect) -> AsyncIterator[None]:
    """A service with its book, listening."""
    book = None if setup.book is None else OwnBook.open(setup.book, setup.secret)
    async with HttpService(connect, setup.settings, book) as service, listening(service, setup):
        LOG.info("HTTP at %s:%d%s", setup.host, setup.port, " with TLS" if setup.certificate else "")
        yield


@contextlib.asynccontextmanager
async def listening(service: HttpService, setup: HttpSetup) -> AsyncIterator[HttpServer]:
    """The application of a service, listening; its streams end before it does."""
    tls = _tls(setup)
    server = HttpServer(build_app(service), service.caller_name, None if tls is None else tls.open_context)
    try:
        await server.open(setup.host, setup.port)
    except OSError as error:
        message = f"cannot listen at {setup.host}:{setup.port}: {error.strerror or error}"
        raise InputError.of("bad-address", "http", message) from None
    renewing = None if tls is None else asyncio.create_task(_keep_renewed(tls))
    try:
        yield server
    finally:
        if renewing is not None:
            renewing.cancel()
        service.closing.set()
        await server.close()


def _tls(setup: HttpSetup) -> ServerTls | None:
    """What proves the service to its clients."""
    if setup.certificate is None or setup.certificate_key is None:
        return None
    found = ServerTls(setup.certificate, setup.certificate_key)
    found.open_context.set_alpn_protocols(["http/1.1"])
    return found


async def _keep_renewed(tls: ServerTls) -> None:
    """Take a renewed certificate over; the manager's health tells of one that ends or cannot be used."""
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        try:
            if tls.refresh():
                LOG.info("the certificate was renewed: it holds until %s", tls.ends_at.date())
        except InputError as error:
            LOG.warning("the renewed certificate cannot be used, and the one before it stays in use: %s", error)
