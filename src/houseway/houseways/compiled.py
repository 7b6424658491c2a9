"""One house way made ready for the compiled interpreter: single hands from Python, and whole arrays of hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from houseway.cards.card import ALL_CARDS
from houseway.errors import InputError
from houseway.houseways.way import HouseWay, Split, refusal
from houseway.houseways.way_kernels import (
    CARD_BITS,
    CARD_MASK,
    LOW_SHIFT,
    NONE,
    RULE_SHIFT,
    SET,
    STATUS_MASK,
    VALUE_SHIFT,
    Ints,
    pack_hand,
    program_array,
    set_hand,
)
from houseway.ranking.jit import njit
from houseway.ranking.rank_kernels import Hands, Values, checked_hands, wheel_of
from houseway.ranking.reference import PAI_GOW, Ranking

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)
import numpy.typing as npt  # isort: skip


class SetHands(NamedTuple):
    """Many hands as a way sets them, one a row."""

    status: npt.NDArray[np.uint8]
    """A number of `interpret.Status`; 0 is a hand that is set."""
    rule: npt.NDArray[np.uint8]
    """The place of the rule in the way's `rules`."""
    low: Hands
    """The cards in front, the higher first."""
    high_value: Values
    """The value of the five cards in back."""


@njit
def _set_batch(hands: Hands, program: Ints, wheel: int, results: Ints) -> None:
    """The packed results of hands whose cards descend, one a row."""
    size = hands.shape[1]
    for row in range(hands.shape[0]):
        hand = 0
        for place in range(size):
            card: int = hands[row, place]
            hand |= card << CARD_BITS * place
        results[row] = set_hand(hand, size, program, wheel)


class CompiledWay:
    """A house way whose hands the compiled interpreter sets, with the results of `HouseWay.split`."""

    def __init__(self, way: HouseWay) -> None:
        """Translate the way; nothing is compiled for it."""
        self.way = way
        self.program = program_array(way)
        self.rule_ids = tuple(rule.id for rule in way.rules)

    def split(self, cards: Sequence[int], ranking: Ranking = PAI_GOW) -> Split:
        """The low hand and the rule; InputError if the way has no single, legal setting for the hand."""
        self.way.check_count(cards)
        result = set_hand(pack_hand(cards), len(cards), self.program, wheel_of(ranking))
        if result & STATUS_MASK != SET:
            raise refusal(self.way, cards, self.way.outcome(cards, ranking))
        first = ALL_CARDS[result >> LOW_SHIFT + CARD_BITS & CARD_MASK]
        rule = self.rule_ids[result >> RULE_SHIFT & NONE]
        if self.way.low_cards == 1:
            return Split((first,), rule)
        return Split((first, ALL_CARDS[result >> LOW_SHIFT & CARD_MASK]), rule)

    def set_hands(self, hands: npt.ArrayLike, ranking: Ranking = PAI_GOW) -> SetHands:
        """Set many hands, one a row; the cards of a row are different and may stand in any order.

        >>> from houseway.cards import parse_cards
        >>> from houseway.houseways import house_way
        >>> compiled = CompiledWay(house_way("foxwoods"))
        >>> result = compiled.set_hands([parse_cards("9d 9s 4h 4c Ad Js 7h")])
        >>> compiled.way.rules[result.rule[0]].id, [str(ALL_CARDS[card]) for card in result.low[0]]
        ('two-pair-7-10-ace-kept', ['Ad', 'Js'])
        """
        checked = checked_hands(hands, ranking)
        if checked.shape[1] != self.way.cards:
            message = f"the {self.way.id} way sets hands of {self.way.cards} cards, not {checked.shape[1]}"
            raise InputError.of("card-count", "hands", message)
        descending = np.ascontiguousarray(np.sort(checked, axis=1)[:, ::-1])
        results = np.empty(len(descending), np.int64)
        _set_batch(descending, self.program, wheel_of(ranking), results)
        low = np.stack([results >> LOW_SHIFT + CARD_BITS & CARD_MASK, results >> LOW_SHIFT & CARD_MASK], axis=1)
        return SetHands(
            (results & STATUS_MASK).astype(np.uint8),
            (results >> RULE_SHIFT & NONE).astype(np.uint8),
            low[:, : self.way.low_cards].astype(np.uint8),
            (results >> VALUE_SHIFT).astype(np.int32),
        )
