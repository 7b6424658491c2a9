"""Reports as pages: well formed, read without anything else, and every table told to those who cannot see it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import msgspec
import pytest

from houseway.manager.reports.charts import Bar, LimitBar, bar_chart, limit_chart
from houseway.manager.reports.day_reading import read_days
from houseway.manager.reports.printed_page import html_text
from houseway.manager.reports.report_list import REPORTS, make_report
from houseway.manager.reports.staff_report import StaffActions
from houseway.manager.store.reading import View
from tests.manager.reports.stretch import DAYS, moment

LATER = moment("2026-12-01T00:00")
VOID = {"meta", "rect"}


class Page(HTMLParser):
    """Checks that what is opened is closed, and counts what is there."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.seen)


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_is_a_page(view: View, name: str) -> None:
    made = make_report(read_days(view, DAYS[1], DAYS[1], LATER), name)
    text = html_text(made)
    page = Page(text)
    assert page.count("caption") == page.count("table") == len(made.tables)
    rows = sum(len(made.rows_of(table)) for table in made.tables)
    assert sum(tag == "th" and attrs.get("scope") == "row" for tag, attrs in page.seen) == rows
    assert all(attrs.get("scope") in ("row", "col") for tag, attrs in page.seen if tag == "th")
    assert all(attrs.get("aria-label") for tag, attrs in page.seen if tag == "svg")
    assert not re.search(r"(?:src|href)=|url\(|@import|<script", text)
    assert "http" not in text.replace("http-equiv", "")


def test_a_page_says_that_it_is_preliminary(view: View) -> None:
    for now, said in ((moment("2026-11-03T22:00"), True), (LATER, False)):
        text = html_text(make_report(read_days(view, DAYS[5], DAYS[5], now), "pace"))
        assert ("Preliminary" in text) == said


def test_texts_of_people_are_no_markup(view: View) -> None:
    made = make_report(read_days(view, DAYS[1], DAYS[1], LATER), "staff")
    assert isinstance(made, StaffActions)
    row = msgspec.structs.replace(made.actions[0], reason="<script>alert(1)</script>")
    text = html_text(msgspec.structs.replace(made, actions=(row,)))
    assert "&lt;script&gt;" in text
    assert "<script" not in text


def test_bars_keep_their_proportions() -> None:
    chart = bar_chart("b", [Bar("up", 30, "30"), Bar("down", -10, "-10")])
    assert chart is not None
    axis, up, down = chart.shapes
    assert (up.x, up.style, down.style) == (round(axis.x, 1), "up", "down")
    assert abs(up.width - 3 * down.width) < 0.2
    assert abs(down.x + down.width - axis.x) < 0.2
    assert bar_chart("nothing", [Bar("a", 0, "0")]) is None
    assert bar_chart("nothing", []) is None


def test_a_mark_outside_its_limits_is_told() -> None:
    chart = limit_chart("h", [LimitBar("in", 5, 2, 9, "5"), LimitBar("out", 12, 2, 9, "12")])
    assert chart is not None
    assert [shape.style for shape in chart.shapes] == ["band", "up", "band", "down"]
    assert "out: 12, limits 2 to 9" in chart.about
    assert limit_chart("h", []) is None
