"""What holds for every round whatever the cards and the bets, and what no round may get away with."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.definitions.clauses import clause
from houseway.errors import InputError
from houseway.games import Settlement, game, games, read_round, settle, settle_json
from houseway.houseways.evaluate import ReferenceEvaluator
from tests.games.strategies import JSON_VALUES, impossible_rounds, rounds

MANY = settings(max_examples=150, deadline=None)


def settled(round_: dict[str, Any]) -> Settlement:
    return settle(read_round(round_))


@given(rounds())
@MANY
def test_every_wager_made_has_exactly_one_line(round_: dict[str, Any]) -> None:
    settlement = settled(round_)
    for seat in round_["seats"]:
        lines = settlement.seat(seat["seat"]).lines
        own = [line for line in lines if not line.wager.endswith("_envy") and line.wager != "bank"]
        assert sorted(line.wager for line in own) == sorted(seat["wagers"])
        assert {line.wager: line.stake for line in own} == seat["wagers"]
        assert [line.wager for line in lines if line.wager == "bank"] == ["bank"] * (
            seat["seat"] == round_.get("banker")
        )


@given(rounds())
@MANY
def test_amounts_fit_their_outcome(round_: dict[str, Any]) -> None:
    jackpots = {wager.name for wager in game(round_["game"]).wagers if wager.kind == "jackpot"}
    for line in settled(round_).lines():
        assert isinstance(line.returned, int)
        if line.wager == "bank":
            net = line.returned + (line.commission or 0)
            assert (net > 0, net < 0) == (line.outcome == "win", line.outcome == "lose")
            continue
        if line.outcome == "lose":
            assert line.returned == 0
        elif line.outcome == "push":
            assert line.returned == line.stake
        elif line.wager not in jackpots:
            assert line.returned >= line.stake - (line.commission or 0)
        assert (line.source is None) == (line.outcome != "win")


@given(rounds())
@MANY
def test_every_line_cites_a_clause_of_its_game(round_: dict[str, Any]) -> None:
    for line in settled(round_).lines():
        assert round_["game"] in clause(line.clause).games


@given(rounds())
@MANY
def test_a_meter_loses_what_was_paid_from_it_and_gains_only_its_seed(round_: dict[str, Any]) -> None:
    settlement = settled(round_)
    before = sum(sum(levels.values()) for levels in round_["meters"].values())
    after = sum(sum(levels.values()) for levels in settlement.meters.values())
    paid = sum(line.returned for line in settlement.lines() if line.source == "meter")
    possible = sum(sum(levels.values()) for levels in round_["seeds"].values())
    assert 0 <= after - (before - paid) <= possible * len(round_["seats"])


@given(
    st.sampled_from([each for each in games() if each.aggregate_clause]).flatmap(rounds),
    st.sampled_from(["hand", "round"]),
    st.integers(0, 100_000),
)
@MANY
def test_an_aggregate_limit_is_paid_to_the_cent(round_: dict[str, Any], per: str, cents: int) -> None:
    """What bonus wagers win is the lesser of the limit and what they would have won, by hand or by round."""
    bonus = {wager.name for wager in game(round_["game"]).wagers if wager.kind == "bonus"}

    def winnings(limit: object) -> dict[int, int]:
        settlement = settled({**round_, "settings": {**round_["settings"], "aggregate_limit": limit}})
        return {
            result.seat: sum(
                line.returned - line.stake for line in result.lines if line.wager in bonus and line.returned
            )
            for result in settlement.seats
        }

    free, capped = winnings(None), winnings({"per": per, "cents": cents})
    assert all(0 <= capped[seat] <= free[seat] for seat in free)
    if per == "hand":
        assert capped == {seat: min(amount, cents) for seat, amount in free.items()}
    else:
        assert sum(capped.values()) == min(sum(free.values()), cents)


@given(rounds(game("fortune")))
@MANY
def test_a_bank_and_its_players_exchange_the_same_money(round_: dict[str, Any]) -> None:
    if round_.get("banker") is None:
        return
    settlement = settled({**round_, "dealer_stake": 0})
    bank = next(line for line in settlement.lines() if line.wager == "bank")
    mains = [line for line in settlement.lines() if line.wager == "main"]
    to_players = sum(line.returned - line.stake + (line.commission or 0) for line in mains)
    assert bank.returned + (bank.commission or 0) == -to_players


@given(rounds())
@settings(max_examples=25, deadline=None)
def test_the_reference_settles_alike(round_: dict[str, Any]) -> None:
    assert settle_json(round_) == settle_json(round_, ReferenceEvaluator())


@given(rounds())
@MANY
def test_settling_changes_nothing_and_repeats(round_: dict[str, Any]) -> None:
    before = json.dumps(round_)
    assert settle_json(round_) == settle_json(round_)
    assert json.dumps(round_) == before


@given(impossible_rounds())
@settings(max_examples=400, deadline=None)
def test_an_impossible_round_is_refused(case: tuple[dict[str, Any], str]) -> None:
    round_, code = case
    with pytest.raises(InputError) as caught:
        settle_json(round_)
    assert code in {fault.code for fault in caught.value.faults}


@given(JSON_VALUES)
@settings(max_examples=300, deadline=None)
def test_any_json_is_settled_or_refused(value: object) -> None:
    with pytest.raises(InputError):
        settle_json(value)


@given(rounds(), st.data())
@settings(max_examples=400, deadline=None)
def test_any_damage_to_a_round_is_settled_or_refused(round_: dict[str, Any], data: st.DataObject) -> None:
    """Put any JSON anywhere in a valid round: the answer is a settlement or faults, never another error."""
    place: Any = round_
    for _ in range(data.draw(st.integers(0, 3))):
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        inner = [key for key in keys if isinstance(place[key], dict | list) and place[key]]
        if not inner:
            break
        place = place[data.draw(st.sampled_from(inner))]
    keys = list(place) if isinstance(place, dict) else list(range(len(place)))
    place[data.draw(st.sampled_from(keys))] = data.draw(JSON_VALUES)
    # The answer is a settlement or faults; any other exception fails the test by itself.
    with contextlib.suppress(InputError):
        settle_json(round_)
