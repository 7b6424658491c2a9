"""Whether hits agree with the exact odds: limits that hold however often somebody looks.

A usual 95% interval is right for one look at a number of wagers that was fixed beforehand. Somebody who looks every day
finds it broken sooner or later though nothing is wrong. These limits are broken at any look at all with a chance of at
most one in twenty: they come from a mixture of bets against the exact chance. The bets multiply one unit of money; if
the chance is the true one their expected worth stays 1, so the worth ever reaches 20 with a chance of at most 1/20
(Ville's inequality). Half of the stake is spread over rates near the exact chance, half over all rates there are.

The hands of one round come from one deck, and count here as if they came from decks of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import exp, lgamma, log, log1p
from typing import Final, NamedTuple

CONFIDENCE: Final = Fraction(95, 100)
_WIDE: Final = (0.5, 0.5)
"""The beta distribution that spreads one half of the stake over all rates."""


class HitLimits(NamedTuple):
    """What hits say about odds after so many wagers."""

    expected: Fraction
    lowest: int
    """So many hits and more agree with the odds, as far as they can be told by now."""
    highest: int
    evidence: float
    """What the bets against the odds are worth: from 20 on the odds are refuted."""
    rate_low: float
    """The chances of a hit that agree with what was seen reach from this one..."""
    rate_high: float

    @property
    def agree(self) -> bool:
        """Whether the exact odds are among those that the hits leave."""
        return self.evidence * (1 - float(CONFIDENCE)) < 1


def hit_limits(wagers: int, hits: int, chance: Fraction) -> HitLimits:
    """Limits for the number of hits after some wagers that each hit with an exact chance between 0 and 1.

    >>> found = hit_limits(1_000_000, 12, Fraction(1, 100_000))
    >>> int(found.expected), found.lowest, found.highest, found.agree
    (10, 2, 22, True)
    >>> hit_limits(1_000_000, 40, Fraction(1, 100_000)).agree
    False
    """
    p, most = float(chance), -log(1 - float(CONFIDENCE))
    middle = min(wagers, round(wagers * chance))
    lowest = _edge(lambda k: _worth(wagers, k, p, p) < most, middle, 0)
    highest = _edge(lambda k: _worth(wagers, k, p, p) < most, middle, wagers)
    low, high = _rates(wagers, hits, p, most)
    worth = _worth(wagers, hits, p, p)
    return HitLimits(wagers * chance, lowest, highest, exp(min(worth, 700.0)), low, high)


def _worth(wagers: int, hits: int, around: float, rate: float) -> float:
    """The logarithm of what the bets against a rate are worth."""
    missed = wagers - hits
    near = (1.0, (1 - around) / around)
    halves = [_log_beta(a + hits, b + missed) - _log_beta(a, b) - log(2) for a, b in (near, _WIDE)]
    mixed = max(halves) + log1p(exp(min(halves) - max(halves)))
    return mixed - (hits * log(rate) if hits else 0.0) - (missed * log1p(-rate) if missed else 0.0)


def _log_beta(a: float, b: float) -> float:
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def _edge(agrees: Callable[[int], bool], inside: int, outside: int) -> int:
    """The last number from one that agrees towards another end that still does."""
    if agrees(outside):
        return outside
    while abs(outside - inside) > 1:
        middle = (inside + outside) // 2
        inside, outside = (middle, outside) if agrees(middle) else (inside, middle)
    return inside


def _rates(wagers: int, hits: int, chance: float, most: float) -> tuple[float, float]:
    """The lowest and the highest rate that the bets do not refute."""
    if not wagers:
        return 0.0, 1.0
    seen = min(max(hits / wagers, 1e-15), 1 - 1e-15)

    def halved(inside: float, outside: float) -> float:
        for _ in range(200):
            middle = (inside + outside) / 2
            if _worth(wagers, hits, chance, middle) < most:
                inside = middle
            else:
                outside = middle
        return inside

    low = 0.0 if hits == 0 else halved(seen, 1e-300)
    high = 1.0 if hits == wagers else halved(seen, 1 - 1e-15)
    return low, high
