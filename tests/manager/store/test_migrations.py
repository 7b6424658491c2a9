"""The tables' history runs both ways on both stores, with a journal in them, and ends where the software expects."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import inspect, text

from houseway.manager.store import migrations, schema, urls
from houseway.manager.store.head_making import HeadBook
from houseway.manager.store.store_errors import StoreRefusedError
from tests.manager.store.acts import Hide, Write, do, moved, people
from tests.manager.store.stores import SqlStore, check_chain, check_ledger, intruder

ROWS = [
    ("round", {"round": "T1-1", "table": "T1", "number": 1, "held": False, "started_at": 5}),
    ("line", {"round": "T1-1", "table": "T1", "line": 1, "seat": 3, "hand": "flush", "returned_cents": 500}),
    ("hit", {"award": "A1", "link": "L1", "cents": 7}),
]


def keep_some_sums(store: SqlStore) -> None:
    """Keep sums of the whole journal, as if it were a day that has ended."""
    last = store.events()[-1]
    journal = store.journal()
    journal.begin()
    journal.keep_sums([(last.seq, "staff", 0, last.hash, b"[]")])
    journal.commit()


@pytest.fixture
def played(store: SqlStore) -> SqlStore:
    """A journal with something in every table."""
    with store.manager(snapshot_every=4) as manager:
        manager.call(people())
        for number in range(8):
            manager.call(moved(f"k{number}", number + 1))
        manager.call(do("rows", Write(ROWS)))
        manager.call(do("hide", Hide("T1-1")))
    HeadBook(store.url, store.keys).renew()
    keep_some_sums(store)
    return store


def contents(store: SqlStore) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table."""
    with intruder(store.url).connect() as connection:
        return {
            name: sorted((tuple(row) for row in connection.execute(text(f"SELECT * FROM {name}"))), key=str)
            for name in schema.TABLES
            if inspect(connection).has_table(name)
        }


def indexes(store: SqlStore) -> set[str]:
    with intruder(store.url).connect() as connection:
        looking = inspect(connection)
        return {str(index["name"]) for name in looking.get_table_names() for index in looking.get_indexes(name)}


def guards(store: SqlStore) -> set[str]:
    if store.is_sqlite:
        return {row[0] for row in store.sql("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
    return {row[0] for row in store.sql("SELECT tgname FROM pg_trigger WHERE NOT tgisinternal")} | {
        row[0] for row in store.sql("SELECT proname FROM pg_proc WHERE proname LIKE 'houseway%'")
    }


def test_down_and_up_again_keeps_every_row(played: SqlStore) -> None:
    before, there = contents(played), indexes(played)
    assert all(before[name] for name in schema.TABLES if name not in ("archives", "tiles"))
    migrations.downgrade(played.url, "v1_0001")
    assert migrations.current(played.url) == "v1_0001"
    tree = {name: before.pop(name) for name in ("tiles", "heads")}
    before.pop("day_sums")
    assert contents(played) == before
    assert "events_by_time" in there - indexes(played)
    migrations.upgrade(played.url)
    assert migrations.current(played.url) == migrations.revisions()[-1]
    assert contents(played) == before | {"tiles": [], "heads": [], "day_sums": []}
    assert indexes(played) == there
    HeadBook(played.url, played.keys).renew()
    assert contents(played) == before | tree | {"day_sums": []}, "the same events have the same head"
    with played.manager() as manager:
        assert manager.call(moved("after")).answer["balance"] == 37
    check_chain(played.events())
    check_ledger(played.transfers())


def test_leaves_of_archived_events_go_only_by_force(played: SqlStore) -> None:
    played.sql("INSERT INTO archives VALUES (3, 5, 'f', 'h')")
    with pytest.raises(StoreRefusedError) as refused:
        migrations.downgrade(played.url, "v1_0002")
    assert refused.value.faults[0].code == "data-would-be-lost"
    assert migrations.current(played.url) == migrations.revisions()[-1]
    migrations.downgrade(played.url, "v1_0002", force=True)
    migrations.downgrade(played.url, "v1_0001")


def test_down_to_nothing_only_by_force(played: SqlStore) -> None:
    with pytest.raises(StoreRefusedError) as refused:
        migrations.downgrade(played.url, "base")
    assert refused.value.faults[0].code == "data-would-be-lost"
    assert played.events()
    played.close()
    migrations.downgrade(played.url, "base", force=True)
    assert migrations.current(played.url) is None
    assert not migrations.check_revision(played.url)
    assert guards(played) == set()
    migrations.upgrade(played.url)
    assert played.events() == []
    assert guards(played) == set(schema.guards(schema.Namespace("sqlite" if played.is_sqlite else "postgresql")))


def test_an_empty_journal_may_go(store: SqlStore) -> None:
    migrations.downgrade(store.url, "base")
    assert migrations.current(store.url) is None
    migrations.downgrade(store.url, "base")
    migrations.upgrade(store.url)
    assert migrations.check_revision(store.url)


def test_the_migrated_tables_are_those_of_the_software(store: SqlStore) -> None:
    with intruder(store.url).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []
        looking = inspect(connection)
        for table in schema.metadata.sorted_tables:
            wanted = {str(check.name) for check in table.constraints if str(check.name).startswith(f"{table.name}_")}
            checks = {str(check["name"]) for check in looking.get_check_constraints(table.name)}
            assert checks == {name for name in wanted if "pkey" not in name} - {"checkpoints_seq"}
    assert guards(store) == set(schema.guards(schema.Namespace("sqlite" if store.is_sqlite else "postgresql")))


def test_sqlite_tables_are_strict(sqlite_store: SqlStore) -> None:
    strict = {row[1]: row[5] for row in sqlite_store.sql("PRAGMA table_list") if row[1] in schema.TABLES}
    assert strict == dict.fromkeys(schema.TABLES, 1)


def test_each_revision_follows_the_one_before() -> None:
    assert list(migrations.revisions()) == sorted(migrations.revisions())
    assert migrations.revisions()[0] == "v1_0001"


def test_a_failed_upgrade_leaves_nothing(tmp_path: Path) -> None:
    """A table of the same name is in the way: what was made before it is gone again."""
    url = f"sqlite:///{tmp_path / 'other.db'}"
    with urls.engine_at(url, create=True).begin() as connection:
        connection.execute(text("CREATE TABLE lines (a INTEGER)"))
    with pytest.raises(Exception, match="already exists"):
        migrations.upgrade(url)
    with urls.engine_at(url).connect() as connection:
        assert inspect(connection).get_table_names() == ["lines"]
