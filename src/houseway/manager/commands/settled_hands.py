"""Hands that lie open with what became of their wagers, as `houseway settle` tells them."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from houseway.amounts import Cents


class OpenLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What became of one wager, or one envy payment."""

    wager: str
    outcome: Literal["win", "lose", "push"]
    stake: Cents
    returned: Cents
    hand: str
    hand_text: str
    clause: str
    source: Literal["tray", "meter", "house", "banker"] | None
    commission: Cents | None = None
    paytable: str | None = None
    pays: str | None = None
    """What the line of the pay table says, such as "150 to 1"."""
    trigger: int | None = None
    """Of an envy payment: the seat whose hand brought it."""
    before_limit: Cents | None = None
    """Where a posted limit cut it: what it would have returned."""


class OpenDealerHand(Struct, frozen=True, kw_only=True):
    """The dealer's hand as it is set, and whether it qualifies where that is asked."""

    high: tuple[str, ...]
    low: tuple[str, ...]
    high_hand: str
    high_text: str
    low_hand: str | None
    low_text: str | None
    rule: str | None
    qualifies: bool | None


class OpenSeat(Struct, frozen=True, kw_only=True):
    """A player's hand as it is set, with the lines of its wagers."""

    seat: int
    high: tuple[str, ...]
    low: tuple[str, ...]
    high_hand: str
    high_text: str
    low_hand: str | None
    low_text: str | None
    rule: str | None
    fouled: bool
    lines: tuple[OpenLine, ...]

    @property
    def from_tray(self) -> Cents:
        """What the dealer gives the player, stakes and wins together."""
        return Cents(sum(int(line.returned) for line in self.lines if line.source not in ("meter", "house")))
