"""Reports compared with the figures of `tools/recompute_reports.py`, which shares no code with Houseway."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

from houseway.manager.reports.day_reading import read_days
from houseway.manager.reports.report_list import REPORTS, make_report
from houseway.manager.store.export import write_journal
from houseway.manager.store.reading import View, announced_keys

TOOL = Path(__file__).resolve().parents[3] / "tools" / "recompute_reports.py"


def exported(view: View, folder: Path) -> Path:
    """The journal of a database as a file."""
    target = folder / "journal.jsonl.gz"
    write_journal(view, target, announced_keys(view))
    return target


def recomputed(file: Path, *days: date) -> dict[str, Any]:
    """The figures of the program."""
    words = [sys.executable, "-I", str(TOOL), str(file), *map(str, days)]
    run = subprocess.run(words, capture_output=True, text=True, check=True, timeout=600)
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def check_reports(view: View, file: Path, days: tuple[date, ...], now: int) -> None:
    """Every report has the rows that the program comes to, with the same values; residuals are zero."""
    figures = recomputed(file, *days)
    assert figures.keys() == REPORTS.keys()
    read = read_days(view, days[0], days[-1], now)
    for name, tables in figures.items():
        report = make_report(read, name).to_json()
        for table, rows in tables.items():
            told = report[table]
            assert isinstance(told, list)
            assert len(rows) == len(told), (days, name, table)
            for row, other in zip(rows, told, strict=True):
                assert isinstance(other, dict)
                assert row == {field: other[field] for field in row}, (days, name, table)
        for table in REPORTS[name].struct.tables:
            for row in report[table]:
                assert row.get("residual_micros", 0) == 0, (days, name, table)
