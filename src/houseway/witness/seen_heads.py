"""What a witness keeps: the keys of the logs it watches, every head that it has cosigned, and every alarm.

A SQLite file of its own in full synchronous mode: a cosignature leaves the witness only after its head is on the disk.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from houseway.errors import InputError, MissingPartError
from houseway.proofs.notes import NoteKey
from houseway.proofs.tree_heads import SignedHead, read_head

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS logs (key TEXT PRIMARY KEY) STRICT;
CREATE TABLE IF NOT EXISTS cosigned (
    origin TEXT NOT NULL, size INTEGER NOT NULL, note TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (origin, size)
) STRICT;
CREATE TABLE IF NOT EXISTS alarms (
    number INTEGER PRIMARY KEY, at INTEGER NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL, evidence TEXT NOT NULL
) STRICT;
CREATE TRIGGER IF NOT EXISTS cosigned_no_update BEFORE UPDATE ON cosigned BEGIN SELECT RAISE(ABORT, 'kept'); END;
CREATE TRIGGER IF NOT EXISTS cosigned_no_delete BEFORE DELETE ON cosigned BEGIN SELECT RAISE(ABORT, 'kept'); END;
CREATE TRIGGER IF NOT EXISTS alarms_no_update BEFORE UPDATE ON alarms BEGIN SELECT RAISE(ABORT, 'kept'); END;
CREATE TRIGGER IF NOT EXISTS alarms_no_delete BEFORE DELETE ON alarms BEGIN SELECT RAISE(ABORT, 'kept'); END;
"""


class Alarm(NamedTuple):
    """Something that a log must never do, with the text that proves it."""

    at: int
    """Seconds since 1970."""
    code: str
    message: str
    evidence: str


class SeenHeads:
    """The file of a witness."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Open the file; a new one is made only if `create` says so."""
        self._path = path
        try:
            self._connection = sqlite3.connect(
                f"{path.resolve().as_uri()}?mode={'rwc' if create else 'rw'}",
                uri=True,
                isolation_level=None,
                timeout=30,
            )
            self._connection.execute("PRAGMA synchronous = FULL")
            if create:
                self._connection.executescript(_TABLES)
                path.chmod(0o600)
        except (sqlite3.Error, OSError) as error:
            raise MissingPartError(f"{path} cannot be opened: {error}") from None

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that no other process comes between; nothing is kept if it fails."""
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
        except sqlite3.Error as error:
            raise MissingPartError(f"{self._path} cannot be written: {error}; nothing was cosigned") from None

    def watched(self) -> list[NoteKey]:
        """The keys of the logs that are watched."""
        return [NoteKey.read(key) for (key,) in self._rows("SELECT key FROM logs ORDER BY key")]

    def watch(self, key: NoteKey) -> None:
        """Watch a log; several keys of one log are those that it has had."""
        with self.writing():
            self._connection.execute("INSERT OR IGNORE INTO logs VALUES (?)", (key.text,))

    def newest(self, origin: str) -> SignedHead | None:
        """The largest head of a log that was cosigned."""
        found = self._rows("SELECT note FROM cosigned WHERE origin = ? ORDER BY size DESC LIMIT 1", origin)
        return self._head(found[0][0]) if found else None

    def keep(self, signed: SignedHead, at: int) -> None:
        """Keep a head with its cosignature, within a transaction."""
        values = (signed.head.origin, signed.head.size, signed.note.written(), at)
        self._connection.execute("INSERT INTO cosigned VALUES (?, ?, ?, ?)", values)

    def sound(self, alarm: Alarm) -> None:
        """Keep an alarm, once for the same evidence."""
        with self.writing():
            if not self._rows("SELECT 1 FROM alarms WHERE evidence = ?", alarm.evidence):
                self._connection.execute("INSERT INTO alarms VALUES (NULL, ?, ?, ?, ?)", alarm)

    def alarms(self) -> list[Alarm]:
        """Every alarm, in order."""
        return [Alarm(*row) for row in self._rows("SELECT at, code, message, evidence FROM alarms ORDER BY number")]

    def count(self) -> int:
        """How many heads were cosigned."""
        return int(self._rows("SELECT count(*) FROM cosigned")[0][0])

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _rows(self, sql: str, *values: object) -> list[Any]:
        try:
            return self._connection.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            raise MissingPartError(f"{self._path} cannot be read: {error}") from None

    def _head(self, note: object) -> SignedHead:
        try:
            return read_head(str(note))
        except InputError:
            raise MissingPartError(f"{self._path} is damaged: restore the witness's own backup") from None
