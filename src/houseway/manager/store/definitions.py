"""How each table and index of a journal is defined, in the words in which each database tells it.

`schema` says what the tables are; SQLite keeps the statement that made one, PostgreSQL takes it apart into columns,
constraints and indexes. `guarding` holds what a database tells against these texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from sqlalchemy import (
    CheckConstraint,
    Column,
    Constraint,
    ForeignKeyConstraint,
    Index,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    UniqueConstraint,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from houseway.errors import StateError
from houseway.manager.store import schema

REVISIONS: Final = Table(
    "alembic_version",
    MetaData(),
    Column("version_num", String(32), nullable=False),
    PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
)
"""Where the revision of the tables is noted, as Alembic makes it."""
TABLES: Final = (*(schema.metadata.tables[name] for name in schema.TABLES), REVISIONS)
NAMES: Final = tuple(table.name for table in TABLES)
"""Every table that belongs beside a journal."""
_SQLITE: Final = sqlite.dialect()
_POSTGRES: Final = postgresql.dialect()  # type: ignore[no-untyped-call]
_quoted: Final = _POSTGRES.identifier_preparer.quote


class Definitions(NamedTuple):
    """By name, what a database tells of each; columns and constraints are of PostgreSQL and named `TABLE.NAME`."""

    tables: dict[str, str]
    """On PostgreSQL empty texts: a table there is its columns and constraints."""
    indexes: dict[str, str]
    columns: dict[str, str]
    constraints: dict[str, str]


@lru_cache
def expected(namespace: schema.Namespace) -> Definitions:
    """The definitions as the migrations make them."""
    if namespace.dialect == "sqlite":
        tables = {table.name: plain(str(CreateTable(table).compile(dialect=_SQLITE))) for table in TABLES}
        return Definitions(tables, {str(index.name): create_index(index, namespace) for index in indexes()}, {}, {})
    columns = {
        f"{table.name}.{column.name}": column_text(place, _type_of(column), is_null=bool(column.nullable))
        for table in TABLES
        for place, column in enumerate(table.columns, 1)
    }
    constraints = {
        f"{table.name}.{_name(each)}": _constraint(each, namespace) for table in TABLES for each in table.constraints
    }
    made = {
        _name(each): f"CREATE UNIQUE INDEX {_name(each)} ON {namespace.of(table.name)} USING btree ({_listed(each)})"
        for table in TABLES
        for each in table.constraints
        if isinstance(each, PrimaryKeyConstraint | UniqueConstraint)
    }
    made |= {str(index.name): create_index(index, namespace) for index in indexes()}
    return Definitions(dict.fromkeys(NAMES, ""), made, columns, constraints)


def indexes() -> Iterator[Index]:
    """The indexes that no constraint makes."""
    for table in TABLES:
        yield from sorted(table.indexes, key=lambda index: str(index.name))


def create_index(index: Index, namespace: schema.Namespace) -> str:
    """The statement that makes an index, as the database tells it."""
    if namespace.dialect == "sqlite":
        return plain(str(CreateIndex(index).compile(dialect=_SQLITE)))
    columns = ", ".join(_quoted(column.name) for column in index.columns)
    where = index.dialect_options["postgresql"]["where"]
    condition = "" if where is None else f" WHERE ({where})"
    unique = "UNIQUE " if index.unique else ""
    table = "" if index.table is None else namespace.of(index.table.name)
    return f"CREATE {unique}INDEX {index.name} ON {table} USING btree ({columns}){condition}"


def column_text(place: int, type_: str, *, is_null: bool, otherwise: str = "") -> str:
    """A column in words; `otherwise` is whatever else is peculiar to it, and none of ours has anything."""
    return f"{place}. {type_}{'' if is_null else ' NOT NULL'}{otherwise}"


def _type_of(column: Column[object]) -> str:
    return str(column.type.compile(dialect=_POSTGRES)).lower().replace("varchar", "character varying")


def _name(constraint: Constraint) -> str:
    """The constraint's name: PostgreSQL gives one to a primary key that has none."""
    return str(constraint.name or f"{constraint.table.name}_pkey")


def _listed(constraint: PrimaryKeyConstraint | UniqueConstraint) -> str:
    return ", ".join(_quoted(column.name) for column in constraint.columns)


def _constraint(constraint: Constraint, namespace: schema.Namespace) -> str:
    if isinstance(constraint, CheckConstraint):
        return f"CHECK (({constraint.sqltext}))"
    if isinstance(constraint, PrimaryKeyConstraint | UniqueConstraint):
        kind = "PRIMARY KEY" if isinstance(constraint, PrimaryKeyConstraint) else "UNIQUE"
        return f"{kind} ({_listed(constraint)})"
    if isinstance(constraint, ForeignKeyConstraint):
        (element,) = constraint.elements
        table = namespace.of(element.column.table.name)
        return f"FOREIGN KEY ({element.parent.name}) REFERENCES {table}({element.column.name})"
    raise StateError(f"a constraint of the kind {type(constraint).__name__} has no text here")


def plain(sql: str) -> str:
    """A statement without the line breaks that it was written with."""
    return " ".join(sql.split())
