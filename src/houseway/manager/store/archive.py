"""Old years move into a file, and what is left goes on from there: still one chain, still verifiable.

The steps make sure that no event is ever in neither place: the file is written and synced, read back and audited, then
recorded in the journal with its digest, and only then do the rows leave the live tables, a few at a time so that tables
play on; their leaves stay in the tree. A run that was interrupted is finished by the same call with the same file. Rows
leave up to a stored state, which stays as the beginning of the rest; the file also holds the event that names that
state, and its signature.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import func, select

from houseway.errors import InputError
from houseway.manager.commands.system_commands import RowsArchived
from houseway.manager.core.engine import SYSTEM, Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.handlers.system import duty_fault
from houseway.manager.store import schema, urls
from houseway.manager.store.export import digest_of_file, write_journal
from houseway.manager.store.gaming_days import time_of
from houseway.manager.store.head_making import HeadBook
from houseway.manager.store.journal_audit import verify_file
from houseway.manager.store.keys import load_keys
from houseway.manager.store.manager import open_manager
from houseway.manager.store.reading import View, open_view
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.manager.store.trust import Trust, trust_in
from houseway.manager.store.writer import RESERVED

YOUNGEST: Final = 30 * 86_400_000_000
"""Microseconds before the last event within which nothing is archived: commands that young may still be repeated."""
AT_ONCE: Final = 5_000
"""Events whose rows leave in one transaction."""


class ArchiveResult(NamedTuple):
    """What was archived."""

    first: int
    up_to: int
    hash: str
    digest: str
    """SHA-256 of the file."""
    seq: int
    """The event that records it."""


class _Plan(NamedTuple):
    first: int
    up_to: int
    hash: str
    at: int
    next_at: int


def archive_before(
    url: str,
    keys_folder: Path,
    before: int,
    target: Path,
    by: str,
    *,
    clock: Callable[[], int] | None = None,
    at_once: int = AT_ONCE,
) -> ArchiveResult:
    """Move all events before a time into a new file, as far as a stored state reaches; or finish what was begun.

    `by` is the person who has it done. The server may go on serving meanwhile.
    """
    trust = trust_in(keys_folder)
    with open_view(url) as view:
        floor = view.state_at(view.bounds()[1]).floor
        _check_person(floor, by)
        pending = _pending(view, floor)
        if pending is not None:
            archived = _resumed(pending, target)
        else:
            plan = _planned(view, before)
            digest = _written(view, plan, target, trust)
    if pending is None:
        archived = _record(url, keys_folder, plan, digest, by, clock)
    # The tree goes on over all events: their leaves stay when their rows go.
    HeadBook(url, load_keys(keys_folder)).keep_leaves(archived.up_to)
    _prune(url, archived.up_to, at_once)
    return archived


def _check_person(floor: Floor, by: str) -> None:
    """Refuse a person whom the record would refuse, before a file is written for nothing."""
    fault = duty_fault(floor, by, "has the events archived")
    if fault is not None:
        raise InputError([fault])


def _pending(view: View, floor: Floor) -> ArchiveResult | None:
    """An archive that is recorded and whose rows have not all left yet."""
    first, _ = view.bounds()
    newest = max(floor.archives.values(), key=lambda archive: archive.up_to, default=None)
    if newest is None or newest.up_to < first:
        return None
    return ArchiveResult(first, newest.up_to, newest.hash, newest.file_digest, newest.seq)


def _resumed(pending: ArchiveResult, target: Path) -> ArchiveResult:
    """The interrupted archive, if the file is still the one that was recorded."""
    if not target.is_file() or digest_of_file(target) != pending.digest:
        message = (
            f"an archive up to event {pending.up_to} was begun and not finished: name its file (SHA-256 "
            f"{pending.digest}) to finish it; {target} is not that file"
        )
        raise InputError.of("archive-pending", "to", message)
    return pending


def _planned(view: View, before: int) -> _Plan:
    """The newest stored state whose events all lie before the time."""
    first, last = view.bounds()
    ((newest,),) = view.rows(select(func.max(schema.events.c.at)).where(schema.events.c.seq == last))
    if newest is None or before > newest - YOUNGEST:
        message = "only what is at least 30 days older than the last event is archived: name an earlier date"
        raise InputError.of("too-young", "before", message)
    snapshots, events = schema.snapshots, schema.events
    # The event that names the state goes into the file too, so it must be as old.
    named = snapshots.join(events, events.c.seq == snapshots.c.seq + 1)
    found = view.rows(
        select(snapshots.c.seq, snapshots.c.hash)
        .select_from(named)
        .where(snapshots.c.seq >= first, events.c.kind == "system.snapshot", events.c.at < before)
        .order_by(snapshots.c.seq.desc())
        .limit(1)
    )
    if not found:
        message = f"no state was stored between event {first} and that date: there is nothing to archive yet"
        raise InputError.of("nothing-to-archive", "before", message)
    up_to, hash_ = found[0]
    return _Plan(first, up_to, hash_, time_of(view, up_to), time_of(view, up_to + 1))


def _written(view: View, plan: _Plan, target: Path, trust: Trust) -> str:
    """Write the file and audit it as it lies on the disk; returns its digest."""
    written = write_journal(view, target, trust.hex_keys(), plan.first, plan.up_to + 1)
    report = verify_file(target, trust, listed=1)
    if not report.is_clean:
        with contextlib.suppress(OSError):
            target.unlink()
        finding = report.findings[0]
        raise JournalDamagedError(f"{finding.table}[{finding.row}]", f"nothing was archived: {finding.message}")
    return written.digest


def _record(
    url: str, keys_folder: Path, plan: _Plan, digest: str, by: str, clock: Callable[[], int] | None
) -> ArchiveResult:
    """Put the archive on record in the chain."""
    address = url if "://" in url else f"sqlite:///{url}"
    command = RowsArchived(plan.up_to, digest, plan.hash, by, plan.at, plan.next_at)
    with open_manager(address, keys_folder, create=False, clock=clock) as manager:
        answer = manager.call(Envelope(f"{RESERVED}archived/{plan.up_to}", SYSTEM, command))
    return ArchiveResult(plan.first, plan.up_to, plan.hash, digest, answer.seq)


def _prune(url: str, up_to: int, at_once: int) -> None:
    """Let the rows of archived events leave, a few at a time, so that the tables' commands come in between."""
    journal = urls.journal_at(url if "://" in url else f"sqlite:///{url}")
    try:
        is_done = False
        while not is_done:
            journal.begin()
            try:
                is_done = journal.prune(up_to, at_once)
                journal.commit()
            finally:
                journal.rollback()
    finally:
        journal.close()
