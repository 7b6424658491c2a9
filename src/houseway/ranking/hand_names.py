"""The closed list of hand names, the categories of the five-card order, and how values and names belong together.

A value is an integer in which the higher wins: the category in bits 20 and up, then up to five ranks of four bits each,
most significant first (a straight holds its place among the straights instead of a rank). Two-card and one-card values
follow the same idea on a smaller scale. All of them are made by `houseway.ranking.reference`.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import Final


class Category(IntEnum):
    """What a five-card hand is, from the lowest to the highest; five aces exist only with a joker."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9
    FIVE_ACES = 10


CATEGORY_SHIFT: Final = 20
RANK_SHIFTS: Final = (16, 12, 8, 4, 0)

RANK_WORDS: Final = (
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
"""The ranks in words, from the deuce up."""
RANK_PLURALS: Final = tuple("sixes" if word == "six" else f"{word}s" for word in RANK_WORDS)

HIGH_NAMES: Final[tuple[str, ...]] = tuple(f"{word}-high" for word in RANK_WORDS)
"""The names of hands with less than a pair, by the rank of the top card (0 for a deuce)."""

CATEGORY_NAMES: Final[dict[Category, str]] = {
    Category.PAIR: "pair",
    Category.TWO_PAIR: "two-pair",
    Category.THREE_OF_A_KIND: "three-of-a-kind",
    Category.STRAIGHT: "straight",
    Category.FLUSH: "flush",
    Category.FULL_HOUSE: "full-house",
    Category.FOUR_OF_A_KIND: "four-of-a-kind",
    Category.STRAIGHT_FLUSH: "straight-flush",
    Category.ROYAL_FLUSH: "royal-flush",
    Category.FIVE_ACES: "five-aces",
}

SEVEN_CARD_STRAIGHT_FLUSH: Final = "seven-card-straight-flush"
ROYAL_FLUSH_ROYAL_MATCH: Final = "royal-flush-royal-match"
SEVEN_CARD_STRAIGHT_FLUSH_JOKER: Final = "seven-card-straight-flush-joker"
THREE_PAIR: Final = "three-pair"
PAIR_OF_ACES: Final = "pair-of-aces"

HAND_NAMES: Final[tuple[str, ...]] = (
    SEVEN_CARD_STRAIGHT_FLUSH,
    ROYAL_FLUSH_ROYAL_MATCH,
    SEVEN_CARD_STRAIGHT_FLUSH_JOKER,
    "five-aces",
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    THREE_PAIR,
    "two-pair",
    PAIR_OF_ACES,
    "pair",
    *reversed(HIGH_NAMES),
)
"""Every name that a pay table or an output may use; a name below seven-high occurs for low hands only."""

_PLACES: Final = {name: place for place, name in enumerate(HAND_NAMES)}


def place_of_name(name: str) -> int:
    """The place of a name from the best hand down; a name that a game has of its own stands before all others.

    >>> place_of_name("flush") < place_of_name("pair"), place_of_name("ace-of-spades")
    (True, -1)
    """
    return _PLACES.get(name, -1)


JOKER_COMPLETES: Final = frozenset(
    {
        SEVEN_CARD_STRAIGHT_FLUSH_JOKER,
        ROYAL_FLUSH_ROYAL_MATCH,
        "five-aces",
        "royal-flush",
        "straight-flush",
        "flush",
        "straight",
    }
)
"""The hands that a joker may complete where it is an ace in five aces only, and any card of a straight or flush."""


def names_with_joker(semi_wild: frozenset[str], natural: frozenset[str]) -> frozenset[str]:
    """The names of a hand with the joker where it is an ace in five aces only.

    `semi_wild` are the names with the joker as an ace anywhere, `natural` those of the other cards alone.

    >>> sorted(names_with_joker(frozenset({"four-of-a-kind", "flush"}), frozenset({"three-of-a-kind"})))
    ['flush', 'three-of-a-kind']
    """
    fitted = natural | (semi_wild & JOKER_COMPLETES)
    # A name of less than a pair never stands beside another.
    return fitted if len(fitted) == 1 else fitted.difference(HIGH_NAMES)


_TITLES: Final[dict[str, str]] = {
    SEVEN_CARD_STRAIGHT_FLUSH: "7 card straight flush",
    ROYAL_FLUSH_ROYAL_MATCH: "royal flush + royal match",
    SEVEN_CARD_STRAIGHT_FLUSH_JOKER: "7 card straight flush with joker",
    PAIR_OF_ACES: "pair of aces",
}


@cache
def hand_title(name: str) -> str:
    """A hand name in words: "full house", "nine-high"."""
    if name in _TITLES or name.endswith("-high"):
        return _TITLES.get(name, name)
    return name.replace("-", " ")


def category_of(value: int) -> Category:
    """The category of a five-card value."""
    return Category(value >> CATEGORY_SHIFT)


@cache
def name_of_value(value: int) -> str:
    """The hand name of a five-card value, e.g. "flush" or "king-high"."""
    category = value >> CATEGORY_SHIFT
    return CATEGORY_NAMES[Category(category)] if category else HIGH_NAMES[(value >> 16) & 15]


@cache
def describe_value(value: int) -> str:
    """A five-card value in words: "full house, kings over fives"."""
    category = Category(value >> CATEGORY_SHIFT)
    ranks = [(value >> shift) & 15 for shift in RANK_SHIFTS]
    first, second = ranks[0], ranks[1]
    match category:
        case Category.HIGH_CARD:
            return f"{RANK_WORDS[first]}-high"
        case Category.PAIR:
            return f"pair of {RANK_PLURALS[first]}"
        case Category.TWO_PAIR:
            return f"two pair, {RANK_PLURALS[first]} and {RANK_PLURALS[second]}"
        case Category.THREE_OF_A_KIND:
            return f"three {RANK_PLURALS[first]}"
        case Category.FULL_HOUSE:
            return f"full house, {RANK_PLURALS[first]} over {RANK_PLURALS[second]}"
        case Category.FOUR_OF_A_KIND:
            return f"four {RANK_PLURALS[first]}"
        case Category.FLUSH:
            return f"{RANK_WORDS[first]}-high flush"
        case _:
            return hand_title(CATEGORY_NAMES[category])


def name_of_low(value: int) -> str:
    """The hand name of a two-card or one-card low value: "pair" or "nine-high"."""
    return "pair" if value >> 8 else HIGH_NAMES[(value >> 4) & 15]


def describe_low(value: int) -> str:
    """A low value in words: "pair of kings", "nine-high"."""
    rank = (value >> 4) & 15
    return f"pair of {RANK_PLURALS[rank]}" if value >> 8 else f"{RANK_WORDS[rank]}-high"
