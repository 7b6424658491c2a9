"""The money behind progressives: accruals and deposits, and seed money that the house has advanced and recovered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from houseway.amounts import NO_MICROS, Micros
from houseway.manager.core import settings
from houseway.manager.core.ledger import FOR_PLAYERS, account
from houseway.manager.handlers.funds import DAY, bank_balance, funds_due, is_overdue, should_hold
from houseway.manager.reports.day_reading import DaysRead
from houseway.manager.reports.report_base import Report, ReportHead, ReportRow


class LinkDeposit(ReportRow, frozen=True, kw_only=True):
    """What the bank account of a link should hold, what went in and out, and what is due."""

    link: str
    opening_micros: Micros
    """What it should have held before these days."""
    accrued_micros: Micros
    """What wagers put aside for players: contributions and reserve, less voids and corrections."""
    paid_micros: Micros
    """What winners were paid, and promotions gave back to players."""
    other_micros: Micros
    """What else changed what it should hold: seeds, adjustments, retirements."""
    should_hold_micros: Micros
    """What it should hold at the end."""
    deposits_micros: Micros
    withdrawals_micros: Micros
    moved_micros: Micros
    """What retirements of links brought or took."""
    balance_micros: Micros
    due_micros: Micros
    """The deposit due."""
    whole_at: int
    """When it last held all that it should."""
    due_by_at: int | None
    """By when accruals must be deposited; none where nothing is due."""
    overdue: bool


class DepositEntry(ReportRow, frozen=True, kw_only=True):
    """A deposit or a withdrawal."""

    link: str
    at: int
    event: int
    paper: str
    by: str
    micros: Micros
    """Negative for a withdrawal."""


class WeeklyDeposit(Report, frozen=True, kw_only=True):
    """Accruals, deposits and what is due."""

    links: tuple[LinkDeposit, ...]
    deposits: tuple[DepositEntry, ...]

    tables: ClassVar[dict[str, str]] = {"links": "Bank accounts by link", "deposits": "Deposits and withdrawals"}


class LevelSeed(ReportRow, frozen=True, kw_only=True):
    """Seed money of a level that the house has not got back."""

    link: str
    level: str
    opening_micros: Micros
    advanced_micros: Micros
    """Opening amounts, reseeds, advances and seed money added."""
    returned_micros: Micros
    """Taken back with awards that did not stand or were backed out: a negative amount."""
    recovered_micros: Micros
    """Recovered from the meter by two people: a negative amount."""
    changed_micros: Micros
    """By which seeds became higher, or lower, when a level restarted at another one."""
    closing_micros: Micros
    residual_micros: Micros
    """Zero in books that agree."""


class SeedRecovered(Report, frozen=True, kw_only=True):
    """Seed money advanced and recovered."""

    levels: tuple[LevelSeed, ...]

    tables: ClassVar[dict[str, str]] = {"levels": "Seed money by level"}


def weekly_deposit(days: DaysRead, head: ReportHead) -> WeeklyDeposit:
    """The deposits of some days."""
    links = tuple(_link(days, id_) for id_, link in sorted(days.closing.links.items()) if link.kind == "progressive")
    return WeeklyDeposit(head=head, links=links, deposits=tuple(_deposits(days)))


def _link(days: DaysRead, id_: str) -> LinkDeposit:
    link, bank, at = days.closing.links[id_], account("bank", id_), days.last.until
    names = [account(kind, id_, level) for level in link.levels for kind in FOR_PLAYERS]
    opening = sum((days.opening.held(name) for name in names), NO_MICROS)
    accrued = sum((days.moved_by(name, "contribution", "reserve", "correction", "void") for name in names), NO_MICROS)
    paid = -days.moved_by(account("paid", id_), "payment", "take-back", "promotion-paid")
    closing, due = should_hold(days.closing, link), funds_due(days.closing, link)
    wait: int = settings.value(days.closing, "deposit_days", at)
    return LinkDeposit(
        link=id_,
        opening_micros=opening,
        accrued_micros=accrued,
        paid_micros=paid,
        other_micros=closing - opening - accrued - paid,
        should_hold_micros=closing,
        deposits_micros=days.moved_by(bank, "deposit"),
        withdrawals_micros=days.moved_by(bank, "withdrawal"),
        moved_micros=days.moved_by(bank, "retirement"),
        balance_micros=bank_balance(days.closing, link),
        due_micros=due,
        whole_at=link.funded_at,
        due_by_at=link.funded_at + wait * DAY if due > NO_MICROS else None,
        overdue=is_overdue(days.closing, link, at),
    )


def _deposits(days: DaysRead) -> Iterator[DepositEntry]:
    for event, body in days.events("link.deposit"):
        for debit, credit, moved, _, subject in body.post:
            bank, sign = (debit, 1) if debit.startswith("bank/") else (credit, -1)
            yield DepositEntry(
                link=bank.partition("/")[2],
                at=event.at,
                event=event.seq,
                paper=subject.partition(":")[2],
                by=event.actor,
                micros=moved * sign,
            )


def seed_recovered(days: DaysRead, head: ReportHead) -> SeedRecovered:
    """Seed money of some days."""
    names = sorted({*days.opening.balances, *days.closing.balances, *days.moved})
    return SeedRecovered(head=head, levels=tuple(_seed(days, name) for name in names if name.startswith("seed/")))


def _seed(days: DaysRead, name: str) -> LevelSeed:
    _, link, level = name.split("/")
    parts = {
        "advanced_micros": days.moved_by(name, "opening", "reseed", "advance", "seed-added"),
        "returned_micros": days.moved_by(name, "reseed-returned", "advance-returned", "back-out"),
        "recovered_micros": days.moved_by(name, "recover-seed"),
        "changed_micros": days.moved_by(name, "seed-changed"),
    }
    opening, closing = days.opening.held(name), days.closing.held(name)
    return LevelSeed(
        link=link,
        level=level,
        opening_micros=opening,
        **parts,
        closing_micros=closing,
        residual_micros=closing - opening - sum(parts.values(), NO_MICROS),
    )
