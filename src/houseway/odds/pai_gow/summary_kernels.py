"""From the counts at the points of each class to outcomes: which points to ask for, and what follows: the kernels.

Everything comes from one kind of count, W(H, L): the dealer hands below H and below L. With A(H) = W(H, all) and
B(L) = W(all, L), the player wins W(H, L) and loses T - A(H) - B(L) + W(H, L) of T hands. Dealer hands that push
whatever the player holds lie between two lows (nine-high low hands) or between two highs (ace-high hands), so leaving
them out is a difference of two more counts.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from houseway.odds.pai_gow.layouts import Ints, Lows
from houseway.odds.pai_gow.setting_kernels import Highs
from houseway.ranking.jit import njit

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)
import numpy.typing as npt  # isort: skip

Points: TypeAlias = npt.NDArray[np.uint32]
Bytes: TypeAlias = npt.NDArray[np.uint8]

ALL_LOWS: Final = 92
NINE_HIGH_FIRST: Final = 21
NINE_HIGH_END: Final = 28
_FIRST_PAIR: Final = 78
BOUNDS: Final = 7
"""The dealer's hands without a pair by their top card, nine to ace: six kinds between seven bounds."""

SEVEN_FIRST: Final = 2 + BOUNDS
SEVEN_EACH: Final = 7
SIX_FIRST: Final = 1
SIX_EACH: Final = 6

FORTUNE, COMMISSION_FREE, FACE_UP = 0, 1, 2
SEVEN_CARD_GAMES: Final = ("fortune", "commission-free-fortune", "face-up")


@njit
def seven_card_points(
    setting_starts: Ints, best: Bytes, highs: Highs, lows: Lows, high_count: int, bounds: Ints, points: Points
) -> None:
    """The points of each class: two lows and seven highs, seven for each setting, one for each step of the stairs."""
    at = 0
    for number in range(len(best)):
        points[at] = high_count << 8 | NINE_HIGH_END
        points[at + 1] = high_count << 8 | NINE_HIGH_FIRST
        for bound in range(BOUNDS):
            points[at + 2 + bound] = bounds[bound] << 8 | ALL_LOWS
        at += SEVEN_FIRST
        first = setting_starts[number]
        for place in range(first, setting_starts[number + 1]):
            high, low = int(highs[place]), int(lows[place])
            points[at] = high << 8 | low
            points[at + 1] = high << 8 | ALL_LOWS
            points[at + 2] = high_count << 8 | low
            points[at + 3] = high << 8 | NINE_HIGH_END
            points[at + 4] = high << 8 | NINE_HIGH_FIRST
            points[at + 5] = bounds[BOUNDS - 1] << 8 | low
            points[at + 6] = bounds[BOUNDS - 2] << 8 | low
            at += SEVEN_EACH
        for place in range(first, first + best[number] - 1):
            points[at] = int(highs[place]) << 8 | int(lows[place + 1])
            at += 1
        points[at] = int(highs[first + best[number] - 1]) << 8 | int(lows[first])
        at += 1


@njit
def six_card_points(
    setting_starts: Ints, highs: Highs, lows: Lows, high_count: int, qualifying: int, points: Points
) -> None:
    """The points of each class: the bound of qualifying dealers, and six for each setting."""
    at = 0
    for number in range(len(setting_starts) - 1):
        points[at] = qualifying << 8 | ALL_LOWS
        at += SIX_FIRST
        for place in range(setting_starts[number], setting_starts[number + 1]):
            high, low = int(highs[place]), int(lows[place])
            points[at] = high << 8 | low
            points[at + 1] = high << 8 | ALL_LOWS
            points[at + 2] = high_count << 8 | low
            points[at + 3] = min(high, qualifying) << 8 | low
            points[at + 4] = min(high, qualifying) << 8 | ALL_LOWS
            points[at + 5] = qualifying << 8 | low
            at += SIX_EACH


@njit
def without_nine_high(low: int, at_low: int, at_end: int, at_first: int) -> int:
    """A count below a low rank, less the nine-high low hands below it; the others are the counts below their ends."""
    if low >= NINE_HIGH_END:
        return at_low - (at_end - at_first)
    return at_first if low > NINE_HIGH_FIRST else at_low


@njit
def without_ace_high(high: int, first: int, end: int, at_high: int, at_end: int, at_first: int) -> int:
    """A count below a high, less the ace-high hands below it; the others are the counts below their ends."""
    if high >= end:
        return at_high - (at_end - at_first)
    return at_first if high > first else at_high


@njit
def seven_card_outcomes(
    high: int, low: int, counts: Ints, first: int, at: int, weight: int, deals: int, bounds: Ints, outcomes: Ints
) -> None:
    """Won and lost dealer hands of one setting in the three games; `first` and `at` lead to the class and setting."""
    ace, end = bounds[BOUNDS - 2], bounds[BOUNDS - 1]
    below_end, below_first = counts[first] // weight, counts[first + 1] // weight
    high_ace, high_end = counts[first + BOUNDS] // weight, counts[first + 1 + BOUNDS] // weight
    both, above, beside = counts[at] // weight, counts[at + 1] // weight, counts[at + 2] // weight
    nine_end, nine_first = counts[at + 3] // weight, counts[at + 4] // weight
    low_end, low_ace = counts[at + 5] // weight, counts[at + 6] // weight
    outcomes[FORTUNE, 0] = both
    outcomes[FORTUNE, 1] = deals - above - beside + both
    won = without_nine_high(low, both, nine_end, nine_first)
    outcomes[COMMISSION_FREE, 0] = won
    outcomes[COMMISSION_FREE, 1] = (
        deals
        - (below_end - below_first)
        - (above - (nine_end - nine_first))
        - without_nine_high(low, beside, below_end, below_first)
        + won
    )
    won = without_ace_high(high, ace, end, both, low_end, low_ace)
    outcomes[FACE_UP, 0] = won
    outcomes[FACE_UP, 1] = (
        deals
        - (high_end - high_ace)
        - without_ace_high(high, ace, end, above, high_end, high_ace)
        - (beside - (low_end - low_ace))
        + won
    )


@njit
def _face_up_best(
    highs: Highs, count: int, counts: Ints, first: int, weight: int, deals: int, bounds: Ints, settings: int
) -> tuple[int, int]:
    """Won and lost dealer hands when the player sees them before setting.

    The hands that some setting beats lie under stairs: the sum over the settings less what neighbours have in common.
    Lost is what no setting beats in either hand.
    """
    ace, end = bounds[BOUNDS - 2], bounds[BOUNDS - 1]
    high_ace, high_end = counts[first + BOUNDS] // weight, counts[first + 1 + BOUNDS] // weight
    stairs = first + SEVEN_FIRST + SEVEN_EACH * settings
    won = 0
    for place in range(count):
        at = first + SEVEN_FIRST + SEVEN_EACH * place
        low_end, low_ace = counts[at + 5] // weight, counts[at + 6] // weight
        won += without_ace_high(highs[place], ace, end, counts[at] // weight, low_end, low_ace)
        if place:
            shared = counts[stairs + place - 1] // weight
            won -= without_ace_high(highs[place - 1], ace, end, shared, low_end, low_ace)
    top = first + SEVEN_FIRST + SEVEN_EACH * (count - 1)
    at = first + SEVEN_FIRST
    low_end, low_ace = counts[at + 5] // weight, counts[at + 6] // weight
    corner = without_ace_high(highs[count - 1], ace, end, counts[stairs + count - 1] // weight, low_end, low_ace)
    above = without_ace_high(highs[count - 1], ace, end, counts[top + 1] // weight, high_end, high_ace)
    beside = counts[at + 2] // weight - (low_end - low_ace)
    return won, deals - (high_end - high_ace) - above - beside + corner


@njit
def summarize_seven(
    weights: Bytes,
    groups: Bytes,
    setting_starts: Ints,
    best: Bytes,
    of_way: Bytes,
    highs: Highs,
    lows: Lows,
    counts: Ints,
    deals: int,
    bounds: Ints,
    kept: int,
    per: int,
    two_pair_ranks: npt.NDArray[np.int16],
    results: Ints,
    nine: Ints,
    pai_gow: Ints,
    two_pairs: Ints,
) -> int:
    """Add up the outcomes of all classes; returns how many sums are not a multiple of their class's weight.

    `results[game, player, group]` takes won and lost deals; player 0 sets best, the others are the ways. A win is worth
    `kept / per` in the game with commission. `two_pairs[game, higher, lower, top single]` compares splitting with
    keeping together, in hands that are two pairs and nothing else.
    """
    first = 0
    faulty = 0
    outcomes = np.zeros((3, 2), np.int64)
    for number in range(len(weights)):
        weight = int(weights[number])
        start, settings = setting_starts[number], setting_starts[number + 1] - setting_starts[number]
        size = SEVEN_FIRST + SEVEN_EACH * settings + best[number]
        for at in range(first, first + size):
            faulty += counts[at] % weight != 0
        group = groups[number]
        best_value = np.full((2, 2), -(1 << 62), np.int64)
        chosen = np.zeros((2, 2), np.int64)
        # From the highest high hand down, so that of two equal settings the better high hand is taken.
        for place in range(settings - 1, -1, -1):
            at = first + SEVEN_FIRST + SEVEN_EACH * place
            high, low = highs[start + place], lows[start + place]
            seven_card_outcomes(high, low, counts, first, at, weight, deals, bounds, outcomes)
            for way in range(of_way.shape[0]):
                if of_way[way, number] == place:
                    results[:, way + 1, group, :] += weight * outcomes
                    _add_side_wagers(high, low, counts, first, at, bounds, nine, pai_gow, way)
            if place < best[number]:
                split = 1 if low >= _FIRST_PAIR else 0
                for game in range(2):
                    won = outcomes[game, 0] * (kept if game == FORTUNE else per)
                    value = won - outcomes[game, 1] * per
                    if value > best_value[game, split]:
                        best_value[game, split] = value
                        chosen[game, split] = place
        for game in range(2):
            split = 1 if best_value[game, 1] > best_value[game, 0] else 0
            at = first + SEVEN_FIRST + SEVEN_EACH * chosen[game, split]
            place = start + chosen[game, split]
            seven_card_outcomes(highs[place], lows[place], counts, first, at, weight, deals, bounds, outcomes)
            results[game, 0, group] += weight * outcomes[game]
            cell = two_pair_ranks[number]
            if cell >= 0 and best_value[game, 0] > -(1 << 62) and best_value[game, 1] > -(1 << 62):
                two_pairs[game, cell, 0] += weight * best_value[game, 0]
                two_pairs[game, cell, 1] += weight * best_value[game, 1]
        won, lost = _face_up_best(highs[start:], best[number], counts, first, weight, deals, bounds, settings)
        results[FACE_UP, 0, group, 0] += weight * won
        results[FACE_UP, 0, group, 1] += weight * lost
        first += size
    return faulty


@njit
def _add_side_wagers(
    high: int,
    low: int,
    counts: Ints,
    first: int,
    at: int,
    bounds: Ints,
    nine: Ints,
    pai_gow: Ints,
    way: int,
) -> None:
    """Tiger 9: a nine-high dealer low below the player's. Pai Gow'd: a dealer without a pair below his high hand."""
    if low >= NINE_HIGH_END:
        nine[way] += counts[first] - counts[first + 1]
    elif low > NINE_HIGH_FIRST:
        nine[way] += counts[at + 2] - counts[first + 1]
    before = np.int64(0)
    for bound in range(BOUNDS):
        reached = counts[at + 1] if high < bounds[bound] else counts[first + 2 + bound]
        if bound:
            pai_gow[way, bound - 1] += reached - before
        before = reached


@njit
def summarize_six(
    weights: Bytes,
    groups: Bytes,
    setting_starts: Ints,
    of_way: Bytes,
    counts: Ints,
    deals: int,
    main: Ints,
    doubled: Ints,
) -> int:
    """Add up the outcomes of all classes; returns how many sums are not a multiple of their class's weight.

    `main[player, group]` takes won and lost deals, `doubled[player, group]` win+win, win+push, lose+lose, lose+push,
    push+push, win+none, lose+none, push+none of main wager and double down; player 0 sets best.
    """
    first = 0
    faulty = 0
    outcome = np.zeros(8, np.int64)
    for number in range(len(weights)):
        weight, group = int(weights[number]), groups[number]
        settings = setting_starts[number + 1] - setting_starts[number]
        for at in range(first, first + SIX_FIRST + SIX_EACH * settings):
            faulty += counts[at] % weight != 0
        unqualified = counts[first] // weight
        best_main = best_doubled = -(1 << 62)
        main_choice = doubled_choice = 0
        for place in range(settings - 1, -1, -1):
            at = first + SIX_FIRST + SIX_EACH * place
            worth = _six_card_outcome(counts, at, weight, deals, unqualified, outcome)
            won, lost = outcome[0] + outcome[1] + outcome[5], outcome[2] + outcome[3] + outcome[6]
            for way in range(of_way.shape[0]):
                if of_way[way, number] == place:
                    main[way + 1, group, 0] += weight * won
                    main[way + 1, group, 1] += weight * lost
                    doubled[way + 1, group] += weight * outcome
            if won - lost > best_main:
                best_main, main_choice = won - lost, place
            if worth > best_doubled:
                best_doubled, doubled_choice = worth, place
        _six_card_outcome(counts, first + SIX_FIRST + SIX_EACH * main_choice, weight, deals, unqualified, outcome)
        main[0, group, 0] += weight * (outcome[0] + outcome[1] + outcome[5])
        main[0, group, 1] += weight * (outcome[2] + outcome[3] + outcome[6])
        _six_card_outcome(counts, first + SIX_FIRST + SIX_EACH * doubled_choice, weight, deals, unqualified, outcome)
        doubled[0, group] += weight * outcome
        first += SIX_FIRST + SIX_EACH * settings
    return faulty


@njit
def _six_card_outcome(counts: Ints, at: int, weight: int, deals: int, unqualified: int, outcome: Ints) -> int:
    """The eight outcomes of a setting, doubled where that pays; returns their worth in units of the main wager."""
    both, above, beside = counts[at] // weight, counts[at + 1] // weight, counts[at + 2] // weight
    won_in_vain = counts[at + 3] // weight
    lost = deals - above - beside + both
    lost_in_vain = unqualified - counts[at + 4] // weight - counts[at + 5] // weight + won_in_vain
    gain = both - won_in_vain - (lost - lost_in_vain)
    outcome[:] = 0
    if gain > 0:
        outcome[0], outcome[1] = both - won_in_vain, won_in_vain
        outcome[2], outcome[3] = lost - lost_in_vain, lost_in_vain
        outcome[4] = deals - both - lost
    else:
        outcome[5], outcome[6], outcome[7] = both, lost, deals - both - lost
    worth: int = both - lost + max(gain, 0)
    return worth
