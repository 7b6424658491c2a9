"""The compiled interpreter of house ways: the same answers as `interpret`, some ten million hands a second.

A hand is an array of its cards in descending order. Its facts go into a scratch array in the order of `facts.FACTS`;
those that look at every split are worked out only when a condition asks for them, and the splits only when suits and
ranks allow a straight or flush at all. The result is one packed integer: see the shifts below.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from houseway.houseways.fouls import is_fouled_seven, is_fouled_six
from houseway.houseways.program import HIGHEST_FRONT, KEEP_CODES, Ints
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
_KEEP_NOTHING: Final = KEEP_CODES[None]
_KEEP_COMPLETE: Final = KEEP_CODES["complete"]
_KEEP_BEST: Final = KEEP_CODES["best"]

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


_is_fouled_six = njit(is_fouled_six)
_is_fouled_seven = njit(is_fouled_seven)
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
    """Fill in the front and the value in back of every split, pair of places by pair of places."""
    if scratch[_SPLITS_KNOWN]:
        return
    scratch[_SPLITS_KNOWN] = 1
    size = len(cards)
    split = 0
    for first in range(size):
        for second in range(first + size - 6, first + 1 if size == 6 else size):
            scratch[_FRONTS + split] = _front_value(cards, first, second)
            scratch[_VALUES + split] = _back_value(cards, scratch, first, second, wheel_second)
            split += 1


@njit
def _all_cards(naturals: int, natural_count: int, suited: bool, size: int) -> int:
    """What all the cards form together: 0 nothing, 1 a straight, 2 a flush, 3 both."""
    different = 0
    lowest = _TOP_BIT[naturals]
    for rank in range(13):
        if naturals >> rank & 1:
            different += 1
            lowest = min(lowest, rank)
    in_a_row = _TOP_BIT[naturals] - lowest < size
    if naturals >> _ACE & 1:
        in_a_row = in_a_row or _TOP_BIT[naturals ^ 1 << _ACE] + 1 < size
    return (in_a_row and different == natural_count) + 2 * suited


@njit
def _find_costly(cards: Ints, scratch: Ints, wheel_second: bool) -> None:
    """Fill in the facts that look for straights and flushes."""
    scratch[_COSTLY_KNOWN] = 1
    for fact in range(_FIRST_COSTLY, ALL_CARDS + 1):
        scratch[fact] = 0
    size = len(cards)
    naturals = suits = joker = 0
    for card in cards:
        if card == _JOKER:
            joker = 1
        else:
            naturals |= 1 << (card >> 2)
            suits += 1 << 4 * (card & 3)
    longest_suit = max(suits & 15, suits >> 4 & 15, suits >> 8 & 15, suits >> 12)
    if max(longest_suit, _HELD_OF_STRAIGHT[naturals]) + joker < 5:
        return
    _lay_all(cards, scratch, wheel_second)
    one_rank_front = _front_of_ranks(scratch[FIRST_SET], scratch[FIRST_SET], size)
    categories = 0
    best_front = -1
    for split in range(6 if size == 6 else 21):
        category = 1 << (scratch[_VALUES + split] >> _CATEGORY)
        categories |= category
        if category & _COMPLETES:
            best_front = max(best_front, scratch[_FRONTS + split])
            if scratch[_FRONTS + split] == one_rank_front:
                scratch[SET_LEAVES_COMPLETE] = 1
    scratch[COMPLETE] = best_front >= 0
    if best_front >= 0 and scratch[FIRST_SINGLE + size - 6] != _NO_RANK:
        front = _front_of_ranks(scratch[FIRST_SINGLE], scratch[FIRST_SINGLE + 1], size)
        scratch[SINGLES_BEAT_COMPLETE] = front > best_front
    scratch[STRAIGHT_FLUSH] = categories & _STRAIGHT_FLUSHES != 0
    scratch[STRAIGHT_AND_FLUSH] = categories & _STRAIGHTS != 0 and categories & _FLUSHES != 0
    scratch[ALL_CARDS] = _all_cards(naturals, size - joker, longest_suit == size - joker, size)


@njit
def _holds(start: int, end: int, conditions: Ints, cards: Ints, scratch: Ints, wheel_second: bool) -> bool:
    """Whether the hand meets all conditions from one row to another."""
    for row in range(start, end):
        fact = conditions[row, 0]
        if fact >= _FIRST_COSTLY and not scratch[_COSTLY_KNOWN]:
            _find_costly(cards, scratch, wheel_second)
        if not conditions[row, 1] >> scratch[fact] & 1:
            return False
    return True


@njit
def _kept(keep: int, cards: Ints, scratch: Ints, wheel_second: bool) -> int:
    """The categories that a rule's `keep` allows in back, as a bit mask."""
    if keep == _KEEP_NOTHING:
        return (1 << 11) - 1
    if keep == _KEEP_COMPLETE:
        return _COMPLETES
    if keep == _KEEP_BEST:
        _lay_all(cards, scratch, wheel_second)
        best = 0
        for split in range(6 if len(cards) == 6 else 21):
            best = max(best, scratch[_VALUES + split] >> _CATEGORY)
        return 1 << best
    if not scratch[_COSTLY_KNOWN]:
        _find_costly(cards, scratch, wheel_second)
    return (0, _STRAIGHTS, _FLUSHES, _STRAIGHT_FLUSHES)[scratch[ALL_CARDS]]


@njit
def _carry_out(rule: Ints, cards: Ints, scratch: Ints, wheel_second: bool) -> int:
    """The preferred split as a sortable integer: front, high hand, joker low, smaller cards low; -1 if there is none."""
    size = len(cards)
    kept = _kept(rule[5], cards, scratch, wheel_second)
    highest = rule[3] == HIGHEST_FRONT
    wanted = -1
    if highest:
        _lay_all(cards, scratch, wheel_second)
    else:
        wanted = _front_of_ranks(scratch[rule[3]], scratch[rule[4]], size)
    best = split = -1
    for first in range(size):
        for second in range(first + size - 6, first + 1 if size == 6 else size):
            split += 1
            front = _front_value(cards, first, second)
            if not highest and front != wanted:
                continue
            if scratch[_SPLITS_KNOWN]:
                value = scratch[_VALUES + split]
            else:
                value = _back_value(cards, scratch, first, second, wheel_second)
            if kept >> (value >> _CATEGORY) & 1:
                # The cards descend, so a joker stands first.
                joker = cards[first] == _JOKER
                front = front << 1 | (joker and size == 6)
                low = (63 - cards[first]) << 6 | (63 - cards[second])
                best = max(best, front << 37 | value << 13 | joker << 12 | low)
    return best


@njit
def _front_of_ranks(one: int, other: int, size: int) -> int:
    """The low value of two ranks in any order; of a one-card low hand, the first alone; -1 if there is no such card."""
    if one == _NO_RANK or other == _NO_RANK and size == 7:
        return -1
    if size == 6:
        return one << 4
    return (one == other) << 8 | max(one, other) << 4 | min(one, other)


@njit
def set_cards(cards: Ints, scratch: Ints, questions: Ints, rules: Ints, conditions: Ints, wheel_second: bool) -> int:
    """Set one hand; the packed result holds status, question, rules, low cards and the value of the high hand."""
    _count_ranks(cards, scratch)
    question = 0
    while question < len(questions) and not _holds(
        questions[question, 0], questions[question, 1], conditions, cards, scratch, wheel_second
    ):
        question += 1
    if question == len(questions):
        return UNSET | NONE << QUESTION_SHIFT | NONE << RULE_SHIFT | NONE << OTHER_RULE_SHIFT
    found = other = otherwise = NONE
    for rule in range(questions[question, 2], questions[question, 3]):
        if rules[rule, 2]:
            otherwise = rule
        elif _holds(rules[rule, 0], rules[rule, 1], conditions, cards, scratch, wheel_second):
            if found == NONE:
                found = rule
            elif other == NONE:
                other = rule
    if found == NONE:
        found = otherwise
    packed = question << QUESTION_SHIFT | found << RULE_SHIFT | other << OTHER_RULE_SHIFT
    if found == NONE:
        return packed | UNSET
    if other != NONE:
        return packed | AMBIGUOUS
    split = _carry_out(rules[found], cards, scratch, wheel_second)
    if split < 0:
        return packed | IMPOSSIBLE
    return packed | _with_split(split, len(cards))


@njit
def _with_split(split: int, size: int) -> int:
    """The low cards, the value of the high hand and the status of a split, as part of the packed result."""
    first, second = 63 - (split >> 6 & 63), 63 - (split & 63)
    value = split >> 13 & 0xFFFFFF
    if size == 6:
        fouled = _is_fouled_six(value, _rank(first) << 4)
    else:
        high, low = _rank(first), _rank(second)
        fouled = _is_fouled_seven(value, (high == low) << 8 | high << 4 | low)
    return (FOULED if fouled else SET) | (first << 6 | second) << LOW_SHIFT | value << VALUE_SHIFT
