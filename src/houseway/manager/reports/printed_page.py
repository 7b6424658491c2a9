"""A report on paper: one HTML page for the screen and for print, or PDF; nothing is loaded, no script runs."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from houseway.amounts import Cents, Micros
from houseway.manager.core.gaming_day import local_time
from houseway.manager.printing.pdf_pages import pdf_of
from houseway.manager.reports.charts import Chart
from houseway.manager.reports.csv_page import column_name, shown
from houseway.manager.reports.report_base import Report, ReportHead, Scalar, row_type, values_of_row
from houseway.manager.reports.report_charts import charts_of
from houseway.wording import dollars, micro_dollars


class Cell(NamedTuple):
    """A cell of a table."""

    text: str
    is_number: bool


class Section(NamedTuple):
    """A table of the page."""

    name: str
    caption: str
    columns: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]


class ReportPage(NamedTuple):
    """What a page shows of a report, however it is written."""

    head: ReportHead
    since: str
    until: str
    facts: tuple[tuple[str, str], ...]
    charts: tuple[Chart, ...]
    sections: tuple[Section, ...]


def html_text(report: Report) -> str:
    """The report as HTML."""
    return _template().render(**page_of(report)._asdict())


def pdf_bytes(report: Report) -> bytes:
    """The report as PDF: the same report gives the same bytes."""
    page = page_of(report)
    return pdf_of("report", {**page._asdict(), "charts": [(each.title, _chart_svg(each)) for each in page.charts]})


def page_of(report: Report) -> ReportPage:
    """What is on the page."""
    head, zone = report.head, report.head.zone
    sections = []
    for table, caption in report.tables.items():
        fields = row_type(report, table).__struct_fields__
        rows = tuple(
            tuple(_cell(name, value, zone) for name, value in values_of_row(row).items())
            for row in report.rows_of(table)
        )
        numbers = [bool(rows) and any(row[place].is_number for row in rows) for place in range(len(fields))]
        columns = tuple(Cell(_words(name), right) for name, right in zip(fields, numbers, strict=True))
        sections.append(Section(table, caption, columns, rows))
    singles = [name for name in report.__struct_fields__ if name != "head" and name not in report.tables]
    return ReportPage(
        head=head,
        since=local_time(head.since_at, zone).strftime("%Y-%m-%d %H:%M %Z"),
        until=local_time(head.until_at + 1, zone).strftime("%Y-%m-%d %H:%M %Z"),
        facts=tuple((_words(name), _cell(name, getattr(report, name), zone).text) for name in singles),
        charts=charts_of(report),
        sections=tuple(sections),
    )


def _chart_svg(chart: Chart) -> str:
    """A chart as a picture of its own."""
    return _environment().get_template("chart.svg").render(chart=chart)


def _template() -> Template:
    return _environment().get_template("report.html")


@lru_cache(maxsize=1)
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("houseway.manager.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _words(field: str) -> str:
    """A field's name for people."""
    text = column_name(field).removesuffix("_at").replace("_", " ")
    return text[0].upper() + text[1:]


def _cell(field: str, value: Scalar, zone: str) -> Cell:
    if isinstance(value, int) and not isinstance(value, bool):
        if field.endswith("_micros") or field == "micros":
            return Cell(micro_dollars(Micros(value)), True)
        if field.endswith("_cents") or field == "cents":
            return Cell(dollars(Cents(value)), True)
        if field.endswith("_at") or field == "at":
            return Cell(local_time(value, zone).strftime("%Y-%m-%d %H:%M:%S"), False)
        return Cell(f"{value:,}" if field not in ("event", "first_event", "last_event") else str(value), True)
    return Cell(shown(field, value, zone), False)
