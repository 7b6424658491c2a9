"""`houseway manager serve` as a process: check, open, say that it began, listen, and end in order."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import ipaddress
import logging
import os
import resource
import signal
import socket
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from houseway.certificates.server_tls import ServerTls
from houseway.errors import InputError, StateError
from houseway.manager.server.certificate_watch import CertificateWatch
from houseway.manager.server.day_sum_keeper import DaySumKeeper
from houseway.manager.server.head_keeper import HeadKeeper
from houseway.manager.server.metrics import Metrics
from houseway.manager.server.selfcheck import check_program, in_force
from houseway.manager.server.server import MOST_CLIENTS, Server
from houseway.manager.server.service_notice import show_life, tell
from houseway.manager.server.setup import opening
from houseway.manager.server.watch_port import WatchPort
from houseway.manager.store import urls
from houseway.manager.store.day_sum_keeping import DaySumBook
from houseway.manager.store.head_making import HeadBook
from houseway.manager.store.keys import load_keys
from houseway.manager.store.manager import Manager, open_manager

LOG: Final = logging.getLogger("houseway.manager.server")
SPARE_FILES: Final = 500
"""Files and sockets beside those of the clients: database, log, listeners, connections that are being refused."""


Ready = Callable[[tuple[str, int], tuple[str, int] | None], None]
"""Hears where clients connect, and where watchers do, if there is such a place."""


@dataclass(frozen=True)
class ServerSetup:
    """What a server is started with."""

    database: str
    """The URL of the database."""
    keys: Path
    host: str
    port: int
    tls: ServerTls | None = None
    plain_network: bool = False
    """Listen without TLS where others than this machine can connect."""
    watch: tuple[str, int] | None = None
    """Where metrics, health and readiness are told; None for nowhere."""


Beside = Callable[[Callable[[], socket.socket]], AbstractAsyncContextManager[None]]
"""What runs beside a server in its process, from the moment clients may connect until it ends: it gets what makes it a
socket to the server."""


def spare_the_collector() -> None:
    """Leave what stays as long as the process, program and state, out of collections, and collect less often.

    What commands and answers leave behind has no cycles and goes by itself; while tables and readers wait, walking over
    it is lost time. For processes that serve and nothing else, HTTP's own too.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)


def run(setup: ServerSetup, ready: Ready, beside: Beside | None = None) -> None:
    """Serve until SIGTERM or SIGINT; `ready` hears the addresses as soon as clients may connect."""
    check_network(setup.host, "listen", has_tls=setup.tls is not None, plain_network=setup.plain_network)
    _check_watch(setup)
    _raise_file_limit()
    compared, fingerprints = check_program(), in_force()
    keys = load_keys(setup.keys)
    # The start goes on record as soon as the journal is open: a server that cannot listen has not started.
    check_port(setup.host, setup.port, "listen")
    if setup.watch is not None:
        check_port(*setup.watch, "watch")
    with opening():
        manager = open_manager(setup.database, setup.keys, create=False)
    try:
        _check_property(manager)
        seq = manager.health()["seq"]
        LOG.info("self-check passed: %d installed files compared, journal read to event %d", compared, seq)
        spare_the_collector()
        process = f"{socket.gethostname()}:{os.getpid()}"
        keeper = HeadKeeper(manager, HeadBook(setup.database, keys))
        sums = DaySumKeeper(manager, DaySumBook(setup.database))
        try:
            server = Server(manager, process, keys.fingerprint, fingerprints)
            file = urls.sqlite_path(setup.database) if urls.is_sqlite(setup.database) else None
            watched = WatchPort(Metrics(server, keeper, file), server.supervisor)
            asyncio.run(_serve(server, watched, setup, ready, beside))
        finally:
            sums.close()
            keeper.close()
    finally:
        manager.close()
    LOG.info("ended in order")


def _raise_file_limit(needed: int = MOST_CLIENTS + SPARE_FILES) -> None:
    """Let the process hold as many sockets as it takes clients; say so where the system does not let it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return
    allowed = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    if allowed < needed:
        LOG.warning("only %d files may be open, and all clients need %d: set LimitNOFILE", allowed, needed)


def check_network(host: str, option: str, *, has_tls: bool, plain_network: bool) -> None:
    """Cards and secrets cross the network: beyond this machine only with TLS, unless somebody insists."""
    if not has_tls and not plain_network and not _is_local(host):
        message = f"badges and secrets would cross the network to {host} in clear: give --tls-cert and --tls-key"
        raise InputError.of("tls-needed", option, message)


def _check_watch(setup: ServerSetup) -> None:
    if setup.tls is not None or setup.plain_network:
        return
    if setup.watch is not None and not _is_local(setup.watch[0]):
        message = f"whoever watches from {setup.watch[0]} could be told anything: give --tls-cert and --tls-key"
        raise InputError.of("tls-needed", "watch", message)


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def check_port(host: str, port: int, option: str) -> None:
    """Refuse an address at which nobody can listen, or somebody does."""
    try:
        for family, kind, protocol, _, address in socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            with socket.socket(family, kind, protocol) as tried:
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    tried.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                tried.bind(address)
    except OSError as error:
        raise _cannot_listen(host, port, option, error) from None


def _cannot_listen(host: str, port: int, option: str, error: OSError) -> InputError:
    why = error.strerror or error
    return InputError.of("bad-address", option, f"cannot listen at {host}:{port}: {why}")


def _check_property(manager: Manager) -> None:
    if not manager.view(lambda floor: bool(floor.properties)):
        message = "this journal has no property yet: begin with houseway manager init"
        raise InputError.of("no-property", "database", message)


async def _serve(server: Server, watched: WatchPort, setup: ServerSetup, ready: Ready, beside: Beside | None) -> None:
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    try:
        host, port = await server.start(setup.host, setup.port, None if setup.tls is None else setup.tls.context)
    except OSError as error:
        raise _cannot_listen(setup.host, setup.port, "listen", error) from None
    LOG.info("listening at %s:%d%s", host, port, " with TLS" if setup.tls else "")
    beside_it = [asyncio.create_task(show_life())]
    if setup.tls is not None:
        certificate = CertificateWatch(setup.tls, server.alerts)
        beside_it.append(asyncio.create_task(server.supervisor.keep("certificate", certificate.run)))
    watch = None if setup.watch is None else await _open_watch(watched, *setup.watch, setup.tls)

    def end(_: str) -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(stop.set)

    server.supervisor.when_hopeless(end)
    if server.supervisor.hopeless is not None:
        stop.set()
    try:
        async with contextlib.nullcontext() if beside is None else beside(server.door.socket_within):
            ready((host, port), watch)
            tell("READY=1")
            await stop.wait()
            LOG.info("ending: finishing what is in hand")
            tell("STOPPING=1")
    finally:
        await server.close()
        await watched.close()
        for task in beside_it:
            task.cancel()
    if server.supervisor.hopeless is not None:
        message = f"the task {server.supervisor.hopeless} met the same fault again and again: the server has ended"
        raise StateError(message)


async def _open_watch(watched: WatchPort, host: str, port: int, tls: ServerTls | None) -> tuple[str, int]:
    try:
        found = await watched.open(host, port, None if tls is None else tls.open_context)
    except OSError as error:
        raise _cannot_listen(host, port, "watch", error) from None
    LOG.info("watched at %s:%d%s", *found, " with TLS" if tls else "")
    return found
