"""`houseway simulate`: rounds dealt and settled by the million, with the limits of chance and the exact edge beside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from houseway.api.arguments import Arguments
from houseway.api.executor_choice import choose_executor
from houseway.api.simulation import play_simulation, read_simulation
from houseway.cli.executor_options import DaskOption, RayOption, WorkersOption
from houseway.cli.kernel_notice import TERMINAL
from houseway.cli.output import JsonFlag, print_json, print_text
from houseway.errors import present
from houseway.wording import dollars

if TYPE_CHECKING:
    from houseway.odds.simulation.job import Simulation
    from houseway.odds.simulation.simulation_report import WagerResult


def simulate(
    game: Annotated[str, Parameter(help="The game's id; `houseway games` lists them.")],
    /,
    *,
    rounds: Annotated[str, Parameter(metavar="N", help="How many rounds.")] = "1000000",
    seats: Annotated[str | None, Parameter(metavar="N", help="How many seats play; by default all.")] = None,
    rng_seed: Annotated[
        str | None, Parameter(metavar="S", help="A number that fixes all cards; by default drawn, and printed.")
    ] = None,
    paytable: Annotated[
        list[str] | None,
        Parameter(metavar="WAGER=ID", negative="", help="A wager's pay table; by default the first. May be repeated."),
    ] = None,
    way: Annotated[str | None, Parameter(metavar="NAME", help="The house way for dealer and players.")] = None,
    meter: Annotated[
        list[str] | None,
        Parameter(
            metavar="LEVEL=CENTS", negative="", help="What a jackpot meter shows in every round. May be repeated."
        ),
    ] = None,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    ray: RayOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Play full rounds with every wager on every seat, and show the house's hold beside the theoretical one.

    The same seed gives the same result on any number of workers and machines. Start an interrupted
    run again with the same seed, and it continues where it stopped.
    """
    arguments = Arguments()
    executor = choose_executor(arguments, workers, dask, ray)
    found = arguments.game(game)
    simulation = None
    if found is not None:
        simulation = read_simulation(
            arguments, found, rounds, seats, rng_seed, paytable or [], way, meter or [], TERMINAL
        )
    arguments.refuse_if_any()
    played = play_simulation(
        present(simulation, "simulation"), present(executor, "executor"), TERMINAL, "the same command with --rng-seed"
    )
    print_json(played.to_json()) if as_json else _print_rows(played.simulation, played.rows)
    return 0


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
        "should be, the hold of this many rounds stays between them in 95 of 100 cases.",
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
