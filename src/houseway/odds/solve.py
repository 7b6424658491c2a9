"""Solving the main games anew and writing the files that ship: `scripts/solve`."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence

from houseway.houseways import house_way, house_ways
from houseway.odds.running.cache import Cache
from houseway.odds.running.executors import Executor, LocalProcesses
from houseway.odds.running.jobs import Progress, run_job
from houseway.odds.solved import data_path, file_content, shipped_job

WHEELS = ("second", "lowest")


def shipped_questions() -> list[tuple[str, str]]:
    """Dealer's way and place of the wheel of every file that ships; the six-card sheet fixes the wheel."""
    return [(way.id, wheel) for way in house_ways() for wheel in (WHEELS if way.cards == 7 else WHEELS[:1])]


def write_solution(
    dealer: str, wheel: str, *, executor: Executor, cache: Cache | None, progress: Progress | None = None
) -> None:
    """Solve the games of one dealer's way and write the file; what was finished before is taken from the cache."""
    job = shipped_job(house_way(dealer), wheel)
    content = file_content(job, run_job(job, executor=executor, cache=cache, progress=progress))
    path = data_path(dealer, wheel, job.dealer.cards)
    unfinished = path.with_suffix(".unfinished")
    unfinished.write_text(json.dumps(content, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    unfinished.replace(path)


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main(words: Sequence[str], say: Callable[[str], None] = _say) -> None:
    """Write the files that are named as DEALER or DEALER:WHEEL, or all."""
    questions = [(dealer, wheel or WHEELS[0]) for dealer, _, wheel in (word.partition(":") for word in words)]
    for dealer, wheel in questions or shipped_questions():

        def progress(done: int, parts: int, dealer: str = dealer, wheel: str = wheel) -> None:
            say(f"{dealer}, A-2-3-4-5 {wheel}: {done} of {parts} parts")

        cache = Cache(say=say)
        write_solution(dealer, wheel, executor=LocalProcesses(), cache=cache, progress=progress)


if __name__ == "__main__":
    main(sys.argv[1:])
