"""The journal in a SQLite file: one file, one writer at a time, every commit on the disk before it is answered.

SQLite up to 3.51.2 can damage a database in WAL mode when two connections write and checkpoint at the same moment, so a
repaired version is demanded. Settings: WAL, `synchronous=FULL`, `BEGIN IMMEDIATE`, foreign keys on, no memory map (a
disk error in a map would kill the process instead of being reported).
"""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import astuple
from sqlalchemy.dialects import sqlite as sqlite_dialect

from houseway.errors import InputError, MissingPartError
from houseway.manager.core.records import Event, SentKey
from houseway.manager.store.guarding import SQLITE_STAMP
from houseway.manager.store.journal import Batch
from houseway.manager.store.schema import SQLITE
from houseway.manager.store.sql import ROOM, SqlJournal, statements
from houseway.manager.store.sqlite_files import check_files
from houseway.manager.store.store_errors import JournalDamagedError, RowRefusedError, StoreUnavailableError

BUSY_MILLISECONDS: Final = 10_000
"""How long another process may hold the journal before a group of commands gives up."""
LEAST_ROOM: Final = 4 * 1024 * 1024
"""Bytes that must be free on the disk of the journal: a large group of commands, and the record of what went wrong."""
_REPAIRED: Final = (3, 51, 3)
_BACKPORTS: Final = {(3, 44): 6, (3, 50): 7}
"""Older lines of SQLite that got the repair too, from this patch on."""

PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA recursive_triggers = ON",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA cache_size = -65536",
    "PRAGMA mmap_size = 0",
    "PRAGMA temp_store = MEMORY",
    # A group of commands touches some hundred pages, the same ones again and again: written back less often, each of
    # them is written once for many groups. 16 MB of log are read again in a moment after a crash.
    "PRAGMA wal_autocheckpoint = 4000",
)
_KNOWN: Final = {
    "database or disk is full": "the disk is full: free some space",
    "database is locked": "another process held the journal for too long",
    "attempt to write a readonly database": "the file may not be written: check its owner and its disk",
}

_STATEMENTS: Final = statements(sqlite_dialect.dialect(paramstyle="qmark"), "?", SQLITE)
_BY_KEYS: Final = (
    f"{_STATEMENTS.events} JOIN json_each(?) AS asked "
    "ON events.key = asked.value ->> 0 AND events.device = asked.value ->> 1"
)
_BY_OWN_KEYS: Final = (
    f"{_STATEMENTS.events} JOIN json_each(?) AS asked ON events.key = asked.value AND events.device IS NULL"
)

# Whoever goes by an index reads nothing else: each is counted by itself. Every event has its key in one
# of two. For `count(*)` SQLite would take any index that it likes.
_COUNTED: Final = (
    ("events_key", "SELECT count(*) FROM events INDEXED BY events_key WHERE device IS NOT NULL"),
    ("events_own_key", "SELECT count(*) FROM events INDEXED BY events_own_key WHERE device IS NULL"),
    ("events_by_time", "SELECT count(at) FROM events INDEXED BY events_by_time"),
    ("events_by_kind", "SELECT count(kind) FROM events INDEXED BY events_by_kind"),
)
_UNINDEXED: Final = "SELECT count(*) FROM events NOT INDEXED"
_NUMBERED: Final = "SELECT coalesce((SELECT max(seq) FROM events) - (SELECT min(seq) FROM events) + 1, 0)"


_AT_ONCE: Final = (32, 8, 1)
"""How many rows one statement inserts: few statements, so that each stays compiled, for groups of any size."""


@lru_cache
def _insert_rows(table: str, count: int) -> str:
    """Insert so many rows of a table in one statement."""
    insert, _, marks = _STATEMENTS.insert[table].partition(" VALUES ")
    return f"{insert} VALUES {', '.join([marks] * count)}"


def _write(cursor: Any, table: str, rows: Sequence[Sequence[Any]]) -> int:  # noqa: ANN401 - a cursor of the driver
    """Insert rows; returns how many the database took.

    Many in one step: row by row, every step would have to wait for the interpreter's lock.
    """
    place = taken = 0
    for count in _AT_ONCE:
        while len(rows) - place >= count:
            some = rows[place : place + count]
            cursor.execute(_insert_rows(table, count), [value for row in some for value in row])
            place, taken = place + count, taken + cursor.rowcount
    return taken


def _json(rows: Sequence[Any]) -> str:
    return msgspec.json.encode(rows).decode()


def is_repaired(version: str) -> bool:
    """Whether a version of SQLite has the repair of the WAL-reset fault.

    >>> is_repaired("3.40.1"), is_repaired("3.51.3"), is_repaired("3.50.7"), is_repaired("3.50.4")
    (False, True, True, False)
    """
    major, minor, patch = (*(int(part) for part in version.split(".")[:3]), 0, 0)[:3]
    return (major, minor, patch) >= _REPAIRED or patch >= _BACKPORTS.get((major, minor), 1_000)


@lru_cache(maxsize=1)
def driver() -> Any:  # noqa: ANN401 - a module of the DB-API
    """The DB-API module of a SQLite that is safe to use; MissingPartError says how to get one."""
    found = []
    with suppress(ImportError):
        # Not on every platform; Python's own serves where it is new enough.
        from pysqlite3 import dbapi2  # type: ignore[import-untyped]

        found.append(dbapi2)
    with suppress(ImportError):
        # Some builds of Python come without.
        import sqlite3

        found.append(sqlite3)
    for module in found:
        if is_repaired(module.sqlite_version):
            return module
    versions = ", ".join(f"{module.__name__} has {module.sqlite_version}" for module in found) or "there is none"
    raise MissingPartError(
        f"SQLite 3.51.3 or newer is needed, older ones can damage a journal ({versions}): "
        'install one with "pip install pysqlite3", use a Python with a newer SQLite, or use PostgreSQL'
    )


def connect(path: Path, *, create: bool = False, busy_milliseconds: int = BUSY_MILLISECONDS) -> Any:  # noqa: ANN401
    """A DB-API connection with the journal's settings; transactions are begun by hand."""
    module = driver()
    check_files(path)
    address = f"{path.resolve().as_uri()}?mode=rw"
    try:
        if create:
            # The file is nobody else's business; what SQLite puts beside it gets the same permissions.
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = module.connect(
            address, uri=True, isolation_level=None, check_same_thread=False, timeout=busy_milliseconds / 1000
        )
    except (module.Error, OSError) as error:
        raise StoreUnavailableError(f"the database {path} cannot be opened ({error})") from error
    try:
        told = [connection.execute(pragma).fetchone() for pragma in PRAGMAS]
    except module.Error as error:
        connection.close()
        raise translated(error, path) from error
    if told[0] != ("wal",):
        connection.close()
        raise StoreUnavailableError(f"{path}: SQLite keeps no write-ahead log here: use a disk of this machine")
    return connection


class SqliteJournal(SqlJournal):
    """A journal in a SQLite file, used by one thread at a time."""

    def __init__(self, path: Path, *, busy_milliseconds: int = BUSY_MILLISECONDS) -> None:
        """Open a file that holds a journal's tables."""
        super().__init__(_STATEMENTS, SQLITE)
        self.path = path
        self._busy = busy_milliseconds
        self._errors = driver().Error
        self._connection: Any = None
        self._file: tuple[int, int] | None = None
        self._open()

    def _open(self) -> Any:  # noqa: ANN401 - a connection of the driver
        if self._connection is None:
            self._connection = connect(self.path, busy_milliseconds=self._busy)
            self._file = self._identity()
            # The stamp tells changes from what a connection has read of the tables: a new one has read them again.
            self._guarded_as = None
        return self._connection

    def _identity(self) -> tuple[int, int] | None:
        """Which file lies under the path: one that was moved away would be written to without anybody seeing it."""
        try:
            found = os.stat(self.path)  # noqa: PTH116 - before every group
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def begin(self) -> None:
        """Wait for the writer's lock and begin."""
        self._open()
        if self._identity() != self._file:
            self.close()
            raise StoreUnavailableError(f"the database file {self.path} was moved or replaced while it was in use")
        self._do("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """Write the transaction to the disk."""
        try:
            self._connection.execute("COMMIT")
        except self._errors as error:
            raise translated(error, self.path, in_doubt=True) from error

    def rollback(self) -> None:
        """Leave the transaction; a connection that cannot even do that is given up."""
        connection = self._connection
        if connection is not None and connection.in_transaction:
            try:
                connection.execute("ROLLBACK")
            except self._errors:
                self.close()

    def close(self) -> None:
        """Close the file."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(self._errors):
                connection.close()

    def _rows(self, sql: str, values: Sequence[Any] = ()) -> list[Any]:
        try:
            return list(self._open().execute(sql, values).fetchall())
        except self._errors as error:
            raise translated(error, self.path) from error

    def _do(self, sql: str, values: Sequence[Any] = ()) -> None:
        self._rows(sql, values)

    def _delete_up_to(self, table: str, seq: int) -> None:
        self._do(f"DELETE FROM {table} WHERE seq <= ?", (seq,))  # noqa: S608 - a name of our own

    def check_guards(self) -> None:
        """As on every store; and the indexes of the events lead to as many as there are.

        The schema says where an index begins, and an entry that was written by hand may lead to an empty one.
        """
        super().check_guards()
        keys, own_keys, times, kinds = (self._rows(sql)[0][0] for _, sql in _COUNTED)
        ((there,),) = self._rows(_NUMBERED)
        if keys + own_keys == times == kinds == there:
            return
        # An event that is missing is told by whoever reads the events; an index leads to those that are there.
        for name, sql in _COUNTED:
            condition = sql.partition(name)[2]
            ((led,),), ((there,),) = self._rows(sql), self._rows(f"{_UNINDEXED}{condition}")
            if led != there:
                what = f"the index leads to {led} of {there} events: find out why, then REINDEX {name}"
                raise JournalDamagedError(f"index[{name}]", what)

    def by_keys(self, keys: Sequence[SentKey]) -> dict[SentKey, Event]:
        """The events that were written under these keys of their senders."""
        sent = [(key, device) for device, key in keys if device is not None]
        own = [key for device, key in keys if device is None]
        # One index each: without a device none of its own is asked for.
        rows = self._rows(_BY_KEYS, (_json(sent),)) if sent else []
        rows += self._rows(_BY_OWN_KEYS, (_json(own),)) if own else []
        return {event.sent_key: event for event in (Event(*row) for row in rows)}

    def try_room(self) -> None:
        """As on every store, and on the disk itself: pages of a transaction reach it only with the commit."""
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}.room")
        try:
            with beside.open("wb") as file:
                file.write(bytes(ROOM))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
            raise StoreUnavailableError(_KNOWN["database or disk is full"] if full else str(error)) from error
        finally:
            with suppress(OSError):
                beside.unlink(missing_ok=True)
        super().try_room()

    def shortage(self) -> str | None:
        """Whether the disk is so full that the next group may not fit: better told before than in a commit."""
        try:
            disk = os.statvfs(self.path.parent)
        except OSError:
            return None  # whether the file is still there is told when it is used
        free = disk.f_bavail * disk.f_frsize
        return None if free >= LEAST_ROOM else f"the disk is full: {free} bytes are left, free some space"

    def data_version(self) -> int:
        """A number that changes when another connection has written."""
        return int(self._rows("PRAGMA data_version")[0][0])

    def append(self, batch: Batch) -> None:
        """Write a batch within the transaction."""
        try:
            self._append(self._connection.cursor(), batch)
        except self._errors as error:
            raise translated(error, self.path) from error
        except OverflowError as error:
            raise RowRefusedError(str(error)) from error

    def _append(self, cursor: Any, batch: Batch) -> None:  # noqa: ANN401 - a cursor of the driver
        insert, counts = self._sql.insert, dict[str, int]()
        counts["events"] = _write(cursor, "events", [astuple(event) for event in batch.events])
        for table in ("transfers", "rounds", "lines", "hits", "archives"):
            rows = getattr(batch, table)
            if rows:
                counts[table] = _write(cursor, table, rows)
        for round_id, secret in batch.secrets.items():
            cursor.execute(self._sql.forget, (round_id,))
            if secret is not None:
                cursor.execute(insert["secrets"], (round_id, *secret))
                counts["secrets"] = counts.get("secrets", 0) + cursor.rowcount
        if batch.checkpoint is not None:
            cursor.execute(insert["checkpoints"], astuple(batch.checkpoint))
            counts["checkpoints"] = cursor.rowcount
        if batch.snapshot is not None:
            cursor.execute(insert["snapshots"], batch.snapshot)
            counts["snapshots"] = cursor.rowcount
        stamp = cursor.execute(SQLITE_STAMP).fetchone()
        self._look(batch, stamp, cursor.execute(self._sql.archives).fetchall())
        self._check_written(batch, counts, cursor.execute(self._sql.head).fetchone())


def translated(error: Exception, path: Path, *, in_doubt: bool = False) -> InputError | RowRefusedError:
    """A fault of SQLite as one of ours, by what helps against it."""
    module, text = driver(), str(error)
    if isinstance(error, module.OperationalError):
        # A commit that finds the disk full is known not to have happened: SQLite has said so before the last write.
        in_doubt = in_doubt and "full" not in text
        return StoreUnavailableError(f"{path}: {_KNOWN.get(text, f'SQLite reports {text}')}", in_doubt=in_doubt)
    if isinstance(error, module.IntegrityError | module.DataError | module.InterfaceError | module.ProgrammingError):
        return RowRefusedError(text)
    return JournalDamagedError(str(path), f"SQLite reports: {text}")
