"""Rows are added and never changed: the databases themselves refuse it, each table in each way."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import DBAPIError

from houseway.errors import InputError
from houseway.manager.commands.system_commands import RowsArchived
from houseway.manager.core.engine import SYSTEM, Envelope
from houseway.manager.store import schema
from houseway.manager.store.head_making import HeadBook
from houseway.manager.store.store_errors import RowRefusedError
from tests.manager.store.acts import Hide, Write, do, moved, people
from tests.manager.store.stores import SqlStore, check_chain
from tests.manager.store.test_migrations import ROWS, keep_some_sums

FIRST_COLUMN = {name: next(iter(schema.metadata.tables[name].columns)).name for name in schema.TABLES}


@pytest.fixture
def played(store: SqlStore) -> SqlStore:
    """A journal with something in every table."""
    with store.manager(snapshot_every=4) as manager:
        manager.call(people())
        for number in range(8):
            manager.call(moved(f"k{number}"))
        manager.call(do("rows", Write(ROWS)))
        manager.call(do("hide", Hide("T1-1")))
        snapshot = store.journal().latest_snapshot()
        assert snapshot is not None
        manager.call(Envelope("archive", SYSTEM, RowsArchived(snapshot.seq - 5, "d" * 64, "h" * 64)))
    HeadBook(store.url, store.keys).keep_leaves(snapshot.seq - 5)
    keep_some_sums(store)
    return store


@pytest.mark.parametrize("table", schema.TABLES)
def test_no_row_is_ever_changed(played: SqlStore, table: str) -> None:
    column = FIRST_COLUMN[table]
    with pytest.raises(DBAPIError, match="never changed"):
        played.sql(f"UPDATE {table} SET {column} = {column}")


@pytest.mark.parametrize("table", [*schema.ARCHIVED_TABLES, *schema.KEPT_TABLES])
def test_no_row_is_deleted(played: SqlStore, table: str) -> None:
    before = played.sql(f"SELECT count(*) FROM {table}")
    with pytest.raises(DBAPIError, match=r"never (changed or )?deleted"):
        played.sql(f"DELETE FROM {table}")
    assert played.sql(f"SELECT count(*) FROM {table}") == before


@pytest.mark.parametrize("table", schema.TABLES)
def test_no_table_is_emptied_on_postgresql(postgres_store: SqlStore, table: str) -> None:
    with pytest.raises(DBAPIError, match="never changed or deleted"):
        postgres_store.sql(f"TRUNCATE {table} CASCADE")


def test_no_row_is_replaced_on_sqlite(sqlite_store: SqlStore) -> None:
    """REPLACE deletes without asking, unless triggers are told to watch it."""
    sqlite_store.writer().carry_out([people()])
    with pytest.raises(DBAPIError, match="never deleted"):
        sqlite_store.sql("INSERT OR REPLACE INTO events SELECT * FROM events")


def test_seeds_may_go(played: SqlStore) -> None:
    played.sql("DELETE FROM secrets")
    assert played.journal().secrets() == {}


def test_rows_go_only_up_to_the_recorded_archive(played: SqlStore) -> None:
    up_to = int(played.sql("SELECT max(up_to) FROM archives")[0][0])
    with pytest.raises(DBAPIError, match="never"):
        played.sql(f"DELETE FROM transfers WHERE seq <= {up_to + 1}")
    played.sql(f"DELETE FROM transfers WHERE seq <= {up_to}")
    assert played.sql("SELECT min(seq) FROM transfers")[0][0] > up_to


def test_an_archive_is_recorded_by_its_event(played: SqlStore) -> None:
    ((up_to, seq, file_digest, hash_),) = played.sql("SELECT up_to, seq, file_digest, hash FROM archives")
    event = next(event for event in played.events() if event.seq == seq)
    assert (event.key, up_to, file_digest, hash_) == ("archive", up_to, "d" * 64, "h" * 64)


@pytest.mark.parametrize("up_to", [0, -1, 10**6])
def test_only_older_events_can_be_archived(sqlite_store: SqlStore, up_to: int) -> None:
    writer = sqlite_store.writer()
    writer.carry_out([people()])
    (refused,) = writer.carry_out([Envelope("archive", SYSTEM, RowsArchived(up_to, "d" * 64, "h" * 64))])
    assert isinstance(refused, InputError)
    assert refused.faults[0].code == "out-of-range"


def test_pruning_leaves_a_journal_that_can_be_read(store: SqlStore) -> None:
    writer = store.writer(snapshot_every=4)
    writer.carry_out([people()])
    for number in range(10):
        writer.carry_out([moved(f"k{number}")])
    snapshot = store.journal().latest_snapshot()
    assert snapshot is not None
    journal = store.journal()
    with pytest.raises((InputError, RowRefusedError)):
        journal.prune(snapshot.seq)
    writer.carry_out([Envelope("archive", SYSTEM, RowsArchived(snapshot.seq, "d" * 64, snapshot.hash))])
    with pytest.raises(InputError, match="in no tile"):
        journal.prune(snapshot.seq)
    HeadBook(store.url, store.keys).keep_leaves(snapshot.seq)
    journal.begin()
    journal.prune(snapshot.seq)
    journal.commit()
    left = list(journal.events_after(0))
    assert left[0].seq == snapshot.seq + 1
    again = store.writer()
    assert again.engine.floor.balances == writer.engine.floor.balances
    again.carry_out([moved("more")])
    events = list(journal.events_after(0))
    assert events[0].follows(snapshot.hash)
    with pytest.raises(AssertionError):
        check_chain(events)
