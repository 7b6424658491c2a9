"""The modes in which a round is dealt: deck, size of a packet, and which place gets which packet.

A place is a seat (1, 2, ... clockwise from the dealer's left hand) or the dealer (`DEALER`, 0). A position is the
number that a shuffler shows; a numbering says which place each position is. Whatever the numbering, packets go round
the table counter-clockwise: the dealer, the highest seat, and on down to seat 1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from houseway.cards.card import DECK_52, DECK_53, Card
from houseway.errors import Fault, InputError

DEALER: Final = 0
COMMUNITY: Final = -1
"""The place of cards that lie in the middle and belong to every hand."""
NUMBERING: Final = (DEALER, 6, 5, 4, 3, 2, 1)
"""The usual numbering: the place of position 1 (the dealer), 2 (the dealer's right hand), ... 7 (the left hand)."""


@dataclass(frozen=True, slots=True)
class ShufflerMode:
    """One setting of the shuffling machine, or the same deal by hand from a shoe."""

    id: str
    title: str
    deck: tuple[Card, ...]
    packet_size: int
    seats: int
    every_position: bool
    """Packets go to all positions from a start position on; else only to the occupied seats, dealer last."""
    dealer_cards_up: int = 0
    by_machine: bool = True
    community: int = 0
    """Cards that are dealt to the middle, behind all packets."""
    dealer_hand: bool = True
    """Whether the dealer gets a packet."""

    @property
    def draws_start(self) -> bool:
        """Whether the machine draws the start position."""
        return self.every_position and self.by_machine

    def size(self, place: int) -> int:
        """How many cards a place gets."""
        return self.community if place == COMMUNITY else self.packet_size

    def places(self, occupied: Sequence[int], start: int | None, numbering: Sequence[int]) -> list[int]:
        """The places in the order in which they get their packets.

        >>> SIX_CARD_PACKETS.places([2], 3, NUMBERING)
        [5, 4, 3, 2, 1, 0, 6]
        >>> SIX_CARD_POKER.places([2, 5], None, NUMBERING)
        [2, 5, 0]
        """
        if not self.every_position or start is None:
            behind = [DEALER] * self.dealer_hand + [COMMUNITY] * bool(self.community)
            return [*sorted(occupied), *behind]
        counter_clockwise = [DEALER, *range(self.seats, 0, -1)]
        first = counter_clockwise.index(numbering[start - 1])
        return counter_clockwise[first:] + counter_clockwise[:first]


SIX_CARD_PACKETS: Final = ShufflerMode(
    "six-card-packets", "seven packets of six from 53 cards", DECK_53, packet_size=6, seats=6, every_position=True
)
SEVEN_CARD_PACKETS: Final = ShufflerMode(
    "seven-card-packets", "seven packets of seven from 53 cards", DECK_53, packet_size=7, seats=6, every_position=True
)
SIX_CARD_POKER: Final = ShufflerMode(
    "six-card-poker", "a packet of six from 52 cards for each player and the dealer", DECK_52,
    packet_size=6, seats=7, every_position=False, dealer_cards_up=3,
)  # fmt: skip


def shoe(mode: ShufflerMode) -> ShufflerMode:
    """The same deal by hand from a shoe: the dealer shuffles, and the house's procedure gives the start position.

    >>> shoe(SIX_CARD_PACKETS).id, shoe(SIX_CARD_PACKETS).draws_start
    ('shoe-six-card-packets', False)
    """
    if not mode.by_machine:
        return mode
    title = f"{mode.title}, by hand from a shoe"
    return replace(mode, id=f"shoe-{mode.id}", title=title, by_machine=False)


def plain_mode(
    deck: int, cards: int, seats: int, community: int = 0, up: int = 0, *, dealer: bool = True
) -> ShufflerMode:
    """A plain deal: a packet for each occupied seat from seat 1 up, then the dealer's, then the community's cards.

    Its id says all of it, so that whoever replays a deal needs no list of modes.

    >>> plain_mode(52, 1, 7).id, plain_mode(52, 3, 7, community=2, dealer=False).id
    ('deal-1-of-52-to-7', 'deal-3-of-52-to-7-no-dealer-community-2')
    """
    parts = [
        f"deal-{cards}-of-{deck}-to-{seats}",
        *(["no-dealer"] if not dealer else []),
        *([f"up-{up}"] if up else []),
        *([f"community-{community}"] if community else []),
    ]
    title = f"a packet of {cards} from {deck} cards for each player{' and the dealer' if dealer else ''}"
    return ShufflerMode(
        "-".join(parts), f"{title}, {community} to the middle" if community else title,
        DECK_53 if deck == len(DECK_53) else DECK_52, cards, seats, every_position=False,
        dealer_cards_up=up, community=community, dealer_hand=dealer,
    )  # fmt: skip


_PLAIN: Final = re.compile(
    r"deal-([1-9])-of-(52|53)-to-([1-9])(-no-dealer)?(?:-up-([1-9]))?(?:-community-([1-9]))?", re.ASCII
)


def _plain(mode_id: str) -> ShufflerMode | None:
    """The plain deal that an id says, from a machine or from a shoe."""
    found = _PLAIN.fullmatch(mode_id.removeprefix("shoe-"))
    if found is None:
        return None
    cards, deck, seats, alone, up, community = found.groups()
    mode = plain_mode(int(deck), int(cards), int(seats), int(community or 0), int(up or 0), dealer=alone is None)
    return shoe(mode) if mode_id.startswith("shoe-") else mode


_MACHINE_MODES: Final = (SIX_CARD_PACKETS, SEVEN_CARD_PACKETS, SIX_CARD_POKER)
MODES: Final[tuple[ShufflerMode, ...]] = (*_MACHINE_MODES, *map(shoe, _MACHINE_MODES))


def shuffler_mode(mode_id: str) -> ShufflerMode:
    """The mode of an id; InputError (code `unknown-mode`) if there is none.

    >>> shuffler_mode("seven-card-packets").packet_size
    7
    """
    for mode in MODES:
        if mode.id == mode_id:
            return mode
    plain = _plain(mode_id)
    if plain is not None:
        return plain
    known = ", ".join(mode.id for mode in MODES)
    raise InputError.of("unknown-mode", "mode", f"there is no shuffler mode of this name: choose one of {known}")


def machine_name(mode: ShufflerMode, machine_names: Sequence[str]) -> str | None:
    """What a machine that deals in a mode is set to: the first of a sheet's names for it. A shoe has no machine."""
    return next(iter(machine_names), None) if mode.by_machine else None


def named_mode(
    name: str, usual: ShufflerMode, machine_names: Sequence[str], path: str = "mode"
) -> tuple[ShufflerMode, str | None]:
    """The mode that a name means at a table whose machine usually runs in `usual`, and the machine's name for it.

    A name is what the sheet tells the dealer to set the machine to, or a mode's id, in any case.

    >>> sheet = ("Rabbit Hunter", "Sixes")
    >>> named_mode("rabbit hunter", SIX_CARD_POKER, sheet)[1], named_mode("six-card-poker", SIX_CARD_POKER, sheet)[1]
    ('Rabbit Hunter', 'Rabbit Hunter')
    >>> named_mode("Sixes", SIX_CARD_POKER, sheet)[0].id, named_mode("shoe-six-card-poker", SIX_CARD_POKER, sheet)[1]
    ('six-card-poker', None)
    """
    names = {mode.id: (mode, machine_name(mode, machine_names)) for mode in (usual, shoe(usual))}
    names |= {shown.casefold(): (usual, shown) for shown in machine_names}
    found = names.get(name.strip().casefold())
    if found is None:
        known = ", ".join([*machine_names, usual.id, shoe(usual).id])
        raise InputError.of("unknown-mode", path, f"{name[:40]!r} is not a mode of this game: choose one of {known}")
    return found


def seat_faults(mode: ShufflerMode, seats: Sequence[int], path: str = "seats") -> list[Fault]:
    """Why these seats cannot be the occupied ones."""
    if not seats:
        return [Fault("no-seats", path, "no seat is occupied: name at least one, else there is no round to deal")]
    faults: list[Fault] = []
    for place, seat in enumerate(seats):
        if seat not in range(1, mode.seats + 1):
            message = f"there is no seat {seat}: seats go from 1, at the dealer's left hand, to {mode.seats}"
            faults.append(Fault("bad-seat", f"{path}[{place}]", message))
        elif seat in seats[:place]:
            faults.append(
                Fault("duplicate-seat", f"{path}[{place}]", f"seat {seat} is named twice: name each seat once")
            )
    return faults


def start_faults(mode: ShufflerMode, start: int | None, path: str = "start_position") -> list[Fault]:
    """Why this start position may not be handed in; a machine draws its own, and a clockwise deal has none."""
    positions = mode.seats + 1
    if mode.every_position and not mode.by_machine:
        if start in range(1, positions + 1):
            return []
        message = f"a deal from a shoe needs its start position by the house's procedure, 1 to {positions}"
        return [Fault("bad-start", path, message)]
    if start is None:
        return []
    why = "the shuffler draws it" if mode.every_position else "this deal always starts with the lowest occupied seat"
    return [Fault("bad-start", path, f"leave out the start position: {why}")]


def numbering_faults(mode: ShufflerMode, numbering: Sequence[int], path: str = "numbering") -> list[Fault]:
    """Why this is not a numbering of the positions; a mode without positions takes any."""
    places = range(mode.seats + 1)
    if not mode.every_position or (len(numbering) == len(places) and all(place in numbering for place in places)):
        return []
    message = (
        f"a numbering gives the place of each of the positions 1 to {len(places)}, every place once: "
        f"0 for the dealer and the seats 1 to {mode.seats}"
    )
    return [Fault("bad-numbering", path, message)]
