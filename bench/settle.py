"""Settling rounds: `houseway settle` on JSON Lines of six-seat Fortune rounds, as a user runs it, on one core.

Every round has six seats with main, Fortune, Pai Gow'd and jackpot wagers, all hands set the house way. The whole
process is timed, start-up and (with kernels) loading the compiled code included, so a figure is what a user waits for.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from houseway.cards.card import CARD_TEXTS

TABLES = {"fortune": "FPGP-3", "paigowd": "PGD-01", "progressive": "FPGPP-WA01"}
WAGERS = {"main": 2500, "fortune": 500, "paigowd": 500, "progressive": 100}


def fortune_round(rng: random.Random) -> dict[str, Any]:
    """A six-seat round from one shuffled deck."""
    deck = rng.sample(CARD_TEXTS, len(CARD_TEXTS))
    hands = [deck[start : start + 7] for start in range(0, 49, 7)]
    return {
        "game": "fortune",
        "paytables": TABLES,
        "meters": {"FPGPP-WA01": {"main": 5_000_000}},
        "seeds": {"FPGPP-WA01": {"main": 1_000_000}},
        "dealer": hands[0],
        "seats": [{"seat": seat, "cards": hands[seat], "low": None, "wagers": WAGERS} for seat in range(1, 7)],
    }


def write_rounds(path: Path, count: int) -> None:
    """JSON Lines of that many rounds, the same on every run."""
    rng = random.Random(20_260_101)
    with path.open("w", encoding="utf-8") as out:
        for _ in range(count):
            out.write(json.dumps(fortune_round(rng)) + "\n")


def seconds_to_settle(path: Path, evaluator: str, source: str | None = None) -> tuple[float, float]:
    """Wall time and processor time of the whole command, pinned to one core where the system can.

    `source` is the folder of another version's packages, to measure that one instead.
    """
    command = [sys.executable, "-m", "houseway", "settle", str(path), "--evaluator", evaluator, "--json"]
    if hasattr(os, "sched_setaffinity"):
        core = min(os.sched_getaffinity(0))
        command = ["taskset", "-c", str(core), *command]
    environment = os.environ if source is None else {**os.environ, "PYTHONPATH": source}
    used = os.times()
    begun = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=environment)
    seconds = time.perf_counter() - begun
    now = os.times()
    return seconds, now.children_user + now.children_system - used.children_user - used.children_system


def beside(source: str, rounds: int = 20_000, runs: int = 5) -> dict[str, Any]:
    """This version beside another, by turns: rounds a second of processor time, medians, and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rounds.jsonl"
        write_rounds(path, rounds)
        found: dict[str | None, list[float]] = {source: [], None: []}
        for each in found:
            seconds_to_settle(path, "kernels", each)
        for _ in range(runs):
            for each, seconds in found.items():
                seconds.append(seconds_to_settle(path, "kernels", each)[1])
    speeds = {each: rounds / statistics.median(seconds) for each, seconds in found.items()}
    ratio = speeds[None] / speeds[source]
    return {"other": round(speeds[source]), "this": round(speeds[None]), "ratio": round(ratio, 2)}


def run(rounds: int = 20_000) -> dict[str, Any]:
    """Rounds a second with kernels and with the shipped tables only."""
    result: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for evaluator, count in (("kernels", rounds), ("tables", max(200, rounds // 10))):
            path = Path(folder) / f"{evaluator}.jsonl"
            write_rounds(path, count)
            seconds_to_settle(path, evaluator)
            seconds = min(seconds_to_settle(path, evaluator)[0] for _ in range(3))
            result[evaluator] = {
                "rounds": count,
                "seconds": round(seconds, 3),
                "rounds_per_second": round(count / seconds),
            }
    return result


if __name__ == "__main__":
    # With the folder of another version's packages: this one beside it.
    print(json.dumps(beside(sys.argv[1]) if len(sys.argv) > 1 else run(), indent=2))
