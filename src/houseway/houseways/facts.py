"""What a house way may ask about a hand, and the readable answer to each question.

The list of facts is closed: a way's conditions name a fact and the values that it may have, nothing else. Every value
is a small integer, so a condition is a bit mask over values and compiled kernels read the same conditions. The joker
counts as an ace wherever ranks are counted. Facts are worked out only when a condition asks for them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final, Literal

from houseway.cards.card import ACE, RANK_LETTERS
from houseway.ranking.hand_names import CATEGORY_SHIFT, Category
from houseway.ranking.reference import JOKER_INDEX, Ranking, value_of_one, value_of_two

ValueOf = Callable[[Sequence[int], Ranking], int]
"""Gives the value of five cards under a ranking; the reference and the table look-up both fit."""

NO_RANK: Final = 13
"""The value of a rank fact when the hand has no such card."""

RANK_VALUES: Final[tuple[str, ...]] = tuple("10" if letter == "T" else letter for letter in RANK_LETTERS)
SHAPES: Final[tuple[str, ...]] = (
    "no-pair",
    "pair",
    "two-pair",
    "three-pair",
    "trips",
    "full-house",
    "two-trips",
    "quads",
    "five-aces",
)
RUNS: Final[tuple[str, ...]] = ("none", "straight", "flush", "straight-flush")

STRAIGHT_FLUSHES: Final = frozenset({Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH})
FLUSHES: Final = STRAIGHT_FLUSHES | {Category.FLUSH}
COMPLETE: Final = FLUSHES | {Category.STRAIGHT}
"""The categories that the house ways call a complete hand."""


@dataclass(frozen=True, slots=True)
class FrontAndBack:
    """One way to lay the cards, before any rule has been asked."""

    low: tuple[int, ...]
    low_value: int
    high_value: int

    @property
    def category(self) -> int:
        """The category of the high hand."""
        return self.high_value >> CATEGORY_SHIFT


class HandFacts:
    """The facts of one hand under one ranking; each is worked out once, when it is first asked for."""

    def __init__(self, cards: Sequence[int], ranking: Ranking, value_of: ValueOf) -> None:
        """Count the ranks of six or seven cards."""
        self.cards = tuple(sorted(cards, reverse=True))
        self.low_cards = len(self.cards) - 5
        self._ranking = ranking
        self._value_of = value_of
        counts = [0] * 13
        for card in self.cards:
            counts[ACE if card == JOKER_INDEX else card >> 2] += 1
        held = sorted(((count, rank) for rank, count in enumerate(counts) if count), reverse=True)
        self.sets = [rank for count, rank in held if count > 1]
        self.singles = [rank for count, rank in held if count == 1]
        self._sizes = [count for count, _ in held]

    @cached_property
    def shape(self) -> int:
        """The place in SHAPES of the hand's sets of equal ranks."""
        first, second = self._sizes[0], self._sizes[1]
        if first >= 4:
            return SHAPES.index("quads" if first == 4 else "five-aces")
        if first == 3:
            return SHAPES.index({3: "two-trips", 2: "full-house"}.get(second, "trips"))
        return len(self.sets)

    @cached_property
    def splits(self) -> tuple[FrontAndBack, ...]:
        """Every way to take the low hand out of the cards: 6 of six cards, 21 of seven."""
        return tuple(self.lay(low) for low in combinations(self.cards, self.low_cards))

    def lay(self, low: tuple[int, ...]) -> FrontAndBack:
        """The split that puts these cards in front."""
        high = [card for card in self.cards if card not in low]
        low_value = value_of_two(low) if self.low_cards == 2 else value_of_one(low[0])
        return FrontAndBack(low, low_value, self._value_of(high, self._ranking))

    @cached_property
    def categories(self) -> frozenset[int]:
        """The categories of the high hands of all splits."""
        return frozenset(split.category for split in self.splits)

    @cached_property
    def complete_splits(self) -> tuple[FrontAndBack, ...]:
        """The splits that leave a complete hand in back."""
        return tuple(split for split in self.splits if split.category in COMPLETE)

    @cached_property
    def set_leaves_complete(self) -> bool:
        """Whether the low hand can be made of the largest set alone and still leave a complete hand."""
        wanted = [self.rank_fact("set", 0)] * self.low_cards
        return any(self.ranks_of(split.low) == wanted for split in self.complete_splits)

    @cached_property
    def singles_beat_complete(self) -> bool:
        """Whether the highest singles in front beat every front that leaves a complete hand (of which there is one)."""
        if not self.complete_splits or len(self.singles) < self.low_cards:
            return False
        high, *rest = self.singles[: self.low_cards]
        value = high << 4 | (rest[0] if rest else 0)
        return value > max(split.low_value for split in self.complete_splits)

    @cached_property
    def all_cards(self) -> int:
        """The place in RUNS of what all the cards form together, the joker filling in where it is needed."""
        naturals = [card for card in self.cards if card != JOKER_INDEX]
        ranks = [card >> 2 for card in naturals]
        length = len(self.cards)
        low_ace = [-1 if rank == ACE else rank for rank in ranks]
        in_a_row = len(set(ranks)) == len(ranks) and any(max(run) - min(run) < length for run in (ranks, low_ace))
        suited = len({card & 3 for card in naturals}) == 1
        return RUNS.index("straight") * in_a_row + RUNS.index("flush") * suited

    def rank_fact(self, kind: Literal["set", "single"], place: int) -> int:
        """The rank of the hand's n-th set or single card, counted from 0; NO_RANK if there is none."""
        ranks = self.sets if kind == "set" else self.singles
        return ranks[place] if place < len(ranks) else NO_RANK

    def ranks_of(self, cards: Sequence[int]) -> list[int]:
        """The ranks of the cards, highest first."""
        return sorted((ACE if card == JOKER_INDEX else card >> 2 for card in cards), reverse=True)


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that conditions may name: its values in order, what it means, and how it is read off a hand."""

    name: str
    kind: Literal["rank", "choice", "flag"]
    values: tuple[str, ...]
    meaning: str
    read: Callable[[HandFacts], int]


def _rank(name: str, kind: Literal["set", "single"], place: int, meaning: str) -> Fact:
    return Fact(name, "rank", (*RANK_VALUES, "none"), meaning, lambda facts: facts.rank_fact(kind, place))


def _flag(name: str, meaning: str, read: Callable[[HandFacts], bool]) -> Fact:
    return Fact(name, "flag", ("false", "true"), meaning, read)


FACTS: Final[tuple[Fact, ...]] = (
    Fact("shape", "choice", SHAPES, "the sets of equal ranks in the hand", lambda facts: facts.shape),
    _rank("top-set", "set", 0, "the rank of the largest set (of equal sets, the highest)"),
    _rank("second-set", "set", 1, "the rank of the next set"),
    _rank("third-set", "set", 2, "the rank of the third set"),
    _rank("top-single", "single", 0, "the highest rank held once"),
    _rank("second-single", "single", 1, "the second-highest rank held once"),
    _rank("third-single", "single", 2, "the third-highest rank held once"),
    _flag(
        "complete",
        "a straight, flush or straight flush can be the high hand",
        lambda facts: bool(facts.complete_splits),
    ),
    _flag(
        "set-leaves-complete",
        "the low hand can be taken from the largest set and leave a complete hand",
        lambda facts: facts.set_leaves_complete,
    ),
    _flag(
        "singles-beat-complete",
        "the highest singles make a better front than any that leaves a complete hand",
        lambda facts: facts.singles_beat_complete,
    ),
    _flag(
        "straight-flush",
        "a straight flush or royal flush can be the high hand",
        lambda facts: bool(facts.categories & STRAIGHT_FLUSHES),
    ),
    _flag(
        "straight-and-flush",
        "the high hand can be a straight that is not a flush, and it can be a flush",
        lambda facts: Category.STRAIGHT in facts.categories and bool(facts.categories & FLUSHES),
    ),
    Fact(
        "all-cards",
        "choice",
        RUNS,
        "what all the cards form together, the joker filling in",
        lambda facts: facts.all_cards,
    ),
)
"""The closed list, in the order of the compiled kernels."""

FACT_INDEX: Final[dict[str, int]] = {fact.name: index for index, fact in enumerate(FACTS)}
