"""Stores to test on: SQLite, PostgreSQL and memory, each test with an empty journal and keys of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.manager.store.stores import MemoryStore, SqlStore


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlStore]:
    """A database with an empty journal."""
    found = SqlStore(request.getfixturevalue(f"{request.param}_journal"), tmp_path / "keys")
    yield found
    found.close()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def any_store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqlStore | MemoryStore]:
    """A database or a journal in memory."""
    if request.param == "memory":
        yield MemoryStore()
        return
    found = SqlStore(request.getfixturevalue(f"{request.param}_journal"), tmp_path / "keys")
    yield found
    found.close()


@pytest.fixture
def sqlite_store(sqlite_journal: str, tmp_path: Path) -> Iterator[SqlStore]:
    """A SQLite file with an empty journal."""
    found = SqlStore(sqlite_journal, tmp_path / "keys")
    yield found
    found.close()


@pytest.fixture
def postgres_store(postgres_journal: str, tmp_path: Path) -> Iterator[SqlStore]:
    """A PostgreSQL database with an empty journal."""
    found = SqlStore(postgres_journal, tmp_path / "keys")
    yield found
    found.close()
