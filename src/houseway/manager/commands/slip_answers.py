"""What the commands of slips are answered."""

from __future__ import annotations

from houseway.amounts import Cents
from houseway.manager.core.command import CommandAnswer
from houseway.manager.core.slip_entities import Copy, Method, SlipKind


class IssueFormAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The form's number, and what comes next."""

    slip: str
    table: str
    next: tuple[str, ...]


class PrintSlipAnswer(CommandAnswer, frozen=True, kw_only=True):
    """Which print of which copy this is, and how the paper must be marked."""

    slip: str
    copy: Copy
    reprint: int
    """0 for the first print of the copy; after it the reprints are counted."""
    marks: tuple[str, ...]
    """What stands across the paper, as in DUPLICATE, REPRINT 2, VOID."""


class VoidSlipAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The slip that no longer counts, and the one that counts instead."""

    slip: str
    kind_of: SlipKind
    cents: Cents
    by: str
    second: str
    replaced_by: str | None
    tray_cents: Cents | None = None
    """What the books have in the tray now, where a fill or a credit was undone."""


class HandOverPrizeAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The prize as it was handed over."""

    slip: str
    award: str
    method: Method
    cents: Cents
    withheld_cents: Cents
    handed_cents: Cents
    """The prize less what was withheld."""
    signed: tuple[str, ...]
    late: bool
    """Whether it was due before."""
