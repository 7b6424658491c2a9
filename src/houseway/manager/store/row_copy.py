"""A journal's rows go into another database, from SQLite to PostgreSQL or back: the same chain under another roof.

Rows are only ever added to a journal. A copy that was interrupted therefore goes on where it stopped, also when the
journal has grown since. Until it is whole its tables are marked as an unfinished copy, which nothing serves. Whether it
is the journal is for an audit to say, which reads every row.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Table, delete, func, insert, select, tuple_
from sqlalchemy.exc import DBAPIError

from houseway.errors import InputError
from houseway.manager.store import migrations, schema, urls
from houseway.manager.store.definitions import REVISIONS
from houseway.manager.store.postgres import LOCK
from houseway.manager.store.projections import Row
from houseway.manager.store.reading import WINDOW, View, tables_there
from houseway.manager.store.store_errors import JournalDamagedError, StoreRefusedError

Progress = Callable[[int, int], None]
_GROWING: Final = ("tiles", "heads")
"""Tables of which a copy may hold a part already: what is missing is added."""


class CopyResult(NamedTuple):
    """What was copied."""

    journal: str
    first: int
    last: int
    hash: str
    resumed_behind: int
    """The event behind which an interrupted copy was continued; 0 if it began at the beginning."""


def revision_of(view: View) -> str:
    """The revision of the tables that a view reads, which must be one that this software knows."""
    found = [str(row[0]) for row in view.rows(select(REVISIONS.c.version_num))]
    if len(found) != 1:
        raise InputError.of("no-journal", "database", f"{view.name} does not say of which revision its tables are")
    migrations.refuse_unknown(found[0])
    return found[0]


def copy_rows(view: View, target: str, progress: Progress | None = None) -> CopyResult:
    """Copy the journal of a view into an empty database, or finish a copy of it that was interrupted there."""
    journal_id, (first, last) = view.journal_id(), view.bounds()
    if journal_id is None or last == 0:
        raise InputError.of("no-journal", "database", f"{view.name} holds no event: there is nothing to copy")
    revision = revision_of(view)
    _prepare(target, revision)
    engine = urls.engine_at(target)
    try:
        with _translating(), engine.connect() as connection:
            copy = _Copy(view, connection, first, last)
            begun = copy.begin(journal_id)
            copy.add_events(max(begun, -1), progress)
            copy.add_growing()
            copy.finish(revision)
            hash_ = copy.head()[1]
    finally:
        engine.dispose()
    return CopyResult(journal_id, first, last, hash_, max(begun, 0))


def mark_unfinished(url: str, revision: str) -> None:
    """Mark the tables of a database as an unfinished copy, which nothing serves."""
    engine = urls.engine_at(url)
    try:
        with _translating(), engine.connect() as connection, _transaction(connection):
            _note_revision(connection, f"{migrations.UNFINISHED}{revision}")
    finally:
        engine.dispose()


def _prepare(target: str, revision: str) -> None:
    """See that the target has the tables of a revision and no journal; a copy that was begun there may go on."""
    there = None
    if not urls.is_sqlite(target) or urls.sqlite_path(target).exists():
        there = migrations.current(target)
    if there == f"{migrations.UNFINISHED}{revision}":
        return
    if there is not None and (there.startswith(migrations.UNFINISHED) or migrations.holds_events(target)):
        message = "the database holds a journal or another copy already, which is never overwritten: name an empty one"
        raise StoreRefusedError.of("journal-exists", "to", message)
    if there not in (None, revision):
        migrations.downgrade(target, migrations.BASE)
    migrations.upgrade(target, revision)
    mark_unfinished(target, revision)


class _Copy:
    """One copy, by one connection to the target."""

    def __init__(self, view: View, connection: Connection, first: int, last: int) -> None:
        self.view = view
        self.connection = connection
        self.first = first
        self.last = last
        self.tables = [name for name in schema.TABLES if name in tables_there(view.connection)]
        connection.rollback()

    def begin(self, journal_id: str) -> int:
        """The last event that an earlier run has copied, -1 if there is none; refused if it is not of this journal."""
        with _transaction(self.connection):
            known: dict[str, str] = dict(_rows(self.connection, select(schema.meta)))
            if not known:
                _put(self.connection, schema.meta, self.view.rows(select(schema.meta)))
                return -1
            ((low,),) = _rows(self.connection, select(func.min(schema.events.c.seq)))
            seq, hash_ = self.head()
        event = self.view.event(seq) if seq else None
        if known.get("journal") != journal_id or (seq and (event is None or event.hash != hash_ or low != self.first)):
            message = (
                "an unfinished copy of another journal lies here, or of this one before old events were archived: name "
                "an empty database"
            )
            raise StoreRefusedError.of("journal-exists", "to", message)
        return seq or -1

    def head(self) -> tuple[int, str]:
        """Number and hash of the last event in the target."""
        events = schema.events
        found = _rows(self.connection, select(events.c.seq, events.c.hash).order_by(events.c.seq.desc()).limit(1))
        return (int(found[0][0]), str(found[0][1])) if found else (0, "")

    def add_events(self, low: int, progress: Progress | None) -> None:
        """Add the events beyond a number, each with all its rows in one transaction."""
        whole = self.last - self.first + 1
        while low < self.last:
            # A state that an archive has left behind belongs to the event before the first.
            high = min(max(low, self.first - 1) + WINDOW, self.last)
            with _transaction(self.connection):
                for name in [each for each in schema.ARCHIVED_TABLES if each in self.tables]:
                    table = schema.metadata.tables[name]
                    _put(self.connection, table, self.view.window(table, low, high))
            low = high
            if progress is not None:
                progress(low - self.first + 1, whole)

    def add_growing(self) -> None:
        """Add tiles and heads that are not there yet."""
        for name in _GROWING:
            if name not in self.tables:
                continue
            table = schema.metadata.tables[name]
            keys = list(table.primary_key.columns)
            with _transaction(self.connection):
                known = set(_rows(self.connection, select(*keys)))
            wanted = [key for key in self.view.rows(select(*keys).order_by(*keys)) if key not in known]
            for begin in range(0, len(wanted), WINDOW):
                some = wanted[begin : begin + WINDOW]
                between = select(table).where(tuple_(*keys) >= some[0], tuple_(*keys) <= some[-1])
                rows = [row for row in self.view.rows(between) if row[: len(keys)] not in known]
                with _transaction(self.connection):
                    _put(self.connection, table, rows)

    def finish(self, revision: str) -> None:
        """Add what changes or is small, and take the mark off: from here on it is a journal."""
        with _transaction(self.connection):
            for name in ("archives", "secrets"):
                table = schema.metadata.tables[name]
                _put(self.connection, table, self.view.rows(select(table)))
            last = self.view.event(self.last)
            if last is None or self.head() != (last.seq, last.hash):
                raise JournalDamagedError(f"events[{self.last}]", "the last event was copied and is not there")
            _note_revision(self.connection, revision)


def _note_revision(connection: Connection, revision: str) -> None:
    connection.execute(delete(REVISIONS))
    connection.execute(insert(REVISIONS), {"version_num": revision})


@contextlib.contextmanager
def _transaction(connection: Connection) -> Iterator[None]:
    """A transaction in which nobody else writes to the journal."""
    with connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
        yield


def _rows(connection: Connection, statement: Any) -> list[Row]:  # noqa: ANN401 - any statement that selects
    return [tuple(row) for row in connection.execute(statement)]


def _put(connection: Connection, table: Table, rows: Sequence[Row]) -> None:
    """Add rows of a table, in bulk."""
    if not rows:
        return
    quote = connection.dialect.identifier_preparer.quote
    columns, name = (
        ", ".join(quote(column.name) for column in table.columns),
        urls.namespace_of(connection).of(table.name),
    )
    if connection.dialect.name == "sqlite":
        marks = ", ".join("?" for _ in table.columns)
        connection.exec_driver_sql(f"INSERT INTO {name} ({columns}) VALUES ({marks})", list(rows))  # noqa: S608 - own names
        return
    driver: Any = connection.connection.dbapi_connection
    with driver.cursor() as cursor, cursor.copy(f"COPY {name} ({columns}) FROM STDIN") as lines:
        for row in rows:
            lines.write_row(row)


@contextlib.contextmanager
def _translating() -> Iterator[None]:
    """Tell a target that cannot be written as just that: nobody waits for a command."""
    errors: tuple[type[Exception], ...] = (DBAPIError,)
    with contextlib.suppress(ImportError):
        import psycopg

        errors = (DBAPIError, psycopg.Error)
    try:
        yield
    except errors as error:
        said = str(error.orig if isinstance(error, DBAPIError) else error).strip().splitlines()
        reason = said[0] if said else type(error).__name__
        message = f"the new database reports: {reason}; the copy is not whole, run the same command again to go on"
        raise InputError.of("store-unavailable", "to", message) from error
