"""Start-up: how long commands that need no kernel take from the shell, a single `settle` included."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from houseway.games.examples import EXAMPLE_ROUND


def best_of(command: list[str], times: int = 10) -> float:
    """The shortest wall time of a command, in seconds."""
    found = []
    for _ in range(times):
        begun = time.perf_counter()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        found.append(time.perf_counter() - begun)
    return min(found)


def run() -> dict[str, Any]:
    """Seconds by command; `python` is the bare interpreter, for comparison."""
    houseway = str(Path(sys.executable).with_name("houseway"))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "round.json"
        path.write_text(json.dumps(EXAMPLE_ROUND), encoding="utf-8")
        commands = {
            "python": [sys.executable, "-c", "pass"],
            "houseway --version": [houseway, "--version"],
            "houseway games --json": [houseway, "games", "--json"],
            "houseway clauses --json": [houseway, "clauses", "--json"],
            "houseway paytable FPGP-1 --json": [houseway, "paytable", "FPGP-1", "--json"],
            "houseway rank": [houseway, "rank", "As Kd Qc Jh Jk 2s 2d", "--json"],
            "houseway set": [houseway, "set", "fortune", "As Kd Qc Jh Jk 2s 2d", "--json"],
            "houseway deal": [houseway, "deal", "fortune", "--json"],
            "houseway settle (one round)": [houseway, "settle", str(path), "--json"],
        }
        return {name: round(best_of(command), 3) for name, command in commands.items()}


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
