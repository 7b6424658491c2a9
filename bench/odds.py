"""Solving games over all deals: seconds, peak memory and how the time falls with cores; and single questions.

Every run is a fresh process tree with an empty cache folder, tables included; the kernels are compiled before the clock
starts, as they are compiled once for a machine. There is no peer to set beside these: published figures of these
games come from simulations, or took months.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from typing import Any

SOLVE = """
import resource, sys, time
from pathlib import Path
from houseway.houseways import house_way
from houseway.odds.running.cache import Cache
from houseway.odds.running.executors import LocalProcesses
from houseway.odds.running.jobs import run_job
from houseway.odds.solved import file_content, shipped_job, data_path
import json

if __name__ == "__main__":
    way, workers = house_way(sys.argv[1]), int(sys.argv[2])
    job = shipped_job(way, "second")
    begun = time.perf_counter()
    parts = run_job(job, executor=LocalProcesses(workers), cache=Cache())
    seconds = time.perf_counter() - begun
    same = file_content(job, parts) == json.loads(data_path(way.id, "second", way.cards).read_text())
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(json.dumps({"seconds": round(seconds, 1), "peak_megabytes_of_a_worker": peak // 1024, "as_shipped": same}))
"""

QUESTIONS = {
    "advise six-card-poker": ["advise", "six-card-poker", "Ks Qd Jc 8h 6s 3d", "--up", "9h 7d 2s"],
    "advise six-card-fortune": ["advise", "six-card-fortune", "As Ah Kd Kc 7d 4c"],
    "advise fortune": ["advise", "fortune", "9s 9d 4h 4c Kd Js 7h"],
    "odds fortune": ["odds", "fortune"],
    "verify": ["verify"],
}


def solve(way: str, workers: int) -> dict[str, Any]:
    """Solve the games of a way from an empty cache with so many processes."""
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"HOUSEWAY_CACHE": folder}
        # A script of its own, since processes are spawned from it.
        script = os.path.join(folder, "solve.py")  # noqa: PTH118
        with open(script, "w") as file:  # noqa: PTH123
            file.write(SOLVE)
        command = [sys.executable, script, way, str(workers)]
        done = subprocess.run(command, env=environment, capture_output=True, check=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout)
    assert result["as_shipped"]
    return result


def questions() -> dict[str, float]:
    """Seconds for a whole process that answers one question, tables at hand: the best of three."""
    found = {}
    for name, words in QUESTIONS.items():
        seconds = []
        for _ in range(4):
            begun = time.perf_counter()
            subprocess.run([sys.executable, "-m", "houseway", *words, "--json"], capture_output=True, check=True)
            seconds.append(time.perf_counter() - begun)
        found[name] = round(min(seconds[1:]), 3)
    return found


def run(seven_cards: bool = True) -> dict[str, Any]:
    """All figures; the seven-card games take some minutes."""
    cores = os.cpu_count() or 1
    solve("six-card", cores)
    counts = sorted({1, cores})
    result: dict[str, Any] = {
        "cores": cores,
        "six-card": {f"{count} workers": solve("six-card", count) for count in counts},
    }
    if seven_cards:
        result["foxwoods"] = {f"{count} workers": solve("foxwoods", count) for count in counts}
    result["question_seconds"] = questions()
    return result


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
