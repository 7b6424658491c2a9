"""A program that shares no code with Houseway comes to the same figures, to the millionth, from the exported events."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from houseway.manager.reports.day_reading import read_days
from houseway.manager.reports.report_list import make_report
from houseway.manager.store.export import write_journal
from houseway.manager.store.reading import View, announced_keys, open_view
from tests.manager.reports.stretch import DAYS, Stretch, moment

TOOL = Path(__file__).resolve().parents[3] / "tools" / "recompute_reports.py"
LATER = moment("2026-12-01T00:00")
SUMS = "master-games sums"


@pytest.fixture(scope="module")
def exported(stretch: Stretch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("export") / "journal.jsonl.gz"
    with open_view(stretch.url) as view:
        write_journal(view, target, announced_keys(view))
    return target


def recomputed(file: Path, *days: date) -> dict[str, Any]:
    words = [sys.executable, "-I", str(TOOL), str(file), *map(str, days)]
    run = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
    found: dict[str, Any] = json.loads(run.stdout)
    return found


@pytest.mark.parametrize("days", [*((day,) for day in DAYS), (DAYS[0], DAYS[-1])])
def test_every_figure_is_found_again(view: View, exported: Path, days: tuple[date, ...]) -> None:
    figures = recomputed(exported, *days)
    assert len(figures) == 11
    read = read_days(view, days[0], days[-1], LATER)
    for name, tables in figures.items():
        if name == SUMS:
            continue
        report = make_report(read, name).to_json()
        for table, rows in tables.items():
            told = report[table]
            assert isinstance(told, list)
            assert len(rows) == len(told), (name, table)
            for row, other in zip(rows, told, strict=True):
                assert isinstance(other, dict)
                assert row == {field: other[field] for field in row}, (name, table)
    sums = dict.fromkeys(figures[SUMS], 0)
    periods = make_report(read, "master-games").to_json()["periods"]
    assert isinstance(periods, list)
    for table in sums:
        mine: list[Any] = [row for row in periods if isinstance(row, dict) and row["table"] == table]
        assert figures[SUMS][table] == {field: sum(row[field] for row in mine) for field in figures[SUMS][table]}


def test_the_program_stands_alone() -> None:
    text = TOOL.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 300
    imports = {line.split()[1].split(".")[0] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imports <= sys.stdlib_module_names
