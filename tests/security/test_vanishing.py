"""Whoever can write to the database and has no key lets no acknowledged event vanish: rows must be there to count."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import psycopg
import pytest

from houseway.errors import InputError
from houseway.manager.interface.client_memory import Memory
from houseway.manager.interface.contract import RefusedError
from houseway.manager.store import schema, sqlite, urls
from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.manager import Manager
from houseway.manager.store.marks import read_anchor
from houseway.manager.store.reading import open_view
from houseway.manager.store.repair import repair
from houseway.manager.store.sql import SqlJournal
from houseway.manager.store.store_errors import JournalDamagedError, StoreUnavailableError
from houseway.manager.store.trust import trust_in
from tests.manager.postgres import PostgresServer, programs
from tests.manager.server.house import House, built
from tests.manager.server.processes import Served
from tests.manager.store.acts import Hide, Move, do, moved, people
from tests.manager.store.stores import SqlStore
from tests.manager.store.test_manager import until
from tests.security.test_rollback import codes, enter

DROPPED = ("events", "transfers", "rounds", "lines", "hits", "checkpoints", "snapshots")
"""The tables whose inserts the attacker lets vanish."""


@pytest.fixture(scope="module")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> House:
    return built(tmp_path_factory.mktemp("pattern"))


def dropping(store: SqlStore, *tables: str) -> Callable[[], None]:
    """Let inserts vanish by triggers; returns what takes them off again."""
    if store.is_sqlite:
        for table in tables:
            store.sql(f"CREATE TRIGGER evil_{table} BEFORE INSERT ON {table} BEGIN SELECT RAISE(IGNORE); END")
        return lambda: [store.sql(f"DROP TRIGGER evil_{table}") for table in tables] and None
    store.sql("CREATE FUNCTION evil() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RETURN NULL; END$$")
    for table in tables:
        store.sql(f"CREATE TRIGGER evil_{table} BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION evil()")
    return lambda: store.sql("DROP FUNCTION evil() CASCADE") and None


def by_rules(store: SqlStore, *tables: str) -> Callable[[], None]:
    """The same by rules, which only PostgreSQL has."""
    for table in tables:
        store.sql(f"CREATE RULE evil_{table} AS ON INSERT TO {table} DO INSTEAD NOTHING")
    return lambda: [store.sql(f"DROP RULE evil_{table} ON {table}") for table in tables] and None


def refused_unwritten(store: SqlStore, manager: Manager, keys: list[str]) -> JournalDamagedError:
    """Commands are not acknowledged, the manager stops, and nothing was written; returns the fault."""
    head, balances = store.journal().head(), manager.view(lambda floor: dict(floor.balances))
    futures = [manager.submit(moved(key)) for key in keys]
    faults = [future.exception(20) for future in futures]
    assert [type(fault) for fault in faults] == [JournalDamagedError] * len(keys)
    health = manager.health()
    assert (health["state"], [fault["code"] for fault in health["faults"]]) == ("damaged", ["journal-damaged"])
    assert manager.last_known(lambda _, floor: dict(floor.balances)) == balances
    assert store.journal().head() == head
    manager.close()
    assert isinstance(faults[0], JournalDamagedError)
    return faults[0]


@pytest.mark.parametrize("commands", [1, 40])
def test_inserts_that_vanish_are_not_acknowledged(store: SqlStore, commands: int) -> None:
    """The attack as it was found; one command goes by another way into PostgreSQL than many do."""
    manager = store.manager()
    manager.call(people())
    undo = dropping(store, *DROPPED)
    fault = refused_unwritten(store, manager, [f"k{number}" for number in range(commands)])
    # PostgreSQL is asked for foreign triggers once a second; until then it is the rows that tell.
    assert ("evil_events" if store.is_sqlite else "took 0 of") in str(fault)
    with pytest.raises(JournalDamagedError, match="evil_events"):
        store.manager()
    undo()
    assert store.manager().call(moved("k0")).repeated is False, "whoever was not answered sends it again"


def test_inserts_that_rules_drop_are_not_acknowledged(postgres_store: SqlStore) -> None:
    manager = postgres_store.manager()
    manager.call(people())
    by_rules(postgres_store, *DROPPED)
    assert "took 0 of" in str(refused_unwritten(postgres_store, manager, ["k"]))


def blind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody has found a way past the look at triggers and rules: the rows themselves must tell."""
    monkeypatch.setattr(SqlJournal, "check_guards", lambda _: None)


@pytest.mark.parametrize("table", ["events", "transfers", "checkpoints", "secrets", "snapshots"])
@pytest.mark.parametrize("commands", [1, 40])
def test_the_rows_themselves_are_counted(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch, table: str, commands: int
) -> None:
    blind(monkeypatch)
    manager = store.manager(snapshot_every=4)
    manager.call(people())
    for number in range(3):
        manager.call(moved(f"before {number}"))
    # A signature without its event would break a foreign key.
    dropping(store, *(("events", "checkpoints") if table == "events" else (table,)))
    group = [manager.submit(moved(f"k{number}")) for number in range(commands)]
    group.append(manager.submit(do("hide", Hide("T1-1"))))
    refused = [future.exception(20) for future in group]
    assert isinstance(refused[-1], JournalDamagedError)
    assert refused[-1].row.startswith(f"{table}[")
    assert manager.health()["state"] == "damaged"


def test_what_would_be_done_at_the_commit_is_done_before_the_look(
    postgres_store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deferred trigger, and the guard taken off: all rows are there until the transaction ends."""
    blind(monkeypatch)
    manager = postgres_store.manager()
    manager.call(people())
    gone = " ".join(
        f"DELETE FROM public.{table} WHERE seq = NEW.seq;" for table in ("checkpoints", "transfers", "events")
    )
    for table in ("checkpoints", "transfers", "events"):
        postgres_store.sql(f"DROP TRIGGER {table}_no_delete ON {table}")
    postgres_store.sql(f"CREATE FUNCTION evil() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN {gone} RETURN NULL; END$$")
    postgres_store.sql(
        "CREATE CONSTRAINT TRIGGER evil AFTER INSERT ON events DEFERRABLE INITIALLY DEFERRED "
        "FOR EACH ROW EXECUTE FUNCTION evil()"
    )
    assert "is not there" in str(refused_unwritten(postgres_store, manager, ["k"]))


def test_rows_that_go_elsewhere_are_missed(postgres_store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that writes to another table reports as many rows as were sent: the last event is read back."""
    blind(monkeypatch)
    manager = postgres_store.manager()
    manager.call(people())
    postgres_store.sql("CREATE TABLE elsewhere (LIKE events)")
    postgres_store.sql("CREATE RULE evil AS ON INSERT TO events DO INSTEAD INSERT INTO elsewhere VALUES (NEW.*)")
    postgres_store.sql("ALTER TABLE checkpoints DROP CONSTRAINT checkpoints_seq")
    assert "is not there" in str(refused_unwritten(postgres_store, manager, ["k"]))


STRANGE = {
    "sqlite": {
        "trigger[mine]": "CREATE TRIGGER mine AFTER INSERT ON hits BEGIN SELECT 1; END",
        "view[mine]": "CREATE VIEW mine AS SELECT * FROM events",
        "trigger[events_no_delete]": "DROP TRIGGER events_no_delete",
        "index[mine]": "CREATE INDEX mine ON events (actor)",
        "index[events_by_kind]": "DROP INDEX events_by_kind",
        "table[mine]": "CREATE TABLE mine (seq INTEGER REFERENCES events (seq))",
        "table[hits]": "ALTER TABLE hits ADD COLUMN mine INTEGER DEFAULT 7",
        "table[lines]": "ALTER TABLE lines ADD COLUMN mine INTEGER CHECK (mine IS NOT NULL OR seat < 6)",
        "table[meta]": "ALTER TABLE meta ADD COLUMN mine TEXT GENERATED ALWAYS AS (abs(value)) VIRTUAL",
    },
    "postgresql": {
        "rule[mine]": "CREATE RULE mine AS ON INSERT TO secrets DO INSTEAD NOTHING",
        "view[mine]": "CREATE VIEW mine AS SELECT * FROM events",
        "trigger[meta_no_update]": "ALTER TABLE meta DISABLE TRIGGER meta_no_update",
        "trigger[events_no_delete]": "DROP TRIGGER events_no_delete ON events",
        "table[events]": "ALTER TABLE events ENABLE ROW LEVEL SECURITY",
        "table[hits]": "ALTER TABLE hits SET UNLOGGED",
        "policy[mine]": "CREATE POLICY mine ON hits FOR INSERT WITH CHECK (false)",
        "index[mine]": "CREATE INDEX mine ON events (actor)",
        "index[events_by_kind]": "DROP INDEX events_by_kind",
        "constraint[events.mine]": "ALTER TABLE events ADD CONSTRAINT mine CHECK (actor <> 'Dana') NOT VALID",
        "constraint[transfers.transfers_micros]": (
            "ALTER TABLE transfers DROP CONSTRAINT transfers_micros, "
            "ADD CONSTRAINT transfers_micros CHECK (micros > -9)"
        ),
        "constraint[checkpoints.checkpoints_seq]": "ALTER TABLE checkpoints DROP CONSTRAINT checkpoints_seq",
        "column[hits.mine]": "ALTER TABLE hits ADD COLUMN mine bigint GENERATED ALWAYS AS (1 / (cents - 5)) STORED",
        "column[hits.cents]": "ALTER TABLE hits ALTER COLUMN cents SET DEFAULT 7",
        "column[events.body]": "ALTER TABLE events ALTER COLUMN body SET STORAGE PLAIN",
        "statistics[mine]": "CREATE STATISTICS mine ON key, device FROM events",
        "sequence[mine]": "CREATE SEQUENCE mine",
        "column[rounds.held]": "ALTER TABLE rounds ALTER COLUMN held TYPE integer",
        "column[lines.seat]": "ALTER TABLE lines ALTER COLUMN seat SET NOT NULL",
        "trigger[houseway_archived]": "ALTER FUNCTION houseway_archived() SET search_path = elsewhere, public",
        "table[mine]": "CREATE TABLE mine (a bigint)",
        "table[secrets]": "ALTER TABLE secrets REPLICA IDENTITY NOTHING",
        "publication[mine]": "CREATE PUBLICATION mine FOR TABLE secrets",
    },
}
TOLD_AT_THE_START: Final = {("postgresql", f"{kind}[mine]") for kind in ("view", "table", "statistics", "sequence")}
"""What stands beside the tables drops nothing."""


@pytest.mark.parametrize(("dialect", "row"), [(name, row) for name, rows in STRANGE.items() for row in rows])
def test_what_stands_between_the_journal_and_its_rows_stops_a_start(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, dialect: str, row: str
) -> None:
    monkeypatch.setattr("houseway.manager.store.postgres.GUARD_SECONDS", 0)
    store: SqlStore = request.getfixturevalue("sqlite_store" if dialect == "sqlite" else "postgres_store")
    with store.manager() as manager:
        manager.call(people())
        store.sql(STRANGE[dialect][row])
        if (dialect, row) not in TOLD_AT_THE_START:
            with pytest.raises(JournalDamagedError) as running:
                manager.call(moved("k"))
            assert running.value.row == row
    with pytest.raises(JournalDamagedError) as damaged:
        store.manager()
    assert damaged.value.row == row
    with open_view(store.url) as view:
        found = verify_database(view, trust_in(store.keys_folder)).findings
        assert [f"{each.table}[{each.row}]" for each in found if each.problem == "unprotected"] == [row]


@pytest.mark.parametrize("type_", ["Trigger", "TRIGGER"])
def test_an_entry_written_into_the_schema_by_hand_stops_a_start(sqlite_store: SqlStore, type_: str) -> None:
    """SQLite fires a trigger whatever the case in which its type is written; no statement writes it so."""
    with sqlite_store.manager() as manager:
        manager.call(people())
    path = sqlite_store.url.partition("///")[2]
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        body = "CREATE TRIGGER mine BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END"
        (version,) = database.execute("PRAGMA schema_version").fetchone()
        database.execute("PRAGMA writable_schema=ON")
        database.execute("INSERT INTO sqlite_master VALUES (?, 'mine', 'events', 0, ?)", (type_, body))
        database.execute(f"PRAGMA schema_version={version + 1}")
    with pytest.raises(JournalDamagedError) as damaged:
        sqlite_store.manager()
    assert damaged.value.row == "entry[mine]"
    with open_view(sqlite_store.url) as view:
        found = verify_database(view, trust_in(sqlite_store.keys_folder)).findings
        assert [f"{each.table}[{each.row}]" for each in found if each.problem == "unprotected"] == ["entry[mine]"]


def test_a_repair_takes_off_what_does_not_belong_there(store: SqlStore) -> None:
    with store.manager() as manager:
        manager.call(people())
    dropping(store, *schema.TABLES)
    store.sql("CREATE UNIQUE INDEX mine ON events (actor, kind)")
    store.sql("DROP INDEX rounds_by_time")
    store.sql("CREATE VIEW elsewhere AS SELECT * FROM events")
    if not store.is_sqlite:
        by_rules(store, "hits")
        store.sql("ALTER TABLE events ENABLE ROW LEVEL SECURITY")
        store.sql("ALTER TABLE secrets REPLICA IDENTITY NOTHING")
        store.sql("CREATE POLICY mine ON hits FOR INSERT WITH CHECK (false)")
        store.sql("ALTER TABLE transfers ADD CONSTRAINT mine CHECK (micros < 5)")
        store.sql("ALTER TABLE rounds DROP CONSTRAINT rounds_held")
    assert repair(store.url, store.keys_folder, by="Technician 2", reason="foreign triggers, report 9") == {}
    store.manager(clock=None).call(moved("k"))


def delete_end(store: SqlStore, seq: int) -> None:
    for table in ("transfers", "checkpoints", "events"):
        store.tamper(f"DELETE FROM {table} WHERE seq >= {seq}")


def test_a_manager_leaves_the_proof_of_an_event_that_is_gone(store: SqlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.manager.store.manager.ANCHOR_SECONDS", 3_600)
    manager = store.manager()
    manager.call(people())
    paid = manager.call(moved("paid"))
    delete_end(store, paid.seq)
    with pytest.raises(JournalDamagedError, match="gone"):
        manager.call(moved("next"))
    anchor = read_anchor(store.keys_folder)
    assert anchor is not None
    assert (anchor.seq, anchor.hash) == (paid.seq, paid.hash)
    manager.close()
    assert read_anchor(store.keys_folder) == anchor
    with pytest.raises(JournalDamagedError, match="its end is gone"):
        store.manager()
    with open_view(store.url) as view:
        found = verify_database(view, trust_in(store.keys_folder)).findings
        assert [each.problem for each in found] == ["cut-off"]


def test_an_event_that_went_while_nobody_asked_is_in_the_anchor_of_the_end(store: SqlStore) -> None:
    """The anchor says what this process has signed, whatever the store says when it ends."""
    manager = store.manager()
    manager.call(people())
    paid = manager.call(moved("paid"))
    mark = manager.mark()
    delete_end(store, paid.seq)
    assert manager.mark() == mark
    manager.close()
    anchor = read_anchor(store.keys_folder)
    assert anchor is not None
    assert anchor.seq >= paid.seq
    with pytest.raises(JournalDamagedError, match="its end is gone"):
        store.manager()


def test_a_client_refuses_a_manager_that_lacks_its_own_answer(pattern: House, tmp_path: Path) -> None:
    """Also one that heard no heartbeat since, and has no signature of it."""
    house, backup = pattern.copied(tmp_path / "house"), pattern.copied(tmp_path / "backup")
    seen = tmp_path / "seen.json"
    with Served(house) as served:
        with served.client(seen_file=seen) as client:
            enter(client, "answered, then gone")
        with served.client(seen_file=seen) as client:
            last = enter(client, "answered, then gone too")
        served.end()
    known = Memory(seen)
    assert known.answered is not None
    assert known.answered.seq == last
    with Served(backup) as served, served.client() as fresh:
        enter(fresh, "nobody knows")
        with pytest.raises(RefusedError) as refused:
            served.client(seen_file=seen)
        assert codes(refused) == ["history-lost"]
        assert f"event {last}" in str(refused.value)


def test_an_own_answer_alone_is_enough_for_a_client() -> None:
    memory = Memory()
    chain = {"journal": "0" * 32, "first": 1, "hash": None, "recoveries": [], "mark": None}
    assert memory.agrees(chain)
    memory.answer(7, "a" * 64, 5_000)
    memory.answer(6, "b" * 64, 4_000)
    assert memory.question() == {"ask": "chain", "seq": 7}
    assert not memory.agrees(chain)
    assert not memory.agrees({**chain, "hash": "b" * 64})
    assert memory.proof() is None
    assert not memory.accepts(None)
    assert "event 7" in memory.refusal(None)["faults"][0]["message"]
    told = {"first": 7, "last": 9, "hash": "c" * 64, "at": 6_000, "by": "x", "second": "y", "reason": "disk"}
    assert memory.agrees({**chain, "recoveries": [told]})
    assert memory.agrees({**chain, "hash": "a" * 64})


def test_a_file_that_cannot_have_a_log_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "PRAGMAS", ("PRAGMA journal_mode = DELETE",))
    with pytest.raises(StoreUnavailableError, match="write-ahead log"):
        sqlite.connect(tmp_path / "x.db", create=True)


def test_tables_are_found_whatever_the_search_path_says(postgres_store: SqlStore) -> None:
    with postgres_store.manager() as manager:
        manager.call(people())
    name = urls.parsed(postgres_store.url).database
    postgres_store.sql("CREATE SCHEMA first")
    postgres_store.sql(f'ALTER DATABASE "{name}" SET search_path = first, public')
    postgres_store.manager().close()
    postgres_store.sql("CREATE RULE evil AS ON INSERT TO events DO INSTEAD NOTHING")
    with pytest.raises(JournalDamagedError) as damaged:
        postgres_store.manager()
    assert damaged.value.row == "rule[evil]"


REFUSING = (
    "CREATE FUNCTION evil.evil() RETURNS trigger LANGUAGE plpgsql AS "
    "$$BEGIN RAISE EXCEPTION 'nothing today' USING ERRCODE = 'restrict_violation'; END$$"
)


def test_a_guard_s_name_on_another_table_hides_no_trigger(postgres_store: SqlStore) -> None:
    """PostgreSQL takes a trigger's name once for each table; the honest one is read last."""
    postgres_store.sql("CREATE SCHEMA evil")
    postgres_store.sql(REFUSING)
    postgres_store.sql(
        "CREATE TRIGGER secrets_no_update BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION evil.evil()"
    )
    postgres_store.sql("DROP TRIGGER secrets_no_update ON secrets")
    postgres_store.sql(schema.guards(schema.Namespace("postgresql"))["secrets_no_update"])
    with pytest.raises(JournalDamagedError) as damaged:
        postgres_store.manager()
    assert damaged.value.row == "trigger[secrets_no_update]"
    assert "not a guard of the journal" in str(damaged.value)


@pytest.mark.parametrize("path", ["evil, pg_catalog, public", "pg_catalog, evil, public", "public, pg_catalog, evil"])
def test_a_search_path_blinds_no_look_at_the_guards(postgres_store: SqlStore, path: str) -> None:
    """A view in place of a catalogue leaves one trigger out; a table of ours comes first elsewhere."""
    name = urls.parsed(postgres_store.url).database
    postgres_store.sql("CREATE SCHEMA evil")
    postgres_store.sql(REFUSING)
    postgres_store.sql("CREATE TABLE evil.rounds (LIKE rounds)")
    postgres_store.sql(
        "CREATE VIEW evil.pg_trigger AS SELECT ctid, xmin, t.* FROM pg_catalog.pg_trigger t WHERE tgname <> 'mine'"
    )
    postgres_store.sql(f'ALTER DATABASE "{name}" SET search_path = {path}')
    with postgres_store.manager() as manager:
        manager.call(people())
    postgres_store.sql("CREATE TRIGGER mine BEFORE INSERT ON public.events FOR EACH ROW EXECUTE FUNCTION evil.evil()")
    with pytest.raises(JournalDamagedError) as damaged:
        postgres_store.manager()
    assert damaged.value.row == "trigger[mine]"


def test_what_is_done_at_the_commit_itself_is_seen_behind_it(
    postgres_store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deferred trigger that defers another one, so that rows go when everything was looked at already."""
    blind(monkeypatch)
    manager = postgres_store.manager()
    manager.call(people())
    gone = " ".join(
        f"DELETE FROM public.{table} WHERE seq = NEW.seq;" for table in ("checkpoints", "transfers", "events")
    )
    for table in ("checkpoints", "transfers", "events"):
        postgres_store.sql(f"DROP TRIGGER {table}_no_delete ON {table}")
    postgres_store.sql("CREATE SCHEMA evil")
    postgres_store.sql("CREATE TABLE evil.later (seq bigint)")
    deferred = "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION"
    for function, table, body in (
        ("last", "evil.later", gone),
        ("evil", "events", "SET CONSTRAINTS evil.later DEFERRED; INSERT INTO evil.later VALUES (NEW.seq);"),
    ):
        postgres_store.sql(
            f"CREATE FUNCTION evil.{function}() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN {body} RETURN NULL; END$$"
        )
        postgres_store.sql(f"CREATE CONSTRAINT TRIGGER later AFTER INSERT ON {table} {deferred} evil.{function}()")
    assert "was committed and is not there" in str(refused_unwritten(postgres_store, manager, ["k"]))


ADDED = {
    "hits": "(seq, row_no, award, link) VALUES (NEW.seq, 9, 'A9', 'L1')",
    "transfers": "VALUES (NEW.seq, 9, 'tray/T1', 'house', 1, 'fill', 'slip:S9', 1, 1)",
}


@pytest.mark.parametrize("table", ADDED)
def test_rows_that_something_adds_are_seen_behind_the_commit(
    postgres_store: SqlStore, monkeypatch: pytest.MonkeyPatch, table: str
) -> None:
    """To a table that the group has written, and to one that it has left alone."""
    blind(monkeypatch)
    manager = postgres_store.manager()
    manager.call(people())
    added = f"INSERT INTO public.{table} {ADDED[table]}; RETURN NULL;"
    postgres_store.sql(f"CREATE FUNCTION evil() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN {added} END$$")
    postgres_store.sql("CREATE TRIGGER evil AFTER INSERT ON checkpoints FOR EACH ROW EXECUTE FUNCTION evil()")
    with pytest.raises(JournalDamagedError, match="was committed and is not there as it was written") as damaged:
        manager.call(moved("k"))
    assert damaged.value.row.startswith(f"{table}[")


def test_a_guard_s_function_of_another_schema_is_found(postgres_store: SqlStore) -> None:
    """Its triggers are told in the same words where that schema is searched before the journal's own."""
    name = urls.parsed(postgres_store.url).database
    postgres_store.sql("CREATE SCHEMA first")
    postgres_store.sql("ALTER FUNCTION houseway_no_change() SET SCHEMA first")
    postgres_store.sql(schema.guards(schema.Namespace("postgresql"))["houseway_no_change"])
    postgres_store.sql(
        "CREATE OR REPLACE FUNCTION first.houseway_no_change() RETURNS trigger LANGUAGE plpgsql "
        "AS $$BEGIN RETURN NEW; END$$"
    )
    postgres_store.sql(f'ALTER DATABASE "{name}" SET search_path = first, public')
    with pytest.raises(JournalDamagedError) as damaged:
        postgres_store.manager()
    assert damaged.value.row == "trigger[events_no_update]"


def test_rows_that_a_foreign_table_adds_are_found(postgres_store: SqlStore) -> None:
    """Whoever asks for the rows of a table is told those of its heirs too."""
    postgres_store.sql("CREATE SCHEMA elsewhere")
    postgres_store.sql("CREATE TABLE elsewhere.more () INHERITS (meta)")
    with pytest.raises(JournalDamagedError) as damaged:
        postgres_store.manager()
    assert damaged.value.row == "table[meta]"


FOREIGN_INDEXES: Final = {
    "unique": "CREATE UNIQUE INDEX mine ON transfers (reason, (CASE WHEN line > 0 THEN 1 END))",
    "failing": "CREATE INDEX mine ON transfers (({division}))",
}


@pytest.mark.parametrize("index", FOREIGN_INDEXES)
def test_an_index_that_refuses_honest_rows_is_named(store: SqlStore, index: str) -> None:
    """The refusal comes before the look behind a group, and is no fault of the command; nor is the store away."""
    manager = store.manager()
    manager.call(people())
    manager.call(moved("before"))
    head = store.journal().head()
    division = "CASE WHEN micros = 1 THEN 1 ELSE json('x') END" if store.is_sqlite else "1 / (micros - 5)"
    store.sql(FOREIGN_INDEXES[index].format(division=division))
    for future in [manager.submit(moved(f"k{number}", 5)) for number in range(5)]:
        assert isinstance(future.exception(20), InputError)
    until(lambda: manager.health()["state"] == "damaged")
    (fault,) = manager.health()["faults"]
    assert (fault["code"], fault["path"]) == ("journal-damaged", "index[mine]")
    assert "the repair takes it off" in fault["message"]
    assert store.journal().head() == head
    manager.close()
    with pytest.raises(JournalDamagedError, match="index mine"):
        store.manager()
    repair(store.url, store.keys_folder, by="Technician 2", reason="a foreign index, report 9")
    assert store.manager(clock=None).call(moved("k0", 5)).repeated is False


def test_a_table_that_a_repair_cannot_make_stays_refused(store: SqlStore) -> None:
    store.manager().close()
    store.sql("ALTER TABLE hits ADD COLUMN mine INTEGER DEFAULT 7")
    head = store.journal().head()
    with pytest.raises(JournalDamagedError, match="mine"):
        repair(store.url, store.keys_folder, by="Technician 2", reason="a foreign column")
    assert store.journal().head() == head


def test_what_the_databases_own_tools_do_is_nothing_strange(store: SqlStore) -> None:
    with store.manager() as manager:
        manager.call(people())
    statements = ("ANALYZE", "VACUUM", "REINDEX" if store.is_sqlite else "REINDEX TABLE events")
    if store.is_sqlite:
        with closing(sqlite.connect(urls.sqlite_path(store.url))) as connection:
            for statement in statements:
                connection.execute(statement)
    else:
        with psycopg.connect(store.url, autocommit=True) as server:
            for statement in statements:
                server.execute(statement.encode())
    store.manager().call(moved("k"))


def test_a_dump_that_was_restored_is_nothing_strange(
    postgres_store: SqlStore, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    with postgres_store.manager() as manager:
        manager.call(people())
    restored = postgres_server.new_database()
    tools, dump = programs(), tmp_path / "house.sql"
    subprocess.run([tools / "pg_dump", "-f", dump, postgres_store.url], check=True)
    subprocess.run([tools / "psql", "-q", "-v", "ON_ERROR_STOP=1", "-o", os.devnull, "-f", dump, restored], check=True)
    postgres_store.url = restored
    postgres_store.manager().call(moved("k"))


def test_a_column_that_takes_no_long_rows_is_named(postgres_store: SqlStore) -> None:
    """PostgreSQL calls that a limit of its own: the manager neither waits for the store nor blames the command."""
    manager = postgres_store.manager()
    manager.call(people())
    postgres_store.sql("ALTER TABLE events ALTER COLUMN body SET STORAGE PLAIN")
    with pytest.raises(JournalDamagedError) as damaged:
        manager.call(do("long", Move("tray/T1", "house", 1, os.urandom(6_000).hex())))
    assert damaged.value.row == "column[events.body]"
    assert manager.health()["state"] == "damaged"


def test_a_foreign_key_that_is_off_is_named(postgres_store: SqlStore) -> None:
    postgres_store.manager().close()
    postgres_store.sql("ALTER TABLE checkpoints DISABLE TRIGGER ALL")
    for (name,) in postgres_store.sql("SELECT tgname FROM pg_trigger WHERE tgname LIKE 'checkpoints_no_%'"):
        postgres_store.sql(f"ALTER TABLE checkpoints ENABLE TRIGGER {name}")
    with pytest.raises(JournalDamagedError) as damaged:
        postgres_store.manager()
    assert damaged.value.row == "constraint[checkpoints.checkpoints_seq]"
