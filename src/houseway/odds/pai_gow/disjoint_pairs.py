"""Counting pairs of hands without a card in common, by the cards that they could share.

Of all pairs of a player's and a dealer's hand, dealt or not, those without a common card are the sum over all sets S of
cards of (-1)^|S| times the pairs in which both hands contain S. For one S the two hands are free of each other, so a
histogram of the player's hands and one of the dealer's, over (high, low), give the pairs that win and lose in one pass.
Sets that differ only by the names of suits count alike: one of each class is looked at, with its weight.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import Final

from houseway.odds.pai_gow.layouts import BINOMIALS, DECK, LOW_RANKS, Highs, Ints, Lows
from houseway.ranking.jit import njit
from houseway.ranking.suit_classes import suit_classes

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)

Progress = Callable[[int, int], None]
"""Called with the number of parts done and of all parts."""

NO_CONTEST: Final = 255
"""A dealer's low rank that stands for a hand against which nothing is won or lost."""
_LIMB: Final = 1 << 40
_PARTS: Final = 64


@njit
def _fill(
    shared: Ints, deck: int, size: int, highs: Highs, lows: Lows, binomials: Ints, counts: Ints, present: Ints
) -> None:
    """Count the hands that contain the shared cards, by high and low, and list the highs that occur.

    `present` holds the number of highs, then the highs; the column behind the last low marks those listed.
    """
    present[0] = 0
    rest = np.empty(deck, np.int64)
    held = free = 0
    for card in range(deck):
        if held < len(shared) and shared[held] == card:
            held += 1
        else:
            rest[free] = card
            free += 1
    more = size - held
    picks = np.arange(more)
    while True:
        place = from_shared = from_rest = 0
        for position in range(1, size + 1):
            if from_rest == more or (from_shared < held and shared[from_shared] < rest[picks[from_rest]]):
                place += binomials[shared[from_shared], position]
                from_shared += 1
            else:
                place += binomials[rest[picks[from_rest]], position]
                from_rest += 1
        if lows[place] != NO_CONTEST:
            counts[highs[place], lows[place]] += 1
            if not counts[highs[place], LOW_RANKS]:
                counts[highs[place], LOW_RANKS] = 1
                present[0] += 1
                present[present[0]] = highs[place]
        last = more - 1
        while last >= 0 and picks[last] == free - more + last:
            last -= 1
        if last < 0:
            return
        picks[last] += 1
        for following in range(last + 1, more):
            picks[following] = picks[following - 1] + 1


@njit
def _won_and_lost(players: Ints, dealers: Ints, player_highs: Ints, dealer_highs: Ints) -> tuple[int, int]:
    """The pairs of a player's hand above a dealer's in both ranks, and of one not above in both; clears the counts."""
    lower_dealers = np.zeros(LOW_RANKS, np.int64)
    lower_players = np.zeros(LOW_RANKS, np.int64)
    highs = np.sort(np.concatenate((player_highs[1 : player_highs[0] + 1], dealer_highs[1 : dealer_highs[0] + 1])))
    won = lost = 0
    for place in range(len(highs)):
        high = highs[place]
        if place and high == highs[place - 1]:
            continue
        below = at_most = 0
        for low in range(LOW_RANKS):
            won += players[high, low] * below
            below += lower_dealers[low]
        for low in range(LOW_RANKS):
            lower_players[low] += players[high, low]
            at_most += lower_players[low]
            lost += dealers[high, low] * at_most
            lower_dealers[low] += dealers[high, low]
            players[high, low] = dealers[high, low] = 0
        players[high, LOW_RANKS] = dealers[high, LOW_RANKS] = 0
    return won, lost


@njit
def count_shared(
    sets: Ints,
    weights: Ints,
    deck: int,
    size: int,
    players: tuple[Highs, Lows],
    dealers: tuple[Highs, Lows],
    same: bool,
    high_ranks: int,
    binomials: Ints,
) -> tuple[int, int, int, int]:
    """The weighted pairs won and lost over many shared sets, each sum as two limbs so that nothing overflows.

    With `same` both sides lay every hand alike, and one histogram serves for both.
    """
    player_counts = np.zeros((high_ranks, LOW_RANKS + 1), np.int64)
    dealer_counts = player_counts if same else np.zeros((high_ranks, LOW_RANKS + 1), np.int64)
    player_highs = np.zeros(high_ranks + 1, np.int64)
    dealer_highs = np.zeros(high_ranks + 1, np.int64)
    won_rest = won_limbs = lost_rest = lost_limbs = 0
    for row in range(len(sets)):
        _fill(sets[row], deck, size, players[0], players[1], binomials, player_counts, player_highs)
        if not same:
            _fill(sets[row], deck, size, dealers[0], dealers[1], binomials, dealer_counts, dealer_highs)
        won, lost = _won_and_lost(player_counts, dealer_counts, player_highs, dealer_highs)
        won_rest += won % _LIMB * weights[row]
        won_limbs += won // _LIMB * weights[row] + won_rest // _LIMB
        won_rest %= _LIMB
        lost_rest += lost % _LIMB * weights[row]
        lost_limbs += lost // _LIMB * weights[row] + lost_rest // _LIMB
        lost_rest %= _LIMB
    return won_rest, won_limbs, lost_rest, lost_limbs


def shared_sets(size: int) -> tuple[Ints, Ints]:
    """One set of each suit class of that many cards of the whole deck, ascending, and the weights."""
    if size == 0:
        return np.zeros((1, 0), np.int64), np.ones(1, np.int64)
    classes = suit_classes(size)
    return np.ascontiguousarray(classes.cards()[:, ::-1].astype(np.int64)), classes.weights.astype(np.int64)


def count_pairs(
    size: int,
    players: tuple[Highs, Lows],
    dealers: tuple[Highs, Lows],
    high_ranks: int,
    *,
    threads: int = 2,
    progress: Progress | None = None,
) -> tuple[int, int]:
    """The pairs of hands without a common card that the player wins and loses, over the whole deck."""
    same = players[0] is dealers[0] and players[1] is dealers[1]
    won = lost = 0
    for shared in range(size + 1):
        sets, weights = shared_sets(shared)
        assert int(weights.sum()) == comb(DECK, shared)
        parts = min(len(sets), _PARTS)

        def part(
            number: int, sets: Ints = sets, weights: Ints = weights, parts: int = parts
        ) -> tuple[int, int, int, int]:
            mine = slice(number, None, parts)
            rows, row_weights = np.ascontiguousarray(sets[mine]), np.ascontiguousarray(weights[mine])
            counted: tuple[int, int, int, int] = count_shared(
                rows, row_weights, DECK, size, players, dealers, same, high_ranks, BINOMIALS
            )
            return counted

        with ThreadPoolExecutor(threads) as pool:
            sign = -1 if shared % 2 else 1
            for won_rest, won_limbs, lost_rest, lost_limbs in pool.map(part, range(parts)):
                won += sign * (int(won_rest) + int(won_limbs) * _LIMB)
                lost += sign * (int(lost_rest) + int(lost_limbs) * _LIMB)
        if progress is not None:
            progress(shared + 1, size + 1)
    return won, lost
