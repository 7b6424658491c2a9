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
from houseway.manager.store.journal import Batch, Tail
from houseway.manager.store.postgres_columns import joined, take_whole_numbers
from houseway.manager.store.postgres_session import namespace_of, settle
from houseway.manager.store.sql import SqlJournal, Statements, statements, tail_of
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
_TAKE_LOCK: Final = f"SELECT pg_advisory_xact_lock({LOCK})"
_BEGIN: Final = f"BEGIN; {_TAKE_LOCK}"

_Values = Sequence[Any] | Mapping[str, Any] | None
_DIALECT: Final = psycopg_dialect.dialect(paramstyle="format")  # type: ignore[no-untyped-call]


_READ_BACK: Final = ("events", "transfers", "rounds", "lines", "hits", "checkpoints")
"""The tables whose rows are read back behind a commit: all that belong to its events."""


_IN_ROWS: Final = ("events", "transfers", "rounds", "lines", "hits", "archives")
"""The tables that get many rows in a group, in the order in which they are written."""
_JOINED: Final = {True: "string_to_array(%s, E'\\x1f', E'\\x1e')", False: "%s::bigint[]"}
_ARRAYS: Final = {True: "%b::text[]", False: "%b::bigint[]"}
"""How the values of a column are handed over, by whether it is one of texts."""
_IS_TEXT: Final = {
    name: [isinstance(column.type, Text) for column in schema.metadata.tables[name].columns] for name in _IN_ROWS
}


def _order(name: str) -> str:
    return ", ".join(column.name for column in schema.metadata.tables[name].primary_key)


@dataclass(frozen=True)
class _PostgresTexts:
    """The statements for the tables of one schema; those of every group as the driver sends them."""

    common: Statements
    start: bytes
    """The events from a number on."""
    kept: dict[str, bytes]
    """By table, the rows of some events."""
    by_keys: dict[bool, bytes]
    """The events of keys with their devices, whether the columns are joined or arrays."""
    by_own_keys: dict[bool, bytes]
    """The same of keys without a device."""
    insert_joined: dict[str, bytes]
    """By table, insert rows from one parameter a column."""
    insert_arrays: dict[str, bytes]
    """The same from one array a column."""
    checkpoint: bytes
    """Insert a checkpoint."""
    head: bytes
    """The last event, of which others are notified by this."""
    stamp: str


@lru_cache
def _texts(namespace: schema.Namespace) -> _PostgresTexts:
    common, of = statements(_DIALECT, "%s", namespace), namespace.of
    kept = {
        name: f"SELECT * FROM {of(name)} WHERE seq BETWEEN %s AND %s ORDER BY {_order(name)}"  # noqa: S608 - our own text
        for name in _READ_BACK
    }
    texts = {True: _JOINED[True], False: _ARRAYS[True]}
    by_keys = (
        f"{common.events} JOIN unnest({{0}}, {{0}}) AS asked (sent_key, sender) "
        "ON events.key = asked.sent_key AND events.device = asked.sender"
    )
    by_own_keys = f"{common.events} WHERE events.key = ANY({{0}}) AND events.device IS NULL"
    joined = {name: _insert_many(name, of(name), _JOINED).encode() for name in _IN_ROWS}
    arrays = {name: _insert_many(name, of(name), _ARRAYS).encode() for name in _IN_ROWS}
    return _PostgresTexts(
        common=common,
        start=common.start.encode(),
        kept={name: text.encode() for name, text in kept.items()},
        by_keys={is_joined: by_keys.format(text).encode() for is_joined, text in texts.items()},
        by_own_keys={is_joined: by_own_keys.format(text).encode() for is_joined, text in texts.items()},
        insert_joined=joined,
        insert_arrays=arrays,
        checkpoint=common.insert["checkpoints"].encode(),
        head=f"SELECT last.*, pg_notify(%s, %s) FROM ({common.head}) AS last".encode(),  # noqa: S608 - our own text
        stamp=postgres_stamp(namespace),
    )


@lru_cache
def _count_others(namespace: schema.Namespace, read: frozenset[str]) -> bytes:
    """The search path, and how many rows of some events those tables have whose rows are not read back themselves."""
    asked = ["current_setting('search_path')"]
    asked += [
        f"(SELECT count(*) FROM {namespace.of(name)} WHERE seq BETWEEN %(first)s AND %(last)s)"  # noqa: S608 - our own text
        for name in _READ_BACK
        if name not in read
    ]
    return f"SELECT {', '.join(asked)}".encode()


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
                take_whole_numbers(connection)
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
        self._cursors: dict[bytes, psycopg.Cursor[Any]] = {}
        """A cursor of the connection for each statement that every group needs."""

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

    def begin_group(self, seq: int, keys: Sequence[SentKey]) -> tuple[Tail, dict[SentKey, Event]]:
        """Begin, and ask for the tail and the keys on the same way: each statement sees what the lock lets it see."""
        self._written = {}
        with translating():
            connection = self._open()
            with connection.pipeline():
                self._ask(connection, b"BEGIN")
                self._ask(connection, _TAKE_LOCK.encode())
                after = self._ask(connection, self._texts.start, (seq,))
                found = [self._ask(connection, *question) for question in self._questions(keys)]
            return tail_of(seq, after.fetchall()), _by_key([row for cursor in found for row in cursor.fetchall()])

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
                    done = self._ask(connection, b"COMMIT")
                    others = _count_others(self._namespace, frozenset(written))
                    counted = self._ask(connection, others, {"first": first, "last": last})
                    # As the wire has them: no setting has a say in how values are read.
                    read = {
                        table: self._ask(connection, self._texts.kept[table], (first, last), binary=True)
                        for table in written
                    }
            if done.statusmessage != "COMMIT":
                raise StoreUnavailableError(f"PostgreSQL answered the commit with {done.statusmessage}")
            if counted is not None:
                path, *counts = counted.fetchone() or (None,)
                found = {table: cursor.fetchall() for table, cursor in read.items()}
                unwritten = [table for table in _READ_BACK if table not in written]
                self._check_kept(path, dict(zip(unwritten, counts, strict=True)), found)

    def _check_kept(self, path: str | None, others: Mapping[str, int], found: Mapping[str, list[Any]]) -> None:
        """Behind the commit: what was written is there, value by value, and nothing else, in other tables neither.

        A deferred trigger may act behind every other look, and a setting alter what is stored.
        """
        written = self._written
        last = written["events"][-1][0]
        for table in _READ_BACK:
            if others[table] != 0 if table in others else found[table] != written[table]:
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
        self._cursors = {}
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
        with translating():
            connection = self._open()
            return _by_key([row for each in self._questions(keys) for row in self._ask(connection, *each).fetchall()])

    def _questions(self, keys: Sequence[SentKey]) -> list[tuple[bytes, Sequence[Any]]]:
        """The statements that find the events of keys, with their values."""
        sent = [(key, device) for device, key in keys if device is not None]
        own = [(key,) for device, key in keys if device is None]
        # One index each: without a device none of its own is asked for.
        asked: list[tuple[bytes, Sequence[Any]]] = []
        for statements_, some in ((self._texts.by_keys, sent), (self._texts.by_own_keys, own)):
            if some:
                values = _told(some, [True, True])
                asked.append((statements_[values is not None], values or _arrays(some)))
        return asked

    def _ask(
        self, connection: psycopg.Connection[Any], statement: bytes, values: _Values = None, *, binary: bool = False
    ) -> psycopg.Cursor[Any]:
        """Carry out a statement that every group needs: the server has its plan, and a cursor is there for it."""
        cursor = self._cursors.get(statement)
        if cursor is None:
            cursor = self._cursors[statement] = connection.cursor()
        return cursor.execute(statement, values, prepare=True, binary=binary)

    def append(self, batch: Batch) -> None:
        """Write a batch within the transaction."""
        try:
            with translating():
                self._append(batch)
        except OverflowError as error:
            raise RowRefusedError(str(error)) from error

    def _append(self, batch: Batch) -> None:
        connection, insert, ask = self._in_transaction(), self._sql.insert, self._ask
        written = {name: getattr(batch, name) for name in _IN_ROWS[1:]}
        written = {"events": [astuple(event) for event in batch.events]} | written
        with connection.pipeline():
            done = [(name, ask(connection, *self._insertion(name, rows))) for name, rows in written.items() if rows]
            for round_id, secret in batch.secrets.items():
                connection.execute(self._sql.forget, (round_id,))
                if secret is not None:
                    done.append(("secrets", connection.execute(insert["secrets"], (round_id, *secret))))
            if batch.checkpoint is not None:
                written["checkpoints"] = [astuple(batch.checkpoint)]
                done.append(("checkpoints", ask(connection, self._texts.checkpoint, *written["checkpoints"])))
            if batch.snapshot is not None:
                done.append(("snapshots", connection.execute(insert["snapshots"], batch.snapshot)))
            # What somebody's trigger would do at the commit is done now, before the rows are looked at.
            ask(connection, b"SET CONSTRAINTS ALL IMMEDIATE")
            is_due = time.monotonic() - self._looked_at >= GUARD_SECONDS
            asked = (self._texts.stamp, self._sql.archives) if is_due else ()
            looks = [connection.execute(question, prepare=True) for question in asked]
            head = ask(connection, self._texts.head, (CHANNEL, str(batch.events[-1].seq)))
        counts = Counter[str]()
        for table, cursor in done:
            counts[table] += cursor.rowcount
        if looks:
            stamp, archives = looks
            self._look(batch, stamp.fetchone(), archives.fetchall())
            self._looked_at = time.monotonic()
        last = head.fetchone()
        self._check_written(batch, counts, None if last is None else last[:2])
        # By their keys, which stand first and are there once: as they are read back.
        self._written = {name: sorted(rows) for name, rows in written.items() if rows and name in self._texts.kept}

    def _insertion(self, table: str, rows: Sequence[Sequence[Any]]) -> tuple[bytes, Sequence[Any]]:
        """The statement that inserts rows of a table, with one value a column."""
        told = _told(rows, _IS_TEXT[table])
        return (
            (self._texts.insert_arrays[table], _arrays(rows))
            if told is None
            else (self._texts.insert_joined[table], told)
        )


def _told(rows: Sequence[Sequence[Any]], are_texts: Sequence[bool]) -> list[Any] | None:
    """The columns of rows in one value each; None where one of them has none."""
    told = [
        joined(column, is_text=is_text) for column, is_text in zip(zip(*rows, strict=True), are_texts, strict=False)
    ]
    return None if None in told else told


def _arrays(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


def _by_key(rows: Sequence[Sequence[Any]]) -> dict[SentKey, Event]:
    return {event.sent_key: event for event in (Event(*row) for row in rows)}
