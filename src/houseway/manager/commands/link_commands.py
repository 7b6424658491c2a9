"""Commands of links: drawing up, opening, changing by two people, money in and out of the meters, retirement."""

from __future__ import annotations

from typing import Any, Literal

from houseway.amounts import Cents
from houseway.manager.commands.round_commands import Command
from houseway.manager.core.entities import DEALER_PAYS_BELOW, LevelParameters


class CreateLink(Command, tag="link.create", frozen=True):
    """Draw up a link; it takes no wagers until it is opened."""

    link: str
    linked_as: Literal["progressive", "house"]
    paytable: str
    levels: dict[str, LevelParameters] = {}
    wager: Cents = Cents(100)
    decks: int = 1
    fixed_pays: Literal["tray", "meter"] = "tray"
    prizes: dict[str, Cents] = {}
    display_falls: Literal["at-payment", "at-hit"] = "at-payment"
    shows_contributions: Literal["at-start", "at-end"] = "at-start"
    order: Literal["seat-order", "full-to-each"] = "seat-order"
    fixed_supervisor_from: Cents = DEALER_PAYS_BELOW
    readings: dict[str, bool | str] = {}


class OpenLink(Command, tag="link.open", frozen=True):
    """Put a link into play with the opening amount of each level on record: cents, and where they come from.

    `seed`: the house advances them; `carried`: players' money from an earlier progressive, held by the house until now.
    """

    link: str
    opening: dict[str, dict[Literal["seed", "carried"], Cents]]
    card: str
    note: str = ""


class RecordDeposit(Command, tag="link.deposit", frozen=True):
    """A deposit into the link's separate bank account (negative: a withdrawal to pay a winner), with its paper."""

    link: str
    cents: Cents
    paper: str
    card: str
    """Of a second person of another department."""


class StopLink(Command, tag="link.stop", frozen=True):
    """Stop a progressive: seized funds, a short account, a malfunction. It takes no wagers until it is resumed."""

    link: str
    card: str
    cause: Literal["funds-seized", "account-short", "malfunction", "other"]
    reason: str


class ResumeLink(Command, tag="link.resume", frozen=True):
    """Let a stopped link play again, with the paper that says why it may."""

    link: str
    card: str
    paper: str


class Propose(Command, tag="change.propose", frozen=True):
    """Propose a change that needs a second person: one of `CHANGES`, as {"change": NAME, ...}."""

    what: dict[str, Any]
    reason: str


class Approve(Command, tag="change.approve", frozen=True):
    """Approve another person's proposal by its id; what is proposed under an id never changes.

    `content_hash`, if given, must be that of the proposal: who shows it before the approval sends it along. The answer
    has it in any case, so that the record says what was approved.
    """

    proposal: str
    content_hash: str | None = None
    card: str | None = None
    """The approver's."""


class Withdraw(Command, tag="change.withdraw", frozen=True):
    """Take back an open proposal, or one that still waits for its moment."""

    proposal: str
    reason: str


LINK_COMMANDS = (CreateLink, OpenLink, RecordDeposit, StopLink, ResumeLink, Propose, Approve, Withdraw)
