"""Rounds read one after another, with what they share kept, come out as each would alone: money, text and faults."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from houseway.cards.card import CARD_TEXTS
from houseway.definitions import Commission, defined_as
from houseway.errors import InputError
from houseway.games import CheckedRound, Game, game, games, read_round, settle
from houseway.games.round_reader import RoundReader
from houseway.houseways import HouseWay, house_way
from houseway.houseways.evaluate import TableEvaluator
from houseway.paytables import PayTable, own_paytable
from tests.games.strategies import GAMES, impossible_rounds, rounds, tables_for

STUDY = Path(__file__).resolve().parents[2] / "docs" / "guides" / "STUDY-1.toml"
SOME = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.large_base_example])
STREAMS = st.lists(rounds() | impossible_rounds().map(lambda found: found[0]), min_size=1, max_size=8)


def alone(value: object, way: HouseWay | None = None, table: PayTable | None = None) -> str:
    """The text of a round that nothing was kept for, made by the encoder; or its faults."""
    try:
        return json.dumps(settle(read_round(value, way, table), TableEvaluator()).to_json())
    except InputError as error:
        return json.dumps(error.to_json())


def in_a_stream(values: list[Any], reader: RoundReader) -> list[str]:
    """The texts of rounds that one reader reads."""
    texts = []
    for value in values:
        try:
            texts.append(settle(reader.read(value)).text)
        except InputError as error:
            texts.append(json.dumps(error.to_json()))
    return texts


def in_blocks(values: list[Any], reader: RoundReader) -> list[str]:
    """The texts of rounds whose hands the kernels put together."""
    pytest.importorskip("numba")
    from houseway.games.batch import prepare_hands
    from houseway.houseways.evaluate import KernelEvaluator

    evaluator = KernelEvaluator()
    read: list[CheckedRound | str] = []
    for value in values:
        try:
            read.append(reader.read(value))
        except InputError as error:
            read.append(json.dumps(error.to_json()))
    sound = [each for each in read if isinstance(each, CheckedRound)]
    prepared = iter(prepare_hands(sound, evaluator))
    texts = []
    for each in read:
        if isinstance(each, str):
            texts.append(each)
            continue
        try:
            texts.append(settle(each, evaluator, next(prepared)).text)
        except InputError as error:
            texts.append(json.dumps(error.to_json()))
    return texts


@given(STREAMS)
@SOME
def test_a_stream_is_its_rounds_alone(values: list[dict[str, Any]]) -> None:
    # Each comes again after the others, when the most is kept.
    twice = [*values, *copy.deepcopy(values)]
    assert in_a_stream(twice, RoundReader()) == [alone(value) for value in twice]


@pytest.mark.kernels
@given(STREAMS)
@SOME
def test_hands_put_in_blocks_are_those_put_alone(values: list[dict[str, Any]]) -> None:
    assert in_blocks(values, RoundReader()) == [alone(value) for value in values]


def many_rounds(count: int, seed: int) -> list[dict[str, Any]]:
    """Rounds of all games as a room would play them: few stakes and settings, again and again; some are faulty."""
    rng = random.Random(seed)
    return [_one_round(rng.choice(GAMES), rng) for _ in range(count)]


def _one_round(played: Game, rng: random.Random) -> dict[str, Any]:
    deck = [*range(played.deck)]
    rng.shuffle(deck)
    hands = [[CARD_TEXTS[card] for card in deck[at : at + played.cards]] for at in range(0, 49, played.cards)]
    named = {
        wager.name: rng.choice(tables_for(played, wager.name, wager.kind)[:2]).id
        for wager in played.wagers
        if wager.needs_table
    }
    round_: dict[str, Any] = {"game": played.id, "paytables": named, "dealer": hands[0], "meters": {}, "seeds": {}}
    for name in ("progressive", "progressive2"):
        if name in named:
            levels = next(table for table in tables_for(played, name, "jackpot") if table.id == named[name]).levels
            key = f"{named[name]}#2" if name == "progressive2" and named[name] == named["progressive"] else named[name]
            round_["meters"][key] = {level: rng.choice([5_000_000, rng.randrange(10**8)]) for level in levels}
            round_["seeds"][key] = dict.fromkeys(levels, 1_000_000)
    if rng.random() < 0.3:
        round_["settings"] = {"allow_unapproved": rng.choice([True, False, 1])}
    seats = []
    for number in range(1, rng.randrange(2, min(played.max_seats, len(hands) - 1) + 2)):
        wagers: dict[str, Any] = {}
        fold = played.offers_fold and rng.random() < 0.3
        for wager in played.wagers:
            if wager.kind == "raise":
                if not fold and (played.offers_fold or rng.random() < 0.5):
                    wagers[wager.name] = wagers[played.first_wager.name]
            elif wager is played.first_wager or rng.random() < 0.7:
                wagers[wager.name] = rng.choice([500, 2500])
        seat = {"seat": number, "cards": hands[number], "low": None, "wagers": wagers}
        if played.low_cards and rng.random() < 0.2:
            seat["low"] = rng.sample(hands[number], played.low_cards)
        seats.append({**seat, "fold": fold} if played.offers_fold else seat)
    round_["seats"] = seats
    if played.offers_banker and rng.random() < 0.2:
        round_["banker"] = rng.choice([1, 1, True, 9])
    _spoil(round_, rng)
    return round_


def _spoil(round_: dict[str, Any], rng: random.Random) -> None:
    """Put a fault into some rounds, among them values that are equal to sound ones and are not the same."""
    seat = rng.choice(round_["seats"])
    first = next(iter(seat["wagers"]))
    match rng.randrange(20):
        case 0:
            seat["wagers"][first] = rng.choice([True, 500.0, 0, "500", None])
        case 1:
            seat["cards"][0] = rng.choice([round_["dealer"][0], "Xx", 7, None, ["As"]])
        case 2:
            seat["seat"] = rng.choice([True, 1.0, 0, 99, "1"])
        case 3:
            round_["meters"] = rng.choice([{"FPGPP-WA01": {"main": True}}, {"FPGPP-WA01": {"main": 1.0}}, [], 5])
        case 4:
            round_["paytables"] = {"fortune": rng.choice(["FPGP-9", 3, "6CFPGP-1"])}
        case 5:
            seat[rng.choice(["sit", "wager"])] = 1


@pytest.mark.parametrize("seed", [1, 2])
def test_thousands_of_rounds_of_all_games_are_those_alone(seed: int) -> None:
    values = many_rounds(700, seed)
    expected = [alone(value) for value in values]
    assert in_a_stream(values, RoundReader()) == expected
    assert 30 < sum('"error"' in text for text in expected) < 600


@pytest.mark.kernels
def test_thousands_of_rounds_in_blocks_are_those_alone() -> None:
    values = many_rounds(1_500, 3)
    assert in_blocks(values, RoundReader()) == [alone(value) for value in values]


@pytest.mark.kernels
def test_a_way_and_a_table_of_ones_own() -> None:
    way, table = house_way("sixes-together"), own_paytable(STUDY)
    values = many_rounds(300, 4)
    expected = [alone(value, way, table) for value in values]
    assert in_a_stream(values, RoundReader(way, table)) == expected
    assert in_blocks(values, RoundReader(way, table)) == expected


def test_another_definition_takes_the_place_of_what_was_kept() -> None:
    """One reader through a change of the rules: what it kept of the game before is not what holds now."""
    played = game("fortune")
    dearer = replace(played, commission=Commission(20))
    values = [value for value in many_rounds(300, 5) if value["game"] == "fortune"]
    reader = RoundReader()
    before = in_a_stream(values, reader)
    with defined_as(dearer):
        during = in_a_stream(values, reader)
        assert during == [alone(value) for value in values]
    assert during != before
    assert in_a_stream(values, reader) == before


def test_what_is_kept_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    from houseway.games import terms

    monkeypatch.setattr(terms, "_MOST_KEPT", 10)
    monkeypatch.setattr(terms, "_MOST_TERMS", 2)
    monkeypatch.setattr(terms, "_MOST_LEVELS", 2)
    values = many_rounds(200, 6)
    reader = RoundReader()
    assert in_a_stream(values, reader) == [alone(value) for value in values]
    assert len(reader._kept._by_key) <= 2


def test_the_games_are_all_there() -> None:
    assert {value["game"] for value in many_rounds(100, 1)} == {played.id for played in games()}
