"""The hands of one pattern against three up cards, their suits chosen rank by rank, every sum shared while it can be.

A hand's completions are an alternating sum over the subsets of at most three of its cards. An option is one way to hold
the cards of a rank. What it adds to the sum is a number of its own, one with each option of another rank, and one with
each two: no subset reaches further. Choosing an option therefore turns these numbers, for the ranks still open, into
numbers of one order less. The last two ranks are joined to ends, so that the innermost loop runs over one row.
"""

from __future__ import annotations

from math import comb
from typing import Final

from houseway.odds.six_card_poker.six_cards import DECK, RANKS, SIZE, Ints
from houseway.ranking.jit import njit

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)

FOLDED: Final = 0
BELOW: Final = 1
NOT_ABOVE: Final = 2
UNQUALIFIED: Final = 3
COLUMNS: Final = 4
"""The columns of the result: hands folded, and the completions that they would have met in the three counts."""
FIELD: Final = 20
"""How many bits each of the lower two numbers has in a sum."""
MOST_OPTIONS: Final = 24
MOST_ENDS: Final = 36
PAIRS_UNDER: Final = np.array([comb(card, 2) for card in range(DECK)], np.int64)
TRIPLES_UNDER: Final = np.array([comb(card, 3) for card in range(DECK)], np.int64)
"""Three cards a > b > c have the place TRIPLES_UNDER[a] + PAIRS_UNDER[b] + c in the table of triples."""

_FIELD_MASK: Final = (1 << FIELD) - 1
# Added to four counters of suits, four bits each, they set a counter's top bit from three or from five cards on.
_SUIT_THREES_BIAS: Final = 0x5555
_SUIT_FIVES_BIAS: Final = 0x3333
_SUIT_TOPS: Final = 0x8888


@njit
def lay_options(counts: Ints, up_mask: int, starts: Ints, options: Ints, suits: Ints) -> int:
    """List the ways to hold each rank of a pattern without an up card, the highest rank first; returns how many ranks.

    `starts` gets the first option of each rank and the end; an option is its cards, descending, with -1 behind them.
    """
    ranks = found = 0
    for rank in range(RANKS - 1, -1, -1):
        if not counts[rank]:
            continue
        starts[ranks] = found
        ranks += 1
        for chosen in range(16):
            held = 0
            for suit in range(3, -1, -1):
                if chosen >> suit & 1:
                    held += 1
            if held != counts[rank] or up_mask >> (4 * rank) & chosen:
                continue
            held = 0
            suits[found] = 0
            for suit in range(3, -1, -1):
                if chosen >> suit & 1:
                    options[found, held] = 4 * rank + suit
                    suits[found] += 1 << 4 * suit
                    held += 1
            options[found, held] = -1
            found += 1
    starts[ranks] = found
    return ranks


@njit
def _own_sum(cards: Ints, ones: Ints, twos: Ints, threes: Ints) -> int:
    """What the subsets of one rank's cards add to the alternating sum."""
    added = 0
    first = 0
    while cards[first] >= 0:
        added -= ones[cards[first]]
        second = first + 1
        while cards[second] >= 0:
            added += twos[cards[first], cards[second]]
            third = second + 1
            while cards[third] >= 0:
                added -= threes[TRIPLES_UNDER[cards[first]] + PAIRS_UNDER[cards[second]] + cards[third]]
                third += 1
            second += 1
        first += 1
    return added


@njit
def _sum_of_two(high: Ints, low: Ints, twos: Ints, threes: Ints) -> int:
    """What the subsets with cards of both of two ranks add; every card of `high` is above every card of `low`."""
    added = 0
    first = 0
    while high[first] >= 0:
        second = 0
        while low[second] >= 0:
            added += twos[high[first], low[second]]
            other = first + 1
            while high[other] >= 0:
                added -= threes[TRIPLES_UNDER[high[first]] + PAIRS_UNDER[high[other]] + low[second]]
                other += 1
            other = second + 1
            while low[other] >= 0:
                added -= threes[TRIPLES_UNDER[high[first]] + PAIRS_UNDER[low[second]] + low[other]]
                other += 1
            second += 1
        first += 1
    return added


@njit
def _sum_of_three(high: Ints, middle: Ints, low: Ints, threes: Ints) -> int:
    """What the subsets of one card of each of three ranks add."""
    added = 0
    first = 0
    while high[first] >= 0:
        second = 0
        while middle[second] >= 0:
            row = TRIPLES_UNDER[high[first]] + PAIRS_UNDER[middle[second]]
            third = 0
            while low[third] >= 0:
                added -= threes[row + low[third]]
                third += 1
            second += 1
        first += 1
    return added


@njit
def fill_additions(
    ranks: int, starts: Ints, options: Ints, tables: tuple[Ints, Ints, Ints], additions: tuple[Ints, Ints, Ints]
) -> None:
    """Fill in what options add to the sum by themselves, together with one and with two of later ranks."""
    ones, twos, threes = tables
    alone, of_two, of_three = additions
    for first in range(ranks):
        for high in range(starts[first], starts[first + 1]):
            alone[high] = _own_sum(options[high], ones, twos, threes)
            for second in range(first + 1, ranks):
                for middle in range(starts[second], starts[second + 1]):
                    of_two[high, middle] = _sum_of_two(options[high], options[middle], twos, threes)
                    for low in range(starts[second + 1], starts[ranks]):
                        of_three[high, middle, low] = _sum_of_three(
                            options[high], options[middle], options[low], threes
                        )


@njit
def _fill_ends(
    ranks: int,
    starts: Ints,
    suits: Ints,
    additions: tuple[Ints, Ints, Ints],
    ends: tuple[Ints, Ints, Ints],
    end_suits: Ints,
) -> int:
    """Join the options of the last two ranks to ends, and return how many there are.

    Filled in is what an end adds by itself, together with one option of an earlier rank, and with two.
    """
    alone, of_two, of_three = additions
    end_alone, end_of_two, end_of_three = ends
    found = 0
    for first in range(starts[ranks - 2], starts[ranks - 1]):
        for second in range(starts[ranks - 1], starts[ranks]):
            end_alone[0, found] = alone[first] + alone[second] + of_two[first, second]
            end_suits[found] = suits[first] + suits[second]
            for option in range(starts[ranks - 2]):
                end_of_two[0, option, found] = (
                    of_two[option, first] + of_two[option, second] + of_three[option, first, second]
                )
            found += 1
    for rank in range(ranks - 3):
        for option in range(starts[rank], starts[rank + 1]):
            for later in range(starts[rank + 1], starts[ranks - 2]):
                found = 0
                for first in range(starts[ranks - 2], starts[ranks - 1]):
                    for second in range(starts[ranks - 1], starts[ranks]):
                        end_of_three[option, later, found] = (
                            of_three[option, later, first] + of_three[option, later, second]
                        )
                        found += 1
    return found


@njit
def _descend(
    level: int,
    option: int,
    ranks: int,
    starts: Ints,
    count: int,
    of_three: Ints,
    stack: tuple[Ints, Ints],
    ends: tuple[Ints, Ints, Ints],
) -> None:
    """Fill in the next level after an option is chosen: each later term gains what it adds together with it."""
    alone, of_two = stack
    end_alone, end_of_two, end_of_three = ends
    early = starts[ranks - 2]
    for end in range(count):
        end_alone[level + 1, end] = end_alone[level, end] + end_of_two[level, option, end]
    for later in range(starts[level + 1], early):
        alone[level + 1, later] = alone[level, later] + of_two[level, option, later]
        for end in range(count):
            end_of_two[level + 1, later, end] = end_of_two[level, later, end] + end_of_three[option, later, end]
    for rank in range(level + 1, ranks - 3):
        for later in range(starts[rank], starts[rank + 1]):
            for last in range(starts[rank + 1], early):
                of_two[level + 1, later, last] = of_two[level, later, last] + of_three[option, later, last]


@njit
def walk(
    ranks: int,
    starts: Ints,
    suits: Ints,
    total: int,
    limit: int,
    additions: tuple[Ints, Ints, Ints],
    ends: tuple[Ints, Ints, Ints],
    end_suits: Ints,
    stack: tuple[Ints, Ints],
    result: Ints,
) -> None:
    """Choose suits rank by rank and add up the folded hands of a pattern: those whose sum stays below the limit.

    Level by level, the stack and the ends hold what an option, two of them, or an end would add after the choices so
    far.
    """
    alone, of_two = stack
    end_alone, end_of_two, _ = ends
    count = _fill_ends(ranks, starts, suits, additions, ends, end_suits)
    if ranks == 2:
        _judge(0, -1, count, 0, total, limit, end_alone, end_of_two, end_suits, result)
        return
    early = starts[ranks - 2]
    for option in range(early):
        alone[0, option] = additions[0][option]
        for later in range(early):
            of_two[0, option, later] = additions[1][option, later]
    sums = np.zeros(SIZE, np.int64)
    held = np.zeros(SIZE, np.int64)
    chosen = np.zeros(SIZE, np.int64)
    sums[0] = total
    level = 0
    chosen[0] = starts[0]
    while level >= 0:
        option = chosen[level]
        if option == starts[level + 1]:
            level -= 1
            continue
        chosen[level] += 1
        added = sums[level] + alone[level, option]
        holds = held[level] + suits[option]
        if level == ranks - 3:
            _judge(level, option, count, holds, added, limit, end_alone, end_of_two, end_suits, result)
            continue
        sums[level + 1], held[level + 1] = added, holds
        _descend(level, option, ranks, starts, count, additions[2], stack, ends)
        level += 1
        chosen[level] = starts[level]


@njit
def _judge(
    level: int,
    option: int,
    count: int,
    holds: int,
    total: int,
    limit: int,
    end_alone: Ints,
    end_of_two: Ints,
    end_suits: Ints,
    result: Ints,
) -> None:
    """Add up the folded hands among all ends, after a last option or none."""
    folded = sums = 0
    if (holds + _SUIT_THREES_BIAS) & _SUIT_TOPS == 0 and option >= 0:
        for end in range(count):
            counts = total + end_alone[level, end] + end_of_two[level, option, end]
            folded += 1 if counts < limit else 0
            sums += counts if counts < limit else 0
    else:
        # Two more cards may make a flush here, which is never folded.
        for end in range(count):
            counts = total + end_alone[level, end] + (end_of_two[level, option, end] if option >= 0 else 0)
            fold = counts < limit and (holds + end_suits[end] + _SUIT_FIVES_BIAS) & _SUIT_TOPS == 0
            folded += 1 if fold else 0
            sums += counts if fold else 0
    # At most 36 hands: no field runs over into the next.
    result[FOLDED] += folded
    result[BELOW] += sums & _FIELD_MASK
    result[NOT_ABOVE] += sums >> FIELD & _FIELD_MASK
    result[UNQUALIFIED] += sums >> 2 * FIELD
