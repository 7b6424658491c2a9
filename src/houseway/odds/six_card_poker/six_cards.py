"""Six cards of the 52-card deck as small numbers: their value in the standard order, the names they fit, their ranks.

Values are numbered by the order of all values there are, and sets of hand names by their masks, so that kernels keep
them in small tables. A pattern is what is left of a hand without its suits: how many cards of each rank it holds. All
hands of a pattern are worth the same and fit the same names, apart from those with a flush.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Final, TypeAlias

from houseway.ranking.fast import HIGH_NAME_BITS, names_mask, names_of_mask, value_of_best
from houseway.ranking.hand_names import CATEGORY_SHIFT, HAND_NAMES, Category
from houseway.ranking.jit import njit
from houseway.ranking.rank_kernels import (
    NAMES_OF_ENTRY,
    VALUES_OF_ENTRY,
    WHEEL_LOWEST,
    entry_of_flush,
    entry_of_ranks,
    flush_lane,
)
from houseway.ranking.reference import STANDARD

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)
import numpy.typing as npt  # isort: skip

Ints: TypeAlias = npt.NDArray[np.int64]

DECK: Final = 52
SIZE: Final = 6
RANKS: Final = 13

_VALUES, _NUMBER_OF_ENTRY = np.unique(VALUES_OF_ENTRY[WHEEL_LOWEST], return_inverse=True)
_NUMBER_OF_ENTRY = _NUMBER_OF_ENTRY.astype(np.int64)
VALUE_COUNT: Final = len(_VALUES)


def value_number(value: int) -> int:
    """The number of the lowest value that is at least `value`."""
    return int(np.searchsorted(_VALUES, value))


def values_of_numbers(numbers: Ints) -> Ints:
    """The values that have these numbers."""
    return _VALUES[numbers].astype(np.int64)


FLUSH: Final = value_number(Category.FLUSH << CATEGORY_SHIFT)
"""The lowest value number of a flush; every hand with five cards of a suit is worth that or more."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """Every pattern of six cards, in ascending order of value: rank counts, value number and name-set number."""

    counts: npt.NDArray[np.int64]
    values: npt.NDArray[np.int64]
    names: npt.NDArray[np.int64]


def _rank_counts() -> list[tuple[int, ...]]:
    """How many cards of each rank, for every pattern."""
    found: list[tuple[int, ...]] = []

    def extend(counts: tuple[int, ...], left: int) -> None:
        if len(counts) == RANKS:
            if left == 0:
                found.append(counts)
            return
        for count in range(min(4, left) + 1):
            extend((*counts, count), left - count)

    extend((), SIZE)
    return found


def _unsuited(counts: tuple[int, ...]) -> list[int]:
    """Cards of those ranks without five of a suit."""
    cards: list[int] = []
    for rank, count in enumerate(counts):
        # A single card takes the next suit in turn; several of a rank differ anyway.
        start = len(cards) % 4 if count == 1 else 0
        cards += [4 * rank + (start + more) % 4 for more in range(count)]
    return cards


def _name_masks_of_flushes(counts: tuple[int, ...], names: int) -> set[int]:
    """The names masks of the hands of a pattern that hold five or six cards of a suit."""
    ranks = [rank for rank, count in enumerate(counts) if count]
    masks: set[int] = set()
    for size in (5, 6):
        for suited in combinations(ranks, size):
            of_flush = names_mask([4 * rank for rank in suited], STANDARD)
            masks.add(names & ~HIGH_NAME_BITS | of_flush)
    return masks


@cache
def _all_patterns() -> tuple[Patterns, tuple[int, ...]]:
    """The patterns, and the names masks that six cards can fit."""
    rows: list[tuple[int, tuple[int, ...], int]] = []
    masks: set[int] = set()
    for counts in _rank_counts():
        cards = _unsuited(counts)
        names = names_mask(cards, STANDARD)
        rows.append((value_number(value_of_best(cards, STANDARD)), counts, names))
        masks.add(names)
        if sum(count > 0 for count in counts) >= 5:
            masks |= _name_masks_of_flushes(counts, names)
    rows.sort()
    ordered = tuple(sorted(masks))
    numbers = {mask: number for number, mask in enumerate(ordered)}
    patterns = Patterns(
        np.array([row[1] for row in rows], np.int64),
        np.array([row[0] for row in rows], np.int64),
        np.array([numbers[row[2]] for row in rows], np.int64),
    )
    return patterns, ordered


def patterns() -> Patterns:
    """All 18,395 patterns.

    >>> len(patterns().values)
    18395
    """
    return _all_patterns()[0]


NAME_MASKS: Final[tuple[int, ...]] = _all_patterns()[1]
NAME_SET_COUNT: Final = len(NAME_MASKS)


def names_of_number(number: int) -> tuple[str, ...]:
    """The hand names of a name-set number, in the order of HAND_NAMES.

    >>> names_of_number(len(NAME_MASKS) - 1)[-1]
    'eight-high'
    """
    fitted = names_of_mask(NAME_MASKS[number])
    return tuple(name for name in HAND_NAMES if name in fitted)


_ENTRY_MASKS, _SET_OF_ENTRY = np.unique(NAMES_OF_ENTRY, return_inverse=True)
_SET_OF_ENTRY = _SET_OF_ENTRY.astype(np.int64)


def _number_of_masks(masks: Ints) -> Ints:
    """The name-set number of each names mask, -1 for those that six cards never fit."""
    known = np.array(NAME_MASKS, np.int64)
    places = np.minimum(np.searchsorted(known, masks), len(known) - 1)
    return np.where(known[places] == masks, places, -1)


_PLAIN_NUMBERS: Final = _number_of_masks(_ENTRY_MASKS.astype(np.int64))
_JOINED_NUMBERS: Final = _number_of_masks(
    (_ENTRY_MASKS.astype(np.int64)[:, np.newaxis] & ~HIGH_NAME_BITS) | _ENTRY_MASKS.astype(np.int64)
)


@njit
def value_number_of_sums(key: int, masks: int) -> int:
    """The value number of a hand from its added keys and joined masks."""
    number: int = _NUMBER_OF_ENTRY[entry_of_ranks(key)]
    lane = flush_lane(key)
    if lane >= 0:
        number = max(number, _NUMBER_OF_ENTRY[entry_of_flush(masks, lane)])
    return number


@njit
def kind_of_sums(key: int, masks: int) -> int:
    """Value and names of a six-card hand in one number: the value number times NAME_SET_COUNT, plus the set's."""
    entry = entry_of_ranks(key)
    lane = flush_lane(key)
    if lane < 0:
        plain: int = _NUMBER_OF_ENTRY[entry] * NAME_SET_COUNT + _PLAIN_NUMBERS[_SET_OF_ENTRY[entry]]
        return plain
    of_flush = entry_of_flush(masks, lane)
    value = max(_NUMBER_OF_ENTRY[entry], _NUMBER_OF_ENTRY[of_flush])
    joined: int = value * NAME_SET_COUNT + _JOINED_NUMBERS[_SET_OF_ENTRY[entry], _SET_OF_ENTRY[of_flush]]
    return joined
