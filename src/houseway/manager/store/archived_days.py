"""Archived events, read back: each file is compared with the journal's record of it before anything of it is used.

The journal has the SHA-256 of every archive on record, in its signed events and in its state; the file was audited when
that was written. A file with that digest is the archive, and any other is refused. What is read is put into a database
of its own for as long as it is needed, with the rows that the events leave, so that everything that reads a journal
reads archived days as well.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, insert

from houseway.errors import InputError
from houseway.manager.core.engine import Engine
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Archive
from houseway.manager.core.records import Event, digest
from houseway.manager.store import schema, urls
from houseway.manager.store.export import (
    DamagedLineError,
    FirstLine,
    JournalFile,
    LastLine,
    digest_of_file,
    open_journal_file,
)
from houseway.manager.store.journal import Checkpoint
from houseway.manager.store.projections import COLUMNS, Row, rows_of
from houseway.manager.store.reading import WINDOW, View, open_view
from houseway.manager.store.store_errors import JournalDamagedError

_TABLES: Final = ("events", "checkpoints", "snapshots", *COLUMNS)


class RecordedArchive(NamedTuple):
    """An archive as the journal has it on record."""

    first: int
    up_to: int
    digest: str
    hash: str
    since: int
    """The time of its first event; 0 for the first archive, or where it was not told."""
    until: int
    """The time of its last event; 0 where it was not told."""

    def __str__(self) -> str:
        """How people find the file."""
        return f"the archive of the events {self.first} to {self.up_to} (SHA-256 {self.digest})"


class CheckedArchive(NamedTuple):
    """A file that is an archive of the journal."""

    path: Path
    record: RecordedArchive


def recorded_archives(floor: Floor) -> list[RecordedArchive]:
    """The archives of a journal in their order, as its state has them."""
    found, last = list[RecordedArchive](), Archive("0", 0, 0, "", "")
    for each in sorted(floor.archives.values(), key=lambda archive: archive.up_to):
        found.append(RecordedArchive(last.up_to + 1, each.up_to, each.file_digest, each.hash, last.next_at, each.at))
        last = each
    return found


def check_archive(path: Path, journal_id: str, recorded: Sequence[RecordedArchive]) -> CheckedArchive:
    """The archive that a file is; refused unless its digest is on record."""
    with open_journal_file(path, "archive") as file:
        header = file.header
    record = next((each for each in recorded if each.first == header.first), None)
    if header.journal != journal_id or record is None or header.last != record.up_to + 1:
        message = f"{path} holds events {header.first} to {header.last}: no archive of this journal does"
        raise InputError.of("wrong-archive", "archive", message)
    if digest_of_file(path) != record.digest:
        message = f"{path} is not the file that was recorded: its SHA-256 is not that of {record}"
        raise InputError.of("wrong-archive", "archive", message)
    return CheckedArchive(path, record)


@contextlib.contextmanager
def opened_archives(view: View, archives: Sequence[CheckedArchive], since: int, until: int) -> Iterator[View]:
    """A view of the events from a time to another that lie in archives, and behind them in the live tables.

    The archives must follow on each other, and the live tables on the last one wherever the time reaches beyond it. The
    view begins with the newest state that is named before `since`; with it goes what signs its last event.
    """
    with tempfile.TemporaryDirectory(prefix="houseway-archive-") as folder:
        url = f"sqlite:///{folder}/archive.db"
        engine, keys = urls.engine_at(url, create=True), dict[str, str]()
        try:
            schema.metadata.create_all(engine)
            with engine.begin() as connection:
                journal = [{"name": "journal", "value": view.journal_id() or ""}]
                connection.execute(insert(schema.meta), journal)
                reader = _Reader(connection, since, until)
                for archive in archives:
                    keys |= _read(reader, archive, is_last=archive is archives[-1])
                if not reader.is_done:
                    _go_on(reader, view)
                reader.flush()
        finally:
            engine.dispose()
        with open_view(url) as found:
            found.keys = keys
            yield found


def _read(reader: _Reader, archive: CheckedArchive, *, is_last: bool) -> dict[str, str]:
    """Read a file to its end, or as far as it is needed; returns the keys that it names."""
    with open_journal_file(archive.path, "archive") as file:
        try:
            for item in _items(file, archive.record, is_last=is_last):
                reader.take(item, file.header)
                if reader.is_done:
                    break
        except (DamagedLineError, msgspec.DecodeError) as error:
            message = f"{archive.path}, line {file.line}: {error}; verify the file (houseway audit verify)"
            raise InputError.of("unreadable-file", "archive", message) from None
        return file.header.keys


def _items(file: JournalFile, record: RecordedArchive, *, is_last: bool) -> Iterator[Event | Checkpoint | Floor]:
    """What a file holds; the event behind its own ones, which names its last state, begins the next file as well."""
    for item in file.items():
        is_beyond = isinstance(item, Event | Checkpoint) and item.seq > record.up_to and not is_last
        if not isinstance(item, LastLine) and not is_beyond:
            yield item


def _go_on(reader: _Reader, view: View) -> None:
    """Add live events behind those of the archives, as far as they are needed."""
    checkpoints = view.checkpoints(reader.seq)
    waiting = next(checkpoints, None)
    for event in view.events(reader.seq):
        reader.take(event, None)
        while waiting is not None and waiting.seq <= event.seq:
            reader.take(waiting, None)
            waiting = next(checkpoints, None)
        if reader.is_done:
            return


class _Reader:
    """Events on their way into the database, with the rows that they leave."""

    def __init__(self, connection: Connection, since: int, until: int) -> None:
        self._connection = connection
        self._since = since
        self._until = until
        self._engine = Engine()
        self._reached = 0
        """The latest time so far: where two people have set the clock back, the day that was reached goes on."""
        self._rows: dict[str, list[Row]] = {name: [] for name in _TABLES}
        self._is_beyond = False
        self.is_done = False
        """Whether an event beyond the time was read, with what signs it."""

    @property
    def seq(self) -> int:
        """The last event that was read."""
        return self._engine.seq

    def take(self, item: Event | Checkpoint | Floor, header: FirstLine | None) -> None:
        """Take what comes next."""
        if isinstance(item, Floor):
            self._begin(item, header)
        elif isinstance(item, Checkpoint):
            self._rows["checkpoints"].append(msgspec.structs.astuple(item))
            self.is_done = self._is_beyond
        else:
            self._follow(item)

    def _begin(self, floor: Floor, header: FirstLine | None) -> None:
        """The state before the first event of a file: of the first file it is the beginning."""
        if header is not None and self._engine.seq == 0:
            self._engine = Engine(floor, header.first - 1, header.previous)
            self._reached = floor.last_at

    def _follow(self, event: Event) -> None:
        engine = self._engine
        if event.seq != engine.seq + 1 or not event.follows(engine.head):
            raise JournalDamagedError(f"events[{event.seq}]", f"it does not follow on event {engine.seq}")
        if event.kind == "system.snapshot":
            self._store_state(event)
        balances = engine.apply(event)
        self._rows["events"].append(msgspec.structs.astuple(event))
        for name, rows in rows_of(event, event.seq, balances)._asdict().items():
            self._rows[name] += rows
        self._reached = max(self._reached, event.at)
        self._is_beyond = self._reached > self._until
        if len(self._rows["events"]) >= WINDOW:
            self.flush()

    def _store_state(self, event: Event) -> None:
        """Store the state that an event names; what lies before it is not needed if all of it is before the time."""
        text = self._engine.floor.text()
        if msgspec.json.decode(event.body)["do"]["digest"] != digest(text):
            raise JournalDamagedError(f"events[{event.seq}]", "the events lead to another state than this one names")
        if self._reached < self._since:
            for name in reversed(_TABLES):
                self._rows[name].clear()
                self._connection.execute(delete(schema.metadata.tables[name]))
        self._rows["snapshots"].append((digest(text), self._engine.seq, self._engine.head, text))

    def flush(self) -> None:
        """Write what was gathered."""
        for name in _TABLES:
            table, rows = schema.metadata.tables[name], self._rows[name]
            if rows:
                names = [column.name for column in table.columns]
                self._connection.execute(insert(table), [dict(zip(names, row, strict=True)) for row in rows])
                rows.clear()


def boundary_time(view: View) -> int:
    """The time of the last archived event, by the state in which the live tables begin; 0 where none was archived."""
    first, _ = view.bounds()
    return view.state_before(first).floor.last_at if first > 1 else 0


__all__ = [
    "CheckedArchive", "RecordedArchive", "boundary_time", "check_archive", "opened_archives", "recorded_archives",
]  # fmt: skip
