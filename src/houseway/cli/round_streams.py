"""Telling one round from a stream of rounds: `settle` takes a JSON object, or one object a line (JSON Lines).

A stream is read as it comes, so that it can be longer than the memory and a program can wait for each answer before it
sends the next round. Only an object that is spread over several lines is read to its end first.
"""

from __future__ import annotations

import codecs
import json
from collections import deque
from collections.abc import Iterator
from io import BufferedIOBase
from typing import BinaryIO, Final, NamedTuple, cast

from houseway.cli.files import unreadable
from houseway.cli.jsonin import LONGEST_TEXT, parse_json
from houseway.errors import InputError

_READ_LIMIT: Final = LONGEST_TEXT + 1
_BLOCK: Final = 1 << 18


class RoundEntry(NamedTuple):
    """The text of one round; `line` is where it stands in a stream, None for a single object on several lines."""

    line: int | None
    data: bytes


class StreamLines:
    """The lines of a stream that are not blank, with their numbers; of a giant line only the beginning is kept.

    Whatever the stream has at hand is taken at once, and no more is asked for before that is used up.
    """

    def __init__(self, stream: BinaryIO) -> None:
        """Begin at the top; nothing is read yet."""
        self._stream = stream
        self._whole: deque[bytes] = deque()
        self._rest = b""
        self._number = 0

    @property
    def waiting(self) -> bool:
        """Whether a line can be had without reading on."""
        return bool(self._whole)

    def __iter__(self) -> Iterator[RoundEntry]:
        """One line after another."""
        while data := self._next():
            self._number += 1
            if self._number == 1:
                data = data.removeprefix(codecs.BOM_UTF8)
            if data.strip():
                yield RoundEntry(self._number, data)

    def _next(self) -> bytes:
        """The next line with its end, or what the stream ends with."""
        while not self._whole:
            read = self._read()
            if not read:
                last, self._rest = self._rest, b""
                return last
            first, *others = read.split(b"\n")
            # A giant line is not collected: more than its beginning nobody looks at.
            first = self._rest if len(self._rest) >= _READ_LIMIT else self._rest + first
            *whole, self._rest = first, *others
            self._whole.extend([(line + b"\n")[:_READ_LIMIT] for line in whole])
            self._rest = self._rest[:_READ_LIMIT]
        return self._whole.popleft()

    def _read(self) -> bytes:
        try:
            # At most one read of the system: what is there, as soon as something is.
            return cast("BufferedIOBase", self._stream).read1(_BLOCK)
        except OSError as error:
            raise unreadable("the input", "file", error) from error


def entries(stream: StreamLines) -> Iterator[RoundEntry]:
    """The rounds of an input, each as its text; blank lines are skipped."""
    lines = iter(stream)
    first = next(lines, None)
    if first is None:
        return
    if not _may_go_on(first.data):
        yield first
        yield from lines
        return
    read = [first]
    size = len(first.data)
    for entry in lines:
        read.append(entry)
        size += len(entry.data)
        if size > LONGEST_TEXT or _is_round(entry.data):
            # Whatever the first line is, this is a stream of lines.
            yield from read
            yield from lines
            return
    yield RoundEntry(None, b"".join(_padded(read)))


def _padded(read: list[RoundEntry]) -> Iterator[bytes]:
    """The texts of the lines with the blank ones back in their places, so that a fault names the right line."""
    number = 1
    for entry in read:
        assert entry.line is not None
        yield b"\n" * (entry.line - number) + entry.data
        number = entry.line + 1


def _may_go_on(data: bytes) -> bool:
    """Whether this line is the beginning of an object that the next lines could complete."""
    try:
        json.loads(data)
    except json.JSONDecodeError as error:
        # Everything up to the end of the line was fine, and what is missing is not the end of a string.
        return error.pos >= len(error.doc.rstrip()) and data.lstrip().startswith(b"{")
    except (ValueError, RecursionError):
        return False
    return False


def _is_round(data: bytes) -> bool:
    """Whether this line is a whole round by itself: no part of a round has a key `game`."""
    try:
        value = parse_json(data)
    except InputError:
        return False
    return isinstance(value, dict) and "game" in value
