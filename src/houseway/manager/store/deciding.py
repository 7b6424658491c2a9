"""A group of commands against the state: events, rows, signature and answers, ready to be written in one transaction.

Nothing here touches a store. Whoever writes a group must have seen that the journal still stands where the group
begins, and that none of its keys is there already; else the group is decided again.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from hmac import compare_digest
from typing import Any, Final

import msgspec

import houseway.manager.handlers  # noqa: F401 - registers every handler
from houseway.cards.stream import commitment
from houseway.errors import InputError, present
from houseway.manager.commands.system_commands import ClockAccepted, RowsArchived, SnapshotTaken, attempt
from houseway.manager.core.badges import address_of, is_wrong_badge
from houseway.manager.core.command import AnyCommand
from houseway.manager.core.engine import SYSTEM, DecidedBody, Decision, Envelope
from houseway.manager.core.gaming_day import day_at, gaming_day
from houseway.manager.core.ledger import LedgerError
from houseway.manager.core.networks import network_of
from houseway.manager.core.presence import check_presence
from houseway.manager.core.records import Event, SaltSource, SentKey, digest
from houseway.manager.core.texts import holds_nul, on_record
from houseway.manager.store.archive_records import archive_rows
from houseway.manager.store.clock import ClockJumpedError
from houseway.manager.store.event_body import Body
from houseway.manager.store.journal import Batch, Checkpoint, NewSnapshot, SealedSeed, signed_text
from houseway.manager.store.keys import Keys
from houseway.manager.store.projections import check_numbers, search_rows, transfer_rows
from houseway.manager.store.seeds import number_of
from houseway.manager.store.state import JournalState
from houseway.manager.store.store_errors import BooksRefusedError, StateTornError, UnexpectedError
from houseway.manager.store.tally import AttemptTally

SECURITY_CODES: Final = frozenset(
    {
        "unknown-badge",
        "wrong-role",
        "key-reused",
        "unknown-person",
        "unknown-device",
        "wrong-secret",
        "second-person",
        "own-device",
        "badge-unconfirmed",
        "not-signed-in",
        "wrong-device",
        "too-many-incidents",
        "too-many-papers",
        "too-many-proposals",
        "seed-lost",
        "seed-mismatch",
    }
)
"""Refusals that are kept on record: somebody tried what they may not, or a seed is not the one that was published."""
SLACK_BACK: Final = 2_000_000
"""Microseconds by which the clock may lie behind the last event without anybody being asked."""
LONGEST: Final = 200
"""Characters of a key, of an actor's name and of a device's at most."""
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


@dataclass(slots=True)
class DecidedGroup:
    """A group of commands as it was decided on the state at `place`."""

    place: tuple[int, str]
    now: int
    """The time that the commands share, if the clock is right."""
    jumped: ClockJumpedError | None
    batch: Batch = field(default_factory=Batch)
    results: list[Result] = field(default_factory=list)


class Decider:
    """Decides groups of commands: with a clock, a source of randomness, and keys to seal and sign with."""

    def __init__(
        self,
        clock: Callable[[], int],
        draw: Callable[[int], bytes],
        keys: Keys | None,
        snapshot_every: int,
        journal_id: str,
    ) -> None:
        """Take a snapshot of the state after so many events; sign for this journal."""
        self._clock = clock
        self._draw = draw
        self._salts = SaltSource(draw)
        self._keys = keys
        self._snapshot_every = snapshot_every
        self._journal_id = journal_id
        self._tally = self._tally_before = AttemptTally()
        self._day_until = -1
        """The end of the gaming day that is played, when it was last looked at."""

    def has_counted(self, *, ending: bool = False) -> bool:
        """Whether attempts that were only counted are to be put on record."""
        return len(self._tally) > 0 and (ending or self._tally.is_due(self._read_clock()[0]))

    def undo(self) -> None:
        """The last group was not written: what was counted with it is not counted."""
        self._tally = self._tally_before

    def decide(
        self,
        state: JournalState,
        envelopes: Sequence[Envelope],
        keys: Sequence[SentKey | None],
        known: Mapping[SentKey, Event],
        *,
        ending: bool = False,
    ) -> DecidedGroup:
        """Decide a group; the state follows. `known` are the events that were written under its `keys` (`keys_of`).

        With it goes what was only counted of refused attempts, once its time is over or the process is `ending`.
        """
        decided, earlier = DecidedGroup(state.place, *self._read_clock()), dict(known)
        self._tally_before = self._tally.copy()
        for tried in self._tally.due(decided.now, every=ending) if len(self._tally) else ():
            self._own(state, tried, decided)
        for envelope, key in zip(envelopes, keys, strict=True):
            decided.results.append(self._result(state, envelope, key, earlier, decided))
        if decided.batch.events:
            self._seal(state, decided)
        return decided

    def _result(
        self,
        state: JournalState,
        envelope: Envelope,
        key: SentKey | None,
        earlier: dict[SentKey, Event],
        decided: DecidedGroup,
    ) -> Result:
        """The answer or the refusal of one command, whatever it holds: the others of its group go on."""
        try:
            return self._answer(state, envelope, key, earlier, decided)
        except InputError as refused:
            self._record_attempt(state, envelope, refused, decided)
            return refused
        except StateTornError:
            raise
        except LedgerError as broken:
            _log.exception("%s would have broken the books", kind_of(envelope))
            return BooksRefusedError(kind_of(envelope), broken)
        except Exception as error:  # noqa: BLE001 - a fault of one handler must not stop the other tables
            _log.exception("%s hit an internal error", kind_of(envelope))
            return UnexpectedError(kind_of(envelope), error)

    def _answer(
        self,
        state: JournalState,
        envelope: Envelope,
        key: SentKey | None,
        earlier: dict[SentKey, Event],
        decided: DecidedGroup,
    ) -> Answer:
        """Decide one command; nothing has changed if it raises."""
        if key is None:
            raise present(text_fault(envelope), "fault of a command without a key")
        input_hash = _input_hash(envelope)
        if key in earlier:
            _check_sender(state, envelope, earlier[key], decided.now)
            return _repeated(earlier[key], input_hash, kind_of(envelope))
        engine, now = state.engine, decided.now
        last = engine.floor.last_at
        if now < last or decided.jumped is not None:
            now = _time_for(envelope, decided, last)
        decision = engine.decide(envelope, now, self._draw)
        event = self._add(state, decision, input_hash, decided)
        earlier[key] = event
        do = envelope.do
        if isinstance(do, RowsArchived):
            decided.batch.archives.append((do.up_to, event.seq, do.file_digest, do.hash))
        return Answer(event.seq, event.at, event.hash, _plain(decision.body()))

    def _add(self, state: JournalState, decision: Decision, input_hash: str, decided: DecidedGroup) -> Event:
        """Make the event of a decision and let state and batch follow."""
        # What can be refused is refused first, while nothing has changed.
        engine, batch, body = state.engine, decided.batch, decision.body()
        event = engine.record(decision, input_hash=input_hash, salt=self._salts.next_salt())
        if holds_nul(event.body):
            raise InputError.of("bad-message", "do", "a text holds the character NUL: leave it out")
        rows = search_rows(body.rows, event.seq) if body.rows else None
        check_numbers(body.post, rows, engine.floor.balances)
        sealed = self._sealed(decision, event.seq) if decision.secrets else None
        try:
            balances = engine.apply_decision(decision, event)
            batch.events.append(event)
            if balances:
                batch.transfers += transfer_rows(body.post, event.seq, balances)
            if sealed is not None:
                batch.secrets.update(sealed)
            if rows is not None:
                batch.rounds += rows["round"]
                batch.lines += rows["line"]
                batch.hits += rows["hit"]
        except Exception as error:
            raise StateTornError(kind_of(decision.envelope)) from error
        return event

    def _sealed(self, decision: Decision, seq: int) -> dict[str, SealedSeed | None]:
        """The seeds of a decision as they are stored, each sealed for the deal that the decision publishes it for."""
        found: dict[str, SealedSeed | None] = {}
        for name, seed in decision.secrets.items():
            if seed is None:
                found[name] = None
                continue
            number = number_of(decision, name)
            sealed = seed if self._keys is None else self._keys.seal(name, number, seed)
            found[name] = SealedSeed(seq, number, commitment(seed), sealed)
        return found

    def _record_attempt(
        self, state: JournalState, envelope: Envelope, refused: InputError, decided: DecidedGroup
    ) -> None:
        """Put a refusal on record where somebody tried what they may not; whatever it holds, this never raises."""
        codes = [fault.code for fault in refused.faults]
        if SECURITY_CODES.isdisjoint(codes) and not is_wrong_badge(envelope.do, refused):
            return
        try:
            address = address_of(envelope.do)
            network = network_of(address) if address else ""
            tried = attempt(envelope.actor, envelope.device, kind_of(envelope), refused, network)
            source = f"{envelope.device} from {tried.address}" if address else f"{envelope.device}"
            # A name that nobody has is not a name: whoever makes up a thousand of them tries one thing.
            who = envelope.actor if envelope.actor in state.engine.floor.people else ""
            what = (tried.kind_of, ",".join(codes), who)
            if self._tally.take(source, what, tried, decided.now):
                self._own(state, tried, decided)
        except StateTornError:
            raise
        except Exception:  # noqa: BLE001 - the refusal itself stands, and so do the other commands of the group
            _log.exception("a refused attempt could not be put on record: %s", on_record(str(refused)))

    def _own(self, state: JournalState, command: AnyCommand, decided: DecidedGroup) -> None:
        """An event of the manager itself, in the group; its key follows from its place."""
        envelope = Envelope(f"{RESERVED}{state.engine.seq + 1}", SYSTEM, command)
        now = max(decided.now, state.engine.floor.last_at)
        self._add(state, state.engine.decide(envelope, now, self._draw), envelope.input_hash, decided)

    def _seal(self, state: JournalState, decided: DecidedGroup) -> None:
        """Close a group: a snapshot if one is due, and the signature over the head."""
        engine, batch = state.engine, decided.batch
        batch.on_record = archive_rows(engine.floor)
        if engine.seq - state.snapshot_seq >= self._snapshot_every:
            self._store_state(state, decided)
        if self._keys is not None:
            at, first = engine.floor.last_at, batch.events[0].seq
            text = signed_text(self._journal_id, first, engine.seq, engine.head, at)
            batch.checkpoint = Checkpoint(engine.seq, first, engine.head, at, self._keys.key_id, self._keys.sign(text))

    def turns_day(self, state: JournalState) -> bool:
        """Whether a gaming day has ended since the last event, told once: its state is to be stored (`end_day`).

        Reports begin and end there. Where the cut-off was changed meanwhile, it may be the hour that held before.
        """
        floor, (now, jumped) = state.engine.floor, self._read_clock()
        if now <= self._day_until or jumped is not None or not floor.properties:
            return False
        self._day_until = gaming_day(floor, day_at(floor, floor.last_at)).until
        if now <= self._day_until:
            return False
        self._day_until = gaming_day(floor, day_at(floor, now)).until
        # Behind a stored state stands the event that names it: if nothing else does, it is that of the day's end.
        return state.engine.seq > state.snapshot_seq + 1

    def end_day(self, state: JournalState) -> DecidedGroup:
        """The state at the end of a gaming day, in a group of its own: an archive may end there."""
        decided = DecidedGroup(state.place, *self._read_clock())
        self._tally_before = self._tally.copy()
        self._store_state(state, decided)
        self._seal(state, decided)
        return decided

    def _store_state(self, state: JournalState, decided: DecidedGroup) -> None:
        """Store the state as it is, by an event that names it."""
        engine, text = state.engine, state.engine.floor.text()
        decided.batch.snapshot = NewSnapshot(digest(text), engine.seq, engine.head, text)
        state.snapshot_seq = engine.seq
        self._own(state, SnapshotTaken(decided.batch.snapshot.digest), decided)

    def _read_clock(self) -> tuple[int, ClockJumpedError | None]:
        """The wall clock's time, and whether it jumped."""
        try:
            return self._clock(), None
        except ClockJumpedError as jumped:
            return jumped.now, jumped

    def accept_clock(self, events: Sequence[Event]) -> None:
        """Let a watched clock go on from where two people have accepted it, here or at another process."""
        accept = getattr(self._clock, "accept", None)
        if accept is not None and any(event.kind == "system.clock" for event in events):
            accept()


def _time_for(envelope: Envelope, decided: DecidedGroup, last: int) -> int:
    """The time of a command: never before the last event, unless two people say so."""
    now = decided.now
    if isinstance(envelope.do, ClockAccepted):
        return now
    if decided.jumped is not None:
        raise decided.jumped
    fault = clock_behind(now, last)
    if fault is not None and envelope.actor != SYSTEM:
        raise fault
    return max(now, last)


def clock_behind(now: int, last: int) -> InputError | None:
    """What stands against every command while the clock is behind the last event."""
    if last - now < SLACK_BACK:
        return None
    return InputError.of(
        "clock-went-back",
        "",
        f"the clock is {(last - now) / 1e6:.1f} s behind the last event: set it right, or have two people accept the "
        "time (houseway system clock); nothing is accepted until then",
    )


def kind_of(envelope: Envelope) -> str:
    """The kind of a command, as events name it."""
    config = getattr(envelope.do, "__struct_config__", None)
    return str(config.tag) if config is not None else type(envelope.do).__name__


def text_fault(envelope: Envelope) -> InputError | None:
    """What is wrong with the key and the names: some no store keeps, and some keys are the manager's own."""
    key, actor, device = envelope.key, envelope.actor, envelope.device
    texts = f"{key}{actor}{device}"
    if (
        len(texts) <= LONGEST
        and texts.isprintable()
        and key
        and actor
        and device != ""
        and not key.startswith(RESERVED)
    ):
        return None
    for path, text in (("key", key), ("actor", actor), ("device", "-" if device is None else device)):
        if not text.isprintable() or not 0 < len(text) <= LONGEST:
            return InputError.of("bad-message", path, f"the {path} must be 1 to {LONGEST} printable characters")
    if key.startswith(RESERVED) and actor != SYSTEM:
        return InputError.of("bad-message", "key", f"keys that begin with {RESERVED} are the manager's own")
    return None


def keys_of(envelopes: Sequence[Envelope]) -> list[SentKey | None]:
    """The keys of a group by which a store can be asked; None for a command that has a `text_fault`."""
    return [envelope.sent_key if text_fault(envelope) is None else None for envelope in envelopes]


def answer_of(event: Event, *, repeated: bool = True) -> Answer:
    """What the command of an event was answered, as it is answered again."""
    return Answer(event.seq, event.at, event.hash, _BODY.decode(event.body).answer, repeated)


def is_from_sender(event: Event, envelope: Envelope) -> bool:
    """Whether a command under the key of an event comes in the same session; from the same device the key says.

    A device that speaks for itself has proved itself, and at the machine of the database nobody is asked.
    """
    if envelope.device is None or envelope.actor.startswith("device:"):
        return True
    return compare_digest(_BODY.decode(event.body).sender, envelope.sender)


def _plain(body: DecidedBody) -> dict[str, Any]:
    """The answer in a body as it is read back from the journal."""
    found: dict[str, Any] = {} if body.answer is None else msgspec.json.decode(body.answer)
    return found


def _check_sender(state: JournalState, envelope: Envelope, earlier: Event, now: int) -> None:
    """Refuse the answer of a command to whoever neither sent it nor is signed in now as the person who did.

    Who acted then need not be present any more: an outbox asks again after a restart, or when the dealer has been
    relieved. It sends the session along with which it sent the command, and so is known as its sender.
    """
    if earlier.actor != envelope.actor or is_from_sender(earlier, envelope):
        return  # Anybody else's command is another one anyway.
    device = present(envelope.device, "device that has sent the command")
    check_presence(state.engine.floor, device, envelope.actor, envelope.session, now)


def _repeated(earlier: Event, input_hash: str, kind: str) -> Answer:
    """The answer of the first time; a used key is refused to any other command, which says what differs."""
    if earlier.input_hash != input_hash:
        raise InputError.of(
            "key-reused",
            "do" if earlier.kind == kind else "do.kind",
            f"this key was used for another command (event {earlier.seq}): give every new command a key of its own",
        )
    return answer_of(earlier)


def _input_hash(envelope: Envelope) -> str:
    """The hash of what is asked; refused where a text has no form that a store could keep."""
    try:
        return envelope.input_hash
    except (UnicodeEncodeError, RecursionError):
        message = "a text holds half a character, or objects are nested too deep: no store keeps that"
        raise InputError.of("bad-message", "do", message) from None
