"""The figures of a distribution against sums written out by hand, and its CSV read back."""

from __future__ import annotations

import csv
import io
import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.odds.distribution import CSV_HEAD, Distribution, Outcome, decimal_text, percent_text, root_of

DIE = Distribution.of(
    [
        Outcome("six", 1, Fraction(4), hit=True),
        Outcome("five", 1, Fraction(0), hit=True),
        Outcome("raise lost", 2, Fraction(-2), Fraction(2)),
        Outcome("lost", 2, Fraction(-1)),
    ]
)
"""A die: six pays 4 to 1, five pays 1 for 1, and on a three or four another unit is lost."""


def test_the_figures_of_a_die() -> None:
    assert DIE.deals == 6
    assert DIE.edge == Fraction(2, 6)
    assert DIE.average_wager == Fraction(8, 6)
    assert DIE.hit_frequency == Fraction(2, 6)
    assert (DIE.win, DIE.push, DIE.lose) == (Fraction(1, 6), Fraction(1, 6), Fraction(4, 6))
    assert DIE.variance == Fraction(16 + 4 * 2 + 2, 6) - Fraction(1, 9)
    assert DIE.standard_deviation == pytest.approx(math.sqrt(26 / 6 - 1 / 9), rel=1e-15)


def test_equal_net_results_are_counted_together_the_best_first() -> None:
    twice = Distribution.of([*DIE.outcomes, Outcome("also lost", 5, Fraction(-1))])
    assert twice.by_net == {Fraction(4): 1, Fraction(0): 1, Fraction(-1): 7, Fraction(-2): 2}
    assert list(twice.by_net) == sorted(twice.by_net, reverse=True)


outcomes = st.lists(
    st.builds(
        Outcome,
        st.just("x"),
        st.integers(1, 10**16),
        st.fractions(-10, 10**6, max_denominator=1000),
    ),
    min_size=1,
    max_size=8,
)


@given(outcomes)
def test_the_variance_is_the_mean_of_squared_deviations(found: list[Outcome]) -> None:
    distribution = Distribution.of(found)
    deals = sum(outcome.deals for outcome in found)
    mean = sum(outcome.net * outcome.deals for outcome in found) / deals
    assert distribution.edge == -mean
    assert distribution.variance == sum((outcome.net - mean) ** 2 * outcome.deals for outcome in found) / deals
    assert distribution.win + distribution.push + distribution.lose == 1


@given(st.fractions(0, 10**9))
def test_a_standard_deviation_is_the_nearest_float(square: Fraction) -> None:
    shown = float(root_of(square))
    step = Fraction(math.ulp(shown)) / 2
    assert max(Fraction(0), Fraction(shown) - step) ** 2 <= square <= (Fraction(shown) + step) ** 2


def test_numbers_are_rounded_from_the_exact_value() -> None:
    assert percent_text(Fraction(77656, 1_000_000)) == "7.7656%"
    assert percent_text(Fraction(-1, 300), 2) == "-0.33%"
    assert percent_text(Fraction(12345), 0) == "1,234,500%"
    assert decimal_text(Fraction(10**20)) == "1" + "0" * 20
    assert decimal_text(Fraction(1, 10**20)) == "0." + "0" * 19 + "1"


def test_csv_read_back_is_the_distribution() -> None:
    head, *rows = csv.reader(io.StringIO(DIE.csv_text()))
    assert tuple(head) == CSV_HEAD
    read = [dict(zip(head, row, strict=True)) for row in rows]
    assert sum(Fraction(row["probability_fraction"]) for row in read) == 1
    assert -sum(Fraction(row["probability_fraction"]) * Fraction(row["net_fraction"]) for row in read) == DIE.edge
    assert [int(row["deals"]) for row in read] == [outcome.deals for outcome in DIE.outcomes]
    assert [row["hit"] for row in read] == ["yes", "yes", "no", "no"]
    assert all(abs(Decimal(row["net"]) - Decimal(row["net_fraction"].split("/")[0])) == 0 for row in read)


def test_a_distribution_without_a_deal_is_refused() -> None:
    with pytest.raises(AssertionError):
        Distribution.of([Outcome("never", 0, Fraction(1))])
