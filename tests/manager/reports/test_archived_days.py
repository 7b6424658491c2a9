"""Reports of archived days come from their files, to the last digit, or say exactly which file is wanted."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from houseway.cli import main
from houseway.errors import InputError
from houseway.manager.commands import Envelope
from houseway.manager.commands.link_commands import RecordDeposit
from houseway.manager.reports.books_export import book_lines
from houseway.manager.reports.day_reading import opened_days, read_days
from houseway.manager.reports.report_list import REPORTS, make_report
from houseway.manager.store import urls
from houseway.manager.store.archive import ArchiveResult, archive_before
from houseway.manager.store.day_sum_keeping import DaySumBook
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.manager import open_manager
from houseway.manager.store.reading import View, open_view
from houseway.manager.store.trust import trust_in
from tests.manager.floors import ACCOUNTING, AUDITOR, EXECUTIVE, badge
from tests.manager.reports.stretch import DAYS, Stretch, moment

LATER = moment("2027-03-01T00:00")
RANGES = [*((day, day) for day in DAYS), (DAYS[0], DAYS[1]), (DAYS[1], DAYS[4]), (DAYS[0], DAYS[-1])]


@dataclass(frozen=True)
class Archived:
    """The six days, of which the first ones lie in two files; the last one is live."""

    url: str
    keys: Path
    files: tuple[Path, Path]
    results: tuple[ArchiveResult, ArchiveResult]
    before: dict[tuple[date, date, str], Any]
    """The reports and the books as they were before anything was archived."""


@pytest.fixture(scope="module")
def archived(stretch: Stretch, tmp_path_factory: pytest.TempPathFactory) -> Archived:
    folder = tmp_path_factory.mktemp("archived")
    shutil.copy(urls.sqlite_path(stretch.url), folder / "house.db")
    shutil.copytree(stretch.keys, folder / "keys")
    url, now = f"sqlite:///{folder / 'house.db'}", moment("2027-02-01T20:00")
    with open_manager(url, folder / "keys", clock=lambda: now) as manager:
        deposit = RecordDeposit("L1", 1_000_000, "slip 9", badge(EXECUTIVE))
        manager.call(Envelope("much later", ACCOUNTING, deposit))
    DaySumBook(url).renew()
    with open_view(url) as view:
        before = {(*ends, name): found for ends in RANGES for name, found in all_made(view, ends, []).items()}
    files = folder / "first.jsonl.gz", folder / "second.jsonl"
    results = [
        archive_before(url, folder / "keys", moment(text), file, AUDITOR, clock=lambda: now)
        for text, file in zip(("2026-10-31T13:30", "2026-11-03T21:00"), files, strict=True)
    ]
    with open_view(url) as view:
        assert verify_database(view, trust_in(folder / "keys"), archives=files).found == 0
    return Archived(url, folder / "keys", files, (results[0], results[1]), before)


def all_made(view: View, ends: tuple[date, date], files: Sequence[Path]) -> dict[str, Any]:
    """All reports of some days, and the books."""
    with opened_days(view, *ends, LATER, archives=files) as days:
        reports = {name: make_report(days, name).to_json() for name in REPORTS}
        return reports | {"books": "".join(book_lines(days, "beancount"))}


@pytest.mark.parametrize("ends", RANGES, ids=str)
def test_reports_of_archived_days_are_what_they_were(archived: Archived, ends: tuple[date, date]) -> None:
    with open_view(archived.url) as view:
        found = all_made(view, ends, archived.files)
    for name, told in found.items():
        before = archived.before[(*ends, name)]
        if name != "books" and before["head"]["last_event"] is None:
            # The last event before a day without any may lie in a file, with what signed it: a later signature vouches.
            before["head"]["checkpoint"] = told["head"]["checkpoint"] = None
        assert told == before, name


def wanted(archived: Archived, ends: tuple[date, date], *files: Path) -> str:
    with open_view(archived.url) as view, pytest.raises(InputError) as refused:
        all_made(view, ends, files)
    (fault,) = refused.value.faults
    assert (fault.code, fault.path) == ("archived", "day")
    return fault.message


def test_the_refusal_names_the_files_that_are_wanted_and_no_others(archived: Archived) -> None:
    first, second = archived.results
    one = f"the archive of the events 1 to {first.up_to} (SHA-256 {first.digest})"
    other = f"the archive of the events {first.up_to + 1} to {second.up_to} (SHA-256 {second.digest})"
    told = {ends: wanted(archived, ends) for ends in ((DAYS[0],) * 2, (DAYS[3],) * 2, (DAYS[0], DAYS[-1]))}
    assert [(one in text, other in text) for text in told.values()] == [(True, False), (False, True), (True, True)]
    given = wanted(archived, (DAYS[0], DAYS[-1]), archived.files[0])
    assert (one in given, other in given) == (False, True)
    with open_view(archived.url) as view, pytest.raises(InputError) as refused:
        read_days(view, DAYS[0], DAYS[0], LATER)
    assert one in str(refused.value)


def test_a_live_day_needs_no_file(archived: Archived) -> None:
    """Also the first one: the archive ends where it begins."""
    with open_view(archived.url) as view:
        last = DAYS[-1], DAYS[-1]
        assert view.bounds()[0] == archived.results[1].up_to + 1
        assert all_made(view, last, [])["books"] == archived.before[(*last, "books")]


@pytest.mark.parametrize("how", ["altered", "shortened", "exported"])
def test_another_file_is_refused(archived: Archived, tmp_path: Path, how: str) -> None:
    file = tmp_path / "second.jsonl"
    text = archived.files[1].read_text(encoding="utf-8")
    if how == "altered":
        altered = text.replace('"cents\\":75000', '"cents\\":75001')
        assert altered != text
        file.write_text(altered, encoding="utf-8")
    elif how == "shortened":
        file.write_text("\n".join(text.splitlines()[:-4]) + "\n", encoding="utf-8")
    else:
        head = json.loads(text.splitlines()[0]) | {"to": archived.results[1].up_to - 1}
        file.write_text("\n".join([json.dumps(head), *text.splitlines()[1:]]) + "\n", encoding="utf-8")
    with open_view(archived.url) as view, pytest.raises(InputError) as refused:
        all_made(view, (DAYS[3], DAYS[3]), [file])
    (fault,) = refused.value.faults
    assert (fault.code, fault.path) == ("wrong-archive", "archive")
    assert str(file) in fault.message


def test_the_command_reads_archives(archived: Archived, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["report", "reconciliation", "--day", str(DAYS[0]), "--database", archived.url]
    assert main([*words, "--keys", str(archived.keys)]) == 2
    assert archived.results[0].digest in capsys.readouterr().err
    assert main([*words, "--keys", str(archived.keys), "--archive", str(archived.files[0])]) == 0
    assert json.loads(capsys.readouterr().out) == archived.before[(DAYS[0], DAYS[0], "reconciliation")]
