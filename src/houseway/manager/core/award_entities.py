"""Awards in play, and the last ones paid."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from houseway.amounts import NO_CENTS, NO_MICROS, Cents, Micros


class Award(Struct, frozen=True):
    """A jackpot award from the press of its hand button to its payment or rejection."""

    id: str
    round: str
    table: str
    link: str
    sensor: str
    seat: int
    hand: str
    percent: int | None
    level: str | None
    """The level that pays; None where the tray pays."""
    source: Literal["meter", "tray", "house"]
    status: Literal["pressed", "hit", "paid"]
    cents: Cents = NO_CENTS
    """Fixed from the hit on; recomputed in seat order until the first award of the round is paid or another table wins
    from the level."""
    badge_role: Literal["none", "supervisor", "executive"] = "none"
    """Whose badge pays it; the dealer alone where it is nobody's."""
    pressed_at: int = 0
    hit_at: int = 0
    order: int = 0
    """Rank among all hits of the link."""
    locked_as: int = 0
    """The rank of its lock among all locks: they are undone the latest first."""
    seed_drawn_micros: Micros = NO_MICROS
    """The house's money that it drew: the seed of a restart, and what was advanced."""
    advanced_micros: Micros = NO_MICROS
    """Of it, what the house added to the award itself so that each winner gets the full meter."""
    reserve_drawn_micros: Micros = NO_MICROS
    overflow_drawn_micros: Micros = NO_MICROS
    generation: int = 0
    """The level's generation that a 100% award began."""
    seeded_before_micros: Micros | None = None
    """Seed money that the run before its restart began with: what that run returns to if it is rejected."""
    meter_before_micros: Micros = NO_MICROS
    envy: Cents | None = None
    """What each other seat with the wager on this sensor wins from this hand."""
    wagered: bool = True
    """False for a hand without a wager of its own that still brings envy to the others."""
    override: str | None = None
    pressed_by: str = ""
    reference: str | None = None
    paid_at: int = 0
    paid_by: str | None = None
    under_key: bool = False
    """First generation: paid while the supervisor's key still stands at JPH, so the sign has not fallen yet."""


class PastAward(Struct, frozen=True):
    """An award that tray or house paid and whose round is over: what is needed to back it out."""

    id: str
    link: str
    level: str | None
    seat: int
    hand: str
    cents: Cents
    source: Literal["tray", "house"]
    percent: int | None
    order: int
    small: bool
    """Whether it was paid without anybody's badge."""
    paid_at: int
    paid_by: str
    envy: Cents | None
    """What its hand has brought each of the others."""
    backed_out_at: int | None = None


class PaidAwards(Struct, frozen=True):
    """The last awards of a table that tray or house paid, the oldest first. The id is the table's."""

    id: str
    awards: tuple[PastAward, ...]
