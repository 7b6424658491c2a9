"""Whole domains counted: every hand of five, six or seven cards of the deck dealt out in turn and ranked.

All 154,143,080 hands of seven cards take a fraction of a second on one core. The result keeps how often each value and
each set of hand names occurs, so that any pay table's lines can be counted from it in the table's own order.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from math import comb
from typing import Final, NamedTuple

from houseway.ranking.fast import HIGH_NAME_BITS, ROYAL_FLUSH_BIT, ROYAL_MATCH_BIT, mask_of_names
from houseway.ranking.hand_names import JOKER_COMPLETES
from houseway.ranking.jit import njit
from houseway.ranking.rank_kernels import (
    CARD_KEYS,
    CARD_MASKS,
    NAMES_OF_ENTRY,
    VALUES_OF_ENTRY,
    entry_of_flush,
    entry_of_ranks,
    flush_lane,
    holds_royal_match,
    names_of_sums,
    sums_of_five,
    wheel_of,
)
from houseway.ranking.rank_tables import FLUSH_BITS, SUIT_COUNT_SHIFT
from houseway.ranking.reference import JOKER_INDEX, PAI_GOW, STANDARD, Ranking

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)
import numpy.typing as npt  # isort: skip

_ENTRY_COUNT: Final = len(NAMES_OF_ENTRY)
_NAME_SETS, _SET_OF_ENTRY = np.unique(NAMES_OF_ENTRY, return_inverse=True)
_SET_COUNT: Final = len(_NAME_SETS)
_COMPLETED_BITS: Final = mask_of_names(JOKER_COMPLETES)
# Adding four to each suit counter sets its top bit when one more card, or the joker, could make five.
_FOUR_OF_A_SUIT_BIAS: Final = 0x4444 << SUIT_COUNT_SHIFT


class DomainCounts(NamedTuple):
    """How often each value, and each set of names as a mask, occurs among all hands of a domain."""

    values: dict[int, int]
    names: dict[int, int]

    @property
    def hands(self) -> int:
        """The number of hands of the domain."""
        return sum(self.values.values())

    @property
    def checksum(self) -> int:
        """The sum of the values of all hands."""
        return sum(value * count for value, count in self.values.items())


def count_domain(size: int, ranking: Ranking = PAI_GOW, threads: int = 1) -> DomainCounts:
    """Rank every hand of that many cards of the order's deck: 53 cards with the joker, or 52."""
    assert size in (5, 6, 7)
    highest = np.arange(52 if ranking.joker else 51, size - 2, -1)
    wheel = wheel_of(ranking)
    if threads <= 1:
        counted = [count_hands_under(size, highest[0], highest[-1], wheel)]
    else:
        # A hand belongs to the part of its highest card; the largest parts come first, so threads end together.
        with ThreadPoolExecutor(threads) as pool:
            counted = list(pool.map(lambda card: count_hands_under(size, card, card, wheel), highest))
    plain = np.sum([part[0] for part in counted], axis=0)
    flushed = np.sum([part[1] for part in counted], axis=0)
    pairs = np.sum([part[2] for part in counted], axis=0)
    return DomainCounts(_value_counts(plain + flushed, wheel), _name_counts(plain, pairs))


def count_with_joker(threads: int = 1) -> dict[int, int]:
    """How often each set of names as a mask occurs among all hands of seven cards, the joker an ace in five aces only.

    It completes straights and flushes as ever, so that a hand with it has the names of its six other cards, and of
    those that it has with the joker the ones of five aces, straights and flushes.
    """
    found: Counter[int] = Counter(count_domain(7, STANDARD, threads).names)
    for highest in range(51, 4, -1):
        masks = np.empty(comb(highest, 5), np.int32)
        _masks_beside_joker(highest, _COMPLETED_BITS, masks)
        for mask, count in zip(*(counted.tolist() for counted in np.unique(masks, return_counts=True)), strict=True):
            found[mask] += count
    return dict(found)


@njit
def _masks_beside_joker(highest: int, completed: int, masks: npt.NDArray[np.int32]) -> None:
    """The names masks of the joker with every six cards whose highest is given."""
    place = 0
    joker_key, joker_mask = CARD_KEYS[JOKER_INDEX], CARD_MASKS[JOKER_INDEX]
    for second in range(4, highest):
        for third in range(3, second):
            for fourth in range(2, third):
                for fifth in range(1, fourth):
                    key, joined = sums_of_five(highest, second, third, fourth, fifth)
                    for sixth in range(fifth):
                        natural_key, natural_mask = key + CARD_KEYS[sixth], joined | CARD_MASKS[sixth]
                        natural = names_of_sums(natural_key, natural_mask)
                        names = natural | names_of_sums(natural_key + joker_key, natural_mask | joker_mask) & completed
                        masks[place] = names & ~HIGH_NAME_BITS or names
                        place += 1


@njit
def count_hands_under(
    size: int, highest_from: int, highest_to: int, wheel: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Count the hands whose highest card is between two cards, from the higher down to the lower.

    Returned are the hands without a flush by entry; those with one by the entry of their value; and the latter again by
    royal match or not, set of names of the ranks, and set of names of the flush.
    """
    plain = np.zeros(_ENTRY_COUNT, np.int64)
    flushed = np.zeros(_ENTRY_COUNT, np.int64)
    pairs = np.zeros((2, _SET_COUNT, _SET_COUNT), np.int64)
    # All cards but the two lowest are dealt by counting down; the sums over the cards above are kept for each depth.
    cards = np.zeros(size, np.int64)
    keys = np.zeros(size, np.int64)
    masks = np.zeros(size, np.int64)
    depth = 0
    cards[0] = highest_from
    while cards[0] >= highest_to:
        card = cards[depth]
        if depth > 0 and card < size - 1 - depth:
            depth -= 1
            cards[depth] -= 1
            continue
        keys[depth + 1] = keys[depth] + CARD_KEYS[card]
        masks[depth + 1] = masks[depth] | CARD_MASKS[card]
        if depth < size - 3:
            depth += 1
            cards[depth] = card - 1
            continue
        for second in range(card - 1, 0, -1):
            key = keys[depth + 1] + CARD_KEYS[second]
            if (key + _FOUR_OF_A_SUIT_BIAS) & FLUSH_BITS:
                joined = masks[depth + 1] | CARD_MASKS[second]
                _count_by_lowest(key, joined, second, wheel, plain, flushed, pairs)
            else:
                for lowest in range(second):
                    plain[entry_of_ranks(key + CARD_KEYS[lowest])] += 1
        cards[depth] -= 1
    return plain, flushed, pairs


@njit
def _count_by_lowest(
    key: int,
    masks: int,
    second: int,
    wheel: int,
    plain: npt.NDArray[np.int64],
    flushed: npt.NDArray[np.int64],
    pairs: npt.NDArray[np.int64],
) -> None:
    """Count the hands that each card under the second-lowest completes, where four cards of a suit are there."""
    for lowest in range(second):
        entry = entry_of_ranks(key + CARD_KEYS[lowest])
        lane = flush_lane(key + CARD_KEYS[lowest])
        if lane < 0:
            plain[entry] += 1
            continue
        joined = masks | CARD_MASKS[lowest]
        of_flush = entry_of_flush(joined, lane)
        better = VALUES_OF_ENTRY[wheel, of_flush] > VALUES_OF_ENTRY[wheel, entry]
        flushed[of_flush if better else entry] += 1
        match = NAMES_OF_ENTRY[of_flush] & ROYAL_FLUSH_BIT and holds_royal_match(joined, lane)
        pairs[int(match), _SET_OF_ENTRY[entry], _SET_OF_ENTRY[of_flush]] += 1


def _value_counts(by_entry: npt.NDArray[np.int64], wheel: int) -> dict[int, int]:
    counts: Counter[int] = Counter()
    for value, count in zip(VALUES_OF_ENTRY[wheel].tolist(), by_entry.tolist(), strict=True):
        if count:
            counts[value] += count
    return dict(counts)


def _name_counts(plain: npt.NDArray[np.int64], pairs: npt.NDArray[np.int64]) -> dict[int, int]:
    counts: Counter[int] = Counter()
    for mask, count in zip(NAMES_OF_ENTRY.tolist(), plain.tolist(), strict=True):
        if count:
            counts[mask] += count
    sets: list[int] = _NAME_SETS.tolist()
    for match, of_ranks, of_flush in np.argwhere(pairs).tolist():
        mask = sets[of_ranks] & ~HIGH_NAME_BITS | sets[of_flush] | (ROYAL_MATCH_BIT if match else 0)
        counts[mask] += int(pairs[match, of_ranks, of_flush])
    return dict(counts)
