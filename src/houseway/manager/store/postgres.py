"""The journal in PostgreSQL: many processes and machines on one chain, one writer at a time by an advisory lock.

Under READ COMMITTED two writers would read the same head and fork the chain; one constant lock for each transaction,
taken before anything is read, prevents it without retries. The notification that wakes the other processes is part of
the transaction.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from msgspec.structs import astuple
from sqlalchemy import Text
from sqlalchemy.dialects.postgresql import psycopg as psycopg_dialect

from houseway.errors import MissingPartError
from houseway.manager.core.records import Event, SentKey
from houseway.manager.store import schema
from houseway.manager.store.guarding import postgres_stamp
from houseway.manager.store.journal import Batch
from houseway.manager.store.postgres_session import namespace_of, settle
from houseway.manager.store.sql import SqlJournal, Statements, statements
from houseway.manager.store.store_errors import JournalDamagedError, RowRefusedError, StoreUnavailableError
from houseway.manager.store.urls import parsed

if TYPE_CHECKING:
    import psycopg

LOCK: Final = 0x686F757365776179
"""The advisory lock of the journal ("houseway" in ASCII): one in each database."""
CHANNEL: Final = "houseway_events"
GUARD_SECONDS: Final = 1.0
"""How often the guards are looked at: it costs a third of a millisecond. Rows are counted in every group."""
CONNECT_OPTIONS: Final[dict[str, Any]] = {
    "connect_timeout": 5,
    "client_encoding": "UTF8",
    "application_name": "houseway",
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
# A process that hangs in a transaction must not hold the lock for ever; one that waits for it must not wait for ever.
# Plans are made while the tables are still small and kept: they must use the indexes from the first event on. What a
# writer reads is a few rows at the end; helper processes and compiled plans would only cost milliseconds to start.
_SETTINGS: Final = (
    "SET lock_timeout = '10s'; SET statement_timeout = '120s'; "
    "SET idle_in_transaction_session_timeout = '60s'; SET enable_seqscan = off; "
    "SET max_parallel_workers_per_gather = 0; SET jit = off"
)
_BEGIN: Final = f"BEGIN; SELECT pg_advisory_xact_lock({LOCK})"

_DIALECT: Final = psycopg_dialect.dialect(paramstyle="format")  # type: ignore[no-untyped-call]


_READ_BACK: Final = ("events", "transfers", "rounds", "lines", "hits", "checkpoints")
"""The tables whose rows are read back behind a commit: all that belong to its events."""


_IN_ROWS: Final = ("events", "transfers", "rounds", "lines", "hits", "archives")
"""The tables that get many rows in a group, in the order in which they are written."""
_BETWEEN: Final = "\x1f"
_NOTHING: Final = "\x1e"
_JOINED: Final = {True: "string_to_array(%s, E'\\x1f', E'\\x1e')", False: "%s::bigint[]"}
_ARRAYS: Final = {True: "%b::text[]", False: "%b::bigint[]"}
"""How the values of a column are handed over, by whether it is one of texts."""
_IS_TEXT: Final = {
    name: [isinstance(column.type, Text) for column in schema.metadata.tables[name].columns] for name in _IN_ROWS
}


_WHOLE: Final = frozenset({int, type(None)})


def joined(column: Sequence[Any], *, is_text: bool) -> str | None:
    r"""The values of a column in one text, from which PostgreSQL takes them apart again; None where it could not.

    One text for all of them costs a fraction of an array that is put together value by value.

    >>> joined((1, None, 3), is_text=False), joined(("a", None), is_text=True)
    ('{1,NULL,3}', 'a\x1f\x1e')
    >>> joined(("a\x1fb", "c"), is_text=True), joined(("",), is_text=True), joined(("1",), is_text=False)
    (None, None, None)
    """
    if not is_text:
        is_whole = _WHOLE.issuperset(map(type, column))
        return f"{{{','.join(map(str, column))}}}".replace("None", "NULL") if is_whole else None
    missing = column.count(None)
    try:
        text = _BETWEEN.join([_NOTHING if value is None else value for value in column] if missing else column)
    except TypeError:
        return None
    is_apart = text.count(_BETWEEN) == len(column) - 1 and text.count(_NOTHING) == missing
    return text if text and is_apart else None


def _order(name: str) -> str:
    return ", ".join(column.name for column in schema.metadata.tables[name].primary_key)


@dataclass(frozen=True)
class _PostgresTexts:
    """The statements for the tables of one schema."""

    common: Statements
    kept: dict[str, str]
    """By table, the rows of some events."""
    counts: str
    """The search path, and how many rows of some events each of these tables has."""
    by_keys: str
    by_own_keys: str
    insert_joined: dict[str, str]
    """By table, insert rows from one text a column."""
    insert_arrays: dict[str, str]
    """The same from one array a column."""
    stamp: str


@lru_cache
def _texts(namespace: schema.Namespace) -> _PostgresTexts:
    common, of = statements(_DIALECT, "%s", namespace), namespace.of
    kept = {
        name: f"SELECT * FROM {of(name)} WHERE seq BETWEEN %s AND %s ORDER BY {_order(name)}"  # noqa: S608 - our own text
        for name in _READ_BACK
    }
    counted = ", ".join(
        f"(SELECT count(*) FROM {of(name)} WHERE seq BETWEEN %(first)s AND %(last)s)"  # noqa: S608 - our own text
        for name in _READ_BACK
    )
    by_keys = (
        f"{common.events} JOIN unnest(%s::text[], %s::text[]) AS asked (sent_key, sender) "
        "ON events.key = asked.sent_key AND events.device = asked.sender"
    )
    by_own_keys = f"{common.events} WHERE events.key = ANY(%s::text[]) AND events.device IS NULL"
    joined = {name: _insert_many(name, of(name), _JOINED) for name in _IN_ROWS}
    arrays = {name: _insert_many(name, of(name), _ARRAYS) for name in _IN_ROWS}
    counts = f"SELECT current_setting('search_path'), {counted}"
    return _PostgresTexts(common, kept, counts, by_keys, by_own_keys, joined, arrays, postgres_stamp(namespace))


def driver() -> Any:  # noqa: ANN401 - the module
    """psycopg; MissingPartError says how to get it."""
    try:
        import psycopg
    except ImportError:
        raise MissingPartError('PostgreSQL needs psycopg: install it with "pip install houseway[postgres]"') from None
    return psycopg


def conninfo(url: str) -> str:
    """A database URL as the driver wants it."""
    return parsed(url).set(drivername="postgresql").render_as_string(hide_password=False)


def connect(info: str, *, for_journal: bool = True, known: schema.Namespace | None = None) -> psycopg.Connection[Any]:
    """A connection: with the journal's settings and transactions that are begun by hand, or a plain one.

    The journal's schema is found unless it is `known`; `namespace_of` tells it.
    """
    module = driver()
    with ExitStack() as stack:
        try:
            connection: psycopg.Connection[Any] = module.connect(info, autocommit=True, **CONNECT_OPTIONS)
            stack.callback(connection.close)
            settle(connection, known)
            if for_journal:
                connection.execute(_SETTINGS)
            else:
                connection.autocommit = False
        except module.Error as error:
            raise StoreUnavailableError(f"PostgreSQL cannot be reached ({_line(error)})") from error
        stack.pop_all()
    return connection


_LIMIT: Final = "54"
"""How the codes begin by which a row is beyond what a table or an index takes: of that row, not of the server."""


@contextmanager
def translating(*, in_doubt: bool = False) -> Iterator[None]:
    """Faults of PostgreSQL as ours, by what helps against them."""
    module = driver()
    try:
        yield
    except (module.IntegrityError, module.DataError, module.ProgrammingError) as error:
        raise RowRefusedError(_line(error)) from error
    except module.Error as error:
        if (error.sqlstate or "").startswith(_LIMIT):
            raise RowRefusedError(_line(error)) from error
        raise StoreUnavailableError(f"PostgreSQL reports: {_line(error)}", in_doubt=in_doubt) from error


def _line(error: Exception) -> str:
    """The first line of what the database says; it may go on for many."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def _insert_many(name: str, into: str, forms: Mapping[bool, str]) -> str:
    """Insert the rows of a table from one parameter a column, by whether the column is a text."""
    table = schema.metadata.tables[name]
    quote = _DIALECT.identifier_preparer.quote
    columns = ", ".join(quote(column.name) for column in table.columns)
    values = ", ".join(forms[isinstance(column.type, Text)] for column in table.columns)
    return f"INSERT INTO {into} ({columns}) SELECT * FROM unnest({values})"  # noqa: S608 - our own text


class PostgresJournal(SqlJournal):
    """A journal in PostgreSQL, used by one thread at a time. A lost connection is made again by the next `begin`."""

    def __init__(self, info: str) -> None:
        """Connect to a database that holds a journal's tables."""
        self._info = info
        self._module = driver()
        self._connection: psycopg.Connection[Any] | None = connect(info)
        namespace = namespace_of(self._connection)
        self._texts = _texts(namespace)
        super().__init__(self._texts.common, namespace)
        self._looked_at = -GUARD_SECONDS
        """When the guards were last looked at."""
        self._written = dict[str, list[tuple[Any, ...]]]()
        """What the transaction has written: rows by table, in the order of their keys."""

    def _open(self) -> psycopg.Connection[Any]:
        if self._connection is None or self._connection.closed or self._connection.broken:
            self.close()
            self._connection = connect(self._info, known=self._namespace)
        return self._connection

    def _in_transaction(self) -> psycopg.Connection[Any]:
        """The connection that holds the lock; another one would not be in the transaction."""
        if self._connection is None:
            raise self._module.OperationalError("the connection is lost")
        return self._connection

    def begin(self) -> None:
        """Wait for the writer's lock and begin."""
        self._written = {}
        with translating():
            self._open().execute(_BEGIN)

    def commit(self) -> None:
        """Make the transaction last; a connection lost here leaves its outcome open.

        With the commit goes the question for all that was written (`_check_kept`): it is answered behind it.
        """
        written = self._written
        with translating(in_doubt=True):
            connection = self._in_transaction()
            if not written:
                done, counted, read = connection.execute("COMMIT"), None, {}
            else:
                events = written["events"]
                first, last = events[0][0], events[-1][0]
                with connection.pipeline():
                    done = connection.execute("COMMIT")
                    counted = connection.execute(self._texts.counts, {"first": first, "last": last}, prepare=True)
                    # As the wire has them: no setting has a say in how values are read.
                    read = {
                        table: connection.execute(self._texts.kept[table], (first, last), prepare=True, binary=True)
                        for table in written
                    }
            if done.statusmessage != "COMMIT":
                raise StoreUnavailableError(f"PostgreSQL answered the commit with {done.statusmessage}")
            if counted is not None:
                path, *counts = counted.fetchone() or (None,)
                found = {table: cursor.fetchall() for table, cursor in read.items()}
                self._check_kept(path, dict(zip(_READ_BACK, counts, strict=True)), found)

    def _check_kept(self, path: str | None, counts: Mapping[str, int], found: Mapping[str, list[Any]]) -> None:
        """Behind the commit: what was written is there, value by value, and nothing else.

        A deferred trigger may act behind every other look, and a setting alter what is stored.
        """
        written = self._written
        last = written["events"][-1][0]
        for table, count in counts.items():
            rows = written.get(table, [])
            if count != len(rows) or found.get(table, []) != rows:
                what = "the event was committed and is not there as it was written: something drops or alters rows"
                raise JournalDamagedError(f"{table}[{last}]", what)
        if path != schema.SEARCH_PATH:
            what = "the event was committed, and something has set another search path: what is read counts for nothing"
            raise JournalDamagedError("setting[search_path]", what)

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
        self._do(f"DELETE FROM {self._namespace.of(table)} WHERE seq <= %s", (seq,))  # noqa: S608 - a name of our own

    def by_keys(self, keys: Sequence[SentKey]) -> dict[SentKey, Event]:
        """The events that were written under these keys of their senders."""
        sent = [(key, device) for device, key in keys if device is not None]
        own = [key for device, key in keys if device is None]
        # One index each: without a device none of its own is asked for.
        rows = self._rows(self._texts.by_keys, [list(column) for column in zip(*sent, strict=True)]) if sent else []
        rows += self._rows(self._texts.by_own_keys, (own,)) if own else []
        return {event.sent_key: event for event in (Event(*row) for row in rows)}

    def append(self, batch: Batch) -> None:
        """Write a batch within the transaction."""
        try:
            with translating():
                self._append(batch)
        except OverflowError as error:
            raise RowRefusedError(str(error)) from error

    def _append(self, batch: Batch) -> None:
        connection, insert = self._in_transaction(), self._sql.insert
        written = {name: [tuple(row) for row in getattr(batch, name)] for name in _IN_ROWS[1:]}
        written = {"events": [astuple(event) for event in batch.events]} | written
        with connection.pipeline():
            done = [(name, _insert(self._texts, connection, name, rows)) for name, rows in written.items() if rows]
            for round_id, secret in batch.secrets.items():
                connection.execute(self._sql.forget, (round_id,))
                if secret is not None:
                    done.append(("secrets", connection.execute(insert["secrets"], (round_id, *secret))))
            if batch.checkpoint is not None:
                written["checkpoints"] = [astuple(batch.checkpoint)]
                done.append(("checkpoints", connection.execute(insert["checkpoints"], *written["checkpoints"])))
            if batch.snapshot is not None:
                done.append(("snapshots", connection.execute(insert["snapshots"], batch.snapshot)))
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, str(batch.events[-1].seq)))
            # What somebody's trigger would do at the commit is done now, before the rows are looked at.
            connection.execute("SET CONSTRAINTS ALL IMMEDIATE")
            is_due = time.monotonic() - self._looked_at >= GUARD_SECONDS
            asked = (self._texts.stamp, self._sql.archives) if is_due else ()
            looks = [connection.execute(question, prepare=True) for question in asked]
            head = connection.execute(self._sql.head, prepare=True)
        counts = Counter[str]()
        for table, cursor in done:
            counts[table] += cursor.rowcount
        if looks:
            stamp, archives = looks
            self._look(batch, stamp.fetchone(), archives.fetchall())
            self._looked_at = time.monotonic()
        self._check_written(batch, counts, head.fetchone())
        # By their keys, which stand first and are there once: as they are read back.
        self._written = {name: sorted(rows) for name, rows in written.items() if rows and name in self._texts.kept}


def _insert(
    texts: _PostgresTexts, connection: psycopg.Connection[Any], table: str, rows: Sequence[Sequence[Any]]
) -> psycopg.Cursor[Any]:
    """Insert rows of a table, with one parameter a column."""
    columns = list(zip(*rows, strict=True))
    told = [joined(column, is_text=is_text) for column, is_text in zip(columns, _IS_TEXT[table], strict=True)]
    if None in told:
        arrays = [list(column) for column in columns]
        return connection.execute(texts.insert_arrays[table], arrays, prepare=True)
    return connection.execute(texts.insert_joined[table], told, prepare=True)
