"""Many hands at once, compiled: all that settlement asks of a hand's cards, in one call for a block of rounds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from houseway.houseways.way_kernels import (
    CARD_BITS,
    CARD_MASK,
    LOW_SHIFT,
    SET,
    STATUS_MASK,
    VALUE_SHIFT,
    Ints,
    set_hand,
)
from houseway.ranking.jit import njit
from houseway.ranking.rank_kernels import (
    CARD_KEYS,
    CARD_MASKS,
    Hands,
    names_of_sums,
    value_of_one,
    value_of_sums,
    value_of_two,
    wheel_of,
)
from houseway.ranking.reference import JOKER_INDEX, Ranking

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)

NO_LOW = 255
"""In place of a low card: the hand is set the house way, or is not split."""
_RESULTS = 6
_UNPUT = -1


class Appraisals(NamedTuple):
    """What comes of many hands, each list with one item a hand."""

    cards: list[list[int]]
    """The high hand's cards, then those of the low hand, each from the highest down."""
    best: list[int]
    names: list[int]
    """The names mask of all the cards."""
    natural: list[int]
    """The names mask of the cards without the joker."""
    high: list[int]
    """The value of the high hand; -1 where the house way refuses the hand."""
    low: list[int]
    """The value of the low hand; 0 where hands are not split."""
    packed: list[int]
    """What the compiled house way gives, for its rule."""


@njit
def _sort_down(hands: Hands, row: int, size: int) -> None:
    """Sort the cards of a row from the highest down."""
    for place in range(1, size):
        card = hands[row, place]
        before = place
        while before > 0 and hands[row, before - 1] < card:
            hands[row, before] = hands[row, before - 1]
            before -= 1
        hands[row, before] = card


@njit
def _move_to_the_end(hands: Hands, row: int, size: int, card: int) -> None:
    """Move a card behind all others of its row."""
    found = False
    for place in range(size - 1):
        found = found or hands[row, place] == card
        if found:
            hands[row, place] = hands[row, place + 1]
    hands[row, size - 1] = card


@njit
def _low_value(hands: Hands, row: int, size: int) -> int:
    """The value of the low hand at the end of a row: one card of six, two of seven."""
    if size == 6:
        return value_of_one(int(np.int64(hands[row, 5])))
    return value_of_two(int(np.int64(hands[row, 5])), int(np.int64(hands[row, 6])))


@njit
def _appraise(hands: Hands, lows: Hands, program: Ints, wheel: int, results: Ints) -> None:
    """Put every hand, whose cards come back in the order of `Appraisals.cards`.

    A hand with a low hand of its own is laid that way; with a program the house way lays it; else the five cards that
    make the best hand, the higher first where several choices are worth the same, go before the others.
    """
    size = hands.shape[1]
    for row in range(hands.shape[0]):
        _sort_down(hands, row, size)
        key = masks = packed = 0
        for place in range(size):
            card: int = hands[row, place]
            key += CARD_KEYS[card]
            masks |= CARD_MASKS[card]
            packed |= card << CARD_BITS * place
        best = value_of_sums(key, masks, wheel)
        results[row, 0] = best
        results[row, 1] = results[row, 2] = names_of_sums(key, masks)
        if hands[row, 0] == JOKER_INDEX:
            results[row, 2] = names_of_sums(key - CARD_KEYS[JOKER_INDEX], masks ^ CARD_MASKS[JOKER_INDEX])
        results[row, 4] = results[row, 5] = 0
        if lows[row, 0] != NO_LOW:
            for place in range(lows.shape[1]):
                low: int = lows[row, place]
                key -= CARD_KEYS[low]
                masks ^= CARD_MASKS[low]
                _move_to_the_end(hands, row, size, low)
            results[row, 3] = value_of_sums(key, masks, wheel)
            results[row, 4] = _low_value(hands, row, size)
        elif len(program):
            result = set_hand(packed, size, program, wheel)
            results[row, 5] = result
            results[row, 3] = result >> VALUE_SHIFT if result & STATUS_MASK == SET else _UNPUT
            _move_to_the_end(hands, row, size, result >> LOW_SHIFT + CARD_BITS & CARD_MASK)
            if size == 7:
                _move_to_the_end(hands, row, size, result >> LOW_SHIFT & CARD_MASK)
            results[row, 4] = _low_value(hands, row, size)
        else:
            results[row, 3] = best
            for place in range(size - 1, -1, -1):
                dropped: int = hands[row, place]
                if size == 6 and value_of_sums(key - CARD_KEYS[dropped], masks ^ CARD_MASKS[dropped], wheel) == best:
                    _move_to_the_end(hands, row, size, dropped)
                    break


def appraise_hands(
    hands: Sequence[Iterable[int]],
    lows: Sequence[Sequence[int] | None],
    low_cards: int,
    program: Ints | None,
    ranking: Ranking,
) -> Appraisals:
    """All hands of one size; `low_cards` is the size of the low hands, 0 where hands are not split.

    `lows` holds the low hands that players laid, from the highest card down, and None where the house way does it.
    """
    rows = len(hands)
    laid = np.frombuffer(bytearray(b"".join(map(bytes, hands))), np.uint8).reshape(rows, -1)
    none = bytes([NO_LOW]) * max(low_cards, 1)
    taken = np.frombuffer(b"".join([none if low is None else bytes(low) for low in lows]), np.uint8)
    results = appraise_rows(laid, taken.reshape(rows, -1), program, ranking)
    return Appraisals(laid.tolist(), *results.T.tolist())


def appraise_rows(hands: Hands, lows: Hands, program: Ints | None, ranking: Ranking) -> Ints:
    """The columns of `Appraisals` behind the cards, for hands in rows, which come back in its order.

    `lows` are rows of low hands, with NO_LOW for cards where the player has laid none.
    """
    results = np.empty((len(hands), _RESULTS), np.int64)
    steps = np.empty(0, np.int64) if program is None else program
    _appraise(hands, lows, steps, wheel_of(ranking), results)
    return results
