"""A playing card, the two decks, and the text form of cards (`As Kd Th 9c Jk`).

A card is an `int` from 0 to 52, so that compiled kernels and tables take it as it is: `rank * 4 + suit`, ranks from the
deuce (0) to the ace (12), suits c, d, h, s; the joker is 52. Sorting cards downwards therefore gives the order in which
they are printed: joker first, then by rank, spades before hearts before diamonds before clubs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from houseway.errors import Fault, InputError
from houseway.wording import kind_of

RANK_LETTERS: Final = "23456789TJQKA"
SUIT_LETTERS: Final = "cdhs"
JOKER_TEXT: Final = "Jk"
ACE: Final = 12

_RANK_WORDS: Final = (
    "deuce", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace",
)  # fmt: skip
_SUIT_WORDS: Final = ("clubs", "diamonds", "hearts", "spades")


class Card(int):
    """One of the 53 cards; compare and sort it as the integer it is.

    >>> card = parse_card("Kd")
    >>> int(card), str(card), card.rank, card.suit
    (45, 'Kd', 11, 1)
    >>> JOKER.rank == ACE
    True
    """

    __slots__ = ()

    @property
    def rank(self) -> int:
        """0 for a deuce to 12 for an ace; the joker counts as an ace."""
        return ACE if self == 52 else self >> 2

    @property
    def suit(self) -> int | None:
        """0 clubs, 1 diamonds, 2 hearts, 3 spades; None for the joker."""
        return None if self == 52 else self & 3

    @property
    def words(self) -> str:
        """The card as a dealer would call it, e.g. "king of diamonds"."""
        return "joker" if self == 52 else f"{_RANK_WORDS[self >> 2]} of {_SUIT_WORDS[self & 3]}"

    def __str__(self) -> str:
        """The two-character text form."""
        return CARD_TEXTS[self]

    def __repr__(self) -> str:
        """The text form, so that lists of cards read well in a session."""
        return CARD_TEXTS[self]


CARD_TEXTS: Final = (*(rank + suit for rank in RANK_LETTERS for suit in SUIT_LETTERS), JOKER_TEXT)
ALL_CARDS: Final[tuple[Card, ...]] = tuple(Card(index) for index in range(53))
JOKER: Final[Card] = ALL_CARDS[52]
DECK_52: Final[tuple[Card, ...]] = ALL_CARDS[:52]
DECK_53: Final[tuple[Card, ...]] = ALL_CARDS

CARD_BY_TEXT: Final[dict[str, Card]] = {
    # Capital letters tell nothing: "AS", "as" and "aS" are one card.
    first(text[0]) + second(text[1]): ALL_CARDS[index]
    for index, text in enumerate(CARD_TEXTS)
    for first in (str.upper, str.lower)
    for second in (str.upper, str.lower)
}
_SEPARATORS: Final = re.compile(r"[\s,]+")


def card_of(rank: int, suit: int) -> Card:
    """The card of a rank (0-12) and a suit (0-3)."""
    return ALL_CARDS[rank * 4 + suit]


def parse_card(text: str) -> Card:
    """The card that a two-character text names; InputError (code `bad-card`) if it names none."""
    card = CARD_BY_TEXT.get(text)
    if card is None:
        raise InputError([unknown_card(text, "")])
    return card


find_known_card: Final = CARD_BY_TEXT.get
"""`find_card` for what is text for certain, as quick as can be."""


def find_card(text: object) -> Card | None:
    """The card that a text names, or None; never raises, for parsers that gather their faults."""
    return CARD_BY_TEXT.get(text) if isinstance(text, str) else None


def unknown_card(text: object, path: str) -> Fault:
    """The fault for a text that names no card."""
    shown = repr(text[:20]) if isinstance(text, str) else kind_of(text, "an object")
    meant = _meant(text) if isinstance(text, str) else None
    hint = f"did you mean {meant}?" if meant else "write rank and suit as in As, Td or 9c, and Jk for the joker"
    return Fault("bad-card", path, f"{shown} is not a card: {hint}")


def _meant(text: str) -> str | None:
    """The card that somebody probably meant: 10s for Ts, K♠ for Ks, joker for Jk."""
    plain = text[:8].strip().replace("10", "T")
    for sign, letter in zip("♣♦♥♠", SUIT_LETTERS, strict=True):
        plain = plain.replace(sign, letter)
    if plain.lower() in ("joker", "jo", "jkr"):
        return JOKER_TEXT
    candidate = plain[:1].upper() + plain[1:].lower()
    return candidate if candidate in CARD_BY_TEXT else None


def parse_cards(text: str, path: str = "cards") -> tuple[Card, ...]:
    """The cards of a list separated by spaces or commas; InputError with every unknown or repeated card.

    >>> parse_cards("As Kd, Jk")
    (As, Kd, Jk)
    """
    words = [word for word in _SEPARATORS.split(text) if word]
    faults: list[Fault] = []
    cards: list[Card] = []
    for word in words:
        card = CARD_BY_TEXT.get(word)
        if card is None:
            faults.append(unknown_card(word, path))
        elif card in cards:
            faults.append(Fault("duplicate-card", path, f"{word} appears twice: a deck holds each card once"))
        else:
            cards.append(card)
    if faults:
        raise InputError(faults)
    return tuple(cards)


def descending(cards: Iterable[int]) -> tuple[Card, ...]:
    """The cards in the order of output: joker first, then by rank and suit downwards."""
    return tuple(ALL_CARDS[index] for index in sorted(cards, reverse=True))


def card_texts(cards: Iterable[int]) -> list[str]:
    """The text forms of the cards, in the order of output."""
    return [CARD_TEXTS[index] for index in sorted(cards, reverse=True)]
