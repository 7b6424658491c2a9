"""Limits for hits: looked at after every wager they are broken with a chance of at most one in twenty."""

from __future__ import annotations

from fractions import Fraction

import pytest

from houseway.manager.reports.hit_limits import hit_limits


def chance_of_breaking(chance: float, of: Fraction, wagers: int) -> float:
    """How likely it is that hits which come with one chance break the limits for another at one of so many looks."""
    within, broken = {0: 1.0}, 0.0
    for count in range(1, wagers + 1):
        after: dict[int, float] = {}
        for hits, weight in within.items():
            after[hits] = after.get(hits, 0.0) + weight * (1 - chance)
            after[hits + 1] = after.get(hits + 1, 0.0) + weight * chance
        limits = hit_limits(count, 0, of)
        within = {hits: weight for hits, weight in after.items() if limits.lowest <= hits <= limits.highest}
        broken += sum(after.values()) - sum(within.values())
    return broken


@pytest.mark.parametrize(("one_in", "wagers"), [(4, 120), (50, 200), (2_000, 150)])
def test_the_limits_hold_at_every_look(one_in: int, wagers: int) -> None:
    assert chance_of_breaking(1 / one_in, Fraction(1, one_in), wagers) <= 0.05


def test_wrong_odds_are_found() -> None:
    assert chance_of_breaking(1 / 10, Fraction(1, 40), 200) > 0.95


def test_a_usual_interval_would_be_broken_by_looking_often() -> None:
    """For comparison: the plain 95% interval of the normal distribution, at every look."""
    within, broken, chance = {0: 1.0}, 0.0, 0.25
    for count in range(1, 401):
        after: dict[int, float] = {}
        for hits, weight in within.items():
            after[hits] = after.get(hits, 0.0) + weight * (1 - chance)
            after[hits + 1] = after.get(hits + 1, 0.0) + weight * chance
        wide = 1.96 * (count * chance * (1 - chance)) ** 0.5
        within = {hits: weight for hits, weight in after.items() if abs(hits - count * chance) <= wide}
        broken += sum(after.values()) - sum(within.values())
    assert broken > 0.3


@pytest.mark.parametrize(
    ("wagers", "hits", "one_in", "agrees"),
    [
        (0, 0, 500_000, True),
        (10_000_000, 20, 500_000, True),
        (10_000_000, 60, 500_000, False),
        (10_000_000, 3, 500_000, False),
        (40, 4, 500_000, False),
    ],
)
def test_hits_are_judged(wagers: int, hits: int, one_in: int, agrees: bool) -> None:
    found = hit_limits(wagers, hits, Fraction(1, one_in))
    assert found.agree == agrees == (found.lowest <= hits <= found.highest)
    assert found.expected == Fraction(wagers, one_in)
    if wagers:
        assert (found.rate_low <= 1 / one_in <= found.rate_high) == agrees
