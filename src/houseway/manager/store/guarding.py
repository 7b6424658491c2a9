"""What stands between the journal and its rows: the guards of `schema`, each as it was made, and nothing else.

A trigger or a rule of somebody else can drop a row while the database reports success, a view can take a table's
place, row security can hide what is there. Writers, starts and audits all hold the database against this one list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple

from houseway.manager.store import schema
from houseway.manager.store.store_errors import JournalDamagedError

Ask = Callable[[str], Sequence[Any]]
"""Puts a question without parameters to the database; returns its rows."""

# All of it: SQLite also goes by an entry whose type somebody has written in another case.
_SQLITE: Final = "SELECT type, name, coalesce(sql, '') FROM sqlite_master"
_NAMES: Final = ", ".join(f"('{name}')" for name in schema.TABLES)
# The tables as their names are resolved here, whatever the search path says.
_FOUND: Final = f"(VALUES {_NAMES}) AS named(name) LEFT JOIN pg_class c ON c.oid = to_regclass(named.name)"
_OURS: Final = f"(SELECT c.oid FROM {_FOUND} WHERE c.oid IS NOT NULL)"  # noqa: S608 - names of our own
_SCHEMAS: Final = f"(SELECT c.relnamespace FROM {_FOUND} WHERE c.oid IS NOT NULL)"  # noqa: S608 - names of our own
_POSTGRES_TABLES: Final = f"""
SELECT named.name, c.relkind::text, c.relpersistence::text, c.relrowsecurity OR c.relforcerowsecurity FROM {_FOUND}
"""  # noqa: S608 - names of our own
# Foreign keys make triggers too, of the server's own functions.
_POSTGRES_TRIGGERS: Final = f"""
SELECT t.tgname, t.tgenabled::text, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
WHERE t.tgrelid IN {_OURS} AND NOT (t.tgisinternal AND starts_with(p.proname, 'RI_FKey_')
    AND p.pronamespace = 'pg_catalog'::regnamespace)
"""  # noqa: S608 - names of our own
_POSTGRES_FUNCTIONS: Final = f"""
SELECT proname, prosrc FROM pg_proc WHERE pronamespace IN {_SCHEMAS} AND prorettype = 'trigger'::regtype
AND starts_with(proname, 'houseway_')
"""  # noqa: S608 - names of our own
_POSTGRES_RULES: Final = f"SELECT rulename FROM pg_rewrite WHERE ev_class IN {_OURS}"  # noqa: S608 - names of our own
_POSTGRES_VIEWS: Final = f"""
SELECT relname FROM pg_class WHERE relnamespace IN {_SCHEMAS} AND relkind IN ('v', 'm')
"""  # noqa: S608 - names of our own
POSTGRES_STAMP: Final = f"""
SELECT (SELECT string_agg(concat_ws('.', t.oid, t.xmin, t.tgenabled), ' ' ORDER BY t.oid) FROM pg_trigger t
    WHERE t.tgrelid IN {_OURS}),
    string_agg(concat_ws('.', named.name, c.oid, c.relkind, c.relpersistence, c.relhasrules, c.relrowsecurity,
    c.relforcerowsecurity), ' ') FROM {_FOUND}
"""  # noqa: S608 - names of our own
"""A text that changes with every trigger, rule or other change to what stands between the journal and its rows.

Asked within a transaction behind its inserts, it holds for them: until the end nobody adds or drops a trigger or rule.
"""
SQLITE_STAMP: Final = "PRAGMA schema_version"
"""The same on SQLite, for all that the connection itself goes by."""


class ForeignObject(NamedTuple):
    """Something that is not as this software makes it."""

    kind: str
    """`trigger`, `rule`, `view`, `table` or `entry`; the guards' functions count as triggers."""
    name: str
    what: str


def strange(dialect: str, ask: Ask) -> list[ForeignObject]:
    """All that is missing, altered, or not of this software's making, guards first."""
    return _on_sqlite(ask) if dialect == "sqlite" else _on_postgres(ask)


def check_guards(dialect: str, ask: Ask) -> None:
    """`JournalDamagedError` names everything `strange`."""
    found = strange(dialect, ask)
    if found:
        told = "; ".join(f"{each.kind} {each.name}: {each.what}" for each in found[:20])
        more = f"; and {len(found) - 20} more" if len(found) > 20 else ""
        raise JournalDamagedError(f"{found[0].kind}[{found[0].name}]", f"the database was altered ({told}{more})")


def _on_sqlite(ask: Ask) -> list[ForeignObject]:
    found: dict[str, dict[str, str]] = {"table": {}, "trigger": {}, "view": {}, "index": {}}
    forged: list[ForeignObject] = []
    for kind, name, sql in ask(_SQLITE):
        if kind in found:
            found[kind][name] = _plain(sql)
        else:
            what = f"no statement makes an entry of the type {str(kind)[:20]!r}: it was written into the schema by hand"
            forged.append(ForeignObject("entry", str(name), what))
    tables = {name for name, sql in found["table"].items() if not sql.upper().startswith("CREATE VIRTUAL")}
    expected = {name: _plain(sql) for name, sql in schema.guards("sqlite").items()}
    return [*_guards(expected, found["trigger"]), *forged, *_views(found["view"]), *_tables(tables)]


def _on_postgres(ask: Ask) -> list[ForeignObject]:
    triggers = {
        name: f"{_as_postgres(_plain(sql))}{'' if enabled in ('O', 'A') else ' (off)'}"
        for name, enabled, sql in ask(_POSTGRES_TRIGGERS)
    }
    functions = {name: _plain(source) for name, source in ask(_POSTGRES_FUNCTIONS)}
    expected = {name: _as_postgres(_plain(sql)) for name, sql in schema.guards("postgresql").items()}
    tables, others = set[str](), list[ForeignObject]()
    for name, kind, lasts, secured in ask(_POSTGRES_TABLES):
        if kind == "r":
            tables.add(name)
        if lasts not in (None, "p"):
            others.append(ForeignObject("table", name, "its rows do not outlast a crash (unlogged)"))
        if secured:
            others.append(ForeignObject("table", name, "row security is on, which can hide or refuse rows"))
    rules = [
        ForeignObject("rule", name, "no rule belongs there: it could drop rows") for (name,) in ask(_POSTGRES_RULES)
    ]
    views = _views(name for (name,) in ask(_POSTGRES_VIEWS))
    return [*_guards(expected, triggers | functions), *rules, *views, *_tables(tables), *others]


def _guards(expected: dict[str, str], found: dict[str, str]) -> Iterable[ForeignObject]:
    for name, sql in expected.items():
        if name not in found:
            yield ForeignObject("trigger", name, "the guard is not there: rows could be changed unseen")
        elif found[name] != sql:
            yield ForeignObject("trigger", name, "the guard is not the one that belongs there, or is off")
    for name in sorted(found.keys() - expected.keys()):
        yield ForeignObject("trigger", name, "this is no guard of the journal, and could change or drop rows")


def _views(names: Iterable[str]) -> Iterable[ForeignObject]:
    for name in names:
        yield ForeignObject("view", name, "no view belongs beside the journal: it could take a table's place")


def _tables(found: set[str]) -> Iterable[ForeignObject]:
    for name in schema.TABLES:
        if name not in found:
            yield ForeignObject("table", name, "the table is not there, or something else has its name")


def _as_postgres(sql: str) -> str:
    """A statement in the form in which PostgreSQL tells it: a function's source, a trigger without its schema."""
    body = re.search(r"\$\$(.*)\$\$", sql, re.DOTALL)
    return _plain(body[1]) if body else re.sub(r"\bON \w+\.", "ON ", sql)


def _plain(sql: str) -> str:
    return " ".join(sql.split())
