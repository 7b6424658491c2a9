"""The compiled interpreter of house ways: the same answers as `interpret`, some ten million hands a second.

A hand is an array of its cards in descending order. Its facts go into a scratch array in the order of `facts.FACTS`;
those that look at every split are worked out only when a condition asks for them, and the splits only when suits and
ranks allow a straight or flush at all. The result is one packed integer: see the shifts below.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from houseway.houseways.program import Ints
from houseway.ranking.jit import njit
from houseway.ranking.kernels import value_of_five

# Facts by number, as in facts.FACTS.
SHAPE: Final = 0
FIRST_SET: Final = 1
FIRST_SINGLE: Final = 4
COMPLETE: Final = 7
SET_LEAVES_COMPLETE: Final = 8
SINGLES_BEAT_COMPLETE: Final = 9
STRAIGHT_FLUSH: Final = 10
STRAIGHT_AND_FLUSH: Final = 11
ALL_CARDS: Final = 12
_FIRST_COSTLY: Final = COMPLETE
# Further places in the scratch array: what is known already, the back under test, and all splits.
_COSTLY_KNOWN: Final = 13
_SPLITS_KNOWN: Final = 14
_BACK: Final = 15
_FRONTS: Final = 20
_VALUES: Final = 41
SCRATCH_SIZE: Final = 62

_JOKER: Final = 52
_ACE: Final = 12
_NO_RANK: Final = 13
_CATEGORY: Final = 20
_STRAIGHTS: Final = 1 << 4
_STRAIGHT_FLUSHES: Final = 1 << 8 | 1 << 9
_FLUSHES: Final = 1 << 5 | _STRAIGHT_FLUSHES
_COMPLETES: Final = _STRAIGHTS | _FLUSHES

# The packed result: status, question, rule, second rule of an ambiguous hand, low cards, value of the high hand.
STATUS_MASK: Final = 7
QUESTION_SHIFT: Final = 3
RULE_SHIFT: Final = 11
OTHER_RULE_SHIFT: Final = 19
LOW_SHIFT: Final = 27
VALUE_SHIFT: Final = 39
NONE: Final = 255
"""A question or rule that there is none of."""
SET, UNSET, AMBIGUOUS, IMPOSSIBLE, FOULED = range(5)


def _top_bits() -> npt.NDArray[np.int8]:
    """The highest rank in every set of ranks given as 13 bits."""
    return np.array([max(ranks.bit_length() - 1, 0) for ranks in range(1 << 13)], dtype=np.int8)


def _straights() -> npt.NDArray[np.int8]:
    """For every set of ranks: the most that it holds of the five ranks of any straight."""
    windows = [sum(1 << ((low + step) % 13) for step in range(5)) for low in (12, *range(9))]
    held = [max((ranks & window).bit_count() for window in windows) for ranks in range(1 << 13)]
    return np.array(held, dtype=np.int8)


_TOP_BIT: Final = _top_bits()
_HELD_OF_STRAIGHT: Final = _straights()


@njit
def _rank(card: int) -> int:
    """The rank of a card; the joker counts as an ace."""
    return min(card >> 2, _ACE)


@njit
def _count_ranks(cards: Ints, scratch: Ints) -> None:
    """Fill in the facts that need ranks only: the shape, the sets and the singles."""
    once = twice = thrice = four = five = 0
    for card in cards:
        bit = 1 << _rank(card)
        five |= four & bit
        four |= thrice & bit
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
    for place in range(FIRST_SET, COMPLETE):
        scratch[place] = _NO_RANK
    place = FIRST_SET
    for group in (five, four & ~five, thrice & ~four, twice & ~thrice):
        while group:
            scratch[place] = _TOP_BIT[group]
            group ^= 1 << _TOP_BIT[group]
            place += 1
    sets = place - FIRST_SET
    if five:
        scratch[SHAPE] = 8
    elif four:
        scratch[SHAPE] = 7
    elif thrice:
        more_than_once = twice & (twice - 1)
        scratch[SHAPE] = 4 if not more_than_once else (6 if thrice & (thrice - 1) else 5)
    else:
        scratch[SHAPE] = sets
    place = FIRST_SINGLE
    group = once & ~twice
    while group and place < COMPLETE:
        scratch[place] = _TOP_BIT[group]
        group ^= 1 << _TOP_BIT[group]
        place += 1
    scratch[_COSTLY_KNOWN] = 0
    scratch[_SPLITS_KNOWN] = 0


@njit
def _back_value(cards: Ints, scratch: Ints, first: int, second: int, wheel_second: bool) -> int:
    """The value of the five cards that are left when two places (or one, given twice) go in front."""
    taken = _BACK
    for place in range(len(cards)):
        if place != first and place != second:  # noqa: PLR1714 - a tuple test is slower when compiled
            scratch[taken] = cards[place]
            taken += 1
    return value_of_five(
        scratch[_BACK], scratch[_BACK + 1], scratch[_BACK + 2], scratch[_BACK + 3], scratch[_BACK + 4], wheel_second
    )


@njit
def _front_value(cards: Ints, first: int, second: int) -> int:
    """The value of the cards of two places as a low hand; of one place given twice, as a one-card low hand."""
    high, low = _rank(cards[first]), _rank(cards[second])
    if first == second:
        return high << 4
    return (high == low) << 8 | high << 4 | low


@njit
def _lay_all(cards: Ints, scratch: Ints, wheel_second: bool) -> None:
    """Fill in the front and the value in back of every split, in the order of `_next_split`."""
    split = 0
    size = len(cards)
    for first in range(size):
        for second in range(first, first + 1) if size == 6 else range(first + 1, size):
            scratch[_FRONTS + split] = _front_value(cards, first, second)
            scratch[_VALUES + split] = _back_value(cards, scratch, first, second, wheel_second)
            split += 1
    scratch[_SPLITS_KNOWN] = split
