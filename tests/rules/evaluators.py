"""Switches on what a hand is worth: the joker as another card, and other cards of the hand that count."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from houseway.cards import DECK_52, JOKER, Card, parse_cards
from houseway.games import Game, Hand
from houseway.games.hand_setting import put_hand
from houseway.houseways import HouseWay
from houseway.houseways.evaluate import Evaluator, ReferenceEvaluator
from houseway.ranking.reference import Ranking
from tests.rules.harness import Switch, replaced


class JokerAs(ReferenceEvaluator):
    """Hands in which the joker stands for the best of some cards, and for nothing else."""

    def __init__(self, stand_ins: Iterable[Card]) -> None:
        self.stand_ins = tuple(stand_ins)

    def played(self, cards: Sequence[int], ranking: Ranking) -> Sequence[int]:
        naturals = [card for card in cards if card != JOKER]
        choices = [[*naturals, card] for card in self.stand_ins if card not in naturals]
        if JOKER not in cards or not choices:
            return cards
        return max(choices, key=lambda hand: super(JokerAs, self).value_of_best(hand, ranking))

    def value_of_best(self, cards: Sequence[int], ranking: Ranking) -> int:
        return super().value_of_best(self.played(cards, ranking), ranking)

    def names_fitted(self, cards: Sequence[int], ranking: Ranking) -> frozenset[str]:
        return super().names_fitted(self.played(cards, ranking), ranking)


def joker_as(stand_ins: Iterable[Card]) -> Switch:
    """The joker stands for the best of some cards alone."""
    evaluator = JokerAs(stand_ins)
    return replaced("houseway.games.settle.TableEvaluator", lambda: evaluator)


ACES = parse_cards("As Ah Ad Ac")
JOKER_IS_WILD = joker_as(DECK_52)
JOKER_IS_ONLY_AN_ACE = joker_as(ACES)
JOKER_IS_NO_ACE = joker_as(card for card in DECK_52 if card not in ACES)


def _put_as_set(
    played: Game, cards: tuple[int, ...], low: tuple[int, ...] | None, way: HouseWay, ranking: Ranking, by: Evaluator
) -> Hand:
    hand = put_hand(played, cards, low, way, ranking, by)
    return replace(hand, names=by.names_fitted(hand.high, ranking))


HAND_AS_SET_COUNTS = replaced("houseway.games.settle.put_hand", _put_as_set)
"""Pay tables look at the five cards that the player put in the high hand."""

FIRST_FIVE_CARDS_COUNT = replaced(
    "houseway.games.settle.put_hand", lambda played, cards, *rest: put_hand(played, cards[:5], *rest)
)
"""The sixth card is not looked at."""
