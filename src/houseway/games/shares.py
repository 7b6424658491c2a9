"""What a win takes off a meter, and what restarts it: one computation for a settled round and for the Game Manager.

Amounts are whole numbers of one unit, whichever the caller counts in: `settle` has cents, the Game Manager micros.
"""

from __future__ import annotations

from typing import NamedTuple


class Pot(NamedTuple):
    """A level before a win."""

    shown: int
    """What the sign shows: an award is a share of this."""
    hidden: int = 0
    """What lies on the meter beside it, such as contributions that the sign does not show yet."""
    seed: int = 0
    """What the house puts on a level that is won."""
    reserve: int = 0
    overflow: int = 0
    limit: int | None = None
    """The posted limit of the meter."""


class Win(NamedTuple):
    """What a win takes and what restarts the level."""

    award: int
    advanced: int
    """Of the award, what was not on the meter: the house adds it."""
    seed: int
    reserve: int
    overflow: int
    meter: int
    """What lies on the meter afterwards."""


def share_of(amount: int, percent: int, cent: int = 1) -> int:
    """A percentage of an amount, rounded down to whole cents, of which each is so many units.

    >>> share_of(1_999, 10), share_of(19_999_999, 10, cent=10_000)
    (199, 1990000)
    """
    return amount * percent // (100 * cent) * cent


def win(pot: Pot, percent: int, *, cent: int = 1, at_least: int = 0) -> Win:
    """A share of a level; at 100% the level restarts from its seed, its reserve and its overflow up to its limit.

    What an award leaves on the meter (below a cent, or not shown yet) is there already: beside it a seed as high as the
    limit would not fit whole. `at_least`: the full meter that each winner gets, whatever others have taken off it.

    >>> win(Pot(shown=1_000_000, seed=250_000), 100)
    Win(award=1000000, advanced=0, seed=250000, reserve=0, overflow=0, meter=250000)
    >>> win(Pot(shown=1_000_000, seed=250_000), 10)
    Win(award=100000, advanced=0, seed=0, reserve=0, overflow=0, meter=900000)
    """
    award = share_of(max(pot.shown, at_least), percent, cent)
    advanced = max(0, award - pot.shown)
    meter = pot.shown + pot.hidden + advanced - award
    if percent != 100:
        return Win(award, advanced, 0, 0, 0, meter)
    drawn = []
    for there in (pot.seed, pot.reserve, pot.overflow):
        drawn.append(there if pot.limit is None else min(there, max(0, pot.limit - meter)))
        meter += drawn[-1]
    seed, reserve, overflow = drawn
    return Win(award, advanced, seed, reserve, overflow, meter)
