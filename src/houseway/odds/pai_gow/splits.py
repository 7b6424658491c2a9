"""The settings that a player may choose between: every legal split of a hand, those of equal worth as one.

A low hand counts by its rank among the low hands of its game, from 0: 91 of two cards; 13 of one card, and a player's
joker above them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from houseway.cards.card import Card, descending
from houseway.houseways.fouls import is_fouled
from houseway.ranking import fast
from houseway.ranking.reference import JOKER_INDEX, PAI_GOW, Ranking, value_of_one, value_of_two

_PLAYERS_JOKER: Final = 13
_FIRST_PAIR: Final = 78
LOW_RANKS: Final = 92
"""How many ranks of low hands the tables of a dealer's hands can hold, those of either game."""


@dataclass(frozen=True, slots=True)
class PlayerSetting:
    """One way for a player to set a hand, and what the two hands are worth."""

    high: tuple[Card, ...]
    low: tuple[Card, ...]
    high_value: int
    low_value: int
    low_rank: int

    @property
    def worth(self) -> tuple[int, int]:
        """What decides every contest: settings equal in it win and lose together."""
        return self.high_value, self.low_rank


def low_rank_of(low: Sequence[int]) -> int:
    """The rank of a player's low hand of one or two cards.

    >>> low_rank_of([0, 4]), low_rank_of([51, 47]), low_rank_of([0, 1]), low_rank_of([51, 52])
    (0, 77, 78, 90)
    >>> low_rank_of([51]), low_rank_of([52])
    (12, 13)
    """
    if len(low) == 1:
        return _PLAYERS_JOKER if low[0] == JOKER_INDEX else value_of_one(low[0]) >> 4
    value = value_of_two(low)
    high, rest = value >> 4 & 15, value & 15
    return _FIRST_PAIR + high if value >> 8 else high * (high - 1) // 2 + rest


def setting_of(cards: Iterable[Card], low: Sequence[Card], ranking: Ranking = PAI_GOW) -> PlayerSetting:
    """The setting with these cards in the low hand."""
    high = descending(card for card in cards if card not in low)
    low_value = value_of_two(low) if len(low) == 2 else value_of_one(low[0])
    return PlayerSetting(high, descending(low), fast.value_of_best(high, ranking), low_value, low_rank_of(low))


def legal_settings(cards: Sequence[Card], ranking: Ranking = PAI_GOW) -> list[PlayerSetting]:
    """Every setting that is not a foul, the highest high hand first; of equal ones the one a house way would choose.

    That is the joker in the low hand before an ace, then the cards of the later suit in the order s, h, d, c.
    """
    held = descending(cards)
    found: dict[tuple[int, int], PlayerSetting] = {}
    for low in sorted(combinations(held, len(held) - 5), key=lambda low: (JOKER_INDEX not in low, low)):
        setting = setting_of(held, low, ranking)
        if not is_fouled(setting.high_value, setting.low_value, len(low)):
            found.setdefault(setting.worth, setting)
    return sorted(found.values(), key=lambda setting: setting.worth, reverse=True)


def undominated(settings: Iterable[PlayerSetting]) -> list[PlayerSetting]:
    """The settings for which no other is at least as good in both hands: no other can be the best."""
    chosen: list[PlayerSetting] = []
    for setting in sorted(settings, key=lambda setting: setting.worth, reverse=True):
        if not chosen or setting.low_rank > chosen[-1].low_rank:
            chosen.append(setting)
    return chosen
