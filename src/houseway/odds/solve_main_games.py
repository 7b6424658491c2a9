"""Solving the main games again and writing the files that ship: `scripts/solve`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple

from houseway.houseways import house_way, house_ways
from houseway.odds.pai_gow.main_games import COMMISSION
from houseway.odds.pai_gow.split_games import seven_card_games
from houseway.odds.running.cache import Cache
from houseway.odds.running.executors import Executor, LocalProcesses
from houseway.odds.running.jobs import Progress, run_job
from houseway.odds.shipped import write_file
from houseway.odds.solved import data_path, file_content, shipped_job

SCRIPT = "scripts/solve"
WHEELS = ("second", "lowest")


class SolverQuestion(NamedTuple):
    """What a shipped file answers: dealer's way, place of the wheel, and commission of the best setting."""

    dealer: str
    wheel: str = WHEELS[0]
    commission: Fraction = COMMISSION


def shipped_questions() -> list[SolverQuestion]:
    """The question of every file that ships; the six-card sheet fixes the wheel.

    The best setting without commission ships for the default way: the claims about face-up dealing ask for it.
    """
    asked = [
        SolverQuestion(way.id, wheel) for way in house_ways() for wheel in (WHEELS if way.cards == 7 else WHEELS[:1])
    ]
    return [*asked, SolverQuestion(seven_card_games().plain.ways[0], commission=Fraction(0))]


def write_solution(
    asked: SolverQuestion, *, executor: Executor, cache: Cache | None, progress: Progress | None = None
) -> None:
    """Solve the games of one dealer's way and write the file; what was finished before is taken from the cache."""
    job = shipped_job(house_way(asked.dealer), asked.wheel, asked.commission)
    content = file_content(job, run_job(job, executor=executor, cache=cache, progress=progress))
    path = data_path(asked.dealer, asked.wheel, job.dealer.cards, asked.commission)
    write_file(path, content, SCRIPT, sort=True)


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main(words: Sequence[str], say: Callable[[str], None] = _say) -> None:
    """Write the files that are named as DEALER, DEALER:WHEEL or DEALER:WHEEL:COMMISSION (in percent), or all."""
    for asked in [_question(word) for word in words] or shipped_questions():

        def progress(done: int, parts: int, asked: SolverQuestion = asked) -> None:
            say(f"{asked.dealer}, A-2-3-4-5 {asked.wheel}: {done} of {parts} parts")

        cache = Cache(say=say)
        write_solution(asked, executor=LocalProcesses(), cache=cache, progress=progress)


def _question(word: str) -> SolverQuestion:
    dealer, wheel, percent = (*word.split(":"), "", "")[:3]
    return SolverQuestion(dealer, wheel or WHEELS[0], Fraction(percent) / 100 if percent else COMMISSION)


if __name__ == "__main__":
    main(sys.argv[1:])
