"""The page of all tables in the docs is what the files say today."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from houseway.paytables import PayLine, paytable, paytables
from houseway.paytables.pay_tables_page import dollars_text, page, pay_text, table_markdown

PAGE = Path(__file__).parents[2] / "docs" / "paytables.md"
SCRIPT = Path(__file__).parents[2] / "scripts" / "write-paytables-page"


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "renew it: scripts/write-paytables-page"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A place that looks to the script like a checkout, so that it leaves the real page alone."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts" / SCRIPT.name).symlink_to(SCRIPT)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path


def run_script(checkout: Path, *options: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [checkout / "scripts" / SCRIPT.name, *options], capture_output=True, text=True, check=False, cwd=checkout
    )


def test_the_script_writes_the_page_and_tells_when_it_is_not_current(checkout: Path) -> None:
    assert os.access(SCRIPT, os.X_OK)
    written = checkout / "docs" / PAGE.name
    assert run_script(checkout, "--check").returncode == 1
    assert not written.exists()
    assert run_script(checkout).returncode == 0
    assert written.read_text(encoding="utf-8") == page()
    assert run_script(checkout, "--check").returncode == 0
    written.write_text(page().replace("1,000 to 1", "1,001 to 1"), encoding="utf-8")
    stale = run_script(checkout, "--check")
    assert (stale.returncode, "run scripts/write-paytables-page" in stale.stdout) == (1, True)


def test_the_script_refuses_an_unknown_option(checkout: Path) -> None:
    refused = run_script(checkout, "--nonsense")
    assert (refused.returncode, "--nonsense" in refused.stderr) == (2, True)
    assert list((checkout / "docs").iterdir()) == []


def test_the_page_shows_every_table_line_and_figure() -> None:
    for table in paytables():
        text = table_markdown(table)
        assert f"\n{text}" in page()
        assert text.count("\n| ") == len(table.lines) + 2
        assert all(found.percent_text in text for found in table.printed)


def test_how_pays_are_written() -> None:
    assert pay_text(PayLine("flush", pays=5000), "to-1") == "5,000 to 1"
    assert pay_text(PayLine("flush", percent=10, level="main"), "for-1") == "10% of main"
    assert pay_text(PayLine("flush", push=True), "to-1") == "push"
    assert [dollars_text(cents) for cents in (None, 500_000, 550)] == ["", "$5,000", "$5.50"]


def test_the_layout_table_is_shown_as_not_approved() -> None:
    assert "**Not approved.**" in table_markdown(paytable("SCP-LAYOUT"))
