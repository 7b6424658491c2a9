"""From the counts at the points of each class to outcomes: which points to ask for, and what follows: the kernels.

Everything comes from one kind of count, W(H, L): the dealer hands below H and below L. With A(H) = W(H, all) and
B(L) = W(all, L), the player wins W(H, L) and loses T - A(H) - B(L) + W(H, L) of T hands. Dealer hands that push
whatever the player holds lie between two lows or between two highs, so leaving them out is a difference of two more
counts. Where they lie is in `bounds`, in the columns named below.
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
_FIRST_PAIR: Final = 78
BOUNDS: Final = 7
"""The dealer's hands without a pair by their top card, nine to ace: six kinds between seven bounds."""

# The columns of `bounds` behind those: places of high hands, then ranks of low hands.
HIGH_PUSH_FIRST, HIGH_PUSH_END = BOUNDS, BOUNDS + 1
LOW_PUSH_FIRST, LOW_PUSH_END, LOW_LOOK_FIRST, LOW_LOOK_END = BOUNDS + 2, BOUNDS + 3, BOUNDS + 4, BOUNDS + 5
ALL_BOUNDS: Final = BOUNDS + 6

SEVEN_FIRST: Final = ALL_BOUNDS
"""A class is asked for the counts at all bounds, in their order."""
SEVEN_EACH: Final = 7
SIX_FIRST: Final = 1
SIX_EACH: Final = 6

PLAIN, PUSHING_LOW, PUSHING_HIGH = 0, 1, 2


@njit
def seven_card_points(
    setting_starts: Ints, best: Bytes, highs: Highs, lows: Lows, high_count: int, bounds: Ints, points: Points
) -> None:
    """The points of each class: all bounds, seven for each setting, one for each step of the stairs."""
    at = 0
    for number in range(len(best)):
        for bound in range(LOW_PUSH_FIRST):
            points[at + bound] = bounds[bound] << 8 | ALL_LOWS
        for bound in range(LOW_PUSH_FIRST, ALL_BOUNDS):
            points[at + bound] = high_count << 8 | bounds[bound]
        at += SEVEN_FIRST
        first = setting_starts[number]
        for place in range(first, setting_starts[number + 1]):
            high, low = int(highs[place]), int(lows[place])
            points[at] = high << 8 | low
            points[at + 1] = high << 8 | ALL_LOWS
            points[at + 2] = high_count << 8 | low
            points[at + 3] = high << 8 | bounds[LOW_PUSH_END]
            points[at + 4] = high << 8 | bounds[LOW_PUSH_FIRST]
            points[at + 5] = bounds[HIGH_PUSH_END] << 8 | low
            points[at + 6] = bounds[HIGH_PUSH_FIRST] << 8 | low
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
def without_pushes(place: int, first: int, end: int, at_place: int, at_end: int, at_first: int) -> int:
    """A count below a high or a low, less the hands below it that push; the others are the counts below their ends."""
    if place >= end:
        return at_place - (at_end - at_first)
    return at_first if place > first else at_place


@njit
def seven_card_outcomes(
    high: int, low: int, counts: Ints, first: int, at: int, weight: int, deals: int, bounds: Ints, outcomes: Ints
) -> None:
    """Won and lost dealer hands of one setting in the three games; `first` and `at` lead to the class and setting."""
    low_first, low_end = bounds[LOW_PUSH_FIRST], bounds[LOW_PUSH_END]
    high_first, high_end = bounds[HIGH_PUSH_FIRST], bounds[HIGH_PUSH_END]
    lows_end, lows_first = counts[first + LOW_PUSH_END] // weight, counts[first + LOW_PUSH_FIRST] // weight
    highs_end, highs_first = counts[first + HIGH_PUSH_END] // weight, counts[first + HIGH_PUSH_FIRST] // weight
    both, above, beside = counts[at] // weight, counts[at + 1] // weight, counts[at + 2] // weight
    above_end, above_first = counts[at + 3] // weight, counts[at + 4] // weight
    beside_end, beside_first = counts[at + 5] // weight, counts[at + 6] // weight
    outcomes[PLAIN, 0] = both
    outcomes[PLAIN, 1] = deals - above - beside + both
    won = without_pushes(low, low_first, low_end, both, above_end, above_first)
    outcomes[PUSHING_LOW, 0] = won
    outcomes[PUSHING_LOW, 1] = (
        deals
        - (lows_end - lows_first)
        - (above - (above_end - above_first))
        - without_pushes(low, low_first, low_end, beside, lows_end, lows_first)
        + won
    )
    won = without_pushes(high, high_first, high_end, both, beside_end, beside_first)
    outcomes[PUSHING_HIGH, 0] = won
    outcomes[PUSHING_HIGH, 1] = (
        deals
        - (highs_end - highs_first)
        - without_pushes(high, high_first, high_end, above, highs_end, highs_first)
        - (beside - (beside_end - beside_first))
        + won
    )


@njit
def _best_of_open_dealer(
    highs: Highs, count: int, counts: Ints, first: int, weight: int, deals: int, bounds: Ints, settings: int
) -> tuple[int, int]:
    """Won and lost dealer hands when the player sees them before setting.

    The hands that some setting beats lie under stairs: the sum over the settings less what neighbours have in common.
    Lost is what no setting beats in either hand.
    """
    push_first, push_end = bounds[HIGH_PUSH_FIRST], bounds[HIGH_PUSH_END]
    highs_first, highs_end = counts[first + HIGH_PUSH_FIRST] // weight, counts[first + HIGH_PUSH_END] // weight
    stairs = first + SEVEN_FIRST + SEVEN_EACH * settings
    won = 0
    for place in range(count):
        at = first + SEVEN_FIRST + SEVEN_EACH * place
        beside_end, beside_first = counts[at + 5] // weight, counts[at + 6] // weight
        won += without_pushes(highs[place], push_first, push_end, counts[at] // weight, beside_end, beside_first)
        if place:
            shared = counts[stairs + place - 1] // weight
            won -= without_pushes(highs[place - 1], push_first, push_end, shared, beside_end, beside_first)
    top = first + SEVEN_FIRST + SEVEN_EACH * (count - 1)
    at = first + SEVEN_FIRST
    beside_end, beside_first = counts[at + 5] // weight, counts[at + 6] // weight
    corner_count = counts[stairs + count - 1] // weight
    corner = without_pushes(highs[count - 1], push_first, push_end, corner_count, beside_end, beside_first)
    above = without_pushes(highs[count - 1], push_first, push_end, counts[top + 1] // weight, highs_end, highs_first)
    beside = counts[at + 2] // weight - (beside_end - beside_first)
    return won, deals - (highs_end - highs_first) - above - beside + corner


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
                    won = outcomes[game, 0] * (kept if game == PLAIN else per)
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
        won, lost = _best_of_open_dealer(highs[start:], best[number], counts, first, weight, deals, bounds, settings)
        results[PUSHING_HIGH, 0, group, 0] += weight * won
        results[PUSHING_HIGH, 0, group, 1] += weight * lost
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
    """The dealer's low hands that a wager looks at, below the player's; a dealer without a pair below the high hand."""
    if low >= bounds[LOW_LOOK_END]:
        nine[way] += counts[first + LOW_LOOK_END] - counts[first + LOW_LOOK_FIRST]
    elif low > bounds[LOW_LOOK_FIRST]:
        nine[way] += counts[at + 2] - counts[first + LOW_LOOK_FIRST]
    before = np.int64(0)
    for bound in range(BOUNDS):
        reached = counts[at + 1] if high < bounds[bound] else counts[first + bound]
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
