"""Six Card Poker, play or fold for every hand against three up cards, by counting what the dealer may turn over.

For given up cards there are 18,424 ways to complete the dealer's hand; 12,341 of them are left for one player's hand.
A player's hand of a given value asks for three counts over the completions that hold none of its cards: those below it,
those not above it, and those with which the dealer does not qualify. Tables keep these counts over all completions, and
over those that hold one, two or three given cards; the completions that avoid six cards are then an alternating sum
over the subsets of at most three of them. Patterns (hands without their suits) are walked upwards by value, so that the
tables change by the few completions between one value and the next; `six_card_poker_walk` goes through the hands of a
pattern.

Three numbers travel in one integer, 20 bits apart: the two first counts, and above them the score, a sum of all three
counts that says whether playing is better. Sums of such integers are the sums of each number, however the terms
alternate, as all final numbers fit their bits; and one comparison of the whole integer decides.

With a hand below those that qualify, which beats no dealer who does, the score is below + not above + unqualified; else
it is 2 x below + 2 x not above - unqualified. What it exceeds the 12,341 completions by is what playing brings more
than folding, in antes over all of them.
"""

from __future__ import annotations

from math import comb
from typing import Final

from houseway.odds.six_card_poker.six_cards import (
    DECK,
    FLUSH,
    SIZE,
    VALUE_COUNT,
    Ints,
    value_number_of_sums,
)
from houseway.odds.six_card_poker.suit_walk import (
    BELOW,
    FIELD,
    MOST_ENDS,
    MOST_OPTIONS,
    NOT_ABOVE,
    PAIRS_UNDER,
    TRIPLES_UNDER,
    UNQUALIFIED,
    fill_additions,
    lay_options,
    walk,
)
from houseway.ranking.jit import njit
from houseway.ranking.rank_kernels import CARD_KEYS, CARD_MASKS

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)

UP: Final = 3
HIDDEN: Final = 3
COMPLETIONS: Final = comb(DECK - SIZE - UP, HIDDEN)
"""The ways to complete the dealer's hand that a player's hand leaves: 12,341."""

OPTIMAL: Final = 0
PLAY: Final = 1
FOLD: Final = 2
"""What to do with the hands of a pattern: what is better for each hand, always play, always fold."""

_ALL_COMPLETIONS: Final = comb(DECK - UP, HIDDEN)
_TRIPLES: Final = comb(DECK, 3)
_BELOW_BIT: Final = 1
_NOT_ABOVE_BIT: Final = 1 << FIELD
_SCORE_BIT: Final = 1 << 2 * FIELD
_NO_LIMIT: Final = (1 << 63) - 1


@njit
def completions(up: Ints, cards: Ints, values: Ints) -> None:
    """Fill in the hidden cards, descending, of every completion in ascending order of value, and the value numbers."""
    rest = np.empty(DECK, np.int64)
    free = 0
    key = masks = 0
    for card in range(DECK):
        if card == up[0] or card == up[1] or card == up[2]:
            key += CARD_KEYS[card]
            masks |= CARD_MASKS[card]
        else:
            rest[free] = card
            free += 1
    unsorted = np.empty((len(values), 4), np.int64)
    starts = np.zeros(VALUE_COUNT + 1, np.int64)
    found = 0
    for first in range(free):
        for second in range(first):
            for third in range(second):
                a, b, c = rest[first], rest[second], rest[third]
                value = value_number_of_sums(
                    key + CARD_KEYS[a] + CARD_KEYS[b] + CARD_KEYS[c],
                    masks | CARD_MASKS[a] | CARD_MASKS[b] | CARD_MASKS[c],
                )
                unsorted[found, 0], unsorted[found, 1], unsorted[found, 2], unsorted[found, 3] = a, b, c, value
                starts[value + 1] += 1
                found += 1
    for value in range(VALUE_COUNT):
        starts[value + 1] += starts[value]
    for row in range(found):
        value = unsorted[row, 3]
        place = starts[value]
        starts[value] += 1
        values[place] = value
        cards[place, 0], cards[place, 1], cards[place, 2] = unsorted[row, 0], unsorted[row, 1], unsorted[row, 2]


@njit
def always_played_from(values: Ints) -> int:
    """A value number from which on every hand is played, whatever its cards, by a bound.

    A win brings at least the play wager, a loss costs at most two, a tie nothing: playing beats folding when fewer than
    two thirds of the completions that a hand leaves are not beaten. Those are at most the ones among all completions.
    """
    most = (2 * COMPLETIONS - 1) // 3
    place = len(values) - 1 - most
    # The completions above this place are `most`; a value above the one at this place is not beaten by at most these.
    number: int = values[place] + 1
    return number


@njit
def _count_in(cards: Ints, place: int, bit: int, ones: Ints, twos: Ints, threes: Ints) -> None:
    """Enter one completion into the tables: all completions in the last place of `ones`, then by cards held."""
    a, b, c = cards[place, 0], cards[place, 1], cards[place, 2]
    ones[DECK] += bit
    ones[a] += bit
    ones[b] += bit
    ones[c] += bit
    twos[a, b] += bit
    twos[a, c] += bit
    twos[b, c] += bit
    threes[TRIPLES_UNDER[a] + PAIRS_UNDER[b] + c] += bit


@njit
def _enter(
    values: Ints, cards: Ints, value: int, weights: tuple[int, int], places: Ints, tables: tuple[Ints, Ints, Ints]
) -> None:
    """Bring the tables up to a value: the completions below it and not above it that are not yet entered."""
    ones, twos, threes = tables
    while places[0] < _ALL_COMPLETIONS and values[places[0]] < value:
        _count_in(cards, places[0], _BELOW_BIT + weights[0] * _SCORE_BIT, ones, twos, threes)
        places[0] += 1
    while places[1] < _ALL_COMPLETIONS and values[places[1]] <= value:
        _count_in(cards, places[1], _NOT_ABOVE_BIT + weights[0] * _SCORE_BIT, ones, twos, threes)
        places[1] += 1


@njit
def _begin(
    values: Ints,
    cards: Ints,
    qualifying: int,
    weights: tuple[int, int],
    places: Ints,
    tables: tuple[Ints, Ints, Ints],
) -> None:
    """Start the tables with the completions that do not qualify."""
    ones, twos, threes = tables
    ones[:] = 0
    twos[:] = 0
    threes[:] = 0
    places[:] = 0
    for place in range(_ALL_COMPLETIONS):
        if values[place] < qualifying:
            _count_in(cards, place, weights[1] * _SCORE_BIT, ones, twos, threes)


@njit
def folded_by_pattern(
    up: Ints, qualifying: int, pattern_counts: Ints, pattern_values: Ints, orders: Ints, result: Ints
) -> None:
    """The hands folded against three up cards, pattern by pattern; a hand with a flush is always played.

    `qualifying` is the least value number with which the dealer qualifies. `orders` says for each pattern what to do
    with its hands; `result` comes in zeroed.
    """
    cards = np.empty((_ALL_COMPLETIONS, HIDDEN), np.int64)
    values = np.empty(_ALL_COMPLETIONS, np.int64)
    completions(up, cards, values)
    played_from = always_played_from(values)
    assert played_from <= FLUSH
    tables = (np.zeros(DECK + 1, np.int64), np.zeros((DECK, DECK), np.int64), np.zeros(_TRIPLES, np.int64))
    places = np.zeros(2, np.int64)
    starts = np.zeros(SIZE + 1, np.int64)
    options = np.zeros((MOST_OPTIONS, 5), np.int64)
    suits = np.zeros(MOST_OPTIONS, np.int64)
    most = MOST_OPTIONS
    additions = (np.zeros(most, np.int64), np.zeros((most, most), np.int64), np.zeros((most, most, most), np.int64))
    stack = (np.zeros((SIZE, most), np.int64), np.zeros((SIZE, most, most), np.int64))
    ends = (
        np.zeros((SIZE, MOST_ENDS), np.int64),
        np.zeros((SIZE, most, MOST_ENDS), np.int64),
        np.zeros((most, most, MOST_ENDS), np.int64),
    )
    end_suits = np.zeros(MOST_ENDS, np.int64)
    up_mask = 1 << up[0] | 1 << up[1] | 1 << up[2]
    weights = (1, 1)
    _begin(values, cards, qualifying, weights, places, tables)
    for pattern in range(len(pattern_values)):
        value = pattern_values[pattern]
        if orders[pattern] == PLAY or (orders[pattern] == OPTIMAL and value >= played_from):
            continue
        if value >= qualifying and weights[0] == 1:
            weights = (2, -1)
            _begin(values, cards, qualifying, weights, places, tables)
        _enter(values, cards, value, weights, places, tables)
        limit = _NO_LIMIT if orders[pattern] == FOLD else COMPLETIONS * _SCORE_BIT
        ranks = lay_options(pattern_counts[pattern], up_mask, starts, options, suits)
        fill_additions(ranks, starts, options, tables, additions)
        row = result[pattern]
        walk(ranks, starts, suits, tables[0][DECK], limit, additions, ends, end_suits, stack, row)
        # The score less what the other two counts gave to it.
        row[UNQUALIFIED] = weights[1] * (row[UNQUALIFIED] - weights[0] * (row[BELOW] + row[NOT_ABOVE]))
