"""The settings of player hands that are worth asking for, class by class: the kernels.

A setting is a pair (H, L): how many of the dealer's different high hands lie below its high hand, and the rank of its
low hand. A setting that another one equals or beats in both is never asked for, which leaves three or four of the
twenty-one. The settings that house ways choose are listed as well, dominated or not.
"""

from __future__ import annotations

from typing import TypeAlias

from houseway.houseways.way_kernels import CARD_BITS, LOW_SHIFT, SET, STATUS_MASK, VALUE_SHIFT, set_hand
from houseway.odds.pai_gow.layouts import Ints, Lows, low_rank
from houseway.ranking.jit import njit
from houseway.ranking.rank_kernels import CARD_KEYS, CARD_MASKS, value_of_sums
from houseway.ranking.reference import JOKER_INDEX
from houseway.ranking.suit_classes import JOKER_KEY_BIT, MASK_BITS

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)
import numpy.typing as npt  # isort: skip

Highs: TypeAlias = npt.NDArray[np.uint16]
Below: TypeAlias = npt.NDArray[np.uint16]

_VALUE_MASK = 0xFFFFFF
_PAIR = 1
_MOST_SETTINGS = 32


@njit
def _spell(key: int, cards: Ints) -> None:
    """The cards of a canonical hand, descending, the joker first."""
    place = 0
    if key & JOKER_KEY_BIT:
        cards[0] = JOKER_INDEX
        place = 1
    for card in range(JOKER_INDEX - 1, -1, -1):
        if key >> (card & 3) * MASK_BITS + (card >> 2) & 1:
            cards[place] = card
            place += 1


@njit
def way_settings(keys: Ints, size: int, program: Ints, wheel: int, below: Below, highs: Highs, lows: Lows) -> bool:
    """How a house way sets a player's canonical hands; False if there is one that it does not set."""
    cards = np.empty(size, np.int64)
    for number in range(len(keys)):
        _spell(keys[number], cards)
        hand = 0
        for place in range(size):
            hand |= cards[place] << CARD_BITS * place
        result = set_hand(hand, size, program, wheel)
        if result & STATUS_MASK != SET:
            return False
        highs[number] = below[result >> VALUE_SHIFT & _VALUE_MASK]
        lows[number] = low_rank(result >> LOW_SHIFT, size, True)
    return True


@njit
def is_foul(value: int, rank: int, size: int) -> bool:
    """Whether a high hand of that value lies below a low hand of that rank."""
    category = value >> 20
    if category > _PAIR:
        return False
    if size == 6:
        return category == 0 and value >> 16 & 15 < min(rank, 12)
    if rank >= 78:
        return category == 0 or value >> 16 & 15 < rank - 78
    if category:
        return False
    top = value >> 16 & 15
    second = value >> 12 & 15
    return top * (top - 1) // 2 + second < rank


@njit
def _legal_settings(cards: Ints, size: int, wheel: int, below: Below, highs: Ints, lows: Ints) -> int:
    """The legal settings of a hand that no other one equals or beats in both hands, from the lowest high up."""
    key = masks = 0
    for card in cards:
        key += CARD_KEYS[card]
        masks |= CARD_MASKS[card]
    kept = 0
    for one in range(size):
        for other in range(one + 1, size) if size == 7 else range(one, one + 1):
            low = cards[one] | (cards[other] << CARD_BITS if size == 7 else 0)
            rest_key, rest_masks = key - CARD_KEYS[cards[one]], masks & ~CARD_MASKS[cards[one]]
            if size == 7:
                rest_key -= CARD_KEYS[cards[other]]
                rest_masks &= ~CARD_MASKS[cards[other]]
            value = value_of_sums(rest_key, rest_masks, wheel)
            rank = low_rank(low, size, True)
            if is_foul(value, rank, size):
                continue
            kept = _keep(highs, lows, kept, below[value], rank)
    for place in range(1, kept):
        high, rank = highs[place], lows[place]
        before = place - 1
        while before >= 0 and highs[before] > high:
            highs[before + 1], lows[before + 1] = highs[before], lows[before]
            before -= 1
        highs[before + 1], lows[before + 1] = high, rank
    return kept


@njit
def _keep(highs: Ints, lows: Ints, kept: int, high: int, low: int) -> int:
    """Take in a setting unless one of those kept equals or beats it, and drop those that it beats."""
    for place in range(kept):
        if highs[place] >= high and lows[place] >= low:
            return kept
    left = 0
    for place in range(kept):
        if highs[place] > high or lows[place] > low:
            highs[left], lows[left] = highs[place], lows[place]
            left += 1
    highs[left], lows[left] = high, low
    return left + 1


@njit
def list_settings(
    keys: Ints,
    size: int,
    wheel: int,
    below: Below,
    way_highs: Highs,
    way_lows: Lows,
    starts: Ints,
    best: npt.NDArray[np.uint8],
    of_way: npt.NDArray[np.uint8],
    highs: Highs,
    lows: Lows,
) -> None:
    """List the settings of each class: first those that nothing dominates, then what ways choose beside them.

    Called first with empty `highs` to fill `starts` and `best` (the number of undominated settings), then again with
    room for all. `of_way` tells which of a class's settings each way chooses.
    """
    cards = np.empty(size, np.int64)
    class_highs = np.empty(_MOST_SETTINGS, np.int64)
    class_lows = np.empty(_MOST_SETTINGS, np.int64)
    at = 0
    for number in range(len(keys)):
        _spell(keys[number], cards)
        count = _legal_settings(cards, size, wheel, below, class_highs, class_lows)
        best[number] = count
        for way in range(way_highs.shape[0]):
            place = 0
            while place < count and (
                class_highs[place] != way_highs[way, number] or class_lows[place] != way_lows[way, number]
            ):
                place += 1
            if place == count:
                class_highs[place], class_lows[place] = way_highs[way, number], way_lows[way, number]
                count += 1
            of_way[way, number] = place
        if len(highs):
            for place in range(count):
                highs[at + place], lows[at + place] = class_highs[place], class_lows[place]
        at += count
        starts[number + 1] = at
