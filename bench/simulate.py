"""Monte Carlo rounds a second: six seats with every wager, beside the public Pai Gow engine and our own settlement.

`houseway` is the kernel behind `houseway simulate`, in one process and in all processors' processes: Fortune Pai Gow
Poker with main, Fortune with envy, Pai Gow'd and two jackpots on six seats, dealt, set and settled. `settle` is the
product's readable settlement of the same rounds. The only engine on the package index, pygow-poker, has one seat and
no envy; it deals, sets and pays six players here, main, Fortune and progressive, by its own functions and house way.
Hands on which it fails are counted and left out.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from importlib import import_module, metadata
from typing import Any

from bench.settle import fortune_round
from houseway.games import game, read_round, settle
from houseway.houseways.evaluate import TableEvaluator
from houseway.odds.running.executors import LocalProcesses
from houseway.odds.running.jobs import run_job
from houseway.odds.simulation.job import ROUNDS_A_PART, Simulation, default_tables

PEER = "pygow-poker"


def of_houseway(rounds: int, workers: int) -> float:
    """Rounds a second in that many processes, their start included."""
    tables = tuple(default_tables(game("fortune")).items())
    simulation = Simulation("fortune", rounds, 6, 20_260_101, tables, "foxwoods")
    simulation.warm_up()
    begun = time.perf_counter()
    run_job(simulation, executor=LocalProcesses(workers), cache=None)
    return rounds / (time.perf_counter() - begun)


def of_settlement(rounds: int) -> float:
    """Rounds a second by the settlement, from decoded JSON to lines, without numba."""
    rng = random.Random(20_260_101)
    dealt = [fortune_round(rng) for _ in range(rounds)]
    evaluator = TableEvaluator()
    begun = time.perf_counter()
    for round_ in dealt:
        settle(read_round(round_), evaluator)
    return rounds / (time.perf_counter() - begun)


def of_peer(rounds: int) -> dict[str, Any]:
    """Rounds a second by the public engine, or why there are none."""
    try:
        place = metadata.distribution(PEER).locate_file(PEER)
    except metadata.PackageNotFoundError:
        return {"missing": f"{PEER} is not installed here: bench/run installs it"}
    # The package's folder has a name that cannot be imported; its modules expect to be found by themselves.
    sys.path.insert(0, str(place))
    try:
        engine, strategy = import_module("game"), import_module("house_strat")
    finally:
        sys.path.remove(str(place))
    rng = random.Random(20_260_101)
    bet = {"ante": 25, "ace_high": 0, "fortune": 5, "progressive": 1, "envy": 0}
    failed = 0
    begun = time.perf_counter()
    for _ in range(rounds):
        deck = engine.DECK.copy()
        rng.shuffle(deck)
        hands = [deck[start : start + 7] for start in range(0, 49, 7)]
        try:
            dealer, dealer_read = strategy.house_strat(hands[0]), engine.read_hand(hands[0])
            for hand in hands[1:]:
                outcome = engine.determine_winner(strategy.house_strat(hand), dealer)
                rank = engine.read_hand(hand)["rank"]
                engine.determine_winnings(bet, outcome, rank, dealer_read["rank"], dealer_read["hand"])
        except Exception:
            failed += 1
    seconds = time.perf_counter() - begun
    return {"rounds_per_second": round((rounds - failed) / seconds), "rounds_it_fails_on": failed, "rounds": rounds}


def run(rounds: int = 16 * ROUNDS_A_PART) -> dict[str, Any]:
    """Rounds a second of each."""
    cores = os.cpu_count() or 1
    return {
        "rounds": rounds,
        "houseway_one_process": {"rounds_per_second": round(of_houseway(rounds // 2 or 1, 1))},
        f"houseway_{cores}_processes": {"rounds_per_second": round(of_houseway(rounds, cores))},
        "settle": {"rounds_per_second": round(of_settlement(max(20, rounds // 2000)))},
        PEER: of_peer(max(20, rounds // 2000)),
    }


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
