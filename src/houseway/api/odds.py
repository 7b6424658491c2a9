"""The exact odds of a wager: shipped results, or a game that is solved here where they have none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from houseway.api.arguments import Arguments
from houseway.api.executor_choice import choose_executor
from houseway.api.odds_arguments import CheckedOptions, OddsOptions, read
from houseway.api.odds_idle import idle_options, idle_solving
from houseway.api.telling import LOG, Teller, in_python, told_in_python
from houseway.errors import InputError, MissingPartError, present
from houseway.odds.distribution import Distribution, decimal_text, fraction_text
from houseway.odds.solved_game import OPTIMAL

if TYPE_CHECKING:
    from houseway.odds.progressive_plan import ProgressivePlan
    from houseway.odds.questions import OddsAnswer, OddsQuestion, QuestionPart
    from houseway.odds.running.executors import Executor
    from houseway.odds.solved_game import SolvedGame
    from houseway.paytables import PayTable

Number = int | str | Fraction
"""A number that is exact: 5, "2.5" or Fraction(5, 2)."""
_SHARES: Final = ("hit_frequency", "win", "push", "lose", "variance")


@dataclass(frozen=True)
class Odds:
    """The odds of a wager, or of a sum of wagers, per unit of the first one; shares are exact fractions.

    What is None is not known: the edge without a jackpot's meter, other figures where wagers are not known together.
    """

    game: str
    wager: str
    edge: Fraction | None
    """What the house keeps of one unit."""
    distribution: Distribution | None = field(repr=False)
    """Every outcome with its number of deals."""
    parts: tuple[QuestionPart, ...] = field(repr=False)
    """Each wager of a sum by itself."""
    notes: tuple[str, ...]
    progressive: ProgressivePlan | None = field(repr=False)
    """What follows for the meters of a jackpot."""
    answer: OddsAnswer = field(repr=False)

    @property
    def method(self) -> str:
        """How the edge was found: exact, or simulated with a `standard_error`."""
        return self.answer.method

    @property
    def standard_error(self) -> float | None:
        """How far off a simulated edge may be; None for an exact one."""
        return self.answer.standard_error

    @property
    def hit_frequency(self) -> Fraction | None:
        """How often something is won."""
        return None if self.distribution is None else self.distribution.hit_frequency

    @property
    def standard_deviation(self) -> float | None:
        """Of one round, in units."""
        return None if self.distribution is None else self.distribution.standard_deviation

    @property
    def deals(self) -> int | None:
        """How many deals were counted."""
        return None if self.distribution is None else self.distribution.deals

    @property
    def average_wager(self) -> Fraction:
        """What is put at risk on average."""
        return self.answer.average_wager

    def csv_text(self) -> str:
        """The distribution as CSV; InputError (code `no-distribution`) where it is not known."""
        if self.distribution is None:
            message = f"there is no distribution to write: {' '.join(self.notes)}"
            raise InputError.of("no-distribution", "csv", message)
        return self.distribution.csv_text()

    def to_json(self) -> dict[str, Any]:
        """The odds as `houseway odds --json` prints them: every fraction beside its number."""
        told, question, found = self.answer, self.answer.question, self.distribution
        tables = question.tables
        shown: dict[str, Any] = {
            "game": self.game,
            "wager": self.wager,
            "paytables": {wager: table.id for wager, table in tables.items()},
            "joker": {wager: table.joker for wager, table in tables.items() if table.looks_at == "player-best"},
            "way": (question.sides.dealer or None) if question.is_set else None,
            "player": question.sides.player if question.is_set else None,
            "wheel": question.sides.wheel,
            "as": "banker" if question.banker else "player",
            "others": question.others,
            "bet": question.bet,
            "deals": self.deals,
            **_share("edge", self.edge),
            **_share("return", None if self.edge is None else 1 - self.edge),
            "method": told.method,
            "standard_error": told.standard_error,
        }
        for name in _SHARES:
            shown |= _share(name, None if found is None else getattr(found, name))
        shown["standard_deviation"] = self.standard_deviation
        risk = None if self.edge is None else self.edge / told.average_wager
        shown |= _share("element_of_risk", risk) | _share("average_wager", told.average_wager)
        shown |= _share("envy_return", told.envy)
        shown["distribution"] = None if found is None else _outcomes(found)
        shown["parts"] = [{"wager": part.wager, **_share("edge", part.edge)} for part in self.parts]
        shown["progressive"] = None if self.progressive is None else self.progressive.to_json()
        shown["notes"] = list(self.notes)
        return shown


@told_in_python
def odds(
    game: str,
    wager: str | None = None,
    *,
    paytables: Mapping[str, str | PayTable] | None = None,
    paytable_file: str | None = None,
    readings: Mapping[str, str | bool] | None = None,
    allow_holes: bool = False,
    way: str | None = None,
    player: str | None = None,
    role: str = "player",
    others: int | None = None,
    bet: int | None = None,
    meters: Mapping[str, int] | None = None,
    contribution: Number | None = None,
    seed_amounts: Mapping[str, int] | None = None,
    advantage: Number | None = None,
    wheel: str | None = None,
    commission: Number | None = None,
    workers: int | None = None,
    dask: str | None = None,
    ray: str | None = None,
) -> Odds:
    """The odds of a wager, or of a sum such as main+double_down; the game's first wager by default.

    They are exact, but for the main game of a game from outside whose deals cannot be counted: `method` says which.

    `way` is the dealer's house way and `player` how the player sets: house-way (the dealer's), optimal, another way's
    name, or a way's file. `paytables` gives a bonus or jackpot wager its table: an id, or a table of your own.
    `others` play too, for envy; `bet` and `meters` are cents. `role` is player or banker. `commission` is in percent.
    A combination that does not ship is solved here, by processes of this machine (`workers`) or a cluster.

    >>> odds("fortune", "main", way="foxwoods").edge
    Fraction(1122527000970863, 41252295156072000)
    >>> odds("fortune", "fortune", paytables={"fortune": "FPGP-1"}).edge
    Fraction(220226, 2752555)
    """
    given = OddsOptions(
        paytables=_tables(game, paytables or {}),
        paytable_file=paytable_file,
        allow_holes=allow_holes,
        way=way,
        player=player,
        wheel=wheel,
        role=role,
        commission=_text(commission),
        others=_text(others),
        bet=_text(bet),
        meters=_words(meters),
        contribution=_text(contribution),
        seeds=_words(seed_amounts),
        advantage=_text(advantage),
        readings=[f"{name}={value}" for name, value in (readings or {}).items()],
    )
    found = told_odds(game, wager, given, {"workers": _text(workers), "dask": dask, "ray": ray}, LOG)
    return replace(found, notes=tuple(map(in_python, found.notes)))


def told_odds(
    game: str, wager: str | None, given: OddsOptions, solving: Mapping[str, str | None], teller: Teller
) -> Odds:
    """The odds for arguments as they are written; whatever they leave idle is told in the notes."""
    asked = read(game, wager, given, teller)
    solver = _Solver(asked, _executor(**solving), teller)
    told = _answered(asked, solver)
    idle = idle_options(given, told.question)
    if not solver.has_solved:
        idle += idle_solving(solving)
    told = replace(told, notes=(*told.notes, *asked.notes, *idle))
    question = told.question
    return Odds(
        question.game.id,
        "+".join(question.wagers),
        told.edge,
        told.distribution,
        told.parts,
        told.notes,
        _plan(asked, told),
        told,
    )


def _tables(game_id: str, given: Mapping[str, str | PayTable]) -> Sequence[str | PayTable]:
    """The tables, each checked against the wager that it is given to."""
    arguments = Arguments()
    game = arguments.game(game_id)
    for name, table in given.items():
        found = arguments.paytable(table, f"paytables.{name}") if isinstance(table, str) else table
        wager = None if game is None else game.wager(name)
        if game is not None and found is not None and (wager is None or wager.paid_by != found.wager):
            message = f"{found.id} is for the {found.wager} wager of {', '.join(found.games)}, not for {name[:40]}"
            arguments.add("wrong-paytable", f"paytables.{name[:40]}", message)
    arguments.refuse_if_any()
    return list(given.values())


def _text(value: Number | None) -> str | None:
    """A number as somebody would write it on the command line."""
    return None if value is None else decimal_text(value, 12) if isinstance(value, Fraction) else str(value)


def _words(amounts: Mapping[str, int] | None) -> list[str]:
    return [f"{level}={cents}" for level, cents in (amounts or {}).items()]


def _executor(workers: str | None, dask: str | None, ray: str | None) -> Executor:
    """Who solves what does not ship."""
    arguments = Arguments()
    chosen = choose_executor(arguments, workers, dask, ray)
    arguments.refuse_if_any()
    return present(chosen, "executor")


def _answered(asked: CheckedOptions, solver: _Solver) -> OddsAnswer:
    """The answer from shipped results, or from solving the game where they have none."""
    from houseway.odds.questions import OddsQuestion, answer
    from houseway.odds.wagers import Sides

    question = OddsQuestion(
        asked.game,
        asked.wagers,
        asked.tables,
        Sides(asked.dealer, asked.player, asked.wheel),
        asked.banker,
        asked.commission,
        asked.others or 0,
        asked.bet,
        asked.meters,
    )
    return answer(question, solver, solver.estimate)


class _Solver:
    """Gives the solved main game: the shipped result, or where it does not fit one that is solved here."""

    def __init__(self, asked: CheckedOptions, executor: Executor, teller: Teller) -> None:
        self._asked = asked
        self._executor = executor
        self._teller = teller
        self.has_solved = False

    def __call__(self, question: OddsQuestion) -> SolvedGame:
        from houseway.odds.questions import check_solvable, shipped_solution

        asked = self._asked
        own = asked.dealer_way is not None or asked.player_way is not None
        found = None if own else shipped_solution(question)
        if found is None:
            check_solvable(question.game)
            found = _solve(asked, question, self._executor, self._teller)
            self.has_solved = True
        return found

    def estimate(self, question: OddsQuestion) -> QuestionPart:
        """The main game by simulated rounds, where nobody can count it."""
        self._teller.announce_compiling()
        from houseway.odds.simulation.estimate import estimated

        with self._teller.follow(f"simulated rounds of {question.game.id}"):
            return estimated(question)


def _solve(asked: CheckedOptions, question: OddsQuestion, executor: Executor, teller: Teller) -> SolvedGame:
    """Solve the main game; interrupted, it goes on where it was."""
    from houseway.houseways import house_way
    from houseway.odds import solved
    from houseway.odds.questions import solved_wagers
    from houseway.odds.running.cache import Cache

    if not asked.game.ways:
        raise MissingPartError(f"the result of {asked.game.id} is not shipped here: install houseway again")
    teller.announce_compiling()
    teller.say("this combination is not among the shipped results: solving it, which takes minutes for seven cards")
    try:
        with teller.follow("solving") as progress:
            return solved.solve(
                asked.game.id,
                asked.dealer_way or house_way(asked.dealer),
                asked.player_way or (None if asked.player == OPTIMAL else house_way(asked.player)),
                executor=executor,
                cache=Cache(say=teller.say),
                wheel=asked.wheel,
                wagers="+".join(solved_wagers(question)),
                commission=asked.commission,
                progress=progress,
            )
    except KeyboardInterrupt:
        teller.say("interrupted; the same question goes on where it was")
        raise


def _plan(asked: CheckedOptions, told: OddsAnswer) -> ProgressivePlan | None:
    """What follows for a progressive wager of the question."""
    from houseway.odds.progressive_plan import RoomFigures, plan

    for part in told.parts:
        table = asked.tables.get(part.wager)
        if table is not None and table.levels and part.counts is not None:
            bet = told.question.bet_on(part.wager)
            known = RoomFigures(asked.meters, bet, asked.others, asked.contribution, asked.seeds, asked.advantage)
            return plan(table, part.counts, known)
    return None


def _share(name: str, value: Fraction | None) -> dict[str, Any]:
    """A number and, beside it, the same as a fraction."""
    if value is None:
        return {name: None, f"{name}_fraction": None}
    return {name: float(value), f"{name}_fraction": fraction_text(value)}


def _outcomes(found: Distribution) -> list[dict[str, Any]]:
    return [
        {
            "outcome": outcome.name,
            **({"label": outcome.label} if outcome.label else {}),
            "deals": outcome.deals,
            **_share("probability", Fraction(outcome.deals, found.deals)),
            **_share("net", outcome.net),
            "staked": float(outcome.staked),
            "hit": outcome.hit,
        }
        for outcome in found.outcomes
    ]
