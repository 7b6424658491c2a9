"""The money of a retired progressive in reports, reconciliation and health: put aside, counted down, given back."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from houseway.amounts import Micros
from houseway.cli.app import main
from houseway.manager.commands.link_commands import Approve, PayPromotion, Propose, RecordDeposit
from houseway.manager.handlers.funds import DAY
from houseway.manager.reports.day_reading import read_days
from houseway.manager.reports.fund_reports import WeeklyDeposit
from houseway.manager.reports.promotion_report import PromotionClock, Promotions
from houseway.manager.reports.reconciliation import DailyReconciliation
from houseway.manager.reports.report_list import make_report
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.reading import View, open_view
from houseway.manager.store.reconcile import reconcile
from houseway.manager.store.trust import trust_in
from tests.manager.audit.house import House
from tests.manager.floors import ACCOUNTING, CAGE, EXECUTIVE, SUPERVISOR, badge
from tests.manager.reports.recomputed import check_reports, exported
from tests.manager.reports.stretch import moment

BEGAN = moment("2026-06-01T20:00")
LATER = moment("2026-12-01T00:00")
RETIRED, PAID, REMINDED, LATE = date(2026, 6, 1), date(2026, 6, 3), date(2026, 7, 20), date(2026, 8, 2)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> House:
    """L1 has retired by way of a promotion that paid a dollar two days later and the rest after its time."""
    folder = tmp_path_factory.mktemp("promotion")
    house = House(f"sqlite:///{folder / 'house.db'}", folder / "keys", now=BEGAN)
    house.set_up()
    for _ in range(3):
        house.play_felt()
    house.do(ACCOUNTING, RecordDeposit("L1", 100_500, "deposit 1", badge(EXECUTIVE)))
    what: dict[str, Any] = {
        "change": "retire", "link": "L1", "paper": "letter 9", "promotions": {"main": "drawing"}, "recover_seed": True,
    }  # fmt: skip
    made = house.do(SUPERVISOR, Propose(what, "new layout"))
    house.do(EXECUTIVE, Approve(made["proposal"], made["content_hash"], badge(EXECUTIVE)))
    house.now = BEGAN + 2 * DAY
    house.do(CAGE, PayPromotion("L1", "main", 100, "winners of June 3", badge(ACCOUNTING)))
    house.now = BEGAN + 62 * DAY
    left = house.floor().held("promotion/L1/main")
    house.do(CAGE, PayPromotion("L1", "main", -(-left // 10_000), "winners of August 2", badge(ACCOUNTING)))
    house.close()
    return house


@pytest.fixture
def view(house: House) -> Iterator[View]:
    with open_view(house.url) as found:
        yield found


def clock(view: View, day: date) -> PromotionClock:
    found = make_report(read_days(view, day, day, LATER), "promotions")
    assert isinstance(found, Promotions)
    daily = make_report(read_days(view, day, day, LATER), "reconciliation")
    assert isinstance(daily, DailyReconciliation)
    assert daily.agrees
    assert daily.promotions == found.promotions
    (row,) = found.promotions
    return row


def test_the_report_counts_the_days_until_the_money_must_be_back(view: View) -> None:
    first = clock(view, RETIRED)
    # Nine wagers of a dollar, a third to the meter and a seventh to the reserve.
    assert (first.put_aside_micros, first.left_micros) == (4_285_714, 4_285_714)
    assert (first.link, first.level, first.promotion, first.status) == ("L1", "main", "drawing", "waiting")
    assert first.return_by_at == first.since_at + 60 * DAY
    paid = clock(view, PAID)
    assert (paid.paid_micros, paid.left_micros, paid.status, paid.days_left) == (1_000_000, 3_285_714, "waiting", 57)
    due = clock(view, REMINDED)
    assert (due.status, due.days_left, due.paid_micros) == ("due", 10, 0)
    assert clock(view, date(2026, 8, 1)).status == "overdue"
    late = clock(view, LATE)
    assert (late.status, late.left_micros, late.days_left) == ("returned-late", 0, None)
    after = make_report(read_days(view, date(2026, 8, 3), date(2026, 8, 3), LATER), "promotions")
    assert isinstance(after, Promotions)
    assert after.promotions == ()


def test_deposits_follow_the_money_of_a_promotion(view: View) -> None:
    made = make_report(read_days(view, RETIRED, LATE, LATER), "deposits")
    assert isinstance(made, WeeklyDeposit)
    (link,) = made.links
    assert (link.should_hold_micros, link.paid_micros) == (0, -4_290_000)
    assert link.opening_micros + link.accrued_micros + link.paid_micros + link.other_micros == link.should_hold_micros


def failed(view: View) -> set[str]:
    found = reconcile(view, BEGAN + DAY, BEGAN + 90 * DAY)
    return {check.what for check in found.checks if not check.agrees}


def test_the_reconciliation_compares_payments_with_their_papers(view: View, house: House) -> None:
    assert failed(view) == set()
    whole = reconcile(view, BEGAN, BEGAN + DAY)
    (level,) = whole.levels
    assert whole.agrees
    assert level.adjusted == Micros(-1_003_000_000)
    assert verify_database(view, trust_in(house.keys)).is_clean


def test_a_payment_that_no_paper_explains_is_found(house: House, tmp_path: Path) -> None:
    copied = tmp_path / "forged.db"
    copyfile(house.url.removeprefix("sqlite:///"), copied)
    with contextlib.closing(sqlite3.connect(copied)) as forged, forged:
        for (name,) in forged.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            forged.execute(f"DROP TRIGGER {name}")
        changed = forged.execute("UPDATE transfers SET micros = micros - 1 WHERE reason = 'promotion-paid'").rowcount
    assert changed == 2
    with open_view(f"sqlite:///{copied}") as view:
        found = failed(view)
    assert "promotion/L1/main: payments to players by their papers" in found
    assert "promotion/L1/main: nothing waits once it is over" in found


def test_health_and_the_list_of_links_remind_of_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = House(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "keys", now=BEGAN - 365 * DAY)
    house.set_up()
    house.play_felt()
    what = {"change": "retire", "link": "L1", "paper": "letter 9", "promotions": {"main": "drawing"}}
    made = house.do(SUPERVISOR, Propose(what, "new layout"))
    house.do(EXECUTIVE, Approve(made["proposal"], made["content_hash"], badge(EXECUTIVE)))
    house.close()
    where = ["--database", str(tmp_path / "house.db"), "--keys", str(tmp_path / "keys")]
    assert main(["manager", "show", "health", *where, "--json"]) == 0
    (reminder,) = json.loads(capsys.readouterr().out)["reminders"]
    assert (reminder["code"], reminder["about"]) == ("promotion-overdue", "L1/main")
    assert main(["manager", "show", "health", *where]) == 0
    assert "must be back with players by" in " ".join(capsys.readouterr().out.split())
    assert main(["link", "list", *where]) == 0
    assert "$1,001.428571 to players by" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("days", [(RETIRED,), (PAID,), (LATE,), (RETIRED, LATE)])
def test_every_figure_of_a_promotion_is_found_again(view: View, tmp_path: Path, days: tuple[date, ...]) -> None:
    check_reports(view, exported(view, tmp_path), days, LATER)
