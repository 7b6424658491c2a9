"""What beats what, written to be read next to the rule sheets.

Three declared orders: Pai Gow with A-2-3-4-5 as the second-highest straight (the sheets' order), Pai Gow with it as the
lowest (a room's setting in the seven-card games), and the standard order of Six Card Poker, which has no joker. The
joker is an ace, or whatever card completes a straight, a flush, a straight flush or a royal flush. A hand of more than
five cards is worth its best five.

The compiled tables and kernels of this package return the same integers; a test proves it on the whole domains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from houseway.cards.card import ACE, Card, descending
from houseway.errors import InputError
from houseway.ranking.hand_names import (
    CATEGORY_SHIFT,
    HIGH_NAMES,
    PAIR_OF_ACES,
    RANK_SHIFTS,
    ROYAL_FLUSH_ROYAL_MATCH,
    SEVEN_CARD_STRAIGHT_FLUSH,
    SEVEN_CARD_STRAIGHT_FLUSH_JOKER,
    THREE_PAIR,
    Category,
)

JOKER_INDEX: Final = 52
_WHEEL_RANKS: Final = frozenset({ACE, 0, 1, 2, 3})
_COMPLETED_BY_JOKER: Final = (Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)


@dataclass(frozen=True, slots=True)
class Ranking:
    """A declared order of hands."""

    id: str
    wheel: Literal["second", "lowest"]
    joker: bool

    def straight_place(self, ranks: frozenset[int]) -> int:
        """The place of five different ranks among the ten straights: 10 for A-K-Q-J-10, 1 the lowest, 0 for none."""
        if ranks == _WHEEL_RANKS:
            return 9 if self.wheel == "second" else 1
        top = max(ranks)
        if top - min(ranks) != 4:
            return 0
        if top == ACE:
            return 10
        # Without the wheel at the bottom, the six-high straight is the lowest.
        return top - 3 if self.wheel == "second" else top - 2


PAI_GOW: Final = Ranking("pai-gow", wheel="second", joker=True)
PAI_GOW_LOW_WHEEL: Final = Ranking("pai-gow-low-wheel", wheel="lowest", joker=True)
STANDARD: Final = Ranking("standard", wheel="lowest", joker=False)
RANKINGS: Final[dict[str, Ranking]] = {ranking.id: ranking for ranking in (PAI_GOW, PAI_GOW_LOW_WHEEL, STANDARD)}


def pack(category: Category, ranks: Iterable[int]) -> int:
    """The integer value of a category and its deciding ranks."""
    return (category << CATEGORY_SHIFT) + sum(rank << shift for rank, shift in zip(ranks, RANK_SHIFTS, strict=False))


def value_of_ranks(ranks: Sequence[int], suited: bool, ranking: Ranking) -> int:
    """The value of five ranks (0-12) that are all of one suit or not."""
    counts = Counter(ranks)
    # Most frequent first, higher rank first: the order in which ranks decide between hands of a category.
    deciding = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    if len(counts) == 5:
        place = ranking.straight_place(frozenset(ranks))
        if place and suited:
            return pack(Category.ROYAL_FLUSH if place == 10 else Category.STRAIGHT_FLUSH, [place])
        if suited:
            return pack(Category.FLUSH, deciding)
        if place:
            return pack(Category.STRAIGHT, [place])
        return pack(Category.HIGH_CARD, deciding)
    match shape:
        case [5]:
            return pack(Category.FIVE_ACES, deciding)
        case [4, 1]:
            return pack(Category.FOUR_OF_A_KIND, deciding)
        case [3, 2]:
            return pack(Category.FULL_HOUSE, deciding)
        case [3, 1, 1]:
            return pack(Category.THREE_OF_A_KIND, deciding)
        case [2, 2, 1]:
            return pack(Category.TWO_PAIR, deciding)
        case _:
            return pack(Category.PAIR, deciding)


def value_of_five(cards: Sequence[int], ranking: Ranking = PAI_GOW) -> int:
    """The value of exactly five cards; the higher wins.

    >>> from houseway.cards import parse_cards
    >>> wheel, king_high = parse_cards("As 2d 3c 4h 5s"), parse_cards("Ks Qd Jc Th 9s")
    >>> value_of_five(wheel) > value_of_five(king_high)
    True
    >>> value_of_five(wheel, STANDARD) > value_of_five(king_high, STANDARD)
    False
    """
    assert len(cards) == 5
    naturals = [card for card in cards if card != JOKER_INDEX]
    ranks = [card >> 2 for card in naturals]
    suited = len({card & 3 for card in naturals}) == 1
    if len(naturals) == 5:
        return value_of_ranks(ranks, suited, ranking)
    assert ranking.joker, f"the {ranking.id} order has no joker"
    best = value_of_ranks([*ranks, ACE], suited=False, ranking=ranking)
    for rank in set(range(13)) - set(ranks):
        completed = value_of_ranks([*ranks, rank], suited, ranking)
        if completed >> CATEGORY_SHIFT in _COMPLETED_BY_JOKER:
            best = max(best, completed)
    return best


def best_five(cards: Sequence[int], ranking: Ranking = PAI_GOW) -> tuple[int, tuple[Card, ...]]:
    """The value of the best five of five, six or seven cards, and those five cards."""
    return max(
        ((value_of_five(five, ranking), five) for five in combinations(descending(cards), 5)),
        key=lambda found: found[0],
    )


def value_of_best(cards: Sequence[int], ranking: Ranking = PAI_GOW) -> int:
    """The value of the best five of five, six or seven cards."""
    return max(value_of_five(five, ranking) for five in combinations(cards, 5))


def value_of_two(cards: Sequence[int]) -> int:
    """The value of a two-card low hand: any pair above any two different ranks; the joker is an ace."""
    low, high = sorted(ACE if card == JOKER_INDEX else card >> 2 for card in cards)
    return (high == low) << 8 | high << 4 | low


def value_of_one(card: int) -> int:
    """The value of a one-card low hand; the joker is an ace (what a player's joker beats is the game's rule)."""
    return (ACE if card == JOKER_INDEX else card >> 2) << 4


def rank_counts(cards: Iterable[int]) -> Counter[int]:
    """How many cards of each rank there are, the joker counted as an ace."""
    return Counter(ACE if card == JOKER_INDEX else card >> 2 for card in cards)


def names_fitted(cards: Sequence[int], ranking: Ranking = PAI_GOW) -> frozenset[str]:
    """Every hand name that five, six or seven cards fit, so that a pay table can take the first line in its own order.

    A seven-card hand can hold three of a kind and a straight at once; each table decides which stands first. A name
    with "-high" is fitted only by a hand that is nothing better.

    >>> from houseway.cards import parse_cards
    >>> sorted(names_fitted(parse_cards("9s 9d 9c 8h 7s 6d 5c")))
    ['pair', 'straight', 'three-of-a-kind']
    """
    categories = {value_of_five(five, ranking) >> CATEGORY_SHIFT for five in combinations(cards, 5)}
    counts = rank_counts(cards)
    names = names_of_categories(categories) | names_of_counts(counts) | _seven_card_names(cards)
    return names or frozenset({HIGH_NAMES[max(counts)]})


# A better hand of the same kind also fits the lesser name, for tables that print no line for the better one.
_FITTED_BY_CATEGORY: Final[dict[int, tuple[str, ...]]] = {
    Category.STRAIGHT: ("straight",),
    Category.FLUSH: ("flush",),
    Category.FULL_HOUSE: ("full-house",),
    Category.FOUR_OF_A_KIND: ("four-of-a-kind",),
    Category.STRAIGHT_FLUSH: ("straight-flush", "flush", "straight"),
    Category.ROYAL_FLUSH: ("royal-flush", "straight-flush", "flush", "straight"),
    Category.FIVE_ACES: ("five-aces", "four-of-a-kind"),
}


def names_of_few(cards: Sequence[int]) -> frozenset[str]:
    """Every hand name that one to four cards fit by themselves, without a joker: of three and four also the straights.

    >>> from houseway.cards import parse_cards
    >>> sorted(names_of_few(parse_cards("As Ks Qs"))), sorted(names_of_few(parse_cards("9s 9d 2c")))
    (['flush', 'straight', 'straight-flush'], ['pair'])
    """
    assert JOKER_INDEX not in cards, "a joker in so few cards has no order"
    counts = rank_counts(cards)
    names = set(names_of_counts(counts))
    if len(cards) >= 3 and len(counts) == len(cards):
        ranks, span = sorted(counts), len(cards) - 1
        low_ace = sorted(-1 if rank == ACE else rank for rank in ranks)
        if len({card & 3 for card in cards}) == 1:
            names.add("flush")
        if any(places[-1] - places[0] == span for places in (ranks, low_ace)):
            names.add("straight")
        if {"flush", "straight"} <= names:
            names.add("straight-flush")
    return frozenset(names) or frozenset({HIGH_NAMES[max(counts)]})


def names_of_categories(categories: Iterable[int]) -> frozenset[str]:
    """The names that follow from the categories of the fives in a hand: the straight, and all from the flush up."""
    return frozenset(name for category in categories for name in _FITTED_BY_CATEGORY.get(category, ()))


def names_of_counts(counts: Mapping[int, int]) -> frozenset[str]:
    """The names that follow from how many cards of each rank a hand holds (the joker an ace): pairs and trips."""
    pairs = [rank for rank, count in counts.items() if count >= 2]
    names: set[str] = set()
    if any(count >= 3 for count in counts.values()):
        names.add("three-of-a-kind")
    if len(pairs) >= 3:
        names.add(THREE_PAIR)
    if len(pairs) >= 2:
        names.add("two-pair")
    if pairs:
        names.add("pair")
    if ACE in pairs:
        names.add(PAIR_OF_ACES)
    return frozenset(names)


def _seven_card_names(cards: Sequence[int]) -> set[str]:
    """The names that need all seven cards: the two seven-card straight flushes and the royal match."""
    if len(cards) != 7:
        return set()
    names: set[str] = set()
    naturals = [card for card in cards if card != JOKER_INDEX]
    if len({card & 3 for card in naturals}) == 1 and _in_seven_card_run([card >> 2 for card in naturals]):
        names.add(SEVEN_CARD_STRAIGHT_FLUSH if len(naturals) == 7 else SEVEN_CARD_STRAIGHT_FLUSH_JOKER)
    for suit in range(4):
        match_pair = {11 * 4 + suit, 10 * 4 + suit}
        rest = [card for card in cards if card not in match_pair]
        # The match is a natural king and queen of one suit; the other five are the royal, which may use the joker.
        if len(rest) == 5 and value_of_five(rest) >> CATEGORY_SHIFT == Category.ROYAL_FLUSH:
            names.add(ROYAL_FLUSH_ROYAL_MATCH)
    return names


def _in_seven_card_run(ranks: Sequence[int]) -> bool:
    """Whether six or seven different ranks lie within seven in a row, the ace high or low."""
    low_ace = [-1 if rank == ACE else rank for rank in ranks]
    return any(max(places) - min(places) <= 6 for places in (ranks, low_ace))


def check_rankable(cards: Sequence[int], ranking: Ranking, path: str = "cards") -> None:
    """Refuse a joker where the order has none, and a number of cards that is not a hand."""
    if len(cards) not in (1, 2, 5, 6, 7):
        raise InputError.of(
            "card-count", path, f"{len(cards)} cards are not a hand: give 1 or 2 (a low hand), 5, 6 or 7"
        )
    if JOKER_INDEX in cards and not ranking.joker:
        raise InputError.of("joker-not-used", path, f"the {ranking.id} order is for a 52-card deck without a joker")
