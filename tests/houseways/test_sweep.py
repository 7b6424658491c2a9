"""Whole domains: every hand set by exactly one rule, each card used once, none fouled, the recorded counts per rule."""

from __future__ import annotations

from math import comb

import pytest

from houseway.houseways import HouseWay, house_way, house_ways
from houseway.houseways.check import check_house_way
from houseway.ranking.reference import PAI_GOW, PAI_GOW_LOW_WHEEL, Ranking

pytest.importorskip("numba")
from houseway.houseways import sweep, way_kernels
from tests.houseways.domain import look_over_every_hand, read_counts

pytestmark = pytest.mark.kernels

every_way = pytest.mark.parametrize("way", house_ways(), ids=lambda way: way.id)
LOW_WHEEL = pytest.param(PAI_GOW_LOW_WHEEL, marks=pytest.mark.slow, id="low-wheel")
both_wheels = pytest.mark.parametrize("ranking", [pytest.param(PAI_GOW, id="pai-gow"), LOW_WHEEL])


@every_way
def test_recorded_counts_name_every_rule_and_add_up(way: HouseWay) -> None:
    counts = read_counts(way.id)
    hands = counts.pop("hands")
    assert list(counts) == [rule.id for rule in way.rules]
    assert sum(counts.values()) == hands == comb(53, way.cards)


@both_wheels
@every_way
def test_every_suit_class_is_set_and_counted_as_recorded(way: HouseWay, ranking: Ranking) -> None:
    report = check_house_way(way, ranking, "classes")
    assert report.passed
    assert report.idle_rules == ()
    assert report.set_by == {rule: count for rule, count in read_counts(way.id).items() if rule != "hands"}


@pytest.mark.slow
@every_way
def test_every_single_hand_is_set_once_with_all_its_cards_and_no_foul(way: HouseWay) -> None:
    looked = look_over_every_hand(way, PAI_GOW)
    assert looked.failures == {}
    assert looked.set_by == {rule: count for rule, count in read_counts(way.id).items() if rule != "hands"}


@pytest.mark.full
@every_way
def test_every_single_hand_with_the_wheel_lowest(way: HouseWay) -> None:
    looked = look_over_every_hand(way, PAI_GOW_LOW_WHEEL)
    assert looked.failures == {}
    assert looked.set_by == {rule: count for rule, count in read_counts(way.id).items() if rule != "hands"}


@pytest.mark.slow
def test_sweep_hand_by_hand_gives_the_same_report_and_shows_its_progress() -> None:
    steps: list[tuple[int, int]] = []
    by_hand = check_house_way(house_way("six-card"), PAI_GOW, "hands", lambda done, total: steps.append((done, total)))
    assert by_hand.set_by == check_house_way(house_way("six-card"), PAI_GOW, "classes").set_by
    assert steps[-1] == (22_957_480, 22_957_480)
    assert steps == sorted(steps)


def test_hands_are_dealt_in_turn() -> None:
    size = 6
    hand = sweep._hand_at(0, size)
    assert way_kernels.unpack_hand(hand, size) == (5, 4, 3, 2, 1, 0)
    seen = [hand]
    for _ in range(comb(10, size) - 1):
        seen.append(sweep._next_hand(seen[-1], size))
    assert len(set(seen)) == comb(10, size)
    assert way_kernels.unpack_hand(seen[-1], size) == (9, 8, 7, 6, 5, 4)
    assert [sweep._hand_at(position, size) for position in range(len(seen))] == seen
    assert way_kernels.unpack_hand(sweep._hand_at(comb(53, 7) - 1, 7), 7) == tuple(range(52, 45, -1))
