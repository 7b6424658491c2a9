"""The shipped ranking tables: what the data file holds, and its loader, which needs neither numpy nor numba.

Every card has a key, and the keys of a hand are added up. The lower part of the sum stands for the ranks alone: over a
row-displaced table (a perfect hash of all rank combinations of five, six and seven cards) it leads to an entry. The
upper part counts the suits; a joker counts in all four. When a suit has five cards, its ranks lead to a second entry.
An entry holds a value for each of the two places of A-2-3-4-5 and the hand names fitted. A hand is worth the higher of
its two entries, for in seven cards with a joker a flush can stand beside a full house or four of a kind.

`houseway.ranking.build_tables` makes the file from the reference; `scripts/build-ranking-tables` writes it.
"""

from __future__ import annotations

import struct
import sys
from array import array
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

TABLE_PATH: Final = Path(__file__).with_name("tables.bin")
MAGIC: Final = b"HWRANK01"

# Bits of a sum of card keys: the ranks below, then four suit counters of four bits each.
RANK_BITS: Final = 25
RANK_MASK: Final = (1 << RANK_BITS) - 1
ROW_SHIFT: Final = 12
SUIT_COUNT_SHIFT: Final = 32
# Adding three to each counter sets its top bit when it is five or more.
FLUSH_BIAS: Final = 0x3333 << SUIT_COUNT_SHIFT
FLUSH_BITS: Final = 0x8888 << SUIT_COUNT_SHIFT

# Bits of the card masks: one lane a suit, the ranks in its bits 0-12, the joker in bit 13 of every lane.
LANE_BITS: Final = 16
LANE_MASK: Final = (1 << 14) - 1
JOKER_BIT: Final = 1 << 13
NATURAL_LANES: Final = sum(0x1FFF << LANE_BITS * suit for suit in range(4))
KING_AND_QUEEN: Final = 0b0_1100_0000_0000


class RankingTables(NamedTuple):
    """The sections of the data file, in its order."""

    card_keys: array[int]
    """By card: what it adds to the sum."""
    card_masks: array[int]
    """By card: its bit in the lane of its suit."""
    row_offsets: array[int]
    """By row of the rank sum: what to add to the rank sum to get the place in `entries`."""
    entries: array[int]
    """By that place: the entry of the ranks."""
    flush_entries: array[int]
    """By the lane of a suit with five or more cards: the entry of the flush."""
    values_wheel_second: array[int]
    """By entry: the value when A-2-3-4-5 is the second-highest straight."""
    values_wheel_lowest: array[int]
    """By entry: the value when A-2-3-4-5 is the lowest straight."""
    names: array[int]
    """By entry: the names fitted, one bit a name in the order of HAND_NAMES."""


# The type code of each section, which is the same for `array` and for numpy.
SECTION_CODES: Final = ("q", "q", "i", "H", "H", "i", "i", "i")
_CODE_SIZES: Final = {"q": 8, "i": 4, "H": 2}


def pack_tables(tables: RankingTables) -> bytes:
    """The data file's bytes: magic, the number of items of each section, the sections, all little-endian."""
    header = MAGIC + struct.pack(f"<{len(tables)}I", *map(len, tables))
    return header + b"".join(_little_endian(section).tobytes() for section in tables)


def unpack_tables(data: bytes) -> RankingTables:
    """The tables from the data file's bytes."""
    if not data.startswith(MAGIC):
        raise ValueError(f"{TABLE_PATH.name} is not a ranking table file: install the package again")
    header = struct.Struct(f"<{len(SECTION_CODES)}I")
    place = len(MAGIC) + header.size
    sections: list[array[int]] = []
    for code, length in zip(SECTION_CODES, header.unpack_from(data, len(MAGIC)), strict=True):
        section = array(code)
        assert section.itemsize == _CODE_SIZES[code]
        end = place + length * section.itemsize
        section.frombytes(data[place:end])
        sections.append(_little_endian(section))
        place = end
    assert place == len(data)
    return RankingTables(*sections)


@cache
def load_tables() -> RankingTables:
    """The shipped tables, read once."""
    return unpack_tables(TABLE_PATH.read_bytes())


def _little_endian(section: array[int]) -> array[int]:
    """The section with its bytes in the file's order, or back in the machine's."""
    if sys.byteorder == "little":
        return section
    swapped = section[:]
    swapped.byteswap()
    return swapped
