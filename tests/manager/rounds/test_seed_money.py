"""Seed money that stands behind a locked award: a rejection brings it back, and then it is the house's as before."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.manager.commands.link_commands import Approve, Propose
from houseway.manager.commands.round_commands import DecideRound, HitJackpot, HoldRound, RejectJackpot
from houseway.manager.core.link_entities import LevelParameters
from tests.manager.pit import Pit, progressive, table_of

DOLLAR = 1_000_000
SEED = 25_000
"""Cents with which the level restarts."""


def pit_with(cents: int) -> Pit:
    """Two tables on a meter that wagers do not move and from which fixed pays come too."""
    link = progressive(levels={"main": LevelParameters(SEED, "0")}, fixed_pays="meter")
    return Pit(link, tables=[table_of(), table_of("T2")], meters={"L1/main": cents})


def two_people(pit: Pit, **what: Any) -> dict[str, Any]:
    """A change, proposed by accounting and approved by an executive."""
    told = pit.do(Propose(what, "as agreed"), "A1")
    return pit.do(Approve(told["proposal"], told["content_hash"], "badge-E1"), "E1")


def test_a_back_out_that_recovers_no_seed_leaves_it_all_the_houses() -> None:
    pit = pit_with(22_924)
    earlier = pit.start(5)
    small = pit.hit(earlier, 5, "four-of-a-kind")
    pit.pay(small.id)
    pit.end(earlier)
    round_ = pit.start(1, 2, 4)
    low, high = pit.press(round_, 1, "royal-flush"), pit.press(round_, 4, "five-aces")
    pit.do(HitJackpot(round_))
    assert [pit.floor.awards[each].cents for each in (high, low)] == [7_924, SEED // 10]
    # A tenth of the new seed is locked for seat 1 while $150 of an older award come back.
    two_people(pit, change="back-out", award=small.id, reference="incident 8")
    between = pit.hit(round_, 2, "royal-flush")
    # The jackpot is what the players had put together: no cent of the seed, which goes back and is advanced again.
    assert [pit.floor.awards[each].cents for each in (high, between.id, low)] == [22_924, 2_500, 2_250]
    assert pit.floor.balances["seed/L1/main"] == SEED * 10_000


@pytest.mark.parametrize(
    ("change", "recovered"),
    [
        ({"change": "adjustment", "code": "recover-seed", "micros": -100 * DOLLAR, "reference": "memo 3"}, 100),
        ({"change": "level", "contribution": "1/5"}, 0),
    ],
)
def test_seed_money_in_a_locked_award_is_not_forgotten(change: dict[str, Any], recovered: int) -> None:
    pit = pit_with(20_000)
    here, there = pit.start(5), pit.start(4, table="T2")
    jackpot, share = pit.hit(here, 5, "five-aces"), pit.hit(there, 4, "royal-flush")
    assert (jackpot.cents, share.cents) == (20_000, SEED // 10)
    for round_ in (here, there):
        pit.do(HoldRound(round_, "badge-S1", "dispute"))
    two_people(pit, link="L1", level="main", **change)
    assert pit.floor.balances["seed/L1/main"] == (250 - recovered) * DOLLAR
    for round_, award in ((there, share), (here, jackpot)):
        pit.do(DecideRound(round_, "badge-S1", "resume", "the film was seen", "film 3"), "E1")
        pit.do(RejectJackpot(award.id, "badge-S1", "not the hand that was called"))
    assert pit.held("meter", "L1", "main") == 200 * DOLLAR
    assert pit.floor.balances["seed/L1/main"] == 0
