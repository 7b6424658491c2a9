"""The reports of six days with everything in them: books that agree, days that follow on each other, refusals."""

from __future__ import annotations

import csv
import io
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import update

from houseway.errors import InputError
from houseway.manager.core.prize_duties import prize_duties
from houseway.manager.reports.csv_page import csv_text
from houseway.manager.reports.day_reading import last_ended_day, read_days
from houseway.manager.reports.fund_reports import SeedRecovered, WeeklyDeposit
from houseway.manager.reports.jackpot_log import JackpotLog
from houseway.manager.reports.paper_reports import Malfunctions, ParameterHistory
from houseway.manager.reports.play_reports import CoinIn, PaceReport
from houseway.manager.reports.prize_report import PrizeReport
from houseway.manager.reports.reconciliation import DailyReconciliation
from houseway.manager.reports.report_base import Report
from houseway.manager.reports.report_list import REPORTS, make_report, report_schema
from houseway.manager.reports.slip_report import SlipReport
from houseway.manager.reports.staff_report import StaffActions
from houseway.manager.reports.table_reports import MasterGames, StiffSheet
from houseway.manager.store import schema
from houseway.manager.store.reading import View, open_view
from houseway.manager.store.trust import trust_in
from instruments.reports_page import page
from tests.manager.audit.tampering import forging
from tests.manager.floors import ACCOUNTING, AUDITOR, DEALER, HOUR, SUPERVISOR
from tests.manager.reports.stretch import DAYS, Stretch, moment

PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "reports.md"
LATER = moment("2026-12-01T00:00")
ReportT = TypeVar("ReportT", bound=Report)


def report(view: View, kind: type[ReportT], first: date, last: date | None = None, **more: Any) -> ReportT:
    (name,) = (each.name for each in REPORTS.values() if each.struct is kind)
    made = make_report(read_days(view, first, last or first, LATER), name, **more)
    assert isinstance(made, kind)
    return made


def test_the_residual_is_zero_on_every_day(view: View) -> None:
    for day in DAYS:
        found = report(view, DailyReconciliation, day)
        assert found.agrees
        assert {row.residual_micros for row in (*found.levels, *found.accounts)} == {0}
        assert {row.difference for row in found.shares} <= {"0"}


def test_days_follow_on_each_other_and_make_the_whole(view: View) -> None:
    days = [report(view, DailyReconciliation, day) for day in DAYS]
    whole = report(view, DailyReconciliation, DAYS[0], DAYS[-1])
    for one, next_ in pairwise(days):
        assert one.head.until_at + 1 == next_.head.since_at
        closing = {row.account: row.closing_micros for row in one.accounts}
        opening = {row.account: row.opening_micros for row in next_.accounts}
        assert closing.items() <= opening.items()
    assert whole.agrees
    assert whole.levels[0].closing_micros == days[-1].levels[0].closing_micros
    assert whole.levels[0].contributions_micros == sum(day.levels[0].contributions_micros for day in days)
    assert len(whole.awards) == sum(len(day.awards) for day in days)
    assert [day.head.hours for day in days] == [24, 24, 25, 22, 24, 24]
    assert sum(day.head.hours for day in days) == whole.head.hours


def test_rates_are_those_of_each_start(view: View) -> None:
    rates = [
        (row.contribution, row.reserve, row.wagers) for row in report(view, DailyReconciliation, DAYS[1], DAYS[2]).rates
    ]
    assert rates == [("1/3", "1/7", 16), ("1/4", "2/11", 15)]


def test_money_that_went_astray_does_not_agree(stretch: Stretch) -> None:
    with forging(stretch) as forger:
        table = schema.transfers
        wrong = (
            update(table).where(table.c.reason == "contribution", table.c.seq > 62).values(micros=table.c.micros + 1)
        )
        forger.run(wrong)
        found = make_report(read_days(View(forger.connection, "forged"), DAYS[1], DAYS[1], LATER), "reconciliation")
        assert isinstance(found, DailyReconciliation)
        assert not found.agrees
        assert found.levels[0].residual_micros < 0
        assert {row.difference for row in found.shares} != {"0"}


def test_the_jackpot_log_has_every_step(view: View) -> None:
    found = report(view, JackpotLog, DAYS[1])
    assert [(entry.award, entry.status) for entry in found.entries] == [
        ("T1-5/1", "hit"), ("T1-5/2", "hit"), ("T1-5/1", "paid"), ("T1-5/2", "paid"), ("T1-6/1", "hit"),
        ("T1-6/1", "rejected"),
    ]  # fmt: skip
    assert {(row.status, row.awards) for row in found.sums} == {("hit", 3), ("paid", 2), ("rejected", 1)}
    assert "backed-out" in {entry.status for entry in report(view, JackpotLog, DAYS[2]).entries}


def test_the_stiff_sheet_makes_the_win(view: View) -> None:
    felt, _ = report(view, StiffSheet, DAYS[0]).sheets
    assert (felt.opener_micros, felt.fills_micros, felt.credits_micros) == (
        10_000_000_000,
        2_500_000_000,
        1_000_000_000,
    )
    assert (felt.drop_micros, felt.closer_micros) == (813_250_000, 11_765_000_000)
    assert felt.win_micros == 11_765_000_000 + 1_000_000_000 + 813_250_000 - 10_000_000_000 - 2_500_000_000
    assert (felt.hold, felt.counted, felt.fill_slips, felt.credit_slips) == ("132.5853%", True, 1, 1)
    idle = report(view, StiffSheet, DAYS[4]).sheets
    assert {(row.win_micros, row.drop_micros, row.hold, row.counted) for row in idle} == {(0, 0, None, False)}


def test_the_master_games_report_has_every_table_by_drop_period(view: View) -> None:
    found = report(view, MasterGames, DAYS[0]).periods
    assert [(row.table, row.period, row.rounds, row.voids) for row in found] == [
        ("T1", 1, 2, 0), ("T1", 2, 1, 1), ("T1", 3, 0, 0), ("T2", 1, 1, 0),
    ]  # fmt: skip
    felt = report(view, StiffSheet, DAYS[0]).sheets[0]
    assert sum(row.win_micros for row in found if row.table == "T1") == felt.win_micros
    assert sum(row.coin_in_micros for row in found) == 12_000_000
    idle = report(view, MasterGames, DAYS[4]).periods
    assert [(row.table, row.idle) for row in idle] == [("T1", True), ("T2", True)]


def test_coin_in_by_seat_and_hour(view: View) -> None:
    found = report(view, CoinIn, DAYS[2])
    twice = [row for row in found.hours if row.hour.startswith("2026-11-01T01")]
    assert [(row.hour, row.rounds, row.coin_in_micros) for row in twice] == [
        ("2026-11-01T01-07:00", 1, 3_000_000),
        ("2026-11-01T01-08:00", 1, 3_000_000),
    ]
    taken = sum(row.coin_in_micros for row in found.seats)
    assert taken == sum(row.coin_in_micros for row in found.hours) == 15_000_000
    corrected = {row.seat: row for row in report(view, CoinIn, DAYS[1]).seats if row.hour == "2026-10-30T11-07:00"}
    assert (corrected[3].wagers, corrected[3].returned_micros) == (1, 1_000_000)
    assert (corrected[4].rounds, corrected[4].wagers) == (0, 1)


def test_pace_leaves_pauses_out(view: View) -> None:
    found = {(row.table, row.dealer): row for row in report(view, PaceReport, DAYS[2]).dealers}
    # The round over the cut-off belongs to the day in which it ended.
    assert {place: row.rounds for place, row in found.items()} == {("T1", DEALER): 4, ("T2", "Dealer 18"): 1}
    assert found["T1", DEALER].minutes == 0


def test_staff_actions_name_both_people(view: View) -> None:
    found = report(view, StaffActions, DAYS[1])
    counts = {(row.actor, row.kind): row.times for row in found.counts}
    assert counts[DEALER, "round.correct"] == 3
    decided = next(row for row in found.actions if row.kind == "round.decide")
    assert (decided.actor, decided.others, decided.about) == (SUPERVISOR, "Executive 1 (badge)", "T1-9")
    assert decided.reference == "case 7"


def test_the_history_has_parameters_settings_and_papers(view: View) -> None:
    found = report(view, ParameterHistory, DAYS[2])
    changed = {(row.parameter, row.before, row.after) for row in found.parameters}
    assert {("contribution", '"1/3"', '"1/4"'), ("reserve", '"1/7"', '"2/11"')} <= changed
    assert [(row.name, row.value) for row in found.settings] == [("cut_off_hour", "4")]
    assert {"IR-1", "W-1"} <= {row.paper for row in found.papers}
    assert [row.name for row in report(view, ParameterHistory, DAYS[3]).settings] == ["cut_off_hour"]


def test_malfunctions_run_against_their_clock(view: View) -> None:
    due, other = report(view, Malfunctions, DAYS[1]).incidents
    assert (due.status, due.due_at and due.due_at - due.known_at, due.hours_left) == ("due", 72 * HOUR, 53)
    assert (other.status, other.due_at) == ("no-report", None)
    told, open_ = report(view, Malfunctions, DAYS[2]).incidents
    assert (told.status, told.reference, told.hours_left) == ("reported", "m", None)
    assert told.repaired_at is not None
    assert open_.repaired_at is None
    assert [row.incident for row in report(view, Malfunctions, DAYS[5]).incidents] == ["incident-2"]


def test_deposits_and_seeds(view: View) -> None:
    (link,) = report(view, WeeklyDeposit, DAYS[0], DAYS[-1]).links
    assert (link.deposits_micros, link.withdrawals_micros) == (1_750_000_000, -123_450_000)
    assert link.balance_micros == 1_626_550_000
    made = link.opening_micros + link.accrued_micros + link.paid_micros + link.other_micros
    assert made == link.should_hold_micros
    (seed,) = report(view, SeedRecovered, DAYS[1]).levels
    assert (seed.advanced_micros, seed.returned_micros, seed.recovered_micros) == (
        2_000_000_000,
        -1_000_000_000,
        -250_000_000,
    )
    assert seed.residual_micros == 0


def test_slips_left_out_and_voided(view: View) -> None:
    found = report(view, SlipReport, DAYS[0])
    assert [row.slip for row in found.unused] == ["F-1002"]
    assert [(row.series, row.used, row.unused) for row in found.series] == [
        ("CLOSE-", 1, 0),
        ("F-", 2, 1),
        ("OPEN-", 2, 0),
        ("WIN-", 1, 0),
    ]
    assert report(view, SlipReport, DAYS[5]).unused == ()
    assert [row.status for row in report(view, SlipReport, DAYS[1]).undone] == ["rejected"]


def test_prints_and_voids_of_slips(view: View) -> None:
    found = report(view, SlipReport, DAYS[5])
    assert [(row.slip, row.kind, row.cents) for row in found.voided] == [
        ("CREDIT-000001", "credit", 20_000),
        ("FILL-000001", "fill", 20_000),
    ]
    assert [(row.slip, row.copy, row.reprint, row.reason) for row in found.prints] == [
        ("WIN-000002", "original", 0, ""),
        ("WIN-000002", "original", 1, "the printer jammed"),
    ]
    backed_out = report(view, SlipReport, DAYS[2])
    assert [(row.award, row.replaced_by) for row in backed_out.voided] == [("T1-12/2", None)]
    assert "WIN-000006" in {row.slip for row in backed_out.unprinted}
    (sheet,) = (row for row in report(view, StiffSheet, DAYS[5]).sheets if row.table == "T1")
    assert (sheet.fills_micros, sheet.credits_micros) == (500_000_000, 0), "what was voided does not count"


def test_prizes_open_late_and_kept(view: View) -> None:
    won = report(view, PrizeReport, DAYS[1])
    assert [(row.slip, row.form, row.check, row.handed_at) for row in won.prizes] == []
    assert won.open == ()
    settings = view.state_at(view.bounds()[1]).floor
    slip = settings.slips["WIN-000002"]
    assert slip.handed is not None
    # A thousand dollars brings nothing with it in 2026; by the numbers of another room it would.
    duties = prize_duties(settings, slip.cents, 100, slip.at)
    assert (duties.form, duties.check) == (False, False)
    large = replace(slip, id="WIN-000900", duties=prize_duties(settings, 600_000, 100, slip.at), handed=None)
    days = read_days(view, DAYS[1], DAYS[1], LATER)
    days.closing.slips["WIN-000900"] = large
    found = make_report(days, "prizes")
    assert isinstance(found, PrizeReport)
    assert [(row.slip, row.form, row.withheld_cents, row.check, row.late) for row in found.prizes] == [
        ("WIN-000900", True, 143_976, True, False)
    ]
    assert [row.slip for row in found.open] == [row.slip for row in found.kept] == ["WIN-000900"]
    later = read_days(view, DAYS[5], DAYS[5], LATER)
    later.closing.slips["WIN-000900"] = large
    open_ = make_report(later, "prizes")
    assert isinstance(open_, PrizeReport)
    assert [(row.slip, row.late) for row in open_.open] == [("WIN-000900", True)]


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_reads_back_from_its_json(view: View, name: str) -> None:
    for day in (DAYS[1], DAYS[4]):
        made = make_report(read_days(view, day, day, LATER), name)
        assert msgspec.json.decode(msgspec.json.encode(made), type=REPORTS[name].struct) == made
        named = report_schema(name)["reports"]
        assert isinstance(named, dict)
        assert list(named) == [name]


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_is_a_table_of_cells(view: View, name: str) -> None:
    made = make_report(read_days(view, DAYS[1], DAYS[1], LATER), name)
    lines = [line for line in csv.reader(io.StringIO(csv_text(made))) if line]
    for table in made.tables:
        assert sum(line[0] == table for line in lines) == len(made.rows_of(table))
    assert ["head", "first_day", "2026-10-30"] in lines


def test_cells_are_no_formulas(view: View) -> None:
    made = report(view, StaffActions, DAYS[1])
    row = msgspec.structs.replace(made.actions[0], reason="=HYPERLINK(1)", others="-1", about="plain")
    text = csv_text(msgspec.structs.replace(made, actions=(row,)))
    assert "'=HYPERLINK(1)" in text
    assert ",'-1,plain," in text


def test_a_day_that_has_not_ended_is_preliminary(view: View) -> None:
    inside = moment("2026-11-03T22:00")
    days = read_days(view, DAYS[5], DAYS[5], inside)
    assert make_report(days, "reconciliation").head.preliminary
    assert not report(view, DailyReconciliation, DAYS[5]).head.preliminary
    assert last_ended_day(view, inside) == date(2026, 11, 2)
    assert last_ended_day(view, LATER) == DAYS[5]


@pytest.mark.parametrize(
    ("first", "last", "code", "path", "says"),
    [
        ("2026-10-28", "2026-10-28", "no-events", "day", "name a day from 2026-10-29 to 2026-11-03"),
        ("2026-12-05", "2026-12-05", "no-events", "day", "has not begun yet"),
        ("2026-11-01", "2026-10-31", "bad-time", "through", "before the first"),
        ("0001-01-01", "0001-01-01", "no-events", "day", "2026-10-29"),
        ("2026-11-01", "9999-12-31", "no-events", "through", "2026-10-29"),
    ],
)
def test_days_that_there_are_not(view: View, first: str, last: str, code: str, path: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        read_days(view, date.fromisoformat(first), date.fromisoformat(last), LATER)
    ((fault,)) = caught.value.faults
    assert (fault.code, fault.path) == (code, path)
    assert says in fault.message


def test_who_prepares_and_who_reviews(view: View) -> None:
    found = report(view, DailyReconciliation, DAYS[1], prepared_by=ACCOUNTING, reviewed_by=AUDITOR)
    assert (found.head.prepared_by, found.head.reviewed_by) == (ACCOUNTING, AUDITOR)
    for prepared, reviewed, code in (
        (ACCOUNTING, ACCOUNTING, "second-person"),
        (ACCOUNTING, SUPERVISOR, "second-person"),
        ("Nobody", AUDITOR, "unknown-person"),
    ):
        with pytest.raises(InputError) as caught:
            report(view, DailyReconciliation, DAYS[1], prepared_by=prepared, reviewed_by=reviewed)
        assert [fault.code for fault in caught.value.faults] == [code]


def test_the_keys_must_have_signed(view: View, stretch: Stretch, tmp_path: Path) -> None:
    from houseway.manager.store.keys import create_keys

    days = read_days(view, DAYS[1], DAYS[1], LATER, trust_in(stretch.keys))
    head = make_report(days, "jackpots").head
    assert head.checkpoint is not None
    assert head.last_event is not None
    assert head.checkpoint >= head.last_event
    create_keys(tmp_path / "foreign")
    with pytest.raises(InputError) as caught:
        make_report(read_days(view, DAYS[1], DAYS[1], LATER, trust_in(tmp_path / "foreign")), "jackpots")
    assert [fault.code for fault in caught.value.faults] == ["journal-damaged"]


def test_postgres_gives_the_same_reports(stretch: Stretch, on_postgres: Stretch) -> None:
    with open_view(stretch.url) as one, open_view(on_postgres.url) as other:
        days = [read_days(each, DAYS[0], DAYS[2], LATER) for each in (one, other)]
        for name in REPORTS:
            here, there = (make_report(each, name) for each in days)
            assert without_journal(here) == without_journal(there)


def without_journal(made: Report) -> Report:
    """A report without what differs from journal to journal: ids, hashes and keys."""
    head = msgspec.structs.replace(made.head, journal=None, last_hash="", signed_by=None, checkpoint=None)
    found: Report = msgspec.structs.replace(made, head=head)
    return found


def test_the_page_is_what_the_reports_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "renew it: scripts/write-reports-page"
