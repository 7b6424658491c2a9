"""Hands that differ only by the names of their suits, taken together: one canonical hand a class, with its weight.

A hand is canonical when its four suit masks are in order: the clubs' the smallest, the spades' the largest. Its weight
is 24 over the symmetries that fix it, the number of hands it stands for. Rankings, house ways and pay tables never ask
which suit it is, so the 6,972,147 classes of seven cards answer for all 154,143,080 hands.

A class key packs the ordered masks, thirteen bits each with the spades' on top, and the joker above them all. Keys come
in ascending order: to find the class of a hand, search for its key.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from houseway.ranking.jit import njit
from houseway.ranking.rank_kernels import CARD_MASKS, Hands
from houseway.ranking.rank_tables import JOKER_BIT, LANE_BITS
from houseway.ranking.reference import JOKER_INDEX

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)
import numpy.typing as npt  # isort: skip

Keys: TypeAlias = npt.NDArray[np.int64]

MASK_BITS: Final = 13
SUIT_MASK: Final = (1 << MASK_BITS) - 1
JOKER_KEY_BIT: Final = 1 << 4 * MASK_BITS
MOST_CARDS: Final = 7


@dataclass(frozen=True, slots=True)
class SuitClasses:
    """All classes of one hand size: the keys in ascending order and, at the same places, the weights."""

    size: int
    keys: Keys
    weights: npt.NDArray[np.uint8]

    def __len__(self) -> int:
        """The number of classes."""
        return len(self.keys)

    def cards(self) -> Hands:
        """The cards of each canonical hand, one hand a row, in the order of output: downwards, the joker first."""
        hands = np.empty((len(self.keys), self.size), np.uint8)
        _spell_out(self.keys, hands)
        return hands


def suit_classes(size: int, joker: bool = True) -> SuitClasses:
    """All classes of hands of that many cards, from the deck with the joker or without.

    >>> classes = suit_classes(2)
    >>> len(classes.keys), int(classes.weights.sum())
    (182, 1378)
    """
    assert 0 <= size <= MOST_CARDS
    parts = [(size, 0)] + ([(size - 1, JOKER_KEY_BIT)] if joker and size else [])
    counts = [_fill_classes(naturals, bit, np.empty(0, np.int64), np.empty(0, np.uint8)) for naturals, bit in parts]
    keys, weights = np.empty(sum(counts), np.int64), np.empty(sum(counts), np.uint8)
    start = 0
    for (naturals, bit), count in zip(parts, counts, strict=True):
        _fill_classes(naturals, bit, keys[start : start + count], weights[start : start + count])
        start += count
    return SuitClasses(size, keys, weights)


def class_keys(hands: Hands) -> Keys:
    """The class key of each hand, one hand a row."""
    keys = np.empty(len(hands), np.int64)
    _find_keys(hands, keys)
    return keys


@njit
def class_key(masks: int) -> int:
    """The class key of a hand from its joined card masks."""
    a, b = masks & SUIT_MASK, masks >> LANE_BITS & SUIT_MASK
    c, d = masks >> 2 * LANE_BITS & SUIT_MASK, masks >> 3 * LANE_BITS & SUIT_MASK
    # A sorting network for four: order within two pairs, then the ends, then the middle.
    a, b = min(a, b), max(a, b)
    c, d = min(c, d), max(c, d)
    a, c = min(a, c), max(a, c)
    b, d = min(b, d), max(b, d)
    b, c = min(b, c), max(b, c)
    key = a | b << MASK_BITS | c << 2 * MASK_BITS | d << 3 * MASK_BITS
    return key | JOKER_KEY_BIT if masks & JOKER_BIT else key


@njit
def class_weight(key: int) -> int:
    """How many hands the class of that key stands for: the different orders of its four suit masks."""
    a, b = key & SUIT_MASK, key >> MASK_BITS & SUIT_MASK
    c, d = key >> 2 * MASK_BITS & SUIT_MASK, key >> 3 * MASK_BITS & SUIT_MASK
    orders, run = 24, 1
    for equal in (a == b, b == c, c == d):
        run = run + 1 if equal else 1
        # Equal masks in a run of n make n! orders one; dividing step by step as the run grows.
        orders //= run
    return orders


@njit
def _masks_by_cards() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Suit masks in ascending order, those with at most and those with exactly each number of cards; -1 ends a list."""
    at_most = np.full((MOST_CARDS + 1, SUIT_MASK + 2), -1, np.int64)
    exactly = np.full((MOST_CARDS + 1, SUIT_MASK + 2), -1, np.int64)
    filled_at_most = np.zeros(MOST_CARDS + 1, np.int64)
    filled_exactly = np.zeros(MOST_CARDS + 1, np.int64)
    for mask in range(SUIT_MASK + 1):
        cards = _card_count(mask)
        if cards <= MOST_CARDS:
            exactly[cards, filled_exactly[cards]] = mask
            filled_exactly[cards] += 1
        for limit in range(cards, MOST_CARDS + 1):
            at_most[limit, filled_at_most[limit]] = mask
            filled_at_most[limit] += 1
    return at_most, exactly


@njit
def _card_count(mask: int) -> int:
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@njit
def _fill_classes(naturals: int, joker_bit: int, keys: Keys, weights: npt.NDArray[np.uint8]) -> int:
    """Write the classes of that many cards beside the joker as far as there is room, and return their number."""
    at_most, exactly = _masks_by_cards()
    found = 0
    for spades in at_most[naturals]:
        if spades < 0:
            break
        left_for_hearts = naturals - _card_count(spades)
        for hearts in at_most[left_for_hearts]:
            if hearts < 0 or hearts > spades:
                break
            left_for_diamonds = left_for_hearts - _card_count(hearts)
            for diamonds in at_most[left_for_diamonds]:
                if diamonds < 0 or diamonds > hearts:
                    break
                upper = spades << 3 * MASK_BITS | hearts << 2 * MASK_BITS | diamonds << MASK_BITS | joker_bit
                for clubs in exactly[left_for_diamonds - _card_count(diamonds)]:
                    if clubs < 0 or clubs > diamonds:
                        break
                    if found < len(keys):
                        keys[found] = upper | clubs
                        weights[found] = class_weight(upper | clubs)
                    found += 1
    return found


@njit
def _spell_out(keys: Keys, hands: Hands) -> None:
    for row in range(len(keys)):
        key = keys[row]
        place = 0
        if key & JOKER_KEY_BIT:
            hands[row, 0] = JOKER_INDEX
            place = 1
        for card in range(JOKER_INDEX - 1, -1, -1):
            if key >> (card & 3) * MASK_BITS + (card >> 2) & 1:
                hands[row, place] = card
                place += 1


@njit
def _find_keys(hands: Hands, keys: Keys) -> None:
    for row in range(len(hands)):
        masks = 0
        for place in range(hands.shape[1]):
            masks |= CARD_MASKS[hands[row, place]]
        keys[row] = class_key(masks)
