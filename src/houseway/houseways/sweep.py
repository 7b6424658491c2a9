"""Sweeps of a house way over every hand of its size, on all processors, by the compiled interpreter.

Two sweeps give the same counts. The literal one deals all 22,957,480 hands of six cards or 154,143,080 of seven, one by
one. The other takes one hand of every suit class with the number of hands in the class: what a way does with a hand does
not change when suits change names. Each works on chunks of the domain, so progress can be shown.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import comb
from typing import Final

import numpy as np

from houseway.houseways.kernels import (
    CARD_BITS, CARD_MASK,Ints,
    NONE,
    OTHER_RULE_SHIFT,
    QUESTION_SHIFT,
    RULE_SHIFT,
    STATUS_MASK,
    UNSET,
    set_hand,
)
Program = int
from houseway.ranking.jit import njit

Progress = Callable[[int, int], None]
"""Called with the number of hands done and the number of all hands."""

DECK: Final = 53
EXAMPLES: Final = 3
CHUNKS: Final = 1000


@dataclass(frozen=True, slots=True)
class Tally:
    """What a sweep found: hands by status, rule (or question, for unset hands) and second rule, and a few examples.

    An example is a bit mask over the 53 cards; 0 is no example.
    """

    hands: Ints
    examples: Ints

    @classmethod
    def empty(cls, program: Program) -> Tally:
        """A tally that has counted nothing; the last row and column stand for no rule."""
        size = max(len(program.rules), len(program.questions)) + 1
        return cls(np.zeros((5, size, size), np.int64), np.zeros((5, size, size, EXAMPLES), np.int64))

    def add(self, other: Tally) -> None:
        """Take in the counts of another part of the domain; of its examples as many as there is room for."""
        self.hands[...] += other.hands
        for place in zip(*np.nonzero(other.examples[..., 0]), strict=True):
            held = [example for example in (*self.examples[place], *other.examples[place]) if example]
            self.examples[place][: len(held[:EXAMPLES])] = held[:EXAMPLES]


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


def domain_size(cards: int) -> int:
    """How many hands of that many cards the 53-card deck holds."""
    return comb(DECK, cards)


def sweep_hands(program: Program, wheel: int, progress: Progress | None = None, workers: int | None = None) -> Tally:
    """Set every hand of the domain, one by one."""
    size = domain_size(program.cards)

    def chunk(bounds: tuple[int, int]) -> tuple[Tally, int]:
        tally = Tally.empty(program)
        cards = np.zeros(program.cards, np.int64)
        _sweep_hands(*bounds, cards, *program[1:], wheel, tally.hands, tally.examples)
        return tally, bounds[1] - bounds[0]

    return _gather(program, chunk, list(_bounds(size)), size, progress, workers)


def _bounds(size: int) -> Iterator[tuple[int, int]]:
    """The domain in chunks of nearly equal length."""
    for chunk in range(CHUNKS):
        yield size * chunk // CHUNKS, size * (chunk + 1) // CHUNKS


def _gather(
    program: Program,
    chunk: Callable[[tuple[int, int]], tuple[Tally, int]],
    bounds: list[tuple[int, int]],
    size: int,
    progress: Progress | None,
    workers: int | None,
) -> Tally:
    """Work on all chunks in threads (the kernels let go of the interpreter lock) and add up in the order of the domain."""
    total = Tally.empty(program)
    done = 0
    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        for tally, hands in pool.map(chunk, bounds):
            total.add(tally)
            done += hands
            if progress is not None:
                progress(done, size)
    return total
