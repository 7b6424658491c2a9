"""Which charts go with which report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from houseway.amounts import Micros
from houseway.manager.reports.charts import Bar, Chart, LimitBar, bar_chart, limit_chart
from houseway.manager.reports.fund_reports import WeeklyDeposit
from houseway.manager.reports.play_reports import CoinIn, PaceReport
from houseway.manager.reports.reconciliation import DailyReconciliation
from houseway.manager.reports.report_base import Report
from houseway.manager.reports.table_reports import MasterGames, StiffSheet
from houseway.wording import micro_dollars

_STEPS = ("opening", "contributions", "voided", "won", "seeded", "released", "opened", "adjusted", "closing")


def charts_of(report: Report) -> tuple[Chart, ...]:
    """The charts of a report, those left out in which there is nothing to see."""
    match report:
        case DailyReconciliation():
            found = _of_reconciliation(report)
        case CoinIn():
            found = [_sums("Coin-in by hour", ((row.hour, row.coin_in_micros) for row in report.hours))]
        case PaceReport():
            hours: Counter[str] = Counter()
            for row in report.hours:
                hours[row.hour] += row.rounds
            found = [
                bar_chart("Rounds by hour", [Bar(hour, count, str(count)) for hour, count in sorted(hours.items())])
            ]
        case MasterGames():
            found = [_sums("Win by table", ((row.table, row.win_micros) for row in report.periods))]
        case StiffSheet():
            found = [_sums("Win by table", ((row.table, row.win_micros) for row in report.sheets))]
        case WeeklyDeposit():
            found = [
                bar_chart(
                    f"{row.link}: what its account should hold, and holds",
                    [_bar("should hold", row.should_hold_micros), _bar("holds", row.balance_micros)],
                )
                for row in report.links
            ]
        case _:
            found = []
    return tuple(chart for chart in found if chart is not None)


def _of_reconciliation(report: DailyReconciliation) -> list[Chart | None]:
    meters = [
        bar_chart(
            f"{row.link} {row.level}: from opening to closing",
            [_bar(step, getattr(row, f"{step}_micros")) for step in _STEPS],
        )
        for row in report.levels
    ]
    hits = [
        LimitBar(f"{row.link} {row.level}", row.hits, row.lowest, row.highest, f"{row.hits}, expected {row.expected}")
        for row in report.hits
    ]
    return [*meters, limit_chart("Hits so far, and the limits within which they should stay", hits)]


def _bar(label: str, amount: Micros) -> Bar:
    return Bar(label, int(amount), micro_dollars(amount))


def _sums(title: str, amounts: Iterable[tuple[str, Micros]]) -> Chart | None:
    found: Counter[str] = Counter()
    for label, amount in amounts:
        found[label] += int(amount)
    return bar_chart(title, [_bar(label, Micros(amount)) for label, amount in sorted(found.items())])
