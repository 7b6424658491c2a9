"""The compiled interpreter of house ways: the same answers as `interpret`, a few ten million hands a second.

A hand is an array of its cards in descending order. The facts of a hand go into a scratch array in the order of
`facts.FACTS`; those that look at every split are worked out only when a condition asks for them, and only when the suits
and ranks allow a straight or flush at all. The result is one packed integer: see the shifts below.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from houseway.houseways.program import Ints
from houseway.ranking.jit import njit

# Facts by number, as in facts.FACTS.
_SHAPE: Final = 0
_SETS: Final = 1
_SINGLES: Final = 4
_FIRST_COSTLY: Final = 7
_COMPLETE: Final = 7
_SET_LEAVES_COMPLETE: Final = 8
_SINGLES_BEAT_COMPLETE: Final = 9
_STRAIGHT_FLUSH: Final = 10
_STRAIGHT_AND_FLUSH: Final = 11
_ALL_CARDS: Final = 12
# Further places in the scratch array.
_COSTLY_DONE: Final = 13
_SPLITS_DONE: Final = 14
_STRAIGHT_OR_FLUSH: Final = 15
_FRONTS: Final = 16
_VALUES: Final = 40
SCRATCH_SIZE: Final = 64
_NO_RANK: Final = 13
_JOKER: Final = 52
_ACE: Final = 12
# Categories that count as complete: straight, flush, straight flush, royal flush.
_STRAIGHT: Final = 1 << 4
_STRAIGHT_FLUSHES: Final = 1 << 8 | 1 << 9
_FLUSHES: Final = 1 << 5 | _STRAIGHT_FLUSHES
_COMPLETES: Final = _STRAIGHT | _FLUSHES

# The packed result.
STATUS_BITS: Final = 7
QUESTION_SHIFT: Final = 3
RULE_SHIFT: Final = 11
OTHER_RULE_SHIFT: Final = 19
LOW_SHIFT: Final = 27
VALUE_SHIFT: Final = 39
NONE: Final = 255
"""A question or rule that there is none of."""

SET, UNSET, AMBIGUOUS, IMPOSSIBLE, FOULED = range(5)
