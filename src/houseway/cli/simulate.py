"""`houseway simulate`: rounds dealt and settled by the million, with the limits of chance and the exact edge beside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from houseway.cli.arguments import Arguments
from houseway.cli.executors import DaskOption, RayOption, WorkersOption, choose_executor
from houseway.cli.output import JsonFlag, print_json, print_problem, print_text
from houseway.cli.progress import progress_bar
from houseway.wording import dollars, in_known_case

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.odds.running.executors import Executor
    from houseway.odds.simulation.job import Simulation
    from houseway.odds.simulation.report import WagerResult


def simulate(
    game: Annotated[str, Parameter(help="The game's id; `houseway games` lists them.")],
    /,
    *,
    rounds: Annotated[str, Parameter(metavar="N", help="How many rounds.")] = "1000000",
    seats: Annotated[str | None, Parameter(metavar="N", help="How many seats play; all by default.")] = None,
    rng_seed: Annotated[
        str | None, Parameter(metavar="S", help="A number that fixes all cards; drawn and told if left out.")
    ] = None,
    paytable: Annotated[
        list[str] | None,
        Parameter(metavar="WAGER=ID", negative="", help="A wager's pay table; the first one by default. Repeatable."),
    ] = None,
    way: Annotated[str | None, Parameter(metavar="NAME", help="The house way of dealer and players.")] = None,
    meter: Annotated[
        list[str] | None,
        Parameter(metavar="LEVEL=CENTS", negative="", help="What a jackpot meter shows in every round. Repeatable."),
    ] = None,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    ray: RayOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Play full rounds with every wager on every seat, and tell the house's hold beside the theoretical one.

    The same seed gives the same result on any number of workers and machines. A run that was interrupted goes on where
    it was when it is started again with the same seed.
    """
    arguments = Arguments()
    executor = choose_executor(arguments, workers, dask, ray)
    found = arguments.game(game)
    simulation = None
    if found is not None:
        simulation = _read(arguments, found, rounds, seats, rng_seed, paytable or [], way, meter or [])
    arguments.refuse_if_any()
    assert simulation is not None
    assert executor is not None
    rows = _played(simulation, executor)
    if as_json:
        from houseway.odds.simulation.report import report_json

        print_json(report_json(simulation, rows))
    else:
        _print_rows(simulation, rows)
    return 0


def _read(
    arguments: Arguments,
    game: Game,
    rounds: str,
    seats: str | None,
    rng_seed: str | None,
    tables: Sequence[str],
    way: str | None,
    meters: Sequence[str],
) -> Simulation | None:
    """The simulation that is asked for, or None with the faults noted."""
    from houseway.cli.kernels import announce_compiling

    announce_compiling()
    from houseway.odds.simulation.job import MOST_ROUNDS, MOST_SEED, Simulation

    if way is not None and not game.ways:
        arguments.add("no-house-way", "way", f"{game.title} has no house way: its hands are not split")
    elif way is not None:
        way = arguments.choice(way, game.ways, "way", code="unknown-way")
    count = arguments.whole_number(rounds, "rounds", 1, MOST_ROUNDS)
    players = game.max_seats if seats is None else arguments.whole_number(seats, "seats", 1, game.max_seats)
    seed = _drawn_seed() if rng_seed is None else arguments.whole_number(rng_seed, "rng_seed", 0, MOST_SEED)
    chosen = _tables(arguments, game, tables)
    shown = _meters(arguments, list(chosen.values()), meters)
    if arguments.faults or count is None or players is None or seed is None:
        return None
    played = (way or game.ways[0]) if game.ways else None
    return Simulation(game.id, count, players, seed, tuple(chosen.items()), played, tuple(shown.items()))


def _drawn_seed() -> int:
    import secrets

    return secrets.randbits(32)


def _tables(arguments: Arguments, game: Game, words: Sequence[str]) -> dict[str, str]:
    """The table of every pay-table wager: as given, else the default."""
    from houseway.odds.simulation.job import default_tables

    chosen = default_tables(game)
    given: set[str] = set()
    for word in words:
        name, equals, table_id = word.partition("=")
        name = in_known_case(name, chosen)
        wager = game.wager(name)
        if not equals:
            arguments.add("bad-argument", "paytable", f"{word[:40]!r} is no WAGER=ID, such as {_example(chosen)}")
        elif wager is None or not wager.needs_table:
            known = ", ".join(chosen)
            arguments.add(
                "unknown-wager", "paytable", f"{name[:40]!r} has no pay table in {game.id}: one of {known} has"
            )
        elif name in given:
            arguments.add("conflicting-options", "paytable", f"{name} has a pay table already: give it one")
        elif (table := arguments.paytable(table_id)) is not None:
            if table.wager != wager.paid_by or game.id not in table.games:
                offered = f"the {table.wager} wager of {', '.join(table.games)}"
                arguments.add("wrong-paytable", "paytable", f"{table.id} is for {offered}, not for {name} of {game.id}")
            chosen[name] = table.id
            given.add(name)
    return chosen


def _meters(arguments: Arguments, tables: Sequence[str], words: Sequence[str]) -> dict[str, int]:
    """What the meters show, by level, where it was said."""
    from houseway.odds.simulation.job import MOST_METER
    from houseway.paytables import paytable

    levels = list(dict.fromkeys(level for table in tables for level in paytable(table).levels))
    shown: dict[str, int] = {}
    for word in words:
        level, equals, cents = word.partition("=")
        level = in_known_case(level, levels)
        if level in shown:
            arguments.add("conflicting-options", "meter", f"{level} is given twice")
        elif not equals or level not in levels:
            known = ", ".join(levels)
            arguments.add("no-meter", "meter", f"{word[:40]!r} is no LEVEL=CENTS with one of the levels {known}")
        elif (amount := arguments.whole_number(cents, "meter", 0, MOST_METER)) is not None:
            shown[level] = amount
    return shown


def _example(chosen: dict[str, str]) -> str:
    return "=".join(next(iter(chosen.items())))


def _played(simulation: Simulation, executor: Executor) -> list[WagerResult]:
    from houseway.odds.running.cache import Cache
    from houseway.odds.running.executors import LocalProcesses
    from houseway.odds.running.jobs import run_job
    from houseway.odds.simulation.report import results

    if isinstance(executor, LocalProcesses):
        # Kernels that are not compiled yet are compiled here, once, and not in every process.
        simulation.warm_up()
    try:
        with progress_bar(f"{simulation.rounds:,} rounds of {simulation.game}") as progress:
            parts = run_job(
                simulation, executor=executor, cache=Cache(say=print_problem), progress=progress, keep=False
            )
    except KeyboardInterrupt:
        print_problem(f"interrupted; the same command with --rng-seed {simulation.rng_seed} goes on where it was")
        raise
    return results(simulation, parts)


def _print_rows(simulation: Simulation, rows: Sequence[WagerResult]) -> None:
    from rich.table import Table

    from houseway.odds.simulation.job import strategy

    table = Table(box=None, pad_edge=False, header_style="")
    names = ("wager", "table", "bets", "handle", "hold", "edge", "+/-", "exact edge", "hold at least", "at most", "")
    for column in names:
        table.add_column(column, justify="left" if column in ("wager", "table", "") else "right", no_wrap=True)
    for row in rows:
        table.add_row(*_cells(row))
    way = f", house way {simulation.way}" if simulation.way else ""
    seats = "1 seat" if simulation.seats == 1 else f"{simulation.seats} seats"
    meters = ", ".join(f"{level} {dollars(cents)}" for level, cents in simulation.all_meters.items())
    print_text(
        f"{simulation.game}: {simulation.rounds:,} rounds, {seats}{way}, --rng-seed {simulation.rng_seed}",
        f"Every seat makes every wager. Players: {strategy(simulation.game)}.",
        f"Meters in every round: {meters}; contributions are not posted.",
        "",
        table,
        "",
        "+/- is half of the 95% confidence interval. The last columns are the 95% limits: where the game is what it",
        "should be, the hold of so many rounds stays between them in 95 of 100 cases.",
        *_notes(rows),
    )


def _notes(rows: Sequence[WagerResult]) -> list[str]:
    """What must be known of single rows to read them."""
    notes = []
    if open_rows := [row.wager for row in rows if row.known is None]:
        notes.append(
            f"Without an exact edge, +/- is only as good as the spread of these rounds: {', '.join(open_rows)}."
        )
    if shared := [row.wager for row in rows if row.known is not None and row.known.leaves_out_second_awards]:
        notes.append(
            "Exact edge and limits take every share from the meter as the round found it; that a second award of the "
            f"same round finds less is left out: {', '.join(shared)}."
        )
    return notes


def _cells(row: WagerResult) -> list[str]:
    from houseway.odds.distribution import percent_text

    reach = None if row.confidence is None else (row.confidence[1] - row.confidence[0]) / 2
    return [
        row.wager,
        row.paytable or "",
        f"{row.made:,}" if row.made else "",
        _whole_dollars(row.handle),
        _whole_dollars(row.hold),
        "" if row.edge is None else percent_text(row.edge, 3),
        "" if reach is None else percent_text(reach, 3),
        "" if row.exact_edge is None else percent_text(row.exact_edge, 3),
        *(("", "") if row.hold_limits is None else map(_whole_dollars, row.hold_limits)),
        "outside" if row.within_limits is False else "",
    ]


def _whole_dollars(cents: int) -> str:
    return dollars(round(cents, -2)).removesuffix(".00")
