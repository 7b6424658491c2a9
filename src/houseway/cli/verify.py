"""`houseway verify`: every printed figure against the exact one, as text, JSON, Markdown or an HTML page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from houseway.cli.arguments import Arguments
from houseway.cli.executors import DaskOption, RayOption, WorkersOption, choose_executor
from houseway.cli.output import JsonFlag, print_json, print_listing, print_problem, print_text

if TYPE_CHECKING:
    from houseway.odds.conformance.report import Conformance


def verify(
    *,
    paytable: Annotated[str | None, Parameter(metavar="ID", help="Only the printed figures of this table.")] = None,
    recompute: Annotated[
        bool,
        Parameter(negative="", show_default=False, help="Count everything anew instead of reading shipped results."),
    ] = False,
    html: Annotated[str | None, Parameter(metavar="FILE", help="Write the report as an HTML page as well.")] = None,
    markdown: Annotated[str | None, Parameter(metavar="FILE", help="Write the report as Markdown as well.")] = None,
    workers: WorkersOption = None,
    dask: DaskOption = None,
    ray: RayOption = None,
    as_json: JsonFlag = False,
) -> int:
    """Hold every printed figure against the exact one.

    Ends with 1 if something is off that is not on the documented list.
    """
    from houseway.odds.conformance.claims import claims
    from houseway.odds.conformance.report import conformance
    from houseway.paytables import paytables

    arguments = Arguments()
    table = None if paytable is None else arguments.paytable(paytable)
    executor = choose_executor(arguments, workers, dask, ray) if recompute else None
    if not recompute and (workers, dask, ray) != (None, None, None):
        arguments.add(
            "conflicting-options", "recompute", "--workers, --dask and --ray are for --recompute: give it too"
        )
    arguments.refuse_if_any()
    tables = paytables() if table is None else (table,)
    problems: list[str] = []
    if executor is not None:
        from houseway.cli.recompute import recompute_counts, recompute_ways

        counts_of = recompute_counts(tables, problems)
        recompute_ways(tables, executor, problems)
        found = conformance(tables, claims() if table is None else (), counts_of)
    else:
        found = conformance(tables, claims() if table is None else ())
    _write_pages(found, html, markdown)
    print_json(found.to_json()) if as_json else _print(found)
    problems += [f"beyond the documented list: {problem}" for problem in found.unexpected]
    for problem in problems:
        print_problem(problem)
    return 1 if problems else 0


def _write_pages(found: Conformance, html: str | None, markdown: str | None) -> None:
    from houseway.cli.writing import write_whole

    if markdown is not None:
        from houseway.odds.conformance.markdown import markdown_page

        write_whole(markdown, markdown_page(found), "markdown")
    if html is not None:
        from houseway.odds.conformance.html_page import html_page

        write_whole(html, html_page(found), "html")


def _print(found: Conformance) -> None:
    from houseway.odds.conformance.report import EDITIONS, tally
    from houseway.odds.distribution import percent_text
    from houseway.paytables.markdown import FIGURE_TITLES

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
