"""Whoever may make objects in the database lets no statement of the journal mean something else."""

from __future__ import annotations

from typing import Any, Final

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from houseway.manager.store import migrations, schema, urls
from houseway.manager.store.event_search import EventQuery, find_events
from houseway.manager.store.guarding import postgres_stamp, strange
from houseway.manager.store.journal_audit import AuditReport, verify_database
from houseway.manager.store.reading import open_view
from houseway.manager.store.repair import repair
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.manager.store.trust import trust_in
from tests.manager.postgres import PostgresServer
from tests.manager.store.acts import moved, people
from tests.manager.store.stores import SqlStore, intruder

LIE: Final = "LANGUAGE plpgsql AS $$BEGIN RAISE EXCEPTION 'foreign code was run'; END$$"
OVERLOADS: Final = {
    "operator[public.=(text,character varying)]": ("text, varchar", "text, RIGHTARG=varchar"),
    "operator[public.=(name,character varying)]": ("name, varchar", "name, RIGHTARG=varchar"),
    "operator[public.=(oid,regclass)]": ("oid, regclass", "oid, RIGHTARG=regclass"),
}
"""Better fits for what is asked than the server's own operators."""


def audited(store: SqlStore) -> AuditReport:
    with open_view(store.url) as view:
        return verify_database(view, trust_in(store.keys_folder))


def unprotected(store: SqlStore) -> list[str]:
    return sorted(f"{each.table}[{each.row}]" for each in audited(store).findings if each.problem == "unprotected")


@pytest.mark.parametrize("row", OVERLOADS)
def test_an_operator_that_fits_better_is_not_asked_and_is_named(postgres_store: SqlStore, row: str) -> None:
    with postgres_store.manager() as manager:
        manager.call(people())
    takes, left = OVERLOADS[row]
    postgres_store.sql(f"CREATE FUNCTION public.lie({takes}) RETURNS boolean {LIE}")
    postgres_store.sql(f"CREATE OPERATOR public.= (LEFTARG={left}, FUNCTION=public.lie)")
    with open_view(postgres_store.url) as view:
        assert find_events(view, EventQuery(kind="system.started"))
        assert find_events(view, EventQuery(actor=people().actor))
    named = [f"function[public.lie({takes.replace('varchar', 'character varying').replace(', ', ',')})]", row]
    report = audited(postgres_store)
    assert sorted(f"{each.table}[{each.row}]" for each in report.findings) == named
    with pytest.raises(JournalDamagedError, match=r"public\.lie"):
        postgres_store.manager()


def test_a_running_manager_is_not_blinded_by_functions_that_fit_better(
    postgres_store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The stamp of the guards was made of nothing by these, so that a foreign trigger went unseen."""
    postgres_store.manager().close()
    for takes in ("tid,xid", "tid,xid,boolean,boolean", "oid,xid"):
        postgres_store.sql(f"CREATE FUNCTION public.concat_ws(text,{takes}) RETURNS text LANGUAGE sql AS 'SELECT NULL'")
    with pytest.raises(JournalDamagedError) as damaged:
        postgres_store.manager()
    assert damaged.value.row == "function[public.concat_ws(text,tid,xid)]"
    repair(postgres_store.url, postgres_store.keys_folder, by="Technician 2", reason="foreign functions, report 12")
    monkeypatch.setattr("houseway.manager.store.postgres.GUARD_SECONDS", 0)
    with postgres_store.manager(clock=None) as manager:
        manager.call(people())
        postgres_store.sql(f"CREATE FUNCTION public.lie(text, varchar) RETURNS boolean {LIE}")
        with pytest.raises(JournalDamagedError, match=r"public\.lie"):
            manager.call(moved("k"))


FOREIGN: Final = {
    "function[public.mine(bigint)]": "CREATE FUNCTION public.mine(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 1'",
    "function[public.most(bigint)]": "CREATE AGGREGATE public.most(bigint) (SFUNC = int8larger, STYPE = bigint)",
    "function[mine(text)]": "CREATE FUNCTION pg_catalog.mine(text) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
    "operator[public.<<<(bigint,bigint)]": (
        "CREATE OPERATOR public.<<< (LEFTARG=bigint, RIGHTARG=bigint, FUNCTION=int8lt)"
    ),
    "type[public.amount]": "CREATE DOMAIN public.amount AS bigint",
    "type[public.mood]": "CREATE TYPE public.mood AS ENUM ('well')",
    "type[public.pair]": "CREATE TYPE public.pair AS (a bigint, b bigint)",
    "collation[mine]": "CREATE COLLATION public.mine (LOCALE = 'C')",
    "conversion[mine]": "CREATE CONVERSION public.mine FOR 'LATIN1' TO 'UTF8' FROM iso8859_1_to_utf8",
    "operator family[mine]": "CREATE OPERATOR FAMILY public.mine USING btree",
    "operator class[mine]": (
        "CREATE OPERATOR CLASS public.mine FOR TYPE bigint USING btree FAMILY public.mine AS "
        "OPERATOR 1 <, FUNCTION 1 btint8cmp(bigint, bigint)"
    ),
    "text search dictionary[mine]": "CREATE TEXT SEARCH DICTIONARY public.mine (TEMPLATE = simple)",
    "cast[(bigint AS bytea)]": "CREATE CAST (bigint AS bytea) WITH FUNCTION pg_catalog.int8send(bigint) AS IMPLICIT",
    "event trigger[mine]": "CREATE EVENT TRIGGER mine ON sql_drop EXECUTE FUNCTION elsewhere.watching()",
    "schema[public]": "GRANT CREATE ON SCHEMA public TO PUBLIC",
}


def test_everything_that_could_act_in_the_journal_s_place_is_named(postgres_store: SqlStore) -> None:
    postgres_store.manager().close()
    postgres_store.sql("CREATE SCHEMA elsewhere")
    watching = "RETURNS event_trigger LANGUAGE plpgsql AS $$BEGIN END$$"
    postgres_store.sql(f"CREATE FUNCTION elsewhere.watching() {watching}")
    postgres_store.sql("CREATE OPERATOR elsewhere.= (LEFTARG=text, RIGHTARG=text, FUNCTION=textregexeq)")
    assert unprotected(postgres_store) == [], "what nothing leads to does no harm"
    for statement in FOREIGN.values():
        postgres_store.sql(statement)
    assert unprotected(postgres_store) == sorted(FOREIGN)
    with pytest.raises(JournalDamagedError, match="REVOKE CREATE ON SCHEMA public FROM PUBLIC"):
        postgres_store.manager()
    for kind in ("event trigger mine", "operator class public.mine USING btree", "collation public.mine"):
        postgres_store.sql(f"DROP {kind}")
    for kind in ("operator family public.mine USING btree", "conversion public.mine"):
        postgres_store.sql(f"DROP {kind}")
    postgres_store.sql("DROP TEXT SEARCH DICTIONARY public.mine")
    repair(postgres_store.url, postgres_store.keys_folder, by="Technician 2", reason="foreign functions, report 12")
    assert unprotected(postgres_store) == []


REPLICATION: Final = {
    "publication[every]": "CREATE PUBLICATION every FOR ALL TABLES",
    "publication[named]": "CREATE PUBLICATION named FOR TABLE public.events",
    "publication[within]": "CREATE PUBLICATION within FOR TABLES IN SCHEMA public",
    "subscription[mine]": (
        "CREATE SUBSCRIPTION mine CONNECTION 'host=127.0.0.1 port=1 dbname=x' PUBLICATION p "
        "WITH (connect = false, slot_name = NONE, enabled = false)"
    ),
}


def test_publications_and_subscriptions_are_named_by_audit_guard_and_start(
    postgres_store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houseway.manager.store.postgres.GUARD_SECONDS", 0)
    with urls.engine_at(postgres_store.url).connect() as connection:
        version = connection.dialect.server_version_info or (0,)
    # Whole schemas are published from PostgreSQL 15 on.
    wanted = {row: sql for row, sql in REPLICATION.items() if version >= (15,) or "SCHEMA" not in sql}
    postgres_store.sql("CREATE SCHEMA elsewhere")
    postgres_store.sql("CREATE TABLE elsewhere.theirs (id bigint PRIMARY KEY)")
    with postgres_store.manager() as manager:
        manager.call(people())
        postgres_store.sql("CREATE PUBLICATION theirs FOR TABLE elsewhere.theirs")
        manager.call(moved("k"))
    for row, statement in wanted.items():
        with postgres_store.manager(clock=None) as manager:
            manager.call(moved(f"before {row}"))
            postgres_store.sql(statement)
            with pytest.raises(JournalDamagedError) as damaged:
                manager.call(moved(row))
        assert damaged.value.row == row
        postgres_store.sql(f"DROP {row.replace('[', ' ').rstrip(']')}")
    for statement in wanted.values():
        postgres_store.sql(statement)
    assert unprotected(postgres_store) == sorted(wanted)
    with pytest.raises(JournalDamagedError, match="subscription mine: what it receives is written past the guards"):
        postgres_store.manager()
    # A database with a subscription cannot be dropped.
    postgres_store.sql("DROP SUBSCRIPTION mine")


IN_PLACE: Final = {
    "partitions": "ALTER TABLE transfers SET SCHEMA elsewhere; "
    "CREATE TABLE public.transfers (LIKE elsewhere.transfers) PARTITION BY RANGE (seq); "
    "ALTER TABLE transfers ATTACH PARTITION elsewhere.transfers FOR VALUES FROM (1) TO (1000000)",
    "a partition": "CREATE TABLE elsewhere.parent (LIKE transfers) PARTITION BY RANGE (seq); "
    "ALTER TABLE elsewhere.parent ATTACH PARTITION transfers FOR VALUES FROM (1) TO (1000000)",
    "an heir of another": "CREATE TABLE elsewhere.parent (seq bigint); ALTER TABLE transfers INHERIT elsewhere.parent",
    "a foreign table": "ALTER TABLE transfers SET SCHEMA elsewhere; CREATE FOREIGN DATA WRAPPER far; "
    "CREATE SERVER away FOREIGN DATA WRAPPER far; CREATE FOREIGN TABLE transfers (seq bigint NOT NULL) SERVER away",
    "a foreign heir": "CREATE FOREIGN DATA WRAPPER far; CREATE SERVER away FOREIGN DATA WRAPPER far; "
    "CREATE FOREIGN TABLE elsewhere.more () INHERITS (transfers) SERVER away",
    "a view with rows": "ALTER TABLE transfers SET SCHEMA elsewhere; "
    "CREATE MATERIALIZED VIEW transfers AS SELECT * FROM elsewhere.transfers",
    "an event trigger": "CREATE FUNCTION elsewhere.done() RETURNS event_trigger LANGUAGE plpgsql AS $$BEGIN END$$; "
    "CREATE EVENT TRIGGER mine ON ddl_command_end EXECUTE FUNCTION elsewhere.done()",
}


def test_what_stands_in_a_table_s_place_is_named_by_guard_and_stamp(postgres_store: SqlStore) -> None:
    """A table of the journal is a plain table by itself; each of these is seen by a running manager, too."""
    postgres_store.sql("CREATE SCHEMA elsewhere")
    namespace = schema.Namespace("postgresql", "public", "public")
    with intruder(postgres_store.url).connect() as connection:

        def ask(sql: str) -> list[Any]:
            return list(connection.exec_driver_sql(sql.replace("%", "%%")))

        connection.exec_driver_sql(f"SET search_path = {schema.SEARCH_PATH}")
        connection.commit()
        assert strange(namespace, ask) == []
        before = ask(postgres_stamp(namespace))
        for name, harm in IN_PLACE.items():
            connection.exec_driver_sql("SET LOCAL search_path = public, pg_catalog")
            connection.exec_driver_sql(harm)
            connection.exec_driver_sql(f"SET LOCAL search_path = {schema.SEARCH_PATH}")
            assert {each.kind for each in strange(namespace, ask)} & {"table", "event trigger"}, name
            assert ask(postgres_stamp(namespace)) != before, name
            connection.rollback()


def test_what_an_extension_brings_is_nothing_strange(postgres_store: SqlStore) -> None:
    postgres_store.sql("CREATE EXTENSION IF NOT EXISTS plpgsql")
    postgres_store.sql("CREATE FUNCTION public.mine() RETURNS bigint LANGUAGE sql AS 'SELECT 1'")
    postgres_store.sql("ALTER EXTENSION plpgsql ADD FUNCTION public.mine()")
    postgres_store.manager().call(people())


def test_a_new_journal_takes_the_right_to_make_objects_from_everybody(postgres_server: PostgresServer) -> None:
    """Up to PostgreSQL 14 everybody has it."""
    postgres_url = postgres_server.new_database()
    with urls.engine_at(postgres_url).begin() as connection:
        connection.execute(text("GRANT CREATE ON SCHEMA public TO PUBLIC"))
    migrations.upgrade(postgres_url)
    with urls.engine_at(postgres_url).connect() as connection:
        assert connection.scalar(text("SELECT has_schema_privilege('public', 'public', 'CREATE')")) is False


def test_an_audit_tells_if_its_session_was_led_astray(postgres_store: SqlStore) -> None:
    with postgres_store.manager() as manager:
        manager.call(people())
    with open_view(postgres_store.url) as view:
        view.connection.execute(text("SET search_path = public"))
        found = verify_database(view, trust_in(postgres_store.keys_folder)).findings
        assert "setting[search_path]" in {f"{each.table}[{each.row}]" for each in found}


def test_the_guards_ask_for_no_table_of_somebody_else(postgres_store: SqlStore) -> None:
    """A temporary table comes before all others: it said that everything was archived."""
    with postgres_store.manager() as manager:
        manager.call(people())
    deleted = "CREATE TEMP TABLE archives (up_to bigint) ON COMMIT DROP; INSERT INTO archives VALUES (99); {}"
    with pytest.raises(DBAPIError, match="never deleted"):
        postgres_store.sql(deleted.format("DELETE FROM public.transfers; DELETE FROM public.events"))
