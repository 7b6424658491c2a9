"""Health tells the truth: `serving` means that a command in order would be carried out now."""

from __future__ import annotations

import time

import pytest

from houseway.errors import InputError
from houseway.manager.store import sqlite
from houseway.manager.store.journal import Batch
from houseway.manager.store.manager import RETRY_SECONDS, Manager
from houseway.manager.store.store_errors import RowRefusedError, UnexpectedError
from houseway.manager.store.tally import IN_FULL, WINDOW
from tests.manager.store.acts import Fail, Write, do, moved, people
from tests.manager.store.stores import Clock, SqlStore
from tests.manager.store.test_manager import until
from tests.manager.store.test_migrations import ROWS
from tests.manager.store.test_sqlite import fill, long_move


def told(manager: Manager) -> tuple[str, list[str]]:
    """The state, and the codes of what stands against commands."""
    health = manager.health()
    return health["state"], [fault["code"] for fault in health["faults"]]


def limit(manager: Manager, pages: int) -> None:
    manager._journal._connection.execute(f"PRAGMA max_page_count = {pages}")  # type: ignore[attr-defined]


def test_a_full_disk_is_told_until_something_can_be_written(sqlite_store: SqlStore) -> None:
    """The journal can still be read, so reading it is no sign that the store is back."""
    manager = sqlite_store.manager()
    manager.call(people())
    limit(manager, 1)
    fill(lambda number: manager.call(long_move(number)))
    ends = time.monotonic() + 4 * RETRY_SECONDS
    states = set()
    while time.monotonic() < ends:
        states.add((told(manager)[0], *told(manager)[1]))
        time.sleep(0.01)
    assert states == {("paused", "store-unavailable")}
    with pytest.raises(InputError, match="disk is full"):
        manager.call(moved("k"))
    limit(manager, 2**30)
    until(lambda: told(manager) == ("serving", []))
    assert manager.call(moved("k")).answer["balance"]
    (resumed,) = [event for event in sqlite_store.events() if event.kind == "system.resumed"]
    assert "disk is full" in resumed.body


def test_a_disk_that_is_nearly_full_is_told_before_anybody_presses(
    sqlite_store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = sqlite_store.manager()
    manager.call(people())
    monkeypatch.setattr(sqlite, "LEAST_ROOM", 2**62)
    until(lambda: told(manager) == ("paused", ["store-unavailable"]))
    assert "bytes are left" in manager.health()["faults"][0]["message"]
    monkeypatch.undo()
    until(lambda: told(manager) == ("serving", []))
    assert manager.call(moved("k")).answer["balance"] == 1


def test_a_clock_that_is_behind_at_the_start_is_told(sqlite_store: SqlStore) -> None:
    clock = Clock()
    with sqlite_store.manager(clock=clock) as manager:
        manager.call(people())
        manager.call(moved("k1"))
    clock.now -= 3_600_000_000
    with sqlite_store.manager(clock=clock) as manager:
        assert told(manager) == ("paused", ["clock-went-back"])
        with pytest.raises(InputError):
            manager.call(moved("k2"))
        clock.now += 3_600_000_000
        assert told(manager) == ("serving", [])
        assert manager.call(moved("k2")).answer["balance"] == 2


def refusing(monkeypatch: pytest.MonkeyPatch, manager: Manager, step: str, kind: str = "") -> None:
    """Let the store refuse the rows of events of a kind, or whatever it is handed."""
    journal = manager._journal
    honest = getattr(journal, step)

    def refuse(*given: Batch) -> None:
        if not kind or any(event.kind == kind for batch in given for event in batch.events):
            raise RowRefusedError("UNIQUE constraint failed: transfers.reason")
        honest(*given)

    monkeypatch.setattr(journal, step, refuse)


def test_a_row_that_the_store_refuses_is_told_until_one_like_it_is_written(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other commands are carried out meanwhile, and hide nothing."""
    manager = store.manager()
    manager.call(people())
    refusing(monkeypatch, manager, "append", "test.move")
    group = [manager.submit(moved("k1")), manager.submit(do("rows", Write(ROWS)))]
    assert isinstance(group[0].exception(20), UnexpectedError)
    assert group[1].result(20).seq
    until(lambda: told(manager) == ("impaired", ["row-refused"]))
    (fault,) = manager.health()["faults"]
    assert fault["path"] == "test.move"
    assert "transfers.reason" in fault["message"]
    manager.call(people("more"))
    assert told(manager) == ("impaired", ["row-refused"])
    monkeypatch.undo()
    assert told(manager) == ("impaired", ["row-refused"])
    manager.call(moved("k1"))
    assert told(manager) == ("serving", [])


def test_counted_attempts_that_the_store_refuses_are_told(
    sqlite_store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = sqlite_store.manager()
    manager.call(people())
    for number in range(IN_FULL + 1):
        with pytest.raises(InputError):
            manager.call(do(f"a{number}", Fail(), actor="Stranger"))
    refusing(monkeypatch, manager, "append", "system.refused")
    sqlite_store.clock.now += WINDOW
    until(lambda: told(manager) == ("impaired", ["row-refused"]))
    monkeypatch.undo()
    until(lambda: told(manager) == ("serving", []))


def test_a_commit_that_the_store_refuses_is_told_until_something_was_written(
    sqlite_store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = sqlite_store.manager()
    manager.call(people())
    refusing(monkeypatch, manager, "commit")
    with pytest.raises(UnexpectedError):
        manager.call(moved("k"))
    ends = time.monotonic() + 3 * RETRY_SECONDS
    states = set()
    while time.monotonic() < ends:
        states.add(told(manager)[0])
        time.sleep(0.01)
    assert states == {"paused"}
    monkeypatch.undo()
    until(lambda: told(manager) == ("serving", []))
    assert manager.call(moved("k")).answer["balance"] == 1
