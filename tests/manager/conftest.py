"""What the manager's tests share: a PostgreSQL server for each process that runs tests, and databases on it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from houseway.manager.store import migrations
from tests.manager.postgres import PostgresServer


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A server for the whole run of this process; tests that kill one start their own."""
    server = PostgresServer()
    yield server
    server.stop()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of a new, empty database."""
    url = postgres_server.new_database()
    yield url
    postgres_server.drop(url)


@pytest.fixture
def postgres_journal(postgres_server: PostgresServer) -> Iterator[str]:
    """The URL of a new PostgreSQL database with the tables of a journal."""
    url = postgres_server.new_journal()
    yield url
    postgres_server.drop(url)


@pytest.fixture(scope="session")
def _sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("template") / "journal.db"
    migrations.upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture
def sqlite_journal(_sqlite_template: Path, tmp_path: Path) -> str:
    """The URL of a new SQLite file with the tables of a journal."""
    shutil.copy(_sqlite_template, tmp_path / "house.db")
    return f"sqlite:///{tmp_path / 'house.db'}"
