"""Every figure that a sheet prints beside its pay tables, compared with the exact one.

A row says which figure is printed, which fraction the printed pays give, and what that makes of the print:

- `matches`: the exact figure, rounded to the printed digits, is the printed one;
- `matches-truncated`: only cutting the further digits off gives it;
- `discrepancy`: neither does;
- `depends`: more than the pay table decides it. For Tiger 9 and Pai Gow'd that is how both sides set their hands; for
  a progressive's house advantage it is contribution and seed, of which the print pins the sum;
- `no-shipped-way`: it depends on how both sides set, and no shipped house way on both sides gives the print;
- `not-an-edge`: the print is another measure (a hold on drop), and the edge is given instead;
- `not-counted`: the deals of a game from outside that decide it are not counted here.

No count is ever bent to a print. A convention that gives it (`conventions`) stands beside the exact figure. The prints
that do not follow and are known are listed in `data/known-discrepancies.toml`.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from typing import Any, Final, Literal, TypeAlias

from houseway.definitions import shipped_games
from houseway.errors import MissingPartError
from houseway.games import game
from houseway.odds.conformance.claims import Claim
from houseway.odds.conformance.comparing import compare, gives
from houseway.odds.conformance.conventions import Explanation, explanations
from houseway.odds.distribution import fraction_text, percent_text
from houseway.odds.hand_counts import HandCounts
from houseway.odds.progressive import balance
from houseway.odds.shipped import DATA
from houseway.odds.wagers import (
    MAX_ENVY_OTHERS,
    LineCounts,
    Sides,
    bonus_distribution,
    check_whole_hands,
    counts_for,
    envy_from,
    envy_return,
    hit_frequency,
    line_counts,
)
from houseway.paytables import PayTable, PrintedFigure, paytables

Verdict: TypeAlias = Literal[
    "matches", "matches-truncated", "discrepancy", "depends", "no-shipped-way", "not-an-edge", "not-counted"
]
CountsOf: TypeAlias = Callable[[str], HandCounts]
"""Where the hand counts of a game come from: the shipped ones, or fresh ones."""

KNOWN: Final = DATA / "known-discrepancies.toml"
LEAST_BET: Final = 100
"""The wager in cents at which a sheet's envy counts where it asks for no least one."""

EDITIONS: Final = (
    "The sheets of 6 Card Fortune and Six Card Poker are the older ones: a letter of June 14, 2023 lists both games "
    "among those amended later."
)
"""What a reader of any of these figures should know about the sheets."""

MEANINGS: Final[dict[Verdict, str]] = {
    "matches": "rounding the exact figure gives the print",
    "matches-truncated": "only cutting digits off gives the print",
    "discrepancy": "the print does not follow from the printed pays",
    "depends": "more than the pay table decides it",
    "no-shipped-way": "more than the pay table decides it, and no shipped house way gives the print",
    "not-an-edge": "the print is another measure",
    "not-counted": "the deals that decide it are not counted here",
}


DO_NOT_FOLLOW: Final[tuple[Verdict, ...]] = ("discrepancy", "no-shipped-way")
"""The verdicts of a print that does not follow from what the sheet says, under anything that ships."""


@dataclass(frozen=True)
class Row:
    """One printed figure and what is found about it."""

    table: PayTable
    printed: PrintedFigure
    verdict: Verdict
    exact: Fraction | None
    note: str
    by_way: Mapping[str, Fraction | None] = field(default_factory=dict)
    balance: Fraction | None = None
    without_envy: Fraction | None = None
    edge: Fraction | None = None
    explained_by: tuple[Explanation, ...] = ()

    @property
    def follows(self) -> bool:
        """Whether the print follows: not as the verdict says, nor under any shipped way."""
        return self.verdict not in DO_NOT_FOLLOW

    @property
    def full_note(self) -> str:
        """The note with the conventions that explain the print behind it."""
        explained = "; ".join(found.text for found in self.explained_by)
        return f"{self.note} Explained by: {explained}." if explained else self.note

    @property
    def key(self) -> tuple[str, str]:
        """The table and the figure."""
        return (self.table.id, self.printed.figure)

    @property
    def nearest_way(self) -> str | None:
        """The house way whose figure comes nearest to the print."""
        found = {way: value for way, value in self.by_way.items() if value is not None}
        return min(found, key=lambda way: abs(found[way] - self.printed.fraction)) if found else None

    def to_json(self) -> dict[str, Any]:
        """The row as the command line prints it."""
        shown: dict[str, Any] = {
            "document": self.table.source.document,
            "edition": self.table.source.edition,
            "paytable": self.table.id,
            "wager": self.table.wager,
            "figure": self.printed.figure,
            "printed": self.printed.percent_text,
            "exact": None if self.exact is None else fraction_text(self.exact),
            "percent": None if self.exact is None else float(self.exact * 100),
            "verdict": self.verdict,
            "note": self.note,
        }
        if self.by_way:
            shown["by_way"] = {way: _number(value) for way, value in self.by_way.items()}
            shown["by_way_fraction"] = {way: _text(value) for way, value in self.by_way.items()}
            shown["nearest_way"] = self.nearest_way
        for name in ("balance", "without_envy", "edge"):
            value: Fraction | None = getattr(self, name)
            if value is not None:
                shown[name], shown[f"{name}_fraction"] = float(value), fraction_text(value)
        if self.explained_by:
            shown["explained_by"] = [found.to_json() for found in self.explained_by]
        return shown


@dataclass(frozen=True)
class Conformance:
    """The whole report."""

    rows: tuple[Row, ...]
    claims: tuple[Claim, ...]

    @property
    def unexpected(self) -> tuple[str, ...]:
        """What is off beyond the documented list: a new discrepancy, or a documented one that is none."""
        found: list[str] = []
        for row in self.rows:
            shown = f"{row.table.id} {row.printed.figure}"
            if not row.follows and row.key not in known_discrepancies():
                found.append(f"{shown}: printed {row.printed.percent_text}, and that does not follow ({row.verdict})")
            elif row.follows and row.key in known_discrepancies():
                found.append(f"{shown}: listed as a discrepancy, but the verdict is {row.verdict}")
        found += [f"the claim about {claim.game} does not hold" for claim in self.claims if claim.verdict == "fails"]
        return tuple(found)

    def to_json(self) -> dict[str, Any]:
        """The report as the command line prints it."""
        return {"rows": [row.to_json() for row in self.rows], "claims": [claim.to_json() for claim in self.claims]}


def conformance(
    tables: Iterable[PayTable] | None = None,
    claims: Iterable[Claim] = (),
    counts_of: CountsOf = counts_for,
) -> Conformance:
    """The rows of all printed figures of some tables (all by default) with the claims beside them."""
    chosen = paytables() if tables is None else tables
    rows = [row_of(table, printed, counts_of) for table in chosen for printed in table.printed]
    return Conformance(tuple(rows), tuple(claims))


def row_of(table: PayTable, printed: PrintedFigure, counts_of: CountsOf = counts_for) -> Row:
    """What is found about one printed figure."""
    try:
        return _row_of(table, printed, counts_of)
    except MissingPartError as error:
        if table.games[0] in {each.id for each in shipped_games()}:
            raise  # What ships is counted: a damaged file is no verdict.
        return Row(table, printed, "not-counted", None, f"{error}.")


def _row_of(table: PayTable, printed: PrintedFigure, counts_of: CountsOf) -> Row:
    if not table.looks_at.startswith("player"):
        return _row_by_way(table, printed)
    counts = _line_counts(table, counts_of)
    if printed.figure == "hit_frequency":
        return _compared(table, printed, hit_frequency(counts))
    if table.is_jackpot:
        return _row_of_balance(table, printed, counts)
    without = bonus_distribution(counts).edge
    if printed.figure == "expected_hold":
        shown = percent_text(without)
        note = f"The print is a hold on drop, which no count gives. The edge of the printed pays is {shown}."
        return Row(table, printed, "not-an-edge", without, note, edge=without)
    if printed.figure == "edge_no_envy" or not table.has_envy:
        return _compared(table, printed, without)
    with_envy = without - envy_return(table, counts, MAX_ENVY_OTHERS, envy_from(table) or LEAST_BET)
    return _compared(table, printed, with_envy, without)


def _line_counts(table: PayTable, counts_of: CountsOf) -> LineCounts:
    """How many of the player's hands each line pays."""
    found = table.games[0]
    if table.looks_at == "player-cards":
        return line_counts(table, found, Sides(), counts_for(found, table.joker, "player-cards")) or {}
    check_whole_hands(table, found)
    return counts_of(found).by_line(table)


def _compared(table: PayTable, printed: PrintedFigure, exact: Fraction, without_envy: Fraction | None = None) -> Row:
    """The row of a figure that the pay table alone decides; with envy the figure without any stands beside it."""
    verdict = compare(exact, printed)
    notes = []
    if without_envy is not None:
        shown = percent_text(without_envy)
        notes.append(f"With {MAX_ENVY_OTHERS} other players' envy on a wager of $5; {shown} without.")
    if verdict == "matches-truncated":
        notes.append(f"{percent_text(exact)}: the print has cut the further digits off.")
    if verdict == "discrepancy":
        notes.insert(0, f"The printed pays give {percent_text(exact)}.")
        reason = known_discrepancies().get((table.id, printed.figure))
        notes.append(reason or _NOT_LISTED)
    return Row(table, printed, verdict, exact, " ".join(notes), without_envy=without_envy)


def _row_of_balance(table: PayTable, printed: PrintedFigure, counts: LineCounts) -> Row:
    """The row of a progressive's house advantage: the sum of contribution and reseed that it pins."""
    others = MAX_ENVY_OTHERS if table.has_envy else 0
    pinned = balance(table, counts, printed.fraction, others)
    envy = f", envy of {others} others {percent_text(pinned.envy_return)}" if others else ""
    note = (
        "The sheet prints neither seed nor contribution rate. Fixed pays return "
        f"{percent_text(pinned.fixed_return)}{envy}; the print then leaves {percent_text(pinned.total)} for "
        "contribution and reseed together."
    )
    return Row(table, printed, "depends", None, note, balance=pinned.total)


def _row_by_way(table: PayTable, printed: PrintedFigure) -> Row:
    """The row of a figure that depends on how both sides set: under each house way, both sides playing it."""
    ways = game(table.games[0]).ways
    if not ways:
        raise MissingPartError(f"{table.wager} of {table.games[0]} depends on two hands that no house way sets")
    by_way = {way: _value_under(table, printed, way) for way in ways}
    exact = by_way[ways[0]]
    is_given = any(value is None or gives(value, printed) for value in by_way.values())
    verdict: Verdict = "depends" if is_given else "no-shipped-way"
    row = Row(table, printed, verdict, exact, "", by_way, explained_by=explanations(table, printed))
    return replace(row, note=_note_by_way(row))


def _note_by_way(row: Row) -> str:
    """The figure under each way in words, and which comes nearest; what is not solved is said."""
    solved = {way: value for way, value in row.by_way.items() if value is not None}
    if not solved:
        return "It depends on how both sides set their hands, and the solved results for that are not shipped here."
    shown = ", ".join(f"{way} {percent_text(value)}" for way, value in solved.items())
    missing = [way for way in row.by_way if way not in solved]
    rest = f"Not solved: {', '.join(missing)}." if missing else f"{row.nearest_way} comes nearest to the print."
    if len(set(solved.values())) == 1 and not missing:
        shown, rest = f"{percent_text(solved[next(iter(solved))])} with every shipped one", ""
    reason = "" if row.follows else known_discrepancies().get(row.key, _NOT_LISTED)
    return " ".join(text for text in (f"Both sides by one house way: {shown}.", rest, reason) if text)


_NOT_LISTED: Final = "This discrepancy is not on the documented list."


def _value_under(table: PayTable, printed: PrintedFigure, way: str) -> Fraction | None:
    counts = line_counts(table, table.games[0], Sides(way, way))
    if counts is None:
        return None
    return hit_frequency(counts) if printed.figure == "hit_frequency" else bonus_distribution(counts).edge


def tally(rows: Iterable[Row]) -> str:
    """How many rows have each verdict, in words: "12 matches, 3 depends"."""
    counts = Counter(row.verdict for row in rows)
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in MEANINGS if counts[verdict])


@cache
def known_discrepancies() -> Mapping[tuple[str, str], str]:
    """The documented discrepancies with their reasons, by table and figure."""
    listed = tomllib.loads(KNOWN.read_text(encoding="utf-8"))["known"]
    return {(known["paytable"], known["figure"]): known["reason"] for known in listed}


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _text(value: Fraction | None) -> str | None:
    return None if value is None else fraction_text(value)
