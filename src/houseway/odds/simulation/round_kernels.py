"""Compiled rounds: dealt from a counter-based generator, set by the house way, every wager of every seat settled.

The cards of a round depend on the seed and the round's number alone, so that any cut of the rounds into parts gives the
same sums. Philox 4x32-10 makes the random words: no state is carried from one round to the next. All amounts are
integer cents; `houseway.games.settle` gives the same amounts line by line, which a test holds.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from houseway.houseways.way_kernels import CARD_BITS, LOW_SHIFT, VALUE_SHIFT, set_hand
from houseway.odds.pai_gow.layouts import low_rank
from houseway.ranking.jit import njit
from houseway.ranking.rank_kernels import CARD_KEYS, CARD_MASKS, names_of_sums, value_of_sums

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)
import numpy.typing as npt  # isort: skip

Ints: TypeAlias = npt.NDArray[np.int64]

_WORD: Final = 0xFFFFFFFF
_FACTORS: Final = (0xD2511F53, 0xCD9E8D57)
_STEPS: Final = (0x9E3779B9, 0xBB67AE85)
_DECK: Final = 53
_VALUE_MASK: Final = 0xFFFFFF
_ACE: Final = 12

LIMB_BITS: Final = 40
LIMB_MASK: Final = (1 << LIMB_BITS) - 1

# The parts of a hand as they are laid: its names, the value of its high hand (or of its best five), its low rank, and,
# where a wager looks at it, the value of the best five of a hand that is split.
NAMES, HIGH, LOW, BEST = range(4)
NO_PART: Final = -1
# Which hand a pay-table wager looks at.
OWN, DEALER_BEST, DEALER_LOW, LOSING_HAND = range(4)
# What became of a wager.
LOST, PUSHED, WON, NOT_MADE = range(4)
# The columns of the sums: how many wagers ended each way, the money, and the sums of products in two limbs each.
COUNTS_AT: Final = 0
STAKED, RETURNED, ENVY = 3, 4, 5
HOLD_SQUARED, STAKE_SQUARED, HOLD_BY_STAKE = 6, 8, 10
SMALL_SQUARED, SMALL_SQUARES = 12, 13
"""Without big prizes, the sums of the squares of a round's hold and of each seat's: how the seats hang together."""
COLUMNS: Final = 14
MOST_SMALL: Final = 250
"""How many times its stake a prize returns at most that is not a big one."""


# The columns of a pay-table wager, and of a line of its table.
LOOK, IS_JACKPOT, LINES, STAKE, ANY_NAME, LOOK_FROM, LOOK_TO, BEATEN_BY = range(8)
MASK, PAYS, SHARE, LEVEL, ENVY_PAY = range(5)
MOST_LEVELS: Final = 3


class Felt(NamedTuple):
    """What a table plays, in plain numbers; arrays are passed beside it, because one in a tuple is slow to reach."""

    key: tuple[int, int]
    seats: int
    cards: int
    """How many cards a hand has."""
    splits: bool
    """Whether hands are split into a high and a low hand."""
    deck: int
    wheel: int
    push: int
    """The part of the dealer's hand that makes first wagers push; NO_PART where there is no such rule."""
    push_from: int
    push_to: int
    """The values from `push_from` to before `push_to` push."""
    stake: int
    """Of the first wager, and of its raise."""
    commission: int
    """What is netted from a won first wager."""
    qualifier: int
    """The value that the dealer must reach; 0 where there is no such rule."""
    raises: bool
    looks_at_best: bool
    """Whether a wager looks at the best hand among the dealer's cards."""


class Book(NamedTuple):
    """The arrays of a table."""

    program: Ints
    """The house way; empty where hands are not split."""
    raise_from: Ints
    """By low rank, the least value of the high hand with which the player raises."""
    wagers: Ints
    """By pay-table wager: the columns LOOK to BEATEN_BY."""
    lines: Ints
    """By pay-table wager and line: the columns MASK to ENVY_PAY; a share of a meter has a pay of -1."""
    meters: Ints
    """By pay-table wager and level: what the meter shows at the start of a round, and restarts at."""
    low_names: Ints
    """By low rank, the name of the low hand as a mask."""


@njit
def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Four random words of 32 bits: Philox 4x32 with ten rounds."""
    a, b, c, d = counter
    first, second = key
    for _ in range(10):
        left, right = a * _FACTORS[0], c * _FACTORS[1]
        a, b, c, d = (
            right >> 32 & _WORD ^ b ^ first,
            right & _WORD,
            left >> 32 & _WORD ^ d ^ second,
            left & _WORD,
        )
        first, second = first + _STEPS[0] & _WORD, second + _STEPS[1] & _WORD
    return a, b, c, d


@njit
def deal(number: int, key: tuple[int, int], deck: int, count: int, cards: Ints) -> None:
    """Deal the first cards of round `number` into `cards`, every order of the deck equally likely."""
    for card in range(deck):
        cards[card] = card
    words = (0, 0, 0, 0)
    used = drawn = 0
    for place in range(count):
        bound = deck - place
        while True:
            if used == 4 * drawn:
                words = philox((number & _WORD, number >> 32, drawn, 0), key)
                drawn += 1
            product = words[used & 3] * bound
            used += 1
            # Of the words whose product leaves a small rest there is one too many for some cards: draw again.
            if product & _WORD >= bound or product & _WORD >= (1 << 32) % bound:
                break
        chosen = place + (product >> 32)
        cards[place], cards[chosen] = cards[chosen], cards[place]


@njit
def _packed(cards: Ints, start: int, size: int) -> int:
    """The cards of a hand in one integer, the highest in the lowest bits, which is how `set_hand` takes them."""
    held = 0
    for place in range(start, start + size):
        held |= 1 << cards[place]
    hand = 0
    for _ in range(size):
        lowest = held & -held
        hand = hand << CARD_BITS | _bit_number(lowest)
        held ^= lowest
    return hand


@njit
def _bit_number(bit: int) -> int:
    """Which bit it is, by the digits of its logarithm."""
    number = 0
    if bit & 0x7FFFFFFF00000000:
        number += 32
    if bit & 0x7FFF0000FFFF0000:
        number += 16
    if bit & 0x7F00FF00FF00FF00:
        number += 8
    if bit & 0x70F0F0F0F0F0F0F0:
        number += 4
    if bit & 0x4CCCCCCCCCCCCCCC:
        number += 2
    if bit & 0x2AAAAAAAAAAAAAAA:
        number += 1
    return number


@njit
def _lay(felt: Felt, program: Ints, cards: Ints, hand: int, laid: Ints) -> None:
    """Put one hand on the table: its names, the value of its high hand (or of its best five), its low rank."""
    key = masks = 0
    for place in range(hand * felt.cards, (hand + 1) * felt.cards):
        key += CARD_KEYS[cards[place]]
        masks |= CARD_MASKS[cards[place]]
    laid[hand, NAMES] = names_of_sums(key, masks)
    if hand == 0 and felt.looks_at_best:
        laid[hand, BEST] = value_of_sums(key, masks, felt.wheel)
    if felt.splits:
        result = set_hand(_packed(cards, hand * felt.cards, felt.cards), felt.cards, program, felt.wheel)
        laid[hand, HIGH] = result >> VALUE_SHIFT & _VALUE_MASK
        laid[hand, LOW] = low_rank(result >> LOW_SHIFT, felt.cards, hand > 0)
    else:
        laid[hand, HIGH] = value_of_sums(key, masks, felt.wheel)


@njit
def least_to_play(raise_from: Ints, first: int, second: int, third: int) -> int:
    """The least value with which the simulated player of Six Card Poker plays, by the dealer's three cards.

    Against a pair or three of a kind: as much, without kickers. Against anything else the first entry of `raise_from`
    with an ace among the three, the second without.
    """
    one, two, three = first >> 2, second >> 2, third >> 2
    if one == two == three:
        return 3 << 20 | one << 16
    if one in (two, three):
        return 1 << 20 | one << 16
    if two == three:
        return 1 << 20 | two << 16
    least: int = raise_from[0] if _ACE in (one, two, three) else raise_from[1]
    return least


@njit
def _even_money(outcome: int, stake: int, commission: int) -> int:
    """What a wager at even money returns."""
    return 2 * stake - commission if outcome == WON else stake if outcome == PUSHED else 0


@njit
def _put(amounts: Ints, seat: int, wager: int, outcome: int, stake: int, returned: int) -> None:
    """Note what became of a wager."""
    amounts[seat, wager, 0] = outcome
    amounts[seat, wager, 1] = stake
    amounts[seat, wager, 2] = returned


@njit
def _settle_poker(felt: Felt, least: int, laid: Ints, amounts: Ints) -> None:
    """Ante and play of every seat, which plays with a hand of at least that value."""
    for seat in range(felt.seats):
        value, dealer = laid[seat + 1, HIGH], laid[0, HIGH]
        if value < least:
            _put(amounts, seat, 0, LOST, felt.stake, 0)
            _put(amounts, seat, 1, NOT_MADE, 0, 0)
            continue
        outcome = WON if value > dealer else PUSHED if value == dealer else LOST
        of_ante = outcome if dealer >= felt.qualifier else PUSHED
        _put(amounts, seat, 0, of_ante, felt.stake, _even_money(of_ante, felt.stake, 0))
        _put(amounts, seat, 1, outcome, felt.stake, _even_money(outcome, felt.stake, 0))


@njit
def _settle_pai_gow(felt: Felt, raise_from: Ints, laid: Ints, amounts: Ints) -> None:
    """The main wager of every seat, and its double down where the game has one."""
    dealer_high, dealer_low = laid[0, HIGH], laid[0, LOW]
    pushes = felt.push != NO_PART and felt.push_from <= laid[0, felt.push] < felt.push_to
    for seat in range(felt.seats):
        high, low = laid[seat + 1, HIGH], laid[seat + 1, LOW]
        outcome = PUSHED if pushes else int(high > dealer_high) + int(low > dealer_low)
        _put(amounts, seat, 0, outcome, felt.stake, _even_money(outcome, felt.stake, felt.commission))
        if felt.raises:
            if high < raise_from[low]:
                _put(amounts, seat, 1, NOT_MADE, 0, 0)
            else:
                doubled = outcome if dealer_high >= felt.qualifier else PUSHED
                _put(amounts, seat, 1, doubled, felt.stake, _even_money(doubled, felt.stake, 0))


@njit
def _shown_by_dealer(table: int, wagers: Ints, low_names: Ints, laid: Ints) -> int:
    """The names with which a wager that looks at the dealer's hand reads its table; none where the hand is no such."""
    if wagers[table, LOOK] == DEALER_LOW:
        value, names = laid[0, LOW], low_names[laid[0, LOW]]
    else:
        value, names = laid[0, BEST], laid[0, NAMES]
    return names if wagers[table, LOOK_FROM] <= value < wagers[table, LOOK_TO] else 0


@njit
def _losing_hand(table: int, wagers: Ints, seat: int, laid: Ints) -> int:
    """The names with which a wager on a good hand that loses reads its table; none where no such hand has lost."""
    own, dealers = laid[seat, HIGH], laid[0, HIGH]
    if own == dealers or not wagers[table, LOOK_FROM] <= min(own, dealers) < wagers[table, LOOK_TO]:
        return 0
    names: int = laid[0, NAMES] if own > dealers else laid[seat, NAMES]
    return names


@njit
def _line(lines: Ints, table: int, names: int) -> int:
    """The first line from the top that takes one of the names; there is one."""
    line = 0
    while not lines[table, line, MASK] & names:
        line += 1
    return line


@njit
def _settle_table(
    felt: Felt,
    table: int,
    wagers: Ints,
    lines: Ints,
    starts: Ints,
    low_names: Ints,
    laid: Ints,
    amounts: Ints,
    meters: Ints,
) -> None:
    """One pay-table wager of every seat, from the highest seat down, which is the order of paying from a meter."""
    look, stake, any_name, beaten_by = (
        wagers[table, LOOK], wagers[table, STAKE], wagers[table, ANY_NAME], wagers[table, BEATEN_BY]
    )  # fmt: skip
    wager = table + (2 if felt.raises else 1)
    envy = 0
    # What the dealer's hand shows is the same for all seats.
    shown = _shown_by_dealer(table, wagers, low_names, laid) if look in (DEALER_BEST, DEALER_LOW) else 0
    for level in range(MOST_LEVELS):
        meters[level] = starts[table, level]
    for seat in range(felt.seats - 1, -1, -1):
        if look == OWN:
            names = laid[seat + 1, NAMES]
        elif look == LOSING_HAND:
            names = _losing_hand(table, wagers, seat + 1, laid)
        else:
            alive = beaten_by == NO_PART or laid[seat + 1, beaten_by] > laid[0, beaten_by]
            names = shown if alive else 0
        returned, outcome, own_envy = 0, LOST, 0
        if names & any_name:
            line = _line(lines, table, names)
            returned = lines[table, line, PAYS]
            outcome = PUSHED if returned == stake and not wagers[table, IS_JACKPOT] else WON
            # No wager that looks at the dealer's hand brings envy.
            own_envy = lines[table, line, ENVY_PAY]
            if returned < 0:
                level, share = lines[table, line, LEVEL], lines[table, line, SHARE]
                returned = meters[level] * share // 100
                meters[level] = starts[table, level] if share == 100 else meters[level] - returned
        _put(amounts, seat, wager, outcome, stake, returned)
        amounts[seat, wager, 3] = -own_envy
        envy += own_envy
    if envy:
        for seat in range(felt.seats):
            # What the others' hands bring: all of it less one's own.
            amounts[seat, wager, 3] += envy


@njit
def play_round(felt: Felt, book: Book, number: int, cards: Ints, laid: Ints, meters: Ints, amounts: Ints) -> None:
    """Deal and settle one round: by seat and wager the outcome, the stake, what it returned and its envy pays."""
    deal(number, felt.key, felt.deck, (felt.seats + 1) * felt.cards, cards)
    program, raise_from, wagers, lines, starts, low_names = book
    for hand in range(felt.seats + 1):
        _lay(felt, program, cards, hand, laid)
    if felt.splits:
        _settle_pai_gow(felt, raise_from, laid, amounts)
    else:
        _settle_poker(felt, least_to_play(raise_from, cards[0], cards[1], cards[2]), laid, amounts)
    for table in range(len(wagers)):
        _settle_table(felt, table, wagers, lines, starts, low_names, laid, amounts, meters)


@njit
def _add_product(sums: Ints, row: int, column: int, product: int) -> None:
    """Add to a sum that is kept in two limbs, so that it cannot overflow."""
    sums[row, column] += product & LIMB_MASK
    sums[row, column + 1] += product >> LIMB_BITS


@njit
def _small_part(returned: int, stake: int, shared: bool) -> int:
    """What a wager returned without big prizes: one that the dealer's hand brings all winners counts as a small one."""
    most = MOST_SMALL * stake
    if returned <= most:
        return returned
    return most if shared else 0


@njit
def play_rounds(felt: Felt, book: Book, start: int, count: int) -> Ints:
    """Play rounds and sum up what became of every wager; the last row is of all wagers of a round together."""
    wagers = len(book.wagers) + (2 if felt.raises else 1)
    sums = np.zeros((wagers + 1, COLUMNS), np.int64)
    cards = np.zeros(_DECK, np.int64)
    laid = np.zeros((felt.seats + 1, 4), np.int64)
    meters = np.zeros(MOST_LEVELS, np.int64)
    amounts = np.zeros((felt.seats, wagers, 4), np.int64)
    for number in range(start, start + count):
        play_round(felt, book, number, cards, laid, meters, amounts)
        total_hold = total_stake = 0
        for wager in range(wagers):
            stake = returned = envy = small = squares = 0
            table = wager - (2 if felt.raises else 1)
            shared = table >= 0 and book.wagers[table, LOOK] in (DEALER_BEST, DEALER_LOW)
            for seat in range(felt.seats):
                outcome = amounts[seat, wager, 0]
                if outcome != NOT_MADE:
                    sums[wager, COUNTS_AT + outcome] += 1
                own = amounts[seat, wager, 1] - _small_part(amounts[seat, wager, 2], amounts[seat, wager, 1], shared)
                small += own
                squares += own * own
                stake += amounts[seat, wager, 1]
                returned += amounts[seat, wager, 2]
                envy += amounts[seat, wager, 3]
            hold = stake - returned - envy
            sums[wager, STAKED] += stake
            sums[wager, RETURNED] += returned
            sums[wager, ENVY] += envy
            sums[wager, SMALL_SQUARED] += small * small
            sums[wager, SMALL_SQUARES] += squares
            _add_product(sums, wager, HOLD_SQUARED, hold * hold)
            _add_product(sums, wager, STAKE_SQUARED, stake * stake)
            _add_product(sums, wager, HOLD_BY_STAKE, hold * stake)
            total_hold += hold
            total_stake += stake
        sums[wagers, STAKED] += total_stake
        sums[wagers, RETURNED] += total_stake - total_hold
        _add_product(sums, wagers, HOLD_SQUARED, total_hold * total_hold)
        _add_product(sums, wagers, STAKE_SQUARED, total_stake * total_stake)
        _add_product(sums, wagers, HOLD_BY_STAKE, total_hold * total_stake)
    return sums
