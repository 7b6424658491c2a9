"""Walking through all dealer hands that the cards left over can give, and counting them by what they are.

A few settings need to know little of a dealer's hand: between which of their high hands it falls, and between which of
their low hands. So every hand is one look-up in the dealer's tables, and adds one to one of a few dozen cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from houseway.odds.pai_gow.dealer_tables import DealerTables
from houseway.odds.pai_gow.outcomes import Breaks
from houseway.odds.pai_gow.splits import LOW_RANKS
from houseway.odds.pai_gow.walk_kernels import BINOMIALS, Classes, walk_below, walk_decks

import numpy as np  # isort: skip  (after the check for the optional part in `walk_kernels`)

if TYPE_CHECKING:
    from houseway.odds.pai_gow.layouts import Ints


def _cells(tables: DealerTables, breaks: Breaks) -> tuple[Classes, Classes]:
    """The cell at which each high hand's row begins, and the place of each low hand in a row."""
    width = breaks.shape[1]
    high_classes = np.searchsorted(np.array(breaks.highs), tables.values, side="right")
    low_classes = np.searchsorted(np.array(breaks.lows), np.arange(LOW_RANKS), side="right")
    return (high_classes * width).astype(np.uint16), low_classes.astype(np.uint16)


def count_cells(tables: DealerTables, deck: Sequence[int], breaks: Breaks, threads: int = 2) -> Ints:
    """How many of the dealer's hands out of a deck fall into each cell; a row for each class of high hands."""
    size = tables.cards
    cards = np.array(sorted(deck), np.int64)
    high_cells, low_classes = _cells(tables, breaks)
    rows, width = breaks.shape

    def below(top: int) -> Ints:
        counts = np.zeros(rows * width, np.int64)
        walk_below(top, cards, size, tables.highs, tables.lows, high_cells, low_classes, BINOMIALS, counts)
        return counts

    with ThreadPoolExecutor(threads) as pool:
        # The highest cards have the most hands: begin with them, so that the threads end together.
        parts = list(pool.map(below, range(len(cards) - 1, size - 2, -1)))
    counted: Ints = np.sum(parts, axis=0, dtype=np.int64)
    return counted.reshape(rows, width)


def count_cells_of_decks(tables: DealerTables, decks: Ints, breaks: Breaks) -> Ints:
    """The same for many decks of one size, their cards ascending, one a row; the cells of a deck are one row."""
    high_cells, low_classes = _cells(tables, breaks)
    rows, width = breaks.shape
    counts = np.zeros((len(decks), rows * width), np.int64)
    walk_decks(decks, tables.cards, tables.highs, tables.lows, high_cells, low_classes, BINOMIALS, counts)
    return counts
