"""A house way as one array of integers, so that one compiled interpreter serves every way and every room's file.

The array begins with a header, then come the questions, the rules and the conditions, each a row of fixed length.
Nothing is compiled per way: a new file is data for kernels that are there already. It is one array, because every array
handed from one compiled function to another costs more than the work on it.
"""

from __future__ import annotations

from typing import Final

from houseway.houseways.facts import FACT_INDEX
from houseway.houseways.rules import KEEPS, Conditions
from houseway.houseways.way import HouseWay

# The header: how many questions there are, and where the rules and the conditions begin; the questions follow it.
QUESTION_COUNT: Final = 0
RULES_AT: Final = 1
CONDITIONS_AT: Final = 2
QUESTIONS_AT: Final = 3

QUESTION_LENGTH: Final = 4
"""First condition, end of conditions, first rule, end of rules."""
RULE_LENGTH: Final = 6
"""First condition, end of conditions, otherwise, first place, second place, keep."""
CONDITION_LENGTH: Final = 2
"""Fact, mask of its allowed values."""

HIGHEST_FRONT: Final = -1
"""Stands for the first place of a rule whose front is the highest; other places are numbers of rank facts."""
KEEP_NOTHING: Final = 0
KEEP_COMPLETE: Final = 1
KEEP_BEST: Final = 2
KEEP_ALL_CARDS: Final = 3
_KEEP_CODES: Final = {None: KEEP_NOTHING, "complete": KEEP_COMPLETE, "best": KEEP_BEST, "all-cards": KEEP_ALL_CARDS}
assert _KEEP_CODES.keys() == {None, *KEEPS}


def program_of(way: HouseWay) -> list[int]:
    """The integers of a way."""
    conditions: list[int] = []
    questions: list[int] = []
    rules: list[int] = []

    def add(when: Conditions) -> tuple[int, int]:
        start = len(conditions) // CONDITION_LENGTH
        for condition in when:
            conditions.extend((condition.fact, condition.mask))
        return start, len(conditions) // CONDITION_LENGTH

    for question in way.questions:
        first_rule = len(rules) // RULE_LENGTH
        questions.extend(add(question.when))
        for rule in question.rules:
            places = [FACT_INDEX[place] for place in rule.front] or [HIGHEST_FRONT]
            rules.extend((*add(rule.when), rule.otherwise, places[0], places[-1], _KEEP_CODES[rule.keep]))
        questions.extend((first_rule, len(rules) // RULE_LENGTH))
    rules_at = QUESTIONS_AT + len(questions)
    header = [len(way.questions), rules_at, rules_at + len(rules)]
    return [*header, *questions, *rules, *conditions]
