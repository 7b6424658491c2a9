"""Rounds dealt and settled by the million, with the limits of chance and the exact edge beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from houseway.api.arguments import Arguments
from houseway.api.executor_choice import choose_executor
from houseway.api.telling import LOG, Teller, told_in_python
from houseway.errors import present
from houseway.wording import in_known_case

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.odds.running.executors import Executor
    from houseway.odds.simulation.job import Simulation
    from houseway.odds.simulation.simulation_report import WagerResult


@dataclass(frozen=True, slots=True)
class SimulatedRounds:
    """What simulated rounds say: a row for every wager, and the last one for all of them together."""

    simulation: Simulation
    """What was played: game, rounds, seats, seed, pay tables, house way, meters."""
    rows: tuple[WagerResult, ...] = field(repr=False)

    @property
    def wagers(self) -> Mapping[str, WagerResult]:
        """The row of every wager, by its name: bets, hold, edge, exact edge, limits."""
        return {row.wager: row for row in self.rows[:-1]}

    @property
    def together(self) -> WagerResult:
        """All wagers together."""
        return self.rows[-1]

    @property
    def seed(self) -> int:
        """The seed that gives these rounds again."""
        return self.simulation.rng_seed

    @property
    def edge(self) -> Fraction | None:
        """What the house kept of all that was bet."""
        return self.together.edge

    def to_json(self) -> dict[str, Any]:
        """The report as `houseway simulate --json` prints it."""
        from houseway.odds.simulation.simulation_report import report_json

        return report_json(self.simulation, self.rows)


@told_in_python
def simulate(
    game: str,
    *,
    rounds: int = 1_000_000,
    seats: int | None = None,
    seed: int | None = None,
    paytables: Mapping[str, str] | None = None,
    way: str | None = None,
    meters: Mapping[str, int] | None = None,
    workers: int | None = None,
    dask: str | None = None,
    ray: str | None = None,
) -> SimulatedRounds:
    """Play full rounds with every wager on every seat, and hold the house's hold against the theoretical one.

    `seed` fixes all cards: the same one gives the same result on any number of `workers` (processes of this machine)
    and machines; it is drawn if left out. `paytables` gives wagers other tables than the first ones, `meters` says in
    cents what the levels of jackpots show in every round. Needs the `kernels` extra.
    """
    arguments = Arguments()
    executor = choose_executor(arguments, workers, dask, ray)
    found = arguments.game(game)
    simulation = None
    if found is not None:
        tables = [f"{wager}={table}" for wager, table in (paytables or {}).items()]
        levels = [f"{level}={cents}" for level, cents in (meters or {}).items()]
        simulation = read_simulation(arguments, found, rounds, seats, seed, tables, way, levels, LOG)
    arguments.refuse_if_any()
    return play_simulation(present(simulation, "simulation"), present(executor, "executor"), LOG)


def read_simulation(
    arguments: Arguments,
    game: Game,
    rounds: str | int,
    seats: str | int | None,
    seed: str | int | None,
    tables: Sequence[str],
    way: str | None,
    meters: Sequence[str],
    teller: Teller,
) -> Simulation | None:
    """The simulation that is asked for, or None with the faults noted."""
    teller.announce_compiling()
    from houseway.odds.simulation.job import MOST_ROUNDS, MOST_SEED, Simulation

    if way is not None and not game.ways:
        arguments.add("no-house-way", "way", f"{game.title} has no house way: its hands are not split")
    elif way is not None:
        way = arguments.choice(way, game.ways, "way", code="unknown-way")
    count = arguments.whole_number(str(rounds), "rounds", 1, MOST_ROUNDS)
    players = game.max_seats if seats is None else arguments.whole_number(str(seats), "seats", 1, game.max_seats)
    drawn = _drawn_seed() if seed is None else arguments.whole_number(str(seed), "rng_seed", 0, MOST_SEED)
    chosen = _tables(arguments, game, tables)
    shown = _meters(arguments, list(chosen.values()), meters)
    if arguments.any or count is None or players is None or drawn is None:
        return None
    played = (way or game.ways[0]) if game.ways else None
    return Simulation(game.reference, count, players, drawn, tuple(chosen.items()), played, tuple(shown.items()))


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
            arguments.add("bad-argument", "paytable", f"{word[:40]!r} is not WAGER=ID, such as {_example(chosen)}")
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
            arguments.add("no-meter", "meter", f"{word[:40]!r} is not LEVEL=CENTS with one of the levels {known}")
        elif (amount := arguments.whole_number(cents, "meter", 0, MOST_METER)) is not None:
            shown[level] = amount
    return shown


def _example(chosen: dict[str, str]) -> str:
    return "=".join(next(iter(chosen.items())))


def play_simulation(
    simulation: Simulation, executor: Executor, teller: Teller, again: str = "the same call with seed"
) -> SimulatedRounds:
    """Play all rounds; interrupted, it goes on where it was when it is asked for again with the same seed."""
    from houseway.odds.running.cache import Cache
    from houseway.odds.running.executors import InProcessExecutor, LocalProcesses
    from houseway.odds.running.jobs import run_job
    from houseway.odds.simulation.simulation_report import results

    if isinstance(executor, LocalProcesses) and simulation.parts == 1:
        # Another process would take longer to begin than this one takes for all of it.
        executor = InProcessExecutor()
    elif isinstance(executor, LocalProcesses):
        # Kernels that are not compiled yet are compiled here, once, and not in every process.
        simulation.warm_up()
    try:
        with teller.follow(f"{simulation.rounds:,} rounds of {simulation.game}") as progress:
            parts = run_job(simulation, executor=executor, cache=Cache(say=teller.say), progress=progress, keep=False)
    except KeyboardInterrupt:
        teller.say(f"interrupted; {again} {simulation.rng_seed} goes on where it was")
        raise
    return SimulatedRounds(simulation, tuple(results(simulation, parts)))
