"""The conformance report as one HTML file that needs nothing else: no script, no font or style from elsewhere.

It reads from a phone to a printed page, in light and dark, and with a keyboard or a screen reader: real tables with
captions and header cells, wide ones in regions that can be focused and scrolled, details that open without a script.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from html import escape
from typing import Final

from houseway.odds.conformance.claims import Claim
from houseway.odds.conformance.conformance_report import EDITIONS, MEANINGS, Conformance, Row, tally
from houseway.odds.distribution import fraction_text, percent_text
from houseway.paytables.pay_tables_page import FIGURE_TITLES

_STYLE: Final = """
:root { color-scheme: light dark; --text: #1d2129; --quiet: #565e6c; --line: #d5d9e0; --paper: #fff; --band: #f4f6f9;
  --good: #12693c; --fair: #6b5300; --bad: #b3261e; --other: #2a4d9b; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8ec; --quiet: #a7afbd; --line: #3a404b; --paper: #16181d;
  --band: #1e2128; --good: #6fd09b; --fair: #e2c15a; --bad: #ff9a92; --other: #9dbaff; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 78rem; background: var(--paper); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
p { max-width: 46rem; } a { color: var(--other); } nav ul { padding-left: 1.2rem; }
.skip { position: absolute; left: -99rem; } .skip:focus { position: static; }
:focus-visible { outline: 3px solid var(--other); outline-offset: 2px; }
.wide { overflow-x: auto; border: 1px solid var(--line); border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
caption { text-align: left; padding: .5rem .7rem; color: var(--quiet); }
th, td { padding: .4rem .7rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { white-space: nowrap; color: var(--quiet); font-weight: 600; }
tbody th { font-weight: 600; white-space: nowrap; } tbody tr:nth-child(even) { background: var(--band); }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.figure { min-width: 9rem; } td.note { min-width: 18rem; } .verdict { white-space: nowrap; font-weight: 600; }
.matches, .holds { color: var(--good); } .matches-truncated { color: var(--fair); }
.discrepancy, .no-shipped-way, .fails { color: var(--bad); }
.depends, .not-an-edge, .open, .holds-in-part { color: var(--other); }
details { margin-top: .3rem; } summary { cursor: pointer; color: var(--quiet); }
code { font-size: .9em; overflow-wrap: anywhere; }
dt { font-weight: 600; margin-top: .4rem; } dd { margin: 0 0 0 1.2rem; }
@media print { body { max-width: none; padding: 0; font-size: 9pt; } .skip, nav { display: none; }
  .wide { overflow: visible; border: 0; } thead { display: table-header-group; } tr { break-inside: avoid; }
  td.note { min-width: 0; } h2 { break-after: avoid; } @page { size: landscape; margin: 12mm; } }
"""

_INTRODUCTION: Final = (
    "Every figure that a rule sheet prints beside its pay tables, compared with what the printed pays give. An exact "
    "figure is a fraction over all deals. Envy counts five other players and the least wager that earns it. House ways "
    "play both sides."
)


def html_page(found: Conformance) -> str:
    """The whole page."""
    documents = list(dict.fromkeys(row.table.source.document for row in found.rows))
    links = [f'<li><a href="#sheet-{number}">{escape(name)}</a></li>' for number, name in enumerate(documents, start=1)]
    if found.claims:
        links.append('<li><a href="#claims">Claims about dealing face up</a></li>')
    sections = [
        _section(number, name, [row for row in found.rows if row.table.source.document == name])
        for number, name in enumerate(documents, start=1)
    ]
    return "\n".join(
        [
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            "<title>Printed figures against exact ones - Houseway</title>",
            f"<style>{_STYLE}</style>\n</head>\n<body>",
            '<a class="skip" href="#figures">Skip to the figures</a>',
            f"<header><h1>Printed figures against exact ones</h1>\n<p>{escape(_INTRODUCTION)}</p>",
            f"<p><strong>{len(found.rows)} printed figures:</strong> {escape(tally(found.rows))}.</p>",
            f"<p>{escape(EDITIONS)}</p></header>",
            f'<nav aria-label="Sheets"><ul>{"".join(links)}</ul></nav>',
            f'<main id="figures">{_legend()}{"".join(sections)}{_claims(found.claims)}</main>',
            "</body>\n</html>\n",
        ]
    )


def _legend() -> str:
    entries = "".join(
        f'<dt class="{verdict}">{verdict}</dt><dd>{escape(meaning)}</dd>' for verdict, meaning in MEANINGS.items()
    )
    return f"<details><summary>What the verdicts mean</summary><dl>{entries}</dl></details>"


def _section(number: int, document: str, rows: Iterable[Row]) -> str:
    name = f"sheet-{number}"
    heads = ["table", "figure", "printed", "exact", "verdict", "note"]
    head = "".join(f'<th scope="col"{_number_class(text)}>{text}</th>' for text in heads)
    return (
        f'<section aria-labelledby="{name}"><h2 id="{name}">{escape(document)}</h2>'
        f'<div class="wide" role="region" aria-labelledby="{name}" tabindex="0"><table>'
        f"<caption>Printed and exact figures by pay table</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(_row(row) for row in rows)}</tbody></table></div></section>"
    )


def _number_class(head: str) -> str:
    return ' class="number"' if head in ("printed", "exact") else ""


def _row(row: Row) -> str:
    exact = "" if row.exact is None else percent_text(row.exact)
    cells = [
        f'<th scope="row">{escape(row.table.id)}</th>',
        f'<td class="figure">{escape(FIGURE_TITLES[row.printed.figure])}</td>',
        f'<td class="number">{escape(row.printed.percent_text)}</td>',
        f'<td class="number">{exact}</td>',
        f'<td class="verdict {row.verdict}">{row.verdict}</td>',
        f'<td class="note">{escape(row.full_note)}{_fractions(row)}</td>',
    ]
    return f"<tr>{''.join(cells)}</tr>"


def _fractions(row: Row) -> str:
    """The exact fractions of a row, folded away."""
    values: list[tuple[str, Fraction]] = [(way, value) for way, value in row.by_way.items() if value is not None]
    if not row.by_way and row.exact is not None:
        values.append(("exact", row.exact))
    if row.balance is not None:
        values.append(("contribution and reseed", row.balance))
    if not values:
        return ""
    entries = "".join(f"<dt>{escape(name)}</dt><dd><code>{fraction_text(value)}</code></dd>" for name, value in values)
    return f"<details><summary>as a fraction</summary><dl>{entries}</dl></details>"


def _claims(claims: Iterable[Claim]) -> str:
    entries = "".join(
        f'<li>{escape(claim.text)} <code>{escape(claim.clause)}</code><br><span class="verdict {claim.verdict}">'
        f"{claim.verdict}</span>: {escape(claim.note)}</li>"
        for claim in claims
    )
    if not entries:
        return ""
    head = '<h2 id="claims">Claims about dealing face up</h2>'
    return f'<section aria-labelledby="claims">{head}<ul>{entries}</ul></section>'
