"""The Merkle tree over the leaves of all events: its tiles, and the signed heads that were made of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from houseway.manager.store.schema import guards
from houseway.manager.store.urls import namespace_of

revision = "v1_0003"
down_revision = "v1_0002"
branch_labels = None
depends_on = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
TABLES = ("tiles", "heads")


def upgrade() -> None:
    """Make the tables and their guards; what the guards call on PostgreSQL is there already."""
    op.create_table(
        "tiles",
        *[sa.Column(name, WHOLE, nullable=False, autoincrement=False) for name in ("level", "number", "width")],
        sa.Column("root", sa.LargeBinary, nullable=True),
        sa.Column("hashes", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("level", "number", "width", name="tiles_pkey"),
        sa.CheckConstraint("(width >= 1) AND (width <= 256) AND (length(hashes) = (width * 32))", name="tiles_width"),
        sqlite_strict=True,
    )
    op.create_table(
        "heads",
        sa.Column("size", WHOLE, primary_key=True, autoincrement=False),
        sa.Column("base", WHOLE, nullable=False, autoincrement=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.CheckConstraint("(base >= 0) AND (base < size)", name="heads_base"),
        sqlite_strict=True,
    )
    made = guards(namespace_of(op.get_bind()), (), TABLES, ())
    for name, statement in made.items():
        if not name.startswith("houseway_"):
            op.get_bind().exec_driver_sql(statement)


def downgrade() -> None:
    """Drop both: they can be made again of the events, as far as those were not archived."""
    for table in reversed(TABLES):
        op.drop_table(table)
