"""The check of a deck: before a shuffle, and again over the cards dealt and the cards left after the deal.

A deck that is short, holds a card twice or holds a card that is none of its own makes the deal void. The check names
every fault at once. It takes cards as a reader or a person hands them over (card, number or text such as `As`), since
a foreign object in the deck is the very thing it looks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from houseway.cards.card import ALL_CARDS, CARD_TEXTS, Card, find_card
from houseway.errors import Fault, InputError


class VoidDealError(InputError):
    """The cards are not the deck they should be, so the deal is void; `faults` says why."""


def read_card(entry: object) -> Card | None:
    """The card that an entry stands for (a card, its number or its text), or None; never raises.

    >>> read_card("Kd"), read_card(45), read_card("ad card"), read_card(True)
    (Kd, Kd, None, None)
    """
    if isinstance(entry, int) and not isinstance(entry, bool):
        return ALL_CARDS[entry] if 0 <= entry < len(ALL_CARDS) else None
    return find_card(entry)


def deck_faults(cards: Iterable[object], deck: Sequence[Card], path: str = "deck") -> list[Fault]:
    """Every way in which the cards are not exactly the deck; an empty list if they are.

    >>> from houseway.cards.card import DECK_52, JOKER
    >>> for fault in deck_faults([*DECK_52[1:], JOKER], DECK_52):
    ...     print(fault)
    deck[51]: the joker does not belong to this deck of 52: take it out and shuffle again
    deck: the deck is short of 1 card: 2c is missing; complete or change the deck, then shuffle again
    """
    entries = [(f"{path}[{place}]", entry) for place, entry in enumerate(cards)]
    return _faults(entries, deck, path, "is missing", "are missing")


def check_left_over(dealt: Iterable[object], left: Iterable[object], deck: Sequence[Card]) -> None:
    """Refuse the deal unless the cards dealt and the cards left together are exactly the deck.

    >>> from houseway.cards.card import DECK_52
    >>> check_left_over(DECK_52[:48], DECK_52[48:], DECK_52)
    >>> check_left_over(DECK_52[:48], DECK_52[47:51], DECK_52)
    Traceback (most recent call last):
    ...
    houseway.cards.deckcheck.VoidDealError: left[0]: Ks appears 2 times (dealt[47], left[0]): ...;
    dealt + left: the deck is short of 1 card: As was neither dealt nor left over; ...
    """
    entries = [(f"dealt[{place}]", entry) for place, entry in enumerate(dealt)]
    entries += [(f"left[{place}]", entry) for place, entry in enumerate(left)]
    faults = _faults(
        entries, deck, "dealt + left", "was neither dealt nor left over", "were neither dealt nor left over"
    )
    if faults:
        raise VoidDealError(faults)


def check_left_over_count(counted: int, expected: int) -> None:
    """Refuse the deal unless as many cards were counted face down after it as the deal leaves.

    >>> check_left_over_count(11, 11)
    """
    if counted != expected:
        message = f"{counted} cards are left over where this deal leaves {expected}: the deal is void; check every card"
        raise VoidDealError([Fault("left-over-count", "left", message)])


def _faults(
    entries: list[tuple[str, object]], deck: Sequence[Card], path: str, is_gone: str, are_gone: str
) -> list[Fault]:
    """Compare entries, each with its place, with a deck."""
    own = frozenset(deck)
    places: dict[Card, list[str]] = {}
    faults: list[Fault] = []
    for place, entry in entries:
        card = read_card(entry)
        if card in own and card is not None:
            places.setdefault(card, []).append(place)
        else:
            text = f"{_shown(entry, card)} does not belong to this deck of {len(deck)}: take it out and shuffle again"
            faults.append(Fault("foreign-card", place, text))
    for card, seen in places.items():
        if len(seen) > 1:
            shown = ", ".join(seen[:4]) + (", ..." if len(seen) > 4 else "")
            text = f"{card} appears {len(seen)} times ({shown}): a deck holds each card once"
            faults.append(Fault("duplicate-card", seen[1], text))
    gone = [card for card in deck if card not in places]
    if gone:
        named, verb = " ".join(CARD_TEXTS[card] for card in gone), is_gone if len(gone) == 1 else are_gone
        number = "1 card" if len(gone) == 1 else f"{len(gone)} cards"
        text = f"the deck is short of {number}: {named} {verb}; complete or change the deck, then shuffle again"
        faults.append(Fault("short-deck", path, text))
    return faults


def _shown(entry: object, card: Card | None) -> str:
    """The entry as a message shows it; long or odd objects by their type only."""
    if card is not None:
        return f"the {card.words}"
    if isinstance(entry, str) and len(entry) <= 20:
        return repr(entry)
    if isinstance(entry, int) and abs(entry) < 10**9:
        return f"card number {int(entry)}"
    return f"something that is not a card ({type(entry).__name__})"
