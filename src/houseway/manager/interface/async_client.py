"""A manager at an address, for asyncio: requests in flight side by side, changes as they come, news by the clock."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from types import TracebackType
from typing import Any, Self

import msgspec

from houseway.errors import InputError
from houseway.manager.commands import Command
from houseway.manager.commands.house_commands import SignIn, SignOut
from houseway.manager.core.command import AnswerT_co
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.client_memory import Memory
from houseway.manager.interface.contract import (
    ChangeMessage,
    CommandResult,
    ManagerAwayError,
    SignedInPerson,
)
from houseway.manager.interface.requests import command_message, new_key, subscription_message
from houseway.manager.interface.sessions import NO_SESSION, Sessions, keep_session, new_session, with_session
from houseway.manager.interface.wire_lines import (
    PING_SECONDS,
    ChangeBuffer,
    answer_to,
    change_of,
    heartbeat_of,
    hello,
    refused,
    result_of,
)
from houseway.manager.server.wire import LONGEST_ANSWER, from_line, to_line
from houseway.manager.views.floor_questions import A_co, Question
from houseway.manager.views.health_view import HeartbeatView


class AsyncManagerClient:
    """A connection to a manager; when it is gone it stays gone: make a new one."""

    def __init__(
        self,
        access: ManagerAccess,
        *,
        memory: Memory | None = None,
        sessions: Sessions | None = None,
        on_change: Callable[[ChangeMessage], None] | None = None,
        on_heartbeat: Callable[[HeartbeatView], None] | None = None,
    ) -> None:
        """`on_change` gets every change that was subscribed to the moment it comes, `on_heartbeat` every heartbeat.

        `memory` is what clients before this one have seen of the manager. `sessions` holds the tokens of those who
        signed in at this service, by person. Hand both to the next client when this one is gone.
        """
        self._access = access
        self._memory = memory or access.memory()
        self._sessions: Sessions = sessions if sessions is not None else {}
        self._on_change = on_change
        self._on_heartbeat = on_heartbeat
        self._subscription: AsyncWireSubscription | None = None
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._requests = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._writer: asyncio.StreamWriter | None = None
        self.gone = asyncio.Event()
        """Set when the connection has ended."""
        self.news_at = 0.0
        """Loop time of the last line that came."""
        self.last_words = ""
        """Why the manager ended the connection, where it said so."""
        self.welcome: dict[str, Any] = {}

    async def connect(self) -> Self:
        """Connect and greet; ManagerAwayError or RefusedError if that fails."""
        access, seconds = self._access, self._access.connecting_seconds
        try:
            async with asyncio.timeout(seconds):
                where: dict[str, Any] = {"host": access.host, "port": access.port, "ssl": access.tls}
                if access.within is not None:
                    where = {"sock": access.within()}
                reader, self._writer = await asyncio.open_connection(limit=LONGEST_ANSWER, **where)
                self._writer.write(hello(access.device, access.secret))
                first = from_line(await reader.readuntil(b"\n"))
        except (OSError, EOFError, InputError) as error:
            await self.close()
            why = str(error) or "no answer in time"
            raise ManagerAwayError(f"no manager answers at {access.where}: {why}") from error
        except asyncio.CancelledError:
            if self._writer is not None:
                self._writer.close()
            raise
        if "welcome" not in first:
            await self.close()
            raise refused(first.get("error"))
        self.welcome = first["welcome"]
        self.news_at = asyncio.get_running_loop().time()
        self._tasks = [asyncio.create_task(self._read(reader)), asyncio.create_task(self._ping())]
        try:
            if access.recall:
                await self._check_past(seconds)
        except BaseException:
            await self.close()
            raise
        return self

    async def _check_past(self, seconds: float) -> None:
        """Refuse a manager that lacks what was seen before, and show it the proof."""
        memory = self._memory
        answer = await self.request(memory.question(), seconds)
        if await asyncio.to_thread(memory.agrees, answer):
            return
        proof = memory.proof()
        judged = None if proof is None else (await self.request(proof, seconds))["judged"]
        if not memory.accepts(judged):
            raise refused(memory.refusal(judged))

    async def close(self) -> None:
        """Leave."""
        self.gone.set()
        if self._subscription is not None:
            await self._subscription.close()
        # First, without waiting for anything: whoever is cancelled while leaving must not leave a socket behind.
        if self._writer is not None:
            self._writer.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._drop_waiting()
        self._memory.flush()
        if self._writer is not None:
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._writer.wait_closed()

    async def __aenter__(self) -> Self:
        """Use the connection in an `async with`, which closes it."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        await self.close()

    # ------------------------------------------------------------ requests

    async def send(
        self, command: Command[AnswerT_co], *, actor: str, key: str | None = None, session: str | None = None
    ) -> CommandResult[AnswerT_co]:
        """Have a command carried out; ManagerAwayError leaves open whether it was.

        `session` is the token of the actor's session, where it is not among those of this client.
        """
        key = new_key(self._access.device) if key is None else key
        message = with_session(command_message(command, actor, key, session), self._sessions)
        carried = result_of(command, await self.request({"command": message}))
        self._memory.answer(carried.seq, carried.hash, carried.at)
        keep_session(message, carried.answer, self._sessions)
        return carried

    async def ask(self, asked: Question[A_co], /, *, actor: str | None = None) -> A_co:
        """The answer to a question; of one that is answered in pages, a page."""
        message = msgspec.to_builtins(asked)
        if actor is not None:
            message |= {"actor": actor, "session": self._sessions.get(actor) or NO_SESSION}
        return answer_to(asked, await self.request(message))

    async def sign_in(self, badge: str) -> SignedInPerson:
        """Read a person's badge at this service: that person may act from here on."""
        signed_in = (await self.send(SignIn(badge, new_session()), actor=self._access.actor)).answer
        return SignedInPerson(signed_in.person, signed_in.roles)

    async def sign_out(self, person: str) -> None:
        """Let a person leave this service."""
        await self.send(SignOut(person), actor=self._access.actor)

    async def subscribe(
        self, *topics: str, tables: Sequence[str] | None = None, links: Sequence[str] | None = None
    ) -> AsyncWireSubscription:
        """Have changes told from now on; another subscription ends the one before."""
        subscription = AsyncWireSubscription(self.gone, frozenset(topics))
        before, self._subscription = self._subscription, subscription
        try:
            await self.request(subscription_message(topics, tables, links))
        except BaseException:
            # One that was refused leaves the one before as it was.
            self._subscription = before
            raise
        if before is not None:
            await before.close()
        return subscription

    async def request(self, message: dict[str, Any], seconds: float | None = None) -> dict[str, Any]:
        """Send any request of the protocol and wait for its answer, for so many seconds."""
        seconds = self._access.answer_seconds if seconds is None else seconds
        if self._writer is None or self.gone.is_set():
            raise ManagerAwayError(self.last_words or "the connection to the manager is gone")
        self._requests += 1
        number = self._requests
        line = to_line({"id": number, **message})
        longest = int(self.welcome.get("limits", {}).get("line", len(line)))
        if len(line) > longest:
            # The server would end the connection, with all that others have under way on it.
            text = f"{len(line)} bytes, and the manager reads {longest} at most"
            raise refused({"faults": [{"code": "line-too-long", "path": "", "message": text}]})
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        try:
            self._writer.write(line)
            async with asyncio.timeout(seconds):
                answer = await future
        except TimeoutError:
            raise ManagerAwayError(f"no answer from the manager in {seconds:g} seconds") from None
        except OSError as error:
            raise ManagerAwayError(f"the manager went away: {error}") from error
        finally:
            self._waiting.pop(number, None)
        if "error" in answer:
            raise refused(answer["error"])
        return dict(answer["answer"])

    # ------------------------------------------------------------ lines

    async def _read(self, reader: asyncio.StreamReader) -> None:
        """Hand out every line that comes, until none does."""
        loop = asyncio.get_running_loop()
        try:
            while line := await reader.readline():
                self.news_at = loop.time()
                self._hand_out(from_line(line))
        except (OSError, ValueError):
            pass
        finally:
            self.gone.set()
            self._drop_waiting()
            if self._subscription is not None:
                self._subscription.wake()

    def _hand_out(self, message: dict[str, Any]) -> None:
        future = self._waiting.get(message.get("id", 0))
        if future is not None and not future.done() and "pong" not in message:
            future.set_result(message)
        elif "ping" in message and self._writer is not None:
            # The manager asks whether anybody is here: another one has come in this device's name.
            with contextlib.suppress(OSError):
                self._writer.write(to_line({"pong": message["ping"]}))
        elif "heartbeat" in message:
            self._memory.hear(message["heartbeat"])
            if self._on_heartbeat is not None:
                self._on_heartbeat(heartbeat_of(message["heartbeat"]))
        elif "event" in message:
            self._tell(change_of(message["event"]))
        elif "error" in message and "id" not in message:
            self.last_words = str(refused(message["error"]))

    def _tell(self, change: ChangeMessage) -> None:
        if self._on_change is not None:
            self._on_change(change)
        elif self._subscription is not None:
            self._subscription.hear(change)

    def _drop_waiting(self) -> None:
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(ManagerAwayError("the manager went away before it answered"))
                # Whoever waited may be gone by now.
                future.exception()

    async def _ping(self) -> None:
        while not self.gone.is_set():
            await asyncio.sleep(PING_SECONDS)
            if self._writer is not None:
                with contextlib.suppress(OSError):
                    self._writer.write(to_line({"ping": 1}))


class AsyncWireSubscription:
    """Changes that a server tells."""

    def __init__(self, gone: asyncio.Event, topics: frozenset[str]) -> None:
        """Hear of these topics until the connection is gone."""
        self._gone = gone
        self._topics = topics
        self._waiting = ChangeBuffer()
        self._news = asyncio.Event()
        self._closed = False

    def hear(self, change: ChangeMessage) -> None:
        """Take a change in; one of the subscription before may still be on its way."""
        if change.topic in self._topics and not self._closed:
            self._waiting.add(change)
            self._news.set()

    def wake(self) -> None:
        """Let whoever waits look again: the connection is gone."""
        self._news.set()

    async def changes(self, seconds: float | None = None) -> AsyncIterator[ChangeMessage]:
        """What is told; ends after that many seconds, when the subscription is closed or replaced, or never."""
        loop = asyncio.get_running_loop()
        until = None if seconds is None else loop.time() + seconds
        while not self._closed:
            change = self._waiting.take()
            if change is not None:
                yield change
            elif self._gone.is_set():
                raise ManagerAwayError("the connection was lost, and the subscription with it: subscribe again")
            elif not await _heard(self._news, until):
                return

    async def close(self) -> None:
        """Hear no more."""
        self._closed = True
        self._waiting.clear()
        self._news.set()


async def _heard(news: asyncio.Event, until: float | None) -> bool:
    """Wait for news; False when the time is over."""
    try:
        async with asyncio.timeout_at(until):
            await news.wait()
    except TimeoutError:
        return False
    news.clear()
    return True
