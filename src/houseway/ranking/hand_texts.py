"""Cards out of the JSON texts of hands, compiled: all hands of many rounds in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from houseway.cards.card import CARD_BY_TEXT
from houseway.ranking.jit import njit

import numpy as np  # isort: skip  (after the check for the optional part in `jit`)
import numpy.typing as npt  # isort: skip

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.int64]

_NO_CARD: Final = 255
_FIRST, _COMMA, _LAST, _QUOTE = b'[,]"'
_BLANK, _TAB, _LINE, _RETURN = b" \t\n\r"


def _card_of_letters() -> Bytes:
    """By the codes of two letters: the card that they name."""
    found = np.full((256, 256), _NO_CARD, np.uint8)
    for text, card in CARD_BY_TEXT.items():
        found[ord(text[0]), ord(text[1])] = card
    found.flags.writeable = False
    return found


_CARD_OF_LETTERS: Bytes = _card_of_letters()


@njit
def _after_blanks(text: Bytes, at: int, end: int) -> int:
    """The place of the next byte that is not JSON whitespace."""
    while at < end and (text[at] == _BLANK or text[at] == _TAB or text[at] == _LINE or text[at] == _RETURN):
        at += 1
    return at


@njit
def _read_hand(text: Bytes, at: int, end: int, cards: Bytes, row: int) -> bool:
    """Read a JSON list of as many card texts as a row takes; whether it is one."""
    for place in range(cards.shape[1]):
        at = _after_blanks(text, at, end)
        if at >= end or text[at] != (_COMMA if place else _FIRST):
            return False
        at = _after_blanks(text, at + 1, end)
        if at + 4 > end or text[at] != _QUOTE or text[at + 3] != _QUOTE:
            return False
        card = _CARD_OF_LETTERS[text[at + 1], text[at + 2]]
        if card == _NO_CARD:
            return False
        cards[row, place] = card
        at += 4
    at = _after_blanks(text, at, end)
    return at + 1 == end and text[at] == _LAST


@njit
def _read_rounds(text: Bytes, ends: Places, firsts: Places, deck: int, cards: Bytes, sound: Bytes) -> None:
    """Read the hands of every round, and note which rounds have no card twice and none that the deck lacks."""
    for number in range(len(sound)):
        seen = np.int64(0)
        is_sound = True
        for row in range(firsts[number], firsts[number + 1]):
            is_sound = is_sound and _read_hand(text, ends[row], ends[row + 1], cards, row)
            if is_sound:
                for place in range(cards.shape[1]):
                    card = np.int64(cards[row, place])
                    if card >= deck or seen >> card & 1:
                        is_sound = False
                    seen |= np.int64(1) << card
        sound[number] = is_sound
        if not is_sound:
            # A hand that can be ranked stands in for one that cannot be read; nobody looks at what comes of it.
            for row in range(firsts[number], firsts[number + 1]):
                for place in range(cards.shape[1]):
                    cards[row, place] = place


def read_rounds(texts: Sequence[bytes], rows: Sequence[int], size: int, deck: int) -> tuple[Bytes, list[int]]:
    """The cards of all hands, a row each, and for each round whether they are sound cards of one deck.

    `texts` are the hands, each a JSON list, those of one round together; `rows` says how many hands each round has.
    """
    ends = np.zeros(len(texts) + 1, np.int64)
    np.cumsum([len(text) for text in texts], out=ends[1:])
    firsts = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(rows, out=firsts[1:])
    cards = np.empty((len(texts), size), np.uint8)
    sound = np.empty(len(rows), np.uint8)
    _read_rounds(np.frombuffer(b"".join(texts), np.uint8), ends, firsts, deck, cards, sound)
    return cards, sound.tolist()
