"""The shuffler: from a seed (or a deck in its physical order) to the packets of one round, and the replay of a deal.

Everything is a pure function of what is handed in, so a deal that was interrupted is recovered by dealing again from
the same record, and anybody who knows the seed can check the round. docs/shuffle.md has the algorithm and test
vectors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from houseway.cards.card import Card, card_texts
from houseway.cards.deckcheck import VoidDealError, check_left_over, deck_faults, read_card
from houseway.cards.modes import (
    COMMUNITY,
    DEALER,
    NUMBERING,
    ShufflerMode,
    numbering_faults,
    seat_faults,
    start_faults,
)
from houseway.cards.stream import byte_stream, commitment, draw_below, entropy_faults, seed_faults, shuffle, stream_key
from houseway.errors import Fault, InputError


@dataclass(frozen=True, slots=True)
class Packet:
    """The cards that went to one place (a seat, or 0 for the dealer), in the order in which they left the deck."""

    place: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """One round as it was dealt, with all that is needed to deal it again.

    Seed and cards stay out of its text form, so that a log written during the round gives nothing away.
    """

    mode: ShufflerMode
    order: tuple[Card, ...] = field(repr=False)
    """The whole deck, the card dealt first in front."""
    packets: tuple[Packet, ...] = field(repr=False)
    """In the order of dealing."""
    leftover: tuple[Card, ...] = field(repr=False)
    occupied: tuple[int, ...]
    start_position: int | None
    numbering: tuple[int, ...]
    seed: bytes | None = field(default=None, repr=False)
    commitment: str | None = None
    player_entropy: tuple[bytes, ...] = ()

    @property
    def dealer(self) -> tuple[Card, ...]:
        """The dealer's cards, as dealt; none where the dealer has no hand."""
        return next((packet.cards for packet in self.packets if packet.place == DEALER), ())

    @property
    def community(self) -> tuple[Card, ...]:
        """The cards in the middle, as dealt."""
        return next((packet.cards for packet in self.packets if packet.place == COMMUNITY), ())

    @property
    def up(self) -> tuple[Card, ...]:
        """The dealer's cards that are turned up before the players decide: the first ones of the dealer's packet."""
        return self.dealer[: self.mode.dealer_cards_up]

    @property
    def seats(self) -> dict[int, tuple[Card, ...]]:
        """The cards of every seat that got a packet, from seat 1 up; at Pai Gow also of the empty seats."""
        return {packet.place: packet.cards for packet in sorted(self.packets, key=_place) if packet.place > DEALER}

    @property
    def players(self) -> dict[int, tuple[Card, ...]]:
        """The cards of the occupied seats, from seat 1 up."""
        return {seat: cards for seat, cards in self.seats.items() if seat in self.occupied}

    @property
    def positions(self) -> dict[int, tuple[Card, ...]]:
        """The cards by the position's number, from position 1 up; empty in a mode without positions."""
        if not self.mode.every_position:
            return {}
        by_place = {packet.place: packet.cards for packet in self.packets}
        return {position: by_place[place] for position, place in enumerate(self.numbering, start=1)}


def deal(
    mode: ShufflerMode,
    seed: bytes,
    *,
    seats: Iterable[int] | None = None,
    player_entropy: Iterable[bytes] = (),
    start_position: int | None = None,
    numbering: Iterable[int] = NUMBERING,
    deck: Iterable[object] | None = None,
) -> Deal:
    """Deal one round from a seed; refuse with every fault, and with VoidDealError if the deck is not whole.

    `seats` are the occupied ones (all by default); `deck` are the cards as counted before the shuffle (a whole deck by
    default), whose order does not matter; `start_position` is handed in only for a shoe.

    >>> from houseway.cards.modes import SIX_CARD_POKER
    >>> round_ = deal(SIX_CARD_POKER, bytes(range(32)), seats=[1, 4])
    >>> [packet.place for packet in round_.packets], len(round_.leftover)
    ([1, 4, 0], 34)
    >>> round_.up
    (5s, Ts, 7s)
    """
    entropy = tuple(player_entropy)
    table = _Table.of(mode, seats, numbering)
    faults = seed_faults(seed) + entropy_faults(entropy) + table.faults(mode, start_position)
    _refuse(faults, deck_faults(mode.deck if deck is None else deck, mode.deck))
    stream = byte_stream(stream_key(seed, mode.id, entropy))
    order = list(mode.deck)
    shuffle(order, stream)
    start = 1 + draw_below(mode.seats + 1, stream) if mode.draws_start else start_position
    packets, leftover = _laid_out(mode, tuple(order), table, start)
    return Deal(
        mode, tuple(order), packets, leftover, table.seated, start, table.numbering,
        seed, commitment(seed), entropy,
    )  # fmt: skip


def deal_in_order(
    mode: ShufflerMode,
    order: Iterable[object],
    *,
    seats: Iterable[int] | None = None,
    start_position: int | None = None,
    numbering: Iterable[int] = NUMBERING,
) -> Deal:
    """Deal one round from a shoe that holds a deck in this order, the card dealt first in front.

    The order comes from the dealer's own shuffle of real cards, so there is neither seed nor commitment.

    >>> from houseway.cards.card import DECK_52
    >>> from houseway.cards.modes import SIX_CARD_POKER, shoe
    >>> deal_in_order(shoe(SIX_CARD_POKER), DECK_52, seats=[7]).dealer
    (3h, 3s, 4c, 4d, 4h, 4s)
    """
    entries = tuple(order)
    table = _Table.of(mode, seats, numbering)
    faults = table.faults(mode, start_position)
    if mode.by_machine:
        message = f"the mode {mode.id} shuffles by itself: hand in an order of the deck only for a shoe"
        faults.insert(0, Fault("unknown-mode", "mode", message))
    _refuse(faults, deck_faults(entries, mode.deck, "order"))
    cards = tuple(card for card in map(read_card, entries) if card is not None)
    packets, leftover = _laid_out(mode, cards, table, start_position)
    return Deal(mode, cards, packets, leftover, table.seated, start_position, table.numbering)


def replay(
    known_commitment: str,
    mode: ShufflerMode,
    seed: bytes,
    *,
    seats: Iterable[int] | None = None,
    player_entropy: Iterable[bytes] = (),
    start_position: int | None = None,
    numbering: Iterable[int] = NUMBERING,
) -> Deal:
    """Deal a finished round again from its revealed seed, if the seed is the one that was committed to.

    >>> from houseway.cards.modes import SIX_CARD_POKER
    >>> replay("66" * 32, SIX_CARD_POKER, bytes(range(32)))
    Traceback (most recent call last):
    ...
    houseway.errors.InputError: seed: this seed's hash is 630dcd29...1bd710dd, not the commitment that was shown ...
    """
    shown = commitment(seed)
    if shown != known_commitment.strip().lower():
        message = (
            f"this seed's hash is {shown}, not the commitment that was shown before the bets: "
            "the seed was exchanged or miscopied"
        )
        raise InputError.of("seed-mismatch", "seed", message)
    return deal(
        mode, seed, seats=seats, player_entropy=player_entropy, start_position=start_position, numbering=numbering
    )


def differences(
    replayed: Deal,
    *,
    dealer: Iterable[int],
    seats: Mapping[int, Iterable[int]],
    start_position: int | None = None,
    community: Iterable[int] = (),
) -> list[Fault]:
    """Where a round as it was shown differs from its replay; hands are compared as sets of cards.

    >>> from houseway.cards.modes import SIX_CARD_POKER
    >>> again = deal(SIX_CARD_POKER, bytes(range(32)), seats=[1])
    >>> differences(again, dealer=again.dealer, seats={1: again.players[1]})
    []
    """
    faults = _hand_difference("dealer", dealer, replayed.dealer)
    for seat in sorted(set(seats) | set(replayed.players)):
        faults += _hand_difference(f"seats[{seat}]", seats.get(seat, ()), replayed.players.get(seat, ()))
    faults += _hand_difference("community", community, replayed.community)
    if start_position != replayed.start_position:
        message = f"the round started at position {start_position}, its replay at {replayed.start_position}"
        faults.append(Fault("deal-differs", "start_position", message))
    return faults


def _hand_difference(path: str, shown: Iterable[int], replayed: Sequence[Card]) -> list[Fault]:
    """The fault, if any, between one hand as shown and as replayed."""
    held = tuple(shown)
    if sorted(held) == sorted(replayed):
        return []
    texts = [" ".join(card_texts(cards)) or "no cards" for cards in (held, replayed)]
    return [Fault("deal-differs", path, f"the round shows {texts[0]}, its replay {texts[1]}")]


class _Table(NamedTuple):
    """Who sits where: the occupied seats, and the place of each position."""

    occupied: tuple[int, ...]
    numbering: tuple[int, ...]

    @classmethod
    def of(cls, mode: ShufflerMode, seats: Iterable[int] | None, numbering: Iterable[int]) -> _Table:
        """The table as handed in; all seats are occupied if none are named."""
        return cls(tuple(range(1, mode.seats + 1) if seats is None else seats), tuple(numbering))

    @property
    def seated(self) -> tuple[int, ...]:
        """The occupied seats from the lowest up."""
        return tuple(sorted(self.occupied))

    def faults(self, mode: ShufflerMode, start: int | None) -> list[Fault]:
        """What is wrong with the seats, the start position and the numbering."""
        return seat_faults(mode, self.occupied) + start_faults(mode, start) + numbering_faults(mode, self.numbering)


def _refuse(faults: list[Fault], of_deck: list[Fault]) -> None:
    """Refuse with every fault found; a faulty deck makes the deal void."""
    if of_deck:
        raise VoidDealError(faults + of_deck)
    if faults:
        raise InputError(faults)


def _laid_out(
    mode: ShufflerMode, order: tuple[Card, ...], table: _Table, start: int | None
) -> tuple[tuple[Packet, ...], tuple[Card, ...]]:
    """The packets taken off the front of the deck, and the cards left over, which must make up the deck again."""
    places = mode.places(table.seated, start, table.numbering)
    packets: list[Packet] = []
    dealt = 0
    for place in places:
        packets.append(Packet(place, order[dealt : dealt + mode.size(place)]))
        dealt += mode.size(place)
    leftover = order[dealt:]
    check_left_over([card for packet in packets for card in packet.cards], leftover, mode.deck)
    return tuple(packets), leftover


def _place(packet: Packet) -> int:
    """The place of a packet, to sort by."""
    return packet.place
