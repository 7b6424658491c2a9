"""Golden rounds: each file holds a round, what happened in words, and the whole settlement to the cent.

The expected settlements were worked out from the sheets by hand. A change of behaviour shows here as a difference to
read, not as a file to write again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from houseway.games import Game, games, settle_json
from houseway.houseways.evaluate import ReferenceEvaluator
from houseway.paytables import paytables

FILES = sorted(Path(__file__).parent.glob("*/*.json"))
STORIES: dict[str, dict[str, Any]] = {
    f"{path.parent.name}/{path.stem}": json.loads(path.read_text(encoding="utf-8")) for path in FILES
}


@pytest.mark.parametrize("name", STORIES)
def test_the_round_settles_to_the_cent(name: str) -> None:
    story = STORIES[name]
    assert settle_json(story["round"]) == story["settlement"]


@pytest.mark.parametrize("name", STORIES)
def test_the_reference_settles_it_alike(name: str) -> None:
    story = STORIES[name]
    assert settle_json(story["round"], ReferenceEvaluator()) == story["settlement"]


def test_every_story_says_what_happened() -> None:
    for name, story in STORIES.items():
        assert story["title"], name
        assert len(story["story"]) >= 3, name


@pytest.mark.parametrize("game", games(), ids=lambda game: game.id)
def test_the_game_has_rounds_that_exercise_every_wager_both_ways(game: Game) -> None:
    won: set[str] = set()
    not_won: set[str] = set()
    for story in STORIES.values():
        if story["round"]["game"] == game.id:
            for seat in story["settlement"]["seats"]:
                for line in seat["lines"]:
                    (won if line["outcome"] == "win" else not_won).add(line["wager"])
    wagers = {wager.name for wager in game.wagers}
    assert wagers - won == set(), f"no round of {game.id} wins these"
    assert wagers - not_won == set(), f"no round of {game.id} loses or pushes these"
    envies = {name for name in game.line_order if name.endswith("_envy")}
    assert envies - won == set()


def test_every_pay_table_is_played_in_some_round() -> None:
    played = {
        table_id
        for story in STORIES.values()
        for name, table_id in {
            "insurance": "6CFPGP-INS",
            "tiger9": "TIGER9",
            **story["round"].get("paytables", {}),
        }.items()
        if any(name in seat["wagers"] for seat in story["round"]["seats"])
    }
    assert {table.id for table in paytables()} - played == set()
