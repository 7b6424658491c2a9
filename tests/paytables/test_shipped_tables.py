"""The shipped tables as a set: which there are, what each is for, and the facts that the issue of a table decides."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys

import pytest

from houseway.errors import InputError
from houseway.paytables import paytable, paytable_ids, paytables, set_fingerprint

SIX, SEVEN = ("six-card-fortune",), ("fortune", "commission-free-fortune")
LINKED = ("face-up", "fortune", "commission-free-fortune")
POKER = ("six-card-poker",)

# id: wager, games, levels, has envy
EXPECTED = {
    "6CFPGP-1": ("fortune", SIX, (), True),
    "6CFPGP-2": ("fortune", SIX, (), False),
    "6CFPGP-3": ("fortune", SIX, (), False),
    "6CFPGP-INS": ("insurance", SIX, (), False),
    "6CFPGPP-2": ("progressive", SIX, ("main",), True),
    "6CFPGPP-3": ("progressive", SIX, ("five_aces", "royal_flush"), True),
    "6CFPGPP-4": ("progressive", SIX, ("main",), True),
    "6CFPGPP-5": ("progressive", SIX, ("main",), False),
    **{f"FPGP-{number}": ("fortune", SEVEN, (), True) for number in (1, 2, 3, 4, 6, 7)},
    **{f"PGD-0{number}": ("paigowd", ("fortune",), (), False) for number in (1, 2, 3)},
    "TIGER9": ("tiger9", ("commission-free-fortune",), (), False),
    **{f"FPGPP-WA0{number}": ("progressive", SEVEN, ("main",), False) for number in (1, 3, 7)},
    "FPGPP-ML2": ("progressive", SEVEN, ("mega", "major", "minor"), False),
    **dict.fromkeys(("FUPGPP-WA01", "FUPGPP-03", "FUPGPP-07"), ("progressive", LINKED, ("main",), False)),
    "FUPGPP-ML02": ("progressive", LINKED, ("mega", "major", "minor"), False),
    **{f"SCP-{name}": ("aces_up", POKER, (), False) for name in ("01", "02", "03", "04", "LAYOUT")},
    **{f"TWBB-00{number}": ("bad_beat", POKER, (), False) for number in (1, 2, 3)},
    **dict.fromkeys(("SIXCPP-01", "SIXCPP-02"), ("progressive", POKER, ("main",), True)),
}


def test_the_tables_and_what_they_are_for() -> None:
    assert {table.id: (table.wager, table.games, table.levels, table.has_envy) for table in paytables()} == EXPECTED
    assert paytable_ids() == tuple(sorted(EXPECTED))


def test_only_the_layout_drawing_is_not_approved() -> None:
    assert [table.id for table in paytables() if not table.approved] == ["SCP-LAYOUT"]
    assert "layout drawing" in (paytable("SCP-LAYOUT").not_approved_because or "")


def test_progressives_are_for_1_and_the_rest_to_1() -> None:
    assert {table.id for table in paytables() if table.unit == "for-1"} == {
        table.id for table in paytables() if table.wager == "progressive"
    }


def test_fixed_pays_may_come_from_the_meter_only_where_the_sheet_allows_it() -> None:
    assert {table.id for table in paytables() if table.fixed_from_meter} == {
        "6CFPGPP-2", "6CFPGPP-3", "6CFPGPP-4", "6CFPGPP-5", "SIXCPP-01", "SIXCPP-02",
    }  # fmt: skip


def test_a_linked_table_pays_as_the_table_it_is_linked_with() -> None:
    links = {table.id: table.linked_with for table in paytables() if table.linked_with}
    assert links == {
        "FUPGPP-WA01": "FPGPP-WA01",
        "FUPGPP-03": "FPGPP-WA03",
        "FUPGPP-07": "FPGPP-WA07",
        "FUPGPP-ML02": "FPGPP-ML2",
    }
    for face_up, fortune in links.items():
        one, other = paytable(face_up), paytable(fortune)
        assert [line.money() for line in one.lines] == [line.money() for line in other.lines]
        assert (one.unit, one.levels) == (other.unit, other.levels)


def test_the_only_push_is_three_pair_on_fortune_1() -> None:
    pushes = [(table.id, line.hand) for table in paytables() for line in table.lines if line.push]
    assert pushes == [("FPGP-1", "three-pair")]


def test_what_nothing_pins_is_marked_as_a_reading() -> None:
    read = {(table.id, line.hand) for table in paytables() for line in table.lines if line.reading}
    one_line = {(table_id, "seven-card-straight-flush") for table_id in
                ("FPGPP-WA03", "FPGPP-ML2", "FUPGPP-03", "FUPGPP-ML02")}  # fmt: skip
    both = {(table_id, hand) for table_id in ("SIXCPP-01", "SIXCPP-02") for hand in ("royal-flush", "straight-flush")}
    assert read == one_line | both
    takes_more = {(table.id, line.hand) for table in paytables() for line in table.lines if line.also}
    assert takes_more == one_line


def test_every_table_says_where_it_is_printed() -> None:
    for table in paytables():
        assert table.source.document
        assert table.source.section
        assert table.source.edition
    assert "June 14, 2023" in paytable("FPGP-1").source.edition
    assert "October 18, 2018" in paytable("FPGP-1").source.also_in[0]
    older = [table for table in paytables() if table.games in (SIX, POKER)]
    assert all(any("older sheet" in note for note in table.notes) for table in older)


def test_a_table_is_loaded_once() -> None:
    assert paytable("FPGP-1") is paytable("FPGP-1")


def test_asking_for_one_table_reads_it_and_its_game_and_needs_no_numpy() -> None:
    script = (
        "import sys, pathlib; opened = []\n"
        "sys.addaudithook(lambda event, given: opened.append(str(given[0])) if event == 'open' else None)\n"
        "import houseway.paytables as tables\n"
        "tables.paytable('TIGER9')\n"
        "print(len({name for name in opened if name.endswith('.toml')}), 'numpy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "False"]


@pytest.mark.parametrize(
    ("asked", "suggested"),
    [("FPGP-5", "FPGP-"), ("tiger9", "TIGER9"), ("SIXCPP-1", "SIXCPP-01"), ("6CFPGPP-1", "6CFPGPP-")],
)
def test_an_unknown_id_is_refused_with_near_ones(asked: str, suggested: str) -> None:
    with pytest.raises(InputError) as refused:
        paytable(asked, path="paytables.fortune")
    [fault] = refused.value.faults
    assert (fault.code, fault.path) == ("unknown-paytable", "paytables.fortune")
    assert suggested in fault.message.partition("did you mean")[2]


@pytest.mark.parametrize("asked", ["", "../loader", "FPGP-1.toml", "/etc/passwd", "x" * 10_000, "\0", "\ud800"])
def test_an_id_that_is_no_id_is_refused(asked: str) -> None:
    with pytest.raises(InputError) as refused:
        paytable(asked)
    message = refused.value.faults[0].message
    assert message.isprintable()
    assert len(message) < 1000


def test_the_fingerprint_of_the_set_can_be_recomputed() -> None:
    lines = []
    for table in paytables():
        canonical = json.dumps(table.rules(), sort_keys=True, separators=(",", ":"))
        lines.append(f"{table.id} {hashlib.sha256(canonical.encode()).hexdigest()}\n")
    assert set_fingerprint() == hashlib.sha256("".join(lines).encode()).hexdigest()
    assert len({table.fingerprint for table in paytables()}) == len(paytables())
