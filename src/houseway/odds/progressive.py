"""Progressives: what a wager returns at a given meter, when it breaks even, and what its meter costs in the long run.

Two questions that are easily mixed up. At a given meter the return is a fact: fixed pays, shares of the meter as it
stands, envy. In the long run the meter pays out exactly what was put on it: the contribution of every wager, and the
seed each time a 100% award restarts it. So whatever the meter shows,

    contribution rate + cost of the reseed = 1 - fixed return - envy return - house advantage

which is the balance. The cost of the reseed is the chance of a 100% award times the seed, per unit of the wager. A
partial award takes from the meter what contributions or seeds have brought, costs nothing of its own and is not in the
balance. It is assumed that the whole contribution ends up on the displayed meter (a hidden reserve for the reseed
counts as reseed), that fixed pays come from the tray, and that every wager is the room's fixed amount.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from houseway.odds.distribution import Distribution, Outcome
from houseway.odds.wagers import NO_LINE, LineCounts, envy_return

if TYPE_CHECKING:
    from houseway.paytables import PayLine, PayTable

FIXED_WAGER: Final = 100
"""The wager in cents that the sheets' pays rest on; another fixed wager multiplies the fixed pays."""


def outcome_at(line: PayLine | None, meters: Mapping[str, int], bet: int, deals: int = 0) -> Outcome:
    """What a line makes of a wager of `bet` cents with the meters as they stand; a share is rounded down to a cent."""
    if line is None:
        return Outcome(NO_LINE, deals, Fraction(-1))
    if line.percent is None:
        return Outcome(line.hand, deals, Fraction(line.pays or 0) - 1, hit=True)
    award = meters[line.level or ""] * line.percent // 100
    return Outcome(line.hand, deals, Fraction(award, bet) - 1, hit=True)


def distribution_at(counts: LineCounts, meters: Mapping[str, int], bet: int = FIXED_WAGER) -> Distribution:
    """The outcomes of one wager with the meters as they stand, in cents by level; envy is left out."""
    return Distribution.of(outcome_at(line, meters, bet, deals) for line, deals in counts.items())


def missing_levels(table: PayTable, meters: Mapping[str, int]) -> tuple[str, ...]:
    """The meter levels of a table that were not given."""
    return tuple(level for level in table.levels if level not in meters)


def fixed_return(counts: LineCounts) -> Fraction:
    """What the fixed pays return of one unit on average."""
    deals = sum(counts.values())
    return Fraction(sum(count * (line.pays or 0) for line, count in counts.items() if line is not None), deals)


def meter_return(counts: LineCounts, meters: Mapping[str, int], bet: int = FIXED_WAGER) -> Fraction:
    """What the shares of the meters, as they stand, return of one unit on average."""
    deals = sum(counts.values())
    awards = (
        count * (meters[line.level or ""] * line.percent // 100)
        for line, count in counts.items()
        if line is not None and line.percent is not None
    )
    return Fraction(sum(awards), deals * bet)


def break_even(
    table: PayTable, counts: LineCounts, meters: Mapping[str, int], bet: int = FIXED_WAGER, envy: Fraction = Fraction(0)
) -> dict[str, int | None]:
    """For each level the least meter in cents at which the wager returns all of itself, the other levels as given.

    None where another level's meter is not known; 0 where the wager returns as much without that level.
    """
    found: dict[str, int | None] = {}
    for level in table.levels:
        others = {other: cents for other, cents in meters.items() if other != level}
        known = not missing_levels(table, {**others, level: 0})
        found[level] = _break_even_of(level, counts, others, bet, envy) if known else None
    return found


def _break_even_of(level: str, counts: LineCounts, others: Mapping[str, int], bet: int, envy: Fraction) -> int:
    """The least meter of one level; shares are rounded down, so that it can be some cents above the plain division."""
    rest = fixed_return(counts) + envy

    def is_even(cents: int) -> bool:
        return rest + meter_return(counts, {**others, level: cents}, bet) >= 1

    assert any(count for line, count in counts.items() if line is not None and line.level == level), "no line is dead"
    # Doubling finds an upper end: what a meter returns grows without limit.
    low, high = 0, bet
    if is_even(low):
        return low
    while not is_even(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_even(middle) else (middle, high)
    return high


def reseed_chances(table: PayTable, counts: LineCounts) -> dict[str, Fraction]:
    """How often a wager restarts each level: the chance of its 100% award."""
    deals = sum(counts.values())
    chances = dict.fromkeys(table.levels, Fraction(0))
    for line, count in counts.items():
        if line is not None and line.percent == 100 and line.level is not None:
            chances[line.level] += Fraction(count, deals)
    return chances


@dataclass(frozen=True, slots=True)
class Balance:
    """What contribution and reseed must be together, per unit of the wager, so that a house advantage holds."""

    fixed_return: Fraction
    envy_return: Fraction
    advantage: Fraction

    @property
    def total(self) -> Fraction:
        """Contribution rate plus cost of the reseed."""
        return 1 - self.fixed_return - self.envy_return - self.advantage


def balance(
    table: PayTable, counts: LineCounts, advantage: Fraction, others: int = 0, bet: int = FIXED_WAGER
) -> Balance:
    """The balance of a table under a house advantage, with that many other players earning envy."""
    return Balance(fixed_return(counts), envy_return(table, counts, others, bet), advantage)


def reseed_cost(chances: Mapping[str, Fraction], seeds: Mapping[str, int | Fraction], bet: int) -> Fraction:
    """What restarting the meters at their seeds costs per unit of the wager, on average."""
    return sum((chances[level] * seeds[level] / bet for level in chances), Fraction(0))


def contribution_for(
    pinned: Balance, chances: Mapping[str, Fraction], seeds: Mapping[str, int], bet: int = FIXED_WAGER
) -> Fraction:
    """The contribution rate that a balance leaves once the seeds are known; below zero the seeds are too high."""
    return pinned.total - reseed_cost(chances, seeds, bet)


def seed_for(
    pinned: Balance,
    chances: Mapping[str, Fraction],
    contribution: Fraction,
    seeds: Mapping[str, int],
    bet: int = FIXED_WAGER,
) -> tuple[str, Fraction]:
    """The one level without a seed and the seed in cents that a balance leaves for it; below zero there is none."""
    (level,) = (level for level in chances if level not in seeds)
    left = pinned.total - contribution - reseed_cost(chances, {**seeds, level: 0}, bet)
    return level, left * bet / chances[level]
