"""`houseway replay`: an honest record fits its seed, and any change to it is found."""

from __future__ import annotations

import json
from typing import Any

import pytest

from houseway.games import game_ids
from tests.cli.runner import call

SEED = "5a" * 31 + "01"


def dealt(game: str = "fortune", *options: str) -> dict[str, Any]:
    return call("deal", game, "--seats", "1,4", "--seed", SEED, "--json", *options).json


def replayed(record: object) -> Any:
    return call("replay", "-", "--json", stdin=json.dumps(record).encode())


@pytest.mark.parametrize("game", game_ids())
def test_an_honest_record_fits(game: str) -> None:
    record = dealt(game, "--player-entropy", "lucky", "--player-entropy", "7")
    record["seats"][0]["wagers"] = {"main": 500}
    run = replayed(record)
    assert (run.code, run.json) == (0, {"matches": True, "differences": []})
    assert "fits the commitment" in call("replay", "-", stdin=json.dumps(record).encode()).out


def test_an_exchanged_card_a_moved_hand_and_another_start_are_found() -> None:
    record = dealt()
    record["dealer"][0], record["leftover"][0] = record["leftover"][0], record["dealer"][0]
    record["start_position"] = record["start_position"] % 7 + 1
    run = replayed(record)
    assert run.code == 1
    assert [(found["code"], found["path"]) for found in run.json["differences"]] == [
        ("deal-differs", "dealer"),
        ("deal-differs", "start_position"),
    ]
    moved = dealt()
    moved["seats"][0]["seat"] = 2
    assert replayed(moved).code == 1


def test_another_seed_or_commitment_is_found() -> None:
    for key in ("seed", "commitment"):
        run = replayed({**dealt(), key: "00" * 32})
        assert (run.code, run.json["differences"][0]["code"]) == (1, "seed-mismatch")


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ({}, "missing-key"),
        ([], "wrong-type"),
        ({**dealt(), "seed": 5}, "missing-key"),
        ({**dealt(), "seed": "zz"}, "bad-seed"),
        ({**dealt(), "game": "baccarat"}, "unknown-game"),
        ({**dealt(), "seats": ["one"]}, "wrong-type"),
        ({**dealt(), "seats": [{"seat": 1, "cards": ["Xx"]}]}, "bad-card"),
        ({**dealt(), "seats": [{"seat": 99, "cards": []}]}, "bad-seat"),
        ({**dealt(), "player_entropy": 5}, "wrong-type"),
    ],
)
def test_what_is_no_record_is_refused(record: object, code: str) -> None:
    run = replayed(record)
    assert run.code == 2
    assert code in run.codes
