"""The sums behind Six Card Poker's whole game: against hands dealt out one by one, and against what ships."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, product
from math import comb
from pathlib import Path

import pytest

from houseway.cards import parse_cards
from houseway.definitions import span_of
from houseway.odds.six_card_poker.decision import decision
from houseway.odds.six_card_poker.game import Counts, FoldedDeals, combine, shipped, whole_game
from houseway.odds.six_card_poker.strategy import STRATEGIES, strategy

pytest.importorskip("numba")
import numpy as np

from houseway.odds.running.cache import Cache
from houseway.odds.running.executors import InProcessExecutor
from houseway.odds.running.jobs import run_job
from houseway.odds.six_card_poker.fold_kernels import (
    COMPLETIONS,
    FOLD,
    OPTIMAL,
    PLAY,
    UP,
    always_played_from,
    completions,
    folded_by_pattern,
)
from houseway.odds.six_card_poker.fold_rules import PLAYED
from houseway.odds.six_card_poker.six_card_pairs import least_numbers, shared_sets
from houseway.odds.six_card_poker.six_cards import (
    NAME_SET_COUNT,
    names_of_number,
    patterns,
    values_of_numbers,
)
from houseway.odds.six_card_poker.suit_walk import COLUMNS
from houseway.odds.six_card_poker.sums import (
    every_hand_played,
    folded_deals,
    orders_for,
    outcomes_by_pattern,
    strategy_fingerprint,
)

pytestmark = pytest.mark.kernels

ACE_KING = span_of("ace-king").start
UP_CARDS = ("9h 7d 2s", "Qs Jd Tc", "Kh Kd 5c", "As Ad Ac", "Ts 7s 3s", "Ac Kd 4h")


def test_the_dealer_qualifies_where_the_game_says() -> None:
    qualifying = least_numbers()[0]
    below, lowest = values_of_numbers(np.array([qualifying - 1, qualifying]))
    assert below < ACE_KING <= lowest


@pytest.fixture(scope="module")
def everything() -> Counts:
    """Every deal when nobody ever folds."""
    return every_hand_played()


def folded(up: str, order: int) -> np.ndarray:
    """The hands of each pattern that are folded, and what they would have met."""
    known = patterns()
    result = np.zeros((len(known.values), COLUMNS), np.int64)
    orders = np.full(len(known.values), order, np.int64)
    folded_by_pattern(np.array(parse_cards(up)), least_numbers()[0], known.counts, known.values, orders, result)
    return result


def hands_of(counts: np.ndarray, up: set[int]) -> list[tuple[int, ...]]:
    """The hands of a pattern without an up card and without five cards of a suit."""
    choices = [
        list(combinations([4 * rank + suit for suit in range(4) if 4 * rank + suit not in up], int(count)))
        for rank, count in enumerate(counts)
        if count
    ]
    hands = [sum(chosen, ()) for chosen in product(*choices)]
    return [hand for hand in hands if max(Counter(card & 3 for card in hand).values()) < 5]


def dealt_out(up: str, pattern: int) -> tuple[list[int], list[int]]:
    """What the kernel returns for a pattern, for the best play and for folding all, from every hand by itself."""
    shown = np.array(parse_cards(up))
    cards, numbers = np.empty((comb(49, 3), 3), np.int64), np.empty(comb(49, 3), np.int64)
    completions(shown, cards, numbers)
    values = values_of_numbers(numbers)
    masks = (1 << cards).sum(axis=1)
    mine = int(values_of_numbers(patterns().values[pattern : pattern + 1])[0])
    best, every = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for hand in hands_of(patterns().counts[pattern], set(shown.tolist())):
        left = values[masks & sum(1 << card for card in hand) == 0]
        assert len(left) == COMPLETIONS
        row = np.array([1, *(np.count_nonzero(which) for which in (left < mine, left <= mine, left < ACE_KING))])
        result = np.sign(mine - left) * np.where(left >= ACE_KING, 2, 1)
        every += row
        best += row * (result.sum() < -COMPLETIONS)
    return best.tolist(), every.tolist()


@pytest.mark.parametrize("up", UP_CARDS)
def test_the_kernel_folds_what_every_hand_by_itself_would(up: str) -> None:
    """One pattern of each shape, and two in which the suits decide."""
    best, every, known = folded(up, OPTIMAL), folded(up, FOLD), patterns()
    rng = np.random.default_rng(sum(parse_cards(up)))
    shapes: dict[tuple[int, ...], list[int]] = {}
    for pattern, counts in enumerate(known.counts.tolist()):
        shapes.setdefault(tuple(sorted(count for count in counts if count)), []).append(pattern)
    chosen = [int(rng.choice(found)) for found in shapes.values()]
    close = np.flatnonzero((best[:, 0] > 0) & (best[:, 0] < every[:, 0]))
    chosen += rng.choice(close, min(2, len(close)), replace=False).tolist()
    for pattern in chosen:
        assert (best[pattern].tolist(), every[pattern].tolist()) == dealt_out(up, pattern)


def test_completions_are_ranked_as_decisions_rank_them() -> None:
    cards, up = parse_cards("As Jd 9c 7h 4s 3d"), parse_cards("Qh 8d 5s")
    found = decision(cards, up)
    hidden, numbers = np.empty((comb(49, 3), 3), np.int64), np.empty(comb(49, 3), np.int64)
    completions(np.array(up), hidden, numbers)
    left = values_of_numbers(numbers[~np.isin(hidden, cards).any(axis=1)])
    assert len(left) == found.completions
    assert found.counts["push+lose"] + found.counts["push+win"] == np.count_nonzero(left < ACE_KING)
    assert (np.diff(numbers) >= 0).all()


def test_from_the_bound_on_every_hand_is_played() -> None:
    """The first pattern from the bound on that has any hands, each of them asked by itself."""
    known = patterns()
    for up in UP_CARDS:
        cards, numbers = np.empty((comb(49, 3), 3), np.int64), np.empty(comb(49, 3), np.int64)
        completions(np.array(parse_cards(up)), cards, numbers)
        start = int(np.searchsorted(known.values, always_played_from(numbers)))
        assert folded(up, OPTIMAL)[start:].sum() == 0
        held = set(parse_cards(up))
        first = next(row for row in range(start, len(known.values)) if hands_of(known.counts[row], held))
        best, every = dealt_out(up, first)
        assert best == [0, 0, 0, 0]
        assert every[0] > 0
        assert folded(up, PLAY).sum() == 0


@pytest.mark.parametrize("name", ["optimal", *STRATEGIES])
def test_shipped_totals_are_all_deals_less_the_folded_ones(name: str, everything: Counts) -> None:
    counts = shipped()
    assert counts is not None
    assert combine(name, everything, counts[name]["folded_by_part"]) == whole_game(name)


def test_a_part_counted_anew_is_the_shipped_one() -> None:
    counts = shipped()
    assert counts is not None
    assert FoldedDeals().run_part(17) == counts["optimal"]["folded_by_part"][17]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "number"), [("optimal", 3), ("simple", 8), ("short", 29)])
def test_further_parts_counted_anew(name: str, number: int) -> None:
    counts = shipped()
    assert counts is not None
    assert counts[name]["decisions"] == strategy_fingerprint(name)
    assert FoldedDeals(name).run_part(number) == counts[name]["folded_by_part"][number]


@pytest.mark.full
def test_the_whole_job_counted_anew(tmp_path: Path) -> None:
    counts = shipped()
    assert counts is not None
    parts = run_job(FoldedDeals(), executor=InProcessExecutor(), cache=Cache(tmp_path))
    assert parts == counts["optimal"]["folded_by_part"]


@pytest.mark.full
def test_folding_every_hand_leaves_nothing_of_all_pairs(everything: Counts) -> None:
    """Two ways to count the same deals: by up cards and patterns, and by pairs of hands; flushes are never folded."""
    known, sums = patterns(), np.zeros((NAME_SET_COUNT, len(PLAYED)), np.int64)
    for up, weight in zip(*shared_sets(UP), strict=True):
        result = np.zeros((len(known.values), COLUMNS), np.int64)
        folded_by_pattern(
            up, least_numbers()[0], known.counts, known.values, np.full(len(known.values), FOLD, np.int64), result
        )
        np.add.at(sums, known.names, outcomes_by_pattern(result) * int(weight))
    for number in range(NAME_SET_COUNT):
        names = names_of_number(number)
        expected = [0] * len(PLAYED) if "flush" in names else [everything[names][outcome] for outcome in PLAYED]
        assert sums[number].tolist() == expected


def test_a_strategy_decides_alike_for_one_hand_and_for_many() -> None:
    rng = np.random.default_rng(4)
    known, classes = patterns(), shared_sets(UP)[0]
    for name in STRATEGIES:
        chosen = strategy(name)
        for up in rng.choice(classes, 20):
            orders = orders_for(name, up)
            for pattern in rng.choice(len(known.values), 12):
                hands = hands_of(known.counts[pattern], set(up.tolist()))
                if hands:
                    action = chosen.rule_for(hands[len(hands) // 2], up.tolist()).action
                    assert orders[pattern] == (PLAY if action == "play" else FOLD)


def test_parts_take_every_class_of_up_cards_once() -> None:
    _, weights = shared_sets(UP)
    assert len(weights) == 1_755
    assert int(weights.sum()) == comb(52, 3)
    assert len(weights) % FoldedDeals().parts == 0
    assert set(FoldedDeals().key) == {"rules", "strategy", "parts"}
    assert set(folded_deals("optimal", 1_754, 1_755)) <= {"+".join(names) for names in whole_game().by_hand}
