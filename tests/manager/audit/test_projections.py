"""The rows of an event: one function for the writer and the audit, with the columns of the tables."""

from __future__ import annotations

import pytest

from houseway.manager.core.records import Body, Event, canonical
from houseway.manager.store import schema
from houseway.manager.store.projections import COLUMNS, TABLE_OF_KIND, rows_of


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
            ("line", {"round": "T1-1", "seat": 3, "line": 1}),
        ],
    )
    event = Event(9, 1, "k", "", "a", None, "round.end", canonical(body).decode(), "", "", "")
    for given in (body, event):
        rows = rows_of(given, 9, [(15, -25)])
        assert rows.transfers == [(9, 1, "tray/T1", "house", 5, "fill", "slip:S1", 15, -25)]
        assert rows.rounds == [(9, 1, "T1-1", "T1", *[None] * 8, 1)]
        assert rows.lines[0][:6] == (9, 1, "T1-1", None, 1, 3)
        assert rows.hits == []


@pytest.mark.parametrize(
    "body",
    [
        Body({}, rows=[("moon", {})]),
        Body({}, rows=[("hit", {"moon": 1})]),
        Body({}, post=[("tray/T1", "house", 1, "fill", "slip:S1")]),
    ],
)
def test_what_cannot_be_a_row(body: Body) -> None:
    with pytest.raises(ValueError, match=r"moon|zip"):
        rows_of(body, 1, [])
