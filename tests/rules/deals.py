"""Short words for dealing a round of a game: by its shuffler, or by hand from a shoe."""

from __future__ import annotations

from collections.abc import Iterable

from houseway.cards import Card, card_texts, modes
from houseway.cards.modes import ShufflerMode
from houseway.cards.shuffler import Deal, deal, deal_in_order
from houseway.errors import InputError
from houseway.games import game


def mode_of(game_id: str) -> ShufflerMode:
    """The shuffler mode of a game."""
    return modes.shuffler_mode(game(game_id).shuffler_mode)


def deal_of(game_id: str, number: int, *seats: int, **rest: object) -> Deal:
    """A round of the game as its shuffler deals it, from a seed made of a number."""
    return deal(mode_of(game_id), number.to_bytes(32, "big"), seats=seats, **rest)


def deal_from_shoe(game_id: str, order: Iterable[Card], **rest: object) -> Deal | None:
    """A deal by hand, or None if it is refused."""
    try:
        return deal_in_order(modes.shoe(mode_of(game_id)), order, **rest)
    except InputError:
        return None


def hands_of(dealt: Deal) -> tuple[str, ...]:
    """The cards of the dealer and then of every player, each as text."""
    return tuple(" ".join(card_texts(cards)) for cards in (dealt.dealer, *dealt.players.values()))
