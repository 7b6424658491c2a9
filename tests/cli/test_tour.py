"""`houseway tour`: what a first visitor sees, and that what it tells to try works."""

from __future__ import annotations

import shlex
from fractions import Fraction

import pytest

from houseway.cli.tour import edges
from tests.cli.runner import call


@pytest.fixture(scope="module")
def told() -> str:
    run = call("tour", "--rounds", "9", "--pause", "0", "--seed", "4")
    assert run.code == 0
    return run.out


def test_it_shows_a_round_the_edges_a_floor_and_what_to_try(told: str) -> None:
    parts = [
        "One round", "The shuffler's seed is sealed", "base/pai-gow/",
        "What the house keeps", "6.2100%",
        "A floor with four tables", "dealer  ", "seat ", "locked, needs the executive's badge", "paid by Executive 1",
        "Drop and win by table", "T2: ", "drop $", "win ", "the audit chain verifies", "Try",
    ]  # fmt: skip
    places = [told.find(part) for part in parts]
    assert -1 not in places, parts[places.index(-1)]
    assert places[parts.index("What the house keeps")] > places[0]
    assert places[parts.index("Try")] == max(places)


def test_every_edge_is_what_odds_tells() -> None:
    game = ""
    for row_game, wager, table, house, best in edges():
        game = row_game or game
        words = ["odds", game, wager, *(["--paytable", table] if table else []), "--json"]
        for shown, player in ((house, []), (best, ["--player", "optimal"])):
            if shown:
                exact = Fraction(call(*words, *player).json["edge_fraction"])
                assert shown == f"{float(exact):.4%}"


def test_what_it_tells_to_try_works(told: str) -> None:
    commands = [line.strip() for line in told[told.index("Try") :].splitlines()[1:] if line.strip()]
    assert len(commands) == 3
    for command in commands:
        out = b""
        for each in command.split(" | "):
            run = call(*shlex.split(each)[1:], stdin=out)
            assert run.code == 0, each
            out = run.out.encode()
