"""Backups of a journal that is being played on: one file, its checksum, and a manifest that the property signs.

A backup is a folder with `journal.db`, which is a journal on SQLite whatever database it came from, and
`manifest.json`. It shows the journal as it was at one moment. From SQLite the pages are copied within one read
transaction; from PostgreSQL the rows, from one snapshot. Nobody waits for either. The folder gets its name when all of
it is on the disk and was audited there. Rows that were copied from PostgreSQL before an interruption are kept: the same
command goes on behind them.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import msgspec
from msgspec.structs import replace as replaced
from sqlalchemy import func, select

import houseway
from houseway.errors import InputError, MissingPartError
from houseway.manager.core.records import canonical
from houseway.manager.store import migrations, schema, sqlite
from houseway.manager.store.anchoring import refuse_forked
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.export import digest_of_file
from houseway.manager.store.findings import AuditFinding
from houseway.manager.store.journal_audit import AuditReport, verify_database
from houseway.manager.store.keys import load_keys
from houseway.manager.store.marks import Mark, read_as, write_whole
from houseway.manager.store.reading import View, newest_mark, open_view, tables_there
from houseway.manager.store.row_copy import Progress, copy_rows, revision_of
from houseway.manager.store.store_errors import JournalDamagedError, StoreRefusedError
from houseway.manager.store.trust import Trust, trust_in

VERSION: Final = 1
JOURNAL_FILE: Final = "journal.db"
MANIFEST_FILE: Final = "manifest.json"
OLDEST_TABLES: Final = ("events", "checkpoints", "meta")
"""Tables that every revision has."""
_PAGES: Final = 2_000
"""Pages that are copied in one step, between two words of progress."""

Stage = Callable[[str], AbstractContextManager[Progress | None]]
"""Opens a stage of a long task by its name; gives what to tell its progress to."""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a backup holds, signed with the key of the property."""

    houseway: Literal["backup"]
    version: int
    made_at: int
    """Microseconds since 1970 UTC."""
    software: str
    store: str
    """Where it came from: sqlite or postgresql."""
    revision: str
    """That of the tables."""
    first: int
    """The oldest event; what came before lies in archives."""
    mark: Mark
    """The journal's id, and number and hash of its last event, as the journal's own checkpoint signs them."""
    rows: dict[str, int]
    file: str
    size: int
    """Bytes of the file."""
    sha256: str
    key_id: str
    signature: str
    """Hexadecimal Ed25519 signature of `signed_text`."""

    def signed_text(self) -> bytes:
        """What is signed: the manifest without its signature."""
        return canonical(replaced(self, signature=""))


class BackupResult(NamedTuple):
    """A backup that was made."""

    manifest: Manifest
    report: AuditReport | None
    """What the audit of the file found, which is nothing; None if it was left out."""


@contextlib.contextmanager
def in_silence(_: str) -> Iterator[Progress | None]:
    """A stage whose progress nobody watches."""
    yield None


def make_backup(
    url: str, keys_folder: Path, target: Path, *, stage: Stage = in_silence, check: bool = True
) -> BackupResult:
    """Back a journal up into a new folder; servers and tables go on meanwhile.

    With `check` the file is audited as it lies on the disk, and nothing is left if it is not clean. A journal that did
    not grow out of what the anchor saw was cut off or forked, and is never signed as a backup.
    """
    # Read before the journal is: whatever the anchor has seen by now must be in it.
    keys, trust = load_keys(keys_folder), trust_in(keys_folder)
    with _part_of(target) as part:
        file = part / JOURNAL_FILE
        with open_view(url, OLDEST_TABLES) as view, stage("copying") as progress:
            mark, first, revision = _signed_end(view), view.bounds()[0], revision_of(view)
            refuse_forked(view, trust)
            came_from = view.connection.dialect.name
            if view.is_sqlite:
                _copy_pages(view, file, progress)
            else:
                copy_rows(view, f"sqlite:///{file}", progress)
        make_one_file(file)
        with stage("checksum"):
            manifest = Manifest(
                "backup", VERSION, wall_micros(), houseway.__version__, came_from, revision, first, mark,
                _counted(file), JOURNAL_FILE, file.stat().st_size, digest_of_file(file), keys.key_id, "",
            )  # fmt: skip
        report = None
        if check:
            report = audited(file, trust, mark, stage)
            refuse_unclean(report, "no backup was made")
        signed = replaced(manifest, signature=keys.sign(manifest.signed_text()))
        write_whole(part / MANIFEST_FILE, canonical(signed) + b"\n")
        _sync(part)
        part.rename(target)
    _sync(target.parent)
    return BackupResult(signed, report)


def _signed_end(view: View) -> Mark:
    mark = newest_mark(view)
    last = view.bounds()[1]
    if mark.seq != last:
        raise JournalDamagedError(f"events[{last}]", "no checkpoint signs the last event")
    return mark


@contextlib.contextmanager
def _part_of(target: Path) -> Iterator[Path]:
    """The folder in which a backup is made, for one process at a time; it stays if rows may be used again."""
    if target.exists():
        raise InputError.of("unwritable-file", "to", f"{target} exists already: name a new folder for the backup")
    part = target.with_name(f".{target.name}.part")
    try:
        part.mkdir(mode=0o700, exist_ok=True)
        handle = os.open(part, os.O_RDONLY)
    except OSError as error:
        message = f"{part.parent} cannot be written: {error.strerror}; name a folder in one that is there"
        raise InputError.of("unwritable-file", "to", message) from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError.of("backup-running", "to", f"another process is making the backup {target}") from None
        try:
            yield part
        except OSError as error:
            reason = error.strerror or str(error)
            raise MissingPartError(
                f"{target} could not be written: {reason}; make room, or name another disk"
            ) from None
        finally:
            if not _may_go_on(part):
                shutil.rmtree(part, ignore_errors=True)
    finally:
        os.close(handle)


def _may_go_on(part: Path) -> bool:
    """Whether an interrupted backup has left rows behind which the next run goes on."""
    file = part / JOURNAL_FILE
    with contextlib.suppress(InputError):
        found = migrations.current(f"sqlite:///{file}") if file.exists() else None
        return found is not None and found.startswith(migrations.UNFINISHED)
    return False


def _copy_pages(view: View, file: Path, progress: Progress | None) -> None:
    """Copy a SQLite file page by page, within the view's read transaction: whatever is written meanwhile."""
    file.unlink(missing_ok=True)
    os.close(os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    module: Any = sqlite.driver()
    source: Any = view.connection.connection.dbapi_connection

    def tell(_: int, left: int, pages: int) -> None:
        if progress is not None:
            progress(pages - left, pages)

    target = module.connect(str(file))
    try:
        source.backup(target, pages=_PAGES, progress=tell)
    except module.OperationalError as error:
        raise OSError(errno.EIO, f"SQLite reports {error}") from error
    except module.Error as error:
        raise sqlite.translated(error, file) from error
    finally:
        target.close()


def make_one_file(file: Path) -> None:
    """Make one file of a journal that is on the disk and needs no log beside it, also where nobody may write."""
    module: Any = sqlite.driver()
    connection = module.connect(str(file))
    try:
        connection.execute("PRAGMA journal_mode = DELETE").fetchone()
    finally:
        connection.close()
    with file.open("rb") as written:
        os.fsync(written.fileno())


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _counted(file: Path) -> dict[str, int]:
    """How many rows each table of a file has."""
    with open_view(str(file), OLDEST_TABLES) as view:
        there = tables_there(view.connection)
        tables = [schema.metadata.tables[name] for name in schema.TABLES if name in there]
        return {table.name: int(view.rows(select(func.count()).select_from(table))[0][0]) for table in tables}


# Checking


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a backup; refused if the folder holds none that can be read."""
    path = folder / MANIFEST_FILE
    try:
        found = read_as(Manifest, path)
    except StoreRefusedError:
        found = None
    if found is None or found.version != VERSION or found.file != JOURNAL_FILE:
        message = f"{folder} holds no {MANIFEST_FILE} of a backup that this software reads: name the folder of a backup"
        raise InputError.of("no-backup", "backup", message)
    return found


def is_backup(address: str) -> bool:
    """Whether an address names a folder with a backup."""
    return "://" not in address and (Path(address) / MANIFEST_FILE).is_file()


def manifest_findings(folder: Path, manifest: Manifest, trust: Trust) -> list[AuditFinding]:
    """What is wrong with a backup before its rows are looked at: its signature, and the checksum of its file."""
    found = []
    if trust.is_given:
        fits = trust.verifies(manifest.key_id, manifest.signature, manifest.signed_text())
        if not fits:
            problem = "unknown-key" if fits is None else "bad-signature"
            what = "no given key has signed the manifest" if fits is None else "its signature does not fit"
            found.append(AuditFinding("manifest", MANIFEST_FILE, problem, what, str(folder)))
    file = folder / JOURNAL_FILE
    try:
        digest = digest_of_file(file)
    except OSError as error:
        found.append(AuditFinding("file", JOURNAL_FILE, "missing", f"it cannot be read: {error.strerror}", str(folder)))
    else:
        if digest != manifest.sha256:
            what = f"its SHA-256 is {digest}, and the manifest has {manifest.sha256}"
            found.append(AuditFinding("file", JOURNAL_FILE, "altered", what, str(folder)))
    return found


def check_backup(folder: Path, trust: Trust, *, stage: Stage = in_silence) -> AuditReport:
    """Check a backup: signature, checksum, and an audit of all it holds. The folder is only read."""
    manifest = read_manifest(folder)
    with stage("checksum"):
        found = manifest_findings(folder, manifest, trust)
    if any(finding.problem == "missing" for finding in found):
        return AuditReport(
            str(folder), manifest.first, manifest.mark.seq, manifest.mark.hash, {}, found, len(found), []
        )
    try:
        report = audited(folder / JOURNAL_FILE, trust, manifest.mark, stage)
    except InputError as error:
        report = AuditReport(str(folder), manifest.first, manifest.mark.seq, manifest.mark.hash, {}, [], 1, [])
        message = error.faults[0].message
        report.findings.append(AuditFinding("store", JOURNAL_FILE, "damaged-store", message, str(folder)))
    report.findings[:0] = found
    report.found += len(found)
    return report


def audited(file: Path, trust: Trust, end: Mark, stage: Stage) -> AuditReport:
    """Audit a file up to the event with which it must end; of an older revision, a copy that was brought up to date."""
    trust = replace(trust, anchors=(*(each for each in trust.anchors if each.seq <= end.seq), end))
    with contextlib.ExitStack() as stack:
        with open_view(str(file), OLDEST_TABLES) as view:
            is_older = revision_of(view) != migrations.revisions()[-1]
        source = stack.enter_context(_upgraded_copy(file)) if is_older else file
        with open_view(str(source)) as view, stage("checking") as progress:
            report = verify_database(view, trust, progress=progress)
    report.source = str(file)
    return report


@contextlib.contextmanager
def _upgraded_copy(file: Path) -> Iterator[Path]:
    """A copy of a backup's file with the tables of this software, for as long as it is looked at."""
    with tempfile.TemporaryDirectory(prefix="houseway-") as folder:
        trial = Path(folder) / file.name
        shutil.copyfile(file, trial)
        migrations.upgrade(f"sqlite:///{trial}")
        yield trial


def refuse_unclean(report: AuditReport, outcome: str) -> None:
    """Refuse to go on with what an audit found fault with; `outcome` says what has not been done."""
    if not report.is_clean:
        finding = report.findings[0]
        more = f" ({report.found} findings)" if report.found > 1 else ""
        raise JournalDamagedError(f"{finding.table}[{finding.row}]", f"{outcome}: {finding.message}{more}")
