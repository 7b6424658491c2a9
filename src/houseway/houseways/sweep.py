"""Sweeps of a house way over every hand of its size, on all processors, by the compiled interpreter.

Two sweeps give the same counts. The literal one deals all 22,957,480 hands of six cards or 154,143,080 of seven, one by
one. The other takes one hand of every suit class with the number of hands in the class: what a way does with a hand
does not change when suits change names. Each works on chunks of the domain, so progress can be shown.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb
from typing import Final

from houseway.houseways.interpret import Status
from houseway.houseways.sweep_findings import EXAMPLES, Progress, SweepFinding
from houseway.houseways.way import HouseWay
from houseway.houseways.way_kernels import (
    CARD_BITS,
    CARD_MASK,
    NONE,
    OTHER_RULE_SHIFT,
    QUESTION_SHIFT,
    RULE_SHIFT,
    STATUS_MASK,
    UNSET,
    Ints,
    program_array,
    set_hand,
    unpack_hand,
)
from houseway.ranking.jit import njit
from houseway.ranking.rank_kernels import wheel_of
from houseway.ranking.reference import Ranking
from houseway.ranking.suit_classes import JOKER_KEY_BIT, MASK_BITS, suit_classes

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)
import numpy.typing as npt  # isort: skip

DECK: Final = 53
CHUNKS: Final = 1000
_SAMPLE_HANDS: Final = 100
"""How many hands of every chunk the sample takes that looks for gross faults first."""
_NO_EXAMPLE: Final = -1


@dataclass(frozen=True, slots=True)
class SweepTally:
    """What a sweep found: hands by status, rule (or question, for unset hands) and second rule, and some examples.

    The last row and column stand for no rule. An example is a packed hand.
    """

    hands: Ints
    examples: Ints

    @classmethod
    def empty(cls, way: HouseWay) -> SweepTally:
        """A tally that has counted nothing."""
        size = max(len(way.rules), len(way.questions)) + 1
        return cls(np.zeros((5, size, size), np.int64), np.full((5, size, size, EXAMPLES), _NO_EXAMPLE, np.int64))

    @property
    def has_problem(self) -> bool:
        """Whether there is a hand among those counted that the way does not set."""
        return bool(self.hands[1:].any())

    def add(self, other: SweepTally) -> None:
        """Take in the counts of another part of the domain; of its examples as many as there is room for."""
        self.hands[...] += other.hands
        for status, row, column in np.argwhere(other.examples[..., 0] != _NO_EXAMPLE):
            both = (*self.examples[status, row, column], *other.examples[status, row, column])
            held = [example for example in both if example != _NO_EXAMPLE][:EXAMPLES]
            self.examples[status, row, column, : len(held)] = held


@njit
def _hand_at(position: int, size: int) -> int:
    """The packed hand at a position of the order in which `_next_hand` deals: the smallest card moves first."""
    hand = 0
    for place in range(size):
        left = size - place
        card = left - 1
        ways, following = 0, 1
        while following <= position:
            card += 1
            ways = following
            following = following * (card + 1) // (card + 1 - left)
        hand |= card << CARD_BITS * place
        position -= ways
    return hand


@njit
def _next_hand(hand: int, size: int) -> int:
    """The packed hand that follows: the smallest card that can go up does, and those below it start again."""
    place = size - 1
    while place and (hand >> CARD_BITS * place & CARD_MASK) + 1 == hand >> CARD_BITS * (place - 1) & CARD_MASK:
        place -= 1
    hand = (hand & (1 << CARD_BITS * (place + 1)) - 1) + (1 << CARD_BITS * place)
    for lower in range(place + 1, size):
        hand |= (size - 1 - lower) << CARD_BITS * lower
    return hand


@njit
def _count(result: int, hand: int, weight: int, hands: Ints, examples: Ints) -> None:
    """Enter a result into the tally."""
    status = result & STATUS_MASK
    none = hands.shape[1] - 1
    row = min(result >> (QUESTION_SHIFT if status == UNSET else RULE_SHIFT) & NONE, none)
    column = min(result >> OTHER_RULE_SHIFT & NONE, none)
    hands[status, row, column] += weight
    if status:
        for place in range(examples.shape[3]):
            if examples[status, row, column, place] < 0:
                examples[status, row, column, place] = hand
                return


@njit
def _sweep_hands(start: int, end: int, size: int, program: Ints, wheel: int, hands: Ints, examples: Ints) -> None:
    """Set the hands from one position to another and tally them."""
    hand = _hand_at(start, size)
    for _ in range(start, end):
        _count(set_hand(hand, size, program, wheel), hand, 1, hands, examples)
        hand = _next_hand(hand, size)


@njit
def _sweep_classes(
    keys: Ints, weights: npt.NDArray[np.uint8], size: int, program: Ints, wheel: int, hands: Ints, examples: Ints
) -> None:
    """Set the canonical hands of some suit classes and tally them with their weights."""
    for row in range(len(keys)):
        key = keys[row]
        hand = place = 0
        if key & JOKER_KEY_BIT:
            hand, place = DECK - 1, 1
        for card in range(DECK - 2, -1, -1):
            if key >> (card & 3) * MASK_BITS + (card >> 2) & 1:
                hand |= card << CARD_BITS * place
                place += 1
        _count(set_hand(hand, size, program, wheel), hand, weights[row], hands, examples)


def domain_size(cards: int) -> int:
    """How many hands of that many cards the 53-card deck holds."""
    return comb(DECK, cards)


def sweep_hands(
    way: HouseWay, ranking: Ranking, progress: Progress | None = None, workers: int | None = None
) -> SweepTally:
    """Set every hand of the domain, one by one."""
    program, wheel = program_array(way), wheel_of(ranking)

    def work(start: int, end: int) -> SweepTally:
        tally = SweepTally.empty(way)
        _sweep_hands(start, end, way.cards, program, wheel, tally.hands, tally.examples)
        return tally

    return _gather(way, work, _edges(domain_size(way.cards)), progress, workers)


def sweep_classes(
    way: HouseWay,
    ranking: Ranking,
    progress: Progress | None = None,
    workers: int | None = None,
    *,
    stop_at_problem: bool = False,
) -> SweepTally:
    """Set one hand of every suit class and count it for all hands of the class.

    With `stop_at_problem` the sweep ends soon after a hand that the way does not set.
    """
    program, wheel = program_array(way), wheel_of(ranking)
    classes = suit_classes(way.cards)

    def work(start: int, end: int) -> SweepTally:
        tally = SweepTally.empty(way)
        keys, weights = classes.keys[start:end], classes.weights[start:end]
        _sweep_classes(keys, weights, way.cards, program, wheel, tally.hands, tally.examples)
        return tally

    return _gather(way, work, _edges(len(classes)), progress, workers, stop_at_problem=stop_at_problem)


def first_findings(way: HouseWay, ranking: Ranking) -> list[SweepFinding]:
    """What comes of hands up to the first ones found that the way does not set, or of every hand if there are none.

    A sample of the whole domain comes first: it finds a way that is wrong in more than rare hands in a few hundredths
    of a second. Then one hand of every suit class is set until one fails.
    """
    program, wheel = program_array(way), wheel_of(ranking)
    sample = SweepTally.empty(way)
    for start in _edges(domain_size(way.cards))[:-1]:
        _sweep_hands(start, start + _SAMPLE_HANDS, way.cards, program, wheel, sample.hands, sample.examples)
    tally = sample if sample.has_problem else sweep_classes(way, ranking, stop_at_problem=True)
    return findings(way, tally)


def findings(way: HouseWay, tally: SweepTally) -> list[SweepFinding]:
    """What a tally says about the way."""
    none = tally.hands.shape[1] - 1
    question_of = [place for place, question in enumerate(way.questions) for _ in question.rules]
    found: list[SweepFinding] = []
    for status, row, column in np.argwhere(tally.hands).tolist():
        rules = tuple(place for place in (row, column) if place != none) if status != UNSET else ()
        question = question_of[row] if rules else (row if row != none else None)
        examples = [unpack_hand(hand, way.cards) for hand in tally.examples[status, row, column] if hand != _NO_EXAMPLE]
        found.append(
            SweepFinding(Status(status), question, rules, int(tally.hands[status, row, column]), tuple(examples))
        )
    return found


def _edges(size: int) -> list[int]:
    """The edges of chunks of nearly equal length."""
    return [size * chunk // CHUNKS for chunk in range(CHUNKS + 1)]


def _gather(
    way: HouseWay,
    work: Callable[[int, int], SweepTally],
    edges: Sequence[int],
    progress: Progress | None,
    workers: int | None,
    *,
    stop_at_problem: bool = False,
) -> SweepTally:
    """Do the work on all chunks in threads, since kernels let go of the interpreter lock, and add up in order."""
    total = SweepTally.empty(way)
    done = 0
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        for tally in pool.map(work, edges[:-1], edges[1:]):
            total.add(tally)
            done += int(tally.hands.sum())
            if stop_at_problem and total.has_problem:
                pool.shutdown(wait=False, cancel_futures=True)
                break
            if progress is not None:
                progress(done, domain_size(way.cards))
    return total
