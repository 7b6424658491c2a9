"""Writes the shipped results of Six Card Poker and Bad Beat again: `scripts/solve-six-card-poker`."""

from __future__ import annotations

import sys
from typing import Final

from houseway.odds.running.cache import Cache
from houseway.odds.running.executors import LocalProcesses
from houseway.odds.shipped import write_file
from houseway.odds.six_card_poker import bad_beat
from houseway.odds.six_card_poker import game as six_card_poker_game
from houseway.odds.six_card_poker.game import solve
from houseway.odds.six_card_poker.strategy import STRATEGIES
from houseway.odds.solved_game import OPTIMAL

SCRIPT: Final = "scripts/solve-six-card-poker"
_ALL: Final = (OPTIMAL, *STRATEGIES)


def main() -> None:
    """Solve the best play and the strategies, count Bad Beat, and write both data files when all is done."""
    solved = {}
    for strategy in _ALL:
        _tell(f"{strategy}:\n")
        solved[strategy] = solve(strategy, executor=LocalProcesses(), cache=Cache(), progress=_count)
        whole = solved[strategy][0]
        edge, folds = float(whole.edge), float(whole.fold_rate)
        _tell(f"\redge {edge:.5%}, average bet {float(whole.average_bet):.5f}, folds {folds:.4%}\n")
    losing = bad_beat.count_losing_hands()
    write_file(six_card_poker_game.DATA_PATH, six_card_poker_game.to_json(solved), SCRIPT)
    write_file(bad_beat.DATA_PATH, bad_beat.to_json(losing), SCRIPT)


def _count(done: int, parts: int) -> None:
    _tell(f"\r{done} of {parts} parts")


def _tell(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


if __name__ == "__main__":
    main()
