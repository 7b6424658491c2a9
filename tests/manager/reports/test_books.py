"""The books for other programs: beancount and hledger accept them, and refuse them with a millionth astray."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from houseway.manager.core.ledger import KINDS
from houseway.manager.reports.books_export import DIALECTS, Dialect, book_account, book_lines
from houseway.manager.reports.day_reading import read_days
from houseway.manager.store.reading import View
from tests.manager.reports.stretch import DAYS, moment
from tests.programs import installed

LATER = moment("2026-12-01T00:00")


def accepts(dialect: Dialect, text: str, folder: Path) -> bool:
    """Whether the program takes the file."""
    file = folder / f"books.{dialect}"
    file.write_text(text, encoding="utf-8")
    if dialect == "beancount":
        words = [str(Path(sys.executable).with_name("bean-check")), str(file)]
    else:
        words = [installed("hledger"), "-f", str(file), "check", "--strict"]
    return subprocess.run(words, capture_output=True, check=False, timeout=60).returncode == 0


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_program_accepts_the_books(view: View, dialect: Dialect, tmp_path: Path) -> None:
    for first, last in ((DAYS[0], DAYS[0]), (DAYS[4], DAYS[4]), (DAYS[1], DAYS[-1])):
        text = "".join(book_lines(read_days(view, first, last, LATER), dialect))
        assert accepts(dialect, text, tmp_path), (first, last)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_program_refuses_a_millionth_astray(view: View, dialect: Dialect, tmp_path: Path) -> None:
    text = "".join(book_lines(read_days(view, DAYS[1], DAYS[1], LATER), dialect))
    one_side = re.sub(r"(Income:Receipts:T1  -3\.00000)0", r"\g<1>1", text, count=1)
    both = re.sub(r"(Assets:Drop:T1  3\.00000)0", r"\g<1>1", one_side, count=1)
    assert text != one_side != both
    assert not accepts(dialect, one_side, tmp_path)
    assert not accepts(dialect, both, tmp_path)


def test_every_kind_of_account_has_a_place() -> None:
    names = [book_account(f"{kind}/a b/c") for kind in KINDS]
    assert len(set(names)) == len(KINDS)
    assert book_account("tray/T-1") != book_account("tray/T--1") != book_account("tray/T_1")
