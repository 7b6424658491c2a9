"""Simulate rounds with every wager on every seat, and hold the result against the exact edges.

Needs the `kernels` extra. The seed fixes every card: the same seed gives the same figures on any number of workers.
"""

from houseway.games import game
from houseway.odds.running.executors import LocalProcesses
from houseway.odds.running.jobs import run_job
from houseway.odds.simulation.job import Simulation, default_tables
from houseway.odds.simulation.report import results


def main() -> None:
    """Play 20,000 rounds at six seats and print each wager's edge, exact and simulated."""
    played = game("six-card-fortune")
    simulation = Simulation(
        played.id, rounds=20_000, seats=6, rng_seed=7, paytables=tuple(default_tables(played).items()), way="six-card"
    )
    *wagers, together = results(simulation, run_job(simulation, executor=LocalProcesses(1), cache=None))
    for row in wagers:
        exact = "unknown" if row.exact_edge is None else f"{float(row.exact_edge):.2%}"
        inside = {True: "within the limits of chance", False: "OUTSIDE the limits of chance", None: ""}
        assert row.edge is not None
        told = f"{row.wager:<12} {row.made:>7,} bets, edge {float(row.edge):>7.2%}, exact {exact:<7}"
        print(f"{told} {inside[row.within_limits]}".rstrip())
    assert together.edge is not None
    print(f"all together: {together.rounds:,} rounds, edge {float(together.edge):.2%}")


if __name__ == "__main__":
    main()
