"""The daily reconciliation by link and level: opening, what moved for which reason, closing, and nothing left over.

Money that moved is summed from the transfers; opening and closing come from the states before and after. What the rates
in force make of the wagers is computed from the wagers and compared with what was posted.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import ClassVar, Final

from houseway.amounts import NO_MICROS, Micros, micros, total
from houseway.manager.core import settings
from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import FOR_PLAYERS, account, shown_balance
from houseway.manager.core.link_entities import Link
from houseway.manager.core.signs import displayed
from houseway.manager.handlers.change_base import level_of
from houseway.manager.handlers.funds import DAY, bank_balance, funds_due, is_overdue, should_hold
from houseway.manager.handlers.link_rules import first_level, link_table
from houseway.manager.reports.day_reading import DaysRead
from houseway.manager.reports.day_totals import WagerTotals
from houseway.manager.reports.hit_limits import hit_limits
from houseway.manager.reports.jackpot_log import AwardEntry, award_entries
from houseway.manager.reports.promotion_report import PromotionClock, promotion_clocks
from houseway.manager.reports.report_base import Report, ReportHead, ReportRow
from houseway.manager.store.reconcile import COLUMNS
from houseway.odds.distribution import decimal_text, fraction_text
from houseway.odds.wagers import counts_for

OF_A_LEVEL: Final = (*FOR_PLAYERS, "seed")
"""Kinds of accounts that each level has."""


class LevelDay(ReportRow, frozen=True, kw_only=True):
    """The meter of a level over the days: the opening and all that follows make the closing."""

    link: str
    level: str
    opening_micros: Micros
    contributions_micros: Micros
    """Shares of wagers that went onto the meter, less those of wagers that were corrected."""
    voided_micros: Micros
    """What void rounds took back: a negative amount."""
    won_micros: Micros
    """What awards took off the meter, less what was rejected: a negative amount."""
    seeded_micros: Micros
    """Reseeds and advances of the house, less those taken back."""
    released_micros: Micros
    """Reserve and overflow that went onto the meter, less what lay above a posted limit."""
    opened_micros: Micros
    """Opening amounts of the level."""
    adjusted_micros: Micros
    """Changes by two people; the movements below name the reasons."""
    closing_micros: Micros
    residual_micros: Micros
    """What the closing has more than the opening and all movements: zero in books that agree."""
    sign_micros: Micros
    """What the sign showed at the end."""


class AccountDay(ReportRow, frozen=True, kw_only=True):
    """An account of a link or level over the days."""

    account: str
    opening_micros: Micros
    moved_micros: Micros
    closing_micros: Micros
    residual_micros: Micros
    """What the closing has more than the opening and what moved: zero in books that agree."""


class Movement(ReportRow, frozen=True, kw_only=True):
    """What moved on an account for one reason."""

    account: str
    reason: str
    micros: Micros


class RateInForce(ReportRow, frozen=True, kw_only=True):
    """The rates of a level at which wagers were taken."""

    link: str
    level: str
    contribution: str
    """The share of a wager that goes onto the meter."""
    reserve: str
    """The share that is put aside for the next reseed."""
    since_at: int
    """The first START GAME of these days at these rates."""
    wagers: int
    coin_in_micros: Micros


class ShareCheck(ReportRow, frozen=True, kw_only=True):
    """What the rates make of the wagers taken, against what was posted."""

    link: str
    level: str
    share: str
    """`contribution` or `reserve`."""
    computed: str
    """The exact share of all wagers in millionths, as a fraction where it is no whole number."""
    carried: str
    """By how much taking these wagers raised the remainder below a millionth that waits for the next wager."""
    posted_micros: Micros
    difference: str
    """What was posted beyond the computed share less the remainder: 0 in books that agree."""


class HitCheck(ReportRow, frozen=True, kw_only=True):
    """The hits of a level since its link began, against the exact odds."""

    link: str
    level: str
    wagers: int
    """Wagers on the level so far, in wagers of the present size."""
    hits: int
    won_micros: Micros
    chance: str
    """The exact chance that a wager takes money off the level, as a fraction."""
    one_in: str
    expected: str
    """Hits that the odds let expect after so many wagers."""
    lowest: int
    """From so many hits on..."""
    highest: int
    """...to so many: with a chance of 95% the hits stay between these limits at every look."""
    agrees: bool


class BankAccount(ReportRow, frozen=True, kw_only=True):
    """The separate bank account of a progressive at the end of the days."""

    link: str
    status: str
    tables: str
    """The tables whose sensors are joined to the link."""
    wagers: int
    """Wagers taken in these days."""
    coin_in_micros: Micros
    returned_micros: Micros
    """Wagers given back by voids and corrections."""
    should_hold_micros: Micros
    balance_micros: Micros
    due_micros: Micros
    """The deposit due."""
    due_by_at: int | None
    """By when accruals must be deposited; none where nothing is due."""
    overdue: bool


class DailyReconciliation(Report, frozen=True, kw_only=True):
    """The books of every link and level, from the first moment of the days to the last."""

    agrees: bool
    """Whether nothing is left over anywhere, and everything posted is what the rates say."""
    levels: tuple[LevelDay, ...]
    accounts: tuple[AccountDay, ...]
    movements: tuple[Movement, ...]
    rates: tuple[RateInForce, ...]
    shares: tuple[ShareCheck, ...]
    awards: tuple[AwardEntry, ...]
    hits: tuple[HitCheck, ...]
    funds: tuple[BankAccount, ...]
    promotions: tuple[PromotionClock, ...]

    tables: ClassVar[dict[str, str]] = {
        "levels": "Meters by link and level",
        "accounts": "Accounts of links and levels",
        "movements": "Movements by account and reason",
        "rates": "Rates in force",
        "shares": "Computed and posted shares",
        "awards": "Awards",
        "hits": "Hits so far against the exact odds",
        "funds": "Bank accounts and deposits due",
        "promotions": "Money of retired progressives for players",
    }


def reconciliation(days: DaysRead, head: ReportHead) -> DailyReconciliation:
    """The reconciliation of some days."""
    wagers = days.wagers
    levels = tuple(_level(days, link, level) for link in _links(days) for level in sorted(link.levels))
    accounts = tuple(_account(days, name) for name in account_names(days))
    shares = tuple(_shares(days, wagers))
    left = [row.residual_micros for row in levels] + [row.residual_micros for row in accounts]
    exact = not any(left) and all(row.difference == "0" for row in shares)
    return DailyReconciliation(
        head=head,
        agrees=exact,
        levels=levels,
        accounts=accounts,
        movements=tuple(_movements(days)),
        rates=tuple(_rates(wagers)),
        shares=shares,
        awards=award_entries(days),
        hits=tuple(_hits(days)),
        funds=tuple(_bank_account(days, link, wagers) for link in _links(days)),
        promotions=promotion_clocks(days),
    )


def _links(days: DaysRead) -> list[Link]:
    """All links by their ids."""
    return [link for _, link in sorted(days.closing.links.items())]


def account_names(days: DaysRead) -> list[str]:
    """The accounts of links and levels that hold or moved something, in order."""
    names = {*days.opening.balances, *days.closing.balances, *days.moved}
    return sorted(name for name in names if name.split("/")[0] in (*OF_A_LEVEL, "paid", "prizes", "bank"))


def _level(days: DaysRead, link: Link, level: str) -> LevelDay:
    meter = account("meter", link.id, level)
    opening, closing = days.opening.held(meter), days.closing.held(meter)
    columns = {f"{name}_micros": days.moved_by(meter, *reasons) for name, reasons in COLUMNS.items()}
    return LevelDay(
        link=link.id,
        level=level,
        opening_micros=opening,
        **columns,
        closing_micros=closing,
        residual_micros=closing - opening - total(columns.values()),
        sign_micros=displayed(days.closing, link)[level],
    )


def _account(days: DaysRead, name: str) -> AccountDay:
    opening, closing = days.opening.held(name), days.closing.held(name)
    moved = shown_balance(name, total(days.moved.get(name, {}).values()))
    return AccountDay(
        account=name,
        opening_micros=opening,
        moved_micros=moved,
        closing_micros=closing,
        residual_micros=closing - opening - moved,
    )


def _movements(days: DaysRead) -> Iterator[Movement]:
    for name in account_names(days):
        for reason, moved in sorted(days.moved.get(name, {}).items()):
            yield Movement(account=name, reason=reason, micros=shown_balance(name, moved))


def _rates(wagers: WagerTotals) -> Iterator[RateInForce]:
    for row in sorted(wagers.rates.values(), key=lambda row: (row.link, row.level, row.since)):
        yield RateInForce(
            link=row.link,
            level=row.level,
            contribution=row.contribution,
            reserve=row.reserve,
            since_at=row.since,
            wagers=row.wagers,
            coin_in_micros=Micros(row.micros),
        )


def _shares(days: DaysRead, wagers: WagerTotals) -> Iterator[ShareCheck]:
    for (link, level), shares in sorted(wagers.shares.items()):
        if days.closing.links[link].kind != "progressive":
            continue
        onto = [account(kind, link, level) for kind in ("meter", "overflow")]
        contributed = total(days.moved_by(name, "contribution") for name in onto)
        put_aside = days.moved_by(account("reserve", link, level), "reserve")
        for share, computed, carried, posted in (
            ("contribution", shares.contribution, shares.carried, contributed),
            ("reserve", shares.reserve, shares.reserve_carried, put_aside),
        ):
            yield ShareCheck(
                link=link,
                level=level,
                share=share,
                computed=str(computed),
                carried=str(carried),
                posted_micros=posted,
                difference=str(Fraction(int(posted)) - computed + carried),
            )


def hit_chance(link: Link, level: str) -> Fraction:
    """The exact chance that a wager takes money off a level, from the shipped counts of hands."""
    table = link_table(link)
    counts = counts_for(table.games[0], table.joker).by_line(table)
    fixed_here = link.fixed_pays == "meter" and level == first_level(link)
    taking = sum(
        count
        for line, count in counts.items()
        if line is not None and (line.level == level or (fixed_here and line.percent is None and line.pays))
    )
    return Fraction(taking, sum(counts.values()))


def _hits(days: DaysRead) -> Iterator[HitCheck]:
    for link in _links(days):
        for level in sorted(link.levels):
            figures = level_of(days.closing, link.id, level)
            chance = hit_chance(link, level)
            if not chance:
                continue
            wagers = int(figures.wagered_micros) // int(micros(link.wager))
            limits = hit_limits(max(0, wagers), min(figures.hits, max(0, wagers)), chance)
            yield HitCheck(
                link=link.id,
                level=level,
                wagers=wagers,
                hits=figures.hits,
                won_micros=figures.won_micros,
                chance=fraction_text(chance),
                one_in=decimal_text(1 / chance, 12),
                expected=decimal_text(limits.expected, 6),
                lowest=limits.lowest,
                highest=limits.highest,
                agrees=limits.agree and figures.hits <= max(0, wagers),
            )


def tables_of(floor: Floor, link: str) -> str:
    """The tables whose sensors are joined to a link, for people."""
    return ", ".join(sorted(table.id for table in floor.tables.values() if link in table.sensors.values()))


def _bank_account(days: DaysRead, link: Link, wagers: WagerTotals) -> BankAccount:
    floor, at = days.closing, days.last.until
    due, moved = funds_due(floor, link), wagers.of(link.id)
    deposit_days = settings.value(floor, "deposit_days", at)
    return BankAccount(
        link=link.id,
        status=link.status,
        tables=tables_of(floor, link.id),
        wagers=moved.wagers - moved.wagers_returned,
        coin_in_micros=Micros(moved.taken),
        returned_micros=Micros(moved.returned),
        should_hold_micros=should_hold(floor, link),
        balance_micros=bank_balance(floor, link),
        due_micros=due,
        due_by_at=link.funded_at + deposit_days * DAY if due > NO_MICROS else None,
        overdue=is_overdue(floor, link, at),
    )
