"""What a witness keeps: the keys of the logs it watches, every head that it has cosigned, old heads, and every alarm.

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
CREATE TABLE IF NOT EXISTS older (
    number INTEGER PRIMARY KEY, origin TEXT NOT NULL, note TEXT NOT NULL, at INTEGER NOT NULL,
    is_newest INTEGER NOT NULL, is_proven INTEGER NOT NULL, is_over INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS alarms (
    number INTEGER PRIMARY KEY, origin TEXT NOT NULL, at INTEGER NOT NULL, code TEXT NOT NULL, message TEXT NOT NULL,
    evidence TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS acknowledged (
    alarm INTEGER PRIMARY KEY, at INTEGER NOT NULL, by TEXT NOT NULL, reason TEXT NOT NULL
) STRICT;
CREATE TRIGGER IF NOT EXISTS cosigned_no_update BEFORE UPDATE ON cosigned BEGIN SELECT RAISE(ABORT, 'kept'); END;
CREATE TRIGGER IF NOT EXISTS cosigned_no_delete BEFORE DELETE ON cosigned BEGIN SELECT RAISE(ABORT, 'kept'); END;
CREATE TRIGGER IF NOT EXISTS alarms_no_update BEFORE UPDATE ON alarms BEGIN SELECT RAISE(ABORT, 'kept'); END;
CREATE TRIGGER IF NOT EXISTS alarms_no_delete BEFORE DELETE ON alarms BEGIN SELECT RAISE(ABORT, 'kept'); END;
CREATE TRIGGER IF NOT EXISTS acknowledged_no_update BEFORE UPDATE ON acknowledged
    BEGIN SELECT RAISE(ABORT, 'kept'); END;
CREATE TRIGGER IF NOT EXISTS acknowledged_no_delete BEFORE DELETE ON acknowledged
    BEGIN SELECT RAISE(ABORT, 'kept'); END;
"""
MOST_ALARMS: Final = 100
"""Alarms of one log that are kept while nobody acknowledges them: one that went wrong gives another every minute."""


class Acknowledgement(NamedTuple):
    """Who has looked into an alarm, and what it was."""

    at: int
    """Seconds since 1970."""
    by: str
    reason: str


class OlderHead(NamedTuple):
    """A head with fewer events than one that was cosigned before."""

    number: int
    signed: SignedHead
    at: int
    """When it was first handed in, seconds since 1970."""
    is_newest: bool
    """Whether the log said that it was its newest."""


class Alarm(NamedTuple):
    """Something that a log must never do, with the text that proves it."""

    origin: str
    at: int
    """Seconds since 1970."""
    code: str
    message: str
    evidence: str
    number: int = 0
    """Under which it is kept."""
    acknowledged: Acknowledgement | None = None

    def to_json(self) -> dict[str, Any]:
        """The alarm as the command line prints it."""
        said = None if self.acknowledged is None else self.acknowledged._asdict()
        return {**self._asdict(), "acknowledged": said}


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

    def cosigned_at(self, origin: str, size: int) -> SignedHead | None:
        """The head of a size that was cosigned, if one was."""
        found = self._rows("SELECT note FROM cosigned WHERE origin = ? AND size = ?", origin, size)
        return self._head(found[0][0]) if found else None

    # Older heads

    def note_older(self, signed: SignedHead, at: int, *, is_newest: bool, is_proven: bool) -> None:
        """Note a head that is older than the newest one, once as long as nothing newer came."""
        note = signed.note.written()
        with self.writing():
            if not self._rows("SELECT 1 FROM older WHERE note = ? AND is_newest = ? AND NOT is_over", note, is_newest):
                values = (signed.head.origin, note, at, is_newest, is_proven, False)
                self._connection.execute("INSERT INTO older VALUES (NULL, ?, ?, ?, ?, ?, ?)", values)

    def older(self, origin: str, *, unproven: bool = False) -> list[OlderHead]:
        """Old heads of a log that are not settled yet, the first that came first."""
        sql = "SELECT number, note, at, is_newest FROM older WHERE origin = ? AND NOT is_over"
        rows = self._rows(f"{sql} {'AND NOT is_proven' if unproven else ''} ORDER BY number", origin)
        return [OlderHead(number, self._head(note), at, bool(is_newest)) for number, note, at, is_newest in rows]

    def prove_older(self, number: int) -> None:
        """An old head was found to belong to what was cosigned after it, or not to: nothing more is asked about it."""
        with self.writing():
            self._connection.execute("UPDATE older SET is_proven = 1 WHERE number = ?", (number,))

    def end_older(self, origin: str) -> None:
        """The log has shown its newest head again: old ones that belong to it are settled. Within a transaction."""
        self._connection.execute("UPDATE older SET is_newest = 0, is_over = is_proven WHERE origin = ?", (origin,))

    # Alarms

    def sound(self, alarm: Alarm) -> None:
        """Keep an alarm, once for the same evidence; no more of one log than can be looked into."""
        with self.writing():
            known = self._rows("SELECT 1 FROM alarms WHERE evidence = ?", alarm.evidence)
            if not known and len(self.alarms(alarm.origin, is_open=True)) < MOST_ALARMS:
                self._connection.execute("INSERT INTO alarms VALUES (NULL, ?, ?, ?, ?, ?)", alarm[:5])

    def alarms(self, origin: str | None = None, *, is_open: bool = False) -> list[Alarm]:
        """Every alarm, in order: of one log, or only those that nobody has acknowledged."""
        sql = (
            "SELECT origin, alarms.at, code, message, evidence, number, said.at, said.by, said.reason "
            "FROM alarms LEFT JOIN acknowledged said ON said.alarm = number ORDER BY number"
        )
        found = []
        for *columns, at, by, reason in self._rows(sql):
            alarm = Alarm(*columns)
            found.append(alarm if at is None else alarm._replace(acknowledged=Acknowledgement(at, by, reason)))
        wanted = [alarm for alarm in found if origin in (None, alarm.origin)]
        return [alarm for alarm in wanted if alarm.acknowledged is None or not is_open]

    def acknowledge(self, number: int, said: Acknowledgement) -> Alarm:
        """Put on record who has looked into an alarm; alarm and evidence stay as they are."""
        with self.writing():
            alarm = next((each for each in self.alarms() if each.number == number), None)
            if alarm is None:
                raise InputError.of("out-of-range", "number", f"there is no alarm {number}: witness show lists them")
            if alarm.acknowledged is not None:
                message = f"{alarm.acknowledged.by} has acknowledged alarm {number} already, and that stays on record"
                raise InputError.of("already-acknowledged", "number", message)
            self._connection.execute("INSERT INTO acknowledged VALUES (?, ?, ?, ?)", (number, *said))
        return alarm._replace(acknowledged=said)

    def count(self, origin: str | None = None) -> int:
        """How many heads were cosigned, of one log or of all."""
        found = self._rows("SELECT count(*) FROM cosigned WHERE origin = coalesce(?, origin)", origin)
        return int(found[0][0])

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
