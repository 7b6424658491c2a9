"""Kept sums of gaming days: with them every report is what it is without, wherever they begin and end."""

from __future__ import annotations

import random
import shutil
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, select, text, update

from houseway.manager.commands.house_commands import ChangeShift
from houseway.manager.core.gaming_day import gaming_day
from houseway.manager.reports.day_reading import read_days
from houseway.manager.reports.report_list import REPORTS, make_report
from houseway.manager.server.day_sum_keeper import DaySumKeeper
from houseway.manager.store import schema, urls
from houseway.manager.store.day_sum_keeping import DaySumBook
from houseway.manager.store.day_summing import sum_parts
from houseway.manager.store.day_sums import PARTS, part_bytes
from houseway.manager.store.gaming_days import settings_now
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.reading import View, open_view
from houseway.manager.store.repair import repair
from houseway.manager.store.trust import trust_in
from tests.manager.audit.house import FELT, House
from tests.manager.floors import DAY, SUPERVISOR, TECHNICIAN
from tests.manager.reports.stretch import DAYS, Stretch, moment
from tests.manager.store.test_manager import until

LATER = moment("2026-12-01T00:00")
RANGES = [*((day, day) for day in DAYS), (DAYS[0], DAYS[-1]), (DAYS[1], DAYS[4])]


def copied(stretch: Stretch, folder: Path) -> str:
    """The days on a SQLite file of their own."""
    file = folder / "house.db"
    shutil.copy(urls.sqlite_path(stretch.url), file)
    return f"sqlite:///{file}"


def all_reports(url: str) -> dict[tuple[date, date, str], dict[str, Any]]:
    with open_view(url) as view:
        days = {ends: read_days(view, *ends, LATER) for ends in RANGES}
        return {(*ends, name): make_report(read, name).to_json() for ends, read in days.items() for name in REPORTS}


@pytest.fixture(scope="module")
def made_without(stretch: Stretch) -> dict[tuple[date, date, str], dict[str, Any]]:
    with open_view(stretch.url) as view:
        assert view.rows(select(schema.day_sums)) == []
    return all_reports(stretch.url)


def test_reports_are_the_same_with_kept_sums(
    stretch: Stretch, tmp_path: Path, made_without: dict[tuple[date, date, str], dict[str, Any]]
) -> None:
    url = copied(stretch, tmp_path)
    # November 2 is without events, and November 3 has not ended by them.
    assert DaySumBook(url).renew() == len(DAYS) - 2
    assert DaySumBook(url).renew() == 0
    with open_view(url) as view:
        assert len(view.rows(select(schema.day_sums))) == (len(DAYS) - 2) * len(PARTS)
        report = verify_database(view, trust_in(stretch.keys))
        assert (report.found, report.rows["day_sums"]) == (0, (len(DAYS) - 2) * len(PARTS))
    assert all_reports(url) == made_without


def test_reports_are_the_same_on_postgresql(on_postgres: Stretch) -> None:
    """The journals differ in their salts, and so in their hashes, which the head of a report names."""
    without = all_reports(on_postgres.url)
    DaySumBook(on_postgres.url).renew()
    assert all_reports(on_postgres.url) == without


@pytest.mark.parametrize("seed", range(6))
def test_reports_are_the_same_wherever_kept_sums_begin_and_end(
    stretch: Stretch, tmp_path: Path, seed: int, made_without: dict[tuple[date, date, str], dict[str, Any]]
) -> None:
    url, draw = copied(stretch, tmp_path), random.Random(seed)
    with open_view(url) as view:
        last = view.bounds()[1]
        cuts = sorted({0, last, *draw.sample(range(1, last), 12)})
        ends = [each for each in pairwise(cuts) if draw.random() < 0.8]
        # Sums by other clocks are passed over.
        zones = [draw.choice(("America/Los_Angeles", "America/Los_Angeles", "Asia/Kolkata")) for _ in ends]
        rows = [
            (high, name, low, event.hash, part_bytes(part))
            for (low, high), zone in zip(ends, zones, strict=True)
            if (event := view.event(high)) is not None
            for name, part in sum_parts(view, low, high, zone).items()
        ]
    journal = urls.journal_at(url)
    journal.begin()
    journal.keep_sums(rows)
    journal.commit()
    journal.close()
    assert all_reports(url) == made_without


def test_sums_of_other_events_are_not_used(
    stretch: Stretch, tmp_path: Path, made_without: dict[tuple[date, date, str], dict[str, Any]]
) -> None:
    url = copied(stretch, tmp_path)
    DaySumBook(url).renew()
    with urls.engine_at(url).begin() as connection:
        connection.execute(text("DROP TRIGGER day_sums_no_update"))
        connection.execute(update(schema.day_sums).values(hash="0" * 64, sums=b'["books",[],[],[]]'))
    assert all_reports(url) == made_without


def test_wrong_sums_are_found_and_made_again(stretch: Stretch, tmp_path: Path) -> None:
    """Somebody who can write to the database lets a report lie: the audit says so, and the repair mends it."""
    url, keys = copied(stretch, tmp_path), tmp_path / "keys"
    shutil.copytree(stretch.keys, keys)
    DaySumBook(url).renew()
    with open_view(url) as view:
        before = view.rows(select(schema.day_sums).order_by(schema.day_sums.c.seq, schema.day_sums.c.part))
        wrong = before[5]
    with urls.engine_at(url).begin() as connection:
        connection.execute(text("DROP TRIGGER day_sums_no_update"))
        mine = (schema.day_sums.c.seq == wrong[0]) & (schema.day_sums.c.part == wrong[1])
        altered = bytes(wrong[4]).replace(b"1000000", b"9000000")
        assert altered != bytes(wrong[4])
        connection.execute(update(schema.day_sums).where(mine).values(sums=altered))
    with open_view(url) as view:
        found = verify_database(view, trust_in(keys)).findings
    assert ("day_sums", f"{wrong[0]}/{wrong[1]}", "altered") in {(each.table, each.row, each.problem) for each in found}
    assert repair(url, keys, by=TECHNICIAN, reason="sums were altered") == {"day_sums": 1}
    assert DaySumBook(url).renew() > 0
    with open_view(url) as view:
        assert verify_database(view, trust_in(keys)).found == 0
        rows = view.rows(select(schema.day_sums).order_by(schema.day_sums.c.seq, schema.day_sums.c.part))
    assert rows[: len(before)] == before


@pytest.mark.parametrize("which", ["part", "day"])
def test_sums_that_are_missing_between_others_are_found(stretch: Stretch, tmp_path: Path, which: str) -> None:
    url = copied(stretch, tmp_path)
    DaySumBook(url).renew()
    with urls.engine_at(url).begin() as connection:
        connection.execute(text("DROP TRIGGER day_sums_no_delete"))
        first = connection.execute(select(schema.day_sums.c.seq).order_by(schema.day_sums.c.seq)).first()
        assert first is not None
        gone = schema.day_sums.c.seq == first[0]
        connection.execute(
            delete(schema.day_sums).where(gone & (schema.day_sums.c.part == "staff") if which == "part" else gone)
        )
    with open_view(url) as view:
        found = verify_database(view, trust_in(stretch.keys)).findings
    row = f"{first[0]}/staff" if which == "part" else f"{first[0]}/all"
    assert [(each.row, each.problem) for each in found if each.table == "day_sums"] == [(row, "missing")]


def test_the_state_at_the_end_of_a_day_is_stored(view: View) -> None:
    """So a report begins and ends at a stored state, and replays nothing."""
    floor = settings_now(view)
    for day in DAYS[:3]:
        end = view.seq_at(gaming_day(floor, day).until)
        named = view.event(end + 1)
        assert named is not None
        assert (view.state_before(end + 1).seq, named.kind) == (end, "system.snapshot")
        assert view.state_at(end).floor.text() == view.state_before(end + 1).floor.text()


def test_a_server_keeps_sums_of_days_that_have_ended(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    house = House(url, tmp_path / "keys")
    house.set_up()
    house.play_felt()
    keeper = DaySumKeeper(house.manager, DaySumBook(url), seconds=0.05)
    try:
        house.now += DAY
        house.do(SUPERVISOR, ChangeShift(FELT, "day"))
        until(lambda: urls.journal_at(url).summed_up_to() > 0)
        house.now += DAY
        house.do(SUPERVISOR, ChangeShift(FELT, "swing"))
        until(lambda: len(_kept(url)) == 2 * len(PARTS))
    finally:
        keeper.close()
        house.close()
    with open_view(url) as view:
        assert verify_database(view, trust_in(tmp_path / "keys")).found == 0


def _kept(url: str) -> list[Any]:
    with open_view(url) as view:
        return view.rows(select(schema.day_sums.c.seq))
