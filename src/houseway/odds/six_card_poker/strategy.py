"""Strategies for Six Card Poker that a person can learn, found in the solved decisions, each with its exact cost.

A strategy is a list of rules; the first one that applies to the hand and the up cards decides. Two ship: `simple`, and
`short`, which leaves out the rule for up cards of one suit or near a straight. What they cost against the best play is
no estimate: each is counted over every deal in the same way as the solution itself.

A rule is written once, for one hand or for many: the facts of the hand are numbers or arrays of numbers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from houseway.errors import InputError
from houseway.odds.six_card_poker.decision import Action, check_cards
from houseway.odds.six_card_poker.game import WholeGame, whole_game
from houseway.odds.solved_game import OPTIMAL
from houseway.ranking.fast import value_of_best
from houseway.ranking.hand_names import CATEGORY_SHIFT, RANK_SHIFTS, Category
from houseway.ranking.reference import STANDARD

_FIVE, _QUEEN, _KING, _ACE = 3, 10, 11, 12
_RANK_MASK: Final = 0xF


@dataclass(frozen=True, slots=True)
class SixCardFacts:
    """What rules ask about the player's hand, for one hand or, as arrays, for many."""

    category: Any
    first: Any
    """The rank that decides first between hands of the category: the top card or the pair."""
    second: Any
    third: Any
    matches: Any
    """How many of the up cards' ranks the hand holds."""


@dataclass(frozen=True, slots=True)
class UpCardFacts:
    """What rules ask about the three up cards."""

    ranks: tuple[int, int, int]
    """Descending."""
    one_suit: bool

    @classmethod
    def of(cls, up: Sequence[int]) -> UpCardFacts:
        """The facts of three cards."""
        high, middle, low = sorted((card >> 2 for card in up), reverse=True)
        return cls((high, middle, low), len({card & 3 for card in up}) == 1)

    @property
    def same(self) -> int:
        """How many of the cards are of one rank: 1, 2 or 3."""
        return max(Counter(self.ranks).values())

    @property
    def threatens(self) -> bool:
        """Whether all three can lie in one straight, or are of one suit."""
        high, middle, low = self.ranks
        return self.one_suit or high - low <= 4 or (high == _ACE and middle <= _FIVE)


Condition = Callable[[SixCardFacts, UpCardFacts], Any]


@dataclass(frozen=True, slots=True)
class FoldRule:
    """A rule of a strategy; the first that applies decides."""

    id: str
    action: Action
    text: str
    applies: Condition


def facts_of_value(value: Any, matches: Any) -> SixCardFacts:  # noqa: ANN401  (a number or an array)
    """The facts of a hand from its value, or of many hands from an array of values."""
    first, second, third = (value >> shift & _RANK_MASK for shift in RANK_SHIFTS[:3])
    return SixCardFacts(value >> CATEGORY_SHIFT, first, second, third, matches)


def _beats_three(hand: SixCardFacts, up: UpCardFacts) -> Any:  # noqa: ANN401
    higher = (hand.category == Category.THREE_OF_A_KIND) & (hand.first > up.ranks[1])
    return up.same == 3 and (hand.category > Category.THREE_OF_A_KIND) | higher


def _beats_pair(hand: SixCardFacts, up: UpCardFacts) -> Any:  # noqa: ANN401
    higher = (hand.category == Category.PAIR) & (hand.first > up.ranks[1])
    return up.same == 2 and (hand.category > Category.PAIR) | higher


def _same_pair(hand: SixCardFacts, up: UpCardFacts) -> Any:  # noqa: ANN401
    beside = next((rank for rank in up.ranks if rank != up.ranks[1]), 0)
    same = (hand.category == Category.PAIR) & (hand.first == up.ranks[1])
    return up.same == 2 and same & (hand.second >= max(_QUEEN, beside))


def _covers(hand: SixCardFacts, up: UpCardFacts) -> Any:  # noqa: ANN401
    """Ace-high whose next cards cover the up cards: the second the highest, and if it only equals that, the third."""
    high, middle, _ = up.ranks
    second = min(high, _KING)
    third = _QUEEN if middle == _KING else middle
    covered = (hand.second > second) | ((hand.second == second) & (hand.third >= third))
    return (hand.category == Category.HIGH_CARD) & (hand.first == _ACE) & covered


def _covers_and_matches(hand: SixCardFacts, up: UpCardFacts) -> Any:  # noqa: ANN401
    enough = (hand.matches >= 2) | ((hand.matches >= 1) & (hand.second == _KING))
    return up.threatens and _covers(hand, up) & enough


RULES: Final[tuple[FoldRule, ...]] = (
    FoldRule("three-up", "play", "Three of a kind up: play a hand that beats it.", _beats_three),
    FoldRule("three-up-else", "fold", "Three of a kind up: fold anything else.", lambda _, up: up.same == 3),
    FoldRule("pair-up", "play", "A pair up: play a higher pair or anything better than a pair.", _beats_pair),
    FoldRule(
        "pair-up-same",
        "play",
        "A pair up: play the same pair if its best side card is a queen or higher and no lower than the third up card.",
        _same_pair,
    ),
    FoldRule("pair-up-else", "fold", "A pair up: fold anything else.", lambda _, up: up.same == 2),
    FoldRule("pair", "play", "No pair up: play any pair or better.", lambda hand, _: hand.category >= Category.PAIR),
    FoldRule(
        "threat",
        "play",
        "All up cards of one suit, or within one straight: play ace-high that covers them (see the last rule to play) "
        "if it also holds two of their ranks, or one of them and a king.",
        _covers_and_matches,
    ),
    FoldRule(
        "threat-else",
        "fold",
        "All up cards of one suit, or within one straight: fold anything else.",
        lambda _, up: up.threatens,
    ),
    FoldRule(
        "ace-high",
        "play",
        "Play ace-high that covers the up cards: your second card is higher than their highest; or it equals that "
        "(with an ace up, it is a king) and your third card is no lower than their second (with ace-king up, it is a "
        "queen).",
        _covers,
    ),
    FoldRule("else", "fold", "Fold anything else.", lambda *_: True),
)

STRATEGIES: Final[dict[str, tuple[FoldRule, ...]]] = {
    "simple": RULES,
    "short": tuple(rule for rule in RULES if not rule.id.startswith("threat")),
}
"""The strategies by name, each a list of rules in the order in which they are asked."""


@dataclass(frozen=True, slots=True)
class FoldStrategy:
    """A strategy with what it comes to over every deal."""

    id: str
    rules: tuple[FoldRule, ...]
    game: WholeGame
    cost: Fraction
    """What it loses against the best play, of an ante."""

    def rule_for(self, cards: Sequence[int], up: Sequence[int]) -> FoldRule:
        """The rule that decides for six cards against three up cards."""
        check_cards(cards, up)
        held = {card >> 2 for card in cards}
        facts = UpCardFacts.of(up)
        matches = sum(rank in held for rank in set(facts.ranks))
        hand = facts_of_value(value_of_best(cards, STANDARD), matches)
        return next(rule for rule in self.rules if rule.applies(hand, facts))


def strategy(name: str = "simple") -> FoldStrategy:
    """A strategy with its exact cost; `simple` or `short`.

    >>> simple = strategy()
    >>> print(f"{float(simple.cost):.4%}, {len(simple.rules)} rules")
    0.0609%, 10 rules
    >>> from houseway.cards import parse_cards
    >>> simple.rule_for(parse_cards("As Qd Jc 8h 6s 3d"), parse_cards("9h 7d 2s")).id
    'ace-high'
    """
    if name not in STRATEGIES:
        known = ", ".join(STRATEGIES)
        raise InputError.of("unknown-strategy", "strategy", f"there is no strategy {name!r}: take one of {known}")
    game, best = whole_game(name), whole_game(OPTIMAL)
    return FoldStrategy(name, STRATEGIES[name], game, game.edge - best.edge)


def in_words(chosen: FoldStrategy) -> list[str]:
    """The strategy as lines to print: the rules, numbered, and what following them costs."""
    lines = [f"{number}. {rule.text}" for number, rule in enumerate(chosen.rules, 1)]
    best = whole_game(OPTIMAL)
    lines.append(
        f"The first rule that applies decides. House edge {float(chosen.game.edge):.4%} of the ante, "
        f"{float(chosen.cost):.4%} more than with the best play ({float(best.edge):.4%})."
    )
    return lines
