"""The count tables of tests/counts hold when every hand of their domain is dealt and ranked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb

import pytest

from houseway.ranking.fast import names_of_mask
from houseway.ranking.hand_names import CATEGORY_SHIFT, HAND_NAMES, Category
from houseway.ranking.reference import PAI_GOW, PAI_GOW_LOW_WHEEL, STANDARD, Ranking
from tests.ranking.counts_files import LESS, CountsFile, all_counts_files

pytest.importorskip("numba")
from houseway.ranking.counting import DomainCounts, count_domain

pytestmark = pytest.mark.kernels

FILES = all_counts_files()
every_file = pytest.mark.parametrize("file", FILES, ids=[file.name for file in FILES])


def by_first_name(counts: DomainCounts, order: Sequence[str]) -> dict[str, int]:
    """The hands by their first fitting name in that order: a pay table's counts, line by line."""
    found = dict.fromkeys(order, 0)
    for mask, hands in counts.names.items():
        fitted = names_of_mask(mask)
        first = next((name for name in order if name in fitted), None)
        if first is not None:
            found[first] += hands
    return found


def test_the_domains_of_the_decisions_are_there() -> None:
    assert {file.name for file in FILES} >= {"7-of-53", "6-of-53", "6-of-52"}


@every_file
def test_counts_file_names_its_source_and_adds_up(file: CountsFile) -> None:
    assert file.source
    assert set(file.counts) <= {*HAND_NAMES, LESS}
    assert file.hands == comb(53 if file.ranking.joker else 52, file.cards)
    assert sum(file.counts.values()) == file.hands


@every_file
def test_counts_hold_on_the_whole_domain(file: CountsFile) -> None:
    counted = count_domain(file.cards, file.ranking)
    expected = dict(file.counts)
    less = expected.pop(LESS, 0)
    assert by_first_name(counted, list(expected)) == expected
    assert counted.hands - sum(expected.values()) == less
    assert counted.hands == sum(counted.names.values()) == file.hands


@pytest.mark.parametrize("wheel", [PAI_GOW, PAI_GOW_LOW_WHEEL], ids=lambda ranking: ranking.id)
def test_best_value_alone_gives_the_categories(wheel: Ranking) -> None:
    """By value a straight beats three of a kind, whatever a pay table's order says; the wheel moves no category."""
    # Of the seven-card straight flushes, 4 natural ones (eight to ace) and 36 with the joker hold a royal flush.
    royal_among_sevens = 40
    by_category: Counter[Category] = Counter()
    for value, hands in count_domain(7, wheel).values.items():
        by_category[Category(value >> CATEGORY_SHIFT)] += hands
    assert by_category == {
        Category.FIVE_ACES: 1_128,
        Category.ROYAL_FLUSH: 26_020 + 72 + royal_among_sevens,
        Category.STRAIGHT_FLUSH: 184_644 + 32 + 196 - royal_among_sevens,
        Category.FOUR_OF_A_KIND: 307_472,
        Category.FULL_HOUSE: 4_188_528,
        Category.FLUSH: 6_172_088,
        Category.STRAIGHT: 11_236_028,
        Category.THREE_OF_A_KIND: 7_672_500 + 11_034_204 - 11_236_028,
        Category.TWO_PAIR: 2_862_000 + 32_691_816,
        Category.PAIR: 64_221_960,
        Category.HIGH_CARD: 24_780_420,
    }


def test_threads_count_the_same() -> None:
    assert count_domain(6, PAI_GOW, threads=3) == count_domain(6, PAI_GOW)


def test_the_standard_order_has_7462_values_of_five_cards() -> None:
    assert len(count_domain(5, STANDARD).values) == 7_462


def test_a_count_can_be_asked_in_another_order() -> None:
    counts = DomainCounts({0: 5}, {_mask("straight", "three-of-a-kind", "pair"): 3, _mask("pair"): 2})
    assert by_first_name(counts, ["three-of-a-kind", "straight"]) == {"three-of-a-kind": 3, "straight": 0}
    assert by_first_name(counts, ["straight", "three-of-a-kind"]) == {"straight": 3, "three-of-a-kind": 0}
    assert Counter(by_first_name(counts, ["pair"])) == {"pair": 5}


def _mask(*names: str) -> int:
    return sum(1 << HAND_NAMES.index(name) for name in names)
