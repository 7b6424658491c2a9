"""The kernels that walk through all hands of a deck, in the order of the dealer's tables.

The lowest card is in the innermost loop, so that the look-ups in the tables stay close together.
Nothing else is loaded for a walk, not even the kernels that lay the tables: an answer should not wait for them.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Final, TypeAlias

from houseway.ranking.jit import njit

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)
import numpy.typing as npt  # isort: skip

if TYPE_CHECKING:
    from houseway.odds.pai_gow.layouts import Highs, Ints, Lows

BINOMIALS: Final = np.array([[comb(n, k) for k in range(9)] for n in range(54)], dtype=np.int64)
"""The place of a hand in the tables is the sum of these over its cards: row the card, column its place from below."""

Classes: TypeAlias = npt.NDArray[np.uint16]


@njit
def walk_below(
    top: int,
    deck: Ints,
    size: int,
    highs: Highs,
    lows: Lows,
    high_cells: Classes,
    low_classes: Classes,
    binomials: Ints,
    counts: Ints,
) -> None:
    """Count the hands of a deck, its cards ascending, whose highest card stands at `top`."""
    upper = size - 2
    picks = np.empty(upper, np.int64)
    for place in range(upper - 1):
        picks[place] = place + 2
    picks[upper - 1] = top
    while True:
        base = 0
        for place in range(upper):
            base += binomials[deck[picks[place]], place + 3]
        for second in range(1, picks[0]):
            row = base + binomials[deck[second], 2]
            for lowest in range(second):
                hand = row + deck[lowest]
                counts[high_cells[highs[hand]] + low_classes[lows[hand]]] += 1
        moved = 0
        while moved < upper - 1 and picks[moved] + 1 == picks[moved + 1]:
            picks[moved] = moved + 2
            moved += 1
        if moved == upper - 1:
            return
        picks[moved] += 1


@njit
def walk_decks(
    decks: Ints,
    size: int,
    highs: Highs,
    lows: Lows,
    high_cells: Classes,
    low_classes: Classes,
    binomials: Ints,
    counts: Ints,
) -> None:
    """Count the hands of many decks, one a row; every deck has its own row of counts."""
    for row in range(len(decks)):
        for top in range(size - 1, decks.shape[1]):
            walk_below(top, decks[row], size, highs, lows, high_cells, low_classes, binomials, counts[row])
