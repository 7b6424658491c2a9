"""docs/odds.md shows what the shipped results say."""

from __future__ import annotations

from pathlib import Path

from houseway.odds.results_markdown import filled

PAGE = Path(__file__).parents[2] / "docs" / "odds.md"


def test_the_page_in_the_docs_is_current() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert filled(page) == page, "run scripts/write-odds-page"


def test_a_changed_figure_would_show() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert "2,402,491,783,820,756" in page
    changed = page.replace("2,402,491,783,820,756", "2,402,491,783,820,757")
    assert filled(changed) == page
