"""Hands named in words, as a rule sheet names them, and the values that they have.

A span is every hand between two values: `nine-high`, `pair of eights or better`, `less than a pair`. The same words
mean one thing for five cards and another for a low hand of two cards or one, so a span is read for a number of cards.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, pairwise
from typing import Final

from houseway.ranking.hand_names import CATEGORY_NAMES, CATEGORY_SHIFT, RANK_PLURALS, RANK_SHIFTS, RANK_WORDS, Category

OR_BETTER: Final = " or better"
LESS_THAN: Final = "less than "
_TOP_OF_FIVE: Final = (max(Category) + 1) << CATEGORY_SHIFT
_PAIR_BIT: Final = 1 << 8
_TOP_OF_LOW: Final = _PAIR_BIT << 1
_CATEGORIES: Final = {name.replace("-", " "): category for category, name in CATEGORY_NAMES.items()}
_RANK: Final = {word: rank for rank, word in enumerate(RANK_WORDS)}
_PLURAL: Final = {word: rank for rank, word in enumerate(RANK_PLURALS)}
_OF_A_RANK: Final = (
    (re.compile(r"(?:a )?pair of (\w+)"), Category.PAIR),
    (re.compile(r"two pair, (\w+)"), Category.TWO_PAIR),
    (re.compile(r"three (\w+)"), Category.THREE_OF_A_KIND),
    (re.compile(r"four (\w+)"), Category.FOUR_OF_A_KIND),
)


@dataclass(frozen=True, slots=True)
class HandSpan:
    """The hands of one kind: their values, from `start` to before `stop`.

    >>> eights = span_of("pair of eights or better")
    >>> span_of("pair of nines").start in eights, span_of("ace-king").start in eights
    (True, False)
    """

    text: str
    start: int
    stop: int

    def __contains__(self, value: int) -> bool:
        """Whether a hand of that value is one of them."""
        return self.start <= value < self.stop

    @property
    def is_open_above(self) -> bool:
        """Whether every better hand is among them: then a least hand says all."""
        return self.stop in (_TOP_OF_FIVE, _TOP_OF_LOW)


@cache
def span_of(text: str, cards: int = 5) -> HandSpan:
    """The span of hands that a text names, for hands of five cards, or of two or one; ValueError if it names none.

    >>> span_of("nine-high", 2)
    HandSpan(text='nine-high', start=112, stop=128)
    """
    top = _TOP_OF_FIVE if cards == 5 else _TOP_OF_LOW
    if text.startswith(LESS_THAN):
        return HandSpan(text, 0, _kind(text.removeprefix(LESS_THAN).removeprefix("a "), cards)[0])
    start, stop = _kind(text.removesuffix(OR_BETTER), cards)
    return HandSpan(text, start, top if text.endswith(OR_BETTER) else stop)


def _kind(text: str, cards: int) -> tuple[int, int]:
    """The first value of the hands of a kind, and the first above them."""
    return _kind_of_five(text) if cards == 5 else _kind_of_low(text, cards)


def _kind_of_five(text: str) -> tuple[int, int]:
    if text in _CATEGORIES:
        category = _CATEGORIES[text]
        return category << CATEGORY_SHIFT, (category + 1) << CATEGORY_SHIFT
    for pattern, category in _OF_A_RANK:
        found = pattern.fullmatch(text)
        if found and found.group(1) in _PLURAL:
            start = (category << CATEGORY_SHIFT) + (_PLURAL[found.group(1)] << RANK_SHIFTS[0])
            return start, start + (1 << RANK_SHIFTS[0])
    ranks = _ranks(text)
    start = sum(rank << shift for rank, shift in zip(ranks, RANK_SHIFTS, strict=False))
    return start, start + (1 << RANK_SHIFTS[len(ranks) - 1])


def _kind_of_low(text: str, cards: int) -> tuple[int, int]:
    if cards == 2:
        if text == "pair":
            return _PAIR_BIT, _TOP_OF_LOW
        found = _OF_A_RANK[0][0].fullmatch(text)
        if found and found.group(1) in _PLURAL:
            rank = _PLURAL[found.group(1)]
            start = _PAIR_BIT | rank << 4 | rank
            return start, start + 1
    ranks = _ranks(text)
    if len(ranks) > cards:
        raise ValueError(text)
    start = sum(rank << shift for rank, shift in zip(ranks, (4, 0), strict=False))
    return start, start + (1 << (4, 0)[len(ranks) - 1])


def _ranks(text: str) -> list[int]:
    """The ranks of a hand of less than a pair, by its top cards: `nine-high`, `ace-king`."""
    words = text.removesuffix("-high").split("-")
    if len(words) > len(RANK_SHIFTS) or not all(word in _RANK for word in words):
        raise ValueError(text)
    ranks = [_RANK[word] for word in words]
    if any(after >= before for before, after in pairwise(ranks)):
        raise ValueError(text)
    return ranks


@cache
def low_values(cards: int) -> tuple[int, ...]:
    """The values of all low hands of one or two cards, ascending: a low hand's rank is its place here."""
    if cards == 1:
        return tuple(rank << 4 for rank in range(len(RANK_WORDS)))
    pairs = combinations_with_replacement(range(len(RANK_WORDS)), 2)
    return tuple(sorted((high == low) << 8 | high << 4 | low for low, high in pairs))


def low_ranks_of(span: HandSpan, cards: int) -> range:
    """The ranks, among all low hands, of those in a span.

    >>> low_ranks_of(span_of("nine-high", 2), 2), low_ranks_of(span_of("pair", 2), 2)
    (range(21, 28), range(78, 91))
    """
    places = [place for place, value in enumerate(low_values(cards)) if value in span]
    return range(places[0], places[-1] + 1) if places else range(0)
