"""The one reader of input: all faults once, in order, bounded; each with its place, its code and what was meant."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.errors import Fault, InputError
from houseway.reading.codes import ROUND, Codes
from houseway.reading.faults import MOST_CENTS, MOST_FAULTS, MOST_HINTS, Faults
from houseway.reading.fields import Fields
from houseway.reading.places import Place
from houseway.reading.toml_files import FileFaults, parse_toml, text_of

FILE_CODES = Codes("no-key", "odd-key", "odd-kind", "odd-number", "odd-bounds", "odd-text", "odd-word")
TEXT = """\
title = "A"
kind = "mian"
seats = 9
tilte = "B"

[[lines]]
pays = 2.5
[[lines]]
pays = 3
also = ["one", "tow", "one"]
"""


def fields(text: str) -> tuple[Fields, FileFaults]:
    faults = FileFaults(FILE_CODES, "x.toml", text)
    return Fields(parse_toml(text, code="x", name="x.toml"), Place("the table"), faults), faults


def test_faults_are_told_once_and_in_their_order() -> None:
    faults = Faults()
    assert not faults.any
    faults.refuse_if_any()
    for path in ("b", "a", "b"):
        faults.integer("7", path)
    with pytest.raises(InputError) as refused:
        faults.refuse_if_any()
    assert [fault.path for fault in refused.value.faults] == ["b", "a"]


def test_past_a_number_that_anybody_reads_only_that_there_are_more() -> None:
    faults = Faults()
    faults.keys([f"paytable{number}" for number in range(2 * MOST_FAULTS)], ("paytables",), "")
    found = faults.found()
    assert len(found) == MOST_FAULTS + 1
    assert found[-1].code == "too-many-faults"
    assert sum("did you mean paytables?" in fault.message for fault in found) == MOST_HINTS


def test_faults_of_another_reader_are_taken_over() -> None:
    def refuse() -> int:
        raise InputError([Fault("one", "x", "1"), Fault("two", "y", "2")])

    faults = Faults()
    assert faults.read(lambda: 5) == 5
    assert faults.read(refuse) is None
    assert [fault.code for fault in faults.found()] == ["one", "two"]


@pytest.mark.parametrize(
    ("check", "value", "code", "message"),
    [
        ("mapping", [], ROUND.kind, "expected an object, found a list"),
        ("mapping", {1: 2}, ROUND.kind, "the keys of an object are text"),
        ("sequence", {}, ROUND.kind, "expected a list, found an object"),
        ("boolean", 0, ROUND.kind, "expected true or false, found a whole number"),
        ("text", None, ROUND.kind, "expected text, found null"),
        ("integer", True, ROUND.number, "expected a whole number, found true or false"),
        ("integer", 1.0, ROUND.number, "expected a whole number, found a number with a fraction"),
        ("integer", -1, ROUND.bounds, f"-1 is outside 0 to {MOST_CENTS}"),
        pytest.param(
            "integer", 10**5000, ROUND.bounds, f"a number of about 4983 digits is outside 0 to {MOST_CENTS}", id="giant"
        ),
        ("cents", "5", ROUND.number, "expected whole cents, as in 2500 for $25.00, found text"),
    ],
)
def test_a_value_that_does_not_fit_is_told_with_what_was_expected(
    check: str, value: object, code: str, message: str
) -> None:
    faults = Faults()
    assert not getattr(faults, check)(value, "seats[2].seat")
    assert faults.found() == [Fault(code, "seats[2].seat", message)]


def test_a_word_of_a_closed_list() -> None:
    faults = Faults()
    assert faults.choice("main", ("main", "fortune"), "x") == "main"
    assert faults.choice("fortuna", ("main", "fortune"), "x") is None
    assert faults.choice("zz\x1b", ("main", "fortune"), "x", "odd") is None
    assert faults.choice(["main"], ("main", "fortune"), "x", "odd") is None
    assert [(fault.code, fault.message) for fault in faults.found()] == [
        (ROUND.word, "'fortuna' is not known: did you mean fortune?"),
        ("odd", "'zz?' is not known: choose one of main, fortune"),
        (ROUND.kind, "expected text, found a list"),
    ]


def test_every_fault_of_a_table_stands_at_its_line_from_the_top_down() -> None:
    table, faults = fields(TEXT)
    lines = table.tables("lines", "line")
    assert [line.whole("pays", 1, 100) for line in lines] == [None, 3]
    assert lines[1].words("also", ("one", "two")) == ("one",)
    assert (table.word("kind", ("main", "bonus")), table.whole("seats", 1, 7), table.text("title")) == (None, None, "A")
    table.only(("title", "kind", "unit"), ("seats", "lines"))
    assert [(fault.code, fault.path, fault.message) for fault in faults.found()] == [
        ("no-key", "x.toml:1", 'the table needs "unit": add it'),
        ("odd-word", "x.toml:2", "\"kind\" of the table: 'mian' is not known: did you mean main?"),
        ("odd-bounds", "x.toml:3", '"seats" of the table: 9 is outside 1 to 7'),
        ("odd-key", "x.toml:4", '"tilte" of the table is not read here: did you mean title?'),
        (
            "odd-number",
            "x.toml:7",
            '"pays" of line 1: expected a whole number from 1 to 100, found a number with a fraction',
        ),
        ("odd-word", "x.toml:10", "element 2 of \"also\" of line 2: 'tow' is not known: did you mean two?"),
        ("odd-word", "x.toml:10", "element 3 of \"also\" of line 2: 'one' appears twice"),
    ]


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda table: table.text("seats"), '"seats" of the table: expected text, found a whole number'),
        (lambda table: table.text("title", 0), '"title" of the table: expected 1 to 0 printable characters'),
        (lambda table: table.texts("title"), '"title" of the table: expected a list of texts, found text'),
        (lambda table: table.flag("title"), '"title" of the table: expected true or false, found text'),
        (lambda table: table.table("lines", "[lines]"), '"lines" of the table: expected a table, found a list'),
        (lambda table: table.tables("seats", "seat"), '"seats" of the table: expected a list of tables, found a whole'),
    ],
)
def test_what_a_field_cannot_be_is_told(read: Any, message: str) -> None:
    table, faults = fields(TEXT)
    assert not read(table)
    (fault,) = faults.found()
    assert fault.message.startswith(message)


def test_an_absent_field_is_none_and_no_fault_of_its_own() -> None:
    table, faults = fields(TEXT)
    assert [table.text("x"), table.word("x", ()), table.flag("x"), table.whole("x", 0, 1), table.table("x", "x")] == [
        None
    ] * 5
    assert (table.texts("x"), table.words("x", ()), table.tables("x", "x")) == ((), (), [])
    assert not faults.any


def test_faults_of_files_below_come_first_and_the_end_of_the_list_last() -> None:
    table, faults = fields(TEXT)
    table.whole("title", 0, 1)
    faults.note(Fault("elsewhere", "y.toml:9", "below"))
    for number in range(MOST_FAULTS):
        table.fault("same", "kind", f"{number}")
    found = faults.found()
    assert [found[0].path, found[1].path, found[-1].code] == ["y.toml:9", "x.toml:1", "too-many-faults"]


def test_a_file_that_is_no_text_is_refused_at_its_line() -> None:
    for data, path in ((b"a\nb\xff", "x.toml:2"), (b"#" * 11, "x.toml:1")):
        with pytest.raises(InputError) as refused:
            text_of(data, code="unreadable", name="x.toml", most=10)
        assert [(fault.code, fault.path) for fault in refused.value.faults] == [("unreadable", path)]
