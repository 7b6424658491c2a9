"""Two copies of a journal are played on, both with true keys: the one that the anchor did not see is found."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from houseway.manager.commands import Envelope
from houseway.manager.commands.link_commands import RecordDeposit
from houseway.manager.interface.client_memory import Memory
from houseway.manager.reports.day_reading import gaming_day_at, read_days
from houseway.manager.store.archive import archive_before
from houseway.manager.store.backup import make_backup
from houseway.manager.store.journal_audit import AuditReport, verify_database
from houseway.manager.store.manager import Manager, open_manager
from houseway.manager.store.marks import Mark, read_anchor, write_anchor
from houseway.manager.store.reading import open_view
from houseway.manager.store.restore import copy_database
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.manager.store.trust import Witness, trust_in
from tests.manager.audit.house import House
from tests.manager.floors import ACCOUNTING, AUDITOR, DAY, EXECUTIVE, START, badge
from tests.manager.store.stores import SqlStore
from tests.manager.store.test_manager import until

FORKED = "two copies of the journal were played on"


def opened(folder: Path, keys: Path, now: int) -> House:
    return House(f"sqlite:///{folder / 'house.db'}", keys, snapshot_every=10, now=now)


def deposit(manager: Manager, key: str) -> None:
    manager.call(Envelope(key, ACCOUNTING, RecordDeposit("L1", 1_000, key, badge(EXECUTIVE))))


def anchored(keys: Path) -> Mark:
    found = read_anchor(keys)
    assert found is not None
    return found


@pytest.fixture
def live(tmp_path: Path) -> House:
    """A house with some play, at rest."""
    (tmp_path / "live").mkdir()
    house = opened(tmp_path / "live", tmp_path / "keys", START)
    house.set_up()
    house.play_felt()
    house.close()
    return house


def copied(house: House, folder: Path, *, keys: bool = False) -> House:
    """A copy of a house at rest that is served beside it, by default with the same key folder."""
    folder.mkdir()
    shutil.copy2(house.url.removeprefix("sqlite:///"), folder / "house.db")
    if keys:
        shutil.copytree(house.keys, folder / "keys")
    return opened(folder, folder / "keys" if keys else house.keys, house.now)


def fork_of(house: House, tmp_path: Path, *, archived: bool) -> tuple[str, Mark]:
    """The address of a longer copy, played on elsewhere with copied keys, and what the anchor saw of the true one."""
    other = copied(house, tmp_path / "fork", keys=True)
    for _ in range(8):
        other.play_felt({5: "royal-flush"})
    if archived:
        other.pass_days(60)
        other.play_felt()
        archive_before(
            other.url, other.keys, other.now - 40 * DAY, tmp_path / "fork.jsonl", AUDITOR, clock=lambda: other.now
        )
    other.close()
    house = opened(tmp_path / "live", house.keys, house.now)
    house.play_felt({2: "straight-flush"})
    house.close()
    seen = anchored(house.keys)
    with open_view(other.url) as view:
        first, last = view.bounds()
        assert last > seen.seq
        assert (seen.seq < first) == archived
    return other.url, seen


def test_a_copy_that_is_served_beside_the_journal_stops_whichever_the_anchor_did_not_see(
    live: House, tmp_path: Path
) -> None:
    (tmp_path / "beside").mkdir()
    shutil.copy2(tmp_path / "live" / "house.db", tmp_path / "beside" / "house.db")
    second = f"sqlite:///{tmp_path / 'beside' / 'house.db'}"
    # Both start before either raises the anchor, which both have seen.
    with (
        raising_held(live.keys) as release,
        open_manager(live.url, live.keys, clock=lambda: live.now) as true,
        open_manager(second, live.keys, clock=lambda: live.now) as beside,
    ):
        for number in range(5):
            deposit(true, f"true {number}")
        release()
        # Whichever raises it first, the other one stops, also if it has more events or does nothing at all.
        until(lambda: "damaged" in {true.health()["state"], beside.health()["state"]})
        (stopped,) = [each for each in (true, beside) if each.health()["state"] == "damaged"]
        going, url = (beside, second) if stopped is true else (true, live.url)
        assert stopped.health()["faults"][0]["code"] == "journal-damaged"
        with pytest.raises(JournalDamagedError):
            deposit(stopped, "after the fork")
        deposit(going, "goes on")
        told = going.mark()
    # Both have ended: the anchor is that of the one which it saw.
    assert anchored(live.keys) == told
    with pytest.raises(JournalDamagedError):
        open_manager(live.url if url == second else second, live.keys, create=False)
    open_manager(url, live.keys, create=False, clock=lambda: live.now).close()


@contextmanager
def raising_held(keys: Path) -> Iterator[Callable[[], None]]:
    """Keep everybody from raising an anchor until they are let."""
    handle = os.open(keys / "anchor.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(handle, fcntl.LOCK_EX)
    try:
        yield lambda: fcntl.flock(handle, fcntl.LOCK_UN)
    finally:
        os.close(handle)


def test_a_manager_that_ends_never_raises_the_anchor_over_another_history(live: House, tmp_path: Path) -> None:
    other = copied(live, tmp_path / "beside", keys=True)
    other.play_felt()
    # The live journal goes on, and its anchor is put beside the copy's keys while that still runs.
    house = opened(tmp_path / "live", live.keys, live.now)
    deposit(house.manager, "the true one")
    house.close()
    seen = anchored(live.keys)
    until(lambda: anchored(other.keys).seq == other.manager.seen().seq)
    write_anchor(other.keys, seen)
    other.close()
    assert anchored(other.keys) == seen
    with pytest.raises(JournalDamagedError, match=FORKED):
        open_manager(other.url, other.keys, create=False)


@pytest.mark.parametrize("archived", [False, True], ids=["rows", "archived"])
def test_a_longer_fork_in_place_of_the_journal_is_found_everywhere(
    live: House, tmp_path: Path, *, archived: bool
) -> None:
    url, seen = fork_of(live, tmp_path, archived=archived)
    with pytest.raises(JournalDamagedError, match=FORKED):
        open_manager(url, live.keys, create=False)
    assert anchored(live.keys) == seen, "the anchor stays as it was"
    for check in (True, False):
        with pytest.raises(JournalDamagedError, match=FORKED):
            make_backup(url, live.keys, tmp_path / "monday", check=check)
    with pytest.raises(JournalDamagedError, match=FORKED):
        copy_database(url, f"sqlite:///{tmp_path / 'new.db'}", trust_in(live.keys))
    with open_view(url) as view:
        now = view.event(view.bounds()[1])
        assert now is not None
        day = gaming_day_at(view, now.at)
        with pytest.raises(JournalDamagedError, match=FORKED):
            read_days(view, day, day, now.at, trust_in(live.keys))
    report = audited(url, live.keys)
    assert [(each.table, each.row, each.problem) for each in report.findings] == [
        ("anchor", str(seen.seq), "witness-differs")
    ]
    # A client that saw the true one does not work with the fork either.
    memory = Memory()
    memory.keep(seen)
    with open_manager(url, tmp_path / "fork" / "keys", create=False) as manager:
        assert not memory.agrees(told_by(manager, seen.seq))
        assert manager.shown_mark(seen, "C-T1") == "lost"


def audited(url: str, keys: Path, *witnesses: Witness) -> AuditReport:
    with open_view(url) as view:
        return verify_database(view, trust_in(keys), witnesses=witnesses)


def told_by(manager: Manager, seq: int) -> dict[str, Any]:
    past = manager.past(seq)
    return {"journal": manager.journal_id, "first": past.first, "hash": past.hash, "recoveries": []}


def test_who_has_seen_an_archived_event_is_told_that_the_journal_had_it(store: SqlStore, tmp_path: Path) -> None:
    house = House(store.url, store.keys_folder, snapshot_every=10)
    house.set_up()
    house.restart()
    seen = anchored(house.keys)
    for _ in range(70):
        house.play_felt({5: "royal-flush"})
    house.pass_days(60)
    house.play_felt()
    with open_view(house.url) as view:
        known = [(event.seq, event.hash) for event in view.events()]
    archived = archive_before(
        house.url, house.keys, house.now - 40 * DAY, tmp_path / "old.jsonl", AUDITOR, clock=lambda: house.now
    )
    assert archived.up_to > 256, "more than one tile of leaves"
    memory = Memory()
    memory.keep(seen)
    assert memory.agrees(told_by(house.manager, seen.seq))
    assert house.manager.shown_mark(seen, "C-T1") == "known"
    with open_view(house.url) as view:
        assert [(seq, view.hash_at(seq)) for seq, _ in known] == known
        assert (view.hash_at(0), view.hash_at(view.bounds()[1] + 1)) == (None, None)
    house.close()
    # An old anchor, as a restored key folder has it, is in the journal, and the manager starts.
    write_anchor(house.keys, seen)
    report = audited(house.url, house.keys, Witness(seen.seq, seen.hash[:16]), Witness(seen.seq + 1, "0" * 16))
    assert [(each.table, each.row, each.problem) for each in report.findings] == [
        ("witness", str(seen.seq + 1), "witness-differs")
    ]
    assert not [note for note in report.notes if "where this audit began" in note]
    house.restart()
    house.close()
    assert anchored(house.keys).seq > archived.seq
