"""Makes the ranking tables of `houseway.ranking.rank_tables` from the reference.

Only five cards are ever ranked here, by the reference itself. The best of six is the best of what is left when any one
card is taken away, and so is the best of seven; the same walk gathers which categories a hand holds.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

from houseway.ranking.hand_names import CATEGORY_SHIFT, HAND_NAMES, HIGH_NAMES
from houseway.ranking.rank_tables import (
    JOKER_BIT,
    LANE_BITS,
    RANK_BITS,
    RANK_MASK,
    ROW_SHIFT,
    SECTION_CODES,
    SUIT_COUNT_SHIFT,
    RankingTables,
)
from houseway.ranking.reference import (
    JOKER_INDEX,
    PAI_GOW,
    PAI_GOW_LOW_WHEEL,
    names_fitted,
    names_of_categories,
    names_of_counts,
    rank_counts,
    value_of_five,
)

HAND_SIZES: Final = (5, 6, 7)
JOKER_SYMBOL: Final = 13
_COPIES_OF_A_RANK: Final = 4

# From the deuce up, each key is the smallest for which the sums of all rank combinations stay different among hands of
# nearly the same size (up to two cards more or less, as between five and seven cards). The joker's key is above any sum
# without it.
_SPARSE_RANK_KEYS: Final = (1, 4, 16, 67, 295, 1334, 5734, 23800, 60883, 208450, 509982, 1304151, 2967844)
_SPARSE_JOKER_KEY: Final = 1 << 24
# Multiplying by an odd number modulo a power of two keeps sums different and evens out the rows: without it, rows are
# so alike that they do not fit into each other's gaps, and the table comes out more than twice as long.
_SPREAD: Final = (1 << 11) + 1

RANK_KEYS: Final = tuple(key * _SPREAD & RANK_MASK for key in (*_SPARSE_RANK_KEYS, _SPARSE_JOKER_KEY))
"""What each rank, and the joker as the fourteenth, adds to the rank sum."""


class TableEntry(NamedTuple):
    """What is known about a rank combination or about the ranks of a flush."""

    value_wheel_second: int
    value_wheel_lowest: int
    names: int


class _BestOfFives(NamedTuple):
    """What a walk over the fives of a hand has found: the best value for each wheel, and all categories as bits."""

    second: int
    lowest: int
    categories: int

    @classmethod
    def of_five(cls, cards: tuple[int, ...]) -> _BestOfFives:
        second = value_of_five(cards, PAI_GOW)
        return cls(second, value_of_five(cards, PAI_GOW_LOW_WHEEL), 1 << (second >> CATEGORY_SHIFT))

    @classmethod
    def in_any(cls, parts: Iterable[_BestOfFives]) -> _BestOfFives:
        second = lowest = categories = 0
        for part in parts:
            second, lowest = max(second, part.second), max(lowest, part.lowest)
            categories |= part.categories
        return cls(second, lowest, categories)

    def entry(self, names: Iterable[str]) -> TableEntry:
        return TableEntry(self.second, self.lowest, sum(1 << HAND_NAMES.index(name) for name in names))

    @property
    def names(self) -> frozenset[str]:
        return names_of_categories(number for number in range(11) if self.categories >> number & 1)


def build_tables() -> RankingTables:
    """The ranking tables, the same on every machine."""
    rank_entries, flush_entries = find_rank_entries(), find_flush_entries()
    entries = sorted({*rank_entries.values(), *flush_entries.values()})
    number_of = {entry: number for number, entry in enumerate(entries)}
    starts = displace_rows(rank_entries)
    placed = [0] * (max(starts.values()) + (1 << ROW_SHIFT))
    for rank_sum, entry in rank_entries.items():
        placed[starts[rank_sum >> ROW_SHIFT] + rank_sum % (1 << ROW_SHIFT)] = number_of[entry]
    rows = range(1 << (RANK_BITS - ROW_SHIFT))
    # A lane with fewer than five cards is never asked for; entry 0 keeps the table inside its bounds all the same.
    lanes = [number_of[flush_entries[lane]] if lane in flush_entries else 0 for lane in range(2 * JOKER_BIT)]
    sections: tuple[Iterable[int], ...] = (
        [_card_key(card) for card in range(53)],
        [_card_mask(card) for card in range(53)],
        [starts.get(row, 0) - (row << ROW_SHIFT) for row in rows],
        placed,
        lanes,
        [entry.value_wheel_second for entry in entries],
        [entry.value_wheel_lowest for entry in entries],
        [entry.names for entry in entries],
    )
    return RankingTables(*(array(code, section) for code, section in zip(SECTION_CODES, sections, strict=True)))


def find_rank_entries() -> dict[int, TableEntry]:
    """The entry of every rank combination of five, six and seven cards, by its rank sum."""
    found: dict[int, _BestOfFives] = {}
    entries: dict[int, TableEntry] = {}
    for size in HAND_SIZES:
        for symbols in _rank_combinations(size):
            rank_sum = _rank_sum(symbols)
            assert rank_sum not in found, "two rank combinations share a sum"
            if size == HAND_SIZES[0]:
                best = _BestOfFives.of_five(_unsuited(symbols))
            else:
                best = _BestOfFives.in_any(found[(rank_sum - RANK_KEYS[symbol]) & RANK_MASK] for symbol in set(symbols))
            found[rank_sum] = best
            counts = rank_counts(_unsuited(symbols))
            names = best.names | names_of_counts(counts)
            entries[rank_sum] = best.entry(names or {HIGH_NAMES[max(counts)]})
    return entries


def find_flush_entries() -> dict[int, TableEntry]:
    """The entry of every five to seven cards of one suit, the joker among them or not, by their bits in the lane."""
    found: dict[int, _BestOfFives] = {}
    entries: dict[int, TableEntry] = {}
    for size in HAND_SIZES:
        for symbols in combinations(range(JOKER_SYMBOL + 1), size):
            lane = sum(1 << symbol for symbol in symbols)
            suited = tuple(JOKER_INDEX if symbol == JOKER_SYMBOL else symbol * 4 for symbol in symbols)
            if size == HAND_SIZES[0]:
                found[lane] = _BestOfFives.of_five(suited)
            else:
                found[lane] = _BestOfFives.in_any(found[lane ^ 1 << symbol] for symbol in symbols)
            names = found[lane].names
            if size == HAND_SIZES[-1] and "straight-flush" in names:
                # Only the whole hand shows a seven-card straight flush.
                names = names_fitted(suited) - names_of_counts(rank_counts(suited))
            entries[lane] = found[lane].entry(names)
    return entries


def displace_rows(rank_sums: Iterable[int]) -> dict[int, int]:
    """Where each row of rank sums starts in the table, so that the filled places of all rows interleave.

    The fullest row goes first, each to the first start where it hits no filled place. Filled places are the bits of one
    long integer: shifting it by each column of a row and joining the results marks every start that is taken.
    """
    columns_of_row: dict[int, list[int]] = {}
    for rank_sum in rank_sums:
        columns_of_row.setdefault(rank_sum >> ROW_SHIFT, []).append(rank_sum % (1 << ROW_SHIFT))
    filled = 0
    starts: dict[int, int] = {}
    for row, columns in sorted(columns_of_row.items(), key=lambda item: (-len(item[1]), item[0])):
        taken = 0
        for column in columns:
            taken |= filled >> column
        start = (~taken & (taken + 1)).bit_length() - 1
        starts[row] = start
        filled |= sum(1 << column for column in columns) << start
    return starts


def _rank_combinations(size: int) -> Iterator[tuple[int, ...]]:
    """Every rank combination of a hand of that many cards, the joker last if it is there."""
    for natural, joker in ((size, ()), (size - 1, (JOKER_SYMBOL,))):
        for ranks in combinations_with_replacement(range(13), natural):
            if max(Counter(ranks).values()) <= _COPIES_OF_A_RANK:
                yield ranks + joker


def _unsuited(symbols: tuple[int, ...]) -> tuple[int, ...]:
    """Cards of those ranks with the suits mixed so that no five are of one suit."""
    return tuple(
        JOKER_INDEX if symbol == JOKER_SYMBOL else symbol * 4 + place % 4 for place, symbol in enumerate(symbols)
    )


def _rank_sum(symbols: Iterable[int]) -> int:
    return sum(RANK_KEYS[symbol] for symbol in symbols) & RANK_MASK


def _card_key(card: int) -> int:
    if card == JOKER_INDEX:
        return RANK_KEYS[JOKER_SYMBOL] | 0x1111 << SUIT_COUNT_SHIFT
    return RANK_KEYS[card >> 2] | 1 << SUIT_COUNT_SHIFT + 4 * (card & 3)


def _card_mask(card: int) -> int:
    if card == JOKER_INDEX:
        return sum(JOKER_BIT << LANE_BITS * suit for suit in range(4))
    return 1 << (card >> 2) + LANE_BITS * (card & 3)
