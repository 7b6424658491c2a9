"""PostgreSQL as a store: a server that is killed, connections that are cut, a missing driver."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import wait
from pathlib import Path
from typing import Any

import psycopg
import pytest

from houseway.errors import MissingPartError
from houseway.manager.core.records import SentKey
from houseway.manager.store import migrations, postgres
from houseway.manager.store.manager import Manager
from houseway.manager.store.store_errors import RowRefusedError, StoreUnavailableError
from tests.manager.postgres import PostgresServer
from tests.manager.store.acts import do, moved, people
from tests.manager.store.stores import SqlStore, check_chain, check_ledger
from tests.manager.store.test_manager import balance, until


def test_without_its_driver_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingPartError, match=r"pip install houseway\[postgres\]"):
        migrations.current("postgresql://nobody@/house")


def test_every_commit_is_on_the_disk(postgres_store: SqlStore) -> None:
    connection = postgres.connect(postgres.conninfo(postgres_store.url))
    (found,) = connection.execute("SHOW synchronous_commit").fetchone()
    connection.close()
    assert found == "on"


def explained(journal: postgres.PostgresJournal, keys: list[SentKey]) -> list[Any]:
    ((question, values),) = journal._questions(keys)
    return journal._rows(f"EXPLAIN {question.decode()}", values)


def test_indexes_are_used_from_the_first_event_on(postgres_store: SqlStore) -> None:
    """A plan that reads the whole table is cheap while it is small, and kept when it is not any more."""
    writer = postgres_store.writer()
    writer.carry_out([people()])
    for number in range(10):
        writer.carry_out([moved(f"k{number}")])
    journal = postgres_store.journal()
    assert isinstance(journal, postgres.PostgresJournal)
    plans = {
        "start": journal._rows(f"EXPLAIN {journal._sql.start}", (3,)),
        "after": journal._rows(f"EXPLAIN {journal._sql.after}", (3, 10)),
        "keys": explained(journal, [SentKey("C1", "k1"), SentKey("C2", "k2")]),
        "own keys": explained(journal, [SentKey(None, "k1"), SentKey(None, "k2")]),
        "odd keys": explained(journal, [SentKey("C1", "k\x1f1")]),
        "odd own keys": explained(journal, [SentKey(None, "")]),
        "checkpoint": journal._rows(f"EXPLAIN {journal._sql.checkpoint}"),
        "snapshot": journal._rows(f"EXPLAIN {journal._sql.snapshot}"),
    }
    for name, plan in plans.items():
        assert not any("Seq Scan" in row[0] for row in plan), (name, plan)


@pytest.mark.parametrize("device", [None, "C1"])
@pytest.mark.parametrize("key", ["", "a\x1fb", "a\x1eb"])
def test_keys_that_no_manager_writes_are_found_too(postgres_store: SqlStore, key: str, device: str | None) -> None:
    """Texts go to the server joined, unless one holds what stands between them."""
    writer = postgres_store.writer()
    writer.carry_out([people()])
    postgres_store.sql(
        "INSERT INTO events SELECT 99, at, :key, input_hash, actor, :device, kind, body, salt, leaf, hash FROM events",
        key=key,
        device=device,
    )
    wanted = SentKey(device, key)
    assert {each: event.seq for each, event in postgres_store.journal().by_keys([wanted]).items()} == {wanted: 99}


@pytest.mark.parametrize(("setting", "value"), [("max_parallel_workers_per_gather", "0"), ("jit", "off")])
def test_nothing_is_started_for_the_few_rows_at_the_end(postgres_store: SqlStore, setting: str, value: str) -> None:
    """With statistics of a grown table PostgreSQL plans helpers for a third of it: 30 ms a group."""
    assert postgres_store.journal()._rows(f"SHOW {setting}") == [(value,)]


def test_a_lost_connection_is_made_again(postgres_store: SqlStore) -> None:
    manager = postgres_store.manager()
    manager.call(people())
    postgres_store.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
    refused = 0
    while manager.find(SentKey(None, "k")) is None:
        try:
            assert manager.call(moved("k", 5)).answer["balance"] == 5
        except StoreUnavailableError as error:
            refused += "PostgreSQL" in str(error)
            time.sleep(0.05)
    assert 0 < refused < 100
    other = postgres_store.manager()
    heard: list[int] = []
    manager.subscribe(lambda events: heard.extend(event.seq for event in events))
    last = other.call(moved("other")).seq
    until(lambda: last in heard)


def test_a_connection_lost_in_mid_transaction_writes_nothing(postgres_store: SqlStore) -> None:
    writer = postgres_store.writer()
    writer.carry_out([people()])
    journal = writer.journal
    append = journal.append

    def cut(batch: object) -> None:
        append(batch)  # type: ignore[arg-type]
        backend = journal.backend  # type: ignore[attr-defined]
        postgres_store.sql("SELECT pg_terminate_backend(:backend)", backend=backend)

    journal.append = cut  # type: ignore[method-assign]
    with pytest.raises(StoreUnavailableError) as lost:
        writer.carry_out([moved("k")])
    assert lost.value.in_doubt
    journal.append = append  # type: ignore[method-assign]
    (answer,) = writer.carry_out([moved("k")])
    assert not getattr(answer, "repeated", True)
    assert len(postgres_store.events()) == 2


def test_another_writer_is_not_waited_for_for_ever(postgres_store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres, "_SETTINGS", "SET lock_timeout = '100ms'")
    holding, waiting = postgres_store.journal(), postgres_store.journal()
    holding.begin()
    with pytest.raises(StoreUnavailableError, match="lock timeout"):
        waiting.begin()
    waiting.rollback()
    holding.rollback()
    waiting.begin()
    waiting.rollback()


def test_rows_that_do_not_fit_are_told_from_a_store_that_is_away(postgres_store: SqlStore) -> None:
    journal = postgres_store.journal()
    journal.note("once", "a")
    with pytest.raises(RowRefusedError):
        journal.note("once", "b")


def test_a_commit_outside_a_transaction_is_no_commit(postgres_store: SqlStore) -> None:
    journal = postgres_store.journal()
    journal.close()
    with pytest.raises(StoreUnavailableError) as lost:
        journal.commit()
    assert lost.value.in_doubt


@pytest.fixture
def own_server() -> Iterator[PostgresServer]:
    """A server that the test may kill."""
    server = PostgresServer()
    yield server
    server.stop()


@pytest.mark.slow
def test_a_killed_server_loses_nothing_that_was_acknowledged(own_server: PostgresServer, tmp_path: Path) -> None:
    store = SqlStore(own_server.new_journal(), tmp_path / "keys")
    manager = store.manager()
    manager.call(people())
    acknowledged: set[str] = set()
    stop = threading.Event()

    def press(who: int, manager: Manager) -> None:
        number = 0
        while not stop.is_set():
            key = f"{who}-{number}"
            try:
                manager.call(moved(key))
            except StoreUnavailableError:
                time.sleep(0.02)
            else:
                acknowledged.add(key)
                number += 1

    threads = [threading.Thread(target=press, args=(who, manager)) for who in range(6)]
    for thread in threads:
        thread.start()
    for _ in range(3):
        before = len(acknowledged)
        until(lambda before=before: len(acknowledged) > before + 20)
        own_server.kill()
        until(lambda: manager.health()["state"] == "paused")
        own_server.start()
    until(lambda: manager.health()["state"] == "serving")
    stop.set()
    for thread in threads:
        thread.join()
    events = store.events()
    check_chain(events)
    moves = {event.key for event in events if event.kind == "test.move"}
    assert acknowledged <= moves
    # At most one command of each table was under way when the server died, and each of them was repeated.
    assert moves == acknowledged
    assert check_ledger(store.transfers())["tray/T1"] == len(moves) == balance(manager)
    store.close()


def test_commands_under_way_when_the_server_dies_are_answered_or_refused(
    own_server: PostgresServer, tmp_path: Path
) -> None:
    store = SqlStore(own_server.new_journal(), tmp_path / "keys")
    manager = store.manager()
    manager.call(people())
    futures = [manager.submit(moved(f"k{number}")) for number in range(200)]
    own_server.kill()
    futures += [manager.submit(moved(f"k{number}")) for number in range(200, 220)]
    own_server.start()
    done, waiting = wait(futures, timeout=60)
    assert not waiting
    assert all(isinstance(future.exception(), StoreUnavailableError | None) for future in done)
    answered = {number for number, future in enumerate(futures) if future.exception() is None}
    written = {int(event.key[1:]) for event in store.events() if event.kind == "test.move"}
    assert answered == written
    until(lambda: manager.health()["state"] == "serving")
    again = [manager.call(moved(f"k{number}")) for number in range(220)]
    assert [answer.repeated for answer in again] == [number in written for number in range(220)]
    assert check_ledger(store.transfers())["tray/T1"] == 220
    store.close()


def test_notifications_carry_the_last_event(postgres_store: SqlStore) -> None:
    with psycopg.connect(postgres.conninfo(postgres_store.url), autocommit=True) as listening:
        listening.execute(f"LISTEN {postgres.CHANNEL}")
        writer = postgres_store.writer()
        writer.carry_out([people(), moved("k1"), moved("k2")])
        heard = [notify.payload for notify in listening.notifies(timeout=60, stop_after=1)]
        writer.carry_out([do("nothing", moved("k1").do, actor="Nobody")])
    assert heard == ["3"]
