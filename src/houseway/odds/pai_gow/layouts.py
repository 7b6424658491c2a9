"""How a house way lays every hand of its deck: the high and the low hand as small ranks, hand by hand.

A hand's place in the arrays is its number in the combinatorial order: the sum of C(card, place) over its cards from the
lowest up. High hands are numbered by the distinct values that occur, low hands by their order in the game, so that two
hands compare as two small integers.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb
from typing import Final, TypeAlias

from houseway.houseways.check import incomplete
from houseway.houseways.way import HouseWay
from houseway.houseways.way_kernels import (
    CARD_BITS,
    CARD_MASK,
    LOW_SHIFT,
    SET,
    STATUS_MASK,
    VALUE_SHIFT,
    program_array,
    set_hand,
)
from houseway.ranking.jit import njit
from houseway.ranking.rank_kernels import wheel_of
from houseway.ranking.reference import JOKER_INDEX, PAI_GOW, Ranking

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)
import numpy.typing as npt  # isort: skip

Ints: TypeAlias = npt.NDArray[np.int64]
Values: TypeAlias = npt.NDArray[np.int32]
Highs: TypeAlias = npt.NDArray[np.uint16]
Lows: TypeAlias = npt.NDArray[np.uint8]

DECK: Final = 53
_VALUE_MASK: Final = 0xFFFFFF
BINOMIALS: Final = np.array([[comb(n, k) for k in range(9)] for n in range(DECK + 1)], dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Layout:
    """Every hand of a way's size as the way lays it: the value of the high hand and the rank of the low hand."""

    cards: int
    high_values: Values
    low_ranks: Lows


@njit
def low_rank(low: int, size: int, joker_wins: bool) -> int:
    """The rank of the low hand that is packed in a setting; a player's joker alone can stand above the aces."""
    first = low & CARD_MASK
    if size == 6:
        return 13 if joker_wins and first == JOKER_INDEX else min(first >> 2, 12)
    one, other = min(first >> 2, 12), min((low >> CARD_BITS & CARD_MASK) >> 2, 12)
    high, rest = max(one, other), min(one, other)
    return 78 + high if high == rest else high * (high - 1) // 2 + rest


@njit
def _lay_from(
    top: int, size: int, program: Ints, wheel: int, joker_wins: bool, binomials: Ints, values: Values, lows: Lows
) -> bool:
    """Lay every hand whose highest card is `top`; False if the way does not set one of them."""
    cards = np.arange(size - 1)
    while True:
        hand, place = top, binomials[top, size]
        for index in range(size - 1):
            hand |= cards[index] << CARD_BITS * (size - 1 - index)
            place += binomials[cards[index], index + 1]
        result = set_hand(hand, size, program, wheel)
        if result & STATUS_MASK != SET:
            return False
        values[place] = result >> VALUE_SHIFT & _VALUE_MASK
        lows[place] = low_rank(result >> LOW_SHIFT, size, joker_wins)
        index = 0
        while index < size - 1 and cards[index] + 1 == (cards[index + 1] if index + 1 < size - 1 else top):
            cards[index] = index
            index += 1
        if index == size - 1:
            return True
        cards[index] += 1


def lay_every_hand(way: HouseWay, ranking: Ranking = PAI_GOW, *, of_player: bool, threads: int = 2) -> Layout:
    """Lay every hand of the 53-card deck; in the six-card game a player's joker low stands above the aces.

    Raises InputError for a way that does not set every hand.
    """
    values = np.zeros(comb(DECK, way.cards), np.int32)
    lows = np.zeros(len(values), np.uint8)
    program, wheel = program_array(way), wheel_of(ranking)
    with ThreadPoolExecutor(threads) as pool:
        # The highest cards have the most hands: begin with them, so that the threads end together.
        done = pool.map(
            lambda top: _lay_from(top, way.cards, program, wheel, of_player, BINOMIALS, values, lows),
            range(DECK - 1, way.cards - 2, -1),
        )
        if not all(list(done)):
            raise incomplete(way)
    return Layout(way.cards, values, lows)


def number_highs(layouts: Sequence[Layout]) -> tuple[list[Highs], int]:
    """The high hands of several layouts numbered by one order, and how many different values there are."""
    distinct = {id(layout.high_values): layout.high_values for layout in layouts}
    present = np.unique(np.concatenate([np.unique(values) for values in distinct.values()]))
    numbers = np.zeros(int(present[-1]) + 1, np.uint16)
    numbers[present] = np.arange(len(present))
    # One array for layouts that share their values: whoever compares sides can see that they are the same.
    numbered = {key: numbers[values] for key, values in distinct.items()}
    return [numbered[id(layout.high_values)] for layout in layouts], len(present)
