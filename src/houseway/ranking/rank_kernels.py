"""Compiled ranking: scalar kernels to call from other kernels, and batches of hands from Python.

A card is an integer 0-52. `wheel` is the place of A-2-3-4-5 as a number, `WHEEL_SECOND` or `WHEEL_LOWEST`
(`wheel_of(ranking)`). Loops that share cards add `CARD_KEYS` and join `CARD_MASKS` card by card on the way down and
rank the two sums at the bottom. A hand that holds a card twice gets a meaningless value, but no look-up leaves its
table.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeAlias

from houseway.errors import InputError
from houseway.ranking.fast import HIGH_NAME_BITS, ROYAL_FLUSH_BIT, ROYAL_MATCH_BIT
from houseway.ranking.jit import announce_compiling, njit
from houseway.ranking.rank_tables import (
    FLUSH_BIAS,
    FLUSH_BITS,
    KING_AND_QUEEN,
    LANE_BITS,
    LANE_MASK,
    NATURAL_LANES,
    RANK_MASK,
    ROW_SHIFT,
    SUIT_COUNT_SHIFT,
    load_tables,
)
from houseway.ranking.reference import JOKER_INDEX, PAI_GOW, Ranking

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)
import numpy.typing as npt  # isort: skip

Hands: TypeAlias = npt.NDArray[np.uint8]
Values: TypeAlias = npt.NDArray[np.int32]

WHEEL_SECOND: Final = 0
WHEEL_LOWEST: Final = 1


def _frozen(section: array[int]) -> npt.NDArray[Any]:
    """A table section as an array that nobody can change, since compiled code has its own copy."""
    view = np.frombuffer(section, dtype=np.dtype(section.typecode))
    view.flags.writeable = False
    return view


_TABLES = load_tables()
CARD_KEYS: npt.NDArray[np.int64] = _frozen(_TABLES.card_keys)
CARD_MASKS: npt.NDArray[np.int64] = _frozen(_TABLES.card_masks)
_ROW_OFFSETS: npt.NDArray[np.int32] = _frozen(_TABLES.row_offsets)
_ENTRIES: npt.NDArray[np.uint16] = _frozen(_TABLES.entries)
_FLUSH_ENTRIES: npt.NDArray[np.uint16] = _frozen(_TABLES.flush_entries)
VALUES_OF_ENTRY: Values = np.stack([_frozen(_TABLES.values_wheel_second), _frozen(_TABLES.values_wheel_lowest)])
VALUES_OF_ENTRY.flags.writeable = False
NAMES_OF_ENTRY: npt.NDArray[np.int32] = _frozen(_TABLES.names)
_FIRST_FLUSH_BIT: Final = SUIT_COUNT_SHIFT + 3
_BLOCK: Final = 1024


def wheel_of(ranking: Ranking) -> int:
    """The place of A-2-3-4-5 in an order, as the kernels take it."""
    return WHEEL_SECOND if ranking.wheel == "second" else WHEEL_LOWEST


@njit
def entry_of_ranks(key: int) -> int:
    """The entry of the ranks alone in a sum of card keys."""
    rank_sum = key & RANK_MASK
    entry: int = _ENTRIES[rank_sum + _ROW_OFFSETS[rank_sum >> ROW_SHIFT]]
    return entry


@njit
def flush_lane(key: int) -> int:
    """Where in the masks the suit with five or more cards begins; -1 when there is none."""
    flush_bits = ((key + FLUSH_BIAS) & FLUSH_BITS) >> _FIRST_FLUSH_BIT
    if flush_bits == 0:
        return -1
    lane = 0
    while not flush_bits & 1:
        flush_bits >>= 4
        lane += LANE_BITS
    return lane


@njit
def entry_of_flush(masks: int, lane: int) -> int:
    """The entry of the suit that begins at `lane`."""
    entry: int = _FLUSH_ENTRIES[(masks >> lane) & LANE_MASK]
    return entry


@njit
def value_of_sums(key: int, masks: int, wheel: int) -> int:
    """The value of five, six or seven cards from their added keys and joined masks."""
    value: int = VALUES_OF_ENTRY[wheel, entry_of_ranks(key)]
    lane = flush_lane(key)
    if lane >= 0:
        value = max(value, VALUES_OF_ENTRY[wheel, entry_of_flush(masks, lane)])
    return value


@njit
def holds_royal_match(masks: int, lane: int) -> bool:
    """Whether a king and queen of one suit are all that lies beside the suit at `lane` and the joker."""
    beside = masks & NATURAL_LANES & ~(LANE_MASK << lane)
    return (
        beside == KING_AND_QUEEN
        or beside == KING_AND_QUEEN << LANE_BITS
        or beside == KING_AND_QUEEN << 2 * LANE_BITS
        or beside == KING_AND_QUEEN << 3 * LANE_BITS
    )


@njit
def names_of_sums(key: int, masks: int) -> int:
    """The names mask of five, six or seven cards from their added keys and joined masks."""
    names: int = NAMES_OF_ENTRY[entry_of_ranks(key)]
    lane = flush_lane(key)
    if lane >= 0:
        names = (names & ~HIGH_NAME_BITS) | NAMES_OF_ENTRY[entry_of_flush(masks, lane)]
        if names & ROYAL_FLUSH_BIT and holds_royal_match(masks, lane):
            names |= ROYAL_MATCH_BIT
    return names


@njit
def sums_of_five(a: int, b: int, c: int, d: int, e: int) -> tuple[int, int]:
    """The added keys and joined masks of five cards in any order."""
    return (
        CARD_KEYS[a] + CARD_KEYS[b] + CARD_KEYS[c] + CARD_KEYS[d] + CARD_KEYS[e],
        CARD_MASKS[a] | CARD_MASKS[b] | CARD_MASKS[c] | CARD_MASKS[d] | CARD_MASKS[e],
    )


@njit
def value_of_five(a: int, b: int, c: int, d: int, e: int, wheel: int) -> int:
    """The value of five cards in any order."""
    key, masks = sums_of_five(a, b, c, d, e)
    return value_of_sums(key, masks, wheel)


@njit
def value_of_two(a: int, b: int) -> int:
    """The value of a two-card low hand; equal to `reference.value_of_two`."""
    first, second = value_of_one(a) >> 4, value_of_one(b) >> 4
    return int(first == second) << 8 | max(first, second) << 4 | min(first, second)


@njit
def value_of_one(card: int) -> int:
    """The value of a one-card low hand, the joker an ace; equal to `reference.value_of_one`."""
    return (12 if card == JOKER_INDEX else card >> 2) << 4


@njit
def sums_of_row(hands: Hands, row: int) -> tuple[int, int]:
    """The added keys and joined masks of one hand of a batch."""
    key, masks = 0, 0
    for place in range(hands.shape[1]):
        key += CARD_KEYS[hands[row, place]]
        masks |= CARD_MASKS[hands[row, place]]
    return key, masks


@njit
def rank_batch(hands: Hands, wheel: int, values: Values) -> None:
    """Rank hands of five, six or seven cards, one a row, into `values`.

    Rows with a flush are set aside and looked at after each block: a branch in the middle that nobody can predict would
    cost a third of the speed.
    """
    rows, size = hands.shape
    aside = np.empty(_BLOCK, np.int64)
    for start in range(0, rows, _BLOCK):
        flushes = 0
        for row in range(start, min(start + _BLOCK, rows)):
            key = CARD_KEYS[hands[row, 0]] + CARD_KEYS[hands[row, 1]] + CARD_KEYS[hands[row, 2]]
            key += CARD_KEYS[hands[row, 3]] + CARD_KEYS[hands[row, 4]]
            if size > 5:
                key += CARD_KEYS[hands[row, 5]]
            if size > 6:
                key += CARD_KEYS[hands[row, 6]]
            values[row] = VALUES_OF_ENTRY[wheel, entry_of_ranks(key)]
            aside[flushes] = row
            flushes += ((key + FLUSH_BIAS) & FLUSH_BITS) != 0
        for place in range(flushes):
            key, masks = sums_of_row(hands, aside[place])
            values[aside[place]] = value_of_sums(key, masks, wheel)


@njit
def names_batch(hands: Hands, names: npt.NDArray[np.int32]) -> None:
    """The names masks of hands of five, six or seven cards, one a row, into `names`."""
    for row in range(hands.shape[0]):
        key, masks = sums_of_row(hands, row)
        names[row] = names_of_sums(key, masks)


def rank_hands(hands: npt.ArrayLike, ranking: Ranking = PAI_GOW, threads: int = 1) -> Values:
    """The values of many hands of five, six or seven cards, one a row.

    >>> hands = np.array([[51, 50, 49, 48, 52], [47, 43, 39, 35, 31]], dtype=np.uint8)
    >>> [int(value) >> 20 for value in rank_hands(hands)]
    [10, 8]
    """
    checked = checked_hands(hands, ranking)
    values = np.empty(len(checked), np.int32)
    wheel = wheel_of(ranking)
    _in_slices(len(checked), threads, lambda part: rank_batch(checked[part], wheel, values[part]))
    return values


def names_of_hands(hands: npt.ArrayLike, ranking: Ranking = PAI_GOW, threads: int = 1) -> npt.NDArray[np.int32]:
    """The names masks of many hands of five, six or seven cards, one a row; `fast.names_of_mask` spells one out."""
    checked = checked_hands(hands, ranking)
    names = np.empty(len(checked), np.int32)
    _in_slices(len(checked), threads, lambda part: names_batch(checked[part], names[part]))
    return names


def checked_hands(hands: npt.ArrayLike, ranking: Ranking) -> Hands:
    """The hands as the kernels take them, or InputError; that no hand holds a card twice is the caller's promise."""
    given = np.asarray(hands)
    if given.ndim != 2 or given.shape[1] not in (5, 6, 7):
        raise InputError.of(
            "card-count", "hands", f"an array of shape {given.shape} is not a list of hands of 5, 6 or 7"
        )
    highest = JOKER_INDEX if ranking.joker else JOKER_INDEX - 1
    if not np.issubdtype(given.dtype, np.integer) or (given.size and (given.min() < 0 or given.max() > highest)):
        raise InputError.of("bad-card", "hands", f"the {ranking.id} order takes cards as integers from 0 to {highest}")
    return np.ascontiguousarray(given, dtype=np.uint8)


def _in_slices(rows: int, threads: int, work: Callable[[slice], None]) -> None:
    """Do the work on equal slices of the rows, one a thread; kernels do not hold the interpreter lock."""
    if threads <= 1:
        work(slice(0, rows))
        return
    edges = [rows * number // threads for number in range(threads + 1)]
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, map(slice, edges[:-1], edges[1:])))


def warm_up(say: Callable[[str], None]) -> None:
    """Get the batch kernels ready, compiling them if this is their first use here; `say` is told if so."""
    announce_compiling(say)
    hand = np.arange(0, 35, 5, dtype=np.uint8).reshape(1, 7)
    rank_hands(hand)
    names_of_hands(hand)
