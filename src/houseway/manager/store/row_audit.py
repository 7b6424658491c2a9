"""The tables beside the events, row by row against what the events say: books, rows for searching, snapshots, seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import select

from houseway.errors import InputError
from houseway.manager.core.floor import Floor
from houseway.manager.core.records import digest
from houseway.manager.store import schema
from houseway.manager.store.archive_records import archive_rows, wrong_archives
from houseway.manager.store.chain import ExpectedSeed, FollowedEvent, Follower
from houseway.manager.store.day_sum_audit import wrong_day_sums
from houseway.manager.store.findings import AuditFindings, span
from houseway.manager.store.projections import COLUMNS, Row
from houseway.manager.store.reading import View
from houseway.manager.store.seeds import PublishedSeed
from houseway.manager.store.trust import Unseal

_BALANCES: Final = slice(COLUMNS["transfers"].index("debit_balance"), None)
_ACCOUNTS: Final = slice(COLUMNS["transfers"].index("debit"), COLUMNS["transfers"].index("credit") + 1)
_SHOWN: Final = 60
_STRAYS: Final = 20
"""Rows before the first event that are named one by one; more of them are an archiving that was not finished."""


class TablesCheck:
    """Holds the rows of a database against the events that a `Follower` has followed."""

    def __init__(self, view: View, findings: AuditFindings, follower: Follower) -> None:
        """Begin where the follower stands."""
        self._view = view
        self._findings = findings
        self._follower = follower
        self._start = self._seq = follower.seq
        self._off: dict[str, int] = {}
        """By account: how far stored balances are off since a row that was reported, so that it is reported once."""
        self._snapshots: dict[str, tuple[int, str | None]] = {}
        self.counted: Counter[str] = Counter()

    def compare(self, window: Sequence[FollowedEvent]) -> None:
        """Hold all rows of these events, which follow on the ones before, against the database."""
        if not window:
            return
        low, self._seq = self._seq, window[-1].event.seq
        unread = {each.event.seq for each in window if each.rows is None}
        for name in COLUMNS:
            expected = [row for each in window if each.rows is not None for row in getattr(each.rows, name)]
            stored = self._view.window(schema.metadata.tables[name], low, self._seq)
            self.counted[name] += len(stored)
            if expected != stored:
                guessed = {each.event.seq for each in window if not each.knows_balances}
                self._differences(name, expected, [row for row in stored if row[0] not in unread], guessed)
        for each in window:
            self._remember(each)

    def _differences(self, name: str, expected: Iterable[Row], stored: Iterable[Row], guessed: set[int]) -> None:
        """Name every row that is altered, missing or too many."""
        wanted = {row[:2]: row for row in expected}
        for row in stored:
            want = wanted.pop(row[:2], None)
            if want is None:
                self._note(name, row, "extra", "no event accounts for this row")
            elif row != want and not (name == "transfers" and self._is_known_off(row, want, guessed)):
                self._note(name, row, "altered", _difference(COLUMNS[name], row, want))
        for key in wanted:
            self._note(name, key, "missing", "the event says that this row must be there")

    def _is_known_off(self, row: Row, want: Row, guessed: set[int]) -> bool:
        """Whether a transfer differs only because an earlier one of its accounts, already reported, was altered."""
        is_same, is_known = row[: _BALANCES.start] == want[: _BALANCES.start], True
        for account, stored, wanted in zip(want[_ACCOUNTS], row[_BALANCES], want[_BALANCES], strict=True):
            off, known = stored - wanted, self._off.get(account)
            self._off[account] = off
            is_known &= off == (known or 0) or (known is None and row[0] in guessed)
        return is_same and is_known

    def _remember(self, followed: FollowedEvent) -> None:
        """Keep what an event says about snapshots."""
        event, body = followed.event, followed.body
        if body is None or not isinstance(body.do, dict):
            return
        if event.kind == "system.snapshot":
            self._snapshots[str(body.do.get("digest"))] = (event.seq - 1, followed.previous)

    def finish(self, *, is_whole: bool, knows_start: bool, unseal: Unseal | None) -> None:
        """Look at what lies outside the events' numbers, and at the tables that hold no rows of single events.

        `knows_start`: whether the state where the events begin was there, by which old archives are known.
        """
        for name in COLUMNS:
            for row in self._view.window(schema.metadata.tables[name], self._seq, None):
                self._note(name, row, "extra", "no event accounts for this row: there is none with its number")
        if is_whole:
            for name in (*COLUMNS, "events", "checkpoints", "day_sums"):
                self._check_before(name)
        self._check_snapshots()
        self._check_archives(0 if knows_start else self._start)
        self._check_day_sums()
        if self._follower.whole:
            self._check_secrets(unseal)

    def _check_before(self, name: str) -> None:
        """No row lies before the first event; those of archived events have left."""
        table = schema.metadata.tables[name]
        keys = list(table.primary_key.columns)
        found = self._view.rows(select(*keys).where(table.c.seq <= self._start).order_by(*keys).limit(_STRAYS))
        archived = f"events up to {self._start} were archived, and this is still here: finish the archiving"
        message = archived if self._start else "there is no event with this number"
        if len(found) == _STRAYS:
            self._findings.note(name, span(found[0][0], self._start), "left-over", message)
            return
        for row in found:
            self._note(name, row, "left-over" if self._start else "extra", message)

    def _check_snapshots(self) -> None:
        table = schema.snapshots
        expected = dict(self._snapshots)
        rows = select(table.c.digest, table.c.seq, table.c.hash).where(table.c.seq >= self._start).order_by(table.c.seq)
        for digest_, seq, hash_ in self._view.rows(rows):
            self.counted["snapshots"] += 1
            want = expected.pop(digest_, None)
            if want is None:
                self._findings.note("snapshots", digest_, "extra", f"event {seq + 1} names no such state")
            elif seq != want[0] or (want[1] is not None and hash_ != want[1]):
                message = (
                    f"it is stored as the state behind event {seq}, but the journal names it behind event {want[0]}"
                )
                same = "its hash is not that of the event it stands behind"
                self._findings.note("snapshots", digest_, "altered", same if seq == want[0] else message)
            ((state,),) = self._view.rows(select(table.c.state).where(table.c.digest == digest_))
            if digest(bytes(state)) != digest_:
                self._findings.note("snapshots", digest_, "altered", "the stored state does not have this digest")
                continue
            try:
                Floor.restored(msgspec.json.decode(bytes(state)))
            except ValueError as error:
                self._findings.note("snapshots", digest_, "unreadable", f"the stored state cannot be read: {error}")
        for digest_, (seq, _) in expected.items():
            self._findings.note("snapshots", digest_, "missing", f"the state behind event {seq} is not there")
        strays = select(table.c.digest).where(table.c.seq < self._start)
        if self._start == self._view.archived_up_to():
            for (digest_,) in self._view.rows(strays):
                message = "it belongs to events that were archived, and is still here: finish the archiving"
                self._findings.note("snapshots", digest_, "left-over", message)

    def _check_archives(self, behind: int) -> None:
        """Every record by an event behind a number is the one that the state has; its event may be archived itself."""
        table = schema.archives
        stored = self._view.rows(select(table).where(table.c.seq > behind).order_by(table.c.up_to))
        self.counted["archives"] += len(stored)
        for wrong in wrong_archives(archive_rows(self._follower.floor), stored):
            self._findings.note("archives", wrong.up_to, wrong.problem, wrong.message)

    def _check_day_sums(self) -> None:
        """Every kept sum of a day is what the rows of its events make; those were compared with the events before."""
        for wrong in wrong_day_sums(self._view, self._start, self.counted):
            self._findings.note("day_sums", wrong.row, wrong.problem, wrong.message)

    def _check_secrets(self, unseal: Unseal | None) -> None:
        """Every seed that must be sealed is there, once, and fits what was published of it; none is left over."""
        expected = dict(self._follower.sealed)
        for name, seq, number, said, sealed in self._view.rows(select(schema.secrets)):
            self.counted["secrets"] += 1
            want = expected.pop(name, None)
            if want is None:
                message = "there is no open deal of this name: its seed should have been removed"
                self._findings.note("secrets", name, "left-over", message)
                continue
            if not self._is_sealed_at(seq, want):
                message = (
                    f"it is stored as sealed by event {seq}, but was sealed by event {want.seq or 'before the audit'}"
                )
                self._findings.note("secrets", name, "altered", message)
            if PublishedSeed(said, number) != want.published:
                message = f"it is the seed of shuffle {number} with the commitment {_shown(said)}, not of the open deal"
                self._findings.note("secrets", name, "wrong-secret", message)
            elif unseal is not None and not _opens(unseal, name, want.published, bytes(sealed)):
                message = "the sealed seed does not open as that of the open deal: it was altered, exchanged or moved"
                self._findings.note("secrets", name, "wrong-secret", message)
        for name in expected:
            self._findings.note("secrets", name, "missing", "the seed of this open deal is not there")

    def _is_sealed_at(self, seq: int, want: ExpectedSeed) -> bool:
        return seq <= self._start if want.seq is None else seq == want.seq

    def _note(self, table: str, row: Sequence[Any], problem: str, message: str) -> None:
        key = "/".join(str(part) for part in row[:2])
        self._findings.note(table, key, problem, message)


def _opens(unseal: Unseal, name: str, said: PublishedSeed, sealed: bytes) -> bool:
    try:
        unseal(name, said.number, said.commitment, sealed)
    except InputError:
        return False
    return True


def _difference(columns: Sequence[str], row: Sequence[Any], want: Sequence[Any]) -> str:
    """Which columns differ, and how."""
    parts = [
        f"{column} is {_shown(found)} and must be {_shown(wanted)}"
        for column, found, wanted in zip(columns, row, want, strict=True)
        if found != wanted
    ]
    return "; ".join(parts)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
