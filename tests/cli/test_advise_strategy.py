"""`houseway advise GAME --strategy`: the written strategy of every game with its cost."""

from __future__ import annotations

from fractions import Fraction

import pytest

from houseway.definitions import game_ids
from houseway.houseways import load_house_way
from tests.cli.runner import call


@pytest.mark.parametrize("game", game_ids())
def test_every_game_shows_its_rules_and_their_cost(game: str) -> None:
    told = call("advise", game, "--strategy", "--json").json
    assert told["game"] == game
    assert told["rules"]
    assert bool(told["raise"]) == (game == "six-card-fortune")
    for row in told["edges"]:
        cost = Fraction(row["cost_fraction"])
        assert cost == Fraction(row["strategy_fraction"]) - Fraction(row["best_fraction"])
        assert cost > 0 if game != "face-up" else cost == 0
    if told["file"]:
        assert [rule.why for rule in load_house_way(told["file"]).rules] == told["rules"]


def test_the_text_names_the_cost() -> None:
    run = call("advise", "six-card-fortune", "--strategy")
    assert run.code == 0
    assert "Two pair: otherwise keep the best hand" in " ".join(run.out.split())
    assert "1.5659% with this strategy, 0.1282% more than with the best play" in " ".join(run.out.split())


def test_cards_do_not_go_with_it() -> None:
    run = call("advise", "fortune", "As Ks", "--strategy", "--json")
    assert run.code == 2
    assert run.codes == ["conflicting-options"]
