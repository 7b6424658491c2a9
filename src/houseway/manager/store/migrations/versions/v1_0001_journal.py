"""The journal: events, ledger, rows for searching, checkpoints, sealed seeds, snapshots, archives, and their guards."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

from houseway.manager.store.schema import guards
from houseway.manager.store.urls import namespace_of

revision = "v1_0001"
down_revision = None
branch_labels = None
depends_on = None

WHOLE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
ARCHIVED = ("events", "transfers", "rounds", "lines", "hits", "checkpoints", "snapshots")
KEPT = ("archives", "meta")
LOOSE = ("secrets",)


def whole(name: str, *, null: bool = False, key: bool = False) -> sa.Column[int]:
    """A whole number."""
    return sa.Column(name, WHOLE, nullable=null, primary_key=key, autoincrement=False)


def text(name: str, *, null: bool = False, key: bool = False) -> sa.Column[str]:
    """A text."""
    return sa.Column(name, sa.Text, nullable=null, primary_key=key)


def some(make: Any, names: str) -> list[Any]:  # noqa: ANN401 - whole or text
    """Columns that may be null."""
    return [make(name, null=True) for name in names.split()]


def create(name: str, *parts: Any, rowid: bool = True) -> None:  # noqa: ANN401 - columns and constraints
    """Make a table, strict on SQLite."""
    op.create_table(name, *parts, sqlite_strict=True, sqlite_with_rowid=rowid)


def upgrade() -> None:
    """Make all tables and their guards."""
    create_record()
    create_rows()
    create_rest()
    for statement in guards(namespace_of(op.get_bind()), ARCHIVED, KEPT, LOOSE).values():
        op.get_bind().exec_driver_sql(statement.replace("%", "%%") if "$$" in statement else statement)


def create_record() -> None:
    """Events and transfers."""
    create(
        "events",
        whole("seq", key=True),
        whole("at"),
        *[text(name) for name in ("key", "input_hash", "actor")],
        text("device", null=True),
        *[text(name) for name in ("kind", "body", "salt", "leaf", "hash")],
        sa.CheckConstraint("seq >= 1", name="events_seq"),
        sa.CheckConstraint(
            "(length(hash) = 64) AND (length(leaf) = 64) AND (length(salt) = 64) AND (length(input_hash) = 64)",
            name="events_hashes",
        ),
    )
    for name, columns, condition in (
        ("events_key", ["key", "device"], "device IS NOT NULL"),
        ("events_own_key", ["key"], "device IS NULL"),
    ):
        where = sa.text(condition)
        op.create_index(name, "events", columns, unique=True, sqlite_where=where, postgresql_where=where)
    create(
        "transfers",
        whole("seq"),
        whole("line"),
        text("debit"),
        text("credit"),
        whole("micros"),
        text("reason"),
        text("subject"),
        whole("debit_balance"),
        whole("credit_balance"),
        sa.PrimaryKeyConstraint("seq", "line", name="transfers_pkey"),
        sa.CheckConstraint("line >= 1", name="transfers_line"),
        sa.CheckConstraint("micros > 0", name="transfers_micros"),
        sa.CheckConstraint("debit <> credit", name="transfers_accounts"),
        rowid=False,
    )


def create_rows() -> None:
    """Rows for searching."""
    create(
        "rounds",
        whole("seq"),
        whole("row_no"),
        text("round"),
        text("table"),
        text("game", null=True),
        whole("number", null=True),
        text("dealer", null=True),
        *some(whole, "started_at ended_at"),
        text("outcome", null=True),
        *some(whole, "wagered_cents returned_cents held"),
        sa.PrimaryKeyConstraint("seq", "row_no", name="rounds_pkey"),
        sa.CheckConstraint("(held >= 0) AND (held <= 1)", name="rounds_held"),
        rowid=False,
    )
    create(
        "lines",
        whole("seq"),
        whole("row_no"),
        text("round"),
        text("table"),
        whole("line"),
        whole("seat", null=True),
        *some(text, "wager hand outcome"),
        *some(whole, "stake_cents returned_cents"),
        *some(text, "source clause link award"),
        sa.PrimaryKeyConstraint("seq", "row_no", name="lines_pkey"),
        rowid=False,
    )
    create(
        "hits",
        whole("seq"),
        whole("row_no"),
        text("award"),
        text("link"),
        *some(text, "level table round"),
        whole("seat", null=True),
        text("hand", null=True),
        *some(whole, "percent cents order"),
        text("status", null=True),
        *some(whole, "at meter_before_micros meter_after_micros seed_drawn_micros reserve_drawn_micros"),
        sa.PrimaryKeyConstraint("seq", "row_no", name="hits_pkey"),
        rowid=False,
    )


def create_rest() -> None:
    """Checkpoints, sealed seeds, snapshots, archives, and notes about the journal itself."""
    create(
        "checkpoints",
        sa.Column(
            "seq", WHOLE, sa.ForeignKey("events.seq", name="checkpoints_seq"), primary_key=True, autoincrement=False
        ),
        whole("first"),
        text("hash"),
        whole("at"),
        text("key_id"),
        text("signature"),
        sa.CheckConstraint("(first >= 1) AND (first <= seq)", name="checkpoints_first"),
    )
    create(
        "secrets",
        text("round", key=True),
        whole("seq"),
        whole("number"),
        text("commitment"),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
        rowid=False,
    )
    create(
        "snapshots",
        text("digest", key=True),
        whole("seq"),
        text("hash"),
        sa.Column("state", sa.LargeBinary, nullable=False),
    )
    op.create_index("snapshots_by_seq", "snapshots", ["seq"])
    create(
        "archives",
        whole("up_to", key=True),
        whole("seq"),
        text("file_digest"),
        text("hash"),
        sa.CheckConstraint("(up_to >= 1) AND (up_to < seq)", name="archives_up_to"),
    )
    create("meta", text("name", key=True), text("value"), rowid=False)


def downgrade() -> None:
    """Drop everything; `migrations.downgrade` asks first."""
    for table in (*LOOSE, *KEPT, *reversed(ARCHIVED)):
        op.drop_table(table)
    if op.get_bind().dialect.name == "postgresql":
        for function in ("houseway_no_change", "houseway_archived"):
            op.get_bind().exec_driver_sql(f"DROP FUNCTION {namespace_of(op.get_bind()).of(function)}()")
