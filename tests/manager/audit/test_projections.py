"""The rows of an event: one function for the writer and the audit, with the columns of the tables."""

from __future__ import annotations

import pytest

from houseway.manager.core.records import Event, canonical
from houseway.manager.store import schema
from houseway.manager.store.event_body import Body
from houseway.manager.store.projections import COLUMNS, TABLE_OF_KIND, lines_of, rows_of


def test_the_columns_are_those_of_the_tables() -> None:
    for name, columns in COLUMNS.items():
        assert tuple(schema.metadata.tables[name].columns.keys()) == columns
        assert tuple(column.name for column in schema.metadata.tables[name].primary_key) == columns[:2]
    assert set(TABLE_OF_KIND.values()) == COLUMNS.keys() - {"transfers"}


def test_rows_in_the_order_of_the_columns() -> None:
    body = Body(
        {"kind": "round.end"},
        post=[("tray/T1", "house", 5, "fill", "slip:S1")],
        rows=[
            ("round", {"table": "T1", "round": "T1-1", "held": True}),
            ("line", {"round": "T1-1", "seat": 4, "line": 1, "returned_cents": 0}),
            ("line", {"round": "T1-1", "seat": 3, "line": 2, "hand": "flush"}),
            ("line", {"round": "T1-1", "seat": 2, "line": 3, "returned_cents": 100}),
        ],
    )
    event = Event(9, 1, "k", "", "a", None, "round.end", canonical(body).decode(), "", "", "")
    for given in (body, event):
        rows = rows_of(given, 9, [(15, -25)])
        assert rows.transfers == [(9, 1, "tray/T1", "house", 5, "fill", "slip:S1", 15, -25)]
        assert rows.rounds == [(9, 1, "T1-1", "T1", *[None] * 8, 1)]
        # A line that lost, and that no hand leads to, has no row: it stands in the event.
        assert [row[:6] for row in rows.lines] == [(9, 1, "T1-1", None, 2, 3), (9, 2, "T1-1", None, 3, 2)]
        assert [line["seat"] for line in lines_of(body, "T1-1")] == [4, 3, 2]
        assert lines_of(body, "T1-2") == []
        assert rows.hits == []


LOST = {
    "round": "T1-1", "table": "T1", "line": 3, "seats": [2, 5], "wager": "progressive", "stake_cents": 100,
    "clause": "c/1", "link": "L1",
}  # fmt: skip


def test_wagers_that_are_lost_alike_are_a_line_each() -> None:
    body = Body({}, rows=[("lost", LOST), ("line", {"round": "T1-1", "seat": 4, "line": 5, "hand": "flush"})])
    assert [row[:6] for row in rows_of(body, 9, []).lines] == [(9, 1, "T1-1", None, 5, 4)]
    lines = lines_of(body, "T1-1")
    assert all(line.keys() == lines[-1].keys() for line in lines)
    told = [
        (line["line"], line["seat"], line["outcome"], line["stake_cents"], line["returned_cents"]) for line in lines
    ]
    assert told == [(3, 2, "lose", 100, 0), (4, 5, "lose", 100, 0), (5, 4, None, None, None)]
    assert [line["clause"] for line in lines] == ["c/1", "c/1", None]
    assert lines_of(body, "T1-2") == []


@pytest.mark.parametrize(
    "body",
    [
        Body({}, rows=[("moon", {})]),
        Body({}, rows=[("hit", {"moon": 1})]),
        Body({}, rows=[("lost", {**LOST, "moon": 1})]),
        Body({}, rows=[("lost", {**LOST, "seats": ["moon"]})]),
        Body({}, post=[("tray/T1", "house", 1, "fill", "slip:S1")]),
    ],
)
def test_what_cannot_be_a_row(body: Body) -> None:
    with pytest.raises(ValueError, match=r"moon|pairs of balances|whole numbers"):
        rows_of(body, 1, [])
