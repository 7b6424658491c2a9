"""Refused attempts of a device are counted, and none is hidden: on both stores, over failures and to the end."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from houseway.errors import InputError
from houseway.manager.commands.system_commands import attempt
from houseway.manager.store import tally
from houseway.manager.store.store_errors import StoreUnavailableError
from houseway.manager.store.tally import AttemptTally
from tests.manager.store.acts import Fail, Move, do, moved, people
from tests.manager.store.stores import MemoryStore, SqlStore, check_chain

Store = SqlStore | MemoryStore


def stranger(number: int, actor: str = "Nobody", device: str = "C1") -> Any:
    return do(f"{device}/{actor}/{number}", Move("tray/T1", "house", 1), f"{actor} {number}", device)


def refused(store: Store) -> list[tuple[str | None, str, int]]:
    """Device, command and number of every record of refused attempts."""
    told = [json.loads(event.body)["do"] for event in store.events() if event.kind == "system.refused"]
    return [(one["device"], one["kind_of"], one.get("times", 1)) for one in told]


def test_a_flood_is_counted_and_hides_nobody(any_store: Store) -> None:
    writer = any_store.writer()
    writer.carry_out([people()])
    for number in range(40):
        writer.carry_out([stranger(10 * number + more) for more in range(10)])
    assert refused(any_store) == [("C1", "test.move", 1)] * 5
    # Another command of the same device, and another device, show at once.
    writer.carry_out([do("other", Fail(), "Nobody", "C1"), stranger(1, device="C2")])
    assert refused(any_store)[5:] == [("C1", "test.fail", 1), ("C2", "test.move", 1)]
    any_store.clock.now += tally.WINDOW
    writer.carry_out([moved("later")])
    assert refused(any_store)[7:] == [("C1", "test.move", 395)]
    check_chain(any_store.events())


def test_what_was_counted_with_a_group_that_was_not_written_is_counted_again() -> None:
    store = MemoryStore()
    writer = store.writer()
    writer.carry_out([people(), *(stranger(number) for number in range(5))])
    store.shared.fail_at("append")
    with pytest.raises(StoreUnavailableError):
        writer.carry_out([moved("k"), *(stranger(number) for number in range(5, 9))])
    writer.carry_out([stranger(number) for number in range(5, 9)])
    store.clock.now += tally.WINDOW
    writer.carry_out([moved("later")])
    assert refused(store) == [("C1", "test.move", 1)] * 5 + [("C1", "test.move", 4)]


def test_the_end_of_the_manager_leaves_no_count_behind(store: SqlStore) -> None:
    with store.manager() as manager:
        manager.call(people())
        for number in range(9):
            with pytest.raises(InputError):
                manager.call(stranger(number))
    assert [times for device, _, times in refused(store) if device == "C1"] == [1] * 5 + [4]


def test_an_idle_manager_writes_down_what_it_counted(store: SqlStore) -> None:
    with store.manager() as manager:
        manager.call(people())
        futures = [manager.submit(stranger(number)) for number in range(9)]
        assert all(future.exception(20) for future in futures)
        store.clock.now += tally.WINDOW
        until = time.monotonic() + 20
        while len(refused(store)) < 6 and time.monotonic() < until:
            time.sleep(0.1)
        assert [times for device, _, times in refused(store) if device == "C1"] == [1] * 5 + [4]


def test_many_sources_and_many_kinds_take_no_more_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "MOST_SOURCES", 20)
    monkeypatch.setattr(tally, "MOST_KINDS", 10)
    counted, tried = AttemptTally(), attempt("device:x", None, "hello", InputError.of("wrong-secret", "hello", "no"))
    full = sum(counted.take(f"from {n % 100}", (f"kind {n % 70}",), tried, n) for n in range(10_000))
    assert len(counted) <= (20 + 1) * (10 + 1)
    assert full <= (20 + 1) * tally.IN_FULL_OF_SOURCE
    assert full + sum(one.times for one in counted.due(0, every=True)) == 10_000
    assert len(counted) == 0
