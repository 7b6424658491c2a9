"""The server: sockets on one side, the `Manager` on the other, and one event loop between them that never waits for a disk.

Commands go to the manager's writer and are answered when they are written. Questions and pushes read the state in a
thread of their own. A fault in one connection ends that connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Final, TypeVar

from houseway import __version__
from houseway.errors import InputError
from houseway.manager.commands import Envelope
from houseway.manager.commands.system import AttemptRefused
from houseway.manager.core.engine import SYSTEM
from houseway.manager.core.floor import Floor
from houseway.manager.core.records import Event
from houseway.manager.server.asks import answer_ask
from houseway.manager.server.edge import check_reach, read_command
from houseway.manager.server.hub import Hub
from houseway.manager.server.session import Session
from houseway.manager.server.wire import HEARTBEAT_SECONDS, LONGEST_REQUEST, refusal, to_line
from houseway.manager.store.errors import StoreUnavailableError
from houseway.manager.store.manager import Manager
from houseway.manager.store.writer import Answer

LOG: Final = logging.getLogger("houseway.manager.server")
MOST_CLIENTS: Final = 2_000
MOST_REFUSALS_A_MINUTE: Final = 30
"""Refused greetings that are put on record: strangers shall not fill the journal."""

T = TypeVar("T")


class Server:
    """One process that serves a journal."""

    def __init__(self, manager: Manager, process: str, *, clock: Callable[[], int]) -> None:
        """Take a manager that is open."""
        self.manager = manager
        self.process = process
        self.clock = clock
        self.version = __version__
        self.fingerprint = manager.keys.fingerprint
        self.hub = Hub(self.view)
        self.started_at = clock()
        self._sessions: set[Session] = set()
        self._connections: set[asyncio.Task[None]] = set()
        self._reading = ThreadPoolExecutor(1, "houseway-reads")
        self._tasks: list[asyncio.Task[None]] = []
        self._listener: asyncio.Server | None = None
        self._unsubscribe: Callable[[], None] | None = None
        self._refusals: list[float] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = False

    # ------------------------------------------------------------ life

    async def start(self, host: str, port: int, tls: ssl.SSLContext | None = None) -> tuple[str, int]:
        """Begin to listen; returns the address, whose port was chosen if 0 was given."""
        loop = self._loop = asyncio.get_running_loop()

        def on_events(events: list[Event]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
                loop.call_soon_threadsafe(self.hub.events, events)

        self._unsubscribe = self.manager.subscribe(on_events)
        self._tasks = [asyncio.create_task(self.hub.run()), asyncio.create_task(self._beat())]
        self._listener = await asyncio.start_server(
            self._connected, host, port, limit=LONGEST_REQUEST, ssl=tls, backlog=512
        )
        found = self._listener.sockets[0].getsockname()
        return str(found[0]), int(found[1])

    async def close(self, seconds: float = 10.0) -> None:
        """Listen no more, finish what is in hand, tell the clients, and end."""
        self._closing = True
        if self._listener is not None:
            self._listener.close()
        until = time.monotonic() + seconds
        while any(session.outstanding for session in self._sessions) and time.monotonic() < until:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0)
        for session in list(self._sessions):
            session.end(InputError.of("server-ending", "", "the manager ends: connect again in a moment"))
        await asyncio.gather(*self._connections, return_exceptions=True)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._unsubscribe is not None:
            self._unsubscribe()
        self._reading.shutdown(wait=True, cancel_futures=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if self._closing or len(self._connections) >= MOST_CLIENTS:
            code = "server-ending" if self._closing else "too-many-clients"
            writer.write(to_line(refusal(InputError.of(code, "", "try again in a moment"))))
            writer.close()
            return
        self._connections.add(task)
        try:
            await Session(self, reader, writer).run()
        finally:
            self._connections.discard(task)

    def enter(self, session: Session) -> None:
        """A client has proved who it is."""
        assert session.device is not None
        self._sessions.add(session)
        self.hub.clients[session] = (session.device.id, None)

    def leave(self, session: Session) -> None:
        """A client is gone."""
        self._sessions.discard(session)
        self.hub.clients.pop(session, None)

    async def _beat(self) -> None:
        """Tell every client regularly that the manager is there, and whether its store is."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            line = to_line({"heartbeat": {"seq": self.manager.seq, "at": self.clock(), "store": self.store_state()}})
            for session in self._sessions:
                session.mailbox.state("heartbeat", "", line)

    # ------------------------------------------------------------ requests

    async def view(self, look: Callable[[int, Floor], T]) -> T:
        """What a function reads off the state, with the number of the last event in it."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(
            self._reading, lambda: self.manager.view(lambda floor: look(self.manager.seq, floor))
        )

    async def ask(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The answer to a checked question, with the event up to which it holds."""
        if name == "health":
            return await self._health()
        if name == "key":
            return await self._key(arguments)
        return await self.view(
            lambda seq, floor: {"seq": seq, "at": floor.last_at, **answer_ask(floor, name, arguments)}
        )

    def command(self, session: Session, message: object, request: int | str | None) -> None:
        """Hand a command to the writer; its answer goes to the client when it is written."""
        try:
            device = session.device
            assert device is not None
            envelope = read_command(message, self.fingerprint, device.id)
            check_reach(self.manager.engine_floor, device, envelope.do)
            future = self.manager.submit(envelope)
        except InputError as error:
            session.finish(to_line(refusal(error, request)))
            return
        future.add_done_callback(lambda done: self._answered(session, done, request))

    def _answered(self, session: Session, done: Future[Answer], request: int | str | None) -> None:
        assert self._loop is not None
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            self._loop.call_soon_threadsafe(session.finish, _answer_line(done, request))
