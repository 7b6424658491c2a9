"""The conformance report as the page docs/conformance.md, written from the results and never by hand.

`scripts/write-conformance-page` renews it; a test fails while it is not current.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from houseway.odds.conformance.claims import Claim
from houseway.odds.conformance.conformance_report import EDITIONS, MEANINGS, Conformance, Row, tally
from houseway.odds.distribution import fraction_text, percent_text
from houseway.paytables.pay_tables_page import FIGURE_TITLES

_HEAD: Final = """# Printed figures against exact ones

Every figure that a rule sheet prints beside its pay tables, compared with what the printed pays give. `houseway verify`
prints the same report; with `--recompute` it counts everything again, with `--html FILE` it writes a page to print.
This page is written by `scripts/write-conformance-page`; a test fails while it is not current.

An exact figure is a fraction over all deals, shown here to four digits behind the point; the fractions themselves are
in the last section. Envy counts five other players and the least wager that earns it. House ways play both sides.
"""


def markdown_page(found: Conformance) -> str:
    """The whole page."""
    parts = [_HEAD, f"{len(found.rows)} printed figures: {tally(found.rows)}.", "", EDITIONS, "", *_verdicts(), ""]
    for document in dict.fromkeys(row.table.source.document for row in found.rows):
        rows = [row for row in found.rows if row.table.source.document == document]
        parts += [f"## {document}", "", *_rows(rows), ""]
    if found.claims:
        parts += ["## Claims about dealing face up", "", *_claims(found.claims), ""]
    return "\n".join([*parts, "## Fractions", "", *_fractions(found.rows), ""])


def _verdicts() -> list[str]:
    return _table(["verdict", "meaning"], [[f"`{verdict}`", meaning] for verdict, meaning in MEANINGS.items()])


def _rows(rows: Iterable[Row]) -> list[str]:
    head = ["table", "figure", "printed", "exact", "verdict", "note"]
    return _table(
        head,
        [
            [
                f"[{row.table.id}](paytables.md#{row.table.id.lower()})",
                FIGURE_TITLES[row.printed.figure],
                row.printed.percent_text,
                "" if row.exact is None else percent_text(row.exact),
                f"`{row.verdict}`",
                row.full_note,
            ]
            for row in rows
        ],
    )


def _claims(claims: Iterable[Claim]) -> list[str]:
    return [f"- {claim.text} (`{claim.clause}`) Verdict: `{claim.verdict}`. {claim.note}" for claim in claims]


def _fractions(rows: Iterable[Row]) -> list[str]:
    lines = []
    for row in rows:
        of = f"{row.table.id} {FIGURE_TITLES[row.printed.figure]}"
        if row.by_way:
            solved = [(way, value) for way, value in row.by_way.items() if value is not None]
            lines += [f"- {of}, {way}: {fraction_text(value)}" for way, value in solved]
        elif row.exact is not None:
            lines.append(f"- {of}: {fraction_text(row.exact)}")
        elif row.balance is not None:
            lines.append(f"- {of}, contribution and reseed: {fraction_text(row.balance)}")
    return lines


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]
