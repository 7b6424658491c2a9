"""The journal in PostgreSQL: many processes and machines on one chain, one writer at a time by an advisory lock.

Under READ COMMITTED two writers would read the same head and fork the chain; one constant lock for each transaction,
taken before anything is read, prevents it without retries. The notification that wakes the other processes is part of
the transaction.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import astuple
from sqlalchemy import LargeBinary, Text
from sqlalchemy.dialects.postgresql import psycopg as psycopg_dialect

from houseway.errors import MissingPartError
from houseway.manager.core.records import Event, SentKey
from houseway.manager.store import schema
from houseway.manager.store.guarding import POSTGRES_STAMP
from houseway.manager.store.journal import Batch
from houseway.manager.store.sql import SqlJournal, statements
from houseway.manager.store.store_errors import JournalDamagedError, RowRefusedError, StoreUnavailableError

if TYPE_CHECKING:
    import psycopg

LOCK: Final = 0x686F757365776179
"""The advisory lock of the journal ("houseway" in ASCII): one in each database."""
CHANNEL: Final = "houseway_events"
GUARD_SECONDS: Final = 1.0
"""How often the guards are looked at: it costs a third of a millisecond. Rows are counted in every group."""
_MANY_EVENTS: Final = 16
"""Groups from this size on are copied in, smaller ones sent in one pipeline."""
CONNECT_OPTIONS: Final[dict[str, Any]] = {
    "connect_timeout": 5,
    "application_name": "houseway",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
# A process that hangs in a transaction must not hold the lock for ever; one that waits for it must not wait for ever.
# Plans are made while the tables are still small and kept: they must use the indexes from the first event on. What a
# writer reads is a few rows at the end; helper processes and compiled plans would only cost milliseconds to start.
_SETTINGS: Final = (
    "SET synchronous_commit = on; SET lock_timeout = '10s'; SET statement_timeout = '120s'; "
    "SET idle_in_transaction_session_timeout = '60s'; SET enable_seqscan = off; "
    "SET max_parallel_workers_per_gather = 0; SET jit = off; SET TIME ZONE 'UTC'"
)
_BEGIN: Final = f"BEGIN; SELECT pg_advisory_xact_lock({LOCK})"

_DIALECT: Final = psycopg_dialect.dialect(paramstyle="format")  # type: ignore[no-untyped-call]
_STATEMENTS: Final = statements(_DIALECT, "%s")
_WITH_EVENTS: Final = """
SELECT n.nspname FROM unnest(%s::text[]) WITH ORDINALITY AS path (name, place)
JOIN pg_namespace n ON n.nspname = path.name JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'events'
ORDER BY path.place LIMIT 1
"""
_KEPT: Final = """
SELECT (SELECT count(*) FROM events WHERE seq BETWEEN %(first)s AND %(last)s),
    (SELECT hash FROM events WHERE seq = %(last)s),
    (SELECT count(*) FROM transfers WHERE seq BETWEEN %(first)s AND %(last)s)
"""
_BY_KEYS: Final = (
    f"{_STATEMENTS.events} JOIN unnest(%s::text[], %s::text[]) AS asked (sent_key, sender) "
    "ON events.key = asked.sent_key AND events.device IS NOT DISTINCT FROM asked.sender"
)


def driver() -> Any:  # noqa: ANN401 - the module
    """psycopg; MissingPartError says how to get it."""
    try:
        import psycopg
    except ImportError:
        raise MissingPartError('PostgreSQL needs psycopg: install it with "pip install houseway[postgres]"') from None
    return psycopg


def conninfo(url: str) -> str:
    """A database URL as the driver wants it."""
    from houseway.manager.store.urls import parsed

    return parsed(url).set(drivername="postgresql").render_as_string(hide_password=False)


def connect(info: str, *, for_journal: bool = True) -> psycopg.Connection[Any]:
    """A connection: with the journal's settings and transactions that are begun by hand, or a plain one."""
    module = driver()
    try:
        connection: psycopg.Connection[Any] = module.connect(info, autocommit=for_journal, **CONNECT_OPTIONS)
        _narrow_search_path(connection)
        if for_journal:
            connection.execute(_SETTINGS)
        else:
            connection.commit()
    except module.Error as error:
        raise StoreUnavailableError(f"PostgreSQL cannot be reached ({_line(error)})") from error
    return connection


def _narrow_search_path(connection: psycopg.Connection[Any]) -> None:
    """Let names mean the server's own objects, then the journal's, and nothing else.

    Somebody who may set the path of a database or a role could otherwise put views before the catalogues by which the
    guards are looked at, or tables before ours. The journal's schema is the first of the path that has its events; a
    new journal comes into the first there is.
    """
    # Not a name or an operator in these that the path could lead astray.
    row = connection.execute("SELECT pg_catalog.current_schemas(false)::pg_catalog.text[]").fetchone()
    schemas = [name for name in (row[0] if row else ()) if not name.startswith("pg_")]
    connection.execute("SELECT pg_catalog.set_config('search_path', 'pg_catalog', false)")
    holding = connection.execute(_WITH_EVENTS, (schemas,)).fetchone() or schemas[:1]
    if holding:
        # The catalogues come first where nobody names them; temporary tables come first unless they are named last.
        name = _DIALECT.identifier_preparer.quote_identifier(holding[0])
        connection.execute("SELECT set_config('search_path', %s, false)", (f"{name}, pg_temp",))


@contextmanager
def translating(*, in_doubt: bool = False) -> Iterator[None]:
    """Faults of PostgreSQL as ours, by what helps against them."""
    module = driver()
    try:
        yield
    except (module.IntegrityError, module.DataError, module.ProgrammingError) as error:
        raise RowRefusedError(_line(error)) from error
    except module.Error as error:
        raise StoreUnavailableError(f"PostgreSQL reports: {_line(error)}", in_doubt=in_doubt) from error


def _line(error: Exception) -> str:
    """The first line of what the database says; it may go on for many."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _insert_many(name: str) -> str:
    """Insert the rows of a table from one array a column."""
    table = schema.metadata.tables[name]
    quote = _DIALECT.identifier_preparer.quote
    columns = ", ".join(quote(column.name) for column in table.columns)
    types = [
        "text" if isinstance(column.type, Text) else "bytea" if isinstance(column.type, LargeBinary) else "bigint"
        for column in table.columns
    ]
    arrays = ", ".join(f"%b::{type_}[]" for type_ in types)
    return f"INSERT INTO {name} ({columns}) SELECT * FROM unnest({arrays})"  # noqa: S608 - our own text


_INSERT_MANY: Final = {name: _insert_many(name) for name in schema.TABLES}


class PostgresJournal(SqlJournal):
    """A journal in PostgreSQL, used by one thread at a time. A lost connection is made again by the next `begin`."""

    dialect = "postgresql"

    def __init__(self, info: str) -> None:
        """Connect to a database that holds a journal's tables."""
        super().__init__(_STATEMENTS)
        self._info = info
        self._module = driver()
        self._connection: psycopg.Connection[Any] | None = None
        self._looked_at = -GUARD_SECONDS
        """When the guards were last looked at."""
        self._written: Batch | None = None
        """What the transaction has written."""
        self._open()

    def _open(self) -> psycopg.Connection[Any]:
        if self._connection is None or self._connection.closed or self._connection.broken:
            self.close()
            self._connection = connect(self._info)
        return self._connection

    def _in_transaction(self) -> psycopg.Connection[Any]:
        """The connection that holds the lock; another one would not be in the transaction."""
        if self._connection is None:
            raise self._module.OperationalError("the connection is lost")
        return self._connection

    def begin(self) -> None:
        """Wait for the writer's lock and begin."""
        self._written = None
        with translating():
            self._open().execute(_BEGIN)

    def commit(self) -> None:
        """Make the transaction last; a connection lost here leaves its outcome open."""
        with translating(in_doubt=True):
            done = self._in_transaction().execute("COMMIT").statusmessage
        if done != "COMMIT":
            raise StoreUnavailableError(f"PostgreSQL answered the commit with {done}")
        if self._written is not None:
            self._check_kept(self._written)

    def _check_kept(self, batch: Batch) -> None:
        """Behind the commit: what was written is still there. A deferred trigger may act behind every other look."""
        first, last = batch.events[0], batch.events[-1]
        with translating(in_doubt=True):
            connection = self._in_transaction()
            kept = connection.execute(_KEPT, {"first": first.seq, "last": last.seq}, prepare=True).fetchone()
        if kept != (len(batch.events), last.hash, len(batch.transfers)):
            what = "the event was committed and is not there as it was written: something drops or alters rows"
            raise JournalDamagedError(f"events[{last.seq}]", what)

    def rollback(self) -> None:
        """Leave the transaction; a connection that cannot even do that is given up."""
        connection = self._connection
        if connection is None or connection.closed:
            return
        try:
            if connection.info.transaction_status != self._module.pq.TransactionStatus.IDLE:
                connection.execute("ROLLBACK")
        except self._module.Error:
            self.close()

    def close(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(self._module.Error):
                connection.close()

    @property
    def backend(self) -> int:
        """The server's number for this connection: its own notifications carry it."""
        connection = self._connection
        return 0 if connection is None or connection.closed else connection.info.backend_pid

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        with translating():
            return self._open().execute(sql, values, prepare=True).fetchall()

    def _do(self, sql: str, values: Sequence[Any] = ()) -> None:
        with translating():
            self._open().execute(sql, values)

    def _delete_up_to(self, table: str, seq: int) -> None:
        self._do(f"DELETE FROM {table} WHERE seq <= %s", (seq,))  # noqa: S608 - a name of our own

    def by_keys(self, keys: Sequence[SentKey]) -> dict[SentKey, Event]:
        """The events that were written under these keys of their senders."""
        asked = [key for _, key in keys], [device for device, _ in keys]
        return {event.sent_key: event for event in (Event(*row) for row in self._rows(_BY_KEYS, asked))}

    def append(self, batch: Batch) -> None:
        """Write a batch within the transaction."""
        try:
            with translating():
                self._append(batch)
        except OverflowError as error:
            raise RowRefusedError(str(error)) from error

    def _append(self, batch: Batch) -> None:
        connection = self._in_transaction()
        rows = {"events": [astuple(event) for event in batch.events]}
        rows |= {name: getattr(batch, name) for name in ("transfers", "rounds", "lines", "hits", "archives")}
        done: list[tuple[str, psycopg.Cursor[Any]]] = []
        if len(batch.events) >= _MANY_EVENTS:
            done += _copied(connection, rows)
            rows = {}
        insert = self._sql.insert
        with connection.pipeline():
            done += _inserted(connection, rows)
            for round_id, secret in batch.secrets.items():
                connection.execute(self._sql.forget, (round_id,))
                if secret is not None:
                    done.append(("secrets", connection.execute(insert["secrets"], (round_id, *secret))))
            if batch.checkpoint is not None:
                done.append(("checkpoints", connection.execute(insert["checkpoints"], astuple(batch.checkpoint))))
            if batch.snapshot is not None:
                done.append(("snapshots", connection.execute(insert["snapshots"], batch.snapshot)))
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, str(batch.events[-1].seq)))
            # What somebody's trigger would do at the commit is done now, before the rows are looked at.
            connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
            is_due = time.monotonic() - self._looked_at >= GUARD_SECONDS
            stamp = connection.execute(POSTGRES_STAMP, prepare=True) if is_due else None
            head = connection.execute(self._sql.head, prepare=True)
        counts = Counter[str]()
        for table, cursor in done:
            counts[table] += cursor.rowcount
        if stamp is None:
            self._check_written(batch, counts, head.fetchone(), self._guarded_as)
        else:
            self._check_written(batch, counts, head.fetchone(), stamp.fetchone())
            self._looked_at = time.monotonic()
        self._written = batch


Done = Iterator[tuple[str, "psycopg.Cursor[Any]"]]
"""Tables, each with the cursor that knows how many rows it took."""


def _copied(connection: psycopg.Connection[Any], rows: Mapping[str, Sequence[Sequence[Any]]]) -> Done:
    """Many rows of some tables: the least work for each, and a question and an answer for each table."""
    for table, some in rows.items():
        if some:
            cursor = connection.cursor()
            with cursor.copy(f"COPY {table} FROM STDIN") as copy:
                for row in some:
                    copy.write_row(row)
            yield table, cursor


def _inserted(connection: psycopg.Connection[Any], rows: Mapping[str, Sequence[Sequence[Any]]]) -> Done:
    """Few rows of some tables, as arrays: nothing to wait for within a pipeline."""
    for table, some in rows.items():
        if some:
            columns = [list(column) for column in zip(*some, strict=True)]
            yield table, connection.execute(_INSERT_MANY[table], columns, prepare=True)
