"""Cards, decks and the shuffler."""

from houseway.cards.card import (
    ACE,
    ALL_CARDS,
    DECK_52,
    DECK_53,
    JOKER,
    Card,
    card_of,
    card_texts,
    descending,
    find_card,
    parse_card,
    parse_cards,
)

__all__ = [
    "ACE",
    "ALL_CARDS",
    "DECK_52",
    "DECK_53",
    "JOKER",
    "Card",
    "card_of",
    "card_texts",
    "descending",
    "find_card",
    "parse_card",
    "parse_cards",
]
