"""Putting a hand on the table: set by its player or the house way, valued, and checked for a foul."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import TYPE_CHECKING, Final

from houseway.errors import present
from houseway.games.round_model import Hand
from houseway.houseways.fouls import is_fouled_seven, is_fouled_six
from houseway.ranking.reference import (
    JOKER_INDEX,
    PAI_GOW,
    PAI_GOW_LOW_WHEEL,
    STANDARD,
    Ranking,
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
    """A hand as it plays; `low` None means that it is set the house way."""
    best = evaluator.value_of_best(cards, ranking)
    names = evaluator.names_fitted(cards, ranking)
    natural = names_without_joker(cards, names, ranking, evaluator)
    if not game.low_cards:
        return Hand(cards, _cards_of_value(cards, best, ranking, evaluator), (), best, 0, best, names, natural)
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
