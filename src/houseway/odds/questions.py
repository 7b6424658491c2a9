"""A question about the odds of one wager or of a sum of wagers, and its exact answer.

All figures are per unit of the first wager, with one unit on every wager of a sum. The edge of a sum is the sum of the
edges, always. Its distribution needs the outcomes together: those of wagers on the player's own cards follow from hand
counts, and with the main wager from solved results that are split by the player's hand. Where the outcomes are not
known together (two hands decide Tiger 9, Pai Gow'd and Bad Beat; a jackpot may read the joker otherwise than the other
wagers), the answer has the edge and no distribution.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import hypot
from typing import TYPE_CHECKING, Final, TypeAlias

from houseway.definitions import defined_as, shipped_games
from houseway.errors import MissingPartError
from houseway.odds import solved
from houseway.odds.distribution import Distribution, Outcome, decimal_text
from houseway.odds.progressive import FIXED_WAGER, distribution_at, missing_levels, outcome_at
from houseway.odds.pulled_wagers import kept_distribution, street_of
from houseway.odds.solved_game import OPTIMAL, SolvedGame
from houseway.odds.wagers import (
    USUAL_BET,
    LineCounts,
    Sides,
    bonus_distribution,
    bonus_outcome,
    counts_for,
    earns_envy,
    envy_from,
    envy_return,
    line_counts,
)
from houseway.wording import dollars

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.paytables import PayTable

_MIRRORED: Final = {"win": "lose", "lose": "win"}
_ENDS: Final = {"win": "wins", "push": "pushes", "lose": "loses", "none": "is not made"}
"""How a wager ends, in words."""


@dataclass(frozen=True)
class OddsQuestion:
    """What is asked: the wagers of a game, how both sides play, and what a room sets."""

    game: Game
    wagers: tuple[str, ...]
    tables: Mapping[str, PayTable] = field(default_factory=dict)
    """The pay table of every wager that has one."""
    sides: Sides = field(default_factory=Sides)
    banker: bool = False
    """Whether the wager is a player's bank instead of a wager against the dealer."""
    commission: Fraction = Fraction(0)
    others: int = 0
    bet: int | None = None
    meters: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_set(self) -> bool:
        """Whether it matters how hands are set or played: not for wagers on the best of anybody's cards."""
        depends = any(table.looks_at.startswith("dealer") for table in self.tables.values())
        return depends or bool(self.contest_wagers)

    @property
    def contest_wagers(self) -> tuple[str, ...]:
        """The wagers that the hands decide between them."""
        return tuple(wager for wager in self.wagers if wager not in self.tables)

    def bet_on(self, wager: str) -> int:
        """The size of a wager in cents: as given, else the least that a sheet's figures rest on."""
        if self.bet is not None:
            return self.bet
        table = self.tables[wager]
        return FIXED_WAGER if table.levels else envy_from(table) or USUAL_BET


Solver: TypeAlias = "Callable[[OddsQuestion], SolvedGame]"
"""What gives the solved main game of a question."""
Estimate: TypeAlias = "Callable[[OddsQuestion], QuestionPart]"
"""What estimates the main game of a question that nobody can count."""


class UncountedError(MissingPartError):
    """The deals of a game are not counted over: there is no solver for it."""


@dataclass(frozen=True)
class QuestionPart:
    """One wager of the question by itself; the edge includes envy and is None for a meter that was not given."""

    wager: str
    edge: Fraction | None
    average_wager: Fraction
    envy: Fraction = Fraction(0)
    distribution: Distribution | None = None
    counts: LineCounts | None = None
    standard_error: float | None = None
    """Of an edge that was simulated; None for an exact one."""


@dataclass(frozen=True)
class OddsAnswer:
    """The odds: the edge with envy, and where the outcomes are known together their distribution without it."""

    question: OddsQuestion
    parts: tuple[QuestionPart, ...]
    distribution: Distribution | None
    notes: tuple[str, ...]

    @property
    def edge(self) -> Fraction | None:
        """What the house keeps of one unit of the first wager; None while a meter is not known."""
        edges = [part.edge for part in self.parts]
        return None if None in edges else sum((edge for edge in edges if edge is not None), Fraction(0))

    @property
    def standard_error(self) -> float | None:
        """How far off the edge may be, where a part of it was simulated; None for an exact one."""
        found = [part.standard_error for part in self.parts if part.standard_error is not None]
        return hypot(*found) if found else None

    @property
    def method(self) -> str:
        """How the edge was found: exact, or simulated."""
        return "exact" if self.standard_error is None else "simulated"

    @property
    def envy(self) -> Fraction:
        """What envy returns, which the edge includes and the distribution does not."""
        return sum((part.envy for part in self.parts), Fraction(0))

    @property
    def average_wager(self) -> Fraction:
        """What is put at risk on average."""
        return sum((part.average_wager for part in self.parts), Fraction(0))


def answer(question: OddsQuestion, solver: Solver | None = None, estimate: Estimate | None = None) -> OddsAnswer:
    """The odds that a question asks for; `solver` gives the solved main game where it shall not be a shipped one.

    `estimate` gives the main game of a question that cannot be counted. Raises MissingPartError where a shipped result
    is needed and there is none for these sides. What is counted for an earlier edition rests on its own facts.
    """
    if not question.game.as_of:
        return _answer(question, solver, estimate)
    with defined_as(question.game):
        return _answer(question, solver, estimate)


def _answer(question: OddsQuestion, solver: Solver | None, estimate: Estimate | None) -> OddsAnswer:
    notes = list(question.game.notes)
    parts = [_table_part(question, wager, notes, solver) for wager in question.wagers if wager in question.tables]
    contest = _contest(question, solver or _shipped_or_missing, estimate, parts)
    notes += [
        f"The deals of {part.wager} are too many to be counted: its edge is simulated, with a standard error of "
        f"{part.standard_error:.4%}."
        for part in parts
        if part.standard_error is not None
    ]
    if contest is not None:
        distribution = Distribution.of(_contest_outcomes(question, contest))
        name = "+".join(question.contest_wagers)
        parts.insert(0, QuestionPart(name, distribution.edge, distribution.average_wager, distribution=distribution))
        if any(not outcome.staked for outcome in distribution.outcomes):
            notes.append(
                "A deal in which the wager is not made counts among the pushes, and in the average wager as 0."
            )
        if question.game.commission and question.commission:
            notes.append(_commission_note(question))
    if question.others and any(earns_envy(table, question.bet_on(name)) for name, table in question.tables.items()):
        notes.append("The edge includes envy; distribution, hit frequency and standard deviation are without it.")
    if len(parts) == 1:
        return OddsAnswer(question, tuple(parts), parts[0].distribution, tuple(notes))
    together = _together(question, contest, parts)
    if together is None:
        notes.append(
            "The outcomes of these wagers are not known together: the edge is exact, the other figures are null."
        )
    else:
        notes.append("One unit is bet on each wager of the sum.")
    return OddsAnswer(question, tuple(parts), together, tuple(notes))


def _contest(
    question: OddsQuestion, solver: Solver, estimate: Estimate | None, parts: list[QuestionPart]
) -> SolvedGame | None:
    """The main game where it is asked for; one that cannot be counted is estimated, which is a part by itself."""
    if not question.contest_wagers:
        return None
    try:
        return solver(question)
    except UncountedError:
        if estimate is None or question.banker:
            raise
    parts.insert(0, estimate(question))
    return None


def shipped_solution(question: OddsQuestion) -> SolvedGame | None:
    """The shipped solution of the main game for a question's sides, if there is one."""
    sides = question.sides
    try:
        return solved.solved(
            question.game.id,
            sides.dealer,
            sides.player,
            sides.wheel,
            "+".join(solved_wagers(question)),
            question.commission,
        )
    except FileNotFoundError:
        return None


def _shipped_or_missing(question: OddsQuestion) -> SolvedGame:
    found = shipped_solution(question)
    if found is None:
        check_solvable(question.game)
        sides = question.sides
        played = f"{sides.player} against {sides.dealer}" if sides.dealer else sides.player
        raise MissingPartError(f"{question.game.id} is not among the shipped results for {played}")
    return found


def check_solvable(game: Game) -> None:
    """Refuse a game that no solver knows: UncountedError."""
    if game.id not in {each.id for each in shipped_games()}:
        raise UncountedError(f"the deals of {game.title} are too many to be counted, and no solver knows the game")


def solved_wagers(question: OddsQuestion) -> tuple[str, ...]:
    """The wagers that are solved together where these are asked for; an ante is never without its decision to play."""
    first, raised = question.game.first_wager.name, question.game.raise_wager
    if raised is not None and (question.game.offers_fold or raised.name in question.wagers):
        return first, raised.name
    return question.contest_wagers or (first,)


def _contest_outcomes(question: OddsQuestion, contest: SolvedGame) -> Iterator[Outcome]:
    """The outcomes of the wagers that are asked for; those that differ in others only are one."""
    found: dict[str, Outcome] = {}
    for key, deals in contest.outcomes.items():
        outcome = _contest_outcome(question, key, deals)
        before = found.get(outcome.name)
        found[outcome.name] = outcome if before is None else _more(before, deals)
    yield from found.values()


def _contest_outcome(question: OddsQuestion, key: str, deals: int = 0) -> Outcome:
    """What an outcome of the solved wagers, such as `win+push`, makes of those that are asked for."""
    parts = dict(zip(solved_wagers(question), key.split("+"), strict=True))
    asked = {wager: parts[wager] for wager in parts if wager in question.wagers}
    if question.banker:
        asked = {wager: _MIRRORED.get(outcome, outcome) for wager, outcome in asked.items()}
    net = sum((_net(question, wager, outcome) for wager, outcome in asked.items()), Fraction(0))
    staked = Fraction(sum(outcome != "none" for outcome in asked.values()))
    label = ", ".join(f"{wager.replace('_', ' ')} {_ENDS[asked[wager]]}" for wager in asked) if len(parts) > 1 else ""
    return Outcome("+".join(asked.values()), deals, net, staked, "win" in asked.values(), label)


def _net(question: OddsQuestion, wager: str, outcome: str) -> Fraction:
    """What one part of an outcome brings; a commission on a bet that is known is rounded down to the cent."""
    if outcome == "win" and wager == question.game.first_wager.name and question.game.commission:
        if question.bet is None:
            return 1 - question.commission
        return 1 - Fraction(_commission_cents(question.bet, question.commission), question.bet)
    return Fraction({"win": 1, "lose": -1}.get(outcome, 0))


def _commission_cents(bet: int, commission: Fraction) -> int:
    """The commission on a win, rounded down to the cent as a settlement does."""
    return int(bet * commission)


def _commission_note(question: OddsQuestion) -> str:
    """What a win pays: where the bet is known, the commission that is really taken from it."""
    rate = f"{decimal_text(question.commission * 100)}%"
    if question.bet is None:
        return f"A win pays even money less {rate} commission."
    cents = _commission_cents(question.bet, question.commission)
    taken = f"{decimal_text(Fraction(cents * 100, question.bet), 4)}%"
    note = f"A win of {dollars(question.bet)} pays {rate} commission, rounded down to the cent: {dollars(cents)}"
    exact = cents == question.bet * question.commission
    return f"{note}." if exact else f"{note}, which is {taken} of the bet; the edge is that of this bet."


def _table_part(question: OddsQuestion, wager: str, notes: list[str], solver: Solver | None) -> QuestionPart:
    """A wager that a pay table decides, by itself."""
    table, bet = question.tables[wager], question.bet_on(wager)
    street = street_of(question.game, wager)
    if street is not None:
        kept = kept_distribution(question.game, wager, table)
        notes.append(
            f"{wager} is taken back after the {street.title} where what can still come returns less than it: best play."
        )
        return QuestionPart(wager, kept.edge, kept.average_wager, distribution=kept)
    counts = _line_counts(question, table, solver)
    if counts is None:
        ways = ", ".join(question.game.ways)
        raise MissingPartError(
            f"{wager} is not counted for a player who plays {question.sides.player}: "
            f"ask for one of the house ways {ways}, or for a way of your own"
        )
    if not table.approved:
        notes.append(f"{table.id} is not an approved table.")
    if table.joker == "literal":
        notes.append(f"{table.id} is read with the joker as an ace in five aces only (jackpot_joker literal).")
    envy = envy_return(table, counts, question.others, bet)
    if table.has_envy and question.others and not earns_envy(table, bet):
        notes.append(f"A {wager} wager of less than {envy_from(table)} cents earns no envy.")
    if missing := missing_levels(table, question.meters):
        needed = " ".join(f"--meter {level}=CENTS" for level in missing)
        notes.append(f"What {wager} returns depends on its meters: give {needed}.")
        return QuestionPart(wager, None, Fraction(1), envy, None, counts)
    found = distribution_at(counts, question.meters, bet) if table.levels else _fixed(table, counts)
    return QuestionPart(wager, found.edge - envy, Fraction(1), envy, found, counts)


def _line_counts(question: OddsQuestion, table: PayTable, solver: Solver | None) -> LineCounts | None:
    """The shipped counts of a table's lines, or those of a game that is solved for these sides."""
    found = line_counts(table, question.game.id, question.sides)
    # Best play is about the main wager: which of two settings with one value it takes would decide such a wager.
    if found is not None or solver is None or question.sides.player == OPTIMAL or not question.sides.dealer:
        return found
    return line_counts(table, question.game.id, question.sides, main=solver(question))


def _fixed(table: PayTable, counts: LineCounts) -> Distribution:
    """The outcomes of a wager without meters; a jackpot wager keeps its stake all the same."""
    return bonus_distribution(counts) if table.unit == "to-1" else distribution_at(counts, {})


def _together(question: OddsQuestion, contest: SolvedGame | None, parts: list[QuestionPart]) -> Distribution | None:
    """The outcomes of all wagers of a sum together, or None where they are not known."""
    if any(part.distribution is None for part in parts) or (question.contest_wagers and contest is None):
        return None
    if any(table.looks_at != "player-best" or table.joker != "semi-wild" for table in question.tables.values()):
        return None
    if any(street_of(question.game, wager) is not None for wager in question.wagers):
        return None
    if contest is not None and not contest.by_hand:
        return None
    ends = [_ending(question, wager) for wager in question.wagers if wager in question.tables]
    found: dict[str, Outcome] = {}
    for names, key, deals in _hands(question, contest):
        outcomes = [ending(names) for ending in ends]
        if key is not None:
            outcomes.insert(0, _contest_outcome(question, key))
        joined = _joined(outcomes, deals)
        before = found.get(joined.name)
        found[joined.name] = joined if before is None else _more(before, deals)
    return Distribution.of(found.values())


def _hands(question: OddsQuestion, contest: SolvedGame | None) -> Iterator[tuple[frozenset[str], str | None, int]]:
    """The player's hands by the names they fit, with the outcome of the main wager where it is asked for."""
    if contest is None:
        for names, deals in counts_for(question.game.id).by_names.items():
            yield names, None, deals
        return
    for fitted, outcomes in contest.by_hand.items():
        for key, deals in outcomes.items():
            yield frozenset(fitted), key, deals


def _ending(question: OddsQuestion, wager: str) -> Callable[[frozenset[str]], Outcome]:
    table, bet = question.tables[wager], question.bet_on(wager)
    if table.unit == "to-1":
        return lambda names: bonus_outcome(table.line_for(names))
    return lambda names: outcome_at(table.line_for(names), question.meters, bet)


def _joined(outcomes: list[Outcome], deals: int) -> Outcome:
    name = ", ".join(outcome.name for outcome in outcomes)
    net = sum((outcome.net for outcome in outcomes), Fraction(0))
    staked = sum((outcome.staked for outcome in outcomes), Fraction(0))
    label = ", ".join(outcome.label or outcome.name for outcome in outcomes)
    told = label if any(outcome.label for outcome in outcomes) else ""
    return Outcome(name, deals, net, staked, any(outcome.hit for outcome in outcomes), told)


def _more(outcome: Outcome, deals: int) -> Outcome:
    return replace(outcome, deals=outcome.deals + deals)
