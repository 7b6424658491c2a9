"""What the commands of links and of changes by two people are answered."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from houseway.amounts import Cents, Micros
from houseway.manager.core.change_answers import ChangeEffect, ChangeOutcome
from houseway.manager.core.command import CommandAnswer
from houseway.manager.core.link_entities import LinkWarning
from houseway.reading.json_values import JsonObject

LinkStatus = Literal["draft", "open", "draining", "stopped", "retired"]


class Chance(Struct, frozen=True):
    """How often a level is won at 100%."""

    chance: str
    one_in: str


class ExactShare(Struct, frozen=True):
    """A share of a wager, exact and in percent."""

    fraction: str
    percent: str


class RatePreset(Struct, frozen=True):
    """The preconfigured rate of a pay table, and what it rests on."""

    basis: Literal["printed", "property", "none"]
    total: str | None
    """Contribution and reserve of all levels together."""
    total_percent: str | None
    levels: dict[str, str] | None
    note: str


class OpeningAmount(Struct, frozen=True):
    """What a level opens with."""

    seed_micros: Micros
    carried_micros: Micros
    meter_micros: Micros


class AccountState(Struct, frozen=True):
    """The separate bank account of a progressive: what it should hold, and what it holds."""

    should_hold_micros: Micros
    holds_micros: Micros
    due_micros: Micros
    whole_since: int
    overdue: bool
    warnings: tuple[LinkWarning, ...]


class CreateLinkAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The link with its exact figures: jackpot odds, preset, and what the house keeps in the long run."""

    link: str
    status: LinkStatus
    version: int
    odds: dict[str, Chance]
    preset: RatePreset | None = None
    """Of a progressive."""
    house_advantage: ExactShare | None = None
    house_advantage_with_envy: ExactShare | None = None
    warnings: tuple[LinkWarning, ...]


class OpenLinkAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The link in play, with its opening amounts."""

    link: str
    status: LinkStatus
    opening: dict[str, OpeningAmount]
    second_person: str
    paper: str
    warnings: tuple[LinkWarning, ...]


class RecordDepositAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The deposit, and the bank account with it."""

    link: str
    status: LinkStatus
    cents: Cents
    second_person: str
    paper: str
    should_hold_micros: Micros
    holds_micros: Micros
    due_micros: Micros
    whole_since: int
    overdue: bool
    warnings: tuple[LinkWarning, ...]


class PayPromotionAnswer(CommandAnswer, frozen=True, kw_only=True):
    """What a promotion has given back to players, and what is left of its money."""

    link: str
    level: str
    promotion: str
    cents: Cents
    added_micros: Micros
    """What the house added to pay whole cents."""
    left_micros: Micros
    return_by: int
    """By when players must have all of it back."""
    second_person: str
    paper: str


class StopLinkAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The link that was stopped, and why."""

    link: str
    status: LinkStatus
    cause: Literal["funds-seized", "account-short", "malfunction", "other"]
    second_person: str | None
    paper: str
    funds: AccountState | None
    """Null for a house jackpot."""


class ResumeLinkAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The link that plays again, or drains for a change that still waits."""

    link: str
    second_person: str
    paper: str
    status: LinkStatus
    changes: tuple[ChangeOutcome, ...] = ()


class ProposeAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The proposal, and who may approve it."""

    proposal: str
    content_hash: str
    check: str
    """The short form of the hash, which both people compare."""
    what: JsonObject
    moment: Literal["now", "idle", "won"]
    approvers: tuple[str, ...]
    """Roles of which the approver needs one."""


class ApproveAnswer(ChangeEffect, frozen=True, kw_only=True):
    """What was approved and by whom; if it was made at once, what it has done."""

    proposal: str
    content_hash: str
    check: str
    """The short form of the hash, which both people compare."""
    what: JsonObject
    reason: str
    proposed_by: str
    approved_by: str
    status: Literal["waiting", "made"]


class WithdrawAnswer(CommandAnswer, frozen=True, kw_only=True):
    """The proposal that was taken back."""

    proposal: str
    was: Literal["open", "approved", "lapsed"]
    status: Literal["withdrawn"]
