"""A house with real play on each store, made once; tests change it in transactions that are taken back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.manager.audit.play import Played, play

if TYPE_CHECKING:
    from tests.manager.postgres import PostgresServer


@pytest.fixture(scope="session")
def on_sqlite(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Play on SQLite, for what does not depend on the store. Tests leave it as it is."""
    folder = tmp_path_factory.mktemp("played")
    return play(f"sqlite:///{folder / 'house.db'}", folder)


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The same play on both stores. Tests leave it as it is."""
    if request.param == "sqlite":
        found: Played = request.getfixturevalue("on_sqlite")
        return found
    server: PostgresServer = request.getfixturevalue("postgres_server")
    return play(server.new_database(), tmp_path_factory.mktemp("played"))


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database without anything, on both stores."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'house.db'}"
    else:
        yield request.getfixturevalue("postgres_url")
