"""The cards of many hands as text, all at once: only the two letters of each card differ from hand to hand."""

from __future__ import annotations

from functools import cache
from typing import Final

from houseway.cards.card import CARD_TEXTS
from houseway.games.settlement_text import cards_text

import numpy as np  # isort: skip
import numpy.typing as npt  # isort: skip

_HIGH_CARDS: Final = 5
_LETTERS: Final = np.frombuffer("".join(CARD_TEXTS).encode(), np.uint8).reshape(-1, 2)


@cache
def _form(cards: int) -> tuple[npt.NDArray[np.uint8], list[int]]:
    """The text of a hand's cards as bytes, and where each card stands in it."""
    text = cards_text(range(_HIGH_CARDS), range(_HIGH_CARDS, cards))
    return np.frombuffer(text.encode(), np.uint8), [text.index(CARD_TEXTS[card]) for card in range(cards)]


def card_rows(hands: npt.NDArray[np.uint8], low_cards: int) -> list[str]:
    """`cards_text` of every row: five cards of the high hand, and then those of the low hand."""
    cards = _HIGH_CARDS + low_cards
    form, places = _form(cards)
    filled = np.tile(form, (len(hands), 1))
    for card, place in enumerate(places):
        filled[:, place : place + 2] = _LETTERS[hands[:, card]]
    text = filled.tobytes().decode("ascii")
    return [text[start : start + len(form)] for start in range(0, len(text), len(form))]
