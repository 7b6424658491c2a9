"""Every pair of six-card hands compared: against hands dealt out, and against the shipped Bad Beat counts."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest

from houseway.cards import parse_cards
from houseway.definitions import game
from houseway.games.hand_setting import put_hand
from houseway.games.looks import see
from houseway.games.round_model import CheckedRound, Contest
from houseway.houseways.evaluate import TableEvaluator
from houseway.odds.six_card_poker import bad_beat
from houseway.ranking.hand_names import HAND_NAMES
from houseway.ranking.reference import STANDARD, names_fitted, value_of_best

pytest.importorskip("numba")
import numba
import numpy as np

from houseway.odds.six_card_poker.six_card_pairs import (
    COLUMNS,
    LOSE_COUNTED,
    LOSE_QUALIFIED,
    LOSE_UNQUALIFIED,
    TIE,
    WIN_QUALIFIED,
    WIN_UNQUALIFIED,
    compare_all,
    compare_shared,
    histogram,
    least_numbers,
)
from houseway.odds.six_card_poker.six_cards import (
    DECK,
    NAME_MASKS,
    NAME_SET_COUNT,
    VALUE_COUNT,
    kind_of_sums,
    names_of_number,
    values_of_numbers,
)
from houseway.ranking.counting import count_domain
from houseway.ranking.rank_kernels import CARD_KEYS, CARD_MASKS, WHEEL_LOWEST, names_of_sums, value_of_sums

LEAST = least_numbers()
pytestmark = pytest.mark.kernels

PLAYER_HANDS = ("As Ah 9c 7d 4s 2c", "Kd Qc 8h 7s 5c 3d", "Ac Kc 9s 8d 4h 3h", "Ts 9s 8s 7s 2d 2h")


def kinds_of(hands: np.ndarray) -> np.ndarray:
    """The kind of each hand, one a row."""
    sums, masks = CARD_KEYS[hands].sum(axis=1), np.bitwise_or.reduce(CARD_MASKS[hands], axis=1)
    return np.array([kind_of_sums(key, mask) for key, mask in zip(sums.tolist(), masks.tolist(), strict=True)])


def test_kinds_carry_the_value_and_the_names_of_the_reference() -> None:
    rng = np.random.default_rng(5)
    hands = np.array([rng.choice(DECK, 6, replace=False) for _ in range(300)])
    hands[:4] = [[48, 44, 40, 36, 32, 33], [50, 46, 42, 38, 34, 1], [0, 4, 8, 12, 48, 49], [3, 7, 11, 15, 19, 23]]
    for hand, kind in zip(hands.tolist(), kinds_of(hands).tolist(), strict=True):
        fitted = names_fitted(hand, STANDARD)
        assert names_of_number(kind % NAME_SET_COUNT) == tuple(name for name in HAND_NAMES if name in fitted)
        assert int(values_of_numbers(np.array([kind // NAME_SET_COUNT]))[0]) == value_of_best(hand, STANDARD)


def test_the_game_sees_the_losing_hand_as_the_counts_do() -> None:
    """Random deals: whether Bad Beat is alive, and by which names the losing hand is paid."""
    rng = np.random.default_rng(9)
    played, evaluator = game("six-card-poker"), TableEvaluator()
    alive = 0
    for _ in range(400):
        cards = rng.choice(DECK, 12, replace=False).tolist()
        mine, dealers = (
            put_hand(played, tuple(part), None, None, STANDARD, evaluator) for part in (cards[:6], cards[6:])
        )
        wager = played.wager("bad_beat")
        assert wager is not None
        assert wager.look is not None
        look = see(wager.look, Contest(CheckedRound.__new__(CheckedRound), dealers, dealers, {}), mine)
        kinds = kinds_of(np.array([cards[:6], cards[6:]])).tolist()
        values = [kind // NAME_SET_COUNT for kind in kinds]
        assert look.alive == (values[0] != values[1] and min(values) >= LEAST[1])
        if look.alive:
            alive += 1
            assert look.names == set(names_of_number(min(kinds) % NAME_SET_COUNT))
    assert alive > 10


def test_every_pair_of_a_short_deck_is_counted_as_dealt() -> None:
    """Deuces to fives: every shared set looked at by itself, against all pairs of hands compared."""
    deck = 16
    sums = np.zeros((NAME_SET_COUNT, COLUMNS), np.int64)
    for shared in range(7):
        sets = np.array(list(combinations(range(deck), shared)), np.int64).reshape(comb(deck, shared), shared)
        sums += (-1) ** shared * compare_shared(sets, np.ones(len(sets), np.int64), deck, LEAST)
    hands = np.array(list(combinations(range(deck), 6)))
    kinds, masks = kinds_of(hands), (1 << hands).sum(axis=1)
    values, names = kinds // NAME_SET_COUNT, kinds % NAME_SET_COUNT
    expected = np.zeros((NAME_SET_COUNT, COLUMNS), np.int64)
    for index in range(len(hands)):
        others = values[masks & masks[index] == 0]
        mine = values[index]
        expected[names[index], WIN_QUALIFIED] += np.count_nonzero((others < mine) & (others >= LEAST[0]))
        expected[names[index], WIN_UNQUALIFIED] += np.count_nonzero((others < mine) & (others < LEAST[0]))
        expected[names[index], TIE] += np.count_nonzero(others == mine)
        expected[names[index], LOSE_QUALIFIED] += np.count_nonzero((others > mine) & (others >= LEAST[0]))
        expected[names[index], LOSE_UNQUALIFIED] += np.count_nonzero((others > mine) & (others < LEAST[0]))
        expected[names[index], LOSE_COUNTED] += np.count_nonzero(others > mine) * (mine >= LEAST[1])
    assert sums.tolist() == expected.tolist()


@numba.njit
def deal_out(hand: np.ndarray, values: np.ndarray, masks: np.ndarray) -> int:
    """Deal every dealer's hand beside a player's, and list value and names."""
    rest = np.array([card for card in range(52) if not (hand == card).any()])
    found = 0
    for a in range(5, len(rest)):
        for b in range(4, a):
            for c in range(3, b):
                for d in range(2, c):
                    for e in range(1, d):
                        for f in range(e):
                            key, mask = 0, 0
                            for place in (a, b, c, d, e, f):
                                key += CARD_KEYS[rest[place]]
                                mask |= CARD_MASKS[rest[place]]
                            values[found] = value_of_sums(key, mask, WHEEL_LOWEST)
                            masks[found] = names_of_sums(key, mask)
                            found += 1
    return found


@pytest.mark.parametrize("text", PLAYER_HANDS)
def test_the_dealers_hands_beside_a_players_are_those_dealt_out(text: str) -> None:
    """All 9,366,819 of them, by value and names, against the alternating sum over the cards that could be shared."""
    hand = sorted(parse_cards(text))
    counted = np.zeros(VALUE_COUNT * NAME_SET_COUNT, np.int64)
    present = np.empty_like(counted)
    for shared in range(7):
        for cards in combinations(hand, shared):
            counts = np.zeros_like(counted)
            histogram(np.array(cards, np.int64), DECK, counts, present)
            counted += (-1) ** shared * counts
    values, masks = np.empty(comb(46, 6), np.int32), np.empty(comb(46, 6), np.int32)
    assert deal_out(np.array(hand), values, masks) == comb(46, 6)
    numbers = np.searchsorted(values_of_numbers(np.arange(VALUE_COUNT)), values)
    names = np.searchsorted(np.array(NAME_MASKS), masks)
    dealt = np.bincount(numbers * NAME_SET_COUNT + names, minlength=len(counted))
    assert np.array_equal(counted, dealt)


@pytest.mark.slow
def test_all_pairs_give_the_shipped_counts() -> None:
    steps: list[int] = []
    sums = compare_all(progress=lambda done, _: steps.append(done))
    assert steps == [1, 2, 3, 4, 5, 6, 7]
    hands = count_domain(6, STANDARD).names
    for number, mask in enumerate(NAME_MASKS):
        assert int(sums[number, :LOSE_COUNTED].sum()) == hands[mask] * comb(46, 6)
    totals = sums.sum(axis=0)
    assert totals[WIN_QUALIFIED] + totals[WIN_UNQUALIFIED] == totals[LOSE_QUALIFIED] + totals[LOSE_UNQUALIFIED]
    assert bad_beat.count_losing_hands() == dict(bad_beat.losing_hands() or {})
