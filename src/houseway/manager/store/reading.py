"""One consistent look at a journal's database, for auditors: nothing is changed, and the server plays on meanwhile.

A `View` is a read transaction that sees the journal as it was when it began. Rows are read in windows of event numbers,
so that a journal of any length takes the same memory.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Column, Connection, Table, create_engine, func, select
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DatabaseError, DBAPIError
from sqlalchemy.pool import NullPool

from houseway.errors import InputError
from houseway.manager.core import engine as core
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Archive
from houseway.manager.core.records import GENESIS, Event, digest
from houseway.manager.store import schema, sqlite, urls
from houseway.manager.store.archived_hashes import hash_at
from houseway.manager.store.covered import covered
from houseway.manager.store.event_body import Body
from houseway.manager.store.journal import Checkpoint
from houseway.manager.store.marks import Mark
from houseway.manager.store.projections import Row
from houseway.manager.store.signing_order import SigningOrder
from houseway.manager.store.sqlite_files import check_no_rollback
from houseway.manager.store.store_errors import StoreUnavailableError
from houseway.manager.store.trust import Trust

WINDOW: Final = 2_000
"""Events that are read at once."""

_BUSY_SECONDS: Final = 10
_BODY: Final = msgspec.json.Decoder(Body)


class Boundary(NamedTuple):
    """Where the rows of a journal begin: behind event `seq`, whose hash is `hash`, in the state `floor`."""

    seq: int
    hash: str
    floor: Floor


class View:
    """A journal as it was when the view was opened."""

    def __init__(self, connection: Connection, name: str) -> None:
        """Read by this connection, which is in a read transaction; `name` tells people which database it is."""
        self.connection = connection
        self.name = name
        self.keys: dict[str, str] = {}
        """Public keys beside those that the events here announce, in hexadecimal digits by id."""

    @property
    def is_sqlite(self) -> bool:
        """Whether the database is a SQLite file."""
        return self.connection.dialect.name == "sqlite"

    @property
    def namespace(self) -> schema.Namespace:
        """Where the journal's tables are."""
        return urls.namespace_of(self.connection)

    def rows(self, statement: Any) -> list[Row]:  # noqa: ANN401 - any statement that selects
        """All rows of a statement, as plain tuples."""
        try:
            return [tuple(row) for row in self.connection.execute(statement)]
        except UnicodeDecodeError as error:
            # Damaged text, which drivers tell in their own ways.
            raise DatabaseError(None, None, error) from error

    def window(self, table: Table, low: int, high: int | None) -> list[Row]:
        """Rows of a table that belong to events beyond `low` up to `high`, in the order of their keys."""
        statement = select(table).where(table.c.seq > low).order_by(*_key_columns(table))
        return self.rows(statement if high is None else statement.where(table.c.seq <= high))

    def journal_id(self) -> str | None:
        """The id that is noted for the journal."""
        found = self.rows(select(schema.meta.c.value).where(schema.meta.c.name == "journal"))
        return found[0][0] if found else None

    def bounds(self) -> tuple[int, int]:
        """The numbers of the first and the last event; (1, 0) on an empty journal."""
        # Each by itself: asked for both at once, SQLite goes through the whole table.
        ends = (select(each(schema.events.c.seq)).scalar_subquery() for each in (func.min, func.max))
        ((first, last),) = self.rows(select(*ends))
        return (1, 0) if first is None else (first, last)

    def events(self, low: int = 0, high: int | None = None, *conditions: Any) -> Iterator[Event]:  # noqa: ANN401
        """Events beyond `low` up to `high` in order, only those that fulfil the conditions."""
        table = schema.events
        while True:
            statement = select(table).where(table.c.seq > low, *conditions).order_by(table.c.seq).limit(WINDOW)
            found = self.rows(statement if high is None else statement.where(table.c.seq <= high))
            yield from (Event(*row) for row in found)
            if len(found) < WINDOW:
                return
            low = found[-1][0]

    def checkpoints(self, low: int = 0, high: int | None = None) -> Iterator[Checkpoint]:
        """Checkpoints of events beyond `low` up to `high`, in order."""
        table = schema.checkpoints
        while True:
            statement = select(table).where(table.c.seq > low).order_by(table.c.seq).limit(WINDOW)
            found = self.rows(statement if high is None else statement.where(table.c.seq <= high))
            yield from (Checkpoint(*row) for row in found)
            if len(found) < WINDOW:
                return
            low = found[-1][0]

    def event(self, seq: int) -> Event | None:
        """One event."""
        found = self.rows(select(schema.events).where(schema.events.c.seq == seq))
        return Event(*found[0]) if found else None

    def next_event(self, seq: int) -> Event | None:
        """The first event from a number on."""
        table = schema.events
        found = self.rows(select(table).where(table.c.seq >= seq).order_by(table.c.seq).limit(1))
        return Event(*found[0]) if found else None

    def kept_leaves(self, low: int, high: int) -> list[tuple[int, bytes]]:
        """Kept tiles of leaves from one number up to another: number and hashes, of each number the widest last."""
        table = schema.tiles
        asked = select(table.c.number, table.c.hashes).where(
            table.c.level == 0, table.c.number >= low, table.c.number < high
        )
        found = self.rows(asked.order_by(table.c.number, table.c.width))
        return [(number, bytes(hashes)) for number, hashes in found]

    def hash_at(self, seq: int) -> str | None:
        """The hash of an event, also of one that was archived; None if the journal has none there."""
        return hash_at(seq, self.next_event, self.kept_leaves)

    def seq_at(self, at: int) -> int:
        """The last event before the first one that is later than a time; 0 if there is none.

        Times go up with the numbers, but for where two people have accepted an earlier time: what follows such an event
        belongs to the time that was reached before it.
        """
        events = schema.events
        first, last = self.bounds()
        resets = select(events.c.seq).where(events.c.kind == "system.clock").order_by(events.c.seq)
        low = first
        for high in [*(int(seq) - 1 for (seq,) in self.rows(resets)), last]:
            later = self._first_later(at, low, high)
            if later is not None:
                return later - 1 if later > first else 0
            low = high + 1
        return last

    def _first_later(self, at: int, low: int, high: int) -> int | None:
        """The first event of a range that is later than a time, by halves: within the range times only go up."""
        events, found = schema.events, None
        while low <= high:
            middle = (low + high) // 2
            near = select(events.c.seq, events.c.at).where(events.c.seq >= middle, events.c.seq <= high)
            rows = self.rows(near.order_by(events.c.seq).limit(1))
            if not rows:
                high = middle - 1
            elif rows[0][1] > at:
                found, high = int(rows[0][0]), middle - 1
            else:
                low = int(rows[0][0]) + 1
        return found

    def archived_up_to(self) -> int:
        """The last event that was moved into an archive; 0 if none was.

        A record that its event confirms counts first. That of an older archive may have been archived itself.
        """
        first, _ = self.bounds()
        table = schema.archives
        recorded = self.rows(select(table.c.up_to, table.c.seq).order_by(table.c.up_to.desc()))
        for up_to, seq in recorded:
            event = self.event(seq)
            if event is not None and event.kind == "system.archived" and _said(event).get("up_to") == up_to:
                return int(up_to)
        return max((up_to for up_to, _ in recorded if up_to < first), default=0)

    @cached_property
    def archives_on_record(self) -> Mapping[int, Archive]:
        """The archives that were recorded, by their last event, as the signed events up to the last one tell."""
        floor = self.state_at(self.bounds()[1]).floor
        return {archive.up_to: archive for archive in floor.archives.values()}

    def state_before(self, seq: int) -> Boundary:
        """The newest stored state behind an event before `seq` whose digest the journal names, or the empty beginning.

        A state that was altered is passed over; `houseway audit verify` reports it.
        """
        table = schema.snapshots
        for digest_, at_seq in self.rows(
            select(table.c.digest, table.c.seq).where(table.c.seq < seq).order_by(table.c.seq.desc())
        ):
            named = self.event(at_seq + 1)
            if named is None or named.kind != "system.snapshot" or _said(named).get("digest") != digest_:
                continue
            ((hash_, state),) = self.rows(select(table.c.hash, table.c.state).where(table.c.digest == digest_))
            if digest(bytes(state)) == digest_:
                with contextlib.suppress(ValueError):
                    return Boundary(at_seq, hash_, Floor.restored(msgspec.json.decode(state)))
        return Boundary(0, GENESIS, Floor())

    def state_at(self, seq: int) -> Boundary:
        """The state behind an event; refused if it was archived away."""
        stored = self.state_before(seq + 1)
        if self.bounds()[0] > stored.seq + 1 <= seq:
            message = f"the events up to event {seq} lie in an archive: name its file with --archive"
            raise InputError.of("archived", "database", message)
        engine = core.Engine(stored.floor, stored.seq, stored.hash)
        for event in self._signed(stored, seq):
            if event.seq <= seq:
                engine.apply(event)
        return Boundary(engine.seq, engine.head, engine.floor)

    def _signed(self, stored: Boundary, last: int) -> Iterator[Event]:
        """Events behind a stored state up to the last one, each only if the journal's own keys have signed its group.

        `JournalDamagedError` names the first that they have not. Whoever has the keys of the property verifies with
        them (`houseway audit verify --keys`).
        """
        # A stored state counts by the event behind it, which names it and must be signed as well.
        last = max(last, stored.seq + 1) if stored.seq else last
        if stored.seq >= last:
            return
        verifies = Trust().announced(announced_keys(self)).verifies
        place, events, checkpoints = stored[:2], self.events(stored.seq), self.checkpoints(stored.seq)
        order = SigningOrder(stored.floor.signing_keys.values())
        name = self.journal_id() or ""
        for group in covered(place, events, checkpoints, name, verifies, order, within=stored.seq > 0):
            yield from group
            if group[-1].seq >= last:
                return


def newest_mark(view: View) -> Mark:
    """The newest signature of a journal as a mark to keep elsewhere; refused on a journal without one."""
    newest = view.rows(select(schema.checkpoints).order_by(schema.checkpoints.c.seq.desc()).limit(1))
    journal_id = view.journal_id()
    if not newest or journal_id is None:
        raise InputError.of(
            "no-journal", "database", f"{view.name} holds no signed event yet: there is nothing to note"
        )
    return Mark.of(journal_id, Checkpoint(*newest[0]))


def announced_keys(view: View) -> dict[str, str]:
    """The public keys that the journal announces in its starts, archived ones among them, in hexadecimal digits."""
    starts = view.events(0, None, schema.events.c.kind == "system.started")
    keys = [fingerprints_of(event).get("signing-key") for event in starts]
    keys += [key.public for key in view.state_before(view.bounds()[0]).floor.signing_keys.values()]
    return {digits: digits for digits in (*keys, *view.keys.values()) if digits is not None}


def fingerprints_of(event: Event) -> dict[str, str]:
    """What a start puts on record, if it can be read."""
    try:
        found = msgspec.json.decode(event.body)["do"]["fingerprints"]
        return msgspec.convert(found, dict[str, str])
    except (msgspec.MsgspecError, KeyError, TypeError):
        return {}


def _said(event: Event) -> dict[str, Any]:
    """The command of an event, empty if it cannot be read."""
    try:
        do = _BODY.decode(event.body).do
    except msgspec.DecodeError:
        return {}
    return do if isinstance(do, dict) else {}


def _key_columns(table: Table) -> Sequence[Column[Any]]:
    return list(table.primary_key.columns)


@contextlib.contextmanager
def open_view(address: str, needed: Sequence[str] = schema.TABLES) -> Iterator[View]:
    """A view of the journal in a SQLite file (a path or sqlite:///PATH) or on PostgreSQL (postgresql://...).

    `needed` are the tables without which it is none: of an older revision only some are there.
    """
    engine, name = _engine(address)
    with contextlib.ExitStack() as stack:
        stack.callback(engine.dispose)
        try:
            connection = stack.enter_context(engine.connect())
            _begin(connection)
            _check_tables(connection, name, needed)
            yield View(connection, name)
        except DBAPIError as error:
            raise _unreadable(name, str(error.orig)) from None
        except StoreUnavailableError as error:
            raise _unreadable(name, error.reason) from None
        except InputError:
            raise
        except (ValueError, LookupError, TypeError, AttributeError, msgspec.MsgspecError) as error:
            # A journal is read as it was written; where it was altered or damaged, anything may be wrong.
            what = f"something is not as it was written ({type(error).__name__}: {error})"
            raise _unreadable(name, f"{what}: verify the journal, and if it is clean, report this") from error


def is_database(address: str) -> bool:
    """Whether an address names a database rather than an exported file: a URL, or a file that is SQLite's."""
    if "://" in address:
        return True
    try:
        with Path(address).open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError:
        return False


def _engine(address: str) -> tuple[Engine, str]:
    """An engine for an address, and the name by which people know it, without a password."""
    if "://" in address and not urls.is_sqlite(address):
        return urls.engine_at(address), urls.parsed(address).render_as_string(hide_password=True)
    path = urls.sqlite_path(address) if "://" in address else Path(address)
    if not path.is_file():
        raise InputError.of("unreadable-file", "database", f"{path} is not there: name the database of a manager")
    module = sqlite.driver()
    engine = create_engine("sqlite://", creator=lambda: _connect(path), module=module, poolclass=NullPool)
    return engine, str(path)


def _connect(path: Path) -> Any:  # noqa: ANN401 - a connection of the driver
    """A connection that can only read, and needs no more than the right to."""
    check_no_rollback(path)
    connection = sqlite.driver().connect(
        read_only_address(path), uri=True, isolation_level=None, check_same_thread=False, timeout=_BUSY_SECONDS
    )
    for pragma in ("trusted_schema = OFF", "cell_size_check = ON", "cache_size = -65536", "mmap_size = 0"):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def read_only_address(path: Path) -> str:
    """The address under which SQLite only reads a file; a copy on a medium that cannot be written is taken as it is."""
    beside = path.with_name(f"{path.name}-wal")
    is_fixed = not os.access(path.parent, os.W_OK) and not beside.exists()
    return f"{path.resolve().as_uri()}?mode=ro{'&immutable=1' if is_fixed else ''}"


def _begin(connection: Connection) -> None:
    """Begin a read transaction that keeps seeing the same rows."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("BEGIN")
    else:
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def _check_tables(connection: Connection, name: str, needed: Sequence[str]) -> None:
    """Refuse a database that holds no journal. This first read also fixes what the view sees."""
    missing = [table for table in needed if table not in tables_there(connection)]
    if missing:
        message = f"{name} holds no journal of this version of houseway: it has no table {missing[0]}"
        raise InputError.of("no-journal", "database", message)


def tables_there(connection: Connection) -> set[str]:
    """The tables beside which a journal's are, its own among them."""
    return set(connection.dialect.get_table_names(connection, urls.namespace_of(connection).name or None))


def _unreadable(name: str, reason: str) -> InputError:
    lines = reason.strip().splitlines() or ["the database does not say why"]
    return InputError.of("unreadable-database", "database", f"{name} cannot be read: {lines[0]}")


__all__ = ["WINDOW", "Boundary", "View", "is_database", "open_view"]
