"""Slips: numbered papers of money that was paid, brought or counted, with every print of them on record."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct

from houseway.amounts import NO_CENTS, Cents

SlipKind = Literal["win", "fill", "credit", "opener", "closer", "round"]
"""What a slip is of: a paid award, chips to a tray or from it, a table's chips when it opens or closes, or a round that
is written down while the manager cannot be reached."""
Copy = Literal["original", "duplicate"]
"""Which copy of a slip was printed."""
Method = Literal["chips", "cash", "check"]
"""How a prize was handed to its winner."""

SERIES: Final[dict[SlipKind, str]] = {
    "win": "WIN", "fill": "FILL", "credit": "CREDIT", "opener": "OPEN", "closer": "CLOSE", "round": "ROUND",
}  # fmt: skip
"""By kind: the letters before the numbers that the manager gives. One series for each kind in the property."""


class PrizeDuties(Struct, frozen=True):
    """What is due for one prize, with the thresholds that say so and the day on which they were looked up."""

    day: str
    """The UTC day of the payment, by which the settings were taken."""
    wager: Cents
    form_from: Cents
    form_multiple: int
    form: bool
    """Whether a tax form is due."""
    withholding_above: Cents
    withholding_percent: int
    withheld: Cents
    """What is withheld from the prize; nothing where withholding is not due."""
    check_from: Cents
    check: bool
    """Whether it is a large prize: paid by check, the hand and the deck kept."""
    check_by: int | None
    """Until when it is handed over; none where no check is due."""
    kept_until: int | None
    """Until when the hand and the deck are kept; none where they need not be."""

    @property
    def is_any_due(self) -> bool:
        """Whether anything is due at all."""
        return self.form or bool(self.withheld) or self.check


class SlipSeries(Struct, frozen=True):
    """The numbers of one series: every number up to the last one was given, each once."""

    id: str
    last: int


class SlipPrint(Struct, frozen=True, omit_defaults=True):
    """A print of a slip: whoever asked for it, when, and which copy it was."""

    copy: Copy
    by: str
    at: int
    reprint: int = 0
    """0 for the first print of the copy; after it the reprints are counted."""
    reason: str = ""
    """Why it was printed again."""


class SlipVoid(Struct, frozen=True, omit_defaults=True):
    """Why a slip does not count, and who said so."""

    by: str
    second: str
    at: int
    reason: str
    replaced_by: str = ""
    """The slip that counts instead."""


class HandOver(Struct, frozen=True, omit_defaults=True):
    """How a prize came into its winner's hands."""

    method: Method
    by: str
    second: str
    at: int
    reference: str = ""
    """The number of the check."""
    booth: str = ""
    form: str = ""
    """The reference of the tax form that was made out; never a tax number."""
    withheld: Cents = NO_CENTS
    deck_count: int | None = None
    """Cards of the deck, with the winning hand, as they were counted down on camera."""
    override: str = ""
    """Why it was done otherwise than the settings ask for."""


class FormEntry(Struct, frozen=True):
    """A round that was finished on a paper form and entered later, by two people."""

    form: str
    round: str
    ended_at: int
    """The time on the paper."""
    by: str
    second: str
    at: int
    """When it was entered."""


class Slip(Struct, frozen=True, omit_defaults=True):
    """A slip; its number is used once in the property."""

    id: str
    kind: SlipKind
    table: str
    cents: Cents
    by: str
    second: str
    at: int
    chips: dict[str, int] = {}
    """How many chips of each value in cents."""
    dealer: str = ""
    shift: str = ""
    deck: str = ""
    award: str = ""
    """Of a win: the award that was paid."""
    duties: PrizeDuties | None = None
    """Of a win: what the payment brings with it."""
    prints: tuple[SlipPrint, ...] = ()
    void: SlipVoid | None = None
    handed: HandOver | None = None
    """Of a win: how the prize was handed over."""
    entered: FormEntry | None = None
    """Of a paper round: what was entered from it."""
