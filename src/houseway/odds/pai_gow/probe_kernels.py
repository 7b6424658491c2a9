"""Counting, for every class of player hands at once, the dealer hands below given points: the kernels.

A point is a pair (H, L). Wanted is the number of dealer hands that share no card with the player's hand P and lie below
the point in both ranks. By inclusion and exclusion it is the sum over the subsets S of P of (-1)^|S| times the dealer
hands that contain S and lie below the point. Here the sum is walked the other way round: for one S of each suit class,
a cumulative table of the dealer hands that contain S, then every hand P that contains S takes its terms from that
table while it is in the processor's cache. A class collects the terms of all its hands, so that its sums come out
multiplied by its weight.

Suits that S does not hold may change places: of the hands that differ only by that, one is visited and counted as many
times as there are.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from houseway.odds.pai_gow.layouts import BINOMIALS, DECK, Highs, Ints, Lows
from houseway.ranking.jit import njit
from houseway.ranking.suit_classes import JOKER_KEY_BIT, MASK_BITS, SUIT_MASK

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)
import numpy.typing as npt  # isort: skip

Classes: TypeAlias = npt.NDArray[np.int32]
Points: TypeAlias = npt.NDArray[np.uint32]
Weights: TypeAlias = npt.NDArray[np.uint8]

LOW_BITS: Final = 8
"""A point is packed as H << 8 | L."""
LOW_POINTS: Final = 93
"""The low ranks of points: 0, below which there is nothing, to 92, below which there is everything."""
_LOW_MASK: Final = (1 << LOW_BITS) - 1
_TIMES_BITS: Final = 5
_TIMES_MASK: Final = (1 << _TIMES_BITS) - 1
_JOKER: Final = DECK - 1
# Few dealer hands are added to the table one by one, many are counted first.
_FEW_HANDS: Final = 2000
_DEBRUIJN: Final = np.uint64(0x03F79D71B4CB0A89)


def _bit_places() -> npt.NDArray[np.uint8]:
    """The place of a single bit, by the top six bits of its product with the de Bruijn number."""
    places = np.zeros(64, np.uint8)
    for place in range(64):
        places[(0x03F79D71B4CB0A89 << place & (1 << 64) - 1) >> 58] = place
    return places


_BIT_PLACES: Final = _bit_places()


@njit
def _lane_bit(card: int) -> int:
    """A card's bit in the four suit masks of a class key; the joker has none."""
    return 0 if card == _JOKER else 1 << (card & 3) * MASK_BITS + (card >> 2)


@njit
def place_of_key(key: int) -> int:
    """The place of a class's canonical hand in the combinatorial order."""
    place, position = 0, 1
    for card in range(_JOKER):
        if key >> (card & 3) * MASK_BITS + (card >> 2) & 1:
            place += BINOMIALS[card, position]
            position += 1
    if key & JOKER_KEY_BIT:
        place += BINOMIALS[_JOKER, position]
    return place


@njit
def number_hands(keys: Ints, class_of: Classes) -> None:
    """Write the number of each class at the places of all hands that it stands for."""
    masks = np.zeros(4, np.int64)
    for number in range(len(keys)):
        key = keys[number]
        joker = key & JOKER_KEY_BIT
        for suit in range(4):
            masks[suit] = key >> suit * MASK_BITS & SUIT_MASK
        for a in range(4):
            for b in range(4):
                for c in range(4):
                    if a in (b, c) or b == c:
                        continue
                    d = 6 - a - b - c
                    other = joker | masks[a] | masks[b] << MASK_BITS
                    other |= masks[c] << 2 * MASK_BITS | masks[d] << 3 * MASK_BITS
                    class_of[place_of_key(other)] = number


@njit
def _level_places(shared: Ints, size: int, levels: int, places: Ints) -> int:
    """What each further card adds to a hand's place, by its level from the top, and what is left when all are picked.

    A card's position in the hand is the number of cards not above it. Whatever a pick changes about the positions of
    the shared cards is booked on the pick, so that a hand's place is the rest plus one entry for each pick.
    """
    rest = 0
    for level in range(levels + 1):
        passed, above = 0, 0
        number = len(shared) - 1
        for card in range(DECK - 1, -1, -1):
            if number >= 0 and shared[number] == card:
                passed += BINOMIALS[card, size - level - above]
                above += 1
                number -= 1
            elif level < levels:
                places[level, card] = passed + BINOMIALS[card, size - level - above]
            if level:
                places[level - 1, card] -= passed
        if level == levels:
            rest = passed
    return rest


@njit
def _free_suits(shared: Ints, free: Ints) -> int:
    """The suits that no shared card has, and their number."""
    held = 0
    for card in shared:
        if card != _JOKER:
            held |= 1 << (card & 3)
    found = 0
    for suit in range(4):
        if not held >> suit & 1:
            free[found] = suit
            found += 1
    return found


@njit
def _times(lanes: int, free: Ints, suits: int) -> int:
    """How many hands this one stands for when its free suits change places; 0 unless their masks are in order."""
    orders, run = 1, 1
    before = lanes >> free[0] * MASK_BITS & SUIT_MASK
    for place in range(1, suits):
        mask = lanes >> free[place] * MASK_BITS & SUIT_MASK
        if mask > before:
            return 0
        run = run + 1 if mask == before else 1
        orders = orders * (place + 1) // run
        before = mask
    return orders


@njit
def _visit_hands(
    shared: Ints,
    size: int,
    class_of: Classes,
    first_class: int,
    last_class: int,
    dealers: tuple[Highs, Lows],
    found: npt.NDArray[np.int32],
    hands: npt.NDArray[np.int32],
) -> tuple[int, int]:
    """Walk the hands that contain the shared cards, lowest card innermost so that their places lie together.

    `found` takes the dealer hands as high << 13 | low << 5 | times, `hands` the player hands whose class is in the
    range, as (class - first) << 5 | times. Returns how many there are of each.
    """
    levels = size - len(shared)
    places = np.zeros((levels, DECK), np.int64)
    rest_of_place = _level_places(shared, size, levels, places)
    free = np.zeros(4, np.int64)
    suits = _free_suits(shared, free)
    cards = np.empty(DECK, np.int64)
    lane_bits = np.empty(DECK, np.int64)
    count, number = 0, 0
    for card in range(DECK):
        if number < len(shared) and shared[number] == card:
            number += 1
        else:
            cards[count] = card
            lane_bits[count] = _lane_bit(card)
            count += 1
    picks = np.empty(levels + 1, np.int64)
    base = np.zeros(levels + 1, np.int64)
    lanes = np.zeros(levels + 1, np.int64)
    base[0] = rest_of_place
    last = levels - 1
    for level in range(last):
        picks[level] = levels - 1 - level
        base[level + 1] = base[level] + places[level, cards[picks[level]]]
        lanes[level + 1] = lanes[level] | lane_bits[picks[level]]
    dealer_hands = player_hands = 0
    while True:
        for index in range(picks[last - 1] if last else count):
            times = 1
            if suits > 1:
                times = _times(lanes[last] | lane_bits[index], free, suits)
                if not times:
                    continue
            place = base[last] + places[last, cards[index]]
            found[dealer_hands] = np.int32(dealers[0][place]) << 13 | np.int32(dealers[1][place]) << 5 | times
            dealer_hands += 1
            owner = class_of[place]
            if first_class <= owner < last_class:
                hands[player_hands] = owner - first_class << _TIMES_BITS | times
                player_hands += 1
        # The lowest pick above the innermost that can still go up.
        level = last - 1
        while level >= 0 and picks[level] + 1 == (picks[level - 1] if level else count):
            level -= 1
        if level < 0:
            return dealer_hands, player_hands
        picks[level] += 1
        base[level + 1] = base[level] + places[level, cards[picks[level]]]
        lanes[level + 1] = lanes[level] | lane_bits[picks[level]]
        for following in range(level + 1, last):
            picks[following] = levels - 1 - following
            base[following + 1] = base[following] + places[following, cards[picks[following]]]
            lanes[following + 1] = lanes[following] | lane_bits[picks[following]]


@njit
def _tabulate(
    found: npt.NDArray[np.int32],
    dealer_hands: int,
    high_count: int,
    table: npt.NDArray[np.int32],
    row_of: npt.NDArray[np.uint16],
    words: npt.NDArray[np.uint64],
    heads: npt.NDArray[np.int32],
    links: npt.NDArray[np.int32],
    running: npt.NDArray[np.int32],
) -> None:
    """Make the cumulative table: row r and column L hold the dealer hands below the r-th high that occurs and below L.

    `row_of` leads from the H of a point to its row.
    """
    for number in range(dealer_hands):
        high = found[number] >> 13
        bit = np.uint64(1) << np.uint64(high & 63)
        if words[high >> 6] & bit:
            links[number] = heads[high]
        else:
            words[high >> 6] |= bit
            links[number] = -1
        heads[high] = number
    running[:] = 0
    row, start = 0, 0
    for word_place in range(len(words)):
        word = words[word_place]
        words[word_place] = 0
        while word:
            bit = word & (~word + np.uint64(1))
            word ^= bit
            high = (word_place << 6) + _BIT_PLACES[(bit * _DEBRUIJN) >> np.uint64(58)]
            row_of[start : high + 1] = row
            start = high + 1
            _add_row(found, links, heads[high], dealer_hands > _FEW_HANDS, running)
            row += 1
            for low in range(LOW_POINTS):
                table[row * LOW_POINTS + low] = running[low]
    row_of[start : high_count + 1] = row


@njit
def _add_row(
    found: npt.NDArray[np.int32],
    links: npt.NDArray[np.int32],
    first: int,
    many: bool,
    running: npt.NDArray[np.int32],
) -> None:
    """Add the dealer hands of one high to the running sums over the low ranks."""
    if many:
        counts = np.zeros(LOW_POINTS, np.int32)
        while first >= 0:
            counts[(found[first] >> 5 & _LOW_MASK) + 1] += found[first] & _TIMES_MASK
            first = links[first]
        total = np.int32(0)
        for low in range(LOW_POINTS):
            total += counts[low]
            running[low] += total
        return
    while first >= 0:
        times = found[first] & _TIMES_MASK
        for low in range((found[first] >> 5 & _LOW_MASK) + 1, LOW_POINTS):
            running[low] += times
        first = links[first]


@njit
def add_terms(
    sets: Ints,
    weights: Ints,
    size: int,
    dealers: tuple[Highs, Lows],
    high_count: int,
    class_of: Classes,
    first_class: int,
    last_class: int,
    starts: Ints,
    points: Points,
    sums: Ints,
    room: int,
) -> None:
    """Add the terms of these shared sets, of fewer cards than a hand, to the sums of the points of a range of classes.

    `weights` carry the sign; `starts` tells where the points of each class begin; `room` is the most hands of one set.
    """
    found = np.empty(room, np.int32)
    hands = np.empty(room, np.int32)
    links = np.empty(room, np.int32)
    heads = np.empty(high_count, np.int32)
    words = np.zeros((high_count >> 6) + 1, np.uint64)
    running = np.zeros(LOW_POINTS, np.int32)
    table = np.zeros((min(high_count, room) + 1) * LOW_POINTS, np.int32)
    row_of = np.zeros(high_count + 1, np.uint16)
    for number in range(len(sets)):
        dealer_hands, player_hands = _visit_hands(
            sets[number], size, class_of, first_class, last_class, dealers, found, hands
        )
        if not player_hands:
            continue
        _tabulate(found, dealer_hands, high_count, table, row_of, words, heads, links, running)
        for visit in range(player_hands):
            owner = hands[visit] >> _TIMES_BITS
            factor = weights[number] * (hands[visit] & _TIMES_MASK)
            for place in range(starts[owner], starts[owner + 1]):
                point = points[place]
                sums[place] += factor * table[row_of[point >> LOW_BITS] * LOW_POINTS + (point & _LOW_MASK)]


@njit
def add_own_terms(
    keys: Ints,
    weights: Weights,
    sign: int,
    dealers: tuple[Highs, Lows],
    first_class: int,
    last_class: int,
    starts: Ints,
    points: Points,
    sums: Ints,
) -> None:
    """Add the last term of each class, in which the dealer's hand would be the player's own."""
    for number in range(first_class, last_class):
        place = place_of_key(keys[number])
        high, low = dealers[0][place], dealers[1][place]
        factor = sign * weights[number]
        for at in range(starts[number - first_class], starts[number - first_class + 1]):
            point = points[at]
            if high < point >> LOW_BITS and low < point & _LOW_MASK:
                sums[at] += factor
