"""Lines are indexed only where somebody looks for them: by a hand that won, by an amount that was returned.

Of the wagers of a round most are lost; an entry for each of them in three indexes cost as much as the line itself.
The lines of a round are found by the round's own row.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import text

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

LEAN = {
    "lines_by_hand": (["hand", "seq"], text("hand IS NOT NULL")),
    "lines_by_amount": (["returned_cents", "seq"], text("returned_cents > 0")),
}


def upgrade() -> None:
    """Leave out what nobody looks for."""
    op.drop_index("lines_by_round", "lines")
    for name, (columns, where) in LEAN.items():
        op.drop_index(name, "lines")
        op.create_index(name, "lines", columns, sqlite_where=where, postgresql_where=where)


def downgrade() -> None:
    """Index every line again."""
    for name, (columns, _) in LEAN.items():
        op.drop_index(name, "lines")
        op.create_index(name, "lines", columns)
    op.create_index("lines_by_round", "lines", ["round", "seq"])
