"""A house way against a house way over every deal: whole integers, and the figures that were published."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest

from houseway.houseways import house_way
from houseway.ranking.reference import PAI_GOW_LOW_WHEEL

pytest.importorskip("numba")

from houseway.odds.pai_gow.contest_counts import Outcomes, way_against_way

pytestmark = pytest.mark.kernels

COMMISSION = Fraction(5, 100)


def percent(share: Fraction) -> str:
    """A share of 1 as a percentage with four decimals, rounded."""
    return f"{round(share * 1_000_000)}"


@pytest.mark.full
def test_the_six_card_way_against_itself() -> None:
    steps: list[tuple[int, int]] = []
    way = house_way("six-card")
    outcomes = way_against_way(way, way, progress=lambda done, total: steps.append((done, total)))
    assert outcomes == Outcomes(win=57_893_887_360_048, push=115_411_725_419_336, lose=73_202_004_616_656)
    assert outcomes.total == comb(53, 6) * comb(47, 6)
    assert steps == [(done, 7) for done in range(1, 8)]


@pytest.mark.full
def test_foxwoods_against_itself_gives_the_published_figures() -> None:
    """Published: 2.7212% with 5% commission and 40.4958% pushes, with A-2-3-4-5 as the lowest straight."""
    way = house_way("foxwoods")
    outcomes = way_against_way(way, way, PAI_GOW_LOW_WHEEL)
    assert outcomes == Outcomes(win=2_402_491_783_820_756, push=3_341_087_256_920_524, lose=2_506_879_990_473_120)
    assert outcomes.total == comb(53, 7) * comb(46, 7)
    assert percent(outcomes.edge(COMMISSION)) == "27212"
    assert percent(Fraction(outcomes.push, outcomes.total)) == "404958"
