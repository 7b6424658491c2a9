"""This version and another one side by side, by turns: ranking, settle, simulate and start-up.

Every measurement is a process of its own with one version's packages; the two versions take turns, so that what else
runs on the machine weighs on both alike. The manager has a comparison of its own (`bench.turns`).

    python -m bench.versions FOLDER [ranking] [settle] [simulate] [startup] [--runs 5]

FOLDER is a checkout of the other version. Figures are medians in milliseconds, of processor time and on the clock.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

SETTLED, SIMULATED, RANKED = 20_000, 1_000_000, 2_000_000
"""Rounds and hands of one measurement."""
COMMANDS = {
    "rank": ["rank", "As Kd Qc Jh Jk 2s 2d", "--json"],
    "paytable": ["paytable", "FPGP-1", "--json"],
    "games": ["games", "--json"],
    "set": ["set", "fortune", "As Kd Qc Jh Jk 2s 2d", "--json"],
    "deal": ["deal", "fortune", "--json"],
}
"""Commands that need no kernel."""
Spent = tuple[float, float]
"""Seconds of processor time, children's included, and on the clock."""


def _now() -> Spent:
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used), time.perf_counter()


def spent(work: Callable[[], object]) -> Spent:
    """What a piece of work takes."""
    before = _now()
    work()
    after = _now()
    return after[0] - before[0], after[1] - before[1]


def measured_here(job: str) -> Spent:
    """Within a process that has a version's own packages: a piece of its work, warm."""
    if job == "ranking":
        from bench import ranking

        contender = ranking.ours(ranking.random_hands(RANKED, 53, 20_260_101))[0]
        contender.rank()
        return spent(contender.rank)
    from bench import simulate

    simulate.of_houseway(1_000, 1)
    return spent(lambda: simulate.of_houseway(SIMULATED, 1))


class Version:
    """A checkout whose work is measured."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self._paths = {**os.environ, "PYTHONPATH": f"{self.folder / 'src'}{os.pathsep}{self.folder}"}

    def command(self, arguments: list[str]) -> Spent:
        """What a command takes from the shell."""
        command = [sys.executable, "-m", "houseway", *arguments]
        return spent(
            lambda: subprocess.run(command, cwd=self.folder, env=self._paths, stdout=subprocess.DEVNULL, check=True)
        )

    def within(self, job: str) -> Spent:
        """What a piece of work takes within a process, once its kernels are loaded."""
        command = [sys.executable, str(Path(__file__).resolve()), "--within", job]
        found = subprocess.run(command, cwd=self.folder, env=self._paths, stdout=subprocess.PIPE, check=True)
        processor, clock = json.loads(found.stdout)
        return processor, clock


def compared(this: Version, other: Version, measure: Callable[[Version], Spent], runs: int) -> dict[str, Any]:
    """Medians of both, and the median of the ratios of the pairs; the first pair only loads what must be loaded."""
    pairs = []
    for number in range(runs + 1):
        # Each version is first as often as the other.
        order = (this, other) if number % 2 else (other, this)
        found = {version: measure(version) for version in order}
        pairs.append((found[this], found[other]))
    shown = {}
    for place, word in enumerate(("processor", "clock")):
        ours, others = ([pair[side][place] * 1_000 for pair in pairs[1:]] for side in (0, 1))
        ratio = statistics.median(theirs / own for own, theirs in zip(ours, others, strict=True))
        medians = {"this": round(statistics.median(ours), 1), "other": round(statistics.median(others), 1)}
        shown[word] = {**medians, "other_to_this": round(ratio, 3)}
    return shown | {"load": round(os.getloadavg()[0], 1)}


def run(folder: Path, jobs: list[str], runs: int) -> dict[str, Any]:
    """All comparisons."""
    from bench import settle

    this, other = Version(Path(__file__).parent.parent), Version(folder)
    result: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as temporary:
        rounds = Path(temporary) / "rounds.jsonl"
        settle.write_rounds(rounds, SETTLED)
        work: dict[str, Callable[[Version], Spent]] = {
            "ranking": lambda version: version.within("ranking"),
            "settle": lambda version: version.command(["settle", str(rounds), "--evaluator", "kernels", "--json"]),
            "simulate": lambda version: version.within("simulate"),
        }
        work |= {
            f"startup {name}": lambda version, words=words: version.command(words) for name, words in COMMANDS.items()
        }  # type: ignore[misc]
        for name, measure in work.items():
            if not jobs or name.split()[0] in jobs:
                result[name] = compared(this, other, measure, runs)
                print(json.dumps({name: result[name]}), file=sys.stderr, flush=True)
    return result


def main() -> None:
    """Read the arguments, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="a checkout of the other version")
    parser.add_argument("jobs", nargs="*", help="which ones; all by default")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--within", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.within:
        print(json.dumps(measured_here(chosen.within)))
    elif chosen.folder is None:
        print("bench.versions: skipped, name the folder of another version to compare with", file=sys.stderr)
    else:
        print(json.dumps(run(chosen.folder, chosen.jobs, chosen.runs), indent=1))


if __name__ == "__main__":
    main()
