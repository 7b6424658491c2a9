"""Databases for attacks: SQLite and PostgreSQL, as the tests of the store have them."""

from tests.manager.conftest import _sqlite_template, postgres_journal, postgres_server, sqlite_journal
from tests.manager.store.conftest import postgres_store, sqlite_store, store

__all__ = [
    "_sqlite_template",
    "postgres_journal",
    "postgres_server",
    "postgres_store",
    "sqlite_journal",
    "sqlite_store",
    "store",
]
