"""docs/reference/roles.md is what the table of authority and the questions say today."""

from __future__ import annotations

from pathlib import Path

from instruments.roles_page import page

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "roles.md"


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "renew it: scripts/write-roles-page"
