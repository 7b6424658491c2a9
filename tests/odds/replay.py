"""Rounds of the simulation's kernels, held against the product's own settlement."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np

from houseway.cards.card import card_texts
from houseway.games import game, read_round, settle
from houseway.games.round_tables import meter_key
from houseway.games.table_settings import has_setting
from houseway.houseways.evaluate import TableEvaluator
from houseway.odds.simulation import round_kernels
from houseway.odds.simulation.job import Simulation, default_tables, felt_of, stake_of
from houseway.paytables import paytable

OUTCOMES = {round_kernels.LOST: "lose", round_kernels.PUSHED: "push", round_kernels.WON: "win"}


def simulated(game_id: str, **changes: Any) -> Simulation:
    found = game(game_id)
    way = found.ways[0] if found.ways else None
    plain = Simulation(game_id, 1000, found.max_seats, 20_231, tuple(default_tables(found).items()), way)
    return replace(plain, **changes)


class Replay:
    """One round of the kernels, in the shape of the product's own settlement."""

    def __init__(self, job: Simulation) -> None:
        self.job = job
        self.game = game(job.game)
        self.felt, self.book = felt_of(job)
        self.wagers = [wager.name for wager in self.game.wagers]
        self.cards = np.zeros(53, np.int64)
        self.laid = np.zeros((job.seats + 1, 4), np.int64)
        self.meters = np.zeros(round_kernels.MOST_LEVELS, np.int64)
        self.amounts = np.zeros((job.seats, len(self.wagers), 4), np.int64)

    def play(self, number: int) -> dict[tuple[int, str], tuple[str, int, int, int]]:
        """Outcome, stake, amount returned and envy, by seat and wager."""
        round_kernels.play_round(self.felt, self.book, number, self.cards, self.laid, self.meters, self.amounts)
        return {
            (seat + 1, wager): (OUTCOMES[int(row[0])], int(row[1]), int(row[2]), int(row[3]))
            for seat in range(self.job.seats)
            for wager, row in zip(self.wagers, self.amounts[seat], strict=True)
            if row[0] != round_kernels.NOT_MADE
        }

    def hand(self, place: int) -> list[str]:
        size = self.game.cards
        return card_texts(tuple(int(card) for card in self.cards[place * size : (place + 1) * size]))

    def as_round(self, made: set[tuple[int, str]]) -> dict[str, Any]:
        """The same round as anybody would hand it in to be settled."""
        tables = {name: paytable(table) for name, table in self.job.paytables}
        levels = {
            meter_key(name, tables): {level: self.job.all_meters[level] for level in table.levels}
            for name, table in tables.items()
            if table.levels
        }
        seats = []
        for seat in range(1, self.job.seats + 1):
            wagers = {wager.name: stake_of(wager) for wager in self.game.wagers if (seat, wager.name) in made}
            folds = {"fold": "play" not in wagers} if self.game.offers_fold else {}
            seats.append({"seat": seat, "cards": self.hand(seat), "wagers": wagers, **folds})
        way = {} if self.job.way is None else {"way": self.job.way}
        return {
            "game": self.game.id,
            "paytables": {name: table.id for name, table in tables.items()},
            "meters": levels,
            "seeds": levels,
            "dealer": self.hand(0),
            "seats": seats,
            "settings": {"jackpots_by_paper": True} if has_setting(self.game, "jackpots_by_paper") else {},
            **way,
        }


def settled(round_: dict[str, Any]) -> dict[tuple[int, str], tuple[str, int, int, int]]:
    """The same figures from the product's own settlement."""
    lines: dict[tuple[int, str], tuple[str, int, int, int]] = {}
    envies: Counter[tuple[int, str]] = Counter()
    for result in settle(read_round(round_), TableEvaluator()).seats:
        for line in result.lines:
            if line.wager.endswith("_envy"):
                envies[result.seat, line.wager.removesuffix("_envy")] += line.returned
            else:
                lines[result.seat, line.wager] = (line.outcome, line.stake, line.returned, 0)
    return {place: (*line[:3], envies[place]) for place, line in lines.items()}


def check_against_settlement(job: Simulation, numbers: range) -> None:
    replay = Replay(job)
    for number in numbers:
        played = replay.play(number)
        assert settled(replay.as_round(set(played))) == played, f"{job.game}, round {number}"
