from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.cli.jsonin import LONGEST_TEXT, parse_json, stream_parser
from houseway.errors import InputError
from houseway.games.examples import EXAMPLE_ROUND


def refused(data: bytes) -> str:
    with pytest.raises(InputError) as caught:
        parse_json(data)
    (fault,) = caught.value.faults
    return fault.code


@pytest.mark.parametrize(
    "text",
    [
        "NaN",
        "Infinity",
        "-Infinity",
        '{"main": NaN}',
        "1e999",
        "-1e999",
        '{"main": 1, "main": 2}',
        '[{"a": {"b": 1, "c": 2, "b": 3}}]',
        "{'a': 1}",
        '{"a": 1} {"b": 2}',
        "[1,]",
        "",
        "[" * 100_000,
        '{"a":' * 100_000,
        "9" * 10_000,
        '"tab\there"',
    ],
)
def test_what_json_does_not_say_clearly_is_refused(text: str) -> None:
    assert refused(text.encode()) == "bad-json"


def test_a_text_in_another_encoding_is_refused() -> None:
    assert refused('{"game": "fortün"}'.encode("latin-1")) == "not-utf8"


def test_a_giant_text_is_refused() -> None:
    assert refused(b" " * LONGEST_TEXT + b"1") == "too-large"


def test_a_fault_names_line_and_column() -> None:
    with pytest.raises(InputError, match="line 2, column 8"):
        parse_json(b'{"a": 1,\n "b": 0x}')


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_every_ordinary_value_is_read_as_it_is(value: object) -> None:
    assert parse_json(json.dumps(value).encode()) == value


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        value = parse_json(data)
    except InputError:
        return
    assert json.loads(data) == value


def test_a_repeated_key_among_very_many_is_found_in_one_pass() -> None:
    """With a search for each key this text would take most of a minute; it takes a fraction of a second."""
    text = "{" + ",".join(f'"key{number}":0' for number in range(60_000)) + ',"key59999":1}'
    with pytest.raises(InputError, match="'key59999' appears twice"):
        parse_json(text.encode())


ROUND_TEXT = json.dumps(EXAMPLE_ROUND)
PIECES = [
    '"', "\\", ":", ",", "{", "}", "[", "]", "0", "-0", "1e5", "1E400", "1.5", "NaN", "null", "true", " ", "\t", "\n",
    "\x00", "\x1f", "\x7f", "é", "\ufeff", "\\ud800", "\\u0061",
    '"game": "fortune", ', '"seat": 1, ', '{"a": {"a": 1}}',
    "9" * 19, "9" * 25, "9" * 5000, "18446744073709551616", "-9223372036854775809", "01", "+1", "'",
]  # fmt: skip


def outcome(parse: Callable[[bytes], object], data: bytes) -> tuple[str, object]:
    try:
        value = parse(data)
    except InputError as error:
        return "refused", error.to_json()
    return "read", repr(value)


@given(st.lists(st.tuples(st.integers(0, len(ROUND_TEXT)), st.integers(0, 3), st.sampled_from(PIECES)), max_size=3))
@settings(max_examples=500, deadline=None)
def test_the_reader_of_streams_reads_the_same(changes: list[tuple[int, int, str]]) -> None:
    text = ROUND_TEXT
    for at, gone, piece in changes:
        text = text[:at] + piece + text[at + gone :]
    data = text.encode()
    assert outcome(stream_parser(), data) == outcome(parse_json, data)


@pytest.mark.parametrize("value", [*PIECES, '{"a": 1, "a": 2}', '[1, {"a": 1, "a": 1}]', '[[{"a": 1, "a": 1}]]', "{}"])
def test_any_value_of_a_member_is_read_the_same(value: str) -> None:
    for text in (value, f'{{"game": {value}}}', f'{{"game": "{value}"}}', f'{{"seats": [{value}]}}', f"{value}: 1"):
        for data in (text.encode(), text.encode("latin-1", "replace"), b"\xed\xa0\x80" + text.encode()):
            assert outcome(stream_parser(), data) == outcome(parse_json, data), text


def test_a_giant_text_is_refused_in_a_stream_too() -> None:
    data = b'{"a": 1}' + b" " * LONGEST_TEXT
    assert outcome(stream_parser(), data) == outcome(parse_json, data)
    assert outcome(parse_json, data)[0] == "refused"
