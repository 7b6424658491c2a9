"""Indexes for searching: events by time and kind, rounds by time, number and table, lines by hand and amount, hits.

Lines are there only where somebody looks for them, by a hand or an amount that was returned. All lines of a round stand
in the event of its end, which the round's own row leads to.
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
    "rounds_by_time": ("rounds", ["started_at", "seq"], None),
    "rounds_by_number": ("rounds", ["number", "table", "seq"], None),
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
