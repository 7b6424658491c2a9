"""Finding strategies in the exact solution, and writing them with results and page: `scripts/write-strategies`.

The results hold the rules as ranges with the counts of every action, so the files and the page can be written from them
alone; only `--solve` counts deals.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from houseway.houseways import load_house_way
from houseway.odds.pai_gow.main_games import add_up
from houseway.odds.running.cache import Cache
from houseway.odds.running.executors import LocalProcesses
from houseway.odds.running.jobs import Job, run_job
from houseway.odds.shipped import fingerprint_of, write_file
from houseway.odds.solved import FORMAT
from houseway.odds.strategies.doubling import DoublingCells, find_lines, outcomes_of
from houseway.odds.strategies.page import strategy_page
from houseway.odds.strategies.shipped_strategies import (
    RESULTS,
    rule_from_json,
    rule_to_json,
    seven_card_outcomes,
    shipped_results,
    strategy_inputs,
    strategy_path,
)
from houseway.odds.strategies.strategy_text import strategy_toml
from houseway.odds.strategies.topics import FoundRule, Frame, frames

_USAGE: Final = "write-strategies: unknown option {} (there are --check, and --solve with or without names of games)"
Say = Callable[[str], None]


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def solve_strategy(game: str, say: Say = _say) -> dict[str, Any]:
    """Find a game's strategy, write its way file and return its results."""
    from houseway.odds.strategies.cells import StrategyCells
    from houseway.odds.strategies.rule_search import find_rules

    def run(job: Job) -> dict[str, Any]:
        def progress(done: int, parts: int) -> None:
            say(f"{game}, {job.name}: {done} of {parts} parts")

        return add_up(run_job(job, executor=LocalProcesses(), cache=Cache(say=say), progress=progress))

    frame = frames()[game]
    cells = run(StrategyCells(frame))
    rules = {topic.id: find_rules(frame, topic, cells[topic.id]) for topic in frame.topics if topic.id in cells}
    path = strategy_path(game)
    path.parent.mkdir(exist_ok=True)
    path.write_text(strategy_toml(frame, rules), encoding="utf-8")
    way = load_house_way(path)
    if frame.played.raise_wager is not None:
        by_kind = run(DoublingCells(way))
        lines = find_lines(by_kind)
        return _results(
            frame, rules, outcomes_of(by_kind, lines), [[line.first, line.last, line.kind] for line in lines]
        )
    return _results(frame, rules, seven_card_outcomes(frame, rules), [])


def _results(
    frame: Frame, rules: Mapping[str, Sequence[FoundRule]], outcomes: Mapping[str, int], doubling: list[list[int]]
) -> dict[str, Any]:
    inputs = strategy_inputs(frame, load_house_way(strategy_path(frame.game)))
    return {
        "inputs": inputs,
        "fingerprint": fingerprint_of(inputs),
        "outcomes": dict(outcomes),
        "rules": {topic: [rule_to_json(rule) for rule in found] for topic, found in rules.items()},
        "doubling": doubling,
    }


def write_results(games: Mapping[str, Any]) -> None:
    """Write the results of all games into the file that ships."""
    content = {"format": FORMAT, "name": "strategies", "games": dict(games)}
    write_file(RESULTS, content, "scripts/write-strategies")


def written(page: Path) -> dict[Path, str]:
    """What the way files and the page have to say, from the shipped results."""
    files = {}
    for game, content in shipped_results().items():
        rules = {topic: tuple(map(rule_from_json, found)) for topic, found in content["rules"].items()}
        files[strategy_path(game)] = strategy_toml(frames()[game], rules)
    return files | {page: strategy_page()}


def main(page: Path, words: Sequence[str], say: Say = _say) -> int:
    """Write the files, or check them; the exit code."""
    option, games = (words[0], words[1:]) if words else ("", ())
    if option not in ("", "--check", "--solve") or (games and option != "--solve") or set(games) - frames().keys():
        say(_USAGE.format(next((word for word in words if word not in ("--check", "--solve")), words[-1])))
        return 2
    if option == "--solve":
        results = dict(shipped_results())
        for game in games or frames():
            results[game] = solve_strategy(game, say)
            write_results(results)
        shipped_results.cache_clear()
    stale = []
    for path, text in written(page).items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.name)
            if option != "--check":
                path.write_text(text, encoding="utf-8")
    if option == "--check" and stale:
        say(f"{', '.join(stale)}: not what the results say: run scripts/write-strategies")
        return 1
    say(f"written: {', '.join(stale)}" if stale else "up to date")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
