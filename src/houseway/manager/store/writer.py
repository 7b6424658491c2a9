"""Commands become events here: a group at a time, in one transaction, or not at all.

A `Writer` owns the state of one process. For each group it takes the journal's lock, first follows what other processes
have written, decides the commands one after the other, writes all their events with one commit, and only then answers.
When a commit fails, its state is dropped and read again from the journal: the state is never ahead of what is written.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from houseway.errors import InputError, StateError, present
from houseway.manager.core.engine import Engine, Envelope
from houseway.manager.core.records import Event, SentKey
from houseway.manager.store.covered import covered
from houseway.manager.store.deciding import RESERVED, Answer, DecidedGroup, Decider, Result, answer_of, keys_of, kind_of
from houseway.manager.store.journal import Checkpoint, Journal, Tail
from houseway.manager.store.keys import Keys
from houseway.manager.store.sent_keys import SentKeys, check_found
from houseway.manager.store.signing_order import SigningOrder
from houseway.manager.store.state import FloorAt, JournalState, check_place, read_state, signed_after
from houseway.manager.store.store_errors import GroupFaultError, JournalDamagedError, RowRefusedError, UnexpectedError

GROUP: Final = 256
"""Commands that share a transaction at most."""
_log: Final = logging.getLogger(__name__)

__all__ = ["GROUP", "RESERVED", "Answer", "Result", "Writer", "answer_of"]


class Writer:
    """The state of one process and its way into the journal. One thread at a time may use it."""

    def __init__(
        self,
        journal: Journal,
        *,
        clock: Callable[[], int],
        draw: Callable[[int], bytes],
        keys: Keys | None = None,
        journal_id: str = "",
        snapshot_every: int = 10_000,
        on_events: Callable[[list[Event]], None] | None = None,
    ) -> None:
        """Read the journal and check it. `on_events` hears of every event once, in order, after it was committed."""
        if keys is None and journal.durable:
            raise StateError("a store on disk needs keys: seeds are never written in clear")
        self.journal = journal
        self._keys = keys
        self._journal_id = journal_id
        self._decider = Decider(clock, draw, keys, snapshot_every, journal_id)
        self._on_events = on_events
        self._announced: tuple[int, str] | None = None
        self._sent = SentKeys()
        self.signed: Checkpoint | None = None
        """The newest checkpoint that was verified or written here. It stays known whatever becomes of its row."""
        self._state: JournalState | None = None
        self.latest: FloorAt
        """The floor as the last commit left it, for any thread, also while the state must be read again."""
        self.load()

    @property
    def engine(self) -> Engine:
        """The state machine where the journal stands; after a failed commit it is read again."""
        if self._state is None:
            self.load()
        return present(self._state, "state that was read").engine

    def load(self) -> list[Event]:
        """Read the state again from the journal and check it; returns the events that were not known before."""
        self._state = None
        self.journal.begin()
        try:
            missed = list[Event]()
            if self._announced is not None:
                check_place(self.journal, self._announced)
                order = SigningOrder(self.latest.floor.signing_keys.values())
                missed += signed_after(self.journal, self._announced, self._keys, self._journal_id, order)
            read = list[tuple[SentKey, int]]()
            state = read_state(
                self.journal, self._keys, self._journal_id, lambda event: read.append((event.sent_key, event.seq))
            )
            state.seeds.ready()
            if self._keys is not None:
                self._keep_keys([*((event.sent_key, event.seq) for event in missed), *read])
                check_found(self.journal, read)
        finally:
            self.journal.rollback()
        self._state, self.signed, self.latest = state, state.signed, state.published()
        self._announced = self._announced or state.place
        self._announce(missed)
        return missed

    def catch_up(self) -> list[Event]:
        """Follow what other processes have written and signed since, and return those events."""
        if self._state is None:
            return self.load()
        followed = self._catch_up(self._state)
        if followed:
            self.latest = self._state.published()
        self._announce(followed)
        return followed

    def _catch_up(self, state: JournalState, tail: Tail | None = None) -> list[Event]:
        try:
            tail = self.journal.tail(state.engine.seq) if tail is None else tail
            groups, checkpoints = foreign_events(self.journal, state, tail, self._keys, self._journal_id)
            followed = state.follow(groups)
            if self._keys is not None:
                self._keep_keys((event.sent_key, event.seq) for event in followed)
        except BaseException:
            self._state = None
            raise
        if followed and self._keys is not None:
            # Those beyond the events that were read are another process's newest; these were verified.
            state.signed = next(each for each in checkpoints if each.seq == state.engine.seq)
            self.signed = state.signed
        self._decider.accept_clock(followed)
        return followed

    def _check_own_key(self, state: JournalState) -> None:
        """Sign nothing with a key that another process's start has replaced: it would count for nobody."""
        own = None if self._keys is None else self._keys.key_id
        if own is not None and own in state.order.replaced:
            what = f"the start in event {state.order.replaced[own]} has replaced the signing key {own} of this process"
            raise JournalDamagedError(f"keys[{own}]", f"{what}, and a replaced key is never taken again")

    def _keep_keys(self, written: Iterable[tuple[SentKey, int]]) -> None:
        self._sent.add_all(written)

    def _announce(self, events: list[Event]) -> None:
        if events:
            self._announced = events[-1].seq, events[-1].hash
            if self._on_events is not None:
                self._on_events(events)

    def carry_out(self, envelopes: Sequence[Envelope]) -> list[Result]:
        """Carry out a group of commands in one transaction: an answer or a refusal for each, in order.

        `StoreUnavailableError` if the store is away: nothing is acknowledged, and the state is read again next time.
        """
        self._end_day()
        try:
            return self._carry_out(envelopes)
        except GroupFaultError as fault:
            self._look_for_cause(fault)
            # One command met a fault or made a row that the store cannot keep; alone, each of the others goes through.
            if len(envelopes) > 1:
                return [result for envelope in envelopes for result in self.carry_out([envelope])]
            _log.exception("%s hit an internal error, or made a row that the store refuses", kind_of(envelopes[0]))
            return [UnexpectedError(kind_of(envelopes[0]), fault.__cause__ or fault)]

    def _look_for_cause(self, fault: GroupFaultError) -> None:
        """Where the store refused a row, see first whether somebody has put there what refuses it."""
        if isinstance(fault.__cause__, RowRefusedError):
            self.journal.check_guards()

    def write_counted(self, *, ending: bool = False) -> bool:
        """Put on record the refused attempts that were only counted, as far as their time is over; whether any was."""
        if not self._decider.has_counted(ending=ending):
            return False
        try:
            self._carry_out([], ending=ending)
        except GroupFaultError as fault:
            self._look_for_cause(fault)
            raise
        return True

    def _end_day(self) -> None:
        """Store the state of a gaming day that has ended since the last group; without it reports only take longer."""
        if self._state is None:
            self.load()
        state = present(self._state, "state that was read")
        if self._decider.turns_day(state):
            try:
                self._carry_out([], ends_day=True)
            except GroupFaultError as fault:
                self._look_for_cause(fault)
                _log.exception("the state at the end of a gaming day could not be stored")

    def _carry_out(
        self, envelopes: Sequence[Envelope], *, ending: bool = False, ends_day: bool = False
    ) -> list[Result]:
        if self._state is None:
            self.load()
        state, journal = present(self._state, "state that was read"), self.journal
        try:
            keys = keys_of(envelopes)
            asked = [key for key in keys if key is not None]
            tail, known = journal.begin_group(state.engine.seq, asked)
            caught_up = self._catch_up(state, tail)
            self._check_own_key(state)
            if self._keys is not None:
                self._sent.check(journal, asked, known)
            ends_day = ends_day and not caught_up
            decided = self._decided(state, envelopes, keys, known, ending=ending, ends_day=ends_day)
            events = decided.batch.events
            if events:
                journal.commit()
            else:
                journal.rollback()
        except BaseException:
            self._state = None
            self._decider.undo()
            journal.rollback()
            raise
        if events:
            state.signed = self.signed = decided.batch.checkpoint
            if state.signed is not None:
                state.order.see_all(events)
                state.order.fault(state.signed)
            if self._keys is not None:
                self._keep_keys([(event.sent_key, event.seq) for event in events])
        self._decider.accept_clock(events)
        if caught_up or events:
            # Before anybody is told or answered: who then looks sees what was done.
            self.latest = state.published()
        self._announce(caught_up + events)
        return decided.results

    def _decided(
        self,
        state: JournalState,
        envelopes: Sequence[Envelope],
        keys: Sequence[SentKey | None],
        known: Mapping[SentKey, Event],
        *,
        ending: bool,
        ends_day: bool,
    ) -> DecidedGroup:
        """The group, decided and handed to the store within the transaction."""
        try:
            if ends_day:
                decided = self._decider.end_day(state)
            else:
                decided = self._decider.decide(state, envelopes, keys, known, ending=ending)
            if decided.batch.events:
                self.journal.append(decided.batch)
        except InputError:
            # The store's own: it is away, or damaged. Refusals of commands are results.
            raise
        except Exception as error:
            raise GroupFaultError from error
        return decided


def foreign_events(
    journal: Journal, state: JournalState, tail: Tail, keys: Keys | None, journal_id: str
) -> tuple[Iterable[Sequence[Event]], Sequence[Checkpoint]]:
    """Signed groups beyond the state, whose tail was read, and the checkpoints that sign them.

    `JournalDamagedError` if the last event of the state is gone, or at an event that nobody signed.
    """
    seq, head = state.place
    stored, events = tail
    if stored != head:
        what = "the event is gone" if stored is None else "the event is not the one that was read before"
        raise JournalDamagedError(f"events[{seq}]", what)
    if not events:
        return (), ()
    # Read after the events: whatever another process writes in between, the events that were read have theirs.
    signed = list(journal.checkpoints_after(seq))
    verifies = None if keys is None else keys.verifies
    return covered(state.place, events, signed, journal_id, verifies, state.order), signed
