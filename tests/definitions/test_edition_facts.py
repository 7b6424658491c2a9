"""An earlier edition of a sheet says facts otherwise, and settlement, simulation and odds of its days follow."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from houseway.definitions import Commission, Game, defined_as, find_game, game, read_game
from houseway.errors import InputError, MissingPartError
from houseway.games import settle_json
from houseway.odds.questions import OddsQuestion, answer
from houseway.odds.wagers import Sides
from houseway.reading.toml_files import read_text
from houseway.sources import SHIPPED

OLD, DAY = "fortune@2018-10-18", "2020-01-01"
FACTS = """
line_order = ["main", "bank", "fortune", "progressive", "progressive2", "fortune_envy"]
without = ["wagers.paigowd"]
commission = { percent = 4 }
contest = { dealer_push = { part = "high", hands = "ace-high", clause = "base/face-up/ace-high-push" } }
[[editions.wagers]]
name = "fortune"
envy_from = 1000
"""


def with_facts(facts: str = FACTS, before: str = 'controls = { nexus = "fpgpp/nexus", nexus-2') -> Game:
    """Fortune Pai Gow Poker with an edition of 2018 that has facts of its own."""
    text = read_text(SHIPPED.folder / "definitions" / "fortune.toml", code="game-unreadable")
    start = text.index("\n", text.index(before)) + 1
    return read_game(text[:start] + facts + text[start:], "fortune.toml", "fortune")


def settled(dealer: str, day: str | None = None, **wagers: int) -> dict[str, tuple[str, int]]:
    tables = {name: table for name, table in {"fortune": "FPGP-3", "paigowd": "PGD-01"}.items() if name in wagers}
    value: dict[str, Any] = {"game": "fortune", "paytables": tables}
    value |= {"dealer": dealer.split(), "settings": {"limits": {"as_of": day}} if day else {}}
    value["seats"] = [
        {"seat": 1, "cards": "As Ad Kh Kd 9c 7s 2h".split(), "low": ["Kh", "Kd"], "wagers": wagers},
        {"seat": 2, "cards": "Ts Th Td Tc 6c 4c 2d".split(), "wagers": {"main": 1000}},
    ]
    return {line["wager"]: (line["outcome"], line["returned"]) for line in settle_json(value)["seats"][0]["lines"]}


def test_a_shipped_edition_keeps_the_facts_of_the_newest() -> None:
    old = game(OLD)
    assert (old.id, old.reference, old.newest_edition.date) == ("fortune", OLD, "2018-10-18")
    assert old.fingerprint == game("fortune").fingerprint
    assert len(old.offered_wagers) < len(game("fortune").offered_wagers)
    assert game("fortune@2024-01-01") is game("fortune")
    assert find_game("fortune@soon") is None


def test_rounds_of_the_days_of_an_edition_are_settled_by_its_facts() -> None:
    queen, ace = "Qs Jd 9h 7h 6s 4d 3c", "Ac Jd 9h 7h 6s 4d 3c"
    before = settled(queen, DAY, main=2500, fortune=500)
    with defined_as(with_facts()):
        assert settled(queen, main=2500, fortune=500) == before
        later, then = settled(queen, "2024-01-01", main=2500, fortune=500), settled(queen, DAY, main=2500, fortune=500)
        assert later["main"] == ("win", 4875)
        assert then["main"] == ("win", 4900)
        assert "fortune_envy" in later
        assert "fortune_envy" not in then
        assert "fortune_envy" in settled(queen, DAY, main=2500, fortune=1000)
        assert settled(ace, main=2500)["main"][0] == "win"
        assert settled(ace, DAY, main=2500)["main"] == ("push", 2500)
        with pytest.raises(InputError) as refused:
            settled(queen, DAY, main=2500, paigowd=500)
        assert {fault.code for fault in refused.value.faults} >= {"unknown-wager"}


@pytest.mark.kernels
def test_odds_and_simulation_of_an_edition_follow_its_facts() -> None:
    pytest.importorskip("numba")
    from houseway.odds.simulation.job import Simulation, default_tables

    tables = tuple(default_tables(game("fortune")).items())
    sides = Sides("foxwoods", "foxwoods")
    usual, paid = (
        answer(OddsQuestion(game("fortune"), ("main",), sides=sides, commission=Fraction(percent, 100)))
        for percent in (5, 4)
    )
    with defined_as(with_facts("commission = { percent = 4 }\n")):
        newest, old = (game(name) for name in ("fortune", OLD))
        rates = [each.commission_rate for each in (newest, old)]
        found = [
            answer(OddsQuestion(each, ("main",), sides=sides, commission=rate))
            for each, rate in zip((newest, old), rates, strict=True)
        ]
        assert [each.edge for each in found] == [usual.edge, paid.edge]
        sums = [Simulation(each.reference, 400, 6, 1, tables, "foxwoods").play(0, 400)[0] for each in (newest, old)]
        assert sums[0] != sums[1]
        assert sums[1] == Simulation(OLD, 400, 6, 1, tables, "foxwoods").play(0, 400)[0]
    with defined_as(replace(game("fortune"), commission=Commission(4))):
        assert Simulation("fortune", 400, 6, 1, tables, "foxwoods").play(0, 400)[0] == sums[1]
    # A hand that pushes in the old edition alone: what was counted for the newest is not given for the old one.
    with defined_as(with_facts()), pytest.raises(MissingPartError):
        answer(OddsQuestion(game(OLD), ("main",), sides=sides))


def test_the_facts_of_an_edition_are_part_of_the_definition() -> None:
    changed = with_facts()
    assert changed.earlier[0].commission == Commission(4)
    assert changed.fingerprint != game("fortune").fingerprint
    assert changed.on(DAY).wager("paigowd") is None
    assert changed.on("2023-06-14") is changed


@pytest.mark.parametrize(
    ("facts", "code", "says"),
    [
        ('without = ["wagers.nothing"]', "game-bad-value", "the newest edition has no fact"),
        ('without = ["wagers.paigowd"]', "game-contradiction", "the sheet of 2018-10-18"),
        ("commission = { percent = 101 }", "game-bad-value", "the sheet of 2018-10-18"),
        ("listed = 3", "game-unknown-key", "listed"),
    ],
)
def test_facts_of_an_edition_are_held_to_the_same_rules(facts: str, code: str, says: str) -> None:
    with pytest.raises(InputError) as refused:
        with_facts(facts + "\n")
    assert [fault.code for fault in refused.value.faults] == [code]
    assert says in refused.value.faults[0].message


def test_the_newest_edition_is_the_definition_itself() -> None:
    with pytest.raises(InputError) as refused:
        with_facts("commission = { percent = 4 }\n", 'controls = { nexus-2 = "fpgpj/rules" }')
    assert [fault.code for fault in refused.value.faults] == ["game-contradiction"]
