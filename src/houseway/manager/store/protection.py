"""The database's own protection: guards against changed rows in place and unaltered, and a file without damage."""

from __future__ import annotations

import re
from typing import Final

from sqlalchemy import text

from houseway.manager.store import migrations, schema
from houseway.manager.store.findings import Findings
from houseway.manager.store.reading import View

_REPORTED: Final = 100

_SQLITE_TRIGGERS: Final = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
_POSTGRES_TRIGGERS: Final = """
SELECT t.tgname, t.tgenabled::text, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace
"""
_POSTGRES_FUNCTIONS: Final = """
SELECT proname, prosrc FROM pg_proc
WHERE pronamespace = current_schema()::regnamespace AND prorettype = 'trigger'::regtype
"""


def check_protection(view: View, findings: Findings) -> None:
    """Note guards that are missing, altered or strange, and what SQLite says about its file."""
    found = _sqlite_guards(view) if view.is_sqlite else _postgres_guards(view)
    expected = {name: _plain(sql) for name, sql in schema.guards(view.connection.dialect.name).items()}
    for name, sql in expected.items():
        if name not in found:
            findings.note("trigger", name, "unprotected", "the guard is not there: rows could be changed unseen")
        elif found[name] != (sql if view.is_sqlite else _as_postgres(sql)):
            findings.note("trigger", name, "unprotected", "the guard is not the one that belongs there, or is off")
    for name in found.keys() - expected.keys():
        findings.note("trigger", name, "unprotected", "this is no guard of the journal, and could change rows")
    _check_revision(view, findings)
    if view.is_sqlite:
        for (problem,) in view.rows(text(f"PRAGMA integrity_check({_REPORTED})")):
            if problem != "ok":
                findings.note("store", view.name, "damaged-store", f"SQLite reports: {problem}")


def _check_revision(view: View, findings: Findings) -> None:
    newest = migrations.revisions()[-1]
    for (revision,) in (noted := view.rows(text("SELECT version_num FROM alembic_version"))):
        if revision != newest:
            message = f"the tables are said to be of revision {revision}, this software's are {newest}"
            findings.note("alembic_version", revision, "altered", message)
    if not noted:
        findings.note("alembic_version", newest, "missing", "the revision of the tables is not noted")


def _sqlite_guards(view: View) -> dict[str, str]:
    return {name: _plain(sql or "") for name, sql in view.rows(text(_SQLITE_TRIGGERS))}


def _postgres_guards(view: View) -> dict[str, str]:
    """The triggers and functions as they are, in one form with those that should be."""
    triggers = {
        name: f"{_as_postgres(_plain(sql))}{'' if enabled in ('O', 'A') else ' (off)'}"
        for name, enabled, sql in view.rows(text(_POSTGRES_TRIGGERS))
    }
    functions = {name: _plain(source) for name, source in view.rows(text(_POSTGRES_FUNCTIONS))}
    return triggers | functions


def _as_postgres(sql: str) -> str:
    """A statement in the form in which PostgreSQL tells it: a function's source, a trigger without its schema."""
    body = re.search(r"\$\$(.*)\$\$", sql, re.DOTALL)
    return _plain(body[1]) if body else re.sub(r"\bON \w+\.", "ON ", sql)


def _plain(sql: str) -> str:
    return " ".join(sql.split())
