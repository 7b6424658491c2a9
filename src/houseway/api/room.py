"""A Game Manager for programs: in memory, on a database or at an address, told and asked with the same words."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from houseway.api.arguments import database_url
from houseway.errors import InputError
from houseway.manager.server.client import CommandResult, ManagerAwayError, ManagerClient, RefusedError, tls_client
from houseway.manager.server.direct import Direct
from houseway.manager.server.pages import all_pages

if TYPE_CHECKING:
    from houseway.manager.demo.play import DemoFloor, Scene
    from houseway.manager.store.journal_audit import AuditReport
    from houseway.manager.store.manager import Manager


__all__ = ["CommandResult", "DemoRoom", "ManagerAwayError", "RefusedError", "Room"]


class _Spoken(Protocol):
    """How a manager is told and asked, here or over the wire."""

    def command(self, do: dict[str, Any], *, actor: str, key: str | None = None) -> CommandResult:
        """Have a command carried out."""

    def ask(self, what: str, **arguments: object) -> dict[str, Any]:
        """Ask a question."""

    def subscribe(self, *topics: str, tables: list[str] | None = None, links: list[str] | None = None) -> None:
        """Have changes told from now on."""

    def events(self, seconds: float | None = None) -> Iterator[dict[str, Any]]:
        """The changes as they come."""

    def sign_in(self, card: str) -> dict[str, Any]:
        """Read a person's badge."""

    def sign_out(self, person: str) -> None:
        """Let a person leave."""

    def close(self) -> None:
        """Leave."""


class Room:
    """A card room's Game Manager. Use it in a `with`, or close it.

    `Room.begin` begins a property in memory or on a new database, `Room.open` opens a database, `Room.at` connects to a
    server, and `Room.demo` opens a floor with people, links and tables, ready to play.

        with hw.Room.at("127.0.0.1:7300", device="SVC-1", secret=secret) as room:
            person = room.sign_in(badge)["person"]
            started = room.command("round.start", actor=person, table="T1")
            print(started.answer["round"], room.meters())
    """

    def __init__(self, spoken: _Spoken, where: str, audited: tuple[str, Path] | None = None) -> None:
        """Take what speaks with a manager; programs use the class methods."""
        self._spoken = spoken
        self._where = where
        self._audited = audited

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
        """Begin a property with its first people, each with `id`, `name`, `department`, `roles` and `card`.

        Without a database it is in memory, and gone when the program ends. `keys` is a new folder that goes with a new
        database, which is a SQLite file or a URL.
        """
        from houseway.manager.server.edge import without_tokens
        from houseway.manager.server.setup import create_property, property_envelope

        first = [dict(person) for person in people]
        if database is not None:
            create_property(database_url(str(database)), _folder(keys), name, licence, first)
            return cls.open(database, keys=_folder(keys))
        _refuse_keys(keys)
        manager, fingerprint = _in_memory()
        do = {"kind": "property.create", "name": name, "licence": licence, "people": first}
        try:
            manager.call(property_envelope(without_tokens(do, fingerprint)))
        except BaseException:
            manager.close()
            raise
        return cls(Direct(manager, fingerprint), "in memory")

    @classmethod
    def open(cls, database: str | Path, *, keys: str | Path) -> Self:
        """Open the database of a property, a SQLite file or a URL, with the folder of its keys."""
        from houseway.manager.store.keys import load_keys
        from houseway.manager.store.manager import open_manager

        url, folder = database_url(str(database)), Path(keys)
        fingerprint = load_keys(folder).fingerprint
        return cls(Direct(open_manager(url, folder, create=False), fingerprint), f"on {database}", (url, folder))

    @classmethod
    def at(
        cls, address: str, *, device: str, secret: str, tls_ca: str | Path | None = None, timeout: float = 10.0
    ) -> Self:
        """Connect to a server at HOST:PORT as a device; with TLS where `tls_ca` holds the certificate to trust."""
        client = ManagerClient.connect(address, device, secret, tls=tls_client(tls_ca), timeout=timeout)
        return cls(client, f"at {address}")

    @classmethod
    def demo(cls, *, database: str | Path | None = None, keys: str | Path | None = None, seed: int = 0) -> DemoRoom:
        """A floor with four tables and two progressives, open, with dealers at the tables; `seed` is the players'."""
        return DemoRoom._opened(database, keys, seed)  # noqa: SLF001

    # ------------------------------------------------------------ words

    def command(self, kind: str, /, *, actor: str, key: str | None = None, **fields: Any) -> CommandResult:  # noqa: ANN401
        """Have a command carried out, as in `command("round.end", actor="D1", round="T1-1")`.

        docs/reference/protocol.md lists the commands. InputError says why one was refused; nothing has changed then.
        Repeat a command that was not answered under the same `key`, and it happens once.
        """
        return self._spoken.command({"kind": kind, **fields}, actor=actor, key=key)

    def ask(self, what: str, /, **arguments: object) -> dict[str, Any]:
        """Ask a question, as in `ask("table", table="T1")`; the whole answer, however many pages it has."""
        return all_pages(self._spoken.ask, what, **arguments)

    def meters(self) -> dict[str, dict[str, int]]:
        """What the signs show, by link and level, in millionths of a dollar."""
        told = self.ask("meters")["meters"]
        return {
            link["link"]: {name: level["displayed_micros"] for name, level in link["levels"].items()} for link in told
        }

    def health(self) -> dict[str, Any]:
        """Whether commands are carried out, and how far the journal has come."""
        return self.ask("health")

    def subscribe(self, *topics: str, tables: Sequence[str] | None = None, links: Sequence[str] | None = None) -> None:
        """Have changes of meters, tables, awards or all events told from now on; `events` gives them."""
        chosen = [None if names is None else list(names) for names in (tables, links)]
        self._spoken.subscribe(*topics, tables=chosen[0], links=chosen[1])

    def events(self, seconds: float | None = None) -> Iterator[dict[str, Any]]:
        """The changes as they come, beginning with the state as it is; ends after so many seconds, or never."""
        return self._spoken.events(seconds)

    def sign_in(self, badge: str) -> dict[str, Any]:
        """Read a person's badge: `person` in the answer may act here, with its `roles`.

        A server lets nobody act who has not signed in. Whoever holds database and keys is asked for no badge: there,
        this tells whose it is.
        """
        return self._spoken.sign_in(badge)

    def sign_out(self, person: str) -> None:
        """Let a person leave."""
        self._spoken.sign_out(person)

    def audit(self) -> AuditReport:
        """Verify the whole journal of a database with its keys, as `houseway audit verify` does."""
        from houseway.manager.store.journal_audit import verify_database
        from houseway.manager.store.reading import open_view
        from houseway.manager.store.trust import trust_in

        if self._audited is None:
            message = f"this room is {self._where}: an audit reads a database, open it with Room.open"
            raise InputError.of("journal-missing", "database", message)
        url, folder = self._audited
        with open_view(url) as view:
            return verify_database(view, trust_in(folder))

    def close(self) -> None:
        """Leave; what is on a database or at a server stays as it is."""
        self._spoken.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._where})"


class DemoRoom(Room):
    """A floor that plays by itself, and takes commands like any other room."""

    _floor: DemoFloor

    @classmethod
    def _opened(cls, database: str | Path | None, keys: str | Path | None, seed: int) -> Self:
        from houseway.manager.demo.play import DemoFloor
        from houseway.manager.store.clock import wall_micros
        from houseway.manager.store.keys import create_keys
        from houseway.manager.store.manager import open_manager

        audited = None
        if database is None:
            _refuse_keys(keys)
            manager, fingerprint = _in_memory()
        else:
            audited = (database_url(str(database)), _folder(keys))
            fingerprint = create_keys(audited[1]).fingerprint
            manager = open_manager(*audited)
        with contextlib.ExitStack() as undo:
            undo.callback(manager.close)
            room = cls(Direct(manager, fingerprint), "in memory" if database is None else f"on {database}", audited)
            room._floor = DemoFloor(manager, fingerprint, seed)
            room._floor.open(wall_micros())
            undo.pop_all()
        return room

    def play(self, rounds: int) -> list[Scene]:
        """Play that many rounds at tables in turn, a jackpot among them, and tell what happened."""
        return list(self._floor.play(rounds))

    def dealer(self, table: str) -> str:
        """The person who deals at a table."""
        from houseway.manager.demo.floorplan import dealer_of

        return dealer_of(table)

    def badge(self, person: str) -> str:
        """What a person's badge holds here; a real one holds something nobody can guess."""
        from houseway.manager.demo.floorplan import token

        return token(person)


_KEY_BYTES: Final = 32


def _in_memory() -> tuple[Manager, Callable[[str], str]]:
    """A manager whose journal is in memory, and what turns its tokens into fingerprints."""
    import hashlib
    import hmac

    from houseway.manager.store.manager import Manager
    from houseway.manager.store.memory_journal import MemoryJournal

    secret = secrets.token_bytes(_KEY_BYTES)
    manager = Manager(MemoryJournal(), None)
    return manager, lambda token: hmac.new(secret, token.encode(), hashlib.sha256).hexdigest()


def _folder(keys: str | Path | None) -> Path:
    if keys is None:
        raise InputError.of("missing-argument", "keys", "a database needs the folder of its keys: give keys=FOLDER")
    return Path(keys)


def _refuse_keys(keys: str | Path | None) -> None:
    if keys is not None:
        raise InputError.of("conflicting-options", "keys", "keys go with a database: give it too, or leave them out")
