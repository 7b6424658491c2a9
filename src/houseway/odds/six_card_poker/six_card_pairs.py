"""Every pair of six-card hands of a 52-card deck compared: how often the first wins, ties and loses, by its names.

Of all pairs of hands, dealt or not, those without a common card are the sum over all sets S of cards of (-1)^|S| times
the pairs in which both hands contain S. For one S the two hands are free of each other, so one histogram of the hands
that contain S, walked in the order of values, gives every comparison at once. Sets that differ only by the names of
suits count alike: one of each class is looked at, with its weight.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import Final

from houseway.odds.six_card_poker.fold_rules import least_losing, least_qualifying, losing_looks
from houseway.odds.six_card_poker.six_cards import (
    DECK,
    NAME_SET_COUNT,
    SIZE,
    VALUE_COUNT,
    Ints,
    kind_of_sums,
    value_number,
)
from houseway.ranking.jit import njit
from houseway.ranking.rank_kernels import CARD_KEYS, CARD_MASKS
from houseway.ranking.suit_classes import suit_classes

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)

Progress = Callable[[int, int], None]
"""Called with the number of sizes of shared sets done and of all."""

WIN_QUALIFIED: Final = 0
WIN_UNQUALIFIED: Final = 1
TIE: Final = 2
LOSE_QUALIFIED: Final = 3
LOSE_UNQUALIFIED: Final = 4
LOSE_COUNTED: Final = 5
"""The columns of the result: how the first hand fares, by whether the second qualifies; the last one counts again the
losses of a first hand at which a wager on losing hands looks."""
COLUMNS: Final = 6
_PARTS: Final = 64


@njit
def histogram(shared: Ints, deck: int, counts: Ints, present: Ints) -> int:
    """Count by kind the six-card hands of a deck that contain the shared cards; returns how many kinds occur.

    `counts` comes in zeroed; `present` is filled with the kinds in ascending order.
    """
    rest = np.empty(deck, np.int64)
    free = 0
    for card in range(deck):
        out = False
        for other in shared:
            out = out or other == card
        if not out:
            rest[free] = card
            free += 1
    more = SIZE - len(shared)
    keys = np.zeros(SIZE + 1, np.int64)
    masks = np.zeros(SIZE + 1, np.int64)
    for card in shared:
        keys[0] += CARD_KEYS[card]
        masks[0] |= CARD_MASKS[card]
    found = depth = 0
    picks = np.zeros(SIZE + 1, np.int64)
    while depth >= 0:
        if depth < more:
            if picks[depth] > free - more + depth:
                depth -= 1
                picks[depth] += depth >= 0
                continue
            card = rest[picks[depth]]
            keys[depth + 1] = keys[depth] + CARD_KEYS[card]
            masks[depth + 1] = masks[depth] | CARD_MASKS[card]
            picks[depth + 1] = picks[depth] + 1
            depth += 1
            continue
        kind = kind_of_sums(keys[depth], masks[depth])
        if not counts[kind]:
            present[found] = kind
            found += 1
        counts[kind] += 1
        depth -= 1
        picks[depth] += depth >= 0
    present[:found].sort()
    return found


@njit
def compare_kinds(counts: Ints, present: Ints, found: int, weight: int, least: tuple[int, int], sums: Ints) -> None:
    """Add the pairs of two hands of one histogram to the sums, by name set and column; clears the counts.

    `least` are the value numbers from which the second hand qualifies and from which a losing first hand is counted.
    """
    qualifying, losing = least
    total = unqualified = 0
    for place in range(found):
        total += counts[present[place]]
        if present[place] < qualifying * NAME_SET_COUNT:
            unqualified += counts[present[place]]
    below = start = 0
    while start < found:
        value = present[start] // NAME_SET_COUNT
        end, equal = start, 0
        while end < found and present[end] // NAME_SET_COUNT == value:
            equal += counts[present[end]]
            end += 1
        above = total - below - equal
        lower_unqualified = min(below, unqualified)
        higher_unqualified = max(unqualified - below - equal, 0)
        for place in range(start, end):
            names = present[place] % NAME_SET_COUNT
            mine = counts[present[place]] * weight
            counts[present[place]] = 0
            sums[names, WIN_UNQUALIFIED] += mine * lower_unqualified
            sums[names, WIN_QUALIFIED] += mine * (below - lower_unqualified)
            sums[names, TIE] += mine * equal
            sums[names, LOSE_UNQUALIFIED] += mine * higher_unqualified
            sums[names, LOSE_QUALIFIED] += mine * (above - higher_unqualified)
            if value >= losing:
                sums[names, LOSE_COUNTED] += mine * above
        below += equal
        start = end


@njit
def compare_shared(sets: Ints, weights: Ints, deck: int, least: tuple[int, int]) -> Ints:
    """The weighted pairs of hands that contain each of the sets, by name set and column."""
    counts = np.zeros(VALUE_COUNT * NAME_SET_COUNT, np.int64)
    present = np.empty(VALUE_COUNT * NAME_SET_COUNT, np.int64)
    sums = np.zeros((NAME_SET_COUNT, COLUMNS), np.int64)
    for row in range(len(sets)):
        found = histogram(sets[row], deck, counts, present)
        compare_kinds(counts, present, found, weights[row], least, sums)
    return sums


def shared_sets(size: int) -> tuple[Ints, Ints]:
    """One set of each suit class of that many cards of the 52, and the weights."""
    if size == 0:
        return np.zeros((1, 0), np.int64), np.ones(1, np.int64)
    classes = suit_classes(size, joker=False)
    return np.ascontiguousarray(classes.cards().astype(np.int64)), classes.weights.astype(np.int64)


def least_numbers() -> tuple[int, int]:
    """The value numbers from which the dealer qualifies and from which losing hands count, as the game is defined."""
    return value_number(least_qualifying()), value_number(least_losing(losing_looks()))


def compare_all(*, threads: int = 2, progress: Progress | None = None) -> Ints:
    """All pairs of hands that can be dealt together, by name set of the first hand and column."""
    least = least_numbers()
    sums = np.zeros((NAME_SET_COUNT, COLUMNS), np.int64)
    with ThreadPoolExecutor(threads) as pool:
        for shared in range(SIZE + 1):
            sets, weights = shared_sets(shared)
            assert int(weights.sum()) == comb(DECK, shared)
            parts = [slice(number, None, _PARTS) for number in range(min(len(sets), _PARTS))]
            work = [(np.ascontiguousarray(sets[part]), np.ascontiguousarray(weights[part])) for part in parts]
            # No term exceeds C(52,k) x C(52-k,6-k)^2 < 2^49, so that 64 bits hold all of it.
            for counted in pool.map(lambda part: compare_shared(part[0], part[1], DECK, least), work):
                sums += -counted if shared % 2 else counted
            if progress is not None:
                progress(shared + 1, SIZE + 1)
    assert int(sums[:, :LOSE_COUNTED].sum()) == comb(DECK, SIZE) * comb(DECK - SIZE, SIZE)
    return sums
