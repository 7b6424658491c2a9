"""Jackpot links with their levels, and the hits on record with them."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from houseway.amounts import NO_MICROS, Cents, Micros

DEALER_PAYS_BELOW: Final = Cents(100_00)
"""Fixed pays below this amount are the dealer's own where a link names no other one (docs/decisions.md)."""


class LevelParameters(Struct, frozen=True, forbid_unknown_fields=True):
    """What is configured for one level of a progressive. Shares are exact fractions "n/d"."""

    seed: Cents
    contribution: str
    reserve: str = "0"
    limit: Cents | None = None
    executive_from: Cents | None = None
    """Awards from this amount need an executive's badge."""


class Terms(Struct, frozen=True):
    """What the wagers of a link could win up to one of its versions."""

    until: int
    fixed_pays: Literal["tray", "meter"]
    order: Literal["seat-order", "full-to-each"]
    prizes: dict[str, Cents]


class LinkWarning(Struct, frozen=True):
    """What the sheets advise against in a link's parameters, and why."""

    code: str
    level: str | None
    """None: the link as a whole."""
    message: str
    clause: str
    """The clause that recommends otherwise; empty for what no clause recommends."""


class Promotion(Struct, frozen=True):
    """What gives the money of a level that was taken out of play back to players; the money is in the ledger."""

    name: str
    put_aside_micros: Micros
    since: int
    return_by: int
    """By when players must have it back: fixed when the link retired."""
    ended_at: int = 0
    """When nothing of it was left."""


class Link(Struct, frozen=True):
    """Tables joined to one pay table: a progressive with its levels, or a house jackpot with posted prizes."""

    id: str
    kind: Literal["progressive", "house"]
    paytable: str
    wager: Cents
    """The fixed wager; fixed pays are multiplied by it."""
    decks: int
    fixed_pays: Literal["tray", "meter"]
    levels: dict[str, LevelParameters]
    prizes: dict[str, Cents]
    """House jackpot: the posted prize by level."""
    display_falls: Literal["at-payment", "at-hit"]
    shows_contributions: Literal["at-start", "at-end"]
    order: Literal["seat-order", "full-to-each"]
    """Simultaneous awards: one after the other from the far right, or the full meter to each where controls say so."""
    status: Literal["draft", "open", "draining", "stopped", "retired"]
    version: int
    status_reason: str = ""
    fixed_supervisor_from: Cents = DEALER_PAYS_BELOW
    """Fixed pays from this amount need a supervisor's badge; below it the dealer pays them."""
    readings: dict[str, bool | str] = {}
    """Readings of the pay table that differ from the default, by the name of their setting (docs/decisions.md)."""
    warnings: tuple[LinkWarning, ...] = ()
    """What the sheets advise against in the parameters in force, each with its reason."""
    funded_at: int = 0
    """When its bank account last held all that it should."""
    changed_at: int = 0
    """When its parameters last changed."""
    earlier: tuple[Terms, ...] = ()
    """Terms that were changed, the oldest first, while rounds taken under them can still be opened again or resumed."""
    promotions: dict[str, Promotion] = {}
    """By level of a retired progressive: the promotion that gives its money back."""


class Hit(Struct, frozen=True):
    """An award that was paid off a level."""

    award: str
    table: str
    seat: int
    hand: str
    cents: Cents
    percent: int | None
    locked_as: int
    """The rank of its lock among all locks."""
    advanced_micros: Micros
    """What the house had added to it so that each winner gets the full meter."""
    at: int
    paid_by: str | None
    envy: Cents | None
    new_base_micros: Micros
    """What the meter held once it was paid."""
    backed_out_at: int | None = None


class Level(Struct, frozen=True, omit_defaults=True):
    """The running figures of one level; its money is in the ledger. The id is "LINK/LEVEL"."""

    id: str
    generation: int = 0
    """How often it was won at 100% and reseeded."""
    carried: str = "0"
    """The remainder of its contributions below a millionth."""
    reserve_carried: str = "0"
    wagered_micros: Micros = NO_MICROS
    """What was wagered on it so far."""
    hits: int = 0
    won_micros: Micros = NO_MICROS
    """What was won from it so far."""
    recent: tuple[Hit, ...] = ()
    """The last 25 hits, the newest last."""
    seeded_micros: Micros = NO_MICROS
    """Seed money on the meter that the house may still recover, if `seeded_in` is the generation; else all of its
    reseed."""
    seeded_in: int = -1
