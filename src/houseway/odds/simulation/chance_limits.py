"""Between which amounts the hold of many wagers stays by chance: quantiles that know the exact distribution of one.

A wager with rare big prizes is far from normal even after millions of rounds: most runs see a prize never, some once,
and neither is an alarm. So the distribution of the sum is computed from the exact one of a single wager, by Fourier
inversion: the characteristic function of a sum is that of one summand to the power of their number. Amounts lie on a
lattice of cents; where the lattice has too many points, a coarser grid takes its place, and the limits are widened by
some of its steps.

The seats of a round share a dealer and a deck. The `spread` of a share says by how much the variance of a round's sum
is that of independent wagers: 1 if they were, the number of seats if all ended alike. The sum then counts as that of
fewer, larger wagers that are independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from math import gcd
from typing import Final

import numpy as np
import numpy.typing as npt

_POINTS: Final = 1 << 18
"""The most points of the grid."""
_OUTSIDE: Final = 1e-7
"""How much probability may lie outside the window of the grid, on either side."""
_SMOOTHING: Final = 2.0
"""On a coarse grid, the standard deviation in steps of the noise that keeps the inversion from ringing."""
_WIDENING: Final = 6.0
"""On a coarse grid, by how many steps the limits are widened for it."""

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Payoffs:
    """What the house holds of one wager, in cents, and in how many deals."""

    amounts: tuple[tuple[int, int], ...]

    @cached_property
    def deals(self) -> int:
        """The number of all deals."""
        return sum(deals for _, deals in self.amounts)

    @cached_property
    def mean(self) -> Fraction:
        """What the house holds on average."""
        return Fraction(sum(hold * deals for hold, deals in self.amounts), self.deals)

    @cached_property
    def variance(self) -> Fraction:
        """The variance of what the house holds."""
        return Fraction(sum(hold * hold * deals for hold, deals in self.amounts), self.deals) - self.mean**2


@dataclass(frozen=True)
class Share:
    """One part of what the house holds of every wager, and how its amounts hang together over a round's seats."""

    payoffs: Payoffs
    spread: float = 1.0

    def variance(self, wagers: int) -> Fraction:
        """The variance of the sum over so many wagers."""
        return self.payoffs.variance * wagers * Fraction(self.spread)


def limits(shares: Sequence[Share], wagers: int, coverage: float = 0.95) -> tuple[int, int]:
    """Between which amounts the hold of this many wagers stays with that probability, as much outside on each side.

    The shares of a wager's hold are taken to be independent of each other.

    >>> limits([Share(Payoffs(((1, 1), (-1, 1))))], 100)
    (-20, 20)
    """
    sums = [_Sum.of(share, wagers) for share in shares if share.payoffs.variance]
    fixed = sum((share.payoffs.mean * wagers for share in shares if not share.payoffs.variance), Fraction(0))
    if not sums:
        return int(fixed // 1), int(-(-fixed // 1))
    tail = (1 - coverage) / 2
    low, high = (found + fixed for found in _quantiles(sums, (tail, 1 - tail)))
    return int(low // 1), int(-(-high // 1))


@dataclass(frozen=True)
class _Sum:
    """The sum of independent amounts that are alike."""

    count: int
    centred: Numbers
    """The amounts less their mean, in cents."""
    chances: Numbers
    mean: Fraction
    """Of the whole sum."""
    origin: int
    """The sum if all amounts were the first one."""
    lattice: int
    """All sums lie whole numbers of this away from the first one; 0 where they lie anywhere."""

    @classmethod
    def of(cls, share: Share, wagers: int) -> _Sum:
        """The sum of a share over so many wagers, those of a round that hang together as fewer and larger ones."""
        amounts = [(hold, deals) for hold, deals in share.payoffs.amounts if deals]
        count = max(1, round(wagers / share.spread))
        scale = Fraction(wagers, count)
        centred = [float((hold - share.payoffs.mean) * scale) for hold, _ in amounts]
        chances = [deals / share.payoffs.deals for _, deals in amounts]
        first = amounts[0][0]
        lattice = reduce(gcd, (hold - first for hold, _ in amounts), 0) if scale == 1 else 0
        mean = share.payoffs.mean * wagers
        return cls(count, np.array(centred), np.array(chances), mean, first * wagers, lattice)


def _quantiles(sums: Sequence[_Sum], shares: Sequence[float]) -> list[Fraction]:
    """The amounts below or at which the sum of all sums lies with these probabilities."""
    mean = sum((each.mean for each in sums), Fraction(0))
    lattice = 0 if any(not each.lattice for each in sums) else reduce(gcd, (each.lattice for each in sums))
    below, above = _reach(sums, -1), _reach(sums, 1)
    step = max(float(lattice), (below + above) / _POINTS)
    coarse = step > lattice
    first = mean - round(below)
    if lattice:
        origin = sum(each.origin for each in sums)
        first = Fraction(origin + lattice * ((first - origin) // lattice))
    points = 1 << max(4, int(np.ceil(np.log2((below + above) / step + 2))))
    cumulated = np.cumsum(_densities(sums, float(first - mean), step, points, coarse))
    found = []
    for share in shares:
        place = int(np.searchsorted(np.maximum.accumulate(cumulated), share))
        widened = (_WIDENING if share > 0.5 else -_WIDENING) * step if coarse else 0.0
        found.append(first + Fraction(place * step + widened))
    return found


def _reach(sums: Sequence[_Sum], side: int) -> float:
    """How far to one side of its mean the sum can lie but for a negligible chance: Chernoff's bound at its best."""
    scale = float(np.sqrt(sum(each.count * np.dot(each.chances, each.centred**2) for each in sums)))
    best = float(sum(each.count * (side * each.centred).max() for each in sums))
    for exponent in np.geomspace(1e-4, 30, 120) / scale:
        growth = sum(each.count * _log_mean_exp(side * exponent * each.centred, each.chances) for each in sums)
        best = min(best, (growth - float(np.log(_OUTSIDE))) / float(exponent))
    return best


def _log_mean_exp(values: Numbers, chances: Numbers) -> float:
    """The logarithm of the mean of the exponentials, which themselves may be too large for a float."""
    top = float(values.max())
    return top + float(np.log(np.dot(chances, np.exp(values - top))))


def _densities(sums: Sequence[_Sum], first: float, step: float, points: int, coarse: bool) -> Numbers:
    """The probability at each point of the grid, which begins `first` from the mean."""
    frequencies = 2 * np.pi * np.arange(points // 2 + 1) / (points * step)
    power = -1j * frequencies * first
    for each in sums:
        # Of numbers near 1 the logarithm is taken of what they differ by: the power is large.
        difference = np.zeros(len(frequencies), np.complex128)
        for amount, chance in zip(each.centred, each.chances, strict=True):
            difference += chance * np.expm1(1j * amount * frequencies)
        with np.errstate(divide="ignore"):
            power = power + each.count * np.log1p(difference)
    if coarse:
        power = power - (frequencies * _SMOOTHING * step) ** 2 / 2
    return np.fft.irfft(np.conj(np.exp(power)), points)
