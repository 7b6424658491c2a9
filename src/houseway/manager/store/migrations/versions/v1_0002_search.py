"""Indexes for searching: events by time and kind, rounds by time, table and number, lines by hand and amount, hits.

Of the wagers of a round most are lost: lines are indexed only where somebody looks for them, by a hand that won or an
amount that was returned. The lines of a round are found by the round's own row.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import text

revision = "v1_0002"
down_revision = "v1_0001"
branch_labels = None
depends_on = None

INDEXES = {
    "events_by_time": ("events", ["at", "seq"], None),
    "events_by_kind": ("events", ["kind", "seq"], None),
    "rounds_by_id": ("rounds", ["round", "seq"], None),
    "rounds_by_time": ("rounds", ["started_at", "seq"], None),
    "rounds_by_table": ("rounds", ["table", "started_at", "seq"], None),
    "lines_by_hand": ("lines", ["hand", "seq"], "hand IS NOT NULL"),
    "lines_by_amount": ("lines", ["returned_cents", "seq"], "returned_cents > 0"),
    "hits_by_award": ("hits", ["award", "seq"], None),
    "hits_by_link": ("hits", ["link", "seq"], None),
}


def upgrade() -> None:
    """Make the indexes."""
    for name, (table, columns, condition) in INDEXES.items():
        where = None if condition is None else text(condition)
        op.create_index(name, table, columns, sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    """Drop the indexes."""
    for name, (table, _, _) in INDEXES.items():
        op.drop_index(name, table)
