"""The database's own protection: guards against changed rows in place and unaltered, and a file without damage."""

from __future__ import annotations

from typing import Final

from sqlalchemy import text

from houseway.manager.store import migrations
from houseway.manager.store.findings import AuditFindings
from houseway.manager.store.guarding import strange
from houseway.manager.store.reading import View

_REPORTED: Final = 100


def check_protection(view: View, findings: AuditFindings) -> None:
    """Note guards that are missing, altered or strange, and what SQLite says about its file."""
    for each in strange(view.connection.dialect.name, lambda sql: view.rows(text(sql))):
        findings.note(each.kind, each.name, "unprotected", each.what)
    _check_revision(view, findings)
    if view.is_sqlite:
        for (problem,) in view.rows(text(f"PRAGMA integrity_check({_REPORTED})")):
            if problem != "ok":
                findings.note("store", view.name, "damaged-store", f"SQLite reports: {problem}")


def _check_revision(view: View, findings: AuditFindings) -> None:
    newest = migrations.revisions()[-1]
    for (revision,) in (noted := view.rows(text("SELECT version_num FROM alembic_version"))):
        if revision != newest:
            message = f"the tables are said to be of revision {revision}, this software's are {newest}"
            findings.note("alembic_version", revision, "altered", message)
    if not noted:
        findings.note("alembic_version", newest, "missing", "the revision of the tables is not noted")
