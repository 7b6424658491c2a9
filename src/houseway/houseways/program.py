"""A house way as arrays of small integers, so that one compiled interpreter serves every way and every room's file.

Three arrays: a row per question, a row per rule, a row per condition. Rows of questions and rules say where their
conditions begin and end. Nothing is compiled per way: a new file is data for kernels that are there already.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from houseway.houseways.rules import KEEPS, PLACES, Conditions
from houseway.houseways.way import HouseWay

Ints = npt.NDArray[np.int64]

KEEP_NOTHING: Final = 0
KEEP_CODES: Final = {None: KEEP_NOTHING} | {keep: code for code, keep in enumerate(KEEPS, start=1)}
HIGHEST_FRONT: Final = -1
"""The code in the column of the first place of a rule whose front is the highest."""


class Program(NamedTuple):
    """A compiled way."""

    cards: int
    questions: Ints
    """Columns: first condition, end of conditions, first rule, end of rules."""
    rules: Ints
    """Columns: first condition, end of conditions, otherwise, first place, second place, keep.

    A place is the number of the rank fact that gives the card's rank."""
    conditions: Ints
    """Columns: fact, mask of its allowed values."""


def program_of(way: HouseWay) -> Program:
    """The arrays of a way."""
    conditions: list[tuple[int, int]] = []

    def add(when: Conditions) -> tuple[int, int]:
        start = len(conditions)
        conditions.extend((condition.fact, condition.mask) for condition in when)
        return start, len(conditions)

    questions: list[tuple[int, ...]] = []
    rules: list[tuple[int, ...]] = []
    for question in way.questions:
        first_rule = len(rules)
        asked = add(question.when)
        for rule in question.rules:
            places = sorted((_place_code(place) for place in rule.front), reverse=True) or [HIGHEST_FRONT]
            rules.append((*add(rule.when), rule.otherwise, places[0], places[-1], KEEP_CODES[rule.keep]))
        questions.append((*asked, first_rule, len(rules)))
    return Program(way.cards, _rows(questions, 4), _rows(rules, 6), _rows(conditions, 2))


def _place_code(place: str) -> int:
    """The number of the rank fact that a place names: sets are facts 1 to 3, singles 4 to 6."""
    return list(PLACES).index(place) + 1


def _rows(rows: list[tuple[int, ...]], columns: int) -> Ints:
    return np.array(rows, dtype=np.int64).reshape(len(rows), columns)
