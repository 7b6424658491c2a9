"""One manager and several: answers after the commit, views of what is committed, events to all, once and in order."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest

from houseway.errors import InputError
from houseway.manager.core.records import Event, SentKey, canonical
from houseway.manager.store.keys import create_keys
from houseway.manager.store.manager import Manager, open_manager
from houseway.manager.store.marks import read_anchor
from houseway.manager.store.memory_journal import MemoryJournal
from houseway.manager.store.store_errors import StoreRefusedError, StoreUnavailableError, UnexpectedError
from houseway.manager.store.writer import Answer
from tests.manager.store.acts import Fail, Hide, Peek, Write, do, moved, people
from tests.manager.store.stores import Clock, SqlStore, check_chain, check_ledger, check_snapshots


def until(holds: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait for something that other threads bring about."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.005)


def balance(manager: Manager, account: str = "tray/T1") -> int:
    return manager.view(lambda floor: floor.balances.get(account, 0))


def test_a_command_is_answered_when_it_is_written(store: SqlStore) -> None:
    manager = store.manager()
    manager.call(people())
    answer = manager.call(moved("k", 5))
    assert answer.answer["balance"] == 5
    assert [event.seq for event in store.events()] == list(range(1, answer.seq + 1))
    assert balance(manager) == 5


def test_a_refusal_is_raised(store: SqlStore) -> None:
    manager = store.manager()
    with pytest.raises(InputError, match="is not on duty here"):
        manager.call(moved("k"))


def test_the_first_event_tells_what_runs(store: SqlStore) -> None:
    manager = store.manager()
    (first,) = store.events()
    assert first.kind == "system.started"
    assert all(part in first.body for part in ("paytables", "game/fortune", "software/houseways", store.keys.public))
    assert manager.health()["state"] == "serving"
    assert manager.health()["seq"] == 1


def test_many_commands_at_once_share_transactions(store: SqlStore) -> None:
    manager = store.manager()
    manager.call(people())
    futures = [manager.submit(moved(f"k{number}")) for number in range(600)]
    wait(futures, timeout=60)
    assert sorted(future.result().answer["balance"] for future in futures) == list(range(1, 601))
    check_chain(store.events())
    assert check_ledger(store.transfers())["tray/T1"] == 600
    (signed,) = store.sql("SELECT count(*) FROM checkpoints")[0]
    assert signed < 200


def test_a_repeat_behind_its_original_is_answered_the_same(store: SqlStore) -> None:
    manager = store.manager()
    manager.call(people())
    futures = [manager.submit(moved(f"k{number // 4}")) for number in range(400)]
    answers = [future.result(60) for future in futures]
    for place in range(0, 400, 4):
        first, *others = answers[place : place + 4]
        assert {answer.seq for answer in others} == {first.seq}
        assert [answer.repeated for answer in (first, *others)] == [False, True, True, True]
    assert check_ledger(store.transfers())["tray/T1"] == 100


def test_a_cancelled_command_is_not_carried_out(store: SqlStore) -> None:
    manager = store.manager()
    manager.call(people())
    futures = [manager.submit(moved(f"k{number}")) for number in range(300)]
    cancelled = {number for number, future in enumerate(futures) if number % 3 == 0 and future.cancel()}
    wait(futures, timeout=60)
    written = {event.key for event in store.events()}
    assert written == {"people", *(f"k{n}" for n in range(300) if n not in cancelled)} | {
        event.key for event in store.events() if event.kind == "system.started"
    }


def test_a_view_never_shows_what_is_not_committed() -> None:
    journal, clock = MemoryJournal(), Clock()
    with Manager(journal, None, clock=clock) as manager:
        manager.call(people())
        seen: list[tuple[int, int]] = []
        stop = threading.Event()

        def look() -> None:
            while not stop.is_set():
                held = manager.view_at(lambda seq, floor: (seq, floor.balances.get("tray/T1", 0)))
                seen.append((held[0], held[1]))
                # Each event moves one: what is seen is exactly what so many events make, and they are in the journal.
                assert held[1] == held[0] - 1
                assert len(journal.events) >= held[0]

        watcher = threading.Thread(target=look)
        watcher.start()
        wait([manager.submit(moved(f"k{number}")) for number in range(500)], timeout=60)
        stop.set()
        watcher.join()
    assert seen == sorted(seen)


def test_a_fault_of_one_command_stops_no_other(store: SqlStore) -> None:
    manager = store.manager()
    manager.call(people())
    too_large = [("round", {"round": "T1-1", "table": "T1", "number": 2**70})]
    futures: list[Future[Answer]] = [
        manager.submit(envelope)
        for envelope in (moved("a"), do("bad", Write(too_large)), do("fail", Fail()), moved("b"), moved("c"))
    ]
    wait(futures, timeout=60)
    assert [isinstance(future.exception(), UnexpectedError) for future in futures] == [False, True, True, False, False]
    assert check_ledger(store.transfers())["tray/T1"] == 3
    assert manager.health()["state"] == "serving"
    assert manager.call(moved("d")).answer["balance"] == 4


class TestSubscribers:
    def test_each_event_once_and_in_order_in_every_process(self, store: SqlStore) -> None:
        managers = [store.manager() for _ in range(3)]
        heard: list[list[Event]] = [[], [], []]
        for manager, events in zip(managers, heard, strict=True):
            manager.subscribe(events.extend, after=0)
        managers[0].call(people())
        futures = [managers[number % 3].submit(moved(f"k{number}")) for number in range(200)]
        wait(futures, timeout=60)
        total = len(store.events())
        until(lambda: all(len(events) == total for events in heard))
        for events in heard:
            assert [event.seq for event in events] == list(range(1, total + 1))
            check_chain(events)

    def test_from_now_on_or_from_a_number_on(self, store: SqlStore) -> None:
        manager = store.manager()
        last = manager.call(people()).seq
        heard: dict[str, list[int]] = {"now": [], "old": [], "ahead": []}
        manager.subscribe(lambda events: heard["now"].extend(event.seq for event in events))
        manager.subscribe(lambda events: heard["old"].extend(event.seq for event in events), after=last - 1)
        manager.subscribe(lambda events: heard["ahead"].extend(event.seq for event in events), after=last + 1)
        until(lambda: heard["old"] == [last])
        for number in range(3):
            manager.call(moved(f"k{number}"))
        until(lambda: len(heard["old"]) == 4 and len(heard["now"]) == 3 and len(heard["ahead"]) == 2)
        assert heard["now"] == [last + 1, last + 2, last + 3]
        assert heard["ahead"] == [last + 2, last + 3]

    def test_a_failing_one_harms_nobody(self, sqlite_store: SqlStore, caplog: pytest.LogCaptureFixture) -> None:
        manager = sqlite_store.manager()
        heard: list[int] = []

        def fail(_: list[Event]) -> None:
            raise ZeroDivisionError

        manager.subscribe(fail)
        manager.subscribe(lambda events: heard.extend(event.seq for event in events))
        manager.call(people())
        until(lambda: len(heard) == 1)
        assert [record.levelname for record in caplog.records] == ["CRITICAL"]
        health = manager.health()
        assert (health["state"], [fault["path"] for fault in health["faults"]]) == ("impaired", ["subscriptions"])

    def test_and_it_ends_when_it_is_told_to(self, sqlite_store: SqlStore) -> None:
        manager = sqlite_store.manager()
        first: list[int] = []
        second: list[int] = []
        end = manager.subscribe(lambda events: first.extend(event.seq for event in events))
        manager.subscribe(lambda events: second.extend(event.seq for event in events))
        manager.call(people())
        until(lambda: len(second) == 1)
        end()
        manager.call(moved("k"))
        until(lambda: len(second) == 2)
        assert len(first) == 1

    def test_the_news_of_another_process_is_there_soon(self, store: SqlStore) -> None:
        writing, watching = store.manager(), store.manager()
        writing.call(people())
        until(lambda: watching.health()["seq"] == writing.health()["seq"], seconds=5.0)
        writing.call(moved("k", 7))
        until(lambda: balance(watching) == 7, seconds=5.0)


class TestSeveral:
    def test_they_take_turns_without_a_fork(self, store: SqlStore) -> None:
        managers = [store.manager(snapshot_every=25) for _ in range(3)]
        managers[0].call(people())

        def press(manager: Manager, who: int) -> None:
            for number in range(30):
                manager.call(moved(f"{who}-{number}"))

        threads = [
            threading.Thread(target=press, args=(managers[number % 3], number), name=f"table {number}")
            for number in range(12)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        check_chain(store.events())
        assert check_snapshots(store.events()) > 10
        assert check_ledger(store.transfers())["tray/T1"] == 360
        expected = canonical(store.writer().engine.floor.snapshot())
        for manager in managers:
            until(lambda manager=manager: balance(manager) == 360)
            assert manager.view(lambda floor: canonical(floor.snapshot())) == expected

    def test_seeds_go_round(self, store: SqlStore) -> None:
        first, second = store.manager(), store.manager()
        first.call(people())
        for number in range(4):
            hides, peeks = (first, second) if number % 2 else (second, first)
            hides.call(do(f"h{number}", Hide(f"T{number}")))
            assert peeks.call(do(f"p{number}", Peek(f"T{number}"))).answer == {"bytes": 32}
            peeks.call(do(f"f{number}", Hide(f"T{number}", forget=True)))
            with pytest.raises(InputError, match="no seed"):
                hides.call(do(f"q{number}", Peek(f"T{number}")))

    def test_a_retry_at_another_process_is_a_repeat(self, store: SqlStore) -> None:
        first, second = store.manager(), store.manager()
        first.call(people())
        one = first.call(moved("k", 5))
        other = second.call(moved("k", 5))
        assert (other.seq, other.hash, other.answer, other.repeated) == (one.seq, one.hash, one.answer, True)
        with pytest.raises(InputError, match="another command"):
            second.call(moved("k", 6))


class TestAway:
    @pytest.fixture
    def journal(self) -> MemoryJournal:
        return MemoryJournal()

    @pytest.fixture
    def manager(self, journal: MemoryJournal) -> Any:
        with Manager(journal, None, clock=Clock(), doubt_seconds=1.0) as manager:
            manager.call(people())
            yield manager

    @pytest.mark.parametrize("step", ["begin", "append"])
    def test_nothing_is_acknowledged_and_it_comes_back(
        self, manager: Manager, journal: MemoryJournal, step: Any
    ) -> None:
        journal.fail_at(step)
        with pytest.raises(StoreUnavailableError, match="repeating the command under the same key is safe"):
            manager.call(moved("k", 5))
        until(lambda: manager.health()["state"] == "serving")
        assert balance(manager) == 0
        assert manager.call(moved("k", 5)).answer["balance"] == 5

    @pytest.mark.parametrize("happened", [True, False])
    def test_a_commit_in_doubt_is_answered_from_the_journal(
        self, manager: Manager, journal: MemoryJournal, *, happened: bool
    ) -> None:
        journal.fail_at("after-commit" if happened else "before-commit")
        future = manager.submit(moved("k", 5))
        if happened:
            answer = future.result(20)
            assert (answer.answer["balance"], answer.repeated) == (5, False)
        else:
            with pytest.raises(StoreUnavailableError, match="before the command was written"):
                future.result(20)
        until(lambda: manager.health()["state"] == "serving")
        assert balance(manager) == (5 if happened else 0)
        assert manager.call(moved("k", 5)).repeated == happened

    def test_while_it_is_away_everybody_is_told_at_once(self, manager: Manager, journal: MemoryJournal) -> None:
        journal.away = True
        with pytest.raises(StoreUnavailableError):
            manager.call(moved("k"))
        until(lambda: manager.health()["state"] == "paused")
        assert manager.health()["faults"][0]["code"] == "store-unavailable"
        with pytest.raises(StoreUnavailableError):
            manager.call(moved("k"), timeout=0.5)
        with pytest.raises(StoreUnavailableError):
            balance(manager)
        journal.away = False
        until(lambda: manager.health()["state"] == "serving")
        assert manager.call(moved("k")).answer["balance"] == 1

    def test_a_doubt_does_not_last_for_ever(self, manager: Manager, journal: MemoryJournal) -> None:
        journal.fail_at("after-commit")
        keep = journal.commit

        def commit_and_go_away() -> None:
            journal.commit = keep  # type: ignore[method-assign]
            try:
                keep()
            finally:
                journal.away = True

        journal.commit = commit_and_go_away  # type: ignore[method-assign]
        with pytest.raises(StoreUnavailableError, match="not known yet"):
            manager.submit(moved("k", 5)).result(20)
        journal.away = False
        until(lambda: manager.health()["state"] == "serving")
        assert manager.call(moved("k", 5)).repeated

    def test_commands_behind_the_failed_one_are_lost_with_it(self, manager: Manager, journal: MemoryJournal) -> None:
        for number in range(20):
            journal.fail_at("append")
            futures = [manager.submit(moved(f"{number}-{place}")) for place in range(40)]
            wait(futures, timeout=20)
            until(lambda: manager.health()["state"] == "serving")
        acknowledged = sum(event.kind == "test.move" for event in journal.events)
        assert balance(manager) == acknowledged == len(journal.transfers)
        check_chain(journal.events)

    def test_events_are_heard_once_across_a_gap(self, manager: Manager, journal: MemoryJournal) -> None:
        heard: list[int] = []
        manager.subscribe(lambda events: heard.extend(event.seq for event in events), after=0)
        for number in range(12):
            if number % 3 == 0:
                journal.fail_at("after-commit" if number % 2 else "append")
            try:
                manager.call(moved(f"k{number}"))
            except StoreUnavailableError:
                until(lambda: manager.health()["state"] == "serving")
                manager.call(moved(f"k{number}"))
        until(lambda: len(heard) == len(journal.events))
        assert heard == [event.seq for event in journal.events]
        assert balance(manager) == 12


class TestClosing:
    def test_what_was_handed_in_is_carried_out(self, store: SqlStore) -> None:
        manager = store.manager()
        manager.call(people())
        futures = [manager.submit(moved(f"k{number}")) for number in range(300)]
        manager.close()
        assert all(future.result(0).answer for future in futures)
        with pytest.raises(StoreUnavailableError, match="closed"):
            manager.call(moved("late"))

    def test_it_leaves_the_anchor_where_the_journal_ends(self, store: SqlStore) -> None:
        manager = store.manager()
        manager.call(people())
        manager.close()
        anchor = read_anchor(store.keys_folder)
        assert anchor is not None
        assert (anchor.seq, anchor.hash) == store.journal().head()

    def test_the_anchor_follows_while_it_runs(self, sqlite_store: SqlStore) -> None:
        manager = sqlite_store.manager()
        last = manager.call(people()).seq
        until(lambda: (anchor := read_anchor(sqlite_store.keys_folder)) is not None and anchor.seq == last)

    def test_nobody_waits_for_ever(self, sqlite_store: SqlStore) -> None:
        manager = sqlite_store.manager()
        manager.call(people())
        futures: list[Future[Answer]] = []

        def press() -> None:
            futures.extend(manager.submit(moved(f"k{number}")) for number in range(2000))

        thread = threading.Thread(target=press)
        thread.start()
        manager.close()
        thread.join()
        done, waiting = wait(futures, timeout=20)
        assert not waiting
        acknowledged = [future for future in done if future.exception() is None]
        assert len(sqlite_store.events()) == 2 + len(acknowledged)


class TestOpening:
    def test_an_empty_database_gets_a_journal(self, tmp_path: Path) -> None:
        create_keys(tmp_path / "keys")
        url = f"sqlite:///{tmp_path / 'new.db'}"
        with open_manager(url, tmp_path / "keys") as manager:
            assert manager.health()["seq"] == 1
        assert (tmp_path / "new.db").stat().st_mode & 0o077 == 0

    def test_on_postgresql_too(self, postgres_url: str, tmp_path: Path) -> None:
        create_keys(tmp_path / "keys")
        with open_manager(postgres_url, tmp_path / "keys") as manager:
            assert manager.health()["seq"] == 1

    @pytest.mark.parametrize("kind", ["sqlite", "postgres"])
    def test_several_processes_may_begin_at_once(
        self, kind: str, request: pytest.FixtureRequest, tmp_path: Path
    ) -> None:
        create_keys(tmp_path / "keys")
        url = f"sqlite:///{tmp_path / 'new.db'}" if kind == "sqlite" else request.getfixturevalue("postgres_url")
        with ThreadPoolExecutor(4) as pool:
            managers = [pool.submit(open_manager, url, tmp_path / "keys") for _ in range(4)]
            opened = [manager.result() for manager in managers]
        for manager in opened:
            until(lambda manager=manager: manager.health()["seq"] == 4)
            manager.close()

    def test_but_not_if_it_may_not_create_one(self, tmp_path: Path) -> None:
        create_keys(tmp_path / "keys")
        with pytest.raises(StoreRefusedError) as refused:
            open_manager(f"sqlite:///{tmp_path / 'new.db'}", tmp_path / "keys", create=False)
        assert refused.value.faults[0].code == "journal-missing"
        assert not (tmp_path / "new.db").exists()

    def test_a_mistyped_database_is_not_taken_for_a_new_one(self, sqlite_store: SqlStore, tmp_path: Path) -> None:
        sqlite_store.manager().close()
        with pytest.raises(StoreRefusedError) as refused:
            open_manager(f"sqlite:///{tmp_path / 'mistyped.db'}", sqlite_store.keys_folder)
        assert refused.value.faults[0].code == "journal-missing"
        assert not (tmp_path / "mistyped.db").exists()

    @pytest.mark.parametrize(
        "url",
        ["mysql://x/y", "nonsense", "sqlite://", "sqlite:///:memory:", "sqlite:////nowhere/at/all.db"],
    )
    def test_an_address_of_nothing_is_refused(self, url: str, tmp_path: Path) -> None:
        create_keys(tmp_path / "keys")
        with pytest.raises(StoreRefusedError):
            open_manager(url, tmp_path / "keys")

    def test_a_server_that_is_not_there(self, tmp_path: Path) -> None:
        create_keys(tmp_path / "keys")
        with pytest.raises(StoreUnavailableError, match="PostgreSQL"):
            open_manager(f"postgresql://nobody@/house?host={tmp_path}", tmp_path / "keys")

    def test_keys_of_another_journal_are_refused(self, store: SqlStore, tmp_path: Path) -> None:
        store.manager().close()
        create_keys(tmp_path / "others")
        with pytest.raises(StoreRefusedError) as refused:
            open_manager(store.url, tmp_path / "others")
        assert refused.value.faults[0].code == "wrong-keys"

    def test_a_journal_that_is_not_these_keys(self, sqlite_store: SqlStore, tmp_path: Path) -> None:
        sqlite_store.manager().close()
        (sqlite_store.keys_folder / "anchor.json").rename(tmp_path / "anchor.json")
        with open_manager(f"sqlite:///{tmp_path / 'other.db'}", sqlite_store.keys_folder):
            pass
        with pytest.raises(StoreRefusedError) as refused:
            open_manager(sqlite_store.url, sqlite_store.keys_folder)
        assert refused.value.faults[0].code == "wrong-journal"

    def test_a_file_that_is_no_database(self, tmp_path: Path) -> None:
        create_keys(tmp_path / "keys")
        (tmp_path / "text.db").write_text("this is no database at all, but long enough to be taken for one\n" * 100)
        with pytest.raises(InputError, match="not a database"):
            open_manager(f"sqlite:///{tmp_path / 'text.db'}", tmp_path / "keys")


def test_a_command_by_its_key(store: SqlStore) -> None:
    manager = store.manager()
    manager.call(people())
    answer = manager.call(moved("k", 5))
    found = manager.find(SentKey(None, "k"))
    assert found is not None
    assert (found.seq, found.kind) == (answer.seq, "test.move")
    assert manager.find(SentKey(None, "other")) is None
    assert manager.find(SentKey("C1", "k")) is None
