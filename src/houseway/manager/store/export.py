"""A journal as a file: events and checkpoints as JSON Lines, which anybody can check without a database.

The first line tells what the file is, which events it holds and with which public keys they were signed. A file that
does not begin with event 1 goes on with the whole state before its first event. Then come the events in order, each
checkpoint behind the event that it signs, and a last line that says the file is whole. Names that end in .gz are
compressed. docs/guides/audit.md has the format, and a short program that checks such a file.
"""

from __future__ import annotations

import contextlib
import errno
import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from io import BufferedReader
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, NamedTuple, cast

import msgspec

from houseway.errors import InputError, MissingPartError
from houseway.manager.core.floor import Floor
from houseway.manager.core.records import Event, canonical
from houseway.manager.store.journal import Checkpoint
from houseway.manager.store.reading import View

VERSION: Final = 1
LONGEST_LINE: Final = 1 << 28
"""Bytes that one line may have: a state of a whole property with room to spare."""
_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EIO)
_GZIP: Final = b"\x1f\x8b"


class FirstLine(msgspec.Struct, frozen=True, rename={"first": "from", "last": "to"}):
    """The first line of a file."""

    houseway: Literal["journal"]
    version: int
    first: int
    last: int
    previous: str
    """The hash before the first event."""
    journal: str
    """The id of the journal, which the checkpoints sign."""
    keys: dict[str, str]
    """Public keys (Ed25519, hexadecimal) by the id under which checkpoints name them."""


class LastLine(msgspec.Struct, frozen=True):
    """The last line of a file."""

    events: int
    checkpoints: int
    hash: str
    """That of the last event."""


class _Line(msgspec.Struct, frozen=True):
    """A line behind the first: one of these."""

    event: Event | None = None
    checkpoint: Checkpoint | None = None
    state: dict[str, Any] | None = None
    end: LastLine | None = None


Item = Event | Checkpoint | Floor | LastLine
_HEADER: Final = msgspec.json.Decoder(FirstLine)
_LINE: Final = msgspec.json.Decoder(_Line)


class ExportResult(NamedTuple):
    """What was written to a file."""

    first: int
    last: int
    hash: str
    events: int
    checkpoints: int
    digest: str
    """SHA-256 of the file as it lies on the disk."""


class DamagedLineError(ValueError):
    """A line of a file that cannot be read; `line` is its number."""

    def __init__(self, line: int, what: str) -> None:
        """Name the line and what is wrong."""
        self.line = line
        super().__init__(what)


# Writing


def write_journal(
    view: View, target: Path, keys: dict[str, str], first: int = 1, last: int | None = None
) -> ExportResult:
    """Write events `first` to `last` (by default the newest) with their checkpoints to a new file, all or nothing."""
    lowest, highest = view.bounds()
    last = highest if last is None else last
    if not lowest <= first <= last <= highest:
        raise _bad_range(first, last, lowest, highest)
    before = view.state_at(first - 1)
    view.state_at(last)  # whatever is exported is signed
    header = FirstLine("journal", VERSION, first, last, before.hash, view.journal_id() or "", keys)
    with new_file(target) as file, contextlib.ExitStack() as stack:
        packed: BinaryIO = file
        if target.name.endswith(".gz"):
            packed = stack.enter_context(_packed(file))
        _put(packed, header)
        if first > 1:
            _put(packed, {"state": before.floor.snapshot()})
        end = _write_items(packed, view, first, last)
        _put(packed, {"end": end})
    return ExportResult(first, last, end.hash, end.events, end.checkpoints, digest_of_file(target))


def _packed(file: BinaryIO) -> AbstractContextManager[BinaryIO]:
    """A compressed file on top of a file, the same bytes for the same content."""
    return cast("AbstractContextManager[BinaryIO]", gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0))


def _bad_range(first: int, last: int, lowest: int, highest: int) -> InputError:
    there = "the journal is empty" if highest == 0 else f"the journal holds events {lowest} to {highest}"
    return InputError.of("out-of-range", "from", f"events {first} to {last} cannot be exported: {there}")


def _write_items(file: BinaryIO, view: View, first: int, last: int) -> LastLine:
    """Write events and checkpoints, merged in their order."""
    checkpoints = view.checkpoints(first - 1, last)
    waiting = next(checkpoints, None)
    events = signed = 0
    head = ""
    for event in view.events(first - 1, last):
        _put(file, {"event": event})
        events, head = events + 1, event.hash
        while waiting is not None and waiting.seq <= event.seq:
            _put(file, {"checkpoint": waiting})
            signed += 1
            waiting = next(checkpoints, None)
    return LastLine(events, signed, head)


def _put(file: BinaryIO, value: object) -> None:
    file.write(canonical(value) + b"\n")


@contextlib.contextmanager
def new_file(target: Path) -> Iterator[BinaryIO]:
    """A file that gets its name only when it is whole and on the disk; one that exists is never overwritten."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        if target.exists():
            raise FileExistsError(errno.EEXIST, "it exists already, name another")
        try:
            with beside.open("xb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            _name_finished(beside, target)
        finally:
            with contextlib.suppress(OSError):
                beside.unlink(missing_ok=True)
        _sync(target.parent)
    except OSError as problem:
        raise _unwritable(target, problem) from None


def _name_finished(beside: Path, target: Path) -> None:
    """Give a finished file its name, without taking the place of one that came up meanwhile."""
    try:
        os.link(beside, target)
    except OSError as problem:
        # Sticks and shares without hard links can only rename.
        if problem.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS):
            raise
        beside.rename(target)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unwritable(target: Path, problem: OSError) -> Exception:
    reason = problem.strerror or str(problem)
    if problem.errno in _NO_ROOM:
        return MissingPartError(f"{target} could not be written: {reason}; make room, or name a file elsewhere")
    return InputError.of("unwritable-file", "file", f"{target} cannot be written: {reason}")


# Reading


class JournalFile:
    """A file that holds a journal; `items` reads it once, from the beginning to the end."""

    def __init__(self, path: Path, raw: BufferedReader, stream: BinaryIO, header: FirstLine) -> None:
        """Read on behind the header; `raw` is the file as it lies on the disk."""
        self.path = path
        self.header = header
        self.line = 1
        self._raw = raw
        self._stream = stream

    def digest(self) -> str:
        """SHA-256 of the very file that is read from here, whatever gets its name meanwhile; `items` goes on after."""
        place = self._raw.tell()
        self._raw.seek(0)
        found = hashlib.file_digest(self._raw, "sha256").hexdigest()
        self._raw.seek(place)
        return found

    def items(self) -> Iterator[Item]:
        """Events, checkpoints, the state before the first event, and the end; `DamagedLineError` for anything else."""
        while True:
            self.line += 1
            text = _read_line(self._stream, self.line)
            if not text:
                return
            yield self._item(text)

    def _item(self, text: bytes) -> Item:
        try:
            found = _LINE.decode(text)
            if found.state is not None:
                return Floor.restored(found.state)
        except (msgspec.DecodeError, KeyError, TypeError, ValueError) as error:
            raise DamagedLineError(self.line, f"the line cannot be read: {error}") from None
        item = found.event or found.checkpoint or found.end
        if item is None:
            raise DamagedLineError(self.line, "the line holds neither an event nor a checkpoint")
        return item


@contextlib.contextmanager
def open_journal_file(path: Path, argument: str = "file") -> Iterator[JournalFile]:
    """A journal file, whose first line must say that it is one; InputError names the argument if it is none."""
    with contextlib.ExitStack() as stack:
        try:
            raw = stack.enter_context(path.open("rb"))
            packed = raw.read(2) == _GZIP
            raw.seek(0)
        except OSError as error:
            raise InputError.of("unreadable-file", argument, f"{path} cannot be read: {error.strerror}") from None
        stream = cast("BinaryIO", stack.enter_context(gzip.GzipFile(fileobj=raw))) if packed else raw
        try:
            header = _HEADER.decode(_read_line(stream, 1))
        except (msgspec.DecodeError, DamagedLineError) as error:
            message = f"{path} is neither an exported journal nor a manager's database ({error})"
            raise InputError.of("no-journal", argument, message) from None
        if header.version != VERSION:
            message = f"{path} has the format {header.version}, this version of houseway reads {VERSION}"
            raise InputError.of("no-journal", argument, message)
        yield JournalFile(path, raw, stream, header)


def _read_line(stream: BinaryIO, number: int) -> bytes:
    """The next line, empty behind the last one."""
    try:
        text = stream.readline(LONGEST_LINE)
    except (OSError, EOFError, zlib.error) as error:
        raise DamagedLineError(number, f"the file is damaged or cut off from here on ({error})") from None
    if text and not text.endswith(b"\n"):
        raise DamagedLineError(number, "the file is cut off in this line")
    return text


def digest_of_file(path: Path) -> str:
    """SHA-256 of a file as it lies on the disk, as `sha256sum` prints it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
