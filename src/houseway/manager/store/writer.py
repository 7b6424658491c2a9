"""Commands become events here: a group at a time, in one transaction, or not at all.

A `Writer` owns the state of one process. For each group it takes the journal's lock, first follows what other processes
have written, decides the commands one after the other, writes all their events with one commit, and only then answers.
When a commit fails, its state is dropped and read again from the journal: the state is never ahead of what is written.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import msgspec

import houseway.manager.handlers  # noqa: F401 - registers every handler
from houseway.errors import InputError
from houseway.manager.commands.rounds import Command
from houseway.manager.commands.system import AttemptRefused, ClockAccepted, RowsArchived, SnapshotTaken
from houseway.manager.core.engine import SYSTEM, Decision, Engine, Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.core.records import Body, Event, canonical, digest
from houseway.manager.store.clock import ClockJumpedError
from houseway.manager.store.errors import JournalDamagedError, RowRefusedError, UnexpectedError
from houseway.manager.store.journal import Batch, Checkpoint, Journal, NewSnapshot, signed_text
from houseway.manager.store.keys import Keys
from houseway.manager.store.projections import rows_of
from houseway.manager.store.seeds import OpenSeeds

SECURITY_CODES: Final = frozenset(
    {"unknown-card", "wrong-role", "key-reused", "unknown-person", "unknown-device", "wrong-secret", "same-person"}
)
"""Refusals that are kept on record: somebody tried what they may not."""
GROUP: Final = 256
"""Commands that share a transaction at most."""
SLACK_BACK: Final = 2_000_000
"""Microseconds by which the clock may lie behind the last event without anybody being asked."""
RESERVED: Final = "system/"
"""Keys of the manager's own events begin so; nobody else's may."""

_BODY: Final = msgspec.json.Decoder(Body)
_log: Final = logging.getLogger(__name__)


class Answer(msgspec.Struct, frozen=True):
    """What a command was answered: its place in the journal and what its handler says."""

    seq: int
    at: int
    hash: str
    answer: dict[str, Any]
    repeated: bool = False
    """The command had been carried out before under the same key; nothing was done again."""


Result = Answer | InputError


class Writer:
    """The state of one process and its way into the journal. One thread at a time may use it."""

    def __init__(
        self,
        journal: Journal,
        *,
        clock: Callable[[], int],
        draw: Callable[[int], bytes],
        keys: Keys | None = None,
        snapshot_every: int = 10_000,
        on_events: Callable[[list[Event]], None] | None = None,
    ) -> None:
        """Read the journal and check it. `on_events` hears of every event once, in order, after it was committed."""
        assert keys is not None or not journal.durable, "a store on disk needs keys: seeds are never written in clear"
        self.journal = journal
        self.keys = keys
        self.engine = Engine()
        self._clock = clock
        self._draw = draw
        self._snapshot_every = snapshot_every
        self._on_events = on_events
        self._snapshot_seq = 0
        self._announced: int | None = None
        self._dropped = True
        self.load()

    # Reading the journal

    def load(self) -> None:
        """Read the state anew: the newest snapshot and the events after it, every one checked against the chain."""
        self._dropped = True
        self.journal.begin()
        try:
            self.engine = self._restored()
            self._follow_all(self.journal.events_after(self.engine.seq))
            self._check_head()
            missed = [] if self._announced is None else list(self.journal.events_after(self._announced))
        finally:
            self.journal.rollback()
        self._dropped = False
        self._announced = self.engine.seq if self._announced is None else self._announced
        self._announce(missed)

    def _restored(self) -> Engine:
        """The engine where the newest snapshot stands."""
        snapshot = self.journal.latest_snapshot()
        if snapshot is None:
            engine, self._snapshot_seq = Engine(), 0
        else:
            engine = Engine(Floor.restored(snapshot.state), snapshot.seq, snapshot.hash)
            self._snapshot_seq = snapshot.seq
            named = next(iter(self.journal.events_after(snapshot.seq, 1)), None)
            do = _BODY.decode(named.body).do if named is not None and named.kind == "system.snapshot" else {}
            if do.get("digest") != snapshot.digest:
                raise JournalDamagedError(
                    f"snapshots[{snapshot.digest}]", f"event {snapshot.seq + 1} does not name this snapshot's digest"
                )
        engine.secrets = OpenSeeds(self._opened_seeds)
        return engine

    def _opened_seeds(self) -> dict[str, bytes]:
        sealed = self.journal.secrets()
        if self.keys is None:
            return sealed
        return {round_id: self.keys.unseal(round_id, value) for round_id, value in sealed.items()}

    def _check_head(self) -> None:
        """The books balance, and the last checkpoint signs the last event."""
        engine = self.engine
        if not engine.is_balanced():
            raise JournalDamagedError(f"events[{engine.seq}]", "the balances of all accounts do not sum to zero")
        if self.keys is None or engine.seq == 0:
            return
        found = self.journal.latest_checkpoint()
        if found is None or (found.seq, found.hash) != (engine.seq, engine.head):
            where = "no checkpoint" if found is None else f"the last checkpoint signs event {found.seq}"
            raise JournalDamagedError(f"events[{engine.seq}]", f"the last event is not signed ({where})")
        text = signed_text(_property_id(engine.floor), found.first, found.seq, found.hash, found.at)
        if not self.keys.verifies(found.key_id, found.signature, text):
            raise JournalDamagedError(f"checkpoints[{found.seq}]", "the signature is not one of this journal's keys")

    def _follow_all(self, events: Iterable[Event]) -> list[Event]:
        """Let the state follow events of the journal, each checked against the one before."""
        engine = self.engine
        followed = []
        for event in events:
            if event.seq != engine.seq + 1:
                raise JournalDamagedError(f"events[{engine.seq + 1}]", f"the event is missing (next is {event.seq})")
            if event.hash != event.recomputed(engine.head):
                raise JournalDamagedError(f"events[{event.seq}]", "the hash does not fit the event and the one before")
            engine.apply(event)
            if event.kind == "system.snapshot":
                self._snapshot_seq = event.seq - 1
            followed.append(event)
        return followed

    def catch_up(self) -> list[Event]:
        """Follow what other processes have written since, and return those events."""
        if self._dropped:
            before = self.engine.seq
            self.load()
            return [] if self.engine.seq == before else list(self.journal.events_after(before))
        followed = self._catch_up()
        self._announce(followed)
        return followed

    def _catch_up(self) -> list[Event]:
        engine = self.engine
        stored, events = self.journal.tail(engine.seq)
        if stored != engine.head:
            self._dropped = True
            what = "the event is gone" if stored is None else "the event is not the one that was read before"
            raise JournalDamagedError(f"events[{engine.seq}]", what)
        if not events:
            return []
        try:
            followed = self._follow_all(events)
        except BaseException:
            self._dropped = True
            raise
        if isinstance(engine.secrets, OpenSeeds):
            engine.secrets.forget()
        self._accept_clock(followed)
        return followed

    def _announce(self, events: list[Event]) -> None:
        if not events:
            return
        self._announced = events[-1].seq
        if self._on_events is not None:
            self._on_events(events)

    # Writing a group

    def carry_out(self, envelopes: Sequence[Envelope]) -> list[Result]:
        """Carry out a group of commands in one transaction: an answer or a refusal for each, in order.

        `StoreUnavailableError` if the store is away: nothing is acknowledged, and the state is read again next time.
        """
        try:
            return self._carry_out(envelopes)
        except RowRefusedError as error:
            # One command made a row that the store cannot keep; alone, each of the others goes through.
            if len(envelopes) == 1:
                _log.exception("%s made a row that the store refuses", _kind(envelopes[0]))
                return [UnexpectedError(_kind(envelopes[0]), error)]
            return [result for envelope in envelopes for result in self.carry_out([envelope])]

    def _carry_out(self, envelopes: Sequence[Envelope]) -> list[Result]:
        if self._dropped:
            self.load()
        journal, batch = self.journal, Batch()
        try:
            journal.begin()
            caught_up = self._catch_up()
            results = self._decide_all(envelopes, batch)
            if batch.events:
                self._seal(batch)
                journal.append(batch)
                journal.commit()
            else:
                journal.rollback()
        except BaseException:
            self._dropped = True
            journal.rollback()
            raise
        self._accept_clock(batch.events)
        self._announce(caught_up + batch.events)
        return results

    def _decide_all(self, envelopes: Sequence[Envelope], batch: Batch) -> list[Result]:
        known = self.journal.by_keys([envelope.key for envelope in envelopes])
        results: list[Result] = []
        for envelope in envelopes:
            try:
                _check_texts(envelope)
                input_hash = envelope.input_hash
                earlier = known.get(envelope.key)
                if earlier is None:
                    event, answer = self._decide(envelope, input_hash, batch)
                    known[envelope.key] = event
                    results.append(Answer(event.seq, event.at, event.hash, answer))
                else:
                    results.append(_repeated(earlier, input_hash))
            except InputError as refused:
                self._record_attempt(envelope, refused, batch)
                results.append(refused)
            except Exception as error:  # noqa: BLE001 - a fault of one handler must not stop the other tables
                _log.exception("%s met a fault of the program", _kind(envelope))
                results.append(UnexpectedError(_kind(envelope), error))
        return results

    def _decide(self, envelope: Envelope, input_hash: str, batch: Batch) -> tuple[Event, dict[str, Any]]:
        """Decide one command and let state and batch follow; nothing has changed if it raises."""
        decision = self.engine.decide(envelope, self._time_for(envelope), self._draw)
        event = self._add(decision, input_hash, batch)
        if isinstance(envelope.do, RowsArchived):
            batch.archives.append((envelope.do.up_to, event.seq, envelope.do.file_digest, envelope.do.hash))
        return event, msgspec.json.decode(canonical(decision.answer))

    def _add(self, decision: Decision, input_hash: str, batch: Batch) -> Event:
        engine, body = self.engine, decision.body()
        event = engine.record(decision, input_hash=input_hash)
        if "\\u0000" in event.body:
            raise InputError.of(
                "bad-message", "do", "a text holds the character NUL, which no store keeps: leave it out"
            )
        postings, rounds, lines, hits = rows_of(body, event.seq, [decision.postings.balance(n) for n, _ in body.post])
        batch.secrets.update(self._sealed(decision, event.seq))
        engine.apply_decision(decision, event)
        batch.events.append(event)
        batch.postings += postings
        batch.rounds += rounds
        batch.lines += lines
        batch.hits += hits
        return event

    def _sealed(self, decision: Decision, seq: int) -> dict[str, tuple[int, bytes] | None]:
        keys = self.keys
        return {
            round_id: None if seed is None else (seq, seed if keys is None else keys.seal(round_id, seed))
            for round_id, seed in decision.secrets.items()
        }

    def _record_attempt(self, envelope: Envelope, refused: InputError, batch: Batch) -> None:
        """Put a refusal on record where somebody tried what they may not."""
        if not any(fault.code in SECURITY_CODES for fault in refused.faults):
            return
        faults = [fault.to_json() for fault in refused.faults]
        self._own(AttemptRefused(envelope.actor, envelope.device, _kind(envelope), faults), batch)

    def _own(self, command: Command, batch: Batch) -> Event:
        """An event of the manager itself, in the group; its key follows from its place."""
        envelope = Envelope(f"{RESERVED}{self.engine.seq + 1}", SYSTEM, command)
        now = max(self._wall(), self.engine.floor.last_at)
        return self._add(self.engine.decide(envelope, now, self._draw), envelope.input_hash, batch)

    def _seal(self, batch: Batch) -> None:
        """Close a group: a snapshot if one is due, and the signature over the head."""
        engine = self.engine
        if engine.seq - self._snapshot_seq >= self._snapshot_every:
            state = canonical(engine.floor.snapshot())
            batch.snapshot = NewSnapshot(digest(state), engine.seq, engine.head, state)
            self._snapshot_seq = engine.seq
            self._own(SnapshotTaken(batch.snapshot.digest), batch)
        if self.keys is not None:
            at, first = engine.floor.last_at, batch.events[0].seq
            text = signed_text(_property_id(engine.floor), first, engine.seq, engine.head, at)
            batch.checkpoint = Checkpoint(engine.seq, first, engine.head, at, self.keys.key_id, self.keys.sign(text))

    # Time

    def _wall(self) -> int:
        try:
            return self._clock()
        except ClockJumpedError as jumped:
            return jumped.now

    def _time_for(self, envelope: Envelope) -> int:
        """The time of a command: never before the last event, unless two people say so."""
        if isinstance(envelope.do, ClockAccepted):
            return self._wall()
        now, last = self._clock(), self.engine.floor.last_at
        if now >= last:
            return now
        if last - now < SLACK_BACK or envelope.actor == SYSTEM:
            return last
        raise InputError.of(
            "clock-went-back",
            "",
            f"the clock is {(last - now) / 1e6:.1f} s behind the last event: set it right, or let two people accept "
            "the time (system.clock); nothing is accepted until then",
        )

    def _accept_clock(self, events: list[Event]) -> None:
        """Let a watched clock go on from where two people have accepted it, here or at another process."""
        accept = getattr(self._clock, "accept", None)
        if accept is not None and any(event.kind == "system.clock" for event in events):
            accept()


def _kind(envelope: Envelope) -> str:
    config = getattr(envelope.do, "__struct_config__", None)
    return str(config.tag) if config is not None else type(envelope.do).__name__


def _property_id(floor: Floor) -> str:
    return next(iter(floor.property), "")


def _check_texts(envelope: Envelope) -> None:
    """Refuse keys and names that no store keeps, and keys that are the manager's own."""
    key = envelope.key
    for path, text in (("key", key), ("actor", envelope.actor), ("device", envelope.device or "-")):
        if not text.isprintable() or not 0 < len(text) <= 200:
            raise InputError.of("bad-message", path, f"the {path} must be 1 to 200 printable characters")
    if envelope.actor != SYSTEM and key.startswith(RESERVED):
        raise InputError.of(
            "bad-message", "key", f'keys that begin with "{RESERVED}" are the manager\'s own: use another'
        )


def answer_of(event: Event, *, repeated: bool = True) -> Answer:
    """What the command of an event was answered, as it is answered again."""
    return Answer(event.seq, event.at, event.hash, _BODY.decode(event.body).answer, repeated)


def _repeated(earlier: Event, input_hash: str) -> Answer:
    if earlier.input_hash != input_hash:
        raise InputError.of(
            "key-reused",
            "key",
            f"this key was used for another command (event {earlier.seq}): give every new command a key of its own",
        )
    return answer_of(earlier)
