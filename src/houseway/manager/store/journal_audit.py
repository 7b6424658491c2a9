"""The whole audit of a journal: every event, every row made of it, every signature, on a database or on files.

What is found is found row by row, and everything is looked at: an audit does not stop at the first fault. Of the
journal only 24 bytes an event and 24 a deal stay in memory, so that a key and a seed used twice are found.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from houseway.amounts import total
from houseway.errors import InputError
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Recovery
from houseway.manager.core.records import GENESIS, Event, digest
from houseway.manager.store import schema
from houseway.manager.store.anchoring import HashAt
from houseway.manager.store.chain import FollowedEvent, Follower, NamedState, Signatures
from houseway.manager.store.digest_register import SeenBefore
from houseway.manager.store.export import (
    DamagedLineError,
    FirstLine,
    JournalFile,
    LastLine,
    open_journal_file,
)
from houseway.manager.store.findings import LISTED, AuditFinding, AuditFindings, span
from houseway.manager.store.journal import Checkpoint
from houseway.manager.store.protection import check_path, check_protection
from houseway.manager.store.reading import WINDOW, Boundary, View, announced_keys, fingerprints_of
from houseway.manager.store.row_audit import TablesCheck
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.manager.store.tree_audit import TreeCheck
from houseway.manager.store.tree_reading import log_keys, origin_of
from houseway.manager.store.trust import Trust, Witness

Progress = Callable[[int, int], None]
NOTED: Final = ("journal", "keys")
"""What the table meta notes about a journal."""


WRONG_KEYS: Final = (
    "no signature here is by the given keys: name the key folder or the public key of this journal; if these are its "
    "own, the whole journal was made again by somebody else"
)


class AuditReport(msgspec.Struct):
    """What an audit has looked at and found."""

    source: str
    first: int
    last: int
    hash: str
    """That of the last event."""
    rows: dict[str, int]
    """How many rows of each table were looked at."""
    findings: list[AuditFinding]
    found: int
    """How many findings there are, also those that are not listed."""
    notes: list[str]
    """What the audit could not look at, and what it had to take on trust."""

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found."""
        return self.found == 0

    def to_json(self) -> dict[str, Any]:
        """The report as the command line prints it."""
        return {
            "source": self.source,
            "clean": self.is_clean,
            "from": self.first,
            "to": self.last,
            "hash": self.hash,
            "rows": self.rows,
            "found": self.found,
            "findings": [finding.to_json() for finding in self.findings],
            "notes": self.notes,
        }


class Witnesses:
    """Receipts, the anchor among them, checked against the events as they pass."""

    def __init__(self, findings: AuditFindings, witnesses: Iterable[Witness]) -> None:
        """Wait for these events."""
        self._findings = findings
        self.confirmed = 0
        """The highest event that was seen and is there unchanged: with it, all before it is what was there then."""
        self._waiting: dict[int, list[Witness]] = {}
        for witness in witnesses:
            self._waiting.setdefault(witness.seq, []).append(witness)

    def see(self, event: Event) -> None:
        """Hold an event against what was seen of it."""
        for witness in self._waiting.pop(event.seq, ()):
            self._hold(witness, event.hash)

    def _hold(self, witness: Witness, hash_: str) -> None:
        if hash_.startswith(witness.hash):
            self.confirmed = max(self.confirmed, witness.seq)
        else:
            message = f"the {witness.source} saw another event {witness.seq}, with the hash {witness.hash}"
            self._findings.note(witness.source, witness.seq, "witness-differs", message)

    def finish(self, first: int, last: int, hash_at: HashAt | None = None) -> list[str]:
        """Note events that were seen and are gone, or that are others; returns what could not be looked at.

        `hash_at` tells of events before the first one here, where that is known.
        """
        notes = []
        for seq, witnesses in sorted(self._waiting.items()):
            for witness in witnesses:
                if seq > last:
                    message = (
                        f"the {witness.source} saw event {seq}, the journal ends with event {last}: it was cut off"
                    )
                    self._findings.note(witness.source, seq, "cut-off", message)
                elif seq < first and hash_at is None:
                    notes.append(
                        f"event {seq} of the {witness.source} lies before event {first}, where this audit began"
                    )
                elif seq < first and hash_at is not None:
                    self._hold(witness, hash_at(seq) or "")
                else:
                    message = f"the {witness.source} saw event {seq}, which is not there"
                    self._findings.note(witness.source, seq, "missing", message)
        return notes


# A database


def verify_database(
    view: View,
    trust: Trust,
    *,
    since: int | None = None,
    witnesses: Sequence[Witness] = (),
    archives: Sequence[Path] = (),
    progress: Progress | None = None,
    listed: int = LISTED,
) -> AuditReport:
    """Audit the journal of a database, from its beginning or from the newest stored state before event `since` on.

    The anchor in `trust` must have been read before the view was opened.
    """
    return _DatabaseAudit(view, trust, AuditFindings(listed), progress).run(since, witnesses, archives)


class _DatabaseAudit:
    """One audit of a database."""

    def __init__(self, view: View, trust: Trust, findings: AuditFindings, progress: Progress | None) -> None:
        self.view = view
        self.trust = trust
        self.findings = findings
        self.progress = progress
        self.notes: list[str] = []
        self.last = 0
        self.journal_id = ""
        self.recoveries: tuple[Recovery, ...] = ()
        self.seen: SeenBefore | None = None
        """What the archives have brought, where the rows go on behind them."""
        self.begins_with_first = True
        """Whether the archives begin with event 1."""
        self.tree: TreeCheck | None = None
        self.knows_start = True
        """Whether the state where the rows begin was there."""
        self._begin(Boundary(0, GENESIS, Floor()))

    def _begin(self, start: Boundary) -> None:
        """Begin behind an event, in the state after it."""
        self.follower = Follower(self.findings, floor=start.floor, seq=start.seq, head=start.hash, seen=self.seen)
        self.signatures = Signatures(self.follower, self.trust.verifies, self.journal_id)
        self.tables = TablesCheck(self.view, self.findings, self.follower)

    def _new_tree(self) -> TreeCheck:
        origin = origin_of(self.journal_id)
        return TreeCheck(self.view, self.findings, origin, log_keys(self.trust, origin))

    def run(self, since: int | None, witnesses: Sequence[Witness], archives: Sequence[Path]) -> AuditReport:
        """Look at everything, as far as the database can be read."""
        try:
            self._audit(since, witnesses, archives)
        except InputError:
            raise
        except (DBAPIError, TypeError, ValueError, LookupError, AttributeError, msgspec.MsgspecError) as error:
            # Pages that cannot be read, or values of another kind than their columns hold.
            reason = error.orig if isinstance(error, DBAPIError) else error
            message = f"the audit could not go on behind event {self.follower.seq}: {reason}"
            self.findings.note("store", self.view.name, "damaged-store", message)
        follower, findings = self.follower, self.findings
        rows = {"events": follower.counted, "checkpoints": self.signatures.counted, **self.tables.counted}
        rows |= {} if self.tree is None else self.tree.counted
        return AuditReport(
            self.view.name, follower.first, self.last, follower.head or GENESIS, rows, findings.items, findings.count,
            self.notes,
        )  # fmt: skip

    def _audit(self, since: int | None, witnesses: Sequence[Witness], archives: Sequence[Path]) -> None:
        self._settle_trust()
        self._settle_journal()
        check_protection(self.view, self.findings)
        self.recoveries = self._read_recoveries()
        seen = Witnesses(self.findings, [*witnesses, *self._anchor()])
        tree = self.tree = self._new_tree()
        boundary = self._archives(archives, seen)
        start = self._start(since)
        self._join(boundary, start)
        self.last = self.view.bounds()[1]
        self._begin(start)
        tree.begin(start.seq)
        self._follow(seen, tree)
        self.signatures.finish()
        tree.finish()
        self.notes += tree.notes
        self.tables.finish(is_whole=since is None, knows_start=self.knows_start, unseal=self.trust.unseal)
        self._check_meta()
        check_path(self.view, self.findings)
        follower = self.follower
        if follower.whole and total(follower.floor.balances.values()):
            message = "the balances of all accounts do not sum to zero"
            self.findings.note("transfers", follower.seq, "unbalanced", message)
        self.notes += seen.finish(follower.first, follower.seq, self._hash_before)
        self._check_keys(seen.confirmed, is_joined=self.begins_with_first and self.seen is not None)
        self._note_trust()

    def _check_keys(self, confirmed: int, *, is_joined: bool) -> None:
        """Which of several keys was in force must be beyond doubt: whoever has an old one can write the journal again.

        What an anchor or a receipt confirms was so. Without one, a given key that no start announces may be the one
        that was replaced, or the one that replaced it; and where the starts lie in archives, only these tell.
        """
        keys, follower = sorted(self.trust.public), self.follower
        if not self.trust.is_given or confirmed >= follower.seq:
            return
        order = follower.seen.order
        known = {*follower.floor.signing_keys, *order.replaced, order.in_force}
        for key in keys:
            if key not in known:
                message = (
                    "this key was given, and no start announces it: the journal was written again under an older key, "
                    "or the key is another journal's; give an anchor kept elsewhere. If it was drawn just now, start "
                    "the server once"
                )
                self.findings.note("keys", key, "key-unaccounted", message)
        is_open = len(keys) > 1 and self.view.archived_up_to() > 0 and not is_joined
        if is_open and confirmed < follower.first:
            message = (
                "several keys were given, and the starts that say which of them was in force lie in archives: give all "
                "of those with --archive, or an anchor kept elsewhere with --anchor"
            )
            self.findings.note("keys", "all", "key-unaccounted", message)

    def _hash_before(self, seq: int) -> str | None:
        """The hash of an event before the first one that was followed; what the tree lacks was noted already."""
        try:
            return self.view.hash_at(seq)
        except JournalDamagedError:
            return None

    def _settle_trust(self) -> None:
        """Keys of another journal are told once; everything else is then checked with what the journal announces."""
        announced, table = announced_keys(self.view), schema.checkpoints
        if self.trust.is_given and self.view.rows(select(table.c.seq).limit(1)):
            ours = select(table.c.seq).where(table.c.key_id.in_(list(self.trust.public))).limit(1)
            if not self.view.rows(ours):
                self.findings.note("checkpoints", "all", "wrong-keys", WRONG_KEYS)
                self.trust = Trust()
        self.trust = self.trust.announced(announced)

    def _settle_journal(self) -> None:
        """Signatures are checked for the journal that the first start names; every other name it has must be that."""
        noted = self.view.journal_id()
        starts = self.view.events(0, None, schema.events.c.kind == "system.started")
        named = {event.seq: fingerprints_of(event).get("journal") for event in starts}
        known = [(seq, each) for seq, each in named.items() if each is not None]
        self.journal_id = known[0][1] if known else (noted or "")
        others = [seq for seq, each in known if each != self.journal_id]
        for seq in others:
            self.findings.note("events", seq, "altered", "the start names another journal than the first one does")
        if known and noted is not None and noted != self.journal_id:
            message = f"it says {noted[:64]}, and the start in event {known[0][0]} has {self.journal_id[:64]} on record"
            self.findings.note("meta", "journal", "altered", message)

    def _anchor(self) -> list[Witness]:
        found = []
        noted = self.view.journal_id()
        for anchor in self.trust.anchors:
            if noted != anchor.journal:
                message = f"the anchor is of the journal {anchor.journal}, this one is {noted or 'without an id'}"
                self.findings.note("meta", "journal", "altered", message)
            lost = next((each for each in self.recoveries if each.covers(anchor.seq, anchor.at)), None)
            if lost is None:
                found.append(Witness(anchor.seq, anchor.hash, "anchor"))
            else:
                self.notes.append(
                    f"event {anchor.seq} of the anchor is one of the events {lost.first} to {lost.last}, which "
                    f"{lost.by} and {lost.second} have put on record as lost"
                )
        return found

    def _read_recoveries(self) -> tuple[Recovery, ...]:
        """What two people have put on record as lost, as the last event that says so holds it."""
        told = self.view.events(0, None, schema.events.c.kind == "system.recovery")
        found: tuple[Recovery, ...] = ()
        for event in told:
            with contextlib.suppress(msgspec.MsgspecError, KeyError, TypeError, IndexError):
                put = msgspec.json.decode(event.body)["put"]
                found = msgspec.convert(put[0][2]["recoveries"], tuple[Recovery, ...])
        return found

    def _check_meta(self) -> None:
        """What is noted about the journal itself stands in its last start as well."""
        started = select(schema.events).where(schema.events.c.kind == "system.started")
        rows = self.view.rows(started.order_by(schema.events.c.seq.desc()).limit(1))
        on_record = fingerprints_of(Event(*rows[0])) if rows else {}
        noted: dict[str, str] = dict(self.view.rows(select(schema.meta)))
        wanted = {name: on_record[name] for name in NOTED if name in on_record}
        if not wanted:
            self.notes.append("no start is on record that says which journal this is: the table meta was not checked")
            return
        for name in noted.keys() | wanted.keys():
            if name not in noted:
                self.findings.note("meta", name, "missing", "it is on record in the last start, and not noted here")
            elif name not in wanted:
                self.findings.note("meta", name, "extra", "the last start does not know of it")
            elif name != "journal" and noted[name] != wanted[name]:
                self.findings.note("meta", name, "altered", "it is not what the last start has on record")

    def _start(self, since: int | None) -> Boundary:
        """Where the audit begins: at the first event, behind what was archived, or at a stored state."""
        first, _ = self.view.bounds()
        archived = self.view.archived_up_to()
        if since is not None and since > first:
            stored = self.view.state_before(since)
            if stored.seq + 1 >= first:
                return stored
        if archived and first > 1:
            stored = self.view.state_before(archived + 1)
            if stored.seq == archived:
                return Boundary(archived, self._boundary_hash(archived, stored.hash), stored.floor)
            message = f"the state behind event {archived}, where the rows begin, is not there or was altered"
            self.findings.note("snapshots", archived, "missing", message)
            self.knows_start = False
            return Boundary(archived, self._boundary_hash(archived, GENESIS), Floor())
        return Boundary(0, GENESIS, Floor())

    def _boundary_hash(self, up_to: int, stored: str) -> str:
        """The hash of the last archived event: on record with the archive and with the state, should one be altered."""
        ((recorded,),) = self.view.rows(select(schema.archives.c.hash).where(schema.archives.c.up_to == up_to))
        event = self.view.event(up_to + 1)
        return stored if event is not None and event.follows(stored) else str(recorded)

    def _follow(self, seen: Witnesses, tree: TreeCheck) -> None:
        """Follow all events, window by window, each with its rows and its checkpoint."""
        follower, signatures = self.follower, self.signatures
        checkpoints = self.view.checkpoints(follower.seq)
        waiting = next(checkpoints, None)
        window: list[FollowedEvent] = []
        for event in self.view.events(follower.seq):
            while waiting is not None and waiting.seq < event.seq:
                signatures.check(waiting)
                waiting = next(checkpoints, None)
            seen.see(event)
            tree.see(event)
            window.append(follower.follow(event))
            while waiting is not None and waiting.seq == event.seq:
                signatures.check(waiting)
                waiting = next(checkpoints, None)
            if len(window) >= WINDOW:
                self.tables.compare(window)
                window = []
                if self.progress is not None:
                    self.progress(event.seq - follower.first + 1, self.last - follower.first + 1)
        self.tables.compare(window)
        while waiting is not None:
            signatures.check(waiting)
            waiting = next(checkpoints, None)

    def _note_trust(self) -> None:
        if not self.trust.is_given and self.signatures.counted:
            self.notes.append(
                "the signatures were checked with the keys that the journal itself announces: "
                "give --public-key or --keys, from elsewhere, to find a journal that was made again as a whole"
            )
        if self.trust.unseal is None:
            self.notes.append("sealed seeds were counted, not opened: that needs --keys")

    # Archives

    def _archives(self, paths: Sequence[Path], seen: Witnesses) -> NamedState | None:
        """Audit the archive files in their order; returns where the last one ends."""
        recorded = {row[0]: row for row in self.view.rows(select(schema.archives))}
        end: NamedState | None = None
        for _, path in sorted(_headers(paths), key=lambda found: found[0].first):
            self.findings.file = str(path)
            with open_journal_file(path, "archive") as file:
                header = file.header
                self._recorded(recorded, header, file)
                trusted = self.trust.announced(header.keys)
                audit = _FileAudit(file, trusted, self.findings, seen=self.seen, tree=self.tree)
                audit.run(seen)
            self.seen = audit.follower.seen
            self._continues(end, header, audit.start_digest)
            end = audit.follower.boundary
            self.findings.file = None
        if recorded and not paths:
            self.notes.append(
                f"events up to {max(recorded)} lie in archives: give their files with --archive to audit them as well"
            )
        return end

    def _recorded(self, recorded: Mapping[int, Sequence[Any]], header: FirstLine, file: JournalFile) -> None:
        """An archive must be the file that was recorded when its events were moved, of this journal."""
        if header.journal != self.journal_id:
            message = f"the file is of the journal {header.journal[:64]}, this one is {self.journal_id[:64]}"
            self.findings.note("archives", header.last - 1, "wrong-archive", message)
        row = recorded.get(header.last - 1)
        if row is None:
            message = f"the journal records no archive of the events {header.first} to {header.last - 1}"
            self.findings.note("archives", header.last - 1, "wrong-archive", message)
        elif file.digest() != row[2]:
            message = "the file is not the one that was recorded: its SHA-256 differs"
            self.findings.note("archives", header.last - 1, "wrong-archive", message)

    def _continues(self, end: NamedState | None, header: FirstLine, start_digest: str | None) -> None:
        """Archives follow on each other: the same event, the same state."""
        if end is None:
            if header.first > 1:
                self.begins_with_first = False
                self.notes.append(f"the archive of the events before {header.first} was not given")
        elif (end.seq + 1, end.hash, end.digest) != (header.first, header.previous, start_digest):
            message = f"the archive does not follow on the one that ends with event {end.seq}"
            self.findings.note("archives", header.last - 1, "wrong-archive", message)

    def _join(self, end: NamedState | None, start: Boundary) -> None:
        """The database must go on where the last archive ends."""
        if end is None or end.seq != start.seq:
            # Commitments and keys count as used before only where the rows follow on those of the archives.
            self.seen = None
        if end is None:
            return
        if end.seq != start.seq:
            self.notes.append(f"the archives end with event {end.seq}, the audit of the rows begins behind {start.seq}")
        elif (end.hash, end.digest) != (start.hash, digest(start.floor.text())):
            message = f"the rows do not follow on the archive that ends with event {end.seq}"
            self.findings.note("archives", end.seq, "wrong-archive", message)


def _headers(paths: Sequence[Path]) -> Iterable[tuple[FirstLine, Path]]:
    for path in paths:
        with open_journal_file(path, "archive") as file:
            yield file.header, path


# A file


def verify_file(
    path: Path,
    trust: Trust,
    *,
    witnesses: Sequence[Witness] = (),
    progress: Progress | None = None,
    listed: int = LISTED,
) -> AuditReport:
    """Audit an exported file or an archive by itself, without any database."""
    findings = AuditFindings(listed)
    with open_journal_file(path) as file:
        header = file.header
        if trust.is_given and not _is_signed_by(path, trust):
            findings.note("file", "all", "wrong-keys", WRONG_KEYS)
            trust = Trust()
        trusted = trust.announced(header.keys)
        # An anchor beyond the file says nothing about it: a file may hold a part of the journal.
        anchors = [Witness(mark.seq, mark.hash, "anchor") for mark in trusted.anchors if mark.seq <= header.last]
        seen = Witnesses(findings, [*witnesses, *anchors])
        audit = _FileAudit(file, trusted, findings, progress)
        audit.run(seen)
    follower = audit.follower
    notes = audit.notes + seen.finish(follower.first, follower.seq)
    if header.first > 1 and follower.boundary is None:
        notes.append(
            f"the state before event {header.first} was taken on trust: no event in the file names a stored state"
        )
    if not trusted.is_given:
        notes.append(
            "the signatures were checked with the keys in the file itself: "
            "give --public-key or --keys, from elsewhere, to find a file that was made again as a whole"
        )
    rows = {"events": follower.counted, "checkpoints": audit.signatures.counted}
    head = follower.head or GENESIS
    return AuditReport(str(path), header.first, follower.seq, head, rows, findings.items, findings.count, notes)


def _is_signed_by(path: Path, trust: Trust) -> bool:
    """Whether a checkpoint of a file names a given key; also where it has none at all, or cannot be read that far."""
    is_other = False
    with contextlib.suppress(DamagedLineError, msgspec.DecodeError, ValueError), open_journal_file(path) as file:
        for item in file.items():
            if isinstance(item, Checkpoint):
                if item.key_id in trust.public:
                    return True
                is_other = True
    return not is_other


class _FileAudit:
    """One audit of a file."""

    def __init__(
        self,
        file: JournalFile,
        trust: Trust,
        findings: AuditFindings,
        progress: Progress | None = None,
        seen: SeenBefore | None = None,
        tree: TreeCheck | None = None,
    ) -> None:
        self.seen = seen
        self.tree = tree
        self.file = file
        self.trust = trust
        self.findings = findings
        self.progress = progress
        self.notes: list[str] = []
        self.start_digest: str | None = None
        self.start(Floor())

    def start(self, floor: Floor) -> None:
        """Begin behind the event before the file's first, in this state."""
        header = self.file.header
        self.follower = Follower(self.findings, floor=floor, seq=header.first - 1, head=header.previous, seen=self.seen)
        self.signatures = Signatures(self.follower, self.trust.verifies, header.journal)

    def run(self, seen: Witnesses) -> None:
        """Follow the file to its end."""
        header, ended = self.file.header, False
        if header.first == 1 and header.previous != GENESIS:
            self.findings.note("file", 1, "altered", "the file begins with event 1 and says that something precedes it")
        try:
            for item in self.file.items():
                if ended:
                    self.findings.note("file", self.file.line, "extra", "something stands behind the file's end")
                    break
                ended = self._take(item, seen)
        except DamagedLineError as error:
            self.findings.note("file", error.line, "unreadable", str(error))
        if not ended:
            message = f"the file ends with event {self.follower.seq}, without the line that says it is whole"
            self.findings.note("file", self.file.line, "cut-off", message)
        self.signatures.finish()

    def _take(self, item: Event | Checkpoint | Floor | LastLine, seen: Witnesses) -> bool:
        """Follow one line; returns whether it was the end."""
        match item:
            case Event():
                seen.see(item)
                if self.tree is not None:
                    self.tree.see(item)
                self.follower.follow(item)
                header = self.file.header
                if self.progress is not None and self.follower.counted % WINDOW == 0:
                    self.progress(item.seq - header.first + 1, header.last - header.first + 1)
            case Checkpoint():
                self.signatures.check(item)
            case Floor():
                self._begin(item)
            case LastLine():
                self._end(item)
        return isinstance(item, LastLine)

    def _begin(self, floor: Floor) -> None:
        if self.file.line != 2 or self.file.header.first == 1:
            self.findings.note("file", self.file.line, "extra", "a state stands only before the first of later events")
            return
        self.start_digest = digest(floor.text())
        self.start(floor)

    def _end(self, end: LastLine) -> None:
        follower, header = self.follower, self.file.header
        if (end.events, end.checkpoints) != (follower.counted, self.signatures.counted):
            message = (
                f"the file says it holds {end.events} events and {end.checkpoints} checkpoints, "
                f"it holds {follower.counted} and {self.signatures.counted}"
            )
            self.findings.note("file", self.file.line, "altered", message)
        if header.last != follower.seq or end.hash != follower.head:
            message = f"the file's first and last line speak of other events than {span(follower.first, follower.seq)}"
            self.findings.note("file", self.file.line, "altered", message)


__all__ = ["LISTED", "AuditReport", "verify_database", "verify_file"]
