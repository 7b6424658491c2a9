"""Records of old archives, whose own events were archived since: altered, added or deleted, they are missed."""

from __future__ import annotations

import pytest

from houseway.errors import InputError
from houseway.manager.commands.system_commands import RowsArchived
from houseway.manager.core.engine import SYSTEM, Envelope
from houseway.manager.store import schema
from houseway.manager.store.head_making import HeadBook
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.reading import open_view
from houseway.manager.store.repair import repair
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.manager.store.trust import trust_in
from tests.manager.store.acts import moved, people
from tests.manager.store.stores import SqlStore

OF_THE_FIRST = "WHERE up_to = (SELECT min(up_to) FROM archives)"
HARM = {
    "another file": (f"UPDATE archives SET file_digest = '{'0' * 64}' {OF_THE_FIRST}", "altered"),
    "another hash": (f"UPDATE archives SET hash = '{'0' * 64}' {OF_THE_FIRST}", "altered"),
    "another event": (f"UPDATE archives SET seq = seq + 1 {OF_THE_FIRST}", "altered"),
    "deleted": (f"DELETE FROM archives {OF_THE_FIRST}", "missing"),
    "added": (f"INSERT INTO archives VALUES (1, 2, '{'0' * 64}', '{'0' * 64}')", "extra"),
}
"""What somebody does to the record of an old archive, and what an audit calls it."""


def archive(store: SqlStore, name: str) -> int:
    """Move events away up to the newest stored state; returns the number."""
    snapshot = store.journal().latest_snapshot()
    assert snapshot is not None
    store.writer().carry_out([Envelope(name, SYSTEM, RowsArchived(snapshot.seq, "d" * 64, snapshot.hash))])
    HeadBook(store.url, store.keys).keep_leaves(snapshot.seq)
    journal = store.journal()
    journal.begin()
    assert journal.prune(snapshot.seq)
    journal.commit()
    return snapshot.seq


@pytest.fixture
def archived(store: SqlStore) -> SqlStore:
    """A journal of which two parts were archived, the record of the first among the second."""
    for name in ("one", "two"):
        with store.manager(snapshot_every=4) as manager:
            if name == "one":
                manager.call(people())
            for number in range(6):
                manager.call(moved(f"{name}-{number}"))
        up_to = archive(store, name)
    assert store.sql("SELECT min(seq), count(*) FROM archives")[0] <= (up_to, 2)
    return store


def told(store: SqlStore) -> list[tuple[str, str, str]]:
    with open_view(store.url) as view:
        report = verify_database(view, trust_in(store.keys_folder))
    return [(each.table, each.row, each.problem) for each in report.findings]


def test_a_record_of_an_old_archive_is_held_to_the_chain(archived: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a running manager, by an audit and by a start; the repair makes it again."""
    monkeypatch.setattr("houseway.manager.store.postgres.GUARD_SECONDS", 0)
    rows = archived.sql("SELECT * FROM archives ORDER BY up_to")
    assert told(archived) == []
    for name, (harm, problem) in HARM.items():
        row = 1 if name == "added" else rows[0][0]
        manager = archived.manager()
        # Nothing keeps anybody from adding a row; for the rest the guards are taken off and put back.
        (archived.sql if name == "added" else archived.tamper)(harm)
        head = archived.journal().head()
        with pytest.raises(JournalDamagedError) as running:
            manager.call(moved(name))
        assert (manager.health()["state"], archived.journal().head()) == ("damaged", head)
        manager.close()
        assert told(archived) == [("archives", str(row), problem)], name
        with pytest.raises(JournalDamagedError) as starting:
            archived.manager()
        assert {caught.value.faults[0].path for caught in (running, starting)} == {f"archives[{row}]"}
        if name != "added":
            archived.tamper("DELETE FROM archives")
            for each in rows:
                archived.sql("INSERT INTO archives VALUES (:up_to, :seq, :file_digest, :hash)", **each._mapping)
            assert told(archived) == []
    assert repair(archived.url, archived.keys_folder, by="Technician 2", reason="a false record") == {"archives": 1}
    assert told(archived) == []


def test_a_false_record_lets_no_events_go_unseen(store: SqlStore) -> None:
    """The guards let rows go up to the highest record, and anybody who may write adds one."""
    with store.manager(snapshot_every=4) as manager:
        manager.call(people())
        for number in range(6):
            manager.call(moved(f"a{number}"))
    store.sql(f"INSERT INTO archives VALUES (3, 4, '{'0' * 64}', '{'0' * 64}')")
    for table in ("checkpoints", "transfers", "events"):
        store.sql(f"DELETE FROM {table} WHERE seq <= 3")
    assert ("archives", "3", "extra") in told(store)
    with pytest.raises(JournalDamagedError, match="no event records this archive"):
        store.manager()


def test_archives_go_forward(store: SqlStore) -> None:
    """Events that were archived once are not recorded again under another file."""
    with store.manager() as manager:
        manager.call(people())
        manager.call(moved("a"))
        manager.call(Envelope("one", SYSTEM, RowsArchived(2, "d" * 64, "h" * 64)))
        for up_to in (1, 2):
            with pytest.raises(InputError, match="behind event 2"):
                manager.call(Envelope(f"again-{up_to}", SYSTEM, RowsArchived(up_to, "e" * 64, "h" * 64)))
    assert store.sql(f"SELECT count(*) FROM {schema.archives.name}")[0][0] == 1


@pytest.mark.parametrize(
    ("harm", "row"),
    [
        ("UPDATE tiles SET hashes = zeroblob(8192) WHERE width = 256 AND number = 0", "0/0/256"),
        ("UPDATE tiles SET hashes = zeroblob(width * 32) WHERE width < 256", "0/1/{width}"),
        ("UPDATE tiles SET root = zeroblob(32) WHERE width < 256", "0/1/{width}"),
    ],
)
def test_the_leaves_of_archived_events_are_held_to_the_signed_heads(
    sqlite_store: SqlStore, harm: str, row: str
) -> None:
    """They stand nowhere else, and without them no proof of an archived award can be made."""
    for name in ("one", "two"):
        writer = sqlite_store.writer(snapshot_every=150)
        writer.carry_out([people(f"people-{name}")])
        for group in range(2):
            writer.carry_out([moved(f"{name}-{group}-{number}") for number in range(150)])
        archive(sqlite_store, name)
    assert told(sqlite_store) == []
    ((width,),) = sqlite_store.sql("SELECT width FROM tiles WHERE width < 256 AND number = 1")
    sqlite_store.tamper(harm)
    found = told(sqlite_store)
    assert ("tiles", row.format(width=width), "altered") in found
