"""docs/reference/http.md is what the routes say."""

from __future__ import annotations

from pathlib import Path

from instruments.http_page import page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "http.md"


def test_the_page_is_what_the_routes_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "renew it: scripts/write-http-page"
