"""An index that leaves rows out under an honest definition hides no round from an audit."""

from __future__ import annotations

import pytest

from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.reading import open_view
from houseway.manager.store.trust import trust_in
from tests.manager.store.acts import moved, people
from tests.manager.store.stores import SqlStore


def found(store: SqlStore) -> list[tuple[str, str, str]]:
    with open_view(store.url) as view:
        findings = verify_database(view, trust_in(store.keys_folder)).findings
    return [(each.table, each.row, each.message) for each in findings]


@pytest.fixture
def played(postgres_store: SqlStore) -> SqlStore:
    with postgres_store.manager() as manager:
        manager.call(people())
        for number in range(3):
            manager.call(moved(f"k{number}"))
    return postgres_store


def leave_out(store: SqlStore) -> None:
    store.sql("DROP INDEX events_by_kind")
    store.sql("CREATE INDEX events_by_kind ON events (kind, seq) WHERE seq <> 2")
    store.sql("UPDATE pg_index SET indpred = NULL WHERE indexrelid = 'events_by_kind'::regclass")


def test_an_index_that_leaves_a_row_out_is_found(played: SqlStore) -> None:
    """The server's administrator took its condition off, so that its definition is the journal's own."""
    assert found(played) == []
    leave_out(played)
    ((table, name, message),) = found(played)
    assert (table, name) == ("index", "events_by_kind")
    rows = len(played.events())
    assert f"leads to {rows - 1} of {rows} rows" in message


def test_an_index_that_is_sorted_otherwise_is_found(played: SqlStore) -> None:
    """As after an upgrade of the system that compares texts in another way: here the other way round."""
    played.sql("DROP INDEX events_by_time")
    played.sql("CREATE INDEX events_by_time ON events (at DESC, seq DESC)")
    played.sql("UPDATE pg_index SET indoption = '0 0' WHERE indexrelid = 'events_by_time'::regclass")
    ((table, name, message),) = found(played)
    assert (table, name) == ("index", "events_by_time")
    assert "not in order" in message


def test_amcheck_is_asked_where_it_is_installed(played: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    played.sql("CREATE EXTENSION amcheck")
    assert found(played) == []
    leave_out(played)
    monkeypatch.setattr("houseway.manager.store.index_audit._compared", lambda *_: None)
    ((table, name, message),) = found(played)
    assert (table, name) == ("index", "events_by_kind")
    assert "amcheck reports" in message
