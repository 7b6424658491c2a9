"""Finding rounds again by time, table, seat, hand, wager and amount.

The live tables are asked in SQL; archives are read one event after the other. Nothing here reads sealed seeds, and
events hold no card before its reveal, so neither do the answers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from sqlalchemy import exists, literal_column, select, tuple_

from houseway.manager.store import schema
from houseway.manager.store.account_statements import _events_of
from houseway.manager.store.event_body import Body
from houseway.manager.store.event_entries import BODIES, ROWS_AT_ONCE, old_entries
from houseway.manager.store.projections import COLUMNS, Row, lines_of
from houseway.manager.store.reading import View

_DIGITS: Final = 19
"""A number with so many digits is beyond every column."""


@dataclass(frozen=True)
class RoundQuery:
    """What a round must fulfil to be found; None: anything. Seat, hand, wager, award and amounts hold for one line."""

    table: str | None = None
    dealer: str | None = None
    since: int | None = None
    """Started at this time or later."""
    until: int | None = None
    """Started at this time or before."""
    seat: int | None = None
    hand: str | None = None
    wager: str | None = None
    award: str | None = None
    at_least: int | None = None
    """Cents that the line returned."""
    at_most: int | None = None
    limit: int = 100

    def asks_for_lines(self) -> bool:
        """Whether anything is asked of a line."""
        asked = (self.seat, self.hand, self.wager, self.award, self.at_least, self.at_most)
        return any(value is not None for value in asked)


def find_rounds(view: View, query: RoundQuery, archives: Sequence[Path] = ()) -> list[dict[str, Any]]:
    """Rounds that fit, the latest first, each with its lines; a round that ended twice is shown as it ended last.

    `undone` lists the awards of a round whose payment was undone since: backed out by two people, or taken back at the
    table. The line of one that was backed out says when (`backed_out_at`).
    """
    found = list(islice(_live_rounds(view, query), query.limit))
    if archives and len(found) < query.limit:
        known = {round_["round"] for round_ in found}
        found += [round_ for round_ in _archived_rounds(view, query, archives) if round_["round"] not in known]
    found = found[: query.limit]
    undone = _undone(view, {round_["round"] for round_ in found}, archives)
    return [marked(round_, undone.get(round_["round"], [])) for round_ in found]


UNDONE: Final = ("backed-out", "taken-back")
"""States of an award whose payment was undone."""


def undone_award(row: Row) -> dict[str, Any] | None:
    """What a row of an award tells of a payment that was undone; None if it tells of something else."""
    hit = dict(zip(COLUMNS["hits"], row, strict=True))
    if hit["status"] not in UNDONE:
        return None
    return {name: hit[name] for name in ("award", "seat", "hand", "cents", "status", "at", "seq", "round")}


def marked(round_: dict[str, Any], undone: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A round with the payments that were undone since, how much of what it returned was backed out, and its lines.

    Each line says when its own payment was backed out (`backed_out_at`).
    """
    # Envy that the hand brought to other seats bears the award's id too, and stays paid.
    at = {(each["award"], each["seat"]): each["at"] for each in undone if each["status"] == "backed-out"}
    lines = [{**line, "backed_out_at": at.get((line["award"], line["seat"]))} for line in round_["lines"]]
    told = [{name: value for name, value in each.items() if name != "round"} for each in undone]
    back = sum(line["returned_cents"] or 0 for line in lines if line["backed_out_at"] is not None)
    return {**round_, "lines": lines, "backed_out_cents": back, "undone": told}


def _undone(view: View, rounds: set[str], archives: Sequence[Path]) -> dict[str, list[dict[str, Any]]]:
    """Payments of these rounds that were undone, by round, the oldest first: also long after the round."""
    hits = schema.hits
    live = view.rows(select(hits).where(hits.c.status.in_(UNDONE)).order_by(hits.c.seq, hits.c.row_no))
    old = [row for entry in old_entries(view, archives) for row in entry.rows.hits]
    found: dict[str, list[dict[str, Any]]] = {}
    for told in (undone_award(row) for row in (*old, *live)):
        if told is not None and told["round"] in rounds:
            found.setdefault(told["round"], []).append(told)
    return found


def _live_rounds(view: View, query: RoundQuery) -> Iterator[dict[str, Any]]:
    """Rounds of the live tables that fit, the latest first, some at a time."""
    rounds, statement, at_once = schema.rounds, _round_statement(query), min(query.limit, ROWS_AT_ONCE)
    behind: tuple[int, int] | None = None
    while True:
        here = () if behind is None else (tuple_(rounds.c.started_at, rounds.c.seq) < behind,)
        rows = view.rows(statement.where(*here).limit(at_once))
        bodies = {event.seq: BODIES.decode(event.body) for event in _events_of(view, [row[0] for row in rows])}
        # Rows without their event are a damage that `audit verify` names; here they have no lines.
        told = [_round_json(row, bodies.get(row[0]) or Body({})) for row in rows]
        yield from (round_ for round_ in told if _fits(round_, query))
        if len(rows) < at_once:
            return
        behind = told[-1]["started_at"], told[-1]["seq"]


def _round_statement(query: RoundQuery) -> Any:  # noqa: ANN401 - a statement
    """The rounds that fit as far as rows tell: of lost lines there are none."""
    rounds, later = schema.rounds, schema.rounds.alias("later")
    same = (later.c.table == rounds.c.table, later.c.number == rounds.c.number, later.c.round == rounds.c.round)
    conditions = [~exists().where(*same, later.c.seq > rounds.c.seq)]
    for column, value in ((rounds.c.table, query.table), (rounds.c.dealer, query.dealer)):
        if value is not None:
            conditions.append(column == value)
    if query.since is not None:
        conditions.append(rounds.c.started_at >= query.since)
    if query.until is not None:
        conditions.append(rounds.c.started_at <= query.until)
    if query.hand is not None or (query.at_least or 0) > 0:
        few = select(schema.lines.c.seq, schema.lines.c.round).where(*_line_conditions(query))
        conditions.append(tuple_(rounds.c.seq, rounds.c.round).in_(few))
    if query.award is not None:
        hits = schema.hits
        conditions.append(rounds.c.round.in_(select(hits.c.round).where(hits.c.award == query.award)))
    return select(rounds).where(*conditions).order_by(rounds.c.started_at.desc(), rounds.c.seq.desc())


def _line_conditions(query: RoundQuery) -> list[Any]:
    lines = schema.lines
    conditions: list[Any] = []
    for column, value in (
        (lines.c.seat, query.seat),
        (lines.c.hand, query.hand),
        (lines.c.wager, query.wager),
        (lines.c.award, query.award),
    ):
        if value is not None:
            conditions.append(column == value)
    if query.at_least is not None:
        conditions.append(lines.c.returned_cents >= query.at_least)
        if query.at_least > 0:
            # In these words, so that the index of amounts can be used, which leaves out lost wagers.
            conditions.append(lines.c.returned_cents > literal_column("0"))
    if query.at_most is not None:
        conditions.append(lines.c.returned_cents <= query.at_most)
    return conditions


def _round_json(row: Row, body: Body) -> dict[str, Any]:
    """A round with its lines, as the event of its end has them."""
    round_ = dict(zip(COLUMNS["rounds"], row, strict=True))
    del round_["row_no"]
    round_["held"] = bool(round_["held"])
    lines = [{name: line[name] for name in COLUMNS["lines"][4:]} for line in lines_of(body, round_["round"])]
    return {**round_, "lines": lines}


def _archived_rounds(view: View, query: RoundQuery, archives: Sequence[Path]) -> list[dict[str, Any]]:
    """Rounds of archives that fit, the latest first."""
    found: dict[str, dict[str, Any]] = {}
    for entry in old_entries(view, archives):
        for row in entry.rows.rounds:
            round_ = _round_json(row, entry.body)
            found.pop(round_["round"], None)
            if _fits(round_, query):
                found[round_["round"]] = round_
    return sorted(found.values(), key=lambda round_: (round_["started_at"], round_["seq"]), reverse=True)


def _fits(round_: dict[str, Any], query: RoundQuery) -> bool:
    """The conditions of SQL, and those of lines, which all stand in the round's event alone."""
    within = (
        query.table in (None, round_["table"])
        and query.dealer in (None, round_["dealer"])
        and (query.since is None or round_["started_at"] >= query.since)
        and (query.until is None or round_["started_at"] <= query.until)
    )
    return within and (not query.asks_for_lines() or any(_line_fits(line, query) for line in round_["lines"]))


def _line_fits(line: dict[str, Any], query: RoundQuery) -> bool:
    asked = (("seat", query.seat), ("hand", query.hand), ("wager", query.wager), ("award", query.award))
    if any(value is not None and line[name] != value for name, value in asked):
        return False
    returned = line["returned_cents"] or 0
    return (query.at_least is None or returned >= query.at_least) and (
        query.at_most is None or returned <= query.at_most
    )
