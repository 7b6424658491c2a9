"""The compiled kernels: scalar functions, batches, and what they refuse; whole domains are in test_whole_domains."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given

from houseway.errors import InputError
from houseway.ranking import fast, reference
from houseway.ranking.reference import PAI_GOW, PAI_GOW_LOW_WHEEL, STANDARD, Ranking
from tests.ranking.strategies import hands_in_an_order

pytest.importorskip("numba")
import numpy as np

from houseway.ranking import rank_kernels

pytestmark = pytest.mark.kernels


def random_hands(count: int, size: int, deck: int = 53) -> rank_kernels.Hands:
    order = np.random.default_rng(7).random((count, deck)).argsort(axis=1)
    return order[:, :size].astype(np.uint8)


@given(hands_in_an_order())
def test_equal_to_the_reference(hand: tuple[list[int], Ranking]) -> None:
    cards, ranking = hand
    assert rank_kernels.rank_hands([cards], ranking).tolist() == [reference.value_of_best(cards, ranking)]
    names = fast.mask_of_names(reference.names_fitted(cards, ranking))
    assert rank_kernels.names_of_hands([cards], ranking).tolist() == [names]


@pytest.mark.parametrize("ranking", [PAI_GOW, PAI_GOW_LOW_WHEEL], ids=lambda ranking: ranking.id)
def test_the_scalar_kernel(ranking: Ranking) -> None:
    wheel = rank_kernels.wheel_of(ranking)
    for hand in random_hands(200, 5).tolist():
        assert rank_kernels.value_of_five(*hand, wheel) == fast.value_of_best(hand, ranking)


def test_the_order_of_cards_does_not_matter() -> None:
    hand = [52, 51, 47, 43, 39]
    found = {rank_kernels.value_of_five(*cards, rank_kernels.WHEEL_SECOND) for cards in permutations(hand)}
    assert found == {reference.value_of_five(hand)}


def test_low_hands_of_every_one_and_two_cards() -> None:
    for first in range(53):
        assert rank_kernels.value_of_one(first) == reference.value_of_one(first)
        for second in range(53):
            if second != first:
                assert rank_kernels.value_of_two(first, second) == reference.value_of_two([first, second])


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("count", [0, 1, 3, 1023, 1024, 2500])
def test_batches_of_any_length_in_any_number_of_threads(count: int, threads: int) -> None:
    hands = random_hands(count, 7)
    assert rank_kernels.rank_hands(hands, threads=threads).tolist() == [
        fast.value_of_best(hand) for hand in hands.tolist()
    ]
    assert rank_kernels.names_of_hands(hands, threads=threads).tolist() == [
        fast.names_mask(hand) for hand in hands.tolist()
    ]


def test_hands_may_come_as_lists_and_as_any_integers_in_any_layout() -> None:
    hands = random_hands(50, 6, deck=52)
    expected = rank_kernels.rank_hands(hands, STANDARD).tolist()
    for same in (hands.tolist(), hands.astype(np.int64), np.asfortranarray(hands), np.repeat(hands, 2, axis=0)[::2]):
        assert rank_kernels.rank_hands(same, STANDARD).tolist() == expected


@pytest.mark.parametrize(
    ("hands", "ranking", "code"),
    [
        ([1, 2, 3, 4, 5], PAI_GOW, "card-count"),
        ([[1, 2, 3, 4]], PAI_GOW, "card-count"),
        ([[1, 2, 3, 4, 5, 6, 7, 8]], PAI_GOW, "card-count"),
        ([[1, 2, 3, 4, 53]], PAI_GOW, "bad-card"),
        ([[1, 2, 3, 4, -1]], PAI_GOW, "bad-card"),
        ([[1, 2, 3, 4, 256]], PAI_GOW, "bad-card"),
        ([[1.0, 2.0, 3.0, 4.0, 5.0]], PAI_GOW, "bad-card"),
        ([[1, 2, 3, 4, 52]], STANDARD, "bad-card"),
    ],
)
def test_what_is_no_batch_of_hands_is_refused(hands: list[object], ranking: Ranking, code: str) -> None:
    for rank in (rank_kernels.rank_hands, rank_kernels.names_of_hands):
        with pytest.raises(InputError) as refused:
            rank(np.array(hands), ranking)
        assert [fault.code for fault in refused.value.faults] == [code]


def test_a_card_twice_is_meaningless_but_harmless() -> None:
    hands = np.repeat(np.arange(53, dtype=np.uint8)[:, np.newaxis], 7, axis=1)
    assert len(rank_kernels.rank_hands(hands)) == len(rank_kernels.names_of_hands(hands)) == 53


def test_nobody_can_change_a_table_under_the_compiled_code() -> None:
    for table in (
        rank_kernels.CARD_KEYS,
        rank_kernels.CARD_MASKS,
        rank_kernels.VALUES_OF_ENTRY,
        rank_kernels.NAMES_OF_ENTRY,
    ):
        with pytest.raises(ValueError, match="read-only"):
            table[..., 0] = 1
