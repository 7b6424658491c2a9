"""What hands are worth and which names they fit on whole domains, by the reference and nothing but it.

Five cards are ranked by `reference.value_of_five`, one hand of every suit class. Six and seven cards are then worth,
by definition, the best of the fives in them, looked up for thousands of hands at once. None of the shipped ranking
tables is used here.
"""

from __future__ import annotations

from functools import cache
from itertools import chain, combinations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from houseway.ranking.hand_names import CATEGORY_SHIFT, HAND_NAMES, HIGH_NAMES, Category
from houseway.ranking.reference import (
    Ranking,
    names_fitted,
    names_of_categories,
    names_of_counts,
    rank_counts,
    value_of_five,
)
from houseway.ranking.suit_classes import SuitClasses, class_keys, suit_classes

Hands = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.int32]

_CHUNK = 1 << 16
_STRAIGHT_FLUSHES = 1 << Category.STRAIGHT_FLUSH | 1 << Category.ROYAL_FLUSH
# A hand's place among all hands of five: the binomials of its cards in ascending order, added up.
_PLACES = np.array([[comb(card, taken) for taken in range(1, 6)] for card in range(53)], dtype=np.int32)


class Expected(NamedTuple):
    """By the reference, one item a hand: the value, and the names as a mask over HAND_NAMES."""

    values: Numbers
    names: Numbers


@cache
def classes(size: int, ranking: Ranking) -> SuitClasses:
    return suit_classes(size, joker=ranking.joker)


def every_hand_of_five(ranking: Ranking) -> Hands:
    """All hands of five, cards ascending, at the places that `_PLACES` gives them."""
    deck = 53 if ranking.joker else 52
    flat = np.fromiter(chain.from_iterable(combinations(range(deck), 5)), np.uint8, comb(deck, 5) * 5)
    hands = flat.reshape(-1, 5)
    ordered = np.empty_like(hands)
    ordered[_places_of(hands)] = hands
    return ordered


@cache
def values_of_every_five(ranking: Ranking) -> Numbers:
    """The reference's value of every hand of five, found once for each suit class."""
    of_five = classes(5, ranking)
    values = np.array([value_of_five(hand, ranking) for hand in of_five.cards().tolist()], dtype=np.int32)
    return values[np.searchsorted(of_five.keys, class_keys(every_hand_of_five(ranking)))]


def expect(hands: Hands, ranking: Ranking) -> Expected:
    """What the reference says about hands of one size."""
    values = np.empty(len(hands), np.int32)
    categories = np.empty(len(hands), np.int32)
    for start in range(0, len(hands), _CHUNK):
        part = slice(start, start + _CHUNK)
        values[part], categories[part] = _over_all_fives(np.sort(hands[part], axis=1), ranking)
    return Expected(values, _names(hands, categories, ranking))


def _over_all_fives(hands: Hands, ranking: Ranking) -> tuple[Numbers, Numbers]:
    """The best value of any five in each hand, and the categories of all of them as bits."""
    of_five = values_of_every_five(ranking)
    best = np.zeros(len(hands), np.int32)
    categories = np.zeros(len(hands), np.int32)
    for chosen in combinations(range(hands.shape[1]), 5):
        values = of_five[_places_of(hands[:, chosen])]
        np.maximum(best, values, out=best)
        categories |= 1 << (values >> CATEGORY_SHIFT)
    return best, categories


def _places_of(hands: Hands) -> Numbers:
    places = np.zeros(len(hands), np.int32)
    for taken in range(5):
        places += _PLACES[hands[:, taken], taken]
    return places


def _names(hands: Hands, categories: Numbers, ranking: Ranking) -> Numbers:
    """The names fitted, asked from the reference once for each combination of rank counts and categories.

    Names that need all seven cards occur only with a straight flush: there the reference is asked about the very hand.
    """
    ranks = np.where(hands == 52, 12, hands >> 2).astype(np.int64)
    situation = (1 << 3 * ranks).sum(axis=1) << 11 | categories
    _, first, inverse = np.unique(situation, return_index=True, return_inverse=True)
    by_situation = [_mask_of(hands[row].tolist(), int(categories[row])) for row in first]
    names = np.array(by_situation, dtype=np.int32)[inverse]
    for row in np.flatnonzero(categories & _STRAIGHT_FLUSHES):
        names[row] = _mask(names_fitted(hands[row].tolist(), ranking))
    return names


def _mask_of(cards: list[int], categories: int) -> int:
    counts = rank_counts(cards)
    names = names_of_categories(number for number in range(11) if categories >> number & 1) | names_of_counts(counts)
    return _mask(names or frozenset({HIGH_NAMES[max(counts)]}))


def _mask(names: frozenset[str]) -> int:
    return sum(1 << HAND_NAMES.index(name) for name in names)
