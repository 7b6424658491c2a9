"""The tables in plain Python and the kernels give what the reference gives, on every hand there is.

Hands of five are compared one by one; hands of six and seven by suit classes, whose weights add up to the domain.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb

import pytest

from houseway.ranking import fast, reference
from houseway.ranking.reference import PAI_GOW, RANKINGS, STANDARD, Ranking

pytest.importorskip("numba")
import numpy as np
import numpy.typing as npt

from houseway.ranking import rank_kernels
from houseway.ranking.counting import count_domain
from tests.ranking import domains

pytestmark = [pytest.mark.kernels, pytest.mark.slow]

every_order = pytest.mark.parametrize("ranking", RANKINGS.values(), ids=RANKINGS.keys())


def assert_kernels_agree(hands: domains.Hands, ranking: Ranking) -> domains.Expected:
    expected = domains.expect(hands, ranking)
    assert np.array_equal(rank_kernels.rank_hands(hands, ranking), expected.values)
    assert np.array_equal(rank_kernels.names_of_hands(hands, ranking), expected.names)
    return expected


def assert_tables_agree(hands: domains.Hands, ranking: Ranking, value: domains.Numbers, names: domains.Numbers) -> None:
    """Compare the look-ups in plain Python, hand by hand, with results for all of them."""
    for look_up, results in ((fast.value_of_best, value), (fast.names_mask, names)):
        found = np.fromiter((look_up(hand, ranking) for hand in hands.tolist()), np.int32, len(hands))
        assert np.array_equal(found, results)


def assert_weighted_classes_count_the_domain(
    weights: npt.NDArray[np.uint8], expected: domains.Expected, size: int, ranking: Ranking
) -> None:
    """Weighted by class, the reference counts the same as the kernel that deals out every single hand."""
    counted = count_domain(size, ranking)
    assert weights.sum(dtype=np.int64) == counted.hands == comb(53 if ranking.joker else 52, size)
    assert weighted_counts(expected.values, weights) == counted.values
    assert weighted_counts(expected.names, weights) == counted.names


def weighted_counts(results: domains.Numbers, weights: npt.NDArray[np.uint8]) -> dict[int, int]:
    different, which = np.unique(results, return_inverse=True)
    return dict(zip(different.tolist(), np.bincount(which, weights).astype(np.int64).tolist(), strict=True))


@every_order
def test_every_hand_of_five(ranking: Ranking) -> None:
    hands = domains.every_hand_of_five(ranking)
    assert len(hands) == comb(53 if ranking.joker else 52, 5)
    expected = assert_kernels_agree(hands, ranking)
    assert_tables_agree(hands[::7], ranking, *(result[::7] for result in expected))


@every_order
def test_every_class_of_six(ranking: Ranking) -> None:
    classes = domains.classes(6, ranking)
    assert len(classes) == (1_097_447 if ranking.joker else 962_988)
    hands = classes.cards()
    expected = assert_kernels_agree(hands, ranking)
    assert_weighted_classes_count_the_domain(classes.weights, expected, 6, ranking)
    assert_tables_agree(hands[::3], ranking, *(result[::3] for result in expected))


@every_order
def test_every_class_of_seven(ranking: Ranking) -> None:
    classes = domains.classes(7, ranking)
    assert len(classes) == (6_972_147 if ranking.joker else 6_009_159)
    hands = classes.cards()
    expected = assert_kernels_agree(hands, ranking)
    assert_weighted_classes_count_the_domain(classes.weights, expected, 7, ranking)
    assert_tables_agree(hands[::31], ranking, *(result[::31] for result in expected))


@pytest.mark.parametrize(
    ("size", "joker"), [(5, True), (6, True), (7, True), (5, False), (6, False), (7, False)], ids=str
)
def test_reference_names_follow_from_values_and_counts(size: int, joker: bool) -> None:
    """What `domains` puts together for whole domains is what `reference.names_fitted` says about single hands."""
    ranking = PAI_GOW if joker else STANDARD
    hands = domains.classes(size, ranking).cards()
    hands = hands[:: len(hands) // 700]
    fitted = [fast.mask_of_names(reference.names_fitted(hand, ranking)) for hand in hands.tolist()]
    assert fitted == domains.expect(hands, ranking).names.tolist()


@pytest.mark.full
@every_order
def test_the_reference_itself_on_every_hand_of_five(ranking: Ranking) -> None:
    """Every one of the 2,869,685 hands asked from the reference, with no use of suit classes."""
    hands = domains.every_hand_of_five(ranking)
    found = np.fromiter((reference.value_of_five(hand, ranking) for hand in hands.tolist()), np.int32, len(hands))
    assert np.array_equal(found, rank_kernels.rank_hands(hands, ranking))


@pytest.mark.full
@every_order
@pytest.mark.parametrize("size", [5, 6, 7])
def test_tables_on_every_hand(size: int, ranking: Ranking) -> None:
    """The look-ups in plain Python on all fives and on all classes; the kernels were compared with the reference."""
    every: dict[int, Callable[[], domains.Hands]] = {5: lambda: domains.every_hand_of_five(ranking)}
    hands = every.get(size, lambda: domains.classes(size, ranking).cards())()
    assert_tables_agree(
        hands, ranking, rank_kernels.rank_hands(hands, ranking), rank_kernels.names_of_hands(hands, ranking)
    )
