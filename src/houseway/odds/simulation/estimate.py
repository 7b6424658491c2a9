"""The odds of a main game that nobody can count, by simulated rounds: an edge with its standard error."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from houseway.errors import MissingPartError
from houseway.odds.questions import QuestionPart
from houseway.odds.simulation.job import Simulation, default_tables, kernels_play
from houseway.odds.simulation.simulation_report import results

if TYPE_CHECKING:
    from houseway.odds.questions import OddsQuestion

SEED: Final = 0x6F646473
"""The same question gives the same estimate."""
COMPILED_ROUNDS: Final = 1 << 20
SETTLED_ROUNDS: Final = 1 << 15


def estimated(question: OddsQuestion) -> QuestionPart:
    """The contest of a question from rounds of one player; MissingPartError where players' decisions are not known."""
    game, sides = question.game, question.sides
    if game.ways and (sides.dealer not in game.ways or sides.player != sides.dealer):
        raise MissingPartError(f"{game.title} is simulated with both sides on one of its house ways, and not otherwise")
    rounds = COMPILED_ROUNDS if kernels_play(game) else SETTLED_ROUNDS
    tables = tuple((default_tables(game) | {name: table.id for name, table in question.tables.items()}).items())
    simulation = Simulation(game.reference, rounds, 1, SEED, tables, sides.dealer or None)
    rows = results(simulation, [simulation.run_part(number, None) for number in range(simulation.parts)])
    asked = [row for row in rows if row.wager in question.contest_wagers]
    handle, hold = sum(row.handle for row in asked), sum(row.hold for row in asked)
    first = rows[0]
    if not first.handle or len(asked) != 1:
        raise MissingPartError(f"{'+'.join(question.contest_wagers)} of {game.title} is not simulated as a sum")
    error = first.standard_error
    return QuestionPart(
        asked[0].wager,
        Fraction(hold, handle),
        Fraction(1),
        standard_error=None if error is None else float(error),
    )
