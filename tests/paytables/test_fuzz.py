"""Whatever a file holds, the loader gives a sound table or refuses it with faults that name file and line."""

from __future__ import annotations

import re
from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.definitions import game_ids
from houseway.errors import InputError
from houseway.paytables import FAULT_CODES, PayTable, parse_paytable
from houseway.paytables.shipped_tables import DATA
from houseway.paytables.vocabulary import wager_of, wager_words
from houseway.ranking.hand_names import HAND_NAMES
from tests.paytables.sample import UNHURRIED

FILES = {file.name: file.read_bytes() for file in sorted(DATA.glob("*.toml"))}
WORDS = [
    b"true", b"false", b"0", b"-1", b"1", b"1.5", b"nan", b"1000000001", b'""', b'"main"', b"[]", b"{}", b"pays",
    b"percent", b"push", b"level", b"hand", b"also", b"envy_dollars", b"lines", b"source", b'"flush"', b"=", b"\n",
    b"[[lines]]", b",", b"2023-06-14", b'"\xe2\x80\x8b"', b"\xff", b"#", b"unit", b'"for-1"',
    *(f'"{word}"'.encode() for word in (*game_ids(), *wager_words())),
]  # fmt: skip


def check_sound(table: PayTable) -> None:
    """What no accepted table may break."""
    hands = [hand for line in table.lines for hand in line.hands]
    assert table.lines
    assert len(hands) == len(set(hands))
    assert set(hands) <= set(HAND_NAMES)
    for line in table.lines:
        assert sum([line.pays is not None, line.percent is not None, line.push]) == 1
        for number in (line.pays, line.percent, line.envy):
            assert number is None or (type(number) is int and number > 0)
        assert (line.percent is None) == (line.level is None)
        assert line.level is None or line.level in table.levels
        assert line.percent is None or table.wager == "progressive"
    assert (table.unit == "for-1") == (table.wager == "progressive")
    for game in table.games:
        offer = wager_of(game, table.wager)
        assert offer is not None
        assert offer.has_envy or not table.has_envy
        assert offer.lines_may_push or not any(line.push for line in table.lines)
    assert table.approved or table.not_approved_because
    assert table.to_json()["fingerprint"] == table.fingerprint


def load(data: bytes, name: str) -> None:
    try:
        table = parse_paytable(data, name)
    except InputError as refused:
        for fault in refused.faults:
            assert fault.code in FAULT_CODES
            assert re.fullmatch(rf"{re.escape(name)}:[0-9]+", fault.path)
            assert int(fault.path.rpartition(":")[2]) <= data.count(b"\n") + 1
            assert fault.message.isprintable(), fault.message
    else:
        check_sound(table)


@UNHURRIED
@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    load(data, "X.toml")


@UNHURRIED
@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    load(text.encode(), "X.toml")


@settings(UNHURRIED, max_examples=300)
@given(
    st.sampled_from(sorted(FILES)),
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(WORDS)), min_size=1, max_size=3),
)
def test_a_shipped_file_with_parts_overwritten(name: str, edits: list[tuple[float, int, bytes]]) -> None:
    data = FILES[name]
    for where, length, word in edits:
        start = int(where * len(data))
        data = data[:start] + word + data[start + length :]
    load(data, name)


@settings(UNHURRIED, max_examples=200)
@given(st.sampled_from(sorted(FILES)), st.data())
def test_a_shipped_file_with_lines_dropped_or_moved(name: str, data: st.DataObject) -> None:
    rows = FILES[name].split(b"\n")
    for _ in range(data.draw(st.integers(1, 3))):
        row = rows.pop(data.draw(st.integers(0, len(rows) - 1)))
        if data.draw(st.booleans()):
            rows.insert(data.draw(st.integers(0, len(rows))), row)
    load(b"\n".join(rows), name)


def toml_text(value: object) -> str:
    """A value as inline TOML."""
    match value:
        case bool():
            return str(value).lower()
        case str():
            return '"' + "".join(f"\\U{ord(character):08x}" for character in value) + '"'
        case Mapping():
            return "{" + ", ".join(f"{toml_text(key)} = {toml_text(inner)}" for key, inner in value.items()) + "}"
        case list():
            return "[" + ", ".join(toml_text(inner) for inner in value) + "]"
        case _:
            return repr(value)


keys = st.sampled_from(
    [
        "id",
        "title",
        "wager",
        "games",
        "unit",
        "approved",
        "lines",
        "source",
        "levels",
        "fixed_from_meter",
        "linked_with",
        "not_approved_because",
        "printed",
        "notes",
        "hand",
        "also",
        "pays",
        "percent",
        "level",
        "push",
        "envy_dollars",
        "printed_as",
        "reading",
        "document",
        "section",
        "edition",
        "other",
    ]
)
words = st.sampled_from(["X", "progressive", "fortune", "to-1", "for-1", "main", *HAND_NAMES]) | st.text(
    st.characters(exclude_categories=["Cs"]), max_size=8
)
anything = st.recursive(
    st.none().map(lambda _: 1) | st.booleans() | st.integers() | st.floats() | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


@settings(UNHURRIED, max_examples=300)
@given(st.dictionaries(keys, anything, max_size=14))
def test_any_values_under_the_known_keys(values: dict[str, object]) -> None:
    load("\n".join(f"{key} = {toml_text(value)}" for key, value in values.items()).encode(), "X.toml")
