"""The compiled interpreter of house ways: the same answers as `interpret`, some ten million hands a second.

A hand is packed into one integer, six bits a card, the highest card in the lowest bits. Its facts are packed into
another, four bits each, in the order of `facts.FACTS`. Every split is looked at only when the cards hold a straight or
flush at all. The result is one packed integer too: see the shifts below.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from houseway.houseways.facts import FACT_INDEX, NO_RANK
from houseway.houseways.fouls import is_fouled_seven, is_fouled_six
from houseway.houseways.program import (
    CONDITION_LENGTH,
    CONDITIONS_AT,
    HIGHEST_FRONT,
    KEEP_BEST,
    KEEP_COMPLETE,
    KEEP_NOTHING,
    QUESTION_COUNT,
    QUESTION_LENGTH,
    QUESTIONS_AT,
    RULE_LENGTH,
    RULES_AT,
    program_of,
)
from houseway.houseways.way import HouseWay
from houseway.ranking.fast import mask_of_names
from houseway.ranking.hand_names import CATEGORY_SHIFT, Category
from houseway.ranking.jit import njit
from houseway.ranking.rank_kernels import CARD_KEYS, CARD_MASKS, names_of_sums, value_of_sums

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)
import numpy.typing as npt  # isort: skip

Ints = npt.NDArray[np.int64]

CARD_BITS: Final = 6
CARD_MASK: Final = 63
_FACT_BITS: Final = 4
_FACT_MASK: Final = 15
# Facts by number.
_FIRST_SET: Final = FACT_INDEX["top-set"]
_FIRST_SINGLE: Final = FACT_INDEX["top-single"]
_FIRST_COSTLY: Final = FACT_INDEX["complete"]
_COMPLETE: Final = FACT_INDEX["complete"]
_SET_LEAVES_COMPLETE: Final = FACT_INDEX["set-leaves-complete"]
_SINGLES_BEAT_COMPLETE: Final = FACT_INDEX["singles-beat-complete"]
_STRAIGHT_FLUSH: Final = FACT_INDEX["straight-flush"]
_STRAIGHT_AND_FLUSH: Final = FACT_INDEX["straight-and-flush"]
_ALL_CARDS: Final = FACT_INDEX["all-cards"]
_NO_RANKS: Final = sum(NO_RANK << _FACT_BITS * fact for fact in range(_FIRST_SET, _FIRST_COSTLY))

_JOKER: Final = 52
_ACE: Final = 12
_STRAIGHTS: Final = 1 << Category.STRAIGHT
_STRAIGHT_FLUSHES: Final = 1 << Category.STRAIGHT_FLUSH | 1 << Category.ROYAL_FLUSH
_FLUSHES: Final = 1 << Category.FLUSH | _STRAIGHT_FLUSHES
_COMPLETES: Final = _STRAIGHTS | _FLUSHES
_ALL_CATEGORIES: Final = (2 << Category.FIVE_ACES) - 1
_STRAIGHT_OR_FLUSH_NAMES: Final = mask_of_names(frozenset({"straight", "flush"}))

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

_is_fouled_six = njit(is_fouled_six)
_is_fouled_seven = njit(is_fouled_seven)
_TOP_BIT: Final = np.array([max(ranks.bit_length() - 1, 0) for ranks in range(1 << 13)], dtype=np.int8)
"""The highest rank in every set of ranks given as 13 bits."""


def program_array(way: HouseWay) -> Ints:
    """The program of a way as the kernels take it."""
    return np.array(program_of(way), dtype=np.int64)


def pack_hand(cards: Iterable[int]) -> int:
    """The cards, in any order, as one integer."""
    hand = 0
    for card in sorted(cards):
        hand = hand << CARD_BITS | card
    return hand


def unpack_hand(hand: int, size: int) -> tuple[int, ...]:
    """The cards of a packed hand, highest first."""
    return tuple(int(hand) >> CARD_BITS * place & CARD_MASK for place in range(size))


@njit
def _card(hand: int, place: int) -> int:
    """The card at a place of a packed hand; the joker, if there is one, at place 0."""
    return hand >> CARD_BITS * place & CARD_MASK


@njit
def _rank(hand: int, place: int) -> int:
    """The rank of the card at a place; the joker counts as an ace."""
    return min((hand >> CARD_BITS * place & CARD_MASK) >> 2, _ACE)


@njit
def _sums(hand: int, size: int) -> tuple[int, int]:
    """The added keys and joined masks of all the cards, for ranking."""
    key = masks = 0
    for place in range(size):
        key += CARD_KEYS[_card(hand, place)]
        masks |= CARD_MASKS[_card(hand, place)]
    return key, masks


@njit
def _shape(twice: int, thrice: int, four: int, five: int) -> int:
    """The place in `facts.SHAPES` from the ranks held at least twice, three times and so on."""
    if four:
        return 8 if five else 7
    if thrice:
        if thrice & (thrice - 1):
            return 6
        return 5 if twice & (twice - 1) else 4
    pairs = 0
    while twice:
        twice &= twice - 1
        pairs += 1
    return pairs


@njit
def _rank_facts(hand: int, size: int) -> int:
    """The facts that need ranks only: the shape, the sets and the singles."""
    once = twice = thrice = four = five = 0
    for place in range(size):
        bit = 1 << _rank(hand, place)
        five |= four & bit
        four |= thrice & bit
        thrice |= twice & bit
        twice |= once & bit
        once |= bit
    facts = _NO_RANKS | _shape(twice, thrice, four, five)
    shift = _FACT_BITS * _FIRST_SET
    for ranks in (five, four & ~five, thrice & ~four, twice & ~thrice):
        group = ranks
        while group:
            # Exclusive-or with NO_RANK, which stands there, leaves the rank.
            facts ^= (_TOP_BIT[group] ^ NO_RANK) << shift
            group ^= 1 << _TOP_BIT[group]
            shift += _FACT_BITS
    shift = _FACT_BITS * _FIRST_SINGLE
    group = once & ~twice
    while group and shift < _FACT_BITS * _FIRST_COSTLY:
        facts ^= (_TOP_BIT[group] ^ NO_RANK) << shift
        group ^= 1 << _TOP_BIT[group]
        shift += _FACT_BITS
    return facts


@njit
def _fact(facts: int, fact: int) -> int:
    """One fact out of the packed facts."""
    return facts >> _FACT_BITS * fact & _FACT_MASK


@njit
def _back_value(hand: int, key: int, masks: int, first: int, second: int, wheel: int) -> int:
    """The value of the five cards that are left when two places (or one, given twice) go in front."""
    key -= CARD_KEYS[_card(hand, first)]
    masks ^= CARD_MASKS[_card(hand, first)]
    if first != second:
        key -= CARD_KEYS[_card(hand, second)]
        masks ^= CARD_MASKS[_card(hand, second)]
    return value_of_sums(key, masks, wheel)


@njit
def _front(one: int, other: int, size: int) -> int:
    """The low value of two ranks in any order; of a one-card low hand, of the first alone; -1 if a rank is none."""
    if size == 6:
        return one << 4 if one != NO_RANK else -1
    if one == NO_RANK or other == NO_RANK:
        return -1
    return (one == other) << 8 | max(one, other) << 4 | min(one, other)


@njit
def _all_cards(hand: int, size: int) -> int:
    """What all the cards form together: 0 nothing, 1 a straight, 2 a flush, 3 both."""
    naturals = 0
    suited = different = True
    lowest = _card(hand, size - 1)
    for place in range(_card(hand, 0) == _JOKER, size):
        card = _card(hand, place)
        different = different and not naturals >> (card >> 2) & 1
        naturals |= 1 << (card >> 2)
        suited = suited and card & 3 == lowest & 3
    in_a_row = _TOP_BIT[naturals] - (lowest >> 2) < size
    if naturals >> _ACE & 1:
        in_a_row = in_a_row or _TOP_BIT[naturals ^ 1 << _ACE] + 1 < size
    return (in_a_row and different) + 2 * suited


@njit
def _costly_facts(hand: int, size: int, key: int, masks: int, facts: int, wheel: int) -> int:
    """The facts that look for straights and flushes, in their places among the packed facts."""
    if not names_of_sums(key, masks) & _STRAIGHT_OR_FLUSH_NAMES:
        return 0
    front_of_set = _front(_fact(facts, _FIRST_SET), _fact(facts, _FIRST_SET), size)
    front_of_singles = _front(_fact(facts, _FIRST_SINGLE), _fact(facts, _FIRST_SINGLE + 1), size)
    categories = 0
    best_front = -1
    set_leaves_complete = 0
    for first in range(size):
        for second in range(first + size - 6, first + 1 if size == 6 else size):
            category = 1 << (_back_value(hand, key, masks, first, second, wheel) >> CATEGORY_SHIFT)
            categories |= category
            if category & _COMPLETES:
                front = _front(_rank(hand, first), _rank(hand, second), size)
                best_front = max(best_front, front)
                set_leaves_complete |= front == front_of_set
    straight_and_flush = categories & _STRAIGHTS != 0 and categories & _FLUSHES != 0
    return (
        1 << _FACT_BITS * _COMPLETE
        | set_leaves_complete << _FACT_BITS * _SET_LEAVES_COMPLETE
        | (front_of_singles > best_front) << _FACT_BITS * _SINGLES_BEAT_COMPLETE
        | (categories & _STRAIGHT_FLUSHES != 0) << _FACT_BITS * _STRAIGHT_FLUSH
        | straight_and_flush << _FACT_BITS * _STRAIGHT_AND_FLUSH
        | _all_cards(hand, size) << _FACT_BITS * _ALL_CARDS
    )


@njit
def _kept(keep: int, hand: int, size: int, key: int, masks: int, wheel: int) -> int:
    """The categories that a rule's `keep` allows in back, as a bit mask."""
    if keep == KEEP_NOTHING:
        return _ALL_CATEGORIES
    if keep == KEEP_COMPLETE:
        return _COMPLETES
    if keep == KEEP_BEST:
        # The best five of all the cards are the back of one of the splits.
        return 1 << (value_of_sums(key, masks, wheel) >> CATEGORY_SHIFT)
    return (0, _STRAIGHTS, _FLUSHES, _STRAIGHT_FLUSHES)[_all_cards(hand, size)]


@njit
def _preference(hand: int, size: int, first: int, second: int, front: int, value: int) -> int:
    """A split as an integer, the preferred higher: by front, high hand, joker in front, smaller cards in front."""
    joker = _card(hand, 0) == _JOKER and first == 0
    alone = joker and size == 6
    low = (CARD_MASK - _card(hand, first)) << CARD_BITS | (CARD_MASK - _card(hand, second))
    return (front << 1 | alone) << 37 | value << 13 | joker << 12 | low


@njit
def _highest_front(hand: int, size: int, key: int, masks: int, kept: int, wheel: int) -> int:
    """The preferred of all splits that leave a kept category; -1 if there is none."""
    best = -1
    for first in range(size):
        for second in range(first + size - 6, first + 1 if size == 6 else size):
            value = _back_value(hand, key, masks, first, second, wheel)
            if kept >> (value >> CATEGORY_SHIFT) & 1:
                front = _front(_rank(hand, first), _rank(hand, second), size)
                best = max(best, _preference(hand, size, first, second, front, value))
    return best


@njit
def _front_of_places(hand: int, size: int, key: int, masks: int, kept: int, high: int, low: int, wheel: int) -> int:
    """The preferred of the splits with these two ranks in front, in this order; -1 if there is none."""
    best = -1
    for first in range(size):
        if _rank(hand, first) == high:
            for second in range(first + size - 6, first + 1 if size == 6 else size):
                if _rank(hand, second) == low:
                    value = _back_value(hand, key, masks, first, second, wheel)
                    if kept >> (value >> CATEGORY_SHIFT) & 1:
                        best = max(best, _preference(hand, size, first, second, 0, value))
    return best


@njit
def _with_split(split: int, size: int) -> int:
    """The low cards, the value of the high hand and the status of a preferred split, as part of the packed result."""
    low = ~split & (1 << 2 * CARD_BITS) - 1
    high_rank, low_rank = min(low >> CARD_BITS + 2, _ACE), min((low & CARD_MASK) >> 2, _ACE)
    value = split >> 13 & 0xFFFFFF
    if size == 6:
        fouled = _is_fouled_six(value, high_rank << 4)
    else:
        fouled = _is_fouled_seven(value, _front(high_rank, low_rank, size))
    return (FOULED if fouled else SET) | low << LOW_SHIFT | value << VALUE_SHIFT


@njit
def _carry_out(rule: int, hand: int, size: int, key: int, masks: int, facts: int, program: Ints, wheel: int) -> int:
    """The split that the rule in this row of the program prefers; -1 if the hand has no such cards."""
    kept = _kept(program[rule + 5], hand, size, key, masks, wheel)
    if program[rule + 3] == HIGHEST_FRONT:
        return _highest_front(hand, size, key, masks, kept, wheel)
    one, other = _fact(facts, program[rule + 3]), _fact(facts, program[rule + 4])
    if one == NO_RANK or other == NO_RANK:
        return -1
    return _front_of_places(hand, size, key, masks, kept, max(one, other), min(one, other), wheel)


@njit
def _meets(start: int, end: int, facts: int, program: Ints) -> bool:
    """Whether a hand meets the conditions from one to another."""
    for condition in range(start, end):
        place = program[CONDITIONS_AT] + CONDITION_LENGTH * condition
        if not program[place + 1] >> _fact(facts, program[place]) & 1:
            return False
    return True


@njit
def set_hand(hand: int, size: int, program: Ints, wheel: int) -> int:
    """Set one packed hand; the result holds status, question, rules, low cards and the value of the high hand."""
    key, masks = _sums(hand, size)
    facts = _rank_facts(hand, size)
    facts |= _costly_facts(hand, size, key, masks, facts, wheel)
    question = 0
    row = QUESTIONS_AT
    while question < program[QUESTION_COUNT] and not _meets(program[row], program[row + 1], facts, program):
        question += 1
        row += QUESTION_LENGTH
    if question == program[QUESTION_COUNT]:
        return UNSET | NONE << QUESTION_SHIFT | NONE << RULE_SHIFT | NONE << OTHER_RULE_SHIFT
    found = other = otherwise = NONE
    for rule in range(program[row + 2], program[row + 3]):
        place = program[RULES_AT] + RULE_LENGTH * rule
        if program[place + 2]:
            otherwise = rule
        elif _meets(program[place], program[place + 1], facts, program):
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
    split = _carry_out(program[RULES_AT] + RULE_LENGTH * found, hand, size, key, masks, facts, program, wheel)
    return packed | (IMPOSSIBLE if split < 0 else _with_split(split, size))
