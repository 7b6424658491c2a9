"""What the manager's tests share: a PostgreSQL server for each process that runs tests, and databases on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.manager.postgres import PostgresServer


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """A server for the whole run of this process; tests that kill one start their own."""
    server = PostgresServer()
    yield server
    server.stop()


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """The URL of a new, empty database."""
    return postgres_server.new_database()
