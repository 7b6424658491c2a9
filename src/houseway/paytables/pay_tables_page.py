"""The page docs/paytables.md: every shipped table, readable, written from the files and never by hand.

`scripts/write-paytables-page` renews it; a test fails while it is not current.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from houseway.paytables.pay_table import PayLine, PayTable
from houseway.paytables.shipped_tables import paytables, set_fingerprint
from houseway.ranking.hand_names import hand_title

LOOKS_AT_TITLES: Final = {
    "player-best": "the best hand among the player's cards",
    "dealer-best": "the best hand among the dealer's cards",
    "dealer-low": "the dealer's low hand as set",
    "losing-hand": "the hand that lost",
}

FIGURE_TITLES: Final = {
    "edge_max_envy": "house edge (max envy bonus)",
    "edge_no_envy": "house edge (no envy bonus)",
    "house_advantage": "house advantage",
    "hit_frequency": "hit frequency",
    "expected_hold": "expected hold",
}

_HEAD: Final = """# Pay tables

Every shipped table, written from the files in `src/houseway/rules/paytables` by
`scripts/write-paytables-page`; a test fails while this page is not current. How to add one:
[add a pay table](guides/add-a-pay-table.md).

Lines stand in the table's own printed order, and the first that fits a hand pays it. "to 1" pays beside the returned
stake; "for 1" includes the stake. A percentage is a share of the named meter level. Printed figures are those of the
sheet, not ours. A fingerprint is the SHA-256 of what a table decides: its id, wager, games and unit, its lines with
pays and envy, its meters and link, its approval, and its printed figures. It changes with any of these, and not with
titles, notes, readings or sources.
"""


def pay_text(line: PayLine, unit: str) -> str:
    """What a line pays, as a layout says it: "1,000 to 1", "100% of main", "push"."""
    if line.push:
        return "push"
    if line.percent is not None:
        return f"{line.percent}% of {line.level}"
    return f"{line.pays:,} {unit.replace('-', ' ')}"


def dollars_text(cents: int | None) -> str:
    """An amount in dollars, empty for none."""
    if cents is None:
        return ""
    return f"${cents // 100:,}" if cents % 100 == 0 else f"${cents // 100:,}.{cents % 100:02}"


def _table_of(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


def _line_row(line: PayLine, table: PayTable) -> list[str]:
    hands = " or ".join(hand_title(hand) for hand in line.hands)
    row = [line.printed_as.replace("*", r"\*"), hands, pay_text(line, table.unit)]
    return [*row, dollars_text(line.envy)] if table.has_envy else row


def _facts(table: PayTable) -> list[str]:
    facts = [
        f"Wager `{table.wager}` of {', '.join(table.games)}; looks at {LOOKS_AT_TITLES[table.looks_at]}.",
        f"Source: {table.source.document}; {table.source.section}; {table.source.edition}.",
        *(f"The same: {edition}." for edition in table.source.also_in),
    ]
    if table.levels:
        fixed = "the tray or, as the room chooses, the meter" if table.fixed_from_meter else "the tray"
        facts.append(f"Meter levels: {', '.join(table.levels)}. Fixed pays come from {fixed}.")
    if table.linked_with:
        facts.append(f"One link with {table.linked_with}.")
    if table.not_approved_because:
        facts.append(f"**Not approved.** {table.not_approved_because}")
    if table.printed:
        figures = ", ".join(f"{FIGURE_TITLES[found.figure]} {found.percent_text}" for found in table.printed)
        facts.append(f"Printed: {figures}.")
    # Lines that share a reading, such as those of one column, say it once.
    readings = dict.fromkeys(line.reading for line in table.lines if line.reading)
    facts += [f"Reading: {reading}" for reading in readings]
    facts += table.notes
    return [*(f"- {fact}" for fact in facts), f"- Fingerprint `{table.fingerprint}`"]


def table_markdown(table: PayTable) -> str:
    """One table as a section."""
    head = ["printed as", "hand", "pays", *(["envy"] if table.has_envy else [])]
    rows = [_line_row(line, table) for line in table.lines]
    return "\n".join([f"## {table.id}", "", f"{table.title}.", "", *_table_of(head, rows), "", *_facts(table), ""])


def page() -> str:
    """The whole page."""
    tables = paytables()
    index = [
        [f"[{table.id}](#{table.id.lower()})", table.wager, ", ".join(table.games), "yes" if table.approved else "no"]
        for table in tables
    ]
    head = [_HEAD, f"{len(tables)} tables; fingerprint of the set `{set_fingerprint()}`.", ""]
    contents = [*_table_of(["table", "wager", "games", "approved"], index), ""]
    return "\n".join([*head, *contents, *(table_markdown(table) for table in tables)])
