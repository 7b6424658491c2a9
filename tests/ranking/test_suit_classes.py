"""Suit classes: their number, their weights, and that every hand finds its own."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("numba")
import numpy as np

from houseway.ranking.suit_classes import JOKER_KEY_BIT, MASK_BITS, SUIT_MASK, class_keys, class_weight, suit_classes

pytestmark = pytest.mark.kernels

NUMBER_OF_CLASSES = {0: 1, 1: 14, 2: 182, 3: 1_924, 4: 18_187, 5: 150_891, 6: 1_097_447, 7: 6_972_147}


@pytest.mark.parametrize(("size", "number"), NUMBER_OF_CLASSES.items())
def test_number_of_classes_and_sum_of_weights(size: int, number: int) -> None:
    classes = suit_classes(size)
    assert len(classes) == number
    assert classes.weights.sum(dtype=np.int64) == comb(53, size)
    assert (classes.keys >= JOKER_KEY_BIT).sum() == (len(suit_classes(size - 1, joker=False)) if size else 0)
    assert (np.diff(classes.keys) > 0).all()


@pytest.mark.parametrize("size", range(8))
def test_without_the_joker_the_weights_fill_the_deck_of_52(size: int) -> None:
    classes = suit_classes(size, joker=False)
    assert classes.weights.sum(dtype=np.int64) == comb(52, size)
    assert not (classes.keys >= JOKER_KEY_BIT).any()


@pytest.mark.parametrize("size", [1, 2, 3])
def test_each_class_has_as_many_hands_as_its_weight_says(size: int) -> None:
    hands = np.array(list(combinations(range(53), size)), dtype=np.uint8)
    keys, counts = np.unique(class_keys(hands), return_counts=True)
    classes = suit_classes(size)
    assert np.array_equal(keys, classes.keys)
    assert np.array_equal(counts, classes.weights)


@pytest.mark.parametrize("size", range(1, 7))
def test_canonical_hands_have_their_suits_in_order(size: int) -> None:
    classes = suit_classes(size)
    masks = (classes.keys[:, np.newaxis] >> np.arange(4) * MASK_BITS) & SUIT_MASK
    assert (np.diff(masks, axis=1) >= 0).all()
    cards = classes.cards()
    assert (np.diff(cards.astype(np.int64), axis=1) < 0).all(), "cards run downwards"
    assert np.array_equal(class_keys(cards), classes.keys)
    assert np.array_equal(cards[:, 0] == 52, (classes.keys >= JOKER_KEY_BIT))
    for suit in range(4):
        in_suit = (cards & 3 == suit) & (cards != 52)
        assert np.array_equal(np.where(in_suit, 1 << (cards >> 2).astype(np.int64), 0).sum(axis=1), masks[:, suit])


@given(st.lists(st.integers(0, 52), min_size=1, max_size=7, unique=True))
def test_renaming_suits_keeps_the_class(cards: list[int]) -> None:
    renamed = {
        tuple(sorted(card if card == 52 else card & ~3 | suits[card & 3] for card in cards))
        for suits in permutations(range(4))
    }
    keys = set(class_keys(np.array(sorted(renamed), dtype=np.uint8)).tolist())
    assert len(keys) == 1
    key = keys.pop()
    assert class_weight(key) == len(renamed)
    assert bool(key & JOKER_KEY_BIT) == (52 in cards)
    classes = suit_classes(min(len(cards), 5)) if len(cards) <= 5 else None
    if classes is not None:
        assert classes.keys[np.searchsorted(classes.keys, key)] == key
