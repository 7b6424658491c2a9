"""The shipped definitions say what the sheets say: facts typed off the documents a second time."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from houseway.definitions import Game, game, game_ids, games
from houseway.definitions.clauses import clauses


class Offer(NamedTuple):
    """What a sheet gives a wager."""

    looks_at: str
    envy_from: int | None = None
    push: bool = False


OFFERS = {
    ("six-card-fortune", "fortune"): Offer("player-best", envy_from=500),
    ("six-card-fortune", "insurance"): Offer("player-best"),
    ("six-card-fortune", "progressive"): Offer("player-best", envy_from=0),
    ("fortune", "fortune"): Offer("player-best", envy_from=500, push=True),
    ("fortune", "paigowd"): Offer("dealer-best"),
    ("fortune", "progressive"): Offer("player-best"),
    ("fortune", "progressive2"): Offer("player-best"),
    ("commission-free-fortune", "fortune"): Offer("player-best", envy_from=500, push=True),
    ("commission-free-fortune", "tiger9"): Offer("dealer-low"),
    ("commission-free-fortune", "progressive"): Offer("player-best"),
    ("commission-free-fortune", "progressive2"): Offer("player-best"),
    ("face-up", "progressive"): Offer("player-best"),
    ("face-up", "progressive2"): Offer("player-best"),
    ("six-card-poker", "aces_up"): Offer("player-best"),
    ("six-card-poker", "bad_beat"): Offer("losing-hand"),
    ("six-card-poker", "progressive"): Offer("player-best", envy_from=0),
}

HANDS = {"six-card-fortune": (53, 6, 1), "fortune": (53, 7, 2), "commission-free-fortune": (53, 7, 2)}
HANDS |= {"face-up": (53, 7, 2), "six-card-poker": (52, 6, 0)}


def test_the_wagers_by_pay_table_are_those_of_the_sheets() -> None:
    found = {
        (played.id, wager.name): Offer(wager.look.at, wager.envy_from, wager.lines_may_push)
        for played in games()
        for wager in played.wagers
        if wager.look is not None
    }
    assert found == OFFERS


def test_hands_are_dealt_as_the_sheets_say() -> None:
    assert {played.id: (played.deck, played.cards, played.low_cards) for played in games()} == HANDS


def test_thresholds_are_those_of_the_sheets() -> None:
    said = {played.id: played.contest for played in games()}
    assert {name: rules.qualifier and rules.qualifier.hands.text for name, rules in said.items()} == {
        "six-card-fortune": "pair of eights or better",
        "fortune": None,
        "commission-free-fortune": None,
        "face-up": None,
        "six-card-poker": "ace-king or better",
    }
    assert {
        name: rules.dealer_push and (rules.dealer_push.part, rules.dealer_push.hands.text)
        for name, rules in said.items()
    } == {
        "six-card-fortune": None,
        "fortune": None,
        "commission-free-fortune": ("low", "nine-high"),
        "face-up": ("high", "ace-high"),
        "six-card-poker": None,
    }
    assert [played.id for played in games() if played.commission is not None] == ["fortune"]
    assert game("fortune").commission_rate * 100 == 5
    assert [played.id for played in games() if played.offers_banker] == ["fortune", "commission-free-fortune"]
    assert [played.id for played in games() if played.aggregate_clause] == ["fortune", "commission-free-fortune"]
    assert [played.id for played in games() if played.contest.joker_low_wins] == ["six-card-fortune"]
    assert {played.id: played.contest.tie for played in games()} == {
        name: "push" if name == "six-card-poker" else "dealer" for name in game_ids()
    }


@pytest.mark.parametrize("played", games(), ids=lambda played: played.id)
def test_every_clause_that_a_definition_cites_is_on_the_register_of_its_sheets(played: Game) -> None:
    cited = {
        clause
        for wager in played.wagers
        for name in type(wager.clauses).__dataclass_fields__
        if (clause := getattr(wager.clauses, name))
    }
    cited |= {played.aggregate_clause, played.contest.bank_clause} - {""}
    if played.contest.dealer_push is not None:
        cited |= {played.contest.dealer_push.clause, played.contest.dealer_push.banked_clause} - {""}
    known = {clause.id for clause in clauses() if clause.sheet in played.sheets and played.id in clause.games}
    assert cited <= known
    assert cited


@pytest.mark.parametrize("played", games(), ids=lambda played: played.id)
def test_pushes_of_lines_have_a_clause(played: Game) -> None:
    for wager in played.wagers:
        if wager.needs_table:
            assert wager.lines_may_push == bool(wager.clauses.push)
