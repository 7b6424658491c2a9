"""A database with real play in it: a day, two quiet months, the day archived, and another day with an open deal."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from houseway.manager.store.archive import ArchiveResult, archive_before
from houseway.manager.store.day_sum_keeping import DaySumBook
from houseway.manager.store.head_making import HeadBook
from houseway.manager.store.keys import load_keys
from houseway.manager.store.trust import Trust, trust_in
from tests.manager.audit.house import House
from tests.manager.floors import AUDITOR, DAY


@dataclass(frozen=True)
class Played:
    """A database with play in it: an archived part, finished rounds, and a deal that is still open."""

    url: str
    keys: Path
    archive: Path
    archived: ArchiveResult
    old_rounds: tuple[str, ...]
    rounds: tuple[str, ...]
    open_round: str
    now: int
    trust: Trust


def play(url: str, folder: Path) -> Played:
    """Play a day, let two months pass, archive the day, and play on."""
    # Snapshots often: an archive ends at one, and should hold most of the first day.
    house = House(url, folder / "keys", snapshot_every=10)
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
    HeadBook(url, load_keys(folder / "keys")).renew()
    DaySumBook(url).renew()
    return Played(
        url, folder / "keys", archive, archived, old, rounds, open_round, house.now, trust_in(folder / "keys")
    )
