"""Settling rounds: `houseway settle` on JSON Lines of six-seat Fortune rounds, as a user runs it, on one core.

Every round has six seats with main, Fortune, Pai Gow'd and jackpot wagers, all hands set the house way. The whole
process is timed, start-up and (with kernels) loading the compiled code included, so a figure is what a user waits for.
"""

from __future__ import annotations

import json
import os
import random
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


def seconds_to_settle(path: Path, evaluator: str) -> float:
    """Wall time of the whole command, pinned to one core where the system can."""
    command = [sys.executable, "-m", "houseway", "settle", str(path), "--evaluator", evaluator, "--json"]
    if hasattr(os, "sched_setaffinity"):
        core = min(os.sched_getaffinity(0))
        command = ["taskset", "-c", str(core), *command]
    begun = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - begun


def run(rounds: int = 20_000) -> dict[str, Any]:
    """Rounds a second with kernels and with the shipped tables only."""
    result: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for evaluator, count in (("kernels", rounds), ("tables", max(200, rounds // 10))):
            path = Path(folder) / f"{evaluator}.jsonl"
            write_rounds(path, count)
            seconds_to_settle(path, evaluator)
            seconds = min(seconds_to_settle(path, evaluator) for _ in range(3))
            result[evaluator] = {
                "rounds": count,
                "seconds": round(seconds, 3),
                "rounds_per_second": round(count / seconds),
            }
    return result


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
