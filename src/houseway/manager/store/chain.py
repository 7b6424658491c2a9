"""Following a journal event by event, as an auditor does: the chain, the books, the state, the signatures.

Nothing here knows where events come from, so the live database, an exported file and an archive are held to the same
checks. After a fault the check goes on behind it: one altered event is one finding, not one for each event after it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from houseway.manager.core.floor import Floor, entity_of
from houseway.manager.core.ledger import LedgerError, check_overdraft, check_transfer
from houseway.manager.core.records import GENESIS, Event, canonical, digest
from houseway.manager.store.digest_register import SeenBefore
from houseway.manager.store.event_body import Body
from houseway.manager.store.findings import AuditFindings, span
from houseway.manager.store.journal import Checkpoint, signed_text
from houseway.manager.store.projections import Balances, Rows, rows_of
from houseway.manager.store.reveals import Reveals
from houseway.manager.store.seeds import PublishedSeed, published, published_in, secret_name
from houseway.manager.store.signing_order import SigningOrder

_DECODER: Final = msgspec.json.Decoder(Body)

Verifier = Callable[[str, str, bytes], bool | None]
"""From key id, signature and text to whether the signature fits; None if the key is not known."""


class ExpectedSeed(NamedTuple):
    """A seed that must lie sealed in the store: what was published of it, and the event that sealed it, if known."""

    published: PublishedSeed
    seq: int | None


class NamedState(NamedTuple):
    """A state that the journal names: behind which event, the hash of that event, and the digest of the state."""

    seq: int
    hash: str | None
    digest: str | None


class FollowedEvent(NamedTuple):
    """An event that was followed: its body and the rows it must have left, if it could be read."""

    event: Event
    previous: str | None
    """The hash before it."""
    body: Body | None
    rows: Rows | None
    knows_balances: bool
    """Whether the balances in the rows are right; not behind a gap."""


class Follower:
    """Follows events from a known place on and notes what is wrong with them."""

    def __init__(
        self,
        findings: AuditFindings,
        *,
        floor: Floor | None = None,
        seq: int = 0,
        head: str | None = GENESIS,
        seen: SeenBefore | None = None,
    ) -> None:
        """Begin behind event `seq` with the state after it. `head` None: what the first event follows is not known.

        `seen` is what the events before it have brought, where those were followed as well.
        """
        self.findings = findings
        self.floor = Floor() if floor is None else floor
        self.seen = SeenBefore() if seen is None else seen
        self.reveals = Reveals(findings, self.seen.commitments)
        if seen is None:
            self.reveals.begin(self.floor, seq)
            self.seen.order = SigningOrder(self.floor.signing_keys.values())
        self.seq = seq
        self.first = seq + 1
        self.head: str | None = head
        """The hash that the next event must follow on; None where the event before it is missing."""
        self.signed_head: str | None = None
        """The hash that a valid checkpoint signs for the last event, if one does."""
        self.whole = True
        """Whether every event since the beginning was there and could be read, so that balances are known."""
        self.undoubted = True
        """Whether none of them was altered either, so that the whole state is known."""
        self.sealed: dict[str, ExpectedSeed] = {
            name: ExpectedSeed(said, None) for name, said in published_in(self.floor)
        }
        self.last_at: int | None = self.floor.last_at if seq else None
        self.counted = 0
        self.boundary: NamedState | None = None
        """The last place whose state the journal names by its digest."""

    def follow(self, event: Event) -> FollowedEvent:
        """Hold one event against all that came before it and let the state follow."""
        before = self.findings.count
        if not self._is_placed(event):
            return FollowedEvent(event, None, None, None, False)
        self.counted += 1
        self._chain(event)
        self._time(event)
        self._key(event)
        self.seen.order.see(event)
        body = self._body(event)
        if body is not None:
            self._input(event, body)
        self.undoubted &= self.findings.count == before
        rows = None if body is None else self._apply(event, body)
        followed = FollowedEvent(event, self.head, body, rows, self.whole)
        self.seq, self.head, self.signed_head = event.seq, event.hash, None
        return followed

    def _is_placed(self, event: Event) -> bool:
        """Numbers run without gaps and never back; an event that goes back is not followed at all."""
        expected = self.seq + 1
        if event.seq < expected:
            self._note(event.seq, "extra", f"an event with this number cannot stand here: the next is {expected}")
            return False
        if event.seq > expected:
            self._note(span(expected, event.seq - 1), "missing", f"the events before event {event.seq} are not there")
            self.head, self.signed_head, self.whole = None, None, False
        return True

    def _chain(self, event: Event) -> None:
        """The hash covers every column and the hash before."""
        known = [hash_ for hash_ in (self.head, self.signed_head) if hash_ is not None]
        if not known or any(event.follows(hash_) for hash_ in known):
            return
        if self.signed_head is not None or event.seq == self.first:
            # What it follows on is beyond doubt, so the fault is its own.
            self._note(
                event.seq,
                "altered",
                "the event is not the one that was written: its leaf or its hash does not fit its columns",
            )
        else:
            rows = f"{event.seq - 1} or {event.seq}"
            message = f"event {event.seq} does not follow on event {event.seq - 1} as they stand here: one was altered"
            self._note(rows, "chain-broken", message)

    def _time(self, event: Event) -> None:
        """Time never goes back, unless two people have set the clock."""
        if self.last_at is not None and event.at < self.last_at and event.kind != "system.clock":
            by = (self.last_at - event.at) / 1_000_000
            self._note(event.seq, "time-went-back", f"the event lies {by:.6f} s before the one it follows")
        self.last_at = event.at

    def _key(self, event: Event) -> None:
        """A sender uses a key once: under it a command is carried out, and answered again if it is sent again."""
        before = self.seen.keys.add(digest(canonical([event.device, event.key])), event.seq)
        if before is not None and before != event.seq:
            message = f"event {before} was written under the same key: a command was carried out twice"
            self._note(event.seq, "key-repeated", message)

    def _body(self, event: Event) -> Body | None:
        """The body, if it can be read; it must be in canonical form."""
        try:
            body = _DECODER.decode(event.body)
            text = canonical(body).decode()
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            self._note(event.seq, "unreadable", f"the body is not an event's: {error}")
            self.whole = False
            return None
        if text != event.body:
            self._note(event.seq, "not-canonical", "the body is not written in canonical form")
        return body

    def _input(self, event: Event, body: Body) -> None:
        """The input hash is that of command, actor and device; the kind is the command's."""
        kind = body.do.get("kind") if isinstance(body.do, dict) else None
        if kind != event.kind:
            self._note(event.seq, "altered", f"the event is called {event.kind}, its command is {kind}")
        if digest(canonical([event.actor, event.device, body.do])) != event.input_hash:
            self._note(event.seq, "input-differs", "the input hash is not that of command, actor and device")

    def _apply(self, event: Event, body: Body) -> Rows | None:
        """Let state and books follow; returns the rows that the event must have left."""
        if event.kind == "system.snapshot":
            self._snapshot(event, body)
        self._put(event, body)
        self._guards(event, body)
        balances = [self.floor.transfer(debit, credit, micros) for debit, credit, micros, _, _ in body.post]
        self.floor.last_at = event.at
        if self.undoubted:
            self._overdrawn(event, body, balances)
        try:
            return rows_of(body, event.seq, balances)
        except (ValueError, TypeError, AttributeError) as error:
            self._note(event.seq, "unreadable", f"the rows for searching cannot be read: {error}")
            return None

    def _guards(self, event: Event, body: Body) -> None:
        """Every transfer is one that the ledger takes."""
        for line, transfer in enumerate(body.post, 1):
            try:
                check_transfer(*transfer)
            except LedgerError as broken:
                self._note(event.seq, "bad-transfer", f"transfer {line}: {broken} ({broken.code})")

    def _overdrawn(self, event: Event, body: Body, balances: list[Balances]) -> None:
        for (debit, *_), (risen, _) in zip(body.post, balances, strict=True):
            try:
                check_overdraft(debit, risen)
            except LedgerError as broken:
                self._note(event.seq, "overdrawn", f"players' money: {broken}")

    def _put(self, event: Event, body: Body) -> None:
        read: list[tuple[str, str, Any]] = []
        for kind, id_, value in body.put:
            try:
                read.append((kind, id_, entity_of(kind, value)))
            except (msgspec.ValidationError, KeyError, AttributeError) as error:
                self._note(event.seq, "unreadable", f"{kind} {id_} cannot be read: {error}")
                self.undoubted = False
        if self.whole:
            self.reveals.see(event, body, self.floor, read)
        for kind, id_, entity in read:
            self.floor.put(kind, id_, entity)
            self._seal(kind, id_, entity, event.seq)

    def _seal(self, kind: str, id_: str, entity: Any, seq: int) -> None:  # noqa: ANN401 - any kind of entity
        """Keep in mind which seeds must lie sealed after an event."""
        if kind not in ("round", "table"):
            return
        name, said = secret_name(kind, id_), published(entity)
        before = self.sealed.get(name)
        if said is None:
            self.sealed.pop(name, None)
        elif before is None or before.published != said:
            self.sealed[name] = ExpectedSeed(said, seq)

    def _snapshot(self, event: Event, body: Body) -> None:
        """A snapshot's event names the digest of the state before it."""
        self.boundary = NamedState(event.seq - 1, self.head, body.do.get("digest"))
        if self.undoubted and self.state_digest() != body.do.get("digest"):
            self._note(event.seq, "state-differs", "the digest on record is not that of the state the events lead to")
            self.undoubted = False

    def state_digest(self) -> str:
        """The digest of the whole state as it stands."""
        return digest(self.floor.text())

    def _note(self, row: object, problem: str, message: str) -> None:
        self.findings.note("events", row, problem, message)


class Signatures:
    """Holds the checkpoints against the events that a `Follower` has followed."""

    def __init__(self, follower: Follower, verifier: Verifier, journal_id: str) -> None:
        """Begin where the follower stands; the signatures name the journal."""
        self._journal_id = journal_id
        self._follower = follower
        self._findings = follower.findings
        self._verifier = verifier
        self.counted = 0
        self.signed_seq = follower.seq
        """The last event that a valid checkpoint signs as it stands here."""
        self._covered_seq: int | None = None
        self._diverged = False

    def check(self, checkpoint: Checkpoint) -> None:
        """Hold a checkpoint against the chain; the follower stands at the last event up to its number."""
        self.counted += 1
        follower, seq = self._follower, checkpoint.seq
        self._contiguous(checkpoint)
        self._covered_seq = seq
        if seq != follower.seq:
            self._note(seq, "extra" if seq < follower.first else "missing", f"it signs event {seq}, which is not there")
            return
        if not self._is_valid(checkpoint):
            return
        follower.signed_head = checkpoint.hash
        if checkpoint.hash == follower.head:
            self.signed_seq, self._diverged = seq, False
        elif not self._diverged:
            rows = span(self.signed_seq + 1, seq)
            message = f"checkpoint {seq} signs another event {seq} than stands here: something was altered"
            self._findings.note("events", rows, "not-signed-so", message)
            self._diverged = True

    def _contiguous(self, checkpoint: Checkpoint) -> None:
        """Checkpoints sign one group behind the other, so that none can be left out."""
        before, first = self._covered_seq, checkpoint.first
        if before is None:
            # The first one here may sign a group that began before it.
            is_next = first <= self._follower.first
            before = self._follower.first - 1
        else:
            is_next = first == before + 1
        if not is_next and before < first <= checkpoint.seq:
            rows = span(before + 1, first - 1) if first > before + 1 else str(first)
            self._note(rows, "missing", f"no checkpoint signs the events before event {first}")

    def _is_valid(self, checkpoint: Checkpoint) -> bool:
        seq = checkpoint.seq
        text = signed_text(self._journal_id, checkpoint.first, seq, checkpoint.hash, checkpoint.at)
        is_valid = self._verifier(checkpoint.key_id, checkpoint.signature, text)
        if is_valid is None:
            self._note(seq, "unknown-key", f"it is signed with the key {checkpoint.key_id[:80]}, which is not known")
        elif not is_valid:
            self._note(seq, "bad-signature", "the signature does not fit: the checkpoint was altered or forged")
        elif (fault := self._follower.seen.order.fault(checkpoint)) is not None:
            self._note(seq, "key-not-in-force", fault)
            return False
        return bool(is_valid)

    def finish(self) -> None:
        """Every event must be signed: the groups are written together with their checkpoints."""
        last = self._follower.seq
        covered = self._follower.first - 1 if self._covered_seq is None else self._covered_seq
        if last > covered:
            message = "no checkpoint signs these events"
            self._findings.note("events", span(covered + 1, last), "unsigned", message)

    def _note(self, row: object, problem: str, message: str) -> None:
        self._findings.note("checkpoints", row, problem, message)
