"""Tables go to another revision: backed up first and tried on the backup, changed in one transaction, then audited."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import text

from houseway.errors import InputError
from houseway.manager.store import migrations, sqlite, urls
from houseway.manager.store.backup import Manifest, Stage, in_silence, make_backup, refuse_unclean
from houseway.manager.store.journal_audit import AuditReport
from houseway.manager.store.restore import audit_database
from houseway.manager.store.trust import trust_in

_OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
    "AND application_name = 'houseway'"
)


class UpgradeResult(NamedTuple):
    """What became of the tables."""

    before: str
    after: str
    backup: Manifest | None
    """The backup that was made before; None if the tables were as they should be."""
    report: AuditReport | None
    """The audit afterwards; None of older revisions, which only their own software can audit."""


def upgrade_tables(
    url: str, keys_folder: Path, backup_to: Path | None, revision: str = "head", *, stage: Stage = in_silence
) -> UpgradeResult:
    """Bring the tables to a revision, by default this software's; the servers must have ended.

    The backup's audit brings a copy of it up to date: a migration that would fail has failed there.
    """
    known = migrations.revisions()
    if revision != "head" and revision not in (migrations.BASE, *known):
        raise InputError.of(
            "unknown-revision", "to", f"{revision[:40]!r} is not a revision: {', '.join(known)} or head"
        )
    before, target = migrations.current(url), known[-1] if revision == "head" else revision
    if before is None:
        raise InputError.of("journal-missing", "database", "this database holds no journal: create one first")
    migrations.refuse_unknown(before)
    if before == target:
        return UpgradeResult(before, target, None, None)
    if backup_to is None:
        message = f"name a folder for the backup that is made before the tables go from {before} to {target}"
        raise InputError.of("missing-argument", "backup-to", message)
    _check_alone(url)
    goes_up = target != migrations.BASE and known.index(target) > known.index(before)
    if not goes_up:
        migrations.refuse_loss(url, target)
    made = make_backup(url, keys_folder, backup_to, stage=stage)
    try:
        _check_alone(url)
        with stage("changing tables"):
            if goes_up:
                migrations.upgrade(url, target)
            else:
                migrations.downgrade(url, target)
    except InputError as error:
        fault = error.faults[0]
        message = f"{fault.message}; the tables are as they were ({before}), and a backup lies in {backup_to}"
        raise InputError.of(fault.code, fault.path, message) from error
    report = None
    if target == known[-1]:
        report = audit_database(url, trust_in(keys_folder), stage)
        refuse_unclean(report, f"the tables were changed, and a backup of before lies in {backup_to}")
    return UpgradeResult(before, target, made.manifest, report)


def _check_alone(url: str) -> None:
    """Refuse while somebody else has the database open: a server would go on with tables that it does not know."""
    message = "a server or another program has the database open: end all of them first; nothing was changed"
    if urls.is_sqlite(url):
        module: Any = sqlite.driver()
        connection = sqlite.connect(urls.sqlite_path(url), busy_milliseconds=0)
        try:
            # Whoever is alone may do without the log; everybody else is told that the file is in use.
            connection.execute("PRAGMA journal_mode = DELETE").fetchone()
        except module.OperationalError:
            raise InputError.of("database-served", "database", message) from None
        finally:
            connection.close()
        return
    with urls.engine_at(url).connect() as opened:
        if opened.scalar(text(_OTHERS)):
            raise InputError.of("database-served", "database", message)
