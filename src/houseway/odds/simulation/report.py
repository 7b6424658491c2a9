"""What simulated rounds say: hold and edge of every wager, how far chance reaches, and the exact edge beside them.

The seats of a round share a dealer and a deck, so their results hang together: the spread is taken over whole rounds,
never over seats. Sums are integers and edges fractions; a square root is taken at the very end.

A wager's edge is its hold over its handle. Where a raise is made in some rounds only, the handle varies as well, and
the standard error is the one of a ratio: the spread of hold less edge times handle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from houseway.errors import MissingPartError
from houseway.games import game as find_game
from houseway.odds.distribution import fraction_text, root_of
from houseway.odds.running.jobs import JsonValue
from houseway.odds.simulation import kernels
from houseway.odds.simulation.job import COMMISSION_PERCENT, Simulation, stake_of, strategy
from houseway.paytables import PayTable, paytable

import numpy as np  # isort: skip  (after the check for the optional part behind the kernels)

if TYPE_CHECKING:
    from houseway.games.model import Game, Wager

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
    exact_edge: Fraction | None

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
        """The standard error of the edge; None where a single round leaves it open."""
        if self.edge is None or self.rounds == 1:
            return None
        return Fraction(root_of(self._variance(self.edge) * self.rounds)) / self.handle

    @property
    def confidence(self) -> tuple[Fraction, Fraction] | None:
        """The 95% confidence interval of the edge."""
        if self.edge is None or self.standard_error is None:
            return None
        reach = _Z * self.standard_error
        return self.edge - reach, self.edge + reach

    @property
    def theoretical_hold(self) -> Fraction | None:
        """What the house keeps of this handle on average."""
        return None if self.exact_edge is None else self.exact_edge * self.handle

    @property
    def hold_limits(self) -> tuple[int, int] | None:
        """Between which amounts the hold of so many rounds stays in 95 of 100 cases, if all is as it should be."""
        if self.exact_edge is None or self.theoretical_hold is None or self.rounds == 1:
            return None
        reach = _Z * Fraction(root_of(self._variance(self.exact_edge) * self.rounds))
        return round(self.theoretical_hold - reach), round(self.theoretical_hold + reach)

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
    rows = [
        _result(
            wager.name,
            chosen.get(wager.name),
            stake_of(wager),
            simulation.rounds,
            row,
            exact_edge(simulation, game, wager),
        )
        for wager, row in zip(game.wagers, sums, strict=False)
    ]
    everything = _result(ALL, None, None, simulation.rounds, sums[-1], None)
    return [*rows, everything]


def _added(parts: Sequence[JsonValue]) -> list[list[int]]:
    """The sums of all parts, by wager and column, in Python's own integers."""
    added: list[list[int]] = np.sum([np.array(part, dtype=object) for part in parts], axis=0).tolist()
    return added


def _result(
    name: str, table: str | None, stake: int | None, rounds: int, row: list[int], exact: Fraction | None
) -> WagerResult:
    def product(column: int) -> int:
        return row[column] + (row[column + 1] << kernels.LIMB_BITS)

    lose, push, win = row[kernels.COUNTS_AT : kernels.COUNTS_AT + 3]
    return WagerResult(
        wager=name,
        paytable=table,
        stake=stake,
        rounds=rounds,
        made=lose + push + win,
        win=win,
        push=push,
        lose=lose,
        handle=row[kernels.STAKED],
        hold=row[kernels.STAKED] - row[kernels.RETURNED] - row[kernels.ENVY],
        envy=row[kernels.ENVY],
        hold_squared=product(kernels.HOLD_SQUARED),
        stake_squared=product(kernels.STAKE_SQUARED),
        hold_by_stake=product(kernels.HOLD_BY_STAKE),
        exact_edge=exact,
    )


def exact_edge(simulation: Simulation, game: Game, wager: Wager) -> Fraction | None:
    """The exact edge of a wager as it is simulated, where there is one.

    There is none for a raise and an ante, which hang on the player's decisions, nor for a share of a meter that is less
    than all of it at a table of several seats: a second award of the same round would find less on the meter.
    """
    from houseway.odds.questions import Question, answer
    from houseway.odds.wagers import Sides

    tables = {name: paytable(table) for name, table in simulation.paytables if name == wager.name}
    if wager.kind == "raise" or (game.offers_fold and wager.kind == "main"):
        return None
    if simulation.seats > 1 and any(_shares_meter(table) for table in tables.values()):
        return None
    way = simulation.way or ""
    commission = Fraction(COMMISSION_PERCENT, 100) if game.commission else Fraction(0)
    question = Question(
        game,
        (wager.name,),
        tables,
        Sides(way, way, "second"),
        commission=commission,
        others=simulation.seats - 1,
        bet=stake_of(wager),
        meters=simulation.all_meters,
    )
    try:
        return answer(question).edge
    except MissingPartError:
        return None


def _shares_meter(table: PayTable) -> bool:
    return any(line.percent is not None and line.percent < 100 for line in table.lines)


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
