"""`houseway odds`: edge, return, hit frequency and the whole distribution of any wager, with any pay table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from houseway.cli.arguments import Arguments
from houseway.cli.executors import DaskOption, RayOption, WorkersOption, choose_executor
from houseway.cli.odds_arguments import OPTIMAL, Given, Read, read
from houseway.cli.odds_idle import idle_options, idle_solving
from houseway.cli.options import CommissionOption, WheelOption
from houseway.cli.output import JsonFlag, print_json, print_problem
from houseway.errors import InputError, MissingPartError

if TYPE_CHECKING:
    from houseway.odds.progressive_plan import Plan
    from houseway.odds.questions import Answer, Question
    from houseway.odds.running.executors import Executor
    from houseway.odds.solved import Solved

_Texts = list[str] | None


def odds(
    game: Annotated[str, Parameter(help="The game's id; `houseway games` lists them.")],
    wager: Annotated[
        str | None,
        Parameter(help="A wager, or a sum such as main+double_down; the game's first wager by default."),
    ] = None,
    /,
    *,
    paytable: Annotated[
        _Texts,
        Parameter(metavar="ID", negative="", help="The pay table of a bonus or jackpot wager; once for each."),
    ] = None,
    paytable_file: Annotated[
        str | None, Parameter(metavar="FILE", help="A pay table of your own, a TOML file, instead.")
    ] = None,
    reading: Annotated[
        _Texts,
        Parameter(
            metavar="NAME=VALUE", negative="", help="How an open point of a pay table is read: jackpot_joker=literal."
        ),
    ] = None,
    allow_holes: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="Take an own table that leaves out a hand between paid ones."),
    ] = False,
    way: Annotated[
        str | None, Parameter(metavar="WAY", help="The dealer's house way: a name, or a way's file.")
    ] = None,
    player: Annotated[
        str | None,
        Parameter(metavar="HOW", help="house-way (the dealer's), optimal, another way's name, or a way's file."),
    ] = None,
    role: Annotated[
        str, Parameter(name="--as", metavar="ROLE", help="player, or banker where players may bank.")
    ] = "player",
    others: Annotated[
        str | None, Parameter(metavar="N", help="Other players in the round, for envy: 0 by default.")
    ] = None,
    bet: Annotated[str | None, Parameter(metavar="CENTS", help="The size of each wager.")] = None,
    meter: Annotated[
        _Texts, Parameter(metavar="LEVEL=CENTS", negative="", help="What a meter shows; once for each level.")
    ] = None,
    contribution: Annotated[
        str | None, Parameter(metavar="RATE", help="The share of a wager that goes on the meter: 0.15 or 15%.")
    ] = None,
    seed_amount: Annotated[
        _Texts, Parameter(metavar="CENTS", negative="", help="What a meter restarts at; LEVEL=CENTS with several.")
    ] = None,
    advantage: Annotated[
        str | None, Parameter(metavar="RATE", help="A house advantage to plan for instead of the printed one.")
    ] = None,
    wheel: WheelOption = None,
    commission: CommissionOption = None,
    seen_hands: Annotated[
        str | None, Parameter(metavar="N", help="How many other hands lie face up before the player, who plays best.")
    ] = None,
    csv: Annotated[str | None, Parameter(metavar="FILE", help="Write the distribution as CSV as well.")] = None,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    ray: RayOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Tell the exact odds of a wager, or of a sum of wagers, per unit of the first one."""
    given = Given(
        paytable or (), paytable_file, allow_holes, way, player, wheel, role, commission, others, bet, meter or (),
        contribution, seed_amount or (), advantage, reading or (),
    )  # fmt: skip
    solving = {"workers": workers, "dask": dask, "ray": ray}
    if seen_hands is not None:
        from houseway.cli.odds_seen import tell_seen

        return tell_seen(game, wager, given, seen_hands, {"csv": csv, **solving}, as_json=as_json)
    asked = read(game, wager, given)
    solver = _Solver(asked, _executor(workers, dask, ray))
    told = _answered(asked, solver)
    idle = idle_options(given, told.question)
    if not solver.has_solved:
        idle += idle_solving(solving)
    told = replace(told, notes=(*told.notes, *asked.notes, *idle))
    if csv is not None:
        _write_csv(told, csv)
    from houseway.cli.odds_output import answer_json, print_answer

    plan = _plan(asked, told)
    print_json(answer_json(told, plan)) if as_json else print_answer(told, plan)
    return 0


def _executor(workers: str | None, dask: str | None, ray: str | None) -> Executor:
    """Who solves what does not ship."""
    arguments = Arguments()
    chosen = choose_executor(arguments, workers, dask, ray)
    arguments.refuse_if_any()
    assert chosen is not None
    return chosen


def _answered(asked: Read, solver: _Solver) -> Answer:
    """The answer from shipped results, or from solving the game where they have none."""
    from houseway.odds.questions import Question, answer
    from houseway.odds.wagers import Sides

    question = Question(
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
    return answer(question, solver)


class _Solver:
    """Gives the solved main game: the shipped result, or where it does not fit one that is solved here."""

    def __init__(self, asked: Read, executor: Executor) -> None:
        self._asked = asked
        self._executor = executor
        self.has_solved = False

    def __call__(self, question: Question) -> Solved:
        from houseway.odds.questions import shipped_solution

        asked = self._asked
        own = asked.dealer_way is not None or asked.player_way is not None
        found = None if own else shipped_solution(question)
        if found is None:
            found = _solve(asked, question, self._executor)
            self.has_solved = True
        return found


def _solve(asked: Read, question: Question, executor: Executor) -> Solved:
    """Solve the main game on this machine; interrupted, it goes on where it was."""
    from houseway.cli.kernels import announce_compiling
    from houseway.cli.progress import progress_bar
    from houseway.houseways import house_way
    from houseway.odds import solved
    from houseway.odds.questions import solved_wagers
    from houseway.odds.running.cache import Cache

    if not asked.game.ways:
        raise MissingPartError(f"the result of {asked.game.id} is not shipped here: install houseway again")
    announce_compiling()
    print_problem("this combination is not among the shipped results: solving it, which takes minutes for seven cards")
    try:
        with progress_bar("solving") as progress:
            return solved.solve(
                asked.game.id,
                asked.dealer_way or house_way(asked.dealer),
                asked.player_way or (None if asked.player == OPTIMAL else house_way(asked.player)),
                executor=executor,
                cache=Cache(say=print_problem),
                wheel=asked.wheel,
                wagers="+".join(solved_wagers(question)),
                commission=asked.commission,
                progress=progress,
            )
    except KeyboardInterrupt:
        print_problem("interrupted; the same command goes on where it was")
        raise


def _write_csv(told: Answer, name: str) -> None:
    from houseway.cli.writing import write_whole

    if told.distribution is None:
        raise InputError.of("no-distribution", "csv", f"there is no distribution to write: {' '.join(told.notes)}")
    write_whole(name, told.distribution.csv_text(), "csv")


def _plan(asked: Read, told: Answer) -> Plan | None:
    """What follows for a progressive wager of the question."""
    from houseway.odds.progressive_plan import Known, plan

    for part in told.parts:
        table = asked.tables.get(part.wager)
        if table is not None and table.levels and part.counts is not None:
            bet = told.question.bet_on(part.wager)
            known = Known(asked.meters, bet, asked.others, asked.contribution, asked.seeds, asked.advantage)
            return plan(table, part.counts, known)
    return None
