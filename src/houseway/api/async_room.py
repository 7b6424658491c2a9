"""A Game Manager for programs on asyncio: what `Room` does, awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, overload

from houseway.api.room import demo_floor, meant
from houseway.api.room_places import RoomPlace
from houseway.errors import InputError
from houseway.manager.commands import AnyCommand, Command
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_connection import AsyncManagerConnection
from houseway.manager.interface.async_local import AsyncLocalManager
from houseway.manager.interface.contract import (
    AsyncManagerInterface,
    AsyncSubscription,
    CommandResult,
    ManagerAwayError,
    SignedInPerson,
)
from houseway.manager.interface.field_types import AnswerT_co
from houseway.manager.interface.whole_answers import ask_all_async
from houseway.manager.views.floor_questions import HealthQuestion, MetersQuestion, question
from houseway.manager.views.health_view import HealthView
from houseway.manager.views.jackpot_views import displayed_by_link

if TYPE_CHECKING:
    from houseway.manager.demo.play import DemoFloor, Scene
    from houseway.manager.interface.auditing import AuditReport


class AsyncRoom:
    """A card room's Game Manager for asyncio: the methods of `Room`, awaited, within an `async with`, which opens it.

    async with hw.AsyncRoom.at("127.0.0.1:7300", device="SVC-1", secret=secret) as room:
        person = (await room.sign_in(badge)).person
        started = await room.command("round.start", actor=person, table="T1")
        print(started.answer.round, await room.meters())
    """

    def __init__(self, opening: Callable[[], Awaitable[AsyncManagerInterface]], place: RoomPlace) -> None:
        """Keep how the manager is reached; programs use the class methods."""
        self._opening = opening
        self._place = place
        self._found: AsyncManagerInterface | None = None

    # ------------------------------------------------------------ ways in

    @classmethod
    def begin(
        cls,
        name: str,
        *,
        people: Sequence[Mapping[str, Any]],
        licence: str = "commercial",
        database: str | Path | None = None,
        keys: str | Path | None = None,
    ) -> Self:
        """Begin a property with its first people, in memory or on a new database: see `Room.begin`."""
        place = RoomPlace.of(database, keys)

        async def opening() -> AsyncManagerInterface:
            return AsyncLocalManager(await asyncio.to_thread(place.begun, name, licence, people))

        return cls(opening, place)

    @classmethod
    def open(cls, database: str | Path, *, keys: str | Path, only_read: bool = False) -> Self:
        """Open the database of a property with the folder of its keys, or read it as it is now: see `Room.open`."""
        place = RoomPlace.of(database, keys)

        async def opening() -> AsyncManagerInterface:
            return AsyncLocalManager(await asyncio.to_thread(place.opened, only_read=only_read))

        return cls(opening, place)

    @classmethod
    def at(
        cls,
        address: str,
        *,
        device: str,
        secret: str,
        tls_ca: str | Path | None = None,
        device_cert: str | Path | None = None,
        device_key: str | Path | None = None,
        timeout: float = 10.0,
    ) -> Self:
        """Connect to a server at HOST:PORT as a device; with TLS where `tls_ca` holds the certificate to trust.

        `device_cert` and `device_key` are for a server that asks devices for certificates.
        """

        async def opening() -> AsyncManagerInterface:
            access = ManagerAccess.at(
                address, device, secret, tls_ca=tls_ca, device_cert=device_cert, device_key=device_key,
                answer_seconds=timeout,
            )  # fmt: skip
            return await AsyncManagerConnection(access).open()

        return cls(opening, RoomPlace(f"at {address}"))

    @classmethod
    def demo(
        cls, *, database: str | Path | None = None, keys: str | Path | None = None, seed: int = 0
    ) -> AsyncDemoRoom:
        """A floor with four tables and two progressives, open, with dealers at the tables; `seed` is the players'."""
        return AsyncDemoRoom(RoomPlace.of(database, keys), seed)

    # ------------------------------------------------------------ words

    @overload
    async def command(
        self, command: Command[AnswerT_co], /, *, actor: str, key: str | None = None
    ) -> CommandResult[AnswerT_co]: ...

    @overload
    async def command(
        self, kind: str, /, *, actor: str, key: str | None = None, **fields: object
    ) -> CommandResult[Any]: ...

    async def command(
        self, command: AnyCommand | str, /, *, actor: str, key: str | None = None, **fields: object
    ) -> CommandResult[Any]:
        """Have a command carried out: see `Room.command`."""
        return await self._manager.send(meant(command, fields), actor=actor, key=key)

    async def ask(self, what: str, /, **arguments: object) -> Any:  # noqa: ANN401 - the view that the question has
        """Ask a question, as in `ask("table", table="T1")`; the whole answer, however many pages it has."""
        return await ask_all_async(self._manager, question(what, **arguments))

    async def meters(self) -> dict[str, dict[str, int]]:
        """What the signs show, by link and level, in millionths of a dollar."""
        return displayed_by_link((await self._manager.ask(MetersQuestion())).meters)

    async def health(self) -> HealthView:
        """Whether commands are carried out, and how far the journal has come."""
        return await self._manager.ask(HealthQuestion())

    async def subscribe(
        self, *topics: str, tables: Sequence[str] | None = None, links: Sequence[str] | None = None
    ) -> AsyncSubscription:
        """Have changes of meters, tables, awards or all events told from now on; its `changes` gives them."""
        return await self._manager.subscribe(*topics, tables=tables, links=links)

    async def sign_in(self, badge: str) -> SignedInPerson:
        """Read a person's badge: `person` may act here from now on, with these `roles`."""
        return await self._manager.sign_in(badge)

    async def sign_out(self, person: str) -> None:
        """Let a person leave."""
        await self._manager.sign_out(person)

    async def audit(self) -> AuditReport:
        """Verify the whole journal of a database with its keys, as `houseway audit verify` does."""
        return await asyncio.to_thread(self._place.audit)

    async def close(self) -> None:
        """Leave; what is on a database or at a server stays as it is."""
        if self._found is not None:
            await self._found.close()

    @property
    def _manager(self) -> AsyncManagerInterface:
        if self._found is None:
            raise ManagerAwayError("this room is not open: use it in an async with")
        return self._found

    async def __aenter__(self) -> Self:
        if self._found is not None:
            message = "this room was opened before: make another one"
            raise InputError.of("conflicting-options", "room", message)
        self._found = await self._opening()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._place.words})"


class AsyncDemoRoom(AsyncRoom):
    """A floor that plays by itself, and takes commands like any other room."""

    _floor: DemoFloor

    def __init__(self, place: RoomPlace, seed: int) -> None:
        """Keep where it plays; programs use `AsyncRoom.demo`."""

        async def opening() -> AsyncManagerInterface:
            manager, self._floor = await asyncio.to_thread(demo_floor, place, seed)
            return AsyncLocalManager(manager)

        super().__init__(opening, place)

    async def play(self, rounds: int) -> list[Scene]:
        """Play that many rounds at tables in turn, a jackpot among them, and tell what happened."""
        return await asyncio.to_thread(lambda: list(self._floor.play(rounds)))

    def dealer(self, table: str) -> str:
        """The person who deals at a table."""
        return self._floor.dealer(table)

    def badge(self, person: str) -> str:
        """What a person's badge holds here; a real one holds something nobody can guess."""
        return self._floor.badge(person)
