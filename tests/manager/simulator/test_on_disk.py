"""The same seeds on a real store: the journal comes out hash by hash as in memory, deaths of processes included."""

from __future__ import annotations

from pathlib import Path

import pytest

from instruments.simulator import run_seed
from instruments.simulator.mishaps import DiskStore


@pytest.mark.parametrize("seed", range(3))
def test_a_seed_on_sqlite(seed: int, sqlite_journal: str, tmp_path: Path) -> None:
    assert run_seed(seed, store=DiskStore(sqlite_journal, tmp_path / "keys")).head == run_seed(seed).head


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 30))
def test_more_seeds_on_sqlite(seed: int, sqlite_journal: str, tmp_path: Path) -> None:
    assert run_seed(seed, store=DiskStore(sqlite_journal, tmp_path / "keys")).head == run_seed(seed).head


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30, 34))
def test_a_seed_on_postgresql(seed: int, postgres_journal: str, tmp_path: Path) -> None:
    assert run_seed(seed, store=DiskStore(postgres_journal, tmp_path / "keys")).head == run_seed(seed).head
