"""Setting hands: every hand of each shipped way on all cores, suit classes only, and single hands from Python.

The sweep of all hands is the literal one, hand by hand, with the checks for unset, ambiguous and fouled hands; kernels
are compiled before the clock starts, and how long that takes from nothing is reported beside it.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from typing import Any

from houseway.cards.card import DECK_53
from houseway.houseways import HouseWay, house_way, house_ways
from houseway.houseways.check import check_house_way
from houseway.houseways.evaluate import Evaluator, KernelEvaluator, ReferenceEvaluator, TableEvaluator
from houseway.ranking.reference import PAI_GOW

FIRST_USE = """
import time
begun = time.perf_counter()
from houseway.cards import parse_cards
from houseway.houseways import house_way
from houseway.houseways.evaluate import KernelEvaluator
from houseway.ranking.reference import PAI_GOW
KernelEvaluator().split(house_way("foxwoods"), parse_cards("Kd Js 9h 7c 5d 3s 2h"), PAI_GOW)
print(time.perf_counter() - begun)
"""


def first_use() -> dict[str, float]:
    """Seconds until the first hand is set by kernels: with nothing compiled yet, and with the compiled code on disk."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder}
        command = [sys.executable, "-c", FIRST_USE]
        seconds = [
            float(subprocess.run(command, env=environment, capture_output=True, check=True).stdout) for _ in range(2)
        ]
    return {"compiling": round(seconds[0], 2), "compiled": round(seconds[1], 2)}


def sweep(way: HouseWay) -> dict[str, Any]:
    """Seconds for every hand one by one, and for one hand of every suit class."""
    result: dict[str, Any] = {}
    for method in ("hands", "classes"):
        begun = time.perf_counter()
        report = check_house_way(way, PAI_GOW, method)
        result[f"seconds_{method}"] = round(time.perf_counter() - begun, 2)
        assert report.passed
        result["hands"] = report.hands
    return result


def single_hands(evaluator: Evaluator, way: HouseWay, count: int) -> float:
    """Microseconds to set one hand, over hands drawn with a fixed seed."""
    rng = random.Random(20_260_101)
    hands = [tuple(rng.sample(DECK_53, way.cards)) for _ in range(count)]
    evaluator.split(way, hands[0], PAI_GOW)
    begun = time.perf_counter()
    for cards in hands:
        evaluator.split(way, cards, PAI_GOW)
    return round((time.perf_counter() - begun) / count * 1e6, 2)


def run() -> dict[str, Any]:
    """All figures of this page."""
    for way in (house_way("six-card"), house_way("foxwoods")):
        check_house_way(way)
    contenders: list[tuple[str, Evaluator, int]] = [
        ("kernels", KernelEvaluator(), 100_000),
        ("tables", TableEvaluator(), 10_000),
        ("reference", ReferenceEvaluator(), 1_000),
    ]
    return {
        "cores": os.cpu_count(),
        "first_use_seconds": first_use(),
        "sweeps": {way.id: sweep(way) for way in house_ways()},
        "single_hand_microseconds": {
            way.id: {name: single_hands(evaluator, way, count) for name, evaluator, count in contenders}
            for way in (house_way("six-card"), house_way("foxwoods"))
        },
    }


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
