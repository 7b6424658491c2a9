"""Putting a hand on the table: set by its player or the house way, valued, and checked for a foul."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Final

from houseway.errors import present
from houseway.games.round_model import Hand
from houseway.houseways.fouls import is_fouled_seven, is_fouled_six
from houseway.ranking.hand_names import RANK_SHIFTS, name_of_value
from houseway.ranking.reference import (
    JOKER_INDEX,
    PAI_GOW,
    PAI_GOW_LOW_WHEEL,
    STANDARD,
    Ranking,
    names_of_few,
    value_of_one,
    value_of_two,
)

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.games.table_settings import Settings
    from houseway.houseways.evaluate import Evaluator
    from houseway.houseways.way import HouseWay

FOULS: Final[dict[int, Callable[[int, int], bool]]] = {1: is_fouled_six, 2: is_fouled_seven}
"""By the number of cards of a low hand: whether the high hand lies below it, from their values."""


def ranking_of(game: Game, settings: Settings) -> Ranking:
    """The order of hands that a game is played with."""
    if not game.has_joker:
        return STANDARD
    return PAI_GOW if settings.wheel == "second" else PAI_GOW_LOW_WHEEL


def put_hand(
    game: Game,
    cards: tuple[int, ...],
    low: tuple[int, ...] | None,
    way: HouseWay | None,
    ranking: Ranking,
    evaluator: Evaluator,
) -> Hand:
    """A hand as it plays; `low` None means that it is set the house way.

    `cards` are the seat's own, and behind them the community's.
    """
    if game.order == "high-card":
        return _single_card(game, cards)
    best = evaluator.value_of_best(cards, ranking)
    names = evaluator.names_fitted(cards, ranking)
    natural = names_without_joker(cards, names, ranking, evaluator)
    if not game.low_cards:
        high = _cards_of_value(cards, best, ranking, evaluator)
        if game.named_hands or game.looks_at_own_cards:
            own = names_of_own(game, cards)
            further = further_names(game, cards, best)
            return Hand(cards, high, (), best, 0, best, names | further, natural | further, own_names=own)
        return Hand(cards, high, (), best, 0, best, names, natural)
    rule: str | None = None
    if low is None:
        split = evaluator.split(present(way, "house way of a game with low hands"), cards, ranking)
        low, rule = split.low, split.rule
    high = tuple(sorted((card for card in cards if card not in low), reverse=True))
    low = tuple(sorted(low, reverse=True))
    high_value = evaluator.value_of_best(high, ranking)
    low_value = value_of_two(low) if game.low_cards == 2 else value_of_one(low[0])
    fouled = FOULS[game.low_cards](high_value, low_value)
    return Hand(cards, high, low, high_value, low_value, best, names, natural, rule, fouled)


def _single_card(game: Game, cards: tuple[int, ...]) -> Hand:
    """A hand of one card: its rank is its value, as that of a five-card hand of nothing better."""
    value = value_of_one(cards[0]) << RANK_SHIFTS[0] - 4
    names = further_names(game, cards, value) | {name_of_value(value)}
    natural = names if JOKER_INDEX not in cards else frozenset()
    return Hand(cards, cards, (), value, 0, value, names, natural, own_names=names)


def further_names(game: Game, cards: tuple[int, ...], value: int | None) -> frozenset[str]:
    """The names of the game's own that cards fit; without the value of a whole hand, those that name cards."""
    held = frozenset(cards)
    return frozenset(hand.name for hand in game.named_hands if hand.fits(held, value))


def names_of_own(game: Game, cards: tuple[int, ...]) -> frozenset[str]:
    """The names that a seat's own cards fit without the community's; none where no wager looks at them."""
    if not game.looks_at_own_cards:
        return frozenset()
    own = cards[: game.cards]
    return names_of_few(own) | further_names(game, own, None)


def names_of_cards(
    game: Game, cards: tuple[int, ...], ranking: Ranking, evaluator: Evaluator
) -> tuple[frozenset[str], frozenset[str]]:
    """The names that a hand's cards fit, and those that they fit without the joker, however the hand is set."""
    if game.order == "high-card" or not game.low_cards:
        hand = put_hand(game, cards, None, None, ranking, evaluator)
        return hand.names, hand.natural_names
    names = evaluator.names_fitted(cards, ranking)
    return names, names_without_joker(cards, names, ranking, evaluator)


def names_without_joker(
    cards: tuple[int, ...], names: frozenset[str], ranking: Ranking, evaluator: Evaluator
) -> frozenset[str]:
    """The names that the cards fit without the joker, where `names` are those of all of them."""
    if JOKER_INDEX not in cards:
        return names
    return evaluator.names_fitted(tuple(card for card in cards if card != JOKER_INDEX), ranking)


def _cards_of_value(cards: tuple[int, ...], value: int, ranking: Ranking, evaluator: Evaluator) -> tuple[int, ...]:
    """The five cards that make the best hand, the higher cards first where several choices are worth the same."""
    fives = combinations(sorted(cards, reverse=True), 5)
    return next(five for five in fives if evaluator.value_of_best(five, ranking) == value)
