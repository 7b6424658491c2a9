"""`houseway verify`: every printed figure against the exact one, as text, JSON, Markdown or an HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from houseway.api.printed_figures import verified
from houseway.cli.executor_options import DaskOption, RayOption, WorkersOption
from houseway.cli.kernel_notice import TERMINAL
from houseway.cli.output import JsonFlag, print_json, print_listing, print_problem, print_text

if TYPE_CHECKING:
    from houseway.odds.conformance.conformance_report import Conformance


def verify(
    *,
    paytable: Annotated[str | None, Parameter(metavar="ID", help="Only the printed figures of this table.")] = None,
    recompute: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="Count everything again instead of reading shipped results."),
    ] = False,
    html: Annotated[str | None, Parameter(metavar="FILE", help="Also write the report as an HTML page.")] = None,
    markdown: Annotated[str | None, Parameter(metavar="FILE", help="Also write the report as Markdown.")] = None,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    ray: RayOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Compare every printed figure with the exact one.

    Exits with 1 if a figure is off and the documented list does not name it.
    """
    found = verified(paytable, recompute, workers, dask, ray, TERMINAL)
    _write_pages(found.report, html, markdown)
    print_json(found.to_json()) if as_json else _print(found.report)
    for problem in found.problems:
        print_problem(problem)
    return 1 if found.problems else 0


def _write_pages(found: Conformance, html: str | None, markdown: str | None) -> None:
    from houseway.cli.writing import write_whole

    if markdown is not None:
        from houseway.odds.conformance.markdown_page import markdown_page

        write_whole(markdown, markdown_page(found), "markdown")
    if html is not None:
        from houseway.odds.conformance.html_page import html_page

        write_whole(html, html_page(found), "html")


def _print(found: Conformance) -> None:
    from houseway.odds.conformance.conformance_report import EDITIONS, tally
    from houseway.odds.distribution import percent_text
    from houseway.paytables.pay_tables_page import FIGURE_TITLES

    rows = [("table", "figure", "printed", "exact", "verdict")]
    notes: dict[str, list[str]] = {}
    for row in found.rows:
        exact = "" if row.exact is None else percent_text(row.exact)
        rows.append((row.table.id, FIGURE_TITLES[row.printed.figure], row.printed.percent_text, exact, row.verdict))
        if not row.verdict.startswith("matches"):
            notes.setdefault(row.full_note, []).append(f"{row.table.id} {FIGURE_TITLES[row.printed.figure]}")
    print_listing(rows, f"{len(found.rows)} printed figures: {tally(found.rows)}")
    for note, places in notes.items():
        print_text("", f"{', '.join(places)}:", f"  {note}")
    print_text("", EDITIONS)
    for claim in found.claims:
        print_text("", f"{claim.clause} ({claim.verdict}): {claim.text}", f"  {claim.note}")
