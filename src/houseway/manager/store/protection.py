"""The database's own protection: guards against changed rows in place and unaltered, and a file without damage."""

from __future__ import annotations

from typing import Final

from sqlalchemy import select, text

from houseway.manager.store import migrations
from houseway.manager.store.definitions import REVISIONS
from houseway.manager.store.findings import AuditFindings
from houseway.manager.store.guarding import Ask, strange, strange_path
from houseway.manager.store.index_audit import check_indexes
from houseway.manager.store.reading import View

_REPORTED: Final = 100


def check_protection(view: View, findings: AuditFindings) -> None:
    """Note guards that are missing, altered or strange, a damaged file of SQLite, and indexes that leave rows out."""
    for each in strange(view.namespace, _asking(view)):
        findings.note(each.kind, each.name, "unprotected", each.what)
    _check_revision(view, findings)
    if view.is_sqlite:
        for (problem,) in view.rows(text(f"PRAGMA integrity_check({_REPORTED})")):
            if problem != "ok":
                findings.note("store", view.name, "damaged-store", f"SQLite reports: {problem}")
    else:
        check_indexes(view, findings)


def check_path(view: View, findings: AuditFindings) -> None:
    """Note a session that has gone astray while it read: what it was told is then worth nothing."""
    if not view.is_sqlite:
        for each in strange_path(_asking(view)):
            findings.note(each.kind, each.name, "unprotected", each.what)


def _asking(view: View) -> Ask:
    return lambda sql: [tuple(row) for row in view.connection.exec_driver_sql(sql)]


def _check_revision(view: View, findings: AuditFindings) -> None:
    newest = migrations.revisions()[-1]
    for (revision,) in (noted := view.rows(select(REVISIONS.c.version_num))):
        if revision != newest:
            message = f"the tables are marked as revision {revision}, but this software's are {newest}"
            findings.note("alembic_version", revision, "altered", message)
    if not noted:
        findings.note("alembic_version", newest, "missing", "the revision of the tables is not noted")
