"""The history of the tables, run by Alembic from the installed package: `upgrade`, `downgrade`, and what is in force.

A revision changes tables and never the record: events are the same before and after. Going back behind the first one
would throw the journal away and is refused while it holds anything, unless it is forced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, inspect, select
from sqlalchemy.exc import OperationalError

from houseway.manager.store import schema
from houseway.manager.store.postgres import LOCK
from houseway.manager.store.store_errors import StoreRefusedError, StoreUnavailableError
from houseway.manager.store.urls import engine_at

BASE: Final = "base"
FORMAT: Final = "v1_"
"""How the revisions of this format begin. Formats of before the first release had others: no software reads them."""


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def revisions() -> list[str]:
    """All revisions that this software knows, the oldest first."""
    return [script.revision for script in reversed(list(ScriptDirectory.from_config(_config()).walk_revisions()))]


def current(url: str) -> str | None:
    """The revision of a database, or None if it holds no journal."""
    with _translating(), engine_at(url).connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def holds_events(url: str) -> bool:
    """Whether a database holds a journal in which something was written."""
    with _translating(), engine_at(url).connect() as connection:
        return _events_held(connection) > 0


def upgrade(url: str, revision: str = "head") -> None:
    """Bring the tables up to a revision; a SQLite file that is not there is made."""
    _run(url, lambda config: command.upgrade(config, revision), create=True)


def downgrade(url: str, revision: str, *, force: bool = False) -> None:
    """Take the tables back to an older revision. To `base` only if the journal is empty, or by force."""
    with _translating(), engine_at(url).connect() as connection:
        held = _events_held(connection) if revision == BASE else 0
    if held and not force:
        raise StoreRefusedError.of(
            "data-would-be-lost",
            "revision",
            f"the journal holds {held} events, which going back to {BASE} would throw away: make a backup and force it",
        )
    _run(url, lambda config: command.downgrade(config, revision))


def _events_held(connection: Connection) -> int:
    if not inspect(connection).has_table("events"):
        return 0
    return int(connection.scalar(select(func.count()).select_from(schema.events)) or 0)


def _run(url: str, run: Callable[[Config], None], *, create: bool = False) -> None:
    """Run Alembic in one transaction; of two processes that begin at once, one waits and finds it done."""
    with _translating(), engine_at(url, create=create).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(select(func.pg_advisory_xact_lock(LOCK)))
        config = _config()
        config.attributes["connection"] = connection
        run(config)


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
            f"the tables are of revision {found}, this software needs {known[-1]}: make a backup, then upgrade them",
        )
    return True
