"""The sum over shared cards counts exactly the pairs of hands that can be dealt together: shown by dealing them all."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest

from houseway.cards import JOKER, card_of
from houseway.houseways import house_way
from houseway.ranking import fast
from houseway.ranking.reference import PAI_GOW, value_of_one

pytest.importorskip("numba")
import numpy as np

from houseway.definitions import game
from houseway.games.hand_setting import put_hand
from houseway.houseways.evaluate import TableEvaluator
from houseway.odds.pai_gow.disjoint_pairs import NO_CONTEST, count_shared
from houseway.odds.pai_gow.layouts import BINOMIALS, Highs, Lows
from houseway.odds.pai_gow.splits import LOW_RANKS

pytestmark = pytest.mark.kernels

Side = tuple[Highs, Lows]


def counted(deck: int, size: int, players: Side, dealers: Side, high_ranks: int) -> tuple[int, int]:
    """Won and lost over all disjoint pairs of a small deck, every shared set looked at by itself."""
    won = lost = 0
    ranks = (high_ranks, LOW_RANKS)
    for shared in range(size + 1):
        sets = np.array(list(combinations(range(deck), shared)), np.int64).reshape(comb(deck, shared), shared)
        weights = np.ones(len(sets), np.int64)
        same = players[0] is dealers[0] and players[1] is dealers[1]
        parts = count_shared(sets, weights, deck, size, players, dealers, same, ranks, BINOMIALS)
        sign = -1 if shared % 2 else 1
        won += sign * (int(parts[0]) + (int(parts[1]) << 40))
        lost += sign * (int(parts[2]) + (int(parts[3]) << 40))
    return won, lost


def in_order(deck: int, size: int) -> list[tuple[int, ...]]:
    """The hands of a small deck in the combinatorial order of the arrays."""
    return sorted(combinations(range(deck), size), key=lambda hand: hand[::-1])


def dealt_out(hands: list[tuple[int, ...]], players: Side, dealers: Side) -> tuple[int, int]:
    """Won and lost by dealing every pair and comparing the two ranks."""
    masks = np.array([sum(1 << card for card in hand) for hand in hands], np.int64)
    won = lost = 0
    for index in range(len(hands)):
        apart = (masks & masks[index] == 0) & (dealers[1] != NO_CONTEST)
        above_high = players[0][index] > dealers[0]
        above_low = players[1][index] > dealers[1]
        won += int(np.count_nonzero(apart & above_high & above_low))
        lost += int(np.count_nonzero(apart & ~above_high & ~above_low))
    return won, lost


def test_two_sides_that_lay_alike_need_one_count() -> None:
    rng = np.random.default_rng(1)
    hands = in_order(12, 3)
    side = (rng.integers(0, 9, len(hands)).astype(np.uint16), rng.integers(0, 20, len(hands)).astype(np.uint8))
    assert counted(12, 3, side, side, 9) == dealt_out(hands, side, side)


@pytest.mark.parametrize(("deck", "size"), [(9, 2), (11, 3), (13, 4), (15, 5)])
def test_any_ranks_of_hands_are_counted_as_dealt(deck: int, size: int) -> None:
    rng = np.random.default_rng(deck)
    hands = in_order(deck, size)
    sides = [
        (rng.integers(0, 40, len(hands)).astype(np.uint16), rng.integers(0, 92, len(hands)).astype(np.uint8))
        for _ in range(2)
    ]
    sides[1][1][rng.integers(0, len(hands), len(hands) // 5)] = 255
    assert counted(deck, size, sides[0], sides[1], 40) == dealt_out(hands, sides[0], sides[1])


def test_the_six_card_way_on_a_short_deck_is_counted_as_the_game_settles_it() -> None:
    """Tens to aces and the joker: the hands are set and valued by the game's own code, and every pair is dealt."""
    deck = [card_of(rank, suit) for rank in range(8, 13) for suit in range(4)] + [JOKER]
    way, played, evaluator = house_way("six-card"), game("six-card-fortune"), TableEvaluator()
    hands = in_order(len(deck), 6)
    laid = [put_hand(played, tuple(deck[card] for card in hand), None, way, PAI_GOW, evaluator) for hand in hands]
    values = sorted({hand.high_value for hand in laid})
    highs = np.array([values.index(hand.high_value) for hand in laid], np.uint16)
    dealer_lows = np.array([hand.low_value >> 4 for hand in laid], np.uint8)
    player_lows = np.array([13 if hand.low == (JOKER,) else hand.low_value >> 4 for hand in laid], np.uint8)
    assert fast.value_of_best(laid[0].high) == laid[0].high_value
    assert value_of_one(JOKER) >> 4 == 12
    players, dealers = (highs, player_lows), (highs, dealer_lows)
    assert counted(len(deck), 6, players, dealers, len(values)) == dealt_out(hands, players, dealers)
