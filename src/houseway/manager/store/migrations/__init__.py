"""The history of the tables, run by Alembic from the installed package: `upgrade`, `downgrade`, and what is in force.

A revision changes tables and never the record: events are the same before and after. Going back behind the first one
would throw the journal away and is refused while it holds anything, unless it is forced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, inspect, select
from sqlalchemy.exc import OperationalError, ProgrammingError

from houseway.manager.store import schema
from houseway.manager.store.postgres import LOCK
from houseway.manager.store.store_errors import StoreRefusedError, StoreUnavailableError
from houseway.manager.store.urls import engine_at, namespace_of

BASE: Final = "base"
TREE: Final = "v1_0003"
"""The revision that brought the tree over the events' leaves."""
FORMAT: Final = "v1_"
"""How the revisions of this format begin. Formats of before the first release had others: no software reads them."""
UNFINISHED: Final = "unfinished-"
"""How the tables of a copy are marked, before their revision, until all rows are there (`row_copy`)."""


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


@cache
def revisions() -> tuple[str, ...]:
    """All revisions that this software knows, the oldest first."""
    return tuple(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())[::-1]


def current(url: str) -> str | None:
    """The revision of a database, or None if it holds no journal."""
    with _translating(), engine_at(url).connect() as connection:
        schema_ = namespace_of(connection).name or None
        return MigrationContext.configure(connection, opts={"version_table_schema": schema_}).get_current_revision()


def holds_events(url: str) -> bool:
    """Whether a database holds a journal in which something was written."""
    with _translating(), engine_at(url).connect() as connection:
        return _events_held(connection) > 0


def upgrade(url: str, revision: str = "head") -> None:
    """Bring the tables up to a revision; a SQLite file that is not there is made."""
    _run(url, lambda config: command.upgrade(config, revision), create=True)


def downgrade(url: str, revision: str, *, force: bool = False) -> None:
    """Take the tables back to an older revision. What would be lost for good, events or leaves, goes only by force."""
    if not force:
        refuse_loss(url, revision)
    _run(url, lambda config: command.downgrade(config, revision))


def refuse_loss(url: str, revision: str) -> None:
    """Refuse to take the tables back to where events or leaves would be lost for good."""
    with _translating(), engine_at(url).connect() as connection:
        held = _events_held(connection) if revision == BASE else 0
    if held:
        raise StoreRefusedError.of(
            "data-would-be-lost",
            "revision",
            f"the journal holds {held} events, which going back to {BASE} would throw away: make a backup and force it",
        )
    if revision in revisions()[: revisions().index(TREE)]:
        _refuse_to_lose_leaves(url)


def _refuse_to_lose_leaves(url: str) -> None:
    """The tree can be made again of the events; not over those that were archived away."""
    with _translating(), engine_at(url).connect() as connection:
        namespace = namespace_of(connection).name or None
        there = inspect(connection).has_table("tiles", namespace)
        archived = connection.scalar(select(func.max(schema.archives.c.up_to))) if there else None
    if archived:
        message = (
            f"the leaves of the events up to {archived}, which were archived, are kept in the tables that this would "
            "throw away: make a backup and force it"
        )
        raise StoreRefusedError.of("data-would-be-lost", "revision", message)


def _events_held(connection: Connection) -> int:
    if not inspect(connection).has_table("events", namespace_of(connection).name or None):
        return 0
    return int(connection.scalar(select(func.count()).select_from(schema.events)) or 0)


def _run(url: str, run: Callable[[Config], None], *, create: bool = False) -> None:
    """Run Alembic in one transaction; of two processes that begin at once, one waits and finds it done."""
    with _translating(), engine_at(url, create=create).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
            _revoke_creation(connection)
        config = _config()
        config.attributes["connection"] = connection
        run(config)


def _revoke_creation(connection: Connection) -> None:
    """Let nobody but those who are named make objects beside the journal's: up to PostgreSQL 14 everybody may.

    Where it takes somebody else's rights, a start names it.
    """
    namespace = namespace_of(connection)
    asked = select(func.has_schema_privilege("public", namespace.name, "CREATE"))
    if not connection.scalar(asked):
        return
    with suppress(ProgrammingError), connection.begin_nested():
        connection.exec_driver_sql(f"REVOKE CREATE ON SCHEMA {namespace.quoted} FROM PUBLIC")


@contextmanager
def _translating() -> Iterator[None]:
    """A database that goes away is said to be away."""
    try:
        yield
    except OperationalError as error:
        raise StoreUnavailableError(f"the database reports: {str(error.orig).splitlines()[0]}") from error


def refuse_unknown(found: str) -> None:
    """Refuse tables of a revision that this software does not have: of a newer one, or of another format."""
    if found in revisions():
        return
    if found.startswith(UNFINISHED):
        message = (
            "this database holds an unfinished copy: run the same command again to finish it, or drop the database"
        )
        raise StoreRefusedError.of("copy-unfinished", "database", message)
    if found.startswith(FORMAT):
        message = f"the tables are of revision {found}, which this software does not know: use the newer software"
        raise StoreRefusedError.of("schema-newer", "database", message)
    message = (
        f"the tables are of revision {found[:40]}, of a format that this software does not read. Formats of "
        "development versions before 0.1.0 were never released and are not migrated: begin a new journal, or read it "
        "with the version that made it"
    )
    raise StoreRefusedError.of("schema-foreign", "database", message)


def check_revision(url: str) -> bool:
    """Whether the tables are there and as this software needs them.

    False on a database without a journal; refused if it is older or newer than this software, or of another format.
    """
    found, known = current(url), revisions()
    if found is None:
        return False
    refuse_unknown(found)
    if found != known[-1]:
        raise StoreRefusedError.of(
            "schema-older",
            "database",
            f"the tables are of {found}, this software needs {known[-1]}: end all servers, then houseway db upgrade",
        )
    return True
