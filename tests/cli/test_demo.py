from __future__ import annotations

import json

import pytest

from houseway.definitions.clauses import clause
from houseway.games import game, games
from tests.cli.runner import call

SEED = "5e" * 32


def test_every_game_is_played_and_every_offered_wager_made() -> None:
    shown = call("demo", "--seed", SEED, "--json").json
    assert [entry["round"]["game"] for entry in shown["rounds"]] == [each.id for each in games()]
    for entry in shown["rounds"]:
        settled = {line["wager"] for seat in entry["settlement"]["seats"] for line in seat["lines"]}
        assert settled >= {wager.name for wager in game(entry["round"]["game"]).offered_wagers}


def test_the_rounds_settle_the_same_by_settle() -> None:
    for entry in call("demo", "--seed", SEED, "--json").json["rounds"]:
        run = call("settle", "-", "--json", stdin=json.dumps(entry["round"]).encode())
        assert (run.code, run.json) == (0, entry["settlement"])


def test_text_shows_cards_rules_clauses_and_how_to_see_it_again() -> None:
    run = call("demo", "--seed", SEED)
    assert run.code == 0
    flowing = " ".join(run.out.split())
    for entry in call("demo", "--seed", SEED, "--json").json["rounds"]:
        assert f"houseway deal {entry['round']['game']} --seats 2,5 --seed {entry['round']['seed']}" in flowing
        assert entry["round"]["commitment"] in flowing
        for seat in entry["settlement"]["seats"]:
            for line in seat["lines"]:
                assert f"{line['clause']} {clause(line['clause']).text}" in flowing
    assert f"houseway demo --seed {SEED}" in flowing


def test_the_seed_shown_deals_the_same_cards_again() -> None:
    (entry,) = call("demo", "--game", "fortune", "--json").json["rounds"]
    dealt = call("deal", "fortune", "--seats", "2,5", "--seed", entry["round"]["seed"], "--json").json
    assert dealt["dealer"] == entry["round"]["dealer"]
    assert [seat["cards"] for seat in dealt["seats"]] == [seat["cards"] for seat in entry["round"]["seats"]]


def test_without_a_seed_every_run_is_another() -> None:
    first, second = (call("demo", "--json").json["seed"] for _ in range(2))
    assert first != second


@pytest.mark.parametrize("number", range(40))
def test_any_seed_can_be_shown(number: int) -> None:
    assert call("demo", "--seed", f"{number:064x}", "--json").code == 0


def test_somebody_folds_now_and_then() -> None:
    runs = (call("demo", "--game", "six-card-poker", "--seed", f"{number:064x}") for number in range(12))
    assert {run.out.count("(folds)") for run in runs} == {0, 1}


def test_bad_input_is_refused() -> None:
    run = call("demo", "--seed", "x", "--game", "bridge", "--json")
    assert (run.code, run.codes) == (2, ["bad-seed", "unknown-game"])
