"""Money of retired progressives that promotions give back to players, with the time by which they must."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from houseway.amounts import Micros
from houseway.manager.core.ledger import account
from houseway.manager.core.link_entities import Promotion
from houseway.manager.handlers.funds import DAY
from houseway.manager.handlers.promotions import reminders
from houseway.manager.reports.day_reading import DaysRead
from houseway.manager.reports.report_base import Report, ReportHead, ReportRow

PromotionStatus = Literal["returned", "returned-late", "waiting", "due", "overdue"]


class PromotionClock(ReportRow, frozen=True, kw_only=True):
    """Money of a retired level that was not yet back with players when the days began, or was put aside in them."""

    link: str
    level: str
    promotion: str
    since_at: int
    put_aside_micros: Micros
    paid_micros: Micros
    """What players got in these days."""
    moved_micros: Micros
    """What went onto another progressive in these days."""
    left_micros: Micros
    return_by_at: int
    """By when players must have all of it back."""
    ended_at: int | None
    status: PromotionStatus
    """`returned`, `returned-late`, `waiting`, `due` from `retirement_reminder_days` before that time on, `overdue`."""
    days_left: int | None
    """Whole days from the end of the days to that time; negative once it has passed, none once nothing is left."""


class Promotions(Report, frozen=True, kw_only=True):
    """Promotions with the time by which the money must be back with players."""

    promotions: tuple[PromotionClock, ...]

    tables: ClassVar[dict[str, str]] = {"promotions": "Money of retired progressives for players"}


def promotions(days: DaysRead, head: ReportHead) -> Promotions:
    """The promotions of some days."""
    return Promotions(head=head, promotions=promotion_clocks(days))


def promotion_clocks(days: DaysRead) -> tuple[PromotionClock, ...]:
    """Every promotion that these days touch, those whose time runs out first at the front."""
    return tuple(sorted(_clocks(days), key=lambda row: (row.return_by_at, row.link, row.level)))


def _clocks(days: DaysRead) -> Iterator[PromotionClock]:
    reminded = {each.about for each in reminders(days.closing, days.last.until)}
    for id_, link in days.closing.links.items():
        before = days.opening.links.get(id_)
        for level, promotion in link.promotions.items():
            known = before.promotions.get(level) if before is not None else None
            if known is not None and known.ended_at:
                continue
            name = account("promotion", id_, level)
            ended = promotion.ended_at or None
            yield PromotionClock(
                link=id_,
                level=level,
                promotion=promotion.name,
                since_at=promotion.since,
                put_aside_micros=promotion.put_aside_micros,
                paid_micros=-days.moved_by(name, "promotion-paid"),
                moved_micros=-days.moved_by(name, "retirement"),
                left_micros=days.closing.held(name),
                return_by_at=promotion.return_by,
                ended_at=ended,
                status=_status(days, promotion, f"{id_}/{level}" in reminded),
                days_left=None if ended else (promotion.return_by - days.last.until) // DAY,
            )


def _status(days: DaysRead, promotion: Promotion, is_reminded: bool) -> PromotionStatus:
    if promotion.ended_at:
        return "returned" if promotion.ended_at <= promotion.return_by else "returned-late"
    if promotion.return_by < days.last.until:
        return "overdue"
    return "due" if is_reminded else "waiting"
