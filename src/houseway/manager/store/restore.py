"""A backup becomes a database again, or a journal moves into another one; both are audited before they count as done.

Nothing that exists is overwritten. What comes back may end before what others have seen: the anchor of the keys, the
memory of controllers and displays. The result says what is missing by those marks, and what people have to do before
the clients work with it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from houseway.errors import InputError
from houseway.manager.store import migrations, urls
from houseway.manager.store.anchoring import refuse_forked
from houseway.manager.store.backup import (
    JOURNAL_FILE,
    OLDEST_TABLES,
    Manifest,
    Stage,
    in_silence,
    make_one_file,
    manifest_findings,
    read_manifest,
    refuse_unclean,
)
from houseway.manager.store.export import new_file
from houseway.manager.store.journal_audit import AuditReport, verify_database
from houseway.manager.store.marks import Mark
from houseway.manager.store.reading import newest_mark, open_view
from houseway.manager.store.row_copy import CopyResult, copy_rows, mark_unfinished
from houseway.manager.store.sqlite_files import files_beside
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.manager.store.trust import Trust

_AT_ONCE: Final = 1 << 20


class LostEvents(NamedTuple):
    """Events that a mark has seen and that a restored journal lacks."""

    first: int
    last: int
    hash: str
    """That of the last one."""


class RestoreResult(NamedTuple):
    """A journal that was restored, and what its clients need."""

    manifest: Manifest
    report: AuditReport
    lost: LostEvents | None
    """What is missing by the marks that were given; None if they know of nothing, which is no proof."""
    marks: int
    """How many marks were given to compare with."""


class MoveResult(NamedTuple):
    """A journal that was copied into another database."""

    copied: CopyResult
    report: AuditReport


def restore_backup(folder: Path, target: str, trust: Trust, *, stage: Stage = in_silence) -> RestoreResult:
    """Restore a backup into a database that holds nothing, and audit it there."""
    if not trust.is_given:
        message = "name the key folder with --keys or the public key with --public-key: a backup is restored only if "
        raise InputError.of("missing-argument", "keys", f"{message}the property has signed it")
    manifest = read_manifest(folder)
    with stage("checksum"):
        for finding in manifest_findings(folder, manifest, trust):
            where = f"{finding.table}[{finding.row}]"
            raise JournalDamagedError(where, f"nothing was restored: {finding.message}")
    ahead = [each for each in trust.anchors if each.seq > manifest.mark.seq]
    known = replace(trust, anchors=(*(each for each in trust.anchors if each not in ahead), manifest.mark))
    if urls.is_sqlite(target):
        report = _restored_file(folder, manifest, target, known, stage)
    else:
        report = _restored_rows(folder, target, known, stage)
    newest = max(ahead, key=lambda each: each.seq, default=None)
    lost = None if newest is None else LostEvents(manifest.mark.seq + 1, newest.seq, newest.hash)
    return RestoreResult(manifest, report, lost, len(trust.anchors))


def _restored_file(folder: Path, manifest: Manifest, target: str, trust: Trust, stage: Stage) -> AuditReport:
    """Copy the file, bring its tables up to date, and give it its name when it was audited."""
    path = urls.sqlite_path(target)
    for each in (path, *files_beside(path)):
        if os.path.lexists(each):
            message = f"{each} exists already, and is never overwritten: name a new file, or move it away"
            raise InputError.of("journal-exists", "to", message)
    with new_file(path) as file:
        beside, total = Path(file.name), hashlib.sha256()
        beside.chmod(0o600)
        with (folder / JOURNAL_FILE).open("rb") as source, stage("copying") as progress:
            done = 0
            while part := source.read(_AT_ONCE):
                file.write(part)
                total.update(part)
                done += len(part)
                if progress is not None:
                    progress(done, manifest.size)
        file.flush()
        if total.hexdigest() != manifest.sha256:
            raise JournalDamagedError(f"file[{JOURNAL_FILE}]", "nothing was restored: it changed while it was read")
        try:
            report = _brought_up(f"sqlite:///{beside}", trust, stage)
            refuse_unclean(report, "nothing was restored")
            make_one_file(beside)
        finally:
            for each in files_beside(beside):
                each.unlink(missing_ok=True)
    report.source = str(path)
    return report


def _restored_rows(folder: Path, target: str, trust: Trust, stage: Stage) -> AuditReport:
    with open_view(str(folder / JOURNAL_FILE), OLDEST_TABLES) as view, stage("copying") as progress:
        copy_rows(view, target, progress)
    report = _brought_up(target, trust, stage)
    if not report.is_clean:
        mark_unfinished(target, migrations.revisions()[-1])
    refuse_unclean(report, "the database is not what the backup says, and is marked as unfinished")
    return report


def _brought_up(url: str, trust: Trust, stage: Stage) -> AuditReport:
    """Bring the tables of a database to this software's revision, and audit it."""
    if migrations.current(url) != migrations.revisions()[-1]:
        migrations.upgrade(url)
    return audit_database(url, trust, stage)


def audit_database(url: str, trust: Trust, stage: Stage = in_silence) -> AuditReport:
    """Audit a database, with its progress told."""
    with open_view(url) as view, stage("checking") as progress:
        return verify_database(view, trust, progress=progress)


def copy_database(source: str, target: str, trust: Trust, *, stage: Stage = in_silence) -> MoveResult:
    """Copy a journal as it is now into an empty database of either kind, and audit it there.

    A journal that did not grow out of what the trusted anchors saw was cut off or forked, and is not copied.
    """
    with open_view(source, OLDEST_TABLES) as view, stage("copying") as progress:
        end: Mark = newest_mark(view)
        refuse_forked(view, trust)
        copied = copy_rows(view, target, progress)
    report = _brought_up(target, replace(trust, anchors=(*trust.anchors, end)), stage)
    if not report.is_clean:
        with contextlib.suppress(InputError):
            mark_unfinished(target, migrations.revisions()[-1])
    refuse_unclean(report, "the copy is not the journal, and is marked as unfinished")
    return MoveResult(copied, report)
