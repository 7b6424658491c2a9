"""Telling one round from a stream of rounds."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import BinaryIO, cast

import pytest

from houseway.cli.jsonin import LONGEST_TEXT, parse_json
from houseway.cli.round_streams import RoundEntry, StreamLines, entries
from houseway.errors import InputError


def read(data: bytes) -> list[tuple[int | None, bytes]]:
    return [(entry.line, entry.data.strip()) for entry in entries(StreamLines(io.BytesIO(data)))]


@pytest.mark.parametrize(
    "data",
    [
        b'{\n  "game": "fortune",\n  "seats": [\n    {"seat": 1}\n  ]\n}\n',
        b'{"game":\n"fortune"}',
        b'{"game": "fortune",\n\n"seats": []}\n\n',
        b'{"game": "fortune"\n}',
        b'{"seats": [{\n"seat": 1}]}',
    ],
)
def test_an_object_on_several_lines_is_one_round(data: bytes) -> None:
    ((line, text),) = read(data)
    assert line is None
    assert parse_json(text) == parse_json(data)


def test_an_object_on_one_line_is_a_line() -> None:
    assert read(b'{"game": "fortune"}') == [(1, b'{"game": "fortune"}')]


def test_blank_lines_are_skipped_and_counted() -> None:
    assert read(b'\n{"game": 1}\n  \n\n{"game": 2}\r\n') == [(2, b'{"game": 1}'), (5, b'{"game": 2}')]


@pytest.mark.parametrize("broken", [b"nonsense", b'{"game": "fort', b'{"game": 1, "seats": [', b"[", b'{"a": 0x}'])
def test_a_broken_first_line_does_not_hide_the_rounds_after_it(broken: bytes) -> None:
    assert read(broken + b'\n{"game": 2}\n{"game": 3}\n') == [(1, broken), (2, b'{"game": 2}'), (3, b'{"game": 3}')]


def test_a_broken_object_on_several_lines_is_one_fault_with_its_line() -> None:
    ((line, text),) = read(b'\n{\n "game": "fortune",\n "seats": [],,\n}\n')
    assert line is None
    with pytest.raises(InputError, match="column"):
        parse_json(text)


def test_the_line_in_a_fault_counts_blank_lines() -> None:
    (entry,) = entries(StreamLines(io.BytesIO(b'\n\n{\n\n "game": 0x\n}\n')))
    with pytest.raises(InputError, match="line 5"):
        parse_json(entry.data)


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert read(b'\xef\xbb\xbf{"game": 1}\n') == [(1, b'{"game": 1}')]


def test_nothing_is_no_round() -> None:
    assert read(b"") == read(b"\n \n\t\n") == []


def test_a_giant_line_is_cut_and_the_next_one_still_read() -> None:
    giant = b'{"game": "' + b"x" * (3 * LONGEST_TEXT) + b'"}'
    (first, cut), second = read(giant + b'\n{"game": 2}\n')
    assert (first, second) == (1, (2, b'{"game": 2}'))
    assert len(cut) == LONGEST_TEXT + 1
    with pytest.raises(InputError, match="no round is that large"):
        parse_json(cut)


def test_an_endless_unfinished_object_is_given_up_as_a_stream() -> None:
    lines = b"{\n" + b'"x": [' + b" " * 1000 + b"\n"
    found = read(lines + (b" " * 1000 + b"1,\n") * 2000)
    assert found[0] == (1, b"{")
    assert len(found) == 2002


def test_a_stream_is_read_only_as_far_as_it_is_asked_for() -> None:
    class Feed(io.BufferedIOBase):
        def __init__(self, reads: Iterator[bytes]) -> None:
            self.reads = reads
            self.count = 0

        def read1(self, size: int = -1, /) -> bytes:
            self.count += 1
            return next(self.reads)

    feed = Feed(b'{"game": %d}\n{"game": %d}\n{' % (number, number) for number in range(1000))
    lines = StreamLines(cast(BinaryIO, feed))
    found = entries(lines)
    assert [next(found).line, feed.count, lines.waiting] == [1, 1, True]
    assert [next(found).line, feed.count, lines.waiting] == [2, 1, False]
    assert [next(found).line, feed.count, lines.waiting] == [3, 2, True]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_how_the_input_comes_in_pieces_changes_nothing(size: int) -> None:
    data = b'\n{"game": 1}\n  \n\n{"game": 2}\r\n{"a": "' + b"x" * 20 + b'"}\nlast'

    class Drops(io.BytesIO):
        def read1(self, _: int | None = -1, /) -> bytes:
            return super().read1(size)

    assert list(entries(StreamLines(Drops(data)))) == list(entries(StreamLines(io.BytesIO(data))))


@pytest.mark.parametrize("longer", [-1, 0, 1, 2, LONGEST_TEXT])
@pytest.mark.parametrize("end", [b"", b"\n", b'\n{"game": 2}\n'])
def test_of_a_giant_line_the_beginning_is_kept(longer: int, end: bytes) -> None:
    giant = b"x" * (LONGEST_TEXT + longer)
    first, *others = entries(StreamLines(io.BytesIO(giant + end)))
    assert first == RoundEntry(1, (giant + end[:1])[: LONGEST_TEXT + 1])
    assert [(entry.line, entry.data) for entry in others] == ([(2, end[1:])] if end[1:] else [])
