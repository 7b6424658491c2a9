"""The page of all tables in the docs is what the files say today."""

from __future__ import annotations

from pathlib import Path

from houseway.paytables import PayLine, paytable, paytables
from houseway.paytables.markdown import dollars_text, page, pay_text, table_markdown

PAGE = Path(__file__).parents[2] / "docs" / "paytables.md"


def test_the_page_is_current() -> None:
    hint = "renew it: python -m houseway.paytables.markdown > docs/paytables.md"
    assert PAGE.read_text(encoding="utf-8") == page(), hint


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
