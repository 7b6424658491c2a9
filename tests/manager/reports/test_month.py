"""Days of a ten-table floor from the simulator, with everything that happens in a month and clocks that change.

Every report of every day is recomputed from the exported events by a program that shares no code with Houseway, no day
leaves a residual, and beancount and hledger accept the books.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import pytest

from houseway.manager.reports.books_export import DIALECTS, book_lines
from houseway.manager.reports.day_reading import read_days
from houseway.manager.reports.report_list import make_report
from houseway.manager.store import migrations
from houseway.manager.store.day_sum_keeping import DaySumBook
from houseway.manager.store.keys import load_keys
from houseway.manager.store.reading import View, open_view
from instruments.simulator.days import TABLES, FloorDays
from instruments.simulator.mishaps import DiskStore
from tests.manager.reports.recomputed import check_reports, exported
from tests.manager.reports.stretch import moment
from tests.manager.reports.test_books import accepts

LATER = moment("2027-01-01T00:00")
HAPPENED = {
    "round.void", "round.hold", "round.decide", "round.correct", "round.reopen", "jackpot.pay", "jackpot.reject",
    "change.approve", "incident.record", "tray.fill", "drop.count", "link.deposit", "slip.void", "slip.print",
}  # fmt: skip
"""Commands without which a month would not be one."""


@dataclass(frozen=True)
class Played:
    """Days that were played."""

    url: str
    days: tuple[date, ...]
    file: Path
    commands: Counter[str]
    key: str
    """The public key that signed them: no server has started here, and none was announced."""

    @contextmanager
    def view(self) -> Iterator[View]:
        """A look into them."""
        with open_view(self.url) as found:
            found.keys = {self.key: self.key}
            yield found


def played(folder: Path, seed: int, first: date, days: int, steps: int) -> Played:
    url = f"sqlite:///{folder / 'house.db'}"
    migrations.upgrade(url)
    store, file = DiskStore(url, folder / "keys"), folder / "journal.jsonl.gz"
    outcome = FloorDays(seed, steps, store, first=first, days=days).run()
    # The other days are summed for every report.
    DaySumBook(url).add_day()
    DaySumBook(url).add_day()
    all_days = tuple(first + timedelta(days=number) for number in range(days))
    found = Played(url, all_days, file, outcome.accepted, load_keys(folder / "keys").public)
    with found.view() as view:
        exported(view, folder)
    return found


@pytest.fixture(scope="module")
def some_days(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Four days; clocks go back in the night of the third."""
    return played(tmp_path_factory.mktemp("days"), 3, date(2026, 10, 29), 4, 250)


@pytest.fixture(scope="module")
def a_month(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return played(tmp_path_factory.mktemp("month"), 3, date(2026, 10, 15), 31, 300)


def check(floor: Played, tmp_path: Path) -> None:
    with floor.view() as view:
        whole = floor.days[0], floor.days[-1]
        for ends in (*((day, day) for day in floor.days), whole):
            check_reports(view, floor.file, ends, LATER)
            days = read_days(view, *ends, LATER)
            reconciled = make_report(days, "reconciliation").to_json()
            assert reconciled["agrees"] is True, ends
        for ends in (whole, *((day, day) for day in floor.days[2:4])):
            days = read_days(view, *ends, LATER)
            for dialect in DIALECTS:
                assert accepts(dialect, "".join(book_lines(days, dialect)), tmp_path), (ends, dialect)


def test_some_days_are_recomputed_and_balanced(some_days: Played, tmp_path: Path) -> None:
    check(some_days, tmp_path)


@pytest.mark.full
def test_a_month_is_recomputed_and_balanced(a_month: Played, tmp_path: Path) -> None:
    check(a_month, tmp_path)


@pytest.mark.full
def test_a_month_has_everything_in_it(a_month: Played) -> None:
    assert HAPPENED - a_month.commands.keys() == set()
    with a_month.view() as view:
        # Behind the first day, on which everything is set up.
        days = read_days(view, a_month.days[1], a_month.days[-1], LATER)
        jackpots, changes = (make_report(days, name).to_json() for name in ("jackpots", "changes"))
        moved = {row["reason"] for row in make_report(days, "reconciliation").to_json()["movements"]}
        assert len(days.closing.tables) == TABLES
        assert {25} & {make_report(read_days(view, day, day, LATER), "seed").head.hours for day in a_month.days}
    assert {"paid", "rejected"} <= {row["status"] for row in jackpots["entries"]}
    assert {"contribution", "seed"} & {row["parameter"] for row in changes["parameters"] if row["before"] is not None}
    assert moved & {"malfunction", "recover-seed", "voided-round", "seed-added"}, moved
