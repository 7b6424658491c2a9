"""A property on disk for every test of the server and the controller."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.manager.server.house import House, built
from tests.manager.server.processes import Served


@pytest.fixture(scope="session")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> House:
    """The property that every test gets a copy of."""
    return built(tmp_path_factory.mktemp("pattern"))


@pytest.fixture
def house(pattern: House, tmp_path: Path) -> House:
    """A property of the test's own."""
    return pattern.copied(tmp_path / "house")


@pytest.fixture(scope="module")
def shared(pattern: House, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests of a module that only send it what it refuses."""
    with Served(pattern.copied(tmp_path_factory.mktemp("shared") / "house")) as found:
        yield found
