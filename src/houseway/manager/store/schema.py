"""The tables of a journal, the same on SQLite and PostgreSQL, and the guards that let rows be added but never changed.

Events are the record; transfers, rounds, lines and hits are made of their bodies in the same transaction, for books and
searches. Every command pays for every index, so there are only those that a search cannot do without: transfers have
none but their place, since books are sums over whole periods. The sums of gaming days that have ended are kept beside
them, for reports. Sealed seeds go when they are revealed. Everything else can be deleted only up to where an archive
was recorded, and nothing can ever be updated.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
)
from sqlalchemy import text as sql_text

metadata: Final = MetaData()


class Namespace(NamedTuple):
    """Where the tables of a journal are: in a schema on PostgreSQL, which every statement names."""

    dialect: str
    name: str = ""
    quoted: str = ""
    """The name as PostgreSQL writes it in a statement."""

    def of(self, name: str) -> str:
        """A name of this schema in a statement."""
        return f"{self.quoted}.{name}" if self.quoted else name

    @property
    def translated(self) -> dict[None, str]:
        """For SQLAlchemy: the schema of tables that name none."""
        return {None: self.name}


SQLITE: Final = Namespace("sqlite")

HASHES: Final = "(length(hash) = 64) AND (length(leaf) = 64) AND (length(salt) = 64) AND (length(input_hash) = 64)"
"""Checks are written as PostgreSQL tells them, with brackets round each part: `definitions` compares the texts."""

Whole: Final = BigInteger().with_variant(Integer(), "sqlite")
"""64 bits everywhere; SQLite's strict tables know them as INTEGER."""


def _table(name: str, *parts: Any, rowid: bool = True) -> Table:  # noqa: ANN401 - columns, constraints and indexes
    return Table(name, metadata, *parts, sqlite_strict=True, sqlite_with_rowid=rowid)


def _whole(name: str, *, null: bool = False) -> Column[int]:
    return Column(name, Whole, nullable=null, autoincrement=False)


def _text(name: str, *, null: bool = False) -> Column[str]:
    return Column(name, Text, nullable=null)


def _index_where(name: str, column: str, condition: str) -> Index:
    """An index of the rows that fulfil a condition."""
    where = sql_text(condition)
    return Index(name, column, "seq", sqlite_where=where, postgresql_where=where)


def _keys_where(name: str, columns: tuple[str, ...], condition: str) -> Index:
    """Keys of what came from a device, or without one: for a database two nulls are two devices."""
    where = sql_text(condition)
    return Index(name, *columns, unique=True, sqlite_where=where, postgresql_where=where)


events: Final = _table(
    "events",
    Column("seq", Whole, primary_key=True, autoincrement=False),
    _whole("at"),
    _text("key"),
    _text("input_hash"),
    _text("actor"),
    _text("device", null=True),
    _text("kind"),
    _text("body"),
    _text("salt"),
    _text("leaf"),
    _text("hash"),
    CheckConstraint("seq >= 1", name="events_seq"),
    CheckConstraint(HASHES, name="events_hashes"),
    _keys_where("events_key", ("key", "device"), "device IS NOT NULL"),
    _keys_where("events_own_key", ("key",), "device IS NULL"),
    Index("events_by_time", "at", "seq"),
    Index("events_by_kind", "kind", "seq"),
)

transfers: Final = _table(
    "transfers",
    _whole("seq"),
    _whole("line"),
    _text("debit"),
    _text("credit"),
    _whole("micros"),
    _text("reason"),
    _text("subject"),
    _whole("debit_balance"),
    _whole("credit_balance"),
    PrimaryKeyConstraint("seq", "line", name="transfers_pkey"),
    CheckConstraint("line >= 1", name="transfers_line"),
    CheckConstraint("micros > 0", name="transfers_micros"),
    CheckConstraint("debit <> credit", name="transfers_accounts"),
    rowid=False,
)

rounds: Final = _table(
    "rounds",
    _whole("seq"),
    _whole("row_no"),
    _text("round"),
    _text("table"),
    _text("game", null=True),
    _whole("number", null=True),
    _text("dealer", null=True),
    _whole("started_at", null=True),
    _whole("ended_at", null=True),
    _text("outcome", null=True),
    _whole("wagered_cents", null=True),
    _whole("returned_cents", null=True),
    _whole("held", null=True),
    PrimaryKeyConstraint("seq", "row_no", name="rounds_pkey"),
    CheckConstraint("(held >= 0) AND (held <= 1)", name="rounds_held"),
    Index("rounds_by_time", "started_at", "seq"),
    Index("rounds_by_number", "number", "table", "seq"),
    rowid=False,
)

lines: Final = _table(
    "lines",
    _whole("seq"),
    _whole("row_no"),
    _text("round"),
    _text("table"),
    _whole("line"),
    _whole("seat", null=True),
    _text("wager", null=True),
    _text("hand", null=True),
    _text("outcome", null=True),
    _whole("stake_cents", null=True),
    _whole("returned_cents", null=True),
    _text("source", null=True),
    _text("clause", null=True),
    _text("link", null=True),
    _text("award", null=True),
    PrimaryKeyConstraint("seq", "row_no", name="lines_pkey"),
    _index_where("lines_by_hand", "hand", "hand IS NOT NULL"),
    _index_where("lines_by_amount", "returned_cents", "returned_cents > 0"),
    rowid=False,
)

hits: Final = _table(
    "hits",
    _whole("seq"),
    _whole("row_no"),
    _text("award"),
    _text("link"),
    _text("level", null=True),
    _text("table", null=True),
    _text("round", null=True),
    _whole("seat", null=True),
    _text("hand", null=True),
    _whole("percent", null=True),
    _whole("cents", null=True),
    _whole("order", null=True),
    _text("status", null=True),
    _whole("at", null=True),
    _whole("meter_before_micros", null=True),
    _whole("meter_after_micros", null=True),
    _whole("seed_drawn_micros", null=True),
    _whole("reserve_drawn_micros", null=True),
    PrimaryKeyConstraint("seq", "row_no", name="hits_pkey"),
    Index("hits_by_award", "award", "seq"),
    Index("hits_by_link", "link", "seq"),
    rowid=False,
)

day_sums: Final = _table(
    "day_sums",
    _whole("seq"),
    _text("part"),
    _whole("before"),
    _text("hash"),
    Column("sums", LargeBinary, nullable=False),
    PrimaryKeyConstraint("seq", "part", name="day_sums_pkey"),
    CheckConstraint("(before >= 0) AND (before < seq)", name="day_sums_before"),
)

checkpoints: Final = _table(
    "checkpoints",
    Column("seq", Whole, ForeignKey("events.seq", name="checkpoints_seq"), primary_key=True, autoincrement=False),
    _whole("first"),
    _text("hash"),
    _whole("at"),
    _text("key_id"),
    _text("signature"),
    CheckConstraint("(first >= 1) AND (first <= seq)", name="checkpoints_first"),
)

secrets: Final = _table(
    "secrets",
    Column("round", Text, primary_key=True),
    _whole("seq"),
    _whole("number"),
    _text("commitment"),
    Column("sealed", LargeBinary, nullable=False),
    rowid=False,
)

snapshots: Final = _table(
    "snapshots",
    Column("digest", Text, primary_key=True),
    _whole("seq"),
    _text("hash"),
    Column("state", LargeBinary, nullable=False),
    Index("snapshots_by_seq", "seq"),
)

archives: Final = _table(
    "archives",
    Column("up_to", Whole, primary_key=True, autoincrement=False),
    _whole("seq"),
    _text("file_digest"),
    _text("hash"),
    CheckConstraint("(up_to >= 1) AND (up_to < seq)", name="archives_up_to"),
)

meta: Final = _table(
    "meta",
    Column("name", Text, primary_key=True),
    _text("value"),
    rowid=False,
)

tiles: Final = _table(
    "tiles",
    _whole("level"),
    _whole("number"),
    _whole("width"),
    # Before the hashes: of most tiles only this is read.
    Column("root", LargeBinary, nullable=True),
    Column("hashes", LargeBinary, nullable=False),
    PrimaryKeyConstraint("level", "number", "width", name="tiles_pkey"),
    CheckConstraint("(width >= 1) AND (width <= 256) AND (length(hashes) = (width * 32))", name="tiles_width"),
)

heads: Final = _table(
    "heads",
    Column("size", Whole, primary_key=True, autoincrement=False),
    _whole("base"),
    _text("note"),
    CheckConstraint("(base >= 0) AND (base < size)", name="heads_base"),
)

ARCHIVED_TABLES: Final = ("events", "transfers", "rounds", "lines", "hits", "checkpoints", "snapshots", "day_sums")
"""Rows go from here only up to the number that `archives` records."""
KEPT_TABLES: Final = ("archives", "meta", "tiles", "heads")
"""Rows never go from here."""
LOOSE_TABLES: Final = ("secrets",)
"""Rows may go from here at any time, and never change."""
TABLES: Final = (*ARCHIVED_TABLES, *KEPT_TABLES, *LOOSE_TABLES)

_ARCHIVED_TO: Final = "coalesce((SELECT max(up_to) FROM {archives}), 0)"


def guards(
    namespace: Namespace,
    archived: tuple[str, ...] = ARCHIVED_TABLES,
    kept: tuple[str, ...] = KEPT_TABLES,
    loose: tuple[str, ...] = LOOSE_TABLES,
) -> dict[str, str]:
    """The guards of the tables: the name of each trigger (on PostgreSQL also of two functions) and what creates it."""
    if namespace.dialect == "sqlite":
        return _sqlite_guards(archived, kept, loose)
    return _postgres_guards(namespace, archived, kept, loose)


def _sqlite_guards(archived: tuple[str, ...], kept: tuple[str, ...], loose: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for table in (*archived, *kept, *loose):
        found[f"{table}_no_update"] = (
            f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are never changed'); END"
        )
        if table not in loose:
            when = f"WHEN OLD.seq > {_ARCHIVED_TO.format(archives='archives')} " if table in archived else ""
            found[f"{table}_no_delete"] = (
                f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {when}"
                f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are never deleted'); END"
            )
    return found


SEARCH_PATH: Final = "pg_catalog, pg_temp"
"""What sessions and the guards' functions search: nobody else can let a name or an operator mean something else.

Temporary tables would come before everything if they were not named last; functions are never looked for there.
"""


def _postgres_guards(
    namespace: Namespace, archived: tuple[str, ...], kept: tuple[str, ...], loose: tuple[str, ...]
) -> dict[str, str]:
    of = namespace.of
    head = f"RETURNS trigger LANGUAGE plpgsql SET search_path = {SEARCH_PATH} AS"
    archived_to = _ARCHIVED_TO.format(archives=of("archives"))
    found = {
        "houseway_no_change": (
            f"CREATE FUNCTION {of('houseway_no_change')}() {head} "
            "$$BEGIN RAISE EXCEPTION 'rows of % are never changed or deleted', TG_TABLE_NAME "
            "USING ERRCODE = 'restrict_violation'; END$$"
        ),
        "houseway_archived": (
            f"CREATE FUNCTION {of('houseway_archived')}() {head} "
            f"$$BEGIN IF OLD.seq <= {archived_to} THEN RETURN OLD; END IF; "
            "RAISE EXCEPTION 'rows of % are never deleted', TG_TABLE_NAME "
            "USING ERRCODE = 'restrict_violation'; END$$"
        ),
    }

    def guard(table: str, name: str, event: str, each: str, does: str) -> None:
        found[f"{table}_{name}"] = (
            f"CREATE TRIGGER {table}_{name} BEFORE {event} ON {of(table)} FOR EACH {each} EXECUTE FUNCTION {of(does)}()"
        )

    for table in (*archived, *kept, *loose):
        guard(table, "no_update", "UPDATE", "ROW", "houseway_no_change")
        guard(table, "no_truncate", "TRUNCATE", "STATEMENT", "houseway_no_change")
        if table not in loose:
            guard(
                table, "no_delete", "DELETE", "ROW", "houseway_archived" if table in archived else "houseway_no_change"
            )
    return found
