"""Indexes for searching: events by time and kind, rounds by time, table and number, lines by hand and amount, hits."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

INDEXES = {
    "events_by_time": ("events", ["at", "seq"]),
    "events_by_kind": ("events", ["kind", "seq"]),
    "rounds_by_id": ("rounds", ["round", "seq"]),
    "rounds_by_time": ("rounds", ["started_at", "seq"]),
    "rounds_by_table": ("rounds", ["table", "started_at", "seq"]),
    "lines_by_round": ("lines", ["round", "seq"]),
    "lines_by_hand": ("lines", ["hand", "seq"]),
    "lines_by_amount": ("lines", ["returned_cents", "seq"]),
    "hits_by_award": ("hits", ["award", "seq"]),
    "hits_by_link": ("hits", ["link", "seq"]),
}


def upgrade() -> None:
    """Make the indexes."""
    for name, (table, columns) in INDEXES.items():
        op.create_index(name, table, columns)


def downgrade() -> None:
    """Drop the indexes."""
    for name, (table, _) in INDEXES.items():
        op.drop_index(name, table)
