"""An HTTP service on a real server, both in the test's own process; with a socket where streams are read."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import httpx

from houseway.manager.http.http_app import build_app
from houseway.manager.http.http_process import HttpSetup, listening
from houseway.manager.http.own_book import OwnBook
from houseway.manager.http.service import HttpService, HttpSettings
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_connection import AsyncManagerConnection
from houseway.manager.interface.sessions import Sessions
from houseway.manager.server.server import Server
from tests.manager.floors import badge
from tests.manager.server.house import House, secret
from tests.manager.server.running import running

DEVICE = "SVC-1"
SETTINGS = HttpSettings(DEVICE, frozenset({"127.0.0.1", "testserver"}))


@dataclass(frozen=True)
class Served:
    """A service, the server behind it, and a client."""

    service: HttpService
    server: Server
    http: httpx.AsyncClient
    base: str = "http://testserver"

    async def sign_in(self, person: str) -> dict[str, str]:
        """The header of a person who has signed in."""
        answer = await self.http.post("/v1/session", json={"badge": badge(person)})
        assert answer.status_code == 200, answer.text
        return {"Authorization": f"Bearer {answer.json()['token']}"}

    async def command(self, kind: str, who: dict[str, str], key: str, **fields: Any) -> httpx.Response:
        """A command of a person."""
        return await self.http.post(f"/v1/commands/{kind}", headers={**who, "Idempotency-Key": key}, json=fields)


def free_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@asynccontextmanager
async def serving(
    house: House, *, book: Path | None = None, listen: bool = False, settings: HttpSettings = SETTINGS
) -> AsyncIterator[Served]:
    """A service of a property; at a port of its own where that is wanted."""
    async with AsyncExitStack() as stack:
        server, _ = await stack.enter_async_context(running(house))

        async def connect(sessions: Sessions) -> Any:
            access = ManagerAccess.in_process(server.door.socket_within, DEVICE, secret(DEVICE))
            return await AsyncManagerConnection(access, sessions=sessions).open()

        opened = None if book is None else OwnBook.open(book, secret(DEVICE))
        service = await stack.enter_async_context(HttpService(connect, settings, opened))
        await service.feed.reached.wait()
        if listen:
            setup = HttpSetup("127.0.0.1", free_port(), DEVICE, secret(DEVICE))
            await stack.enter_async_context(listening(service, setup))
            base = f"http://127.0.0.1:{setup.port}"
            http = httpx.AsyncClient(base_url=base, timeout=20)
        else:
            base = "http://testserver"
            http = httpx.AsyncClient(transport=httpx.ASGITransport(build_app(service)), base_url=base)
        yield replace(Served(service, server, await stack.enter_async_context(http)), base=base)


class Background:
    """A service at a port, in a thread of its own, for clients that do one thing after the other."""

    def __init__(self, house: House, *people: str, book: Path | None = None, settings: HttpSettings = SETTINGS) -> None:
        self._house, self._people, self._book, self._settings = house, people, book, settings
        self.base = ""
        self.tokens: dict[str, str] = {}
        """The tokens of those who are signed in."""
        self._stop: Callable[[], None] = lambda: None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)

    async def _run(self) -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        self._stop = lambda: loop.call_soon_threadsafe(stop.set)
        try:
            async with serving(self._house, book=self._book, listen=True, settings=self._settings) as served:
                for person in self._people:
                    header = (await served.sign_in(person))["Authorization"]
                    self.tokens[person] = header.removeprefix("Bearer ")
                self.base = served.base
                self._ready.set()
                await stop.wait()
        finally:
            self._ready.set()

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(60)
        assert self.base, "the service did not begin"
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._thread.join(30)
        assert not self._thread.is_alive()
