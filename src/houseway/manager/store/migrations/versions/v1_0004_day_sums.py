"""Sums over gaming days that have ended: they follow from the rows of their events, for reports over long times."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from houseway.manager.store.schema import guards
from houseway.manager.store.urls import namespace_of

revision = "v1_0004"
down_revision = "v1_0003"
branch_labels = None
depends_on = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Make the table and its guards; what the guards call on PostgreSQL is there already."""
    op.create_table(
        "day_sums",
        sa.Column("seq", WHOLE, nullable=False, autoincrement=False),
        sa.Column("part", sa.Text, nullable=False),
        sa.Column("before", WHOLE, nullable=False, autoincrement=False),
        sa.Column("hash", sa.Text, nullable=False),
        sa.Column("sums", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("seq", "part", name="day_sums_pkey"),
        sa.CheckConstraint("(before >= 0) AND (before < seq)", name="day_sums_before"),
        sqlite_strict=True,
    )
    made = guards(namespace_of(op.get_bind()), ("day_sums",), (), ())
    for name, statement in made.items():
        if not name.startswith("houseway_"):
            op.get_bind().exec_driver_sql(statement)


def downgrade() -> None:
    """Drop the table: the sums are made again of the rows."""
    op.drop_table("day_sums")
