"""Rounds of the Game Manager in this version and in another, by turns: a few hundred of one, then as many of the other.

Two processes stand ready, each with its own database, and only one of them plays at a time. What else runs on the
machine so weighs on both alike, and the ratio of each pair of turns says more than rounds a second of either.

    python -m bench.turns FOLDER [--store sqlite|postgres] [--turns 14] [--sweeps 8]

FOLDER is a checkout of the other version. Figures are microseconds a round: processor time of the manager's process
with its tables, that of PostgreSQL's processes, time on the clock, and the processor time of both together.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

TABLES = 64
WORDS = ("manager", "postgres", "clock")
"""What is measured in a turn, in this order."""
TOGETHER = "processor"
"""The processor time of the manager and of the server together, which is told beside."""


def _servers() -> set[int]:
    """The processes of PostgreSQL on this machine."""
    found = set()
    for folder in Path("/proc").iterdir():
        with suppress(OSError):
            if folder.name.isdigit() and (folder / "comm").read_text(encoding="ascii").strip() == "postgres":
                found.add(int(folder.name))
    return found


def _worked(processes: set[int]) -> float:
    """The processor time of processes, in seconds."""
    spent = 0
    for process in processes:
        with suppress(OSError):
            spent += int(Path(f"/proc/{process}/schedstat").read_text(encoding="ascii").split()[0])
    return spent / 1e9


def play(store: str, sweeps: int) -> None:
    """One side: play a turn for each line of input, and print what a round took."""
    from bench import manager as bench

    others = _servers()
    with (
        bench.database(store) as (url, keys, _),
        bench.opened(url, keys, bench.plan(TABLES), snapshot_every=10**9) as opened,
    ):
        floor = bench.Tables(opened, [f"T{number}" for number in range(1, TABLES + 1)], bench.SEATS)
        for _ in range(5):
            floor.round()
        own, rounds = _servers() - others, TABLES * sweeps / 1e6
        bench.spare_the_collector()  # type: ignore[attr-defined] # each version imports it from where it has it
        print("ready", flush=True)
        for _ in sys.stdin:
            before = time.process_time(), _worked(own), time.perf_counter()
            for _ in range(sweeps):
                floor.round()
            after = time.process_time(), _worked(own), time.perf_counter()
            print(json.dumps([(end - begin) / rounds for begin, end in zip(before, after, strict=True)]), flush=True)


def _side(folder: Path, store: str, sweeps: int) -> subprocess.Popen[str]:
    """A process with a version's own packages and its own way to open a room."""
    script = [sys.executable, str(Path(__file__).resolve()), "--play", "--store", store, "--sweeps", str(sweeps)]
    paths = {**os.environ, "PYTHONPATH": f"{folder / 'src'}{os.pathsep}{folder}"}
    side = subprocess.Popen(script, cwd=folder, env=paths, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    _line(side)
    return side


def _line(side: subprocess.Popen[str]) -> str:
    if side.stdout is None or not (line := side.stdout.readline()):
        raise SystemExit("one of the two versions has ended: see above why")
    return line


def _turn(side: subprocess.Popen[str]) -> list[float]:
    if side.stdin is not None:
        side.stdin.write("turn\n")
        side.stdin.flush()
    found: list[float] = json.loads(_line(side))
    return found


def run(folder: Path, store: str, turns: int, sweeps: int) -> dict[str, object]:
    """Medians of both versions, and the median of the ratios of the pairs of turns."""
    sides = [_side(each.resolve(), store, sweeps) for each in (Path(__file__).parent.parent, folder)]
    pairs = []
    try:
        for number in range(turns):
            # Each version is first as often as the other.
            order = sides if number % 2 else sides[::-1]
            found = [_turn(side) for side in order]
            pairs.append(found if number % 2 else found[::-1])
    finally:
        for side in sides:
            side.communicate()
    shown: dict[str, object] = {"store": store, "turns": turns, "rounds_a_turn": TABLES * sweeps}
    for word in (*WORDS, TOGETHER):
        ours, others = ([_measured(pair[side], word) for pair in pairs] for side in (0, 1))
        if all(ours) and all(others):
            ratio = statistics.median(other / own for own, other in zip(ours, others, strict=True))
            medians = {"this": round(statistics.median(ours)), "other": round(statistics.median(others))}
            shown[word] = {**medians, "other_to_this": round(ratio, 3)}
    return shown | {"load": os.getloadavg()[0]}


def _measured(turn: list[float], word: str) -> float:
    manager, postgres, clock = turn
    return {"manager": manager, "postgres": postgres, "clock": clock, TOGETHER: manager + postgres}[word]


def main() -> None:
    """Read the arguments, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?", help="a checkout of the other version")
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--turns", type=int, default=14)
    parser.add_argument("--sweeps", type=int, default=8, help=f"of {TABLES} rounds in a turn")
    parser.add_argument("--play", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.play:
        play(chosen.store, chosen.sweeps)
    elif chosen.folder is None:
        print("bench.turns: skipped, name the folder of another version to compare with", file=sys.stderr)
    else:
        print(json.dumps(run(chosen.folder, chosen.store, chosen.turns, chosen.sweeps), indent=1))


if __name__ == "__main__":
    main()
