"""A house way as a whole: its questions and rules, and the setting of one hand by it.

Setting a hand names the rule that was used and says in one sentence why. A way that leaves a hand unset, finds two
rules for it or would foul it refuses the hand; `houseway.houseways.check` finds such hands before a dealer does.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from houseway.cards.card import Card, card_texts, descending
from houseway.errors import InputError
from houseway.houseways.facts import HandFacts, ValueOf
from houseway.houseways.interpret import Status, WayOutcome, set_hand
from houseway.houseways.rules import Conditions, Rule, WayQuestion
from houseway.ranking import fast
from houseway.ranking.reference import PAI_GOW, Ranking, value_of_one, value_of_two


class Split(NamedTuple):
    """The low hand that a house way takes out of a hand, and the id of the rule that said so."""

    low: tuple[Card, ...]
    rule: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A hand as the house way sets it: both hands with their values, the rule, and why in one sentence."""

    high: tuple[Card, ...]
    low: tuple[Card, ...]
    high_value: int
    low_value: int
    rule: str
    why: str


@dataclass(frozen=True)
class HouseWay:
    """An ordered list of questions with named rules for hands of six or seven cards."""

    id: str
    title: str
    cards: int
    source: str
    questions: tuple[WayQuestion, ...]

    @property
    def low_cards(self) -> int:
        """How many cards go in front: one of six, two of seven."""
        return self.cards - 5

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """All rules in the order of the questions."""
        return tuple(rule for question in self.questions for rule in question.rules)

    @cached_property
    def why(self) -> dict[str, str]:
        """The sentence of each rule, by its id."""
        return {rule.id: rule.why for rule in self.rules}

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of all that decides a setting; two ways with one fingerprint set every hand alike.

        Titles and sentences are left out: to reword a way changes nothing that was computed with it.
        """
        questions = [
            [
                question.id,
                _plain(question.when),
                [[rule.id, _plain(rule.when), rule.otherwise, rule.front, rule.keep] for rule in question.rules],
            ]
            for question in self.questions
        ]
        text = json.dumps([self.cards, questions], separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def split(self, cards: Sequence[int], ranking: Ranking = PAI_GOW, value_of: ValueOf = fast.value_of_best) -> Split:
        """The low hand and the rule for a hand of this way's size; the cards are taken to be different.

        `value_of` ranks five cards. InputError if the way has no single, legal setting for the hand.
        """
        outcome = self.outcome(cards, ranking, value_of)
        if outcome.status is not Status.SET or outcome.split is None:
            raise refusal(self, cards, outcome)
        return Split(descending(outcome.split.low), outcome.rules[0].id)

    def outcome(
        self, cards: Sequence[int], ranking: Ranking = PAI_GOW, value_of: ValueOf = fast.value_of_best
    ) -> WayOutcome:
        """What comes of a hand, faults of the way included, by the readable interpreter."""
        self.check_count(cards)
        return set_hand(self.questions, HandFacts(cards, ranking, value_of))

    def set(self, cards: Sequence[int], ranking: Ranking = PAI_GOW) -> Setting:
        """Both hands with their values, the rule and the reason.

        >>> from houseway.cards import parse_cards
        >>> from houseway.houseways import house_way
        >>> setting = house_way("six-card").set(parse_cards("Kd Ks Qh 9c 7d 4s"))
        >>> setting.low, setting.rule
        ((Qh,), '6b')
        """
        low, rule = self.split(cards, ranking)
        high = descending(card for card in cards if card not in low)
        low_value = value_of_two(low) if len(low) == 2 else value_of_one(low[0])
        return Setting(high, low, fast.value_of_best(high, ranking), low_value, rule, self.why[rule])

    def check_count(self, cards: Sequence[int]) -> None:
        """Refuse a hand of another size."""
        if len(cards) != self.cards:
            message = f"the {self.id} way sets hands of {self.cards} cards, not {len(cards)}"
            raise InputError.of("card-count", "cards", message)


def _plain(conditions: Conditions) -> list[tuple[int, int]]:
    return [(condition.fact, condition.mask) for condition in conditions]


def refusal(way: HouseWay, cards: Sequence[int], outcome: WayOutcome) -> InputError:
    """The error for a hand that the way cannot set."""
    rules = " and ".join(rule.id for rule in outcome.rules)
    asked = f"question {outcome.question.id}" if outcome.question else "no question"
    reason = {
        Status.UNSET: f"leaves this hand unset: {asked} takes it and no rule holds",
        Status.AMBIGUOUS: f"has more than one rule for this hand: {rules} ({asked})",
        Status.IMPOSSIBLE: f"cannot be carried out: rule {rules} asks for cards that this hand does not have",
        Status.FOULED: f"would foul this hand by rule {rules}",
    }[outcome.status]
    message = f"{' '.join(card_texts(cards))}: the {way.id} way {reason}; correct the way and check it"
    return InputError.of(f"hand-{outcome.status.name.lower()}", "cards", message)
