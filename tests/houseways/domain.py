"""Every hand of the 53-card deck set by a way and looked over, written apart from the package's own sweeps.

The hands are dealt by plain nested choice, the two halves of each setting are put together again card by card, and
fouls are judged from the cards, so that a slip in the package's enumeration, packing or foul rule shows.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from houseway.houseways import HouseWay
from houseway.houseways.way_kernels import (
    CARD_BITS,
    CARD_MASK,
    LOW_SHIFT,
    NONE,
    RULE_SHIFT,
    SET,
    STATUS_MASK,
    VALUE_SHIFT,
    program_array,
    set_hand,
)
from houseway.ranking.jit import njit
from houseway.ranking.rank_kernels import value_of_five, wheel_of
from houseway.ranking.reference import Ranking

Ints = npt.NDArray[np.int64]
COUNTS_FOLDER = Path(__file__).parent

NOT_SET, CARDS_LOST, WRONG_VALUE, FOULED = range(4)
FAILURES = ("not set by exactly one rule", "a card lost or used twice", "a wrong high value", "fouled")


class Looked(NamedTuple):
    """How many hands each rule set, and how many failed in each way."""

    set_by: dict[str, int]
    failures: dict[str, int]


@njit(cache=False)
def _rank(card: int) -> int:
    return 12 if card == 52 else card >> 2


@njit(cache=False)
def _is_foul(back: Ints, value: int, low: int, other: int, size: int) -> bool:
    """Whether the back, of which only a pair or less can lie too low, is below the front."""
    if value >> 20 > 1:
        return False
    top = pair = second = -1
    for place in range(5):
        rank = _rank(back[place])
        if rank > top:
            top, second = rank, top
        elif rank > second:
            second = rank
        for earlier in range(place):
            if _rank(back[earlier]) == rank:
                pair = rank
    if size == 6:
        return pair < 0 and top < _rank(low)
    if _rank(low) == _rank(other):
        return pair < _rank(low)
    if pair >= 0:
        return False
    return top < _rank(low) or (top == _rank(low) and second < _rank(other))


@njit(cache=False)
def _look_over(result: int, hand: int, size: int, wheel: int, back: Ints) -> int:
    """What is wrong with a setting; -1 if nothing is."""
    if result & STATUS_MASK != SET:
        return NOT_SET
    first, second = result >> LOW_SHIFT + CARD_BITS & CARD_MASK, result >> LOW_SHIFT & CARD_MASK
    taken = in_front = 0
    for place in range(size):
        card = hand >> CARD_BITS * place & CARD_MASK
        if card in (first, second):
            in_front += 1
        elif taken < 5:
            back[taken] = card
            taken += 1
    if taken != 5 or in_front != size - 5:
        return CARDS_LOST
    value = value_of_five(back[0], back[1], back[2], back[3], back[4], wheel)
    if value != result >> VALUE_SHIFT:
        return WRONG_VALUE
    return FOULED if _is_foul(back, value, first, second, size) else -1


@njit(cache=False)
def _deal_below(
    hand: int, place: int, above: int, size: int, program: Ints, wheel: int, back: Ints, set_by: Ints, failures: Ints
) -> None:
    """Every choice of lower cards for the places that are left, deepest last card first."""
    cards = np.zeros(size, np.int64)
    depth = place
    cards[depth] = above
    while depth >= place:
        cards[depth] -= 1
        if cards[depth] < size - 1 - depth:
            depth -= 1
        elif depth < size - 1:
            depth += 1
            cards[depth] = cards[depth - 1]
        else:
            whole = hand
            for filled in range(place, size):
                whole |= cards[filled] << CARD_BITS * filled
            result = set_hand(whole, size, program, wheel)
            failure = _look_over(result, whole, size, wheel, back)
            if failure < 0:
                set_by[result >> RULE_SHIFT & NONE] += 1
            else:
                failures[failure] += 1


def look_over_every_hand(way: HouseWay, ranking: Ranking, threads: int = 2) -> Looked:
    """Deal, set and look over the whole domain; the two highest cards divide the work."""
    program, wheel = program_array(way), wheel_of(ranking)
    tops = [(high, low) for high in range(52, -1, -1) for low in range(high - 1, -1, -1)]

    def work(top: tuple[int, int]) -> tuple[Ints, Ints]:
        set_by, failures, back = np.zeros(256, np.int64), np.zeros(4, np.int64), np.zeros(5, np.int64)
        hand = top[0] | top[1] << CARD_BITS
        _deal_below(hand, 2, top[1], way.cards, program, wheel, back, set_by, failures)
        return set_by, failures

    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(work, tops))
    set_by = sum(part[0] for part in parts)
    failures = sum(part[1] for part in parts)
    return Looked(
        {rule.id: int(set_by[place]) for place, rule in enumerate(way.rules)},
        {name: int(count) for name, count in zip(FAILURES, failures, strict=True) if count},
    )


def read_counts(way_id: str) -> dict[str, int]:
    """The recorded number of hands of each rule; `hands` is the size of the domain."""
    lines = (COUNTS_FOLDER / f"{way_id}.counts").read_text(encoding="utf-8").splitlines()
    rows = (line.split() for line in lines if line and not line.startswith("#"))
    return {name: int(count) for name, count in rows}
