"""What simulated rounds say: hold and edge of every wager, how far chance reaches, and the exact edge beside them.

Where the exact distribution of a wager is known, how far chance reaches follows from it (`chance_limits`), not from the
rounds that were played: rounds in which a rare prize did not fall say nothing about how far its fall reaches. How the
seats of a round hang together, since they share a dealer and a deck, is measured once in rounds of its own
(`together`).

Where the distribution is not known, the spread is that of the rounds, taken over whole rounds, never over seats. A
wager's edge is its hold over its handle. Where a raise is made in some rounds only, the handle varies as well, and the
standard error is the one of a ratio: the spread of hold less edge times handle. Sums are integers, edges fractions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from houseway.games import game as find_game
from houseway.odds.distribution import fraction_text, root_of
from houseway.odds.running.jobs import JsonValue
from houseway.odds.simulation import round_kernels
from houseway.odds.simulation.chance_limits import limits
from houseway.odds.simulation.job import Simulation, stake_of, strategy
from houseway.odds.simulation.together import ExactWager, known_of

import numpy as np  # isort: skip  (after the check for the optional part behind the kernels)

_Z: Final = Fraction("1.959963984540054")
"""How many standard deviations to either side hold 95% of a normal distribution."""
ALL: Final = "all"
"""The row of all wagers of a round together."""


@dataclass(frozen=True)
class WagerResult:
    """One wager over all rounds and seats; amounts in cents."""

    wager: str
    paytable: str | None
    stake: int | None
    rounds: int
    made: int
    win: int
    push: int
    lose: int
    handle: int
    hold: int
    envy: int
    hold_squared: int
    stake_squared: int
    hold_by_stake: int
    known: ExactWager | None = None
    """The exact distribution of one wager, where there is one."""

    @property
    def exact_edge(self) -> Fraction | None:
        """The exact edge, where it is known; the stake is then always the same."""
        return None if self.known is None or self.stake is None else self.known.payoffs.mean / self.stake

    @property
    def edge(self) -> Fraction | None:
        """What the house kept of all that was bet; None if nothing was."""
        return Fraction(self.hold, self.handle) if self.handle else None

    def _variance(self, edge: Fraction) -> Fraction:
        """The variance of one round's hold around an edge of its handle."""
        squares = self.hold_squared - 2 * edge * self.hold_by_stake + edge * edge * self.stake_squared
        return Fraction(squares, max(self.rounds - 1, 1))

    @property
    def standard_error(self) -> Fraction | None:
        """The standard error of the edge, exact where the distribution is; None where a single round leaves it open."""
        if self.edge is None:
            return None
        if self.known is not None:
            variance = sum((share.variance(self.made) for share in self.known.shares), Fraction(0))
            return Fraction(root_of(variance)) / self.handle
        if self.rounds == 1:
            return None
        return Fraction(root_of(self._variance(self.edge) * self.rounds)) / self.handle

    @property
    def confidence(self) -> tuple[Fraction, Fraction] | None:
        """The 95% confidence interval of the edge: it holds the exact one when the hold is within its limits."""
        if self.edge is None or self.standard_error is None:
            return None
        if self.hold_limits is not None and self.theoretical_hold is not None:
            low, high = self.hold_limits
            middle = self.hold + self.theoretical_hold
            # Where a giant prize is rarer than the run is long, the average lies outside the limits of nearly all runs.
            return min((middle - high) / self.handle, self.edge), max((middle - low) / self.handle, self.edge)
        reach = _Z * self.standard_error
        return self.edge - reach, self.edge + reach

    @property
    def theoretical_hold(self) -> Fraction | None:
        """What the house keeps of this handle on average."""
        return None if self.exact_edge is None else self.exact_edge * self.handle

    @cached_property
    def hold_limits(self) -> tuple[int, int] | None:
        """Between which amounts the hold of this many wagers stays in 95 of 100 cases, if all is as it should be."""
        return None if self.known is None or not self.made else limits(self.known.shares, self.made)

    @property
    def within_limits(self) -> bool | None:
        """Whether the hold is inside its limits."""
        return None if self.hold_limits is None else self.hold_limits[0] <= self.hold <= self.hold_limits[1]

    def to_json(self) -> dict[str, Any]:
        """The row as the command line prints it."""
        theoretical = self.theoretical_hold
        return {
            "wager": self.wager,
            "paytable": self.paytable,
            "stake": self.stake,
            "rounds": self.rounds,
            "made": self.made,
            "win": self.win,
            "push": self.push,
            "lose": self.lose,
            "handle": self.handle,
            "hold": self.hold,
            "envy": self.envy,
            "edge": _number(self.edge),
            "edge_fraction": None if self.edge is None else fraction_text(self.edge),
            "standard_error": _number(self.standard_error),
            "confidence_95": None if self.confidence is None else [float(bound) for bound in self.confidence],
            "exact_edge": _number(self.exact_edge),
            "exact_edge_fraction": None if self.exact_edge is None else fraction_text(self.exact_edge),
            "leaves_out_second_awards": self.known is not None and self.known.leaves_out_second_awards,
            "theoretical_hold": None if theoretical is None else round(theoretical),
            "hold_limits_95": None if self.hold_limits is None else list(self.hold_limits),
            "within_limits": self.within_limits,
        }


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def results(simulation: Simulation, parts: Sequence[JsonValue]) -> list[WagerResult]:
    """One row for every wager, and the row of all wagers together, from the sums of all parts."""
    game = find_game(simulation.game)
    sums = _added(parts)
    chosen = dict(simulation.paytables)
    rows = []
    for wager, row in zip(game.wagers, sums, strict=False):
        known = known_of(simulation, game, wager)
        rows.append(_result(wager.name, chosen.get(wager.name), stake_of(wager), simulation.rounds, row, known))
    return [*rows, _result(ALL, None, None, simulation.rounds, sums[-1])]


def _added(parts: Sequence[JsonValue]) -> list[list[int]]:
    """The sums of all parts, by wager and column, in Python's own integers."""
    added: list[list[int]] = np.sum([np.array(part, dtype=object) for part in parts], axis=0).tolist()
    return added


def _result(
    name: str,
    table: str | None,
    stake: int | None,
    rounds: int,
    row: list[int],
    known: ExactWager | None = None,
) -> WagerResult:
    def product(column: int) -> int:
        return row[column] + (row[column + 1] << round_kernels.LIMB_BITS)

    lose, push, win = row[round_kernels.COUNTS_AT : round_kernels.COUNTS_AT + 3]
    return WagerResult(
        wager=name,
        paytable=table,
        stake=stake,
        rounds=rounds,
        made=lose + push + win,
        win=win,
        push=push,
        lose=lose,
        handle=row[round_kernels.STAKED],
        hold=row[round_kernels.STAKED] - row[round_kernels.RETURNED] - row[round_kernels.ENVY],
        envy=row[round_kernels.ENVY],
        hold_squared=product(round_kernels.HOLD_SQUARED),
        stake_squared=product(round_kernels.STAKE_SQUARED),
        hold_by_stake=product(round_kernels.HOLD_BY_STAKE),
        known=known,
    )


def report_json(simulation: Simulation, rows: Sequence[WagerResult]) -> dict[str, Any]:
    """The whole report as the command line prints it."""
    return {
        "game": simulation.game,
        "rounds": simulation.rounds,
        "seats": simulation.seats,
        "rng_seed": simulation.rng_seed,
        "way": simulation.way,
        "strategy": strategy(simulation.game),
        "meters": simulation.all_meters,
        "wagers": [row.to_json() for row in rows],
    }
