"""`houseway report`: reports of gaming days for an accounting office and a regulator."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import App, Parameter
from msgspec import to_builtins

from houseway.api.arguments import Arguments
from houseway.cli.audit import ArchiveOption, DatabaseOption, KeysOption, PublicKeyOption, database_of, trust_of
from houseway.cli.output import JsonFlag, print_json, print_listing, print_problem, to_line
from houseway.cli.times import read_date
from houseway.cli.writing import put_out, write_whole

if TYPE_CHECKING:
    from houseway.manager.interface.reporting import DaysRead, Report

FORMATS: Final = ("json", "csv", "html", "pdf")
_ROWS: Final = 1_000
"""Rows that are written at once."""
BOOKS: Final = "books"
"""The export of the books, which is in the formats of other programs."""

report = App(
    name="report",
    help="Reports of gaming days for an accounting office and a regulator: `houseway report list` names them.",
    help_format="markdown",
)


@report.default
def make(
    name: Annotated[str, Parameter(name="REPORT", help="Which report; `houseway report list` names them.")],
    /,
    *,
    day: Annotated[
        str | None, Parameter(metavar="DATE", help="The gaming day; by default the last one that has ended.")
    ] = None,
    through: Annotated[
        str | None, Parameter(metavar="DATE", help="The last gaming day of several, from --day on.")
    ] = None,
    format_: Annotated[
        str | None,
        Parameter(
            name="--format",
            metavar="FORMAT",
            help="json (by default), csv, html or pdf; of the books beancount (by default) or hledger.",
        ),
    ] = None,
    out: Annotated[str | None, Parameter(metavar="FILE", help="Write to this file instead of standard output.")] = None,
    prepared_by: Annotated[str | None, Parameter(metavar="PERSON", help="Who prepares the report, by id.")] = None,
    reviewed_by: Annotated[
        str | None, Parameter(metavar="PERSON", help="Who reviews it: another person, who took no part in these days.")
    ] = None,
    archive: ArchiveOption = None,
    database: DatabaseOption = None,
    keys: KeysOption = None,
    public_key: PublicKeyOption = None,
) -> int:
    """Make a report of a gaming day, or of several.

    Days begin and end at the property's own hour and in its own time zone (`cut_off_hour`, `time_zone`). A day that has
    not ended is marked as preliminary. For a day that was archived, name its files with --archive. Ends with 1 if a
    reconciliation does not agree.
    """
    from houseway.manager.interface import reporting
    from houseway.manager.interface.auditing import open_view
    from houseway.manager.interface.reporting import pdf_bytes

    arguments = Arguments()
    trust = trust_of(arguments, keys, public_key)
    first, last = (read_date(arguments, text, path) for text, path in ((day, "day"), (through, "through")))
    format_ = format_ or ("beancount" if name == BOOKS else "json")
    arguments.choice(format_, reporting.DIALECTS if name == BOOKS else FORMATS, "format")
    if through is not None and day is None:
        arguments.add("missing-argument", "day", "--through names the last day: name the first one with --day")
    if name == BOOKS and (prepared_by or reviewed_by):
        arguments.add("conflicting-options", "prepared-by", "an export of the books has no preparer: leave people out")
    arguments.refuse_if_any()
    now = reporting.wall_micros()
    paths = [Path(each) for each in archive or ()]
    with open_view(database_of(database)) as view:
        begin = reporting.last_ended_day(view, now) if first is None else first
        with reporting.opened_days(view, begin, last or begin, now, trust, paths) as days:
            if name == BOOKS:
                _put_out(reporting.book_lines(days, "hledger" if format_ == "hledger" else "beancount"), out)
                _warn(days)
                return 0
            made = reporting.make_report(days, name, prepared_by, reviewed_by)
    _put_out([pdf_bytes(made)] if format_ == "pdf" else _written(made, format_), out)
    _warn(days)
    return 0 if getattr(made, "agrees", True) else 1


def _written(made: Report, format_: str) -> Iterable[str]:
    from houseway.manager.interface.reporting import csv_text, html_text

    match format_:
        case "csv":
            return [csv_text(made)]
        case "html":
            return [html_text(made)]
    return json_parts(made)


def json_parts(made: Report) -> Iterator[str]:
    """The JSON of a report on one line, piece by piece: that of a year is long."""
    opening = "{"
    for name in made.__struct_fields__:
        yield f"{opening}{to_line(name)}: "
        opening, value = ", ", getattr(made, name)
        if name not in made.tables:
            yield to_line(to_builtins(value))
            continue
        pieces = (to_line(to_builtins(value[place : place + _ROWS])) for place in range(0, len(value), _ROWS))
        yield "["
        for number, piece in enumerate(pieces):
            yield f"{', ' if number else ''}{piece[1:-1]}"
        yield "]"
    yield "}\n"


def _put_out(parts: Iterable[str] | Iterable[bytes], out: str | None) -> None:
    """Write to a file, or to standard output."""
    if out is None:
        for part in parts:
            put_out(part)
    else:
        write_whole(out, parts, "out")


def _warn(days: DaysRead) -> None:
    if days.is_preliminary:
        print_problem(f"{days.last.day} has not ended: the report is preliminary, and says so")


@report.command(name="list")
def list_reports(*, as_json: JsonFlag = False) -> int:
    """List the reports that there are."""
    from houseway.manager.interface.reporting import REPORTS

    books = "every transfer of the days for beancount or hledger, with the balances before and after"
    listed = [*((kind.name, kind.title, kind.about) for kind in REPORTS.values()), (BOOKS, "Books", books)]
    if as_json:
        print_json([{"name": name, "title": title, "about": about} for name, title, about in listed])
    else:
        rows = [("report", "title", "what is in it"), *listed]
        print_listing(rows, f"{len(listed)} reports: houseway report NAME --day DATE makes one")
    return 0


@report.command
def schema(
    name: Annotated[str | None, Parameter(name="REPORT", help="Only of this report.")] = None,
    /,
) -> int:
    """Print the JSON schema of the reports (docs/reference/reports.md)."""
    from houseway.manager.interface.reporting import report_kind, report_schema

    print_json(report_schema(None if name is None else report_kind(name).name))
    return 0
