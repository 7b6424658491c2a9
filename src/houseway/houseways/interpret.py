"""The readable interpreter: asks a way's questions of one hand and carries out the rule that holds.

It lays out the splits that a rule allows and takes the best of them. Of fronts that the rule leaves equal it takes the
one with the better high hand, then the joker before an ace, then the later suit in the order spades, hearts, diamonds,
clubs (the smaller card as an integer). The compiled kernels are checked against this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations

from houseway.houseways.facts import COMPLETE, FACTS, FLUSHES, NO_RANK, RUNS, STRAIGHT_FLUSHES, FrontAndBack, HandFacts
from houseway.houseways.fouls import is_fouled
from houseway.houseways.rules import PLACES, Conditions, Rule, WayQuestion
from houseway.ranking.hand_names import Category
from houseway.ranking.reference import JOKER_INDEX

_KEPT_OF_ALL_CARDS = {
    RUNS.index("straight"): frozenset({Category.STRAIGHT}),
    RUNS.index("flush"): FLUSHES,
    RUNS.index("straight-flush"): STRAIGHT_FLUSHES,
}


class Status(IntEnum):
    """How the setting of a hand came out."""

    SET = 0
    UNSET = 1
    """No question takes the hand, or none of the question's rules holds."""
    AMBIGUOUS = 2
    """Two or more rules of the question hold."""
    IMPOSSIBLE = 3
    """The rule asks for cards that the hand does not have."""
    FOULED = 4
    """The rule would lay a low hand above the high hand."""


@dataclass(frozen=True, slots=True)
class WayOutcome:
    """What came of a hand: the question that took it, the rules that held, and the split if there is one."""

    status: Status
    question: WayQuestion | None
    rules: tuple[Rule, ...]
    split: FrontAndBack | None


def set_hand(questions: Sequence[WayQuestion], facts: HandFacts) -> WayOutcome:
    """Ask the questions in order and carry out the one rule that holds."""
    question = next((question for question in questions if _meets(facts, question.when)), None)
    if question is None:
        return WayOutcome(Status.UNSET, None, (), None)
    holding = tuple(rule for rule in question.rules if not rule.otherwise and _meets(facts, rule.when))
    if not holding:
        holding = tuple(rule for rule in question.rules if rule.otherwise)
    if len(holding) != 1:
        return WayOutcome(Status.AMBIGUOUS if holding else Status.UNSET, question, holding, None)
    split = carry_out(holding[0], facts)
    if split is None:
        return WayOutcome(Status.IMPOSSIBLE, question, holding, None)
    fouled = is_fouled(split.high_value, split.low_value, facts.low_cards)
    return WayOutcome(Status.FOULED if fouled else Status.SET, question, holding, split)


def _meets(facts: HandFacts, conditions: Conditions) -> bool:
    return all(condition.mask >> FACTS[condition.fact].read(facts) & 1 for condition in conditions)


def carry_out(rule: Rule, facts: HandFacts) -> FrontAndBack | None:
    """The split that a rule makes of a hand; None if the hand has no such cards."""
    splits = _kept(rule, facts, _from_places(rule, facts) if rule.front else facts.splits)
    return max(splits, key=_preference, default=None)


def _from_places(rule: Rule, facts: HandFacts) -> Sequence[FrontAndBack]:
    """The splits whose front has the ranks of the places that the rule names."""
    wanted = sorted((facts.rank_fact(*PLACES[place]) for place in rule.front), reverse=True)
    if NO_RANK in wanted:
        return ()
    return [facts.lay(low) for low in combinations(facts.cards, facts.low_cards) if facts.ranks_of(low) == wanted]


def _kept(rule: Rule, facts: HandFacts, splits: Sequence[FrontAndBack]) -> Sequence[FrontAndBack]:
    """Those of the splits that leave in back what the rule keeps."""
    if rule.keep is None:
        return splits
    kept: frozenset[int]
    if rule.keep == "complete":
        kept = COMPLETE
    elif rule.keep == "best":
        kept = frozenset({max(facts.categories)})
    else:
        kept = _KEPT_OF_ALL_CARDS.get(facts.all_cards, frozenset())
    return [split for split in splits if split.category in kept]


def _preference(split: FrontAndBack) -> tuple[int, int, bool, tuple[int, ...]]:
    """The higher is preferred: the front (where places leave a choice, all fronts are equal), then the tie-breaks."""
    joker_low = JOKER_INDEX in split.low
    # Alone in front the joker stands above an ace: there it wins for a player what an ace only copies.
    front = split.low_value + (joker_low and len(split.low) == 1)
    return front, split.high_value, joker_low, tuple(-card for card in split.low)
