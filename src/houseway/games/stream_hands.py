"""The hands of a block of rounds on the same terms: read from their texts, put, shown and numbered, all at once."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from houseway.cards.card import find_known_card
from houseway.errors import InputError
from houseway.games.card_rows import card_rows
from houseway.games.hand_setting import FOULS
from houseway.games.line_keys import LaidHands
from houseway.games.round_parts import RoundParts, is_said
from houseway.games.settlement_text import hand_text
from houseway.houseways.appraise import NO_LOW
from houseway.houseways.way_kernels import NONE, RULE_SHIFT
from houseway.ranking.hand_texts import read_rounds

import numpy as np  # isort: skip

if TYPE_CHECKING:
    from msgspec import Raw

    from houseway.games.stream_terms import StreamTerms
    from houseway.houseways.evaluate import KernelEvaluator


class StreamHands:
    """The hands of rounds on the same terms, a row each, the dealer's first in every round."""

    def __init__(
        self,
        terms: StreamTerms,
        rounds: Sequence[RoundParts],
        parse: Callable[[bytes], Any],
        evaluator: KernelEvaluator,
    ) -> None:
        """Read and put the hands."""
        game = terms.game
        texts = [text for said in rounds for text in (said.dealer, *[seat.cards for seat in said.seats])]
        sizes = [1 + len(said.seats) for said in rounds]
        cards, self.sound = read_rounds(texts, sizes, game.cards, game.deck)
        """For each round whether its hands are sound; what is said of the others means nothing."""
        firsts = np.cumsum(np.array(sizes, np.int64)) - sizes
        self.firsts: list[int] = firsts.tolist()
        """The row of each round's dealer."""
        low_cards = game.low_cards
        lows = np.full((len(texts), max(low_cards, 1)), NO_LOW, np.uint8)
        own: list[int] = []
        for number, said in enumerate(rounds):
            for place, seat in enumerate(said.seats, 1):
                if is_said(seat.low):
                    row = self.firsts[number] + place
                    low = _own_low(seat.low, cards[row].tolist(), low_cards, parse)
                    if low is None:
                        self.sound[number] = False
                    else:
                        lows[row] = low
                        own.append(row)
        results = evaluator.appraise_rows(terms.way, cards, lows, terms.ranking)
        for row in np.flatnonzero(results[:, 3] < 0).tolist():
            # A hand that the house way refuses.
            self.sound[bisect_right(self.firsts, row) - 1] = False
            results[row, 3] = 0
        high, low_values, packed = results[:, 3].tolist(), results[:, 4].tolist(), results[:, 5]
        self.fouled = [False] * len(texts)
        rules: list[str | None] = [None] * len(texts)
        if terms.way is not None:
            ids = evaluator.rule_ids(terms.way)
            known = [*ids, *[None] * (NONE + 1 - len(ids))]
            rules = [known[rule] for rule in (packed >> RULE_SHIFT & NONE).tolist()]
        for row in own:
            rules[row] = None
            self.fouled[row] = FOULS[low_cards](high[row], low_values[row])
        shown = low_values if low_cards else [None] * len(texts)
        self.texts = [*map(hand_text, card_rows(cards, low_cards), high, shown, rules)]
        """The members of each hand's object."""
        laid = LaidHands(cards, results, np.repeat(firsts, sizes), np.array(self.fouled, np.int64))
        self.columns = terms.keys.columns(laid, terms.looks)
        """For each of the terms' looks the numbers that decide lines."""
        self.opponents: list[int] = terms.keys.opponents(laid).tolist()
        self.masks = [*zip(laid.names, laid.natural, strict=True)]
        """The masks of each hand's names, with the joker and without it."""
        self.envy = [*map(terms.bringers.__getitem__, self.masks)]
        """Whether each hand brings the others envy."""


def _own_low(raw: Raw, cards: list[int], low_cards: int, parse: Callable[[bytes], Any]) -> list[int] | None:
    """The low hand that a player has laid of these cards, from the highest down; None if it is not plainly one."""
    try:
        texts = parse(bytes(raw))
    except InputError:
        return None
    if type(texts) is not list or len(texts) != low_cards or {*map(type, texts)} != {str}:
        return None
    low = [card for card in cards if card in [*map(find_known_card, texts)]]
    return sorted(low, reverse=True) if len(low) == low_cards else None
