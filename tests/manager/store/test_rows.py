"""Rows that are not what they should be are told by table and row, never by a bare error of the program."""

from __future__ import annotations

import pytest

from houseway.manager.core.records import canonical, digest
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.reading import open_view
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.manager.store.trust import trust_in
from tests.manager.store.acts import moved, people
from tests.manager.store.stores import SqlStore

BOGUS = {
    "an empty object": b"{}",
    "no object": b"[]",
    "no JSON": b"\xff\xfe",
    "balances that are none": canonical({"entities": {}, "balances": {"a": "b"}, "last_at": 1}),
    "an unknown kind": canonical({"entities": {"ghost": {}}, "balances": {}, "last_at": 1}),
    "an entity that is none": canonical({"entities": {"person": {"x": 1}}, "balances": {}, "last_at": 1}),
}


@pytest.mark.parametrize("bogus", BOGUS)
def test_a_bogus_snapshot_is_named(sqlite_store: SqlStore, bogus: str) -> None:
    with sqlite_store.manager(snapshot_every=5) as manager:
        manager.call(people())
        for number in range(6):
            manager.call(moved(f"k{number}"))
    state = BOGUS[bogus]
    ((last,),) = sqlite_store.sql("SELECT max(seq) FROM events")
    sqlite_store.tamper(
        "INSERT INTO snapshots (digest, seq, hash, state) VALUES (:digest, :seq, :hash, :state)",
        digest=digest(state), seq=last, hash="0" * 64, state=state,
    )  # fmt: skip
    with pytest.raises(JournalDamagedError) as damaged:
        sqlite_store.manager()
    assert damaged.value.row == f"snapshots[{digest(state)}]"
    with open_view(sqlite_store.url) as view:
        findings = verify_database(view, trust_in(sqlite_store.keys_folder)).findings
    of_rows = {(each.row, each.problem) for each in findings if each.table == "snapshots"}
    assert of_rows == {(digest(state), "extra"), (digest(state), "unreadable")}
    assert not [each for each in findings if each.table == "store"]


def test_what_is_noted_about_the_journal_is_missed_by_name(sqlite_store: SqlStore) -> None:
    with sqlite_store.manager() as manager:
        manager.call(people())
    sqlite_store.tamper("DELETE FROM meta WHERE name = 'keys'")
    with pytest.raises(JournalDamagedError) as damaged:
        sqlite_store.manager()
    assert damaged.value.row == "meta[keys]"
