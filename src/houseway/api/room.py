"""A Game Manager for programs: in memory, on a database or at an address, told and asked with the same words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, overload

from houseway.api.room_places import RoomPlace
from houseway.errors import InputError
from houseway.manager.commands import AnyCommand, Command
from houseway.manager.interface.contract import (
    CommandResult,
    ManagerAwayError,
    ManagerInterface,
    RefusedError,
    SignedInPerson,
    Subscription,
)
from houseway.manager.interface.field_types import AnswerT_co
from houseway.manager.interface.requests import command_of
from houseway.manager.interface.whole_answers import ask_all
from houseway.manager.views.floor_questions import HealthQuestion, MetersQuestion, question
from houseway.manager.views.health_view import HealthView
from houseway.manager.views.jackpot_views import displayed_by_link

if TYPE_CHECKING:
    from houseway.manager.demo.play import DemoFloor, Scene
    from houseway.manager.interface.auditing import AuditReport
    from houseway.manager.interface.local import LocalManager


__all__ = ["CommandResult", "DemoRoom", "ManagerAwayError", "RefusedError", "Room"]


class Room:
    """A card room's Game Manager. Use it in a `with`, or close it.

    `Room.begin` begins a property in memory or on a new database, `Room.open` opens a database, `Room.at` connects to a
    server, and `Room.demo` opens a floor with people, links and tables, ready to play. `AsyncRoom` is the same for
    asyncio.

        with hw.Room.at("127.0.0.1:7300", device="SVC-1", secret=secret) as room:
            person = room.sign_in(badge).person
            started = room.command("round.start", actor=person, table="T1")
            print(started.answer.round, room.meters())
    """

    def __init__(self, manager: ManagerInterface, place: RoomPlace) -> None:
        """Take a manager, wherever it is; programs use the class methods."""
        self._manager = manager
        self._place = place

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
        """Begin a property with its first people, each with `id`, `name`, `department`, `roles` and `badge`.

        Without a database it is in memory, and gone when the program ends. `keys` is a new folder that goes with a new
        database, which is a SQLite file or a URL.
        """
        place = RoomPlace.of(database, keys)
        return cls(place.begun(name, licence, people), place)

    @classmethod
    def open(cls, database: str | Path, *, keys: str | Path, only_read: bool = False) -> Self:
        """Open the database of a property, a SQLite file or a URL, with the folder of its keys.

        With `only_read` it is asked as it is now, whether it is served or not, and nothing is written.
        """
        place = RoomPlace.of(database, keys)
        return cls(place.opened(only_read=only_read), place)

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
        from houseway.manager.interface.access import ManagerAccess
        from houseway.manager.interface.client import ManagerClient

        access = ManagerAccess.at(
            address, device, secret, tls_ca=tls_ca, device_cert=device_cert, device_key=device_key,
            answer_seconds=timeout,
        )  # fmt: skip
        return cls(ManagerClient.connect(access), RoomPlace(f"at {address}"))

    @classmethod
    def demo(cls, *, database: str | Path | None = None, keys: str | Path | None = None, seed: int = 0) -> DemoRoom:
        """A floor with four tables and two progressives, open, with dealers at the tables; `seed` is the players'."""
        return DemoRoom(RoomPlace.of(database, keys), seed)

    # ------------------------------------------------------------ words

    @overload
    def command(
        self, command: Command[AnswerT_co], /, *, actor: str, key: str | None = None
    ) -> CommandResult[AnswerT_co]: ...

    @overload
    def command(self, kind: str, /, *, actor: str, key: str | None = None, **fields: object) -> CommandResult[Any]: ...

    def command(
        self, command: AnyCommand | str, /, *, actor: str, key: str | None = None, **fields: object
    ) -> CommandResult[Any]:
        """Have a command carried out, as in `command("round.end", actor="D1", round="T1-1")`.

        docs/reference/commands.md lists the commands and, field by field, their answers: `command(...).answer.round`.
        Or give the command's struct, as in `command(EndRound("T1-1"), actor="D1")`: type checkers then know its answer.
        InputError says why one was refused; nothing has changed then. Repeat a command that was not answered under the
        same `key`, and it happens once.
        """
        return self._manager.send(meant(command, fields), actor=actor, key=key)

    def ask(self, what: str, /, **arguments: object) -> Any:  # noqa: ANN401 - the view that the question has
        """Ask a question, as in `ask("table", table="T1").table.dealer`; the whole answer, however many pages it has.

        docs/reference/views.md lists the answers, field by field; `to_json()` gives one as JSON has it.
        """
        return ask_all(self._manager, question(what, **arguments))

    def meters(self) -> dict[str, dict[str, int]]:
        """What the signs show, by link and level, in millionths of a dollar."""
        return displayed_by_link(self._manager.ask(MetersQuestion()).meters)

    def health(self) -> HealthView:
        """Whether commands are carried out, and how far the journal has come."""
        return self._manager.ask(HealthQuestion())

    def subscribe(
        self, *topics: str, tables: Sequence[str] | None = None, links: Sequence[str] | None = None
    ) -> Subscription:
        """Have changes of meters, tables, awards or all events told from now on; its `changes` gives them.

        First everything comes as it is. Another subscription ends the one before.
        """
        return self._manager.subscribe(*topics, tables=tables, links=links)

    def sign_in(self, badge: str) -> SignedInPerson:
        """Read a person's badge: `person` may act here from now on, with these `roles`.

        A server lets nobody act who has not signed in. Whoever holds database and keys is asked for no badge: there,
        this tells whose it is.
        """
        return self._manager.sign_in(badge)

    def sign_out(self, person: str) -> None:
        """Let a person leave."""
        self._manager.sign_out(person)

    def audit(self) -> AuditReport:
        """Verify the whole journal of a database with its keys, as `houseway audit verify` does."""
        return self._place.audit()

    def close(self) -> None:
        """Leave; what is on a database or at a server stays as it is."""
        self._manager.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._place.words})"


class DemoRoom(Room):
    """A floor that plays by itself, and takes commands like any other room."""

    def __init__(self, place: RoomPlace, seed: int) -> None:
        """Open the floor; programs use `Room.demo`."""
        manager, self._floor = demo_floor(place, seed)
        super().__init__(manager, place)

    def play(self, rounds: int) -> list[Scene]:
        """Play that many rounds at tables in turn, a jackpot among them, and tell what happened."""
        return list(self._floor.play(rounds))

    def dealer(self, table: str) -> str:
        """The person who deals at a table."""
        return self._floor.dealer(table)

    def badge(self, person: str) -> str:
        """What a person's badge holds here; a real one holds something nobody can guess."""
        return self._floor.badge(person)


def meant(command: AnyCommand | str, fields: dict[str, object]) -> AnyCommand:
    """The command that a program gives: its struct, or its kind and its fields."""
    if isinstance(command, str):
        if "kind" in fields:
            message = f"the first argument names the command, {command[:80]}: leave kind out"
            raise InputError.of("conflicting-options", "kind", message)
        return command_of({"kind": command, **fields})
    if fields:
        message = f"a command's struct holds all its fields: leave {', '.join(fields)[:80]} out"
        raise InputError.of("conflicting-options", "command", message)
    return command


def demo_floor(place: RoomPlace, seed: int) -> tuple[LocalManager, DemoFloor]:
    """The demonstration's floor, open, and its manager."""
    from houseway.manager.demo.floorplan import office
    from houseway.manager.demo.play import PLAN, DemoFloor

    manager = place.begun(PLAN.name, "commercial", office())
    try:
        floor = DemoFloor(manager, seed)
        floor.open()
    except BaseException:
        manager.close()
        raise
    return manager, floor
