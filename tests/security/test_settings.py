"""Whoever may set parameters of a database or a user changes nothing of what the journal writes or reads."""

from __future__ import annotations

from typing import Final

import psycopg
import pytest

from houseway.manager.store import postgres, urls
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.reading import open_view
from houseway.manager.store.sql import SqlJournal
from houseway.manager.store.store_errors import JournalDamagedError, StoreUnavailableError
from houseway.manager.store.trust import trust_in
from tests.manager.store.acts import Write, do, moved, people
from tests.manager.store.stores import SqlStore, check_chain, check_ledger
from tests.manager.store.test_manager import until
from tests.manager.store.test_migrations import ROWS

HOSTILE: Final = {
    "array_nulls": "off",
    "backslash_quote": "on",
    "bytea_output": "escape",
    "client_encoding": "SQL_ASCII",
    "datestyle": "'German, DMY'",
    "default_transaction_deferrable": "on",
    "default_transaction_isolation": "'repeatable read'",
    "default_transaction_read_only": "on",
    "exit_on_error": "on",
    "extra_float_digits": "-15",
    "idle_in_transaction_session_timeout": "1",
    "idle_session_timeout": "7000",
    "ignore_checksum_failure": "on",
    "intervalstyle": "sql_standard",
    "lock_timeout": "1",
    "quote_all_identifiers": "on",
    "row_security": "on",
    "search_path": "elsewhere, public",
    "session_replication_role": "replica",
    "standard_conforming_strings": "off",
    "statement_timeout": "7000",
    "synchronous_commit": "off",
    "timezone": "'Asia/Tokyo'",
    "transform_null_equals": "on",
    "xmlbinary": "hex",
    "xmloption": "document",
    "zero_damaged_pages": "on",
}


def set_for_all(store: SqlStore, settings: dict[str, str]) -> None:
    name = urls.parsed(store.url).database
    store.sql("; ".join(f'ALTER DATABASE "{name}" SET {setting} = {value}' for setting, value in settings.items()))


def shown(store: SqlStore) -> list[dict[str, str]]:
    """What both kinds of connection go by."""
    found = []
    for for_journal in (True, False):
        with postgres.connect(postgres.conninfo(store.url), for_journal=for_journal) as connection:
            told = {name: connection.execute(f"SHOW {name}").fetchone() for name in HOSTILE}
        found.append({name: value[0] for name, value in told.items() if value is not None})
    return found


def test_no_setting_of_a_database_reaches_the_journal(postgres_store: SqlStore) -> None:
    """Nulls were stored as texts, rows came as bytes, two writers refused each other."""
    before = shown(postgres_store)
    set_for_all(postgres_store, HOSTILE)
    assert shown(postgres_store) == before
    with postgres_store.manager() as one, postgres_store.manager() as other:
        one.call(people())
        sent = [manager.submit(moved(f"k{number}")) for number in range(5) for manager in (one, other)]
        assert all(future.result(20) for future in sent)
    check_chain(postgres_store.events())
    check_ledger(postgres_store.transfers())
    with open_view(postgres_store.url) as view:
        report = verify_database(view, trust_in(postgres_store.keys_folder))
        assert report.is_clean, report.findings


def test_a_setting_that_only_an_administrator_takes_off_is_told(postgres_store: SqlStore) -> None:
    set_for_all(postgres_store, {"session_replication_role": "replica"})
    postgres_store.sql("DROP ROLE IF EXISTS nobody")
    postgres_store.sql("CREATE ROLE nobody LOGIN")
    url = urls.parsed(postgres_store.url).set(username="nobody").render_as_string(hide_password=False)
    with pytest.raises(StoreUnavailableError, match="RESET session_replication_role"):
        postgres.connect(postgres.conninfo(url))


ALTERED: Final = {
    "events": "NEW.device := 'NULL'",
    "transfers": "NEW.reason := 'another'",
    "rounds": "NEW.dealer := 'another'",
    "hits": "NEW.cents := 1",
    "checkpoints": "NEW.key_id := 'another'",
}


@pytest.mark.parametrize("table", ALTERED)
def test_rows_that_were_altered_on_their_way_are_not_acknowledged(
    postgres_store: SqlStore, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    """As many rows as were sent, with the hashes that were sent, and another content."""
    monkeypatch.setattr(SqlJournal, "check_guards", lambda _: None)
    manager = postgres_store.manager()
    manager.call(people())
    body = f"$$BEGIN {ALTERED[table]}; RETURN NEW; END$$"
    postgres_store.sql(f"CREATE FUNCTION evil() RETURNS trigger LANGUAGE plpgsql AS {body}")
    postgres_store.sql(f"CREATE TRIGGER evil BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION evil()")
    with pytest.raises(JournalDamagedError, match="not there as it was written") as damaged:
        manager.call(moved("k") if table == "transfers" else do("rows", Write(ROWS)))
    assert damaged.value.row.startswith(f"{table}[")
    assert manager.health()["state"] == "damaged"


def test_a_lock_that_somebody_else_holds_is_told(postgres_store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any login may take the advisory lock: nothing hangs in silence, and all goes on when it is given back."""
    monkeypatch.setattr(postgres, "_SETTINGS", f"{postgres._SETTINGS}; SET lock_timeout = '200ms'")
    manager = postgres_store.manager()
    manager.call(people())
    with psycopg.connect(postgres_store.url, autocommit=True) as holder:
        holder.execute("SELECT pg_advisory_lock(%s)", (postgres.LOCK,))
        with pytest.raises(StoreUnavailableError):
            manager.call(moved("k"))
        health = manager.health()
        assert (health["state"], "lock" in health["faults"][0]["message"]) == ("paused", True)
    until(lambda: manager.health()["state"] == "serving")
    assert manager.call(moved("k")).repeated is False
