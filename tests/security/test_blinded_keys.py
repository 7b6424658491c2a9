"""Whoever blinds the index of keys has no command carried out twice: a process knows what it has done."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import pytest

from houseway.manager.store import sqlite, urls
from houseway.manager.store.chain import Follower
from houseway.manager.store.export import write_journal
from houseway.manager.store.findings import AuditFindings
from houseway.manager.store.journal_audit import verify_database, verify_file
from houseway.manager.store.manager import Manager
from houseway.manager.store.reading import open_view
from houseway.manager.store.sent_keys import SentKeys
from houseway.manager.store.sql import SqlJournal
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.manager.store.trust import trust_in
from houseway.manager.store.writer import Writer
from tests.manager.store.acts import Move, controllers, do, moved, people
from tests.manager.store.stores import SqlStore

DEVICE = do("from a device", Move("tray/T1", "house", 5), "device:C1", "C1")
OWN = moved("of its own", 7)
BY_KEY = {"events_key": DEVICE, "events_own_key": OWN}


def played(store: SqlStore) -> Manager:
    manager = store.manager()
    for envelope in (people(), controllers("C1"), DEVICE, OWN):
        manager.call(envelope)
    return manager


def point_elsewhere(store: SqlStore, index: str) -> None:
    """SQLite: let the index begin at an empty one, under its own definition."""
    raw = sqlite.connect(urls.sqlite_path(store.url))
    raw.execute("BEGIN IMMEDIATE")
    raw.execute("CREATE INDEX empty ON events (key, device) WHERE seq < 0")
    ((page,),) = raw.execute("SELECT rootpage FROM sqlite_master WHERE name = 'empty'").fetchall()
    raw.execute("PRAGMA writable_schema = ON")
    raw.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = ?", (page, index))
    raw.execute("DELETE FROM sqlite_master WHERE name = 'empty'")
    raw.execute(f"PRAGMA schema_version = {raw.execute('PRAGMA schema_version').fetchone()[0] + 1}")
    raw.execute("COMMIT")
    raw.close()


def take_out(store: SqlStore, index: str, key: str) -> None:
    """Take one entry out of the index, so that nothing but that entry is altered."""
    ((seq,),) = store.sql("SELECT seq FROM events WHERE key = :key", key=key)
    if not store.is_sqlite:
        columns, honest = ("key, device", "device IS NOT NULL") if index == "events_key" else ("key", "device IS NULL")
        store.sql(f"CREATE INDEX honest ON events ({columns}) WHERE {honest}")
        store.sql(f"DROP INDEX {index}")
        store.sql(f"CREATE UNIQUE INDEX {index} ON events ({columns}) WHERE {honest} AND seq <> {seq}")
        told = "(SELECT indpred FROM pg_index WHERE indexrelid = 'honest'::regclass)"
        store.sql(f"UPDATE pg_index SET indpred = {told} WHERE indexrelid = '{index}'::regclass")
        store.sql("DROP INDEX honest")
        return
    raw = sqlite.connect(urls.sqlite_path(store.url))
    ((before,),) = raw.execute("PRAGMA schema_version").fetchall()
    ((page,),) = raw.execute(f"SELECT rootpage FROM sqlite_master WHERE name = '{index}'").fetchall()
    columns = "key, device, seq" if index == "events_key" else "key, seq"
    raw.execute("BEGIN IMMEDIATE")
    raw.execute(f"CREATE TABLE alias ({columns}, PRIMARY KEY ({columns})) WITHOUT ROWID")
    raw.execute("PRAGMA writable_schema = ON")
    raw.execute("UPDATE sqlite_master SET rootpage = ? WHERE name = 'alias'", (page,))
    raw.execute("COMMIT")
    raw.execute(f"PRAGMA schema_version = {before + 10}")
    raw.close()
    raw = sqlite.connect(urls.sqlite_path(store.url))
    raw.execute("BEGIN IMMEDIATE")
    raw.execute("DELETE FROM alias WHERE key = ?", (key,))
    raw.execute("PRAGMA writable_schema = ON")
    raw.execute("DELETE FROM sqlite_master WHERE name = 'alias'")
    raw.execute(f"PRAGMA schema_version = {before}")
    raw.execute("COMMIT")
    raw.close()


@pytest.mark.parametrize("index", BY_KEY)
def test_a_running_manager_knows_what_it_has_done(store: SqlStore, index: str) -> None:
    manager, envelope = played(store), BY_KEY[index]
    first = manager.call(envelope)
    take_out(store, index, envelope.key)
    with pytest.raises(JournalDamagedError) as damaged:
        manager.call(envelope)
    assert damaged.value.row == f"events[{first.seq}]"
    assert manager.health()["state"] == "damaged"
    manager.close()
    assert len(store.sql("SELECT seq FROM events WHERE input_hash = :given", given=envelope.input_hash)) == 1
    with pytest.raises(JournalDamagedError):
        store.manager()


@pytest.mark.parametrize("index", [*BY_KEY, "events_by_time", "events_by_kind"])
def test_an_index_that_begins_elsewhere_is_named(sqlite_store: SqlStore, index: str) -> None:
    manager = played(sqlite_store)
    point_elsewhere(sqlite_store, index)
    with pytest.raises(JournalDamagedError) as damaged:
        manager.call(moved("another", 1))
    assert damaged.value.row == f"index[{index}]"
    manager.close()
    with pytest.raises(JournalDamagedError) as damaged:
        sqlite_store.manager()
    assert damaged.value.row == f"index[{index}]"


def test_an_audit_names_an_event_under_a_used_key(
    store: SqlStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a manager left it that went by the index alone: all is signed, and the index is an honest one again."""
    played(store).close()
    monkeypatch.setattr(SentKeys, "check", lambda *_: None)
    monkeypatch.setattr(SentKeys, "add_all", lambda *_: None)
    monkeypatch.setattr("houseway.manager.store.writer.check_found", lambda *_: None)
    store.sql("DROP INDEX events_own_key")
    store.sql("CREATE INDEX events_own_key ON events (key) WHERE device IS NULL")
    journal = store.journal()
    writer = Writer(journal, clock=store.clock, draw=os.urandom, keys=store.keys, journal_id=journal.meta()["journal"])
    monkeypatch.setattr(journal, "check_guards", lambda: None)
    monkeypatch.setattr(journal, "by_keys", lambda *_: {})
    monkeypatch.setattr(journal, "begin_group", partial(SqlJournal.begin_group, journal))
    (again,) = writer.carry_out([OWN])
    ((first,), _) = store.sql("SELECT seq FROM events WHERE key = :key ORDER BY seq", key=OWN.key)
    trust, file = trust_in(store.keys_folder), tmp_path / "journal.jsonl"
    with open_view(store.url) as view:
        found = [(each.row, each.message) for each in verify_database(view, trust).findings if each.table == "events"]
        write_journal(view, file, trust.hex_keys(), 1, view.bounds()[1])
    assert found == [(f"{again.seq}", f"event {first} was written under the same key: a command was carried out twice")]
    report = verify_file(file, trust)
    assert [(each.row, each.problem) for each in report.findings] == [(f"{again.seq}", "key-repeated")]


def test_the_keys_of_two_senders_are_two(store: SqlStore) -> None:
    manager = played(store)
    manager.call(do(DEVICE.key, DEVICE.do))
    manager.call(do(OWN.key, OWN.do, "device:C1", "C1"))
    manager.close()
    findings = AuditFindings(10)
    follower = Follower(findings)
    for event in store.events():
        follower.follow(event)
    assert findings.count == 0
    store.manager().close()


def test_the_latest_keys_are_kept_and_older_ones_go() -> None:
    kept = SentKeys(3)
    for seq in range(1, 8):
        kept.add_all([(("C1", f"{seq}"), seq)])
    assert [kept.seq_of(("C1", f"{seq}")) for seq in (1, 4, 7)] == [None, 4, 7]
    assert kept.seq_of((None, "7")) is None
    with pytest.raises(JournalDamagedError, match="event 7 was written under the same key"):
        kept.add_all([(("C1", "7"), 9)])
