"""The reports that there are, each with its name, its title and the function that makes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import msgspec

from houseway.errors import InputError
from houseway.manager.reports.day_reading import DaysRead
from houseway.manager.reports.fund_reports import SeedRecovered, WeeklyDeposit, seed_recovered, weekly_deposit
from houseway.manager.reports.jackpot_log import JackpotLog, jackpot_log
from houseway.manager.reports.paper_reports import Malfunctions, ParameterHistory, malfunctions, parameter_history
from houseway.manager.reports.play_reports import CoinIn, PaceReport, coin_in, pace
from houseway.manager.reports.prize_report import PrizeReport, prize_report
from houseway.manager.reports.promotion_report import Promotions, promotions
from houseway.manager.reports.reconciliation import DailyReconciliation, reconciliation
from houseway.manager.reports.report_base import Report, ReportHead
from houseway.manager.reports.slip_report import SlipReport, slip_report
from houseway.manager.reports.staff_report import StaffActions, staff_actions
from houseway.manager.reports.table_reports import MasterGames, StiffSheet, master_games, stiff_sheet
from houseway.reading.json_values import JsonObject
from houseway.wording import suggestion


class ReportKind(NamedTuple):
    """A report that can be asked for."""

    name: str
    title: str
    about: str
    """What is in it, in a line."""
    struct: type[Report]
    make: Callable[[DaysRead, ReportHead], Report]


REPORTS: Final[dict[str, ReportKind]] = {
    kind.name: kind
    for kind in (
        ReportKind(
            "reconciliation",
            "Daily reconciliation",
            "every link and level: opening, movements by reason, closing, rates, hits against odds, deposits due",
            DailyReconciliation,
            reconciliation,
        ),
        ReportKind("jackpots", "Jackpot log", "every award with what became of it", JackpotLog, jackpot_log),
        ReportKind(
            "master-games",
            "Master games report",
            "every table and game by drop period, on idle days too: rounds, drop, fills, credits, win, coin-in",
            MasterGames,
            master_games,
        ),
        ReportKind(
            "stiff-sheet",
            "Stiff sheet",
            "opener, fills, credits, drop, closer, win and hold of every table, and each slip",
            StiffSheet,
            stiff_sheet,
        ),
        ReportKind("coin-in", "Coin-in and participation", "jackpot wagers by table, seat and hour", CoinIn, coin_in),
        ReportKind("pace", "Pace", "rounds an hour by table and dealer", PaceReport, pace),
        ReportKind(
            "staff",
            "Staff actions",
            "who did what how often, what needed a reason or a second person, refused attempts",
            StaffActions,
            staff_actions,
        ),
        ReportKind(
            "changes",
            "Parameter and paper history",
            "parameters before and after, settings, proposals and papers",
            ParameterHistory,
            parameter_history,
        ),
        ReportKind(
            "malfunctions",
            "Malfunctions",
            "incidents with the hour by which they must be reported, and whether they were",
            Malfunctions,
            malfunctions,
        ),
        ReportKind(
            "deposits",
            "Weekly deposit",
            "accruals, deposits and withdrawals of each progressive, and what is due",
            WeeklyDeposit,
            weekly_deposit,
        ),
        ReportKind(
            "promotions",
            "Money of retired progressives",
            "promotions that give it back to players, what is left, and the time by which it must be back",
            Promotions,
            promotions,
        ),
        ReportKind(
            "seed",
            "Seed recovered",
            "seed money of the house by level: advanced, returned, recovered",
            SeedRecovered,
            seed_recovered,
        ),
        ReportKind(
            "slips",
            "Unused and voided slips",
            "numbers used and left out, prints and reprints, voided slips, awards that do not count",
            SlipReport,
            slip_report,
        ),
        ReportKind(
            "prizes",
            "Large prizes and tax",
            "form, withholding, check and retention due for each prize, how it was handed over, what is still open",
            PrizeReport,
            prize_report,
        ),
    )
}


def report_kind(name: str) -> ReportKind:
    """The report of a name; refused where there is none."""
    kind = REPORTS.get(name)
    if kind is None:
        message = f"{name[:40]!r} is not a report: {suggestion(name[:40], REPORTS)}"
        raise InputError.of("unknown-report", "report", message)
    return kind


def make_report(days: DaysRead, name: str, prepared_by: str | None = None, reviewed_by: str | None = None) -> Report:
    """A report of some days; refused for a name that there is not, or a reviewer who is not independent."""
    kind = report_kind(name)
    _check_signatures(days, prepared_by, reviewed_by)
    return kind.make(days, days.head(kind.name, kind.title, prepared_by, reviewed_by))


def _check_signatures(days: DaysRead, prepared_by: str | None, reviewed_by: str | None) -> None:
    """Who prepares and who reviews are people of the property; the reviewer is another one who had no part in play."""
    for person, path in ((prepared_by, "prepared-by"), (reviewed_by, "reviewed-by")):
        if person is not None and person not in days.closing.people:
            raise InputError.of("unknown-person", path, f"{person[:40]} is nobody here: name a registered person")
    if reviewed_by is None:
        return
    if reviewed_by == prepared_by:
        message = f"{reviewed_by} cannot review what {reviewed_by} has prepared: another person must"
        raise InputError.of("second-person", "reviewed-by", message)
    kinds = [kind for actor, kind in days.staff if actor == reviewed_by and not kind.startswith("person.")]
    own = (event for event, _ in days.events(*kinds) if event.actor == reviewed_by)
    found = next(own, None)
    if found is not None:
        message = (
            f"{reviewed_by} acted in these days (event {found.seq}, {found.kind}): let somebody independent review"
        )
        raise InputError.of("second-person", "reviewed-by", message)


def report_schema(name: str | None = None) -> JsonObject:
    """The JSON schema of one report, or of all of them by name."""
    kinds = [REPORTS[name]] if name is not None else list(REPORTS.values())
    schemas, defined = msgspec.json.schema_components([kind.struct for kind in kinds], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Reports of a Houseway Game Manager",
        "reports": dict(zip([kind.name for kind in kinds], schemas, strict=True)),
        "$defs": defined,
    }
