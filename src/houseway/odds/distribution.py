"""What a wager can end with, and how often: an exact distribution, and every figure that follows from it.

A distribution is a list of outcomes, each with the number of deals that bring it. Amounts are fractions of one unit of
the first wager; counts are whole numbers of deals. Everything stays a fraction until it is printed.

>>> coin = Distribution((Outcome("heads", 1, Fraction(19, 20), hit=True), Outcome("tails", 1, Fraction(-1))))
>>> coin.edge, coin.hit_frequency, coin.variance
(Fraction(1, 40), Fraction(1, 2), Fraction(1521, 1600))
>>> coin.standard_deviation
0.975
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property
from typing import Final

CSV_HEAD: Final = ("outcome", "deals", "probability_fraction", "probability", "net_fraction", "net", "staked", "hit")
"""The columns of a distribution as CSV."""

_DIGITS: Final = 60
"""Digits kept while a root is taken: the float or decimal that is shown is the correctly rounded one."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way a wager, or a sum of wagers, can end.

    `net` is what the player is up or down, `staked` what had been put at risk, both in units of the first wager. `hit`
    says whether a win or a line of a pay table was paid, which can be so even where the net is nothing or a loss.
    `label` says in words what the name does not, where a wager is part of it that need not be made.
    """

    name: str
    deals: int
    net: Fraction
    staked: Fraction = Fraction(1)
    hit: bool = False
    label: str = ""


@dataclass(frozen=True)
class Distribution:
    """All outcomes of a wager over every deal; outcomes that no deal brings may be listed with 0 deals."""

    outcomes: tuple[Outcome, ...]

    @classmethod
    def of(cls, outcomes: Iterable[Outcome]) -> Distribution:
        """The distribution of any outcomes; there must be at least one deal."""
        found = cls(tuple(outcomes))
        assert found.deals > 0, "a distribution needs a deal"
        return found

    @cached_property
    def deals(self) -> int:
        """The number of all deals."""
        return sum(outcome.deals for outcome in self.outcomes)

    @cached_property
    def by_net(self) -> dict[Fraction, int]:
        """The number of deals of each net result, the largest first."""
        counts: Counter[Fraction] = Counter()
        for outcome in self.outcomes:
            counts[outcome.net] += outcome.deals
        return dict(sorted(counts.items(), reverse=True))

    def share(self, holds: Callable[[Outcome], bool]) -> Fraction:
        """The probability of the outcomes for which something holds."""
        return Fraction(sum(outcome.deals for outcome in self.outcomes if holds(outcome)), self.deals)

    def mean(self, amount: Callable[[Outcome], Fraction]) -> Fraction:
        """The average of an amount over all deals."""
        return sum((amount(outcome) * outcome.deals for outcome in self.outcomes), Fraction(0)) / self.deals

    @cached_property
    def edge(self) -> Fraction:
        """What the house keeps of one unit of the first wager, on average; below zero the player gains."""
        return -self.mean(lambda outcome: outcome.net)

    @cached_property
    def average_wager(self) -> Fraction:
        """What is put at risk on average, raises included, in units of the first wager."""
        return self.mean(lambda outcome: outcome.staked)

    @cached_property
    def hit_frequency(self) -> Fraction:
        """How often a win or a line of the pay table is paid; a push is none."""
        return self.share(lambda outcome: outcome.hit)

    @cached_property
    def win(self) -> Fraction:
        """The probability that the player ends up."""
        return self.share(lambda outcome: outcome.net > 0)

    @cached_property
    def push(self) -> Fraction:
        """The probability that the player ends even."""
        return self.share(lambda outcome: outcome.net == 0)

    @cached_property
    def lose(self) -> Fraction:
        """The probability that the player ends down."""
        return self.share(lambda outcome: outcome.net < 0)

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the net result of one round."""
        return self.mean(lambda outcome: outcome.net**2) - self.edge**2

    @property
    def standard_deviation(self) -> float:
        """The standard deviation of one round: the float nearest to the root of the exact variance."""
        return float(root_of(self.variance))

    def csv_rows(self) -> list[tuple[str, ...]]:
        """The distribution as rows under `CSV_HEAD`: fractions exactly, and the same as decimals."""
        return [
            (
                outcome.name,
                str(outcome.deals),
                fraction_text(Fraction(outcome.deals, self.deals)),
                decimal_text(Fraction(outcome.deals, self.deals)),
                fraction_text(outcome.net),
                decimal_text(outcome.net),
                decimal_text(outcome.staked),
                "yes" if outcome.hit else "no",
            )
            for outcome in self.outcomes
        ]

    def csv_text(self) -> str:
        """The distribution as the text of a CSV file."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(CSV_HEAD)
        writer.writerows(self.csv_rows())
        return text.getvalue()


def root_of(square: Fraction) -> Decimal:
    """The square root of a fraction to far more digits than a float holds."""
    assert square >= 0
    with localcontext() as context:
        context.prec = _DIGITS
        return (Decimal(square.numerator) / Decimal(square.denominator)).sqrt()


def fraction_text(share: Fraction) -> str:
    """A fraction as "numerator/denominator", also where the denominator is 1.

    >>> fraction_text(Fraction(3, 6)), fraction_text(Fraction(2))
    ('1/2', '2/1')
    """
    return f"{share.numerator}/{share.denominator}"


def decimal_text(share: Fraction, digits: int = 17) -> str:
    """A fraction as a decimal number of so many significant digits, correctly rounded, never in powers of ten.

    >>> decimal_text(Fraction(2, 3), 4), decimal_text(Fraction(-1)), decimal_text(Fraction(1, 8))
    ('0.6667', '-1', '0.125')
    """
    with localcontext() as context:
        context.prec = digits
        text = f"{Decimal(share.numerator) / Decimal(share.denominator):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def percent_text(share: Fraction, digits: int = 4) -> str:
    """A share as a percentage with so many digits behind the point, rounded from the exact value (ties to even).

    >>> percent_text(Fraction(1, 3)), percent_text(Fraction(-1, 8), 1), percent_text(Fraction(1, 2000), 2)
    ('33.3333%', '-12.5%', '0.05%')
    """
    scaled = round(share * 100 * 10**digits)
    whole, rest = divmod(abs(scaled), 10**digits)
    sign = "-" if scaled < 0 else ""
    return f"{sign}{whole:,}.{rest:0{digits}d}%" if digits else f"{sign}{whole:,}%"
