"""The shipped table file: never stale, small, loadable by Python alone, and closed against wild look-ups."""

from __future__ import annotations

import subprocess
import sys

import pytest

from houseway.ranking.build_tables import RANK_KEYS, build_tables, displace_rows
from houseway.ranking.hand_names import HAND_NAMES
from houseway.ranking.rank_tables import (
    MAGIC,
    RANK_MASK,
    ROW_SHIFT,
    TABLE_PATH,
    load_tables,
    pack_tables,
    unpack_tables,
)


def test_the_shipped_file_is_what_the_reference_gives() -> None:
    assert pack_tables(build_tables()) == TABLE_PATH.read_bytes(), "run scripts/build-ranking-tables"


def test_the_file_is_small() -> None:
    assert TABLE_PATH.stat().st_size < 1_000_000


def test_packing_and_unpacking_give_the_same_tables() -> None:
    assert unpack_tables(pack_tables(load_tables())) == load_tables()


@pytest.mark.parametrize("data", [b"", b"something else", MAGIC[:-1] + b"?" + bytes(40)])
def test_another_file_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"tables\.bin is not a ranking table file"):
        unpack_tables(data)


def test_no_sum_of_keys_leads_outside_the_tables() -> None:
    """A hand with a card twice has no meaning, but must not read foreign memory in a kernel."""
    tables = load_tables()
    assert len(tables.row_offsets) == (RANK_MASK >> ROW_SHIFT) + 1
    for row, offset in enumerate(tables.row_offsets):
        start = (row << ROW_SHIFT) + offset
        assert 0 <= start <= len(tables.entries) - (1 << ROW_SHIFT)
    assert max(tables.entries) < len(tables.names)
    assert len(tables.flush_entries) == 1 << 14
    assert max(tables.flush_entries) < len(tables.names)
    assert len(tables.names) == len(tables.values_wheel_second) == len(tables.values_wheel_lowest)
    assert max(tables.names) < 1 << len(HAND_NAMES)


def test_suit_counters_are_out_of_the_reach_of_rank_sums() -> None:
    assert 7 * max(RANK_KEYS) < 1 << 32


def test_displaced_rows_never_meet() -> None:
    rank_sums = [0, 1, 5, 1 << ROW_SHIFT, (1 << ROW_SHIFT) + 1, 2 << ROW_SHIFT]
    starts = displace_rows(rank_sums)
    assert starts == {0: 0, 1: 2, 2: 4}
    places = {starts[rank_sum >> ROW_SHIFT] + rank_sum % (1 << ROW_SHIFT) for rank_sum in rank_sums}
    assert len(places) == len(rank_sums)


def test_ranking_works_without_numpy_and_numba() -> None:
    program = (
        "import sys; sys.modules['numpy'] = sys.modules['numba'] = None\n"
        "from houseway.cards import parse_cards\n"
        "from houseway.ranking import names_mask, names_of_mask, value_of_best\n"
        "cards = parse_cards('Jk As Ad Ac Ah Ks Qs')\n"
        "print(value_of_best(cards) >> 20, 'five-aces' in names_of_mask(names_mask(cards)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["10", "True"]
