"""The stretch of six days on each store, played once; tests leave it as it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from houseway.manager.store.reading import View, open_view
from tests.manager.reports.stretch import Stretch, play_stretch

if TYPE_CHECKING:
    from tests.manager.postgres import PostgresServer


@pytest.fixture(scope="session")
def stretch(tmp_path_factory: pytest.TempPathFactory) -> Stretch:
    """On SQLite, for what does not depend on the store."""
    folder = tmp_path_factory.mktemp("stretch")
    return play_stretch(f"sqlite:///{folder / 'house.db'}", folder)


@pytest.fixture
def view(stretch: Stretch) -> Iterator[View]:
    """A look into the days on SQLite."""
    with open_view(stretch.url) as found:
        yield found


@pytest.fixture(scope="session")
def on_postgres(postgres_server: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> Stretch:
    """The same days on PostgreSQL."""
    return play_stretch(postgres_server.new_database(), tmp_path_factory.mktemp("stretch"))
