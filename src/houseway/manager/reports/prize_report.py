"""Large prizes and tax: what each paid award brought with it, how it was handed over, and what is still open."""

from __future__ import annotations

from typing import ClassVar

from houseway.amounts import NO_CENTS, Cents
from houseway.manager.core.slip_entities import PrizeDuties, Slip
from houseway.manager.reports.day_reading import DaysRead
from houseway.manager.reports.report_base import Report, ReportHead, ReportRow


class PrizeRow(ReportRow, frozen=True, kw_only=True):
    """A prize for which something is due, or that was handed over."""

    slip: str
    award: str
    table: str
    paid_at: int
    cents: Cents
    wager_cents: Cents
    settings_day: str
    """The UTC day by which the settings were taken."""
    form: bool
    """Whether a tax form is due."""
    form_from_cents: Cents
    withheld_cents: Cents
    """What is to be withheld."""
    check: bool
    """Whether it is a large prize: paid by check, the hand and the deck kept."""
    check_by_at: int | None
    kept_until_at: int | None
    handed_at: int | None
    """When it was handed over; none: it is open."""
    method: str
    reference: str
    """The number of the check."""
    form_reference: str
    handed_withheld_cents: Cents
    handed_by: str
    override: str
    late: bool
    """Whether it was handed over, or is still open, behind its time."""


class PrizeReport(Report, frozen=True, kw_only=True):
    """Prizes with something due."""

    prizes: tuple[PrizeRow, ...]
    open: tuple[PrizeRow, ...]
    kept: tuple[PrizeRow, ...]

    tables: ClassVar[dict[str, str]] = {
        "prizes": "Prizes of these days",
        "open": "Not handed over by the end of these days",
        "kept": "Hands and decks to be kept at the end of these days",
    }


def prize_report(days: DaysRead, head: ReportHead) -> PrizeReport:
    """The prizes of some days, and what was open at their end."""
    until = min(head.until_at, days.closing.last_at) if head.preliminary else head.until_at
    wins = [slip for _, slip in sorted(days.closing.slips.items()) if slip.void is None and slip.duties is not None]
    rows = {slip.id: _row(slip, slip.duties, until) for slip in wins if slip.duties is not None}
    due = [slip for slip in wins if slip.duties is not None and slip.duties.is_any_due]
    return PrizeReport(
        head=head,
        prizes=tuple(rows[slip.id] for slip in due if slip.id not in days.opening.slips),
        open=tuple(rows[slip.id] for slip in due if slip.handed is None),
        kept=tuple(rows[slip.id] for slip in due if (rows[slip.id].kept_until_at or 0) > until),
    )


def _row(slip: Slip, duties: PrizeDuties, until: int) -> PrizeRow:
    handed = slip.handed
    done = until if handed is None else handed.at
    return PrizeRow(
        slip=slip.id, award=slip.award, table=slip.table, paid_at=slip.at, cents=slip.cents, wager_cents=duties.wager,
        settings_day=duties.day, form=duties.form, form_from_cents=duties.form_from, withheld_cents=duties.withheld,
        check=duties.check, check_by_at=duties.check_by, kept_until_at=duties.kept_until,
        handed_at=None if handed is None else handed.at, method="" if handed is None else handed.method,
        reference="" if handed is None else handed.reference, form_reference="" if handed is None else handed.form,
        handed_withheld_cents=NO_CENTS if handed is None else handed.withheld,
        handed_by="" if handed is None else f"{handed.by}, {handed.second}",
        override="" if handed is None else handed.override,
        late=duties.check_by is not None and done > duties.check_by,
    )  # fmt: skip
