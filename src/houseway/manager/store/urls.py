"""Which database a URL names, and how it is reached: `sqlite:///house.db`, `postgresql://user@host/house`.

The journal itself speaks to the driver; migrations, audits and searches use an SQLAlchemy engine on the same database.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, NullPool, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError

from houseway.errors import present
from houseway.manager.store import sqlite
from houseway.manager.store.schema import SQLITE, Namespace
from houseway.manager.store.sql import SqlJournal
from houseway.manager.store.store_errors import StoreRefusedError


def parsed(url: str) -> URL:
    """A database URL; refused unless it names a SQLite file or a PostgreSQL database.

    >>> parsed("sqlite:///house.db").database
    'house.db'
    """
    hint = "write sqlite:///PATH or postgresql://USER@HOST/DATABASE"
    try:
        found = make_url(url)
    except ArgumentError:
        raise StoreRefusedError.of("bad-url", "database", f"this is not a database URL: {hint}") from None
    if found.get_backend_name() not in {"sqlite", "postgresql"}:
        raise StoreRefusedError.of("bad-url", "database", f"{found.drivername} is not supported: {hint}")
    if found.get_backend_name() == "sqlite" and found.database in {None, "", ":memory:"}:
        raise StoreRefusedError.of("bad-url", "database", f"a journal lies in a file: {hint}")
    return found


def is_sqlite(url: str) -> bool:
    """Whether a URL names a SQLite file."""
    return parsed(url).get_backend_name() == "sqlite"


def sqlite_path(url: str) -> Path:
    """The file of a SQLite URL."""
    return Path(present(parsed(url).database, f"file in {url}"))


def journal_at(url: str) -> SqlJournal:
    """The journal that a URL names; its tables must be there."""
    if is_sqlite(url):
        return sqlite.SqliteJournal(sqlite_path(url))
    from houseway.manager.store import postgres

    return postgres.PostgresJournal(postgres.conninfo(url))


def engine_at(url: str, *, create: bool = False) -> Engine:
    """An SQLAlchemy engine for a URL, without a pool: for migrations and audits, not for the writer.

    A SQLite file that is not there is made only if `create` says so.
    """
    if is_sqlite(url):
        return _sqlite_engine(sqlite_path(url), create=create)
    from houseway.manager.store import postgres

    info, module = postgres.conninfo(url), postgres.driver()
    engine = create_engine(
        "postgresql+psycopg://",
        creator=lambda: postgres.connect(info, for_journal=False),
        module=module,
        poolclass=NullPool,
    )

    @event.listens_for(engine, "engine_connect")
    def _name_schema(connection: Connection) -> None:
        connection.execution_options(schema_translate_map=namespace_of(connection).translated)

    return engine


def namespace_of(connection: Connection) -> Namespace:
    """Where the journal's tables are in the database of an engine of this module."""
    if connection.dialect.name == "sqlite":
        return SQLITE
    from houseway.manager.store import postgres_session

    return postgres_session.namespace_of(connection.connection.dbapi_connection)


def _sqlite_engine(path: Path, *, create: bool) -> Engine:
    def connect() -> Any:  # noqa: ANN401 - a connection of the driver
        return sqlite.connect(path, create=create)

    engine = create_engine("sqlite://", creator=connect, module=sqlite.driver(), poolclass=NullPool)

    # The driver begins no transactions by itself, so that tables are made and changed in one, too.
    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine
