"""Commands of slips: prints on record, voids, and how a prize was handed over."""

from __future__ import annotations

from houseway.amounts import NO_CENTS, Cents
from houseway.manager.commands.slip_answers import HandOverPrizeAnswer, IssueFormAnswer, PrintSlipAnswer, VoidSlipAnswer
from houseway.manager.core.command import Command
from houseway.manager.core.slip_entities import Copy, Method


class IssueForm(Command[IssueFormAnswer], tag="slip.form", frozen=True):
    """A numbered paper form for a round of a table, to be printed and kept there for when the manager is away."""

    table: str


class PrintSlip(Command[PrintSlipAnswer], tag="slip.print", frozen=True):
    """A copy of a slip is printed for the first time; it goes on record before the printer gets it."""

    slip: str
    copy: Copy = "original"


class ReprintSlip(Command[PrintSlipAnswer], tag="slip.reprint", frozen=True):
    """A copy of a slip is printed again, because a printer failed or the paper was lost; it is marked REPRINT."""

    slip: str
    reason: str
    copy: Copy = "original"


class VoidSlip(Command[VoidSlipAnswer], tag="slip.void", frozen=True):
    """A slip does not count: a fill or credit is undone in the books, a win gets a slip with the next number."""

    slip: str
    reason: str
    badge: str


class HandOverPrize(Command[HandOverPrizeAnswer], tag="prize.hand-over", frozen=True):
    """A prize was handed to its winner: how, and that form, withholding and deck were seen to where they are due."""

    slip: str
    method: Method
    badge: str
    reference: str = ""
    """The number of the check."""
    booth: str = ""
    form: str = ""
    """The reference of the tax form that was made out; never a tax number."""
    withheld_cents: Cents = NO_CENTS
    """What was withheld."""
    deck_count: int | None = None
    """Cards of the deck, with the winning hand, as they were counted down on camera."""
    override: str = ""
    """Why it is done otherwise than the settings ask for."""


SLIP_COMMANDS = (IssueForm, PrintSlip, ReprintSlip, VoidSlip, HandOverPrize)
