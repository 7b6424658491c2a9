"""Hand names and the words for values."""

from __future__ import annotations

import pytest

from houseway.cards import parse_cards
from houseway.ranking.hand_names import (
    CATEGORY_NAMES,
    HAND_NAMES,
    HIGH_NAMES,
    Category,
    category_of,
    describe_low,
    describe_value,
    hand_title,
    name_of_low,
    name_of_value,
)
from houseway.ranking.reference import value_of_five, value_of_one, value_of_two


def test_the_list_of_names_is_closed_and_without_repetition() -> None:
    assert len(set(HAND_NAMES)) == len(HAND_NAMES) == 28
    assert set(CATEGORY_NAMES.values()) <= set(HAND_NAMES)
    assert set(HIGH_NAMES) <= set(HAND_NAMES)
    assert set(CATEGORY_NAMES) == set(Category) - {Category.HIGH_CARD}


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("full-house", "full house"),
        ("nine-high", "nine-high"),
        ("ten-high", "ten-high"),
        ("jack-high", "jack-high"),
        ("seven-card-straight-flush", "7 card straight flush"),
        ("royal-flush-royal-match", "royal flush + royal match"),
        ("pair-of-aces", "pair of aces"),
    ],
)
def test_titles(name: str, title: str) -> None:
    assert hand_title(name) == title


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("As Ad Ac Ah Jk", "five-aces", "five aces"),
        ("Ts Js Qs Ks As", "royal-flush", "royal flush"),
        ("5s 6s 7s 8s 9s", "straight-flush", "straight flush"),
        ("6s 6d 6c 6h 9s", "four-of-a-kind", "four sixes"),
        ("Ks Kd Kc 5h 5s", "full-house", "full house, kings over fives"),
        ("Ks Qs 9s 4s 2s", "flush", "king-high flush"),
        ("5s 6d 7s 8s 9s", "straight", "straight"),
        ("6s 6d 6c 4h 9s", "three-of-a-kind", "three sixes"),
        ("6s 6d Kc Kh 9s", "two-pair", "two pair, kings and sixes"),
        ("2s 2d Kc 4h 9s", "pair", "pair of twos"),
        ("Ts 2d 6c 4h 9s", "ten-high", "ten-high"),
    ],
)
def test_a_value_in_words(text: str, name: str, words: str) -> None:
    value = value_of_five(parse_cards(text))
    assert name_of_value(value) == name
    assert describe_value(value) == words
    assert CATEGORY_NAMES.get(category_of(value), name) == name


def test_a_low_value_in_words() -> None:
    pair, high, single = value_of_two(parse_cards("Kd Ks")), value_of_two(parse_cards("9c 4d")), value_of_one(52)
    assert [name_of_low(value) for value in (pair, high, single)] == ["pair", "nine-high", "ace-high"]
    assert [describe_low(value) for value in (pair, high, single)] == ["pair of kings", "nine-high", "ace-high"]
