"""A house with real play on each store, made once; tests change it in transactions that are taken back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from houseway.manager.store.archive import Archived, archive_before
from houseway.manager.store.trust import Trust, trust_in
from tests.manager.audit.house import House
from tests.manager.floors import AUDITOR, DAY

if TYPE_CHECKING:
    from tests.manager.postgres import PostgresServer


@dataclass(frozen=True)
class Played:
    """A database with play in it: an archived part, finished rounds, and a deal that is still open."""

    url: str
    keys: Path
    archive: Path
    archived: Archived
    old_rounds: tuple[str, ...]
    rounds: tuple[str, ...]
    open_round: str
    now: int
    trust: Trust


def play(url: str, folder: Path) -> Played:
    """Play a day, let two months pass, archive the day, and play on."""
    house = House(url, folder / "keys", snapshot_every=25)
    house.set_up()
    old = (
        house.play_felt(),
        house.play_felt({5: "seven-card-straight-flush"}),
        house.play_felt({2: "straight-flush", 1: "royal-flush-royal-match"}),
        house.void(),
        house.play_known(),
        house.play_known(),
    )
    before = house.now + DAY
    house.pass_days(60)
    house.restart()
    archive = folder / "old.jsonl.gz"
    archived = archive_before(url, folder / "keys", before, archive, AUDITOR, clock=lambda: house.now)
    rounds = (
        house.play_felt(),
        house.play_felt({5: "seven-card-straight-flush", 2: "royal-flush-royal-match", 1: "straight-flush"}),
        house.play_felt({1: "seven-card-straight-flush"}, reject=True),
        house.void(),
        house.play_known(),
        house.play_known(),
    )
    open_round = house.deal()
    house.close()
    return Played(
        url, folder / "keys", archive, archived, old, rounds, open_round, house.now, trust_in(folder / "keys")
    )


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """The same play on both stores. Tests leave it as it is."""
    folder = tmp_path_factory.mktemp("played")
    if request.param == "sqlite":
        return play(f"sqlite:///{folder / 'house.db'}", folder)
    server: PostgresServer = request.getfixturevalue("postgres_server")
    return play(server.new_database(), folder)


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database without anything, on both stores."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'house.db'}"
    else:
        yield request.getfixturevalue("postgres_url")
