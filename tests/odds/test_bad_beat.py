"""Bad Beat and the comparison of every pair of six-card hands behind it, against hands dealt out one by one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import pytest

from houseway.odds.six_card_poker import bad_beat
from houseway.paytables import paytable

TABLES = ("TWBB-001", "TWBB-002", "TWBB-003")


LINES = (
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    "two-pair",
    "pair-of-aces",
)
"""The losing hands that the printed tables name, in their order."""


def test_the_lines_are_those_of_the_printed_tables() -> None:
    for table in TABLES:
        assert tuple(line.hand for line in paytable(table).lines) == LINES


def shipped_counts(lines: Sequence[str] = LINES) -> dict[str, int]:
    """The winning deals by the first of the lines that the losing cards fit."""
    losing = bad_beat.losing_hands()
    assert losing is not None
    counts = dict.fromkeys(lines, 0)
    for names, deals in losing.items():
        first = next((line for line in lines if line in names), None)
        if first is not None:
            counts[first] += deals
    return counts


def test_the_shipped_counts() -> None:
    assert bad_beat.DEALS == 190_694_571_947_880
    assert shipped_counts() == {
        "straight-flush": 1_967_920,
        "four-of-a-kind": 150_323_712,
        "full-house": 18_331_506_888,
        "flush": 57_651_601_832,
        "straight": 185_942_016_336,
        "three-of-a-kind": 776_263_604_160,
        "two-pair": 6_590_308_474_656,
        "pair-of-aces": 2_871_866_305_368,
    }


@pytest.mark.parametrize(("table", "percent"), list(zip(TABLES, ("11.1243", "11.4473", "11.4888"), strict=True)))
def test_the_edges_of_the_printed_tables(table: str, percent: str) -> None:
    """The sheet prints no figure for Bad Beat: these are ours."""
    counts, deals = shipped_counts(), bad_beat.DEALS
    lines = paytable(table).lines
    won = sum(counts[line.hand] * (line.pays or 0) for line in lines)
    assert f"{float(Fraction(deals - sum(counts.values()) - won, deals)):.4%}" == f"{percent}%"


def test_a_table_in_another_order_takes_its_own_first_line() -> None:
    """A losing straight with a pair of aces in it goes to whichever line stands first."""
    losing = bad_beat.losing_hands()
    assert losing is not None
    both = sum(deals for names, deals in losing.items() if "pair-of-aces" in names and "straight" in names)
    aces_first = shipped_counts(("pair-of-aces", "straight"))
    straight_first = shipped_counts(("straight", "pair-of-aces"))
    assert both > 0
    assert aces_first["pair-of-aces"] - straight_first["pair-of-aces"] == both
    assert sum(aces_first.values()) == sum(straight_first.values())


def test_results_made_for_other_rules_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document = json.loads(bad_beat.DATA_PATH.read_text())
    changed = tmp_path / "bad-beat.json"
    changed.write_text(json.dumps(document | {"fingerprint": "0" * 64}))
    monkeypatch.setattr(bad_beat, "DATA_PATH", changed)
    bad_beat._document.cache_clear()
    try:
        assert bad_beat.losing_hands() is None
    finally:
        bad_beat._document.cache_clear()
