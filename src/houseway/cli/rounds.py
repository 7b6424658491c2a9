"""Telling one round from a stream of rounds: `settle` takes a JSON object, or one object a line (JSON Lines).

A stream is read line by line, so that it can be longer than the memory and a program can wait for each answer before it
sends the next round. Only an object that is spread over several lines is read to its end first.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final

from houseway.cli.files import unreadable
from houseway.cli.jsonin import LONGEST_TEXT, parse_json
from houseway.errors import InputError

_READ_LIMIT: Final = LONGEST_TEXT + 1


@dataclass(frozen=True, slots=True)
class Entry:
    """The text of one round; `line` is where it stands in a stream, None for a single object on several lines."""

    line: int | None
    data: bytes


def entries(stream: BinaryIO) -> Iterator[Entry]:
    """The rounds of an input, each as its text; blank lines are skipped."""
    lines = _lines(stream)
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
    yield Entry(None, b"".join(_padded(read)))


def _lines(stream: BinaryIO) -> Iterator[Entry]:
    """The lines that are not blank, with their numbers; of a giant line only the beginning is kept."""
    number = 0
    while data := _read_line(stream):
        number += 1
        rest = data
        while len(rest) == _READ_LIMIT and not rest.endswith(b"\n"):
            rest = _read_line(stream)
        if number == 1:
            data = data.removeprefix(codecs.BOM_UTF8)
        if data.strip():
            yield Entry(number, data)


def _read_line(stream: BinaryIO) -> bytes:
    try:
        return stream.readline(_READ_LIMIT)
    except OSError as error:
        raise unreadable("the input", "file", error) from error


def _padded(read: list[Entry]) -> Iterator[bytes]:
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
