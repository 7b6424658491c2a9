"""What somebody can do who has the database and not the keys: change anything, in a transaction that is taken back."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    CheckConstraint,
    Column,
    Connection,
    Engine,
    LargeBinary,
    Table,
    create_engine,
    delete,
    insert,
    select,
    update,
)
from sqlalchemy.pool import NullPool

from houseway.manager.core.records import Event
from houseway.manager.store import schema, sqlite, urls
from houseway.manager.store.findings import AuditFinding
from houseway.manager.store.journal_audit import AuditReport, verify_database
from houseway.manager.store.reading import View
from tests.manager.audit.play import Played

ALEMBIC = Table("alembic_version", schema.metadata.__class__(), Column("version_num", schema.events.c.key.type))
"""The table that Alembic keeps for itself."""
TABLES = [*(schema.metadata.tables[name] for name in schema.TABLES), ALEMBIC]


class Forger:
    """A connection whose changes nobody stops, with helpers to make a forged journal look as true as possible."""

    def __init__(self, connection: Connection, played: Played) -> None:
        self.connection = connection
        self.played = played
        # On PostgreSQL a superuser's setting turns the guards off.
        self._guards = schema.guards(schema.SQLITE) if connection.dialect.name == "sqlite" else {}
        for name in self._guards:
            connection.exec_driver_sql(f"DROP TRIGGER {name}")
        checks = [
            (urls.namespace_of(connection).of(table.name), str(constraint.name), str(constraint.sqltext))
            for table in schema.metadata.tables.values()
            for constraint in table.constraints
            if isinstance(constraint, CheckConstraint)
        ]
        self._checks = [] if self._guards else checks
        for table, name, _ in self._checks:
            connection.exec_driver_sql(f"ALTER TABLE {table} DROP CONSTRAINT {name}")

    def put_guards_back(self) -> None:
        """Leave no trace of how the changes were made."""
        for sql in self._guards.values():
            self.connection.exec_driver_sql(sql)
        for table, name, text in self._checks:
            self.connection.exec_driver_sql(f"ALTER TABLE {table} ADD CONSTRAINT {name} CHECK ({text}) NOT VALID")
        if self._checks:
            # A superuser hides that the rows were not looked at.
            self.connection.exec_driver_sql("UPDATE pg_constraint SET convalidated = true WHERE NOT convalidated")

    def run(self, statement: Any) -> None:
        """Carry out any statement."""
        self.connection.execute(statement)

    def rows(self, table: Table) -> list[dict[str, Any]]:
        order = list(table.primary_key.columns) or list(table.columns)
        found = self.connection.execute(select(table).order_by(*order))
        return [dict(row._mapping) for row in found]

    def change(self, table: Table, row: dict[str, Any], /, **values: Any) -> None:
        result = self.connection.execute(update(table).where(*self._is(table, row)).values(**values))
        assert result.rowcount == 1

    def delete(self, table: Table, row: dict[str, Any]) -> None:
        assert self.connection.execute(delete(table).where(*self._is(table, row))).rowcount == 1

    def insert(self, table: Table, row: dict[str, Any]) -> None:
        self.connection.execute(insert(table).values(**row))

    def _is(self, table: Table, row: dict[str, Any]) -> list[Any]:
        keys = list(table.primary_key.columns) or list(table.columns)
        return [column == row[column.name] for column in keys]

    def rechain(self, first: int) -> None:
        """Make the hashes of all events from a number on again."""
        events = [Event(*row.values()) for row in self.rows(schema.events)]
        hashes = {event.seq: event.hash for event in events}
        hashes[self.played.archived.up_to] = self.played.archived.hash
        for event in events:
            if event.seq >= first:
                made = event.chained(hashes[event.seq - 1])
                hashes[event.seq] = made.hash
                values = {"leaf": made.leaf, "hash": made.hash}
                self.run(update(schema.events).where(schema.events.c.seq == event.seq).values(**values))

    def audit(self, **options: Any) -> AuditReport:
        """The findings of an audit that sees the changes."""
        trust = options.pop("trust", None) or self.played.trust
        return verify_database(View(self.connection, "forged"), trust, **options)


@lru_cache
def engine_of(url: str) -> Engine:
    """One engine for each database: it remembers its compiled statements."""
    if not urls.is_sqlite(url):
        return urls.engine_at(url)
    path = urls.sqlite_path(url)
    return create_engine("sqlite://", creator=lambda: sqlite.connect(path), module=sqlite.driver(), poolclass=NullPool)


@contextlib.contextmanager
def forging(played: Played) -> Iterator[Forger]:
    """Change what you like; afterwards it is as before."""
    engine = engine_of(played.url)
    off = ["SET session_replication_role = replica"]
    if engine.dialect.name == "sqlite":
        off = ["PRAGMA foreign_keys = OFF", "PRAGMA ignore_check_constraints = ON", "BEGIN"]
    with engine.connect() as connection:
        for statement in off:
            connection.exec_driver_sql(statement)
        yield Forger(connection, played)
        connection.exec_driver_sql("ROLLBACK")


def changed(column: Column[Any], value: Any) -> Any:
    """Another value of the same kind, such as a forger would choose."""
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        last = value[-1:]
        return value[:-1] + ("1" if last == "0" else "0")
    if isinstance(value, bytes | memoryview):
        data = bytearray(bytes(value))
        data[len(data) // 2] ^= 1
        return bytes(data)
    assert value is None
    if isinstance(column.type, LargeBinary):
        return bytes(32)
    return "0" if "CHAR" in str(column.type).upper() or "TEXT" in str(column.type).upper() else 1


def key_of(table: Table, row: dict[str, Any]) -> str:
    """The key by which findings name a row."""
    keys = list(table.primary_key.columns) or list(table.columns)
    return "/".join(str(row[column.name]) for column in keys)


def names(finding: AuditFinding, table: str, key: str) -> bool:
    """Whether a finding names this row: by its key, as one of two, or within a range."""
    if finding.table != table:
        return False
    if key == finding.row or key in finding.row.split(" or "):
        return True
    first, dash, last = finding.row.partition("-")
    whole = key.split("/", maxsplit=1)[0]
    return (
        bool(dash) and first.isdigit() and last.isdigit() and whole.isdigit() and int(first) <= int(whole) <= int(last)
    )


def shown(findings: Sequence[AuditFinding]) -> str:
    return "\n".join(str(finding) for finding in findings)
