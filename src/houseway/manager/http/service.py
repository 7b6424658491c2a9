"""The service behind the routes: the manager by its interface, who is signed in, keys, feeds and webhooks."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, Self

from msgspec.structs import replace

from houseway.errors import InputError, StateError
from houseway.manager.commands import Command, kind_of, read_fields
from houseway.manager.commands.house_answers import SignInAnswer
from houseway.manager.commands.house_commands import SetPin, SignIn
from houseway.manager.http.bearers import Bearers, SignedIn
from houseway.manager.http.callers import Caller
from houseway.manager.http.cloud_events import DEFAULT_SOURCE
from houseway.manager.http.event_feed import EventFeed
from houseway.manager.http.lobby import Lobby, SpareConnection
from houseway.manager.http.own_book import KEY_PREFIX, OwnBook
from houseway.manager.http.state_board import StateBoard
from houseway.manager.http.webhooks import WebhookSender
from houseway.manager.interface.contract import AsyncManagerInterface, CommandResult, ManagerAwayError, RefusedError
from houseway.manager.interface.field_types import AnswerT_co, CommandAnswer
from houseway.manager.interface.requests import network_of, shows_token
from houseway.manager.interface.sessions import Sessions, new_session
from houseway.manager.interface.whole_answers import ask_all_async
from houseway.manager.views.answers import EventMessage
from houseway.manager.views.floor_questions import A_co, DevicesQuestion, HealthQuestion, PeopleQuestion, Question

LOG: Final = logging.getLogger("houseway.manager.http")
MOST_IN_HAND: Final = 48
"""Requests that are with the manager at once; it reads 64 of a connection."""
MOST_WAITING: Final = 500
"""Requests that wait for their turn; whoever comes then is told to come again."""
MOST_STREAMS: Final = 2_000
MOST_STREAMS_OF_CALLER: Final = 1_000
LONGEST_TOKEN: Final = 200
LONGEST_ADDRESS: Final = 100
STATE_SECONDS: Final = 1.0
"""How long what the manager has said about itself is told to strangers."""

Connect = Callable[[Sessions], Awaitable[AsyncManagerInterface]]
"""Connects to the manager as the service's device; sessions of those who sign in are kept in what is handed over."""


@dataclass(frozen=True)
class HttpSettings:
    """What a service is started with."""

    device: str
    """The device that the service is at the manager."""
    hosts: frozenset[str]
    """Names by which it may be called, without port."""
    source: str = DEFAULT_SOURCE
    """What its events name as their source."""
    stream_seconds: float = 3_600.0
    """How long a stream lasts; its reader goes on with another one where it was."""
    has_tls: bool = False


def now_micros() -> int:
    """The time of this machine, in microseconds since 1970."""
    return time.time_ns() // 1_000


class HttpService:
    """One service; use it in an `async with`."""

    def __init__(self, connect: Connect, settings: HttpSettings, book: OwnBook | None = None) -> None:
        """Connect to the manager once it begins."""
        self._connect = connect
        self.settings = settings
        self.book = book
        self.bearers = Bearers()
        self.closing = asyncio.Event()
        self._sessions: dict[str, str] = {}
        self.feed = EventFeed(self._connect_apart, settings.source)
        self.feed.listeners.append(self._hear)
        self.board = StateBoard(self._connect_apart)
        self.lobby = Lobby(self._connect_apart)
        self._manager: AsyncManagerInterface | None = None
        self._second_badges = SpareConnection(lambda: connect(self._sessions))
        """For commands that show a badge: a wrong one holds up its connection."""
        self._turns = asyncio.Semaphore(MOST_IN_HAND)
        self._waiting = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._looking: asyncio.Task[None] | None = None
        self._look_again = False
        self._asking_state = asyncio.Lock()
        self._state: tuple[float, str] | None = None
        self._streams: dict[str, int] = {}

    async def __aenter__(self) -> Self:
        """Connect, and follow the manager; refused where it does not know the device."""
        self._manager = await self._connect(self._sessions)
        self._look_soon()
        self._tasks = [asyncio.create_task(self.feed.run())]
        if self.book is not None:
            sender = WebhookSender(self.book, self.feed, self.settings.source)
            self._tasks.append(asyncio.create_task(sender.run()))
        for task in self._tasks:
            task.add_done_callback(_ended)
        return self

    async def __aexit__(self, *_: object) -> None:
        """End: streams first, then everybody's session."""
        self.closing.set()
        for person in self.bearers.people:
            # Nobody can use these sessions any more: whoever is signed in there would only look as if present.
            with contextlib.suppress(ManagerAwayError, InputError):
                await self.sign_out(person)
        for task in [*self._tasks, *([self._looking] if self._looking else [])]:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.board.close()
        await self.lobby.close()
        await self._second_badges.close()
        if self._manager is not None:
            await self._manager.close()
        if self.book is not None:
            self.book.close()

    async def _connect_apart(self) -> AsyncManagerInterface:
        """A connection on which nobody acts."""
        return await self._connect({})

    # ------------------------------------------------------------ the manager

    async def ask(self, asked: Question[A_co], caller: Caller | None = None) -> A_co:
        """The answer to a question; of a person's in their name, so that the manager decides who may ask."""
        person = None if caller is None or caller.signed_in is None else caller.signed_in.person
        async with self._turn():
            try:
                return await self._reached().ask(asked, actor=person)
            except RefusedError as error:
                if caller is not None and caller.signed_in is not None:
                    self.let_go_if_out(caller.signed_in, error)
                raise

    async def manager_state(self) -> str:
        """How the manager is: asked once for all who want to know at about the same time, since anybody may."""
        async with self._asking_state:
            now = time.monotonic()
            if self._state is None or now - self._state[0] >= STATE_SECONDS:
                self._state = (now, (await self.ask(HealthQuestion())).state)
            return self._state[1]

    async def send(
        self, command: Command[AnswerT_co], *, actor: str, key: str | None = None
    ) -> CommandResult[AnswerT_co]:
        """Have a command carried out."""
        if shows_token(command):
            manager = await self._second_badges.reached()
        else:
            manager = self._reached()
        async with self._turn():
            return await manager.send(command, actor=actor, key=key)

    def _reached(self) -> AsyncManagerInterface:
        if self._manager is None:
            raise ManagerAwayError("the manager was not reached yet")
        return self._manager

    @contextlib.asynccontextmanager
    async def _turn(self) -> Any:  # noqa: ANN401 - an async context
        if self._waiting >= MOST_WAITING:
            message = f"{MOST_WAITING} requests wait for the manager: send this one again in a moment"
            raise InputError.of("too-many-clients", "", message)
        self._waiting += 1
        try:
            await self._turns.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._turns.release()

    # ------------------------------------------------------------ people and keys

    async def sign_in(self, fields: dict[str, Any], address: str) -> tuple[str, SignedIn]:
        """Read a person's badge, and whatever else a sign-in shows; the token of the session that begins."""
        session = new_session()
        carried = await self._say(read_fields({"kind": kind_of(SignIn), **fields, "session": session}), address)
        answer = carried.answer
        if not isinstance(answer, SignInAnswer):
            raise StateError("an internal error: a sign-in is answered otherwise")
        found = SignedIn(answer.person, frozenset(answer.roles), carried.at, answer.until, carried.seq)
        token = self.bearers.begin(found)
        if token is None:
            message = "the same person has signed in once more meanwhile, which has ended this session"
            raise InputError.of("not-signed-in", "badge", message)
        self._sessions[found.person] = session
        self.lobby.known.add(network_of(address))
        if self.feed.head > found.seq:
            # What the feed has told since may have ended this session already: nobody looked for it then.
            self._look_soon()
        return token, found

    async def set_pin(self, fields: dict[str, Any], address: str) -> CommandAnswer:
        """Set the PIN of a badge, for its bearer."""
        return (await self._say(read_fields({"kind": kind_of(SetPin), **fields}), address)).answer

    async def _say(self, command: Command[AnswerT_co], address: str) -> CommandResult[AnswerT_co]:
        """Have carried out what the service says of a badge: the manager counts wrong ones by where they come from."""
        network = network_of(address)
        told = replace(command, address=address[:LONGEST_ADDRESS])
        async with self.lobby.line_of(network).turn(network) as manager:
            return await manager.send(told, actor=f"device:{self.settings.device}")

    async def sign_out(self, person: str) -> None:
        """End a person's session here and at the manager."""
        self.bearers.end(person)
        await self._reached().sign_out(person)

    def let_go_if_out(self, signed_in: SignedIn, error: RefusedError) -> None:
        """End a session that the manager no longer counts; one that the person has begun since goes on."""
        is_out = any(fault.code == "not-signed-in" and fault.path in ("actor", "session") for fault in error.faults)
        if is_out and self.bearers.is_current(signed_in, now_micros()):
            self.bearers.end(signed_in.person)

    def caller(self, authorization: str | None) -> Caller:
        """Who a request is from, by its `Authorization`; refused where it is nobody's."""
        scheme, _, token = (authorization or "").partition(" ")
        if scheme.lower() == "bearer" and 0 < len(token) <= LONGEST_TOKEN and token.isascii():
            now = now_micros()
            if token.startswith(KEY_PREFIX) and self.book is not None:
                key = self.book.key_of(token, now)
                if key is not None:
                    return Caller(key=key.name, scopes=frozenset(key.scopes))
            signed_in = self.bearers.find(token, now)
            if signed_in is not None:
                return Caller(signed_in)
        message = "sign in (POST /v1/session) and send the token as `Authorization: Bearer TOKEN`, or a key"
        raise InputError.of("not-signed-in", "Authorization", message)

    def caller_name(self, authorization: str | None) -> str | None:
        """Whose an `Authorization` is; None where it is nobody's."""
        try:
            return self.caller(authorization).name
        except InputError:
            return None

    def is_current(self, caller: Caller) -> bool:
        """Whether somebody who was let in before would be let in now."""
        if caller.signed_in is not None:
            return self.bearers.is_current(caller.signed_in, now_micros())
        kept = [] if self.book is None else self.book.keys()
        now = now_micros()
        return any(
            one.name == caller.key and caller.scopes == set(one.scopes) and (one.until is None or now < one.until)
            for one in kept
        )

    # ------------------------------------------------------------ who is present by the manager's word

    def _hear(self, event: EventMessage) -> None:
        """Look who is still signed in whenever people or devices have changed."""
        if event.kind.startswith(("person.", "device.", "session.", "change.")) and self.bearers.people:
            self._look_soon()

    def _look_soon(self) -> None:
        self._look_again = True
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())

    async def _look(self) -> None:
        while self._look_again:
            self._look_again = False
            try:
                devices = await ask_all_async(self._reached(), DevicesQuestion())
                people = await ask_all_async(self._reached(), PeopleQuestion())
            except (ManagerAwayError, RefusedError) as error:
                # Commands of people who left are refused by the manager itself; who only looks is looked for again.
                LOG.warning("who is signed in could not be asked: %s", error)
                await asyncio.sleep(1.0)
                self._look_again = True
                continue
            own = next((one for one in devices.devices if one.id == self.settings.device), None)
            present = own.signed_in if own is not None and own.active else {}
            self.lobby.known = set() if own is None else {*own.networks}
            roles = {one.id: frozenset(one.roles) for one in people.people if one.active}
            gone = self.bearers.follow(present, roles, devices.seq)
            if gone:
                LOG.info("no longer signed in: %s", ", ".join(gone))

    # ------------------------------------------------------------ streams

    @contextlib.contextmanager
    def streaming(self, caller: Caller) -> Any:  # noqa: ANN401 - a context
        """A place for a stream; refused where there are too many."""
        of_caller = self._streams.get(caller.name, 0)
        if of_caller >= MOST_STREAMS_OF_CALLER or sum(self._streams.values()) >= MOST_STREAMS:
            raise InputError.of("too-many-clients", "", "too many streams are open: end some of them")
        self._streams[caller.name] = of_caller + 1
        try:
            yield
        finally:
            left = self._streams[caller.name] - 1
            if left:
                self._streams[caller.name] = left
            else:
                del self._streams[caller.name]


def _ended(task: asyncio.Task[None]) -> None:
    """A task that should go on for ever has ended: an internal error, which somebody must see."""
    if not task.cancelled() and task.exception() is not None:
        LOG.error("a task of the service ended by an internal error", exc_info=task.exception())
