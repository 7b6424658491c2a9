"""The text of a round taken apart and not read: what streams say again and again is known by its text.

Only plain texts are taken apart, in which no reader of JSON could see anything else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import DecodeError, Raw, Struct, ValidationError
from msgspec.json import Decoder

NOTHING: Final = Raw(b"")
"""In place of a member that a round does not have."""
_NULL: Final = Raw(b"null")
LONGEST_SAID: Final = 20_000
"""A round of a full table is a few thousand bytes; what is longer is not worth keeping."""


class SeatParts(Struct, forbid_unknown_fields=True, gc=False):
    """The members of a seat that most seats have."""

    seat: int
    cards: Raw
    wagers: Raw
    low: Raw = NOTHING
    fold: bool | None = None


class RoundParts(Struct, forbid_unknown_fields=True, gc=False):
    """The members of a round that most rounds have: a round with others is not taken apart."""

    game: Raw
    dealer: Raw
    seats: list[SeatParts]
    paytables: Raw = NOTHING
    settings: Raw = NOTHING
    way: Raw = NOTHING
    meters: Raw = NOTHING
    seeds: Raw = NOTHING

    @property
    def terms(self) -> tuple[bytes, bytes, bytes, bytes]:
        """What makes the terms of the round."""
        return bytes(self.game), bytes(self.paytables), bytes(self.settings), bytes(self.way)


_decode: Final = Decoder(RoundParts).decode


def take_apart(datas: Sequence[bytes]) -> list[RoundParts | None]:
    """The parts of each round; None for what is not plain text of a round with the usual members."""
    whole = b"".join(datas)
    if _is_plain(whole):
        return [_parts_of(data) for data in datas]
    return [_parts_of(data) if _is_plain(data) else None for data in datas]


def _is_plain(data: bytes) -> bool:
    """Whether every reader takes the same characters from a text: no escapes, nothing outside ASCII."""
    return b"\\" not in data and data.isascii()


def _parts_of(data: bytes) -> RoundParts | None:
    if len(data) > LONGEST_SAID:
        return None
    try:
        return _decode(data)
    except (DecodeError, ValidationError, RecursionError):
        return None


def is_said(part: Raw) -> bool:
    """Whether a member is there and not null."""
    return len(part) > 0 and part != _NULL


def colons_of(*parts: Raw | bytes) -> int:
    """How many colons stand in members with these texts: in each, and one behind the name of each that is there.

    A reader keeps the last of two members of one name. Whoever knows how many colons the members have that were kept
    sees from the colons of the whole text that there was no other.
    """
    return sum(bytes(part).count(b":") + 1 for part in parts if len(part))
