"""What is known exactly of a simulated wager, and how the wagers of a round's seats hang together.

A seat's wager has an exact distribution where its edge has one. The sum over the seats of a round has none: they share
a dealer and a deck. Their variance together, against that of independent seats, is measured in rounds of their own,
always the same ones, so that what is judged has no say in how it is judged.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Final

from houseway.errors import MissingPartError
from houseway.odds.questions import OddsQuestion, answer
from houseway.odds.simulation import round_kernels
from houseway.odds.simulation.chance_limits import Payoffs, Share
from houseway.odds.simulation.job import (
    PLAIN_ROUNDS_A_PART,
    ROUNDS_A_PART,
    Simulation,
    envy_of,
    returned_by,
    stake_of,
)
from houseway.odds.wagers import Sides
from houseway.paytables import PayLine, paytable

if TYPE_CHECKING:
    from houseway.definitions import Game, Wager
    from houseway.odds.questions import QuestionPart

_MEASURED_SEED: Final = 0x7365617473
_MEASURED_ROUNDS: Final = ROUNDS_A_PART


@dataclass(frozen=True)
class ExactWager:
    """What is known exactly of one wager: the distribution of its hold, and the shares of it over a round's seats."""

    payoffs: Payoffs
    shares: tuple[Share, ...]
    leaves_out_second_awards: bool = False
    """Whether every share of a meter is taken as the round found it, also one after another award of the round."""


def known_of(simulation: Simulation, game: Game, wager: Wager) -> ExactWager | None:
    """The exact distribution of what the house holds of one seat's wager, envy to all others included, if there is one.

    There is none for a raise, an ante and what may be taken back, which hang on the player's decisions. A share of a
    meter is taken from what the round found there: that a second award of the same round finds less is left out, for it
    moves the edge by less than a thousandth of a percent at a meter of $10,000. Where one hand brings it to all seats
    at once it would not be little, and there is no distribution.
    """
    part = _part(simulation, game, wager)
    second_awards = simulation.seats > 1 and _shares_meter(simulation, wager)
    if part is None or (second_awards and _one_hand_decides(simulation, wager)):
        return None

    def paid(line: PayLine) -> int:
        return _returned(simulation, line, wager) + (simulation.seats - 1) * envy_of(line, wager)

    whole = _payoffs(part, stake_of(wager), paid)
    if simulation.seats == 1:
        return ExactWager(whole, (Share(whole),))
    most = round_kernels.MOST_SMALL * stake_of(wager)
    shared = _one_hand_decides(simulation, wager)

    def small_part(line: PayLine) -> int:
        returned = _returned(simulation, line, wager)
        return returned if returned <= most else most if shared else 0

    spread = _spread(simulation, game, wager, _payoffs(part, stake_of(wager), small_part))
    if shared:
        return ExactWager(whole, (Share(whole, spread),))
    # Every line is in one share, whole: no prize falls in both.
    small = _payoffs(part, stake_of(wager), lambda line: paid(line) if small_part(line) else 0)
    big = _payoffs(part, 0, lambda line: 0 if small_part(line) else paid(line))
    return ExactWager(whole, (Share(small, spread), Share(big)), second_awards)


def _part(simulation: Simulation, game: Game, wager: Wager) -> QuestionPart | None:
    """The exact odds of one seat's wager without envy, if there are any."""
    tables = {name: paytable(table) for name, table in simulation.paytables if name == wager.name}
    if wager.kind == "raise" or (game.offers_fold and wager.kind == "main") or game.pull_street(wager.name) is not None:
        return None
    way = simulation.way or ""
    commission = game.commission_rate
    question = OddsQuestion(
        game,
        (wager.name,),
        tables,
        Sides(way, way, "second"),
        commission=commission,
        bet=stake_of(wager),
        meters=simulation.all_meters,
    )
    try:
        return answer(question).parts[0]
    except MissingPartError:
        return None


def _payoffs(part: QuestionPart, stake: int, paid: Callable[[PayLine], int]) -> Payoffs:
    """What the house holds of a stake where a line costs it that much; of the main wager whatever the hands decide."""
    amounts: Counter[int] = Counter()
    if part.counts is not None:
        for line, deals in part.counts.items():
            amounts[stake - (0 if line is None else paid(line))] += deals
    else:
        assert part.distribution is not None, "the hands decide it"
        for net, deals in part.distribution.by_net.items():
            amounts[int(-net * stake)] += deals
    return Payoffs(tuple((hold, deals) for hold, deals in amounts.items() if deals))


def _returned(simulation: Simulation, line: PayLine, wager: Wager) -> int:
    """What a line returns of a wager, a share as the meter stands."""
    returned = returned_by(line, wager)
    return simulation.all_meters[line.level or ""] * (line.percent or 0) // 100 if returned is None else returned


def _one_hand_decides(simulation: Simulation, wager: Wager) -> bool:
    """Whether the dealer's hand says by which line all winners of a round are paid."""
    table = dict(simulation.paytables).get(wager.name)
    return table is not None and paytable(table).looks_at.startswith("dealer")


def _shares_meter(simulation: Simulation, wager: Wager) -> bool:
    """Whether a line of the wager's table pays less than the whole meter, and leaves the rest to the next seat."""
    table = dict(simulation.paytables).get(wager.name)
    lines = () if table is None else paytable(table).lines
    return any(line.percent is not None and line.percent < 100 for line in lines)


def _spread(simulation: Simulation, game: Game, wager: Wager, small: Payoffs) -> float:
    """By how much the variance of a round's sum is that of independent seats.

    Big prizes are left out of it, on both sides: one that fell by chance would outweigh all else.
    """
    seats, rounds = simulation.seats, _MEASURED_ROUNDS if simulation.is_compiled else PLAIN_ROUNDS_A_PART
    measured = _measured(replace(simulation, rounds=rounds, rng_seed=_MEASURED_SEED))
    row, mean = measured[game.wagers.index(wager)], small.mean
    of_rounds = Fraction(int(row[round_kernels.SMALL_SQUARED]), rounds) - (seats * mean) ** 2
    of_seats = Fraction(int(row[round_kernels.SMALL_SQUARES]), rounds) - seats * mean**2
    # Both from the same rounds: a prize that fell in them counts on both sides.
    spread = float(of_rounds / of_seats) if of_seats > 0 else 1.0
    # No sum of seats can vary by more than if all ended alike.
    return min(max(spread, 1 / seats), float(seats))


@cache
def _measured(simulation: Simulation) -> list[list[int]]:
    """The sums of the rounds in which it is measured how seats hang together."""
    return simulation.play(0, simulation.rounds)
