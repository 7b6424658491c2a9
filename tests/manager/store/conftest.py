"""Stores to test on: SQLite and PostgreSQL, each test with an empty database and keys of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.manager.store.stores import MemoryStore, SqlStore


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlStore]:
    """A database with an empty journal."""
    if request.param == "sqlite":
        found = SqlStore(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "keys")
    else:
        found = SqlStore(request.getfixturevalue("postgres_url"), tmp_path / "keys")
    yield found
    found.close()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlStore | MemoryStore]:
    """A database or a journal in memory."""
    if request.param == "memory":
        yield MemoryStore()
        return
    url = f"sqlite:///{tmp_path / 'house.db'}" if request.param == "sqlite" else request.getfixturevalue("postgres_url")
    found = SqlStore(url, tmp_path / "keys")
    yield found
    found.close()


@pytest.fixture
def sqlite_store(tmp_path: Path) -> Iterator[SqlStore]:
    """A SQLite file with an empty journal."""
    found = SqlStore(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "keys")
    yield found
    found.close()
