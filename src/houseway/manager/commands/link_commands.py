"""Commands of links: drawing up, opening, changing by two people, money in and out of the meters, retirement."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from houseway.amounts import Cents
from houseway.manager.commands.bounds import MOST_NAMED, Fields
from houseway.manager.commands.link_answers import (
    ApproveAnswer,
    CreateLinkAnswer,
    OpenLinkAnswer,
    PayPromotionAnswer,
    ProposeAnswer,
    RecordDepositAnswer,
    ResumeLinkAnswer,
    StopLinkAnswer,
    WithdrawAnswer,
)
from houseway.manager.core.command import Command
from houseway.manager.core.link_entities import DEALER_PAYS_BELOW, LevelParameters


class CreateLink(Command[CreateLinkAnswer], tag="link.create", frozen=True):
    """Draw up a link; it takes no wagers until it is opened."""

    link: str
    linked_as: Literal["progressive", "house"]
    paytable: str
    levels: Annotated[dict[str, LevelParameters], Meta(max_length=MOST_NAMED)] = {}
    wager: Cents = Cents(100)
    decks: int = 1
    fixed_pays: Literal["tray", "meter"] = "tray"
    prizes: Annotated[dict[str, Cents], Meta(max_length=MOST_NAMED)] = {}
    display_falls: Literal["at-payment", "at-hit"] = "at-payment"
    shows_contributions: Literal["at-start", "at-end"] = "at-start"
    order: Literal["seat-order", "full-to-each"] = "seat-order"
    fixed_supervisor_from: Cents = DEALER_PAYS_BELOW
    readings: Annotated[dict[str, bool | str], Meta(max_length=MOST_NAMED)] = {}


class OpenLink(Command[OpenLinkAnswer], tag="link.open", frozen=True):
    """Put a link into play with the opening amount of each level on record: cents, and where they come from.

    `seed`: the house advances them; `carried`: players' money from an earlier progressive, held by the house until now.
    """

    link: str
    opening: Annotated[
        dict[str, Annotated[dict[Literal["seed", "carried"], Cents], Meta(max_length=2)]], Meta(max_length=MOST_NAMED)
    ]
    badge: str
    note: str = ""


class RecordDeposit(Command[RecordDepositAnswer], tag="link.deposit", frozen=True):
    """A deposit into the link's separate bank account (negative: a withdrawal to pay a winner), with its paper."""

    link: str
    cents: Cents
    paper: str
    badge: str
    """Of a second person from another department."""


class PayPromotion(Command[PayPromotionAnswer], tag="promotion.pay", frozen=True):
    """A promotion has given money of a retired progressive back to players; the last payment takes all that is left."""

    link: str
    level: str
    cents: Cents
    paper: str
    """The paper that says who got the money."""
    badge: str
    """Of a second person from another department."""


class StopLink(Command[StopLinkAnswer], tag="link.stop", frozen=True):
    """Stop a progressive: seized funds, a short account, a malfunction. It takes no wagers until it is resumed."""

    link: str
    badge: str
    cause: Literal["funds-seized", "account-short", "malfunction", "other"]
    reason: str


class ResumeLink(Command[ResumeLinkAnswer], tag="link.resume", frozen=True):
    """Let a stopped link play again, with the paper that says why it may."""

    link: str
    badge: str
    paper: str


class Propose(Command[ProposeAnswer], tag="change.propose", frozen=True):
    """Propose a change that needs a second person: one of `CHANGES`, as {"change": NAME, ...}."""

    what: Fields
    reason: str


class Approve(Command[ApproveAnswer], tag="change.approve", frozen=True):
    """Approve another person's proposal by its id; what is proposed under an id never changes.

    The approval is bound to `content_hash`: that of the proposal, or its short form (`check`), as the approver has seen
    it. With any other hash nothing is approved.
    """

    proposal: str
    content_hash: str
    badge: str | None = None
    """The approver's."""


class Withdraw(Command[WithdrawAnswer], tag="change.withdraw", frozen=True):
    """Take back an open proposal, or one that still waits for its moment."""

    proposal: str
    reason: str


LINK_COMMANDS = (CreateLink, OpenLink, RecordDeposit, PayPromotion, StopLink, ResumeLink, Propose, Approve, Withdraw)
