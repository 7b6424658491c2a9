"""When to double down in 6 Card Fortune, as a short table: the least high hand for every low card.

The exact worth of doubling is counted for every low card and every kind of high hand, as the strategy sets the cards.
Low cards next to each other share a line as long as a line of their own would not save enough.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from houseway.houseways import HouseWay, house_way
from houseway.odds.pai_gow.dealer_tables import rules_fingerprint
from houseway.odds.pai_gow.main_games import DOUBLED
from houseway.odds.running.cache import Cache, JsonValue
from houseway.odds.strategies.topics import least_gain, six_card_frame
from houseway.ranking.hand_names import RANK_SHIFTS

LOW_CARDS: Final = 14
"""The low cards by rank, and the joker above the ace."""
METHOD: Final = 1
KIND_SHIFT: Final = RANK_SHIFTS[0]
"""A kind of high hand is its category and first rank, such as a pair of kings or three nines: the value without the
rest."""
NEVER: Final = 1 << 30


@dataclass(frozen=True)
class DoublingCells:
    """The job: how a way's settings end by low card and kind of high hand, over all deals."""

    way: HouseWay
    parts: int = 2

    @property
    def name(self) -> str:
        """The job's name for files."""
        return "doubling-6"

    @property
    def key(self) -> Mapping[str, str]:
        """All that decides the result."""
        return {
            "way": self.way.fingerprint,
            "dealer": house_way(six_card_frame().dealer).fingerprint,
            "parts": str(self.parts),
            "method": str(METHOD),
            "rules": rules_fingerprint(),
        }

    def run_part(self, number: int, cache: Cache | None) -> JsonValue:
        """Deals won and lost against a dealer who qualifies and against one who does not, and pushes, by cell."""
        from houseway.houseways.compiled import CompiledWay
        from houseway.odds.pai_gow.player_classes import classes_of
        from houseway.odds.strategies.cells import Counter, low_ranks

        import numpy as np  # isort: skip  (after the check for the optional part in `compiled`)

        rows = np.arange(len(classes_of(6)))[number :: self.parts]
        counter = Counter.of(house_way(six_card_frame().dealer), rows, cache)
        setting = CompiledWay(self.way).set_hands(counter.hands.cards())
        assert not setting.status.any(), "a strategy sets every hand"
        outcomes = counter.outcomes([setting])[0] * counter.hands.weights.astype(np.int64)[:, None]
        kinds = np.stack([low_ranks(setting.low), setting.high_value >> KIND_SHIFT], axis=1)
        cells, cell_of = np.unique(kinds, axis=0, return_inverse=True)
        total = np.zeros((len(cells), outcomes.shape[1]), np.int64)
        np.add.at(total, cell_of, outcomes)
        result = {f"{low},{kind}": row for (low, kind), row in zip(cells.tolist(), total.tolist(), strict=True)}
        return cast("JsonValue", result)


@dataclass(frozen=True, slots=True)
class DoublingLine:
    """One line of the table: with these low cards, double with that kind of high hand or better."""

    first: int
    last: int
    """Ranks of low cards, 13 for the joker."""
    kind: int
    """The least kind of high hand; NEVER if none is good enough."""


def find_lines(cells: Mapping[str, Sequence[int]]) -> tuple[DoublingLine, ...]:
    """The table with few lines: what a further line must save is what a further rule must save."""
    by_low: list[dict[int, int]] = [{} for _ in range(LOW_CARDS)]
    for key, row in cells.items():
        low, kind = (int(part) for part in key.split(","))
        by_low[low][kind] = row[0] - row[2]
    price = least_gain(six_card_frame())
    best: list[tuple[int, tuple[DoublingLine, ...]]] = [(0, ())]
    for end in range(1, LOW_CARDS + 1):
        choices = []
        for start in range(end):
            gain, kind = _least_kind(by_low[start:end])
            before, lines = best[start]
            choices.append((before + gain - price, (*lines, DoublingLine(start, end - 1, kind))))
        best.append(max(choices, key=lambda choice: (choice[0], -len(choice[1]))))
    return best[-1][1]


def _least_kind(lows: Sequence[Mapping[int, int]]) -> tuple[int, int]:
    """The gain of doubling with the best least kind for these low cards together, and that kind."""
    kinds: dict[int, int] = {}
    for cells in lows:
        for kind, gain in cells.items():
            kinds[kind] = kinds.get(kind, 0) + gain
    best, total, least = 0, 0, NEVER
    for kind in sorted(kinds, reverse=True):
        total += kinds[kind]
        if total > best:
            best, least = total, kind
    return best, least


def doubles(lines: Sequence[DoublingLine], low: int, high_value: int) -> bool:
    """Whether the table says to double with this low card and high hand."""
    return any(line.first <= low <= line.last and high_value >> KIND_SHIFT >= line.kind for line in lines)


def outcomes_of(cells: Mapping[str, Sequence[int]], lines: Sequence[DoublingLine]) -> dict[str, int]:
    """The deals of the whole game by outcome of main wager and double down, doubled as the table says."""
    total: dict[str, int] = dict.fromkeys(DOUBLED, 0)
    for key, (won, won_in_vain, lost, lost_in_vain, pushed) in cells.items():
        low, kind = (int(part) for part in key.split(","))
        if doubles(lines, low, kind << KIND_SHIFT):
            row: dict[str, Any] = {
                "win+win": won,
                "win+push": won_in_vain,
                "lose+lose": lost,
                "lose+push": lost_in_vain,
            }
            row["push+push"] = pushed
        else:
            row = {"win+none": won + won_in_vain, "lose+none": lost + lost_in_vain, "push+none": pushed}
        for outcome, count in row.items():
            total[outcome] += count
    return total
