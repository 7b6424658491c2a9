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

from houseway.odds.pai_gow.layouts import BINOMIALS, DECK, Highs, Ints, Lows
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
def _tally(place: int, highs: Highs, lows: Lows, counts: Ints, present: Ints) -> None:
    """Count a hand by high and low, and list its high if it is the first; the last column marks those listed."""
    if lows[place] != NO_CONTEST:
        high = highs[place]
        counts[high, lows[place]] += 1
        if not counts[high, -1]:
            counts[high, -1] = 1
            present[0] += 1
            present[present[0]] = high


@njit
def _cards_left(shared: Ints, deck: int, rest: Ints) -> int:
    """Write the cards that are not shared, the end of the deck behind them, and return how many cards they are."""
    taken = free = 0
    for card in range(deck):
        if taken < len(shared) and shared[taken] == card:
            taken += 1
        else:
            rest[free] = card
            free += 1
    rest[free] = deck
    return free


@njit
def _join(shared: Ints, rest: Ints, picks: Ints, binomials: Ints, others: Ints) -> int:
    """Write all cards but the lowest pick from the lowest up, and return their share of the place above that pick."""
    share = from_shared = 0
    from_rest = 1
    for index in range(len(others)):
        if from_shared < len(shared) and shared[from_shared] < rest[picks[from_rest]]:
            others[index] = shared[from_shared]
            from_shared += 1
        else:
            others[index] = rest[picks[from_rest]]
            from_rest += 1
        share += binomials[others[index], index + 2]
    return share


@njit
def _fill(
    shared: Ints,
    deck: int,
    size: int,
    players: tuple[Highs, Lows],
    dealers: tuple[Highs, Lows],
    same: bool,
    binomials: Ints,
    player_counts: Ints,
    dealer_counts: Ints,
    player_highs: Ints,
    dealer_highs: Ints,
) -> None:
    """Count the hands of both sides that contain the shared cards, by high and low, and list the highs that occur.

    A list of highs holds their number first. The lowest card that is not shared runs fastest, so that one hand lies
    close to the next one in the tables.
    """
    player_highs[0] = dealer_highs[0] = 0
    more = size - len(shared)
    rest = np.empty(deck + 1, np.int64)
    picks = np.arange(more + 1)
    picks[more] = _cards_left(shared, deck, rest)
    others = np.empty(size - 1, np.int64)
    while True:
        base = _join(shared, rest, picks, binomials, others)
        card, end = 0, rest[picks[1]]
        for below in range(size):
            bound = min(others[below], end) if below < size - 1 else end
            while card < bound:
                place = base + binomials[card, below + 1]
                _tally(place, players[0], players[1], player_counts, player_highs)
                if not same:
                    _tally(place, dealers[0], dealers[1], dealer_counts, dealer_highs)
                card += 1
            if bound == end:
                break
            # From here on the running card is above this one.
            base += binomials[bound, below + 1] - binomials[bound, below + 2]
            card = bound + 1
        index = 1
        while index < more and picks[index] + 1 == picks[index + 1]:
            picks[index] = index
            index += 1
        if index >= more:
            return
        picks[index] += 1


@njit
def _take_whole(
    shared: Ints,
    players: tuple[Highs, Lows],
    dealers: tuple[Highs, Lows],
    same: bool,
    binomials: Ints,
    player_counts: Ints,
    dealer_counts: Ints,
    player_highs: Ints,
    dealer_highs: Ints,
) -> None:
    """Count the one hand of each side that consists of the shared cards, as `_fill` counts many."""
    player_highs[0] = dealer_highs[0] = place = 0
    for index in range(len(shared)):
        place += binomials[shared[index], index + 1]
    _tally(place, players[0], players[1], player_counts, player_highs)
    if not same:
        _tally(place, dealers[0], dealers[1], dealer_counts, dealer_highs)


@njit
def _won_and_lost(
    players: Ints, dealers: Ints, player_highs: Ints, dealer_highs: Ints, low_ranks: int
) -> tuple[int, int]:
    """The pairs of a player's hand above a dealer's in both ranks, and of one not above in both; clears the counts."""
    lower_dealers = np.zeros(low_ranks, np.int64)
    lower_players = np.zeros(low_ranks, np.int64)
    highs = np.sort(np.concatenate((player_highs[1 : player_highs[0] + 1], dealer_highs[1 : dealer_highs[0] + 1])))
    won = lost = 0
    for place in range(len(highs)):
        high = highs[place]
        if place and high == highs[place - 1]:
            continue
        below = at_most = 0
        for low in range(low_ranks):
            won += players[high, low] * below
            below += lower_dealers[low]
        for low in range(low_ranks):
            lower_players[low] += players[high, low]
            at_most += lower_players[low]
            lost += dealers[high, low] * at_most
            lower_dealers[low] += dealers[high, low]
            players[high, low] = dealers[high, low] = 0
        players[high, -1] = dealers[high, -1] = 0
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
    ranks: tuple[int, int],
    binomials: Ints,
) -> tuple[int, int, int, int]:
    """The weighted pairs won and lost over many shared sets, each sum as two limbs so that nothing overflows.

    `ranks` says how many different ranks of high and of low hands there are. With `same` both sides lay every hand
    alike, and one histogram serves for both.
    """
    high_ranks, low_ranks = ranks
    player_counts = np.zeros((high_ranks, low_ranks + 1), np.int64)
    dealer_counts = player_counts if same else np.zeros((high_ranks, low_ranks + 1), np.int64)
    player_highs = np.zeros(high_ranks + 1, np.int64)
    dealer_highs = np.zeros(high_ranks + 1, np.int64)
    won_rest = won_limbs = lost_rest = lost_limbs = 0
    for row in range(len(sets)):
        if sets.shape[1] < size:
            _fill(
                sets[row], deck, size, players, dealers, same, binomials,
                player_counts, dealer_counts, player_highs, dealer_highs,
            )  # fmt: skip
        else:
            _take_whole(
                sets[row], players, dealers, same, binomials,
                player_counts, dealer_counts, player_highs, dealer_highs,
            )  # fmt: skip
        won, lost = _won_and_lost(player_counts, dealer_counts, player_highs, dealer_highs, low_ranks)
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
    low_ranks = 1 + max(int(lows.max(where=lows != NO_CONTEST, initial=0)) for _, lows in (players, dealers))
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
                rows, row_weights, DECK, size, players, dealers, same, (high_ranks, low_ranks), BINOMIALS
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
