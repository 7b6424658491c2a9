"""The long mode of the floor simulator: many seeds on several processors, for a number of minutes, interruptible.

Seeds are handed out in chunks. What is finished is kept in a file, so that a run that was stopped goes on where it was;
seeds that failed are printed at once and again at the end.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

from instruments.simulator.report import Failure, Report, run_seeds
from instruments.simulator.runner import STEPS, Simulation

CHUNK: Final = 20
ENOUGH: Final = 1_000
"""Seeds that together should have met everything."""
TELL_EVERY: Final = 5.0
"""Seconds between two lines of progress."""


@dataclass
class Progress:
    """What is finished: all seeds from `first` to `below`, chunks beyond it by their start, and the figures of both."""

    first: int
    steps: int
    below: int
    beyond: dict[int, int] = field(default_factory=dict)
    report: Report = field(default_factory=Report)

    def finish(self, chunk: range, report: Report) -> None:
        """A chunk is finished."""
        self.report.add(report)
        self.beyond[chunk.start] = chunk.stop
        while self.below in self.beyond:
            self.below = self.beyond.pop(self.below)

    def chunks(self, last: int | None) -> Iterator[range]:
        """What is left to do, in chunks, up to the last seed."""
        start, finished = self.below, dict(self.beyond)
        while last is None or start < last:
            if start in finished:
                start = finished[start]
                continue
            ends = [start + CHUNK, *(begun for begun in finished if begun > start), *([] if last is None else [last])]
            yield range(start, min(ends))
            start = min(ends)

    def save(self, path: Path) -> None:
        """Keep it, whole or not at all."""
        report = self.report
        data = {
            "first": self.first, "steps": self.steps, "below": self.below, "beyond": sorted(self.beyond.items()),
            "seeds": report.seeds, "failures": [[each.seed, each.why] for each in report.failures],
            "accepted": report.accepted, "refused": report.refused, "seen": report.seen,
        }  # fmt: skip
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_text(json.dumps(data), "utf-8")
        new.replace(path)

    @classmethod
    def load(cls, path: Path) -> Progress:
        """What an earlier run has kept."""
        data: dict[str, Any] = json.loads(path.read_text("utf-8"))
        failures = [Failure(seed, why) for seed, why in data["failures"]]
        counts = [Counter(data[name]) for name in ("accepted", "refused", "seen")]
        report = Report(data["seeds"], failures, *counts)
        return cls(data["first"], data["steps"], data["below"], dict(data["beyond"]), report)


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts/simulate-floor", description=__doc__)
    parser.add_argument("--seed", type=int, help="run this one seed and print every command and what came back")
    parser.add_argument("--from", dest="first", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--to", dest="last", type=int, help="stop before this seed")
    parser.add_argument("--minutes", type=float, help="stop after this many minutes")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="how many run at once")
    parser.add_argument("--steps", type=int, default=STEPS, help=f"turns in which somebody acts, a seed ({STEPS})")
    parser.add_argument("--state", type=Path, default=_state_file(), help="where finished seeds are kept")
    parser.add_argument("--again", action="store_true", help="forget what an earlier run has finished")
    options = parser.parse_args(arguments)
    if options.seed is None and options.last is None and options.minutes is None:
        parser.error("say how far: --to SEED, --minutes N, or --seed SEED for a single one")
    if options.processes < 1 or options.steps < 1:
        parser.error("--processes and --steps are 1 or more")
    return options


def _state_file() -> Path:
    cache = os.environ.get("HOUSEWAY_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "houseway"
    return Path(cache).expanduser() / "simulate-floor.json"


def _begin(options: argparse.Namespace) -> Progress:
    """A new run, or the one that was stopped, if it began alike."""
    if options.state.exists() and not options.again:
        kept = _kept(options.state)
        if (kept.first, kept.steps) == (options.first, options.steps):
            print(f"going on after {kept.report.seeds} seeds (--again starts over)", file=sys.stderr)
            return kept
    return Progress(options.first, options.steps, options.first)


def _kept(path: Path) -> Progress:
    """What an earlier run has kept; a file that is none of ours is not overwritten."""
    try:
        return Progress.load(path)
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(
            f"{path} is not a state of this program ({error}): name another with --state, or use --again",
            file=sys.stderr,
        )
        raise SystemExit(2) from None


def _run(options: argparse.Namespace, progress: Progress) -> None:
    """Hand chunks out until the last seed, the last minute, or an interruption."""
    ends = None if options.minutes is None else time.monotonic() + options.minutes * 60
    chunks, waiting = progress.chunks(options.last), dict[Future[Report], range]()
    began, told = time.monotonic(), 0.0
    before = progress.report.seeds
    with ProcessPoolExecutor(options.processes, get_context("spawn"), _leave_interrupts) as pool:
        try:
            while True:
                while len(waiting) < options.processes and (ends is None or time.monotonic() < ends):
                    chunk = next(chunks, None)
                    if chunk is None:
                        break
                    waiting[pool.submit(run_seeds, chunk, options.steps)] = chunk
                if not waiting:
                    return
                done, _ = wait(waiting, timeout=TELL_EVERY, return_when=FIRST_COMPLETED)
                for future in done:
                    _finish(progress, waiting.pop(future), future.result(), options.state)
                if done and time.monotonic() - told > TELL_EVERY:
                    told = time.monotonic()
                    _tell(progress, before, told - began)
        except KeyboardInterrupt:
            for future in waiting:
                future.cancel()
            print("interrupted: the same command goes on from here", file=sys.stderr)


def _leave_interrupts() -> None:
    """Ctrl-C goes to every process of the terminal; only the first one is to hear it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _finish(progress: Progress, chunk: range, report: Report, state: Path) -> None:
    for failure in report.failures:
        print(failure, flush=True)
    progress.finish(chunk, report)
    progress.save(state)


def _tell(progress: Progress, before: int, seconds: float) -> None:
    speed = (progress.report.seeds - before) / seconds if seconds else 0
    failed = len(progress.report.failures)
    print(f"{progress.report.seeds} seeds, {failed} failed, {speed:.1f} a second", file=sys.stderr, flush=True)


def _single(seed: int, steps: int) -> int:
    """Run one seed with every command and its outcome printed."""
    simulation = Simulation(seed, steps)
    follow = simulation.checker.group

    def group(calls: Any, heard: Any, entries: Any) -> None:  # noqa: ANN401 - as the checker takes them
        for number, call in enumerate(calls):
            back = None if heard is None else heard[number]
            if back is None:
                outcome = "nothing came back: the process died, or the store failed"
            elif back.answer is not None:
                outcome = f"{'again ' if back.answer['repeated'] else ''}{json.dumps(back.answer['answer'])}"
            else:
                outcome = f"refused: {', '.join(sorted(back.codes))}"
            print(f"[{simulation.step}] {call.key} {call.actor} {json.dumps(call.do)}\n    {outcome}")
        follow(calls, heard, entries)

    simulation.checker.group = group  # type: ignore[method-assign]
    try:
        outcome = simulation.run()
    except Exception as error:  # noqa: BLE001 - the reader wants the seed's own failure, whatever it is
        print(f"FAILED: {type(error).__name__}: {error}")
        return 1
    print(f"seed {seed} is fine; the journal ends with {outcome.head}")
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the long mode; 0 if every seed is fine, 1 if one failed."""
    options = _options(arguments)
    if options.seed is not None:
        return _single(options.seed, options.steps)
    progress = _begin(options)
    # Told to end, it ends as after Ctrl-C: workers and their semaphores would be left behind else.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    _run(options, progress)
    print(progress.report)
    if progress.report.seeds >= ENOUGH:
        missing = progress.report.missing
        print(f"not met: {'; '.join(missing)}" if missing else "every command and every situation on the list was met")
    return 1 if progress.report.failures else 0
