"""The manager of one process: commands from many threads, one writer, answers only after the commit.

Commands wait in a queue; one thread takes as many as have gathered, lets the `Writer` carry them out in one group, and
answers each. When the store goes away, commands are refused at once with the reason, and the manager tries to come back
by itself. Commands whose commit may or may not have happened are then answered from the journal.
"""

from __future__ import annotations

import logging
import os
import queue
import secrets
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import houseway
from houseway.errors import InputError, StateError, present
from houseway.manager.commands.system_commands import AttemptRefused, RollbackNoticed, ServerResumed, ServerStarted
from houseway.manager.core.engine import SYSTEM, Envelope, lost_history
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Recovery
from houseway.manager.core.records import Event, SentKey
from houseway.manager.store import urls
from houseway.manager.store.anchoring import HashAt, raise_anchor
from houseway.manager.store.archived_hashes import ArchivedHashes, hash_at
from houseway.manager.store.clock import WatchedClock
from houseway.manager.store.deciding import clock_behind, kind_of
from houseway.manager.store.feed import Feed, PostgresFeed, SqliteFeed
from houseway.manager.store.head_making import HeadBook
from houseway.manager.store.journal import Journal
from houseway.manager.store.key_use import hold_keys
from houseway.manager.store.keys import Keys, load_keys
from houseway.manager.store.marks import Mark
from houseway.manager.store.past import JournalPast, judged
from houseway.manager.store.powerup import identify, prepare, start_fingerprints
from houseway.manager.store.sql import SqlJournal
from houseway.manager.store.sqlite import SqliteJournal
from houseway.manager.store.state import FloorAt
from houseway.manager.store.store_errors import (
    GroupFaultError,
    JournalDamagedError,
    RowRefusedError,
    StoreUnavailableError,
    UnexpectedError,
)
from houseway.manager.store.subscriptions import Subscriber, Subscriptions
from houseway.manager.store.supervisor import Supervisor
from houseway.manager.store.writer import GROUP, RESERVED, Answer, Writer, answer_of

T = TypeVar("T")
Waiting = tuple[Envelope, "Future[Answer]"]

RETRY_SECONDS: Final = 0.25
"""How often the manager tries to reach a store that is away."""
DOUBT_SECONDS: Final = 20.0
"""How long a command of unknown outcome waits for the store to come back."""
FOLLOW_SECONDS: Final = 0.5
"""How long somebody who has seen an event of another process waits until it was followed here."""
ANCHOR_SECONDS: Final = 1.0
_HEARTBEAT_SECONDS: Final = 1.0
_log: Final = logging.getLogger(__name__)


class Manager:
    """Commands in, answers out, events to subscribers. `open_manager` makes one for a database."""

    def __init__(
        self,
        journal: Journal,
        keys: Keys | None,
        *,
        clock: Callable[[], int] | None = None,
        draw: Callable[[int], bytes] = os.urandom,
        snapshot_every: int = 10_000,
        feed: Feed | None = None,
        open_apart: Callable[[], Journal] | None = None,
        anchor: Callable[[Mark, HashAt, Mark | None], None] | None = None,
        journal_id: str = "",
        doubt_seconds: float = DOUBT_SECONDS,
        let_go: Callable[[], None] | None = None,
    ) -> None:
        """Check the journal, read the state and begin to serve.

        `open_apart` opens the journal once more, for reading while the writer's own connection is in use. `let_go` is
        called when the manager has ended.
        """
        self._journal = journal
        self.supervisor = Supervisor()
        """Of all that runs beside the commands, here and in a server on this manager."""
        self._open_apart = open_apart
        self._apart: Journal | None = None
        self._apart_lock = threading.Lock()
        self._clock = clock or WatchedClock()
        self._queue: queue.SimpleQueue[Waiting | _Sign] = queue.SimpleQueue()
        self._paused: str | None = None
        self._damaged: JournalDamagedError | None = None
        self._closing = self._closed = False
        self._ending = threading.Event()
        self._doubt_seconds = doubt_seconds
        self._doubtful: list[Waiting] = []
        self._doubtful_until = 0.0
        self._next_try = self._next_look = 0.0
        self._unwritten: tuple[str, float] | None = None
        """Why something could not be written, and since when; None once something was written again."""
        self._anchor = anchor
        self._keys = keys
        self.journal_id = journal_id
        """The id under which marks name the journal."""
        self.heads: HeadBook | None = None
        """The signed heads of a journal in a database."""
        self._let_go = let_go
        self._anchored: Mark | None = None
        """What was last found to be in the anchor, or put there."""
        self._next_anchor = 0.0
        self._archived = ArchivedHashes()
        self._subscriptions: Subscriptions | None = None
        self._writer = Writer(
            journal,
            clock=self._clock,
            draw=draw,
            keys=keys,
            journal_id=journal_id,
            snapshot_every=snapshot_every,
            on_events=self._publish,
        )
        self._subscriptions = Subscriptions(
            self._writer.latest.seq,
            lambda seq: self._read(lambda apart: list(apart.events_after(seq))),
            self._note_anchor,
            self.supervisor,
        )
        self._feed = feed
        self._thread = threading.Thread(target=self._run, name="houseway-writer", daemon=True)
        self._thread.start()
        if feed is not None:
            feed.start(lambda: self._queue.put(_WAKE), self.supervisor)

    # For callers, on any thread

    def submit(self, envelope: Envelope) -> Future[Answer]:
        """Hand in a command; the future has its answer after the commit, or the refusal."""
        future: Future[Answer] = Future()
        refusal = self._refusal()
        if refusal is not None:
            future.set_exception(refusal)
        else:
            self._queue.put((envelope, future))
            if self._closed:
                self._refuse_rest()
        return future

    def call(self, envelope: Envelope, timeout: float | None = 60.0) -> Answer:
        """Carry out a command and wait for its answer."""
        return self.submit(envelope).result(timeout)

    def view(self, read: Callable[[Floor], T]) -> T:
        """Read something off the floor as the last commit left it."""
        return self.view_at(lambda _, floor: read(floor))

    def view_at(self, read: Callable[[int, Floor], T]) -> T:
        """As `view`, with the number of the last event that is in the floor."""
        seen = self.seen()
        return read(seen.seq, seen.floor)

    def seen(self) -> FloorAt:
        """The floor as the last commit left it: it never changes, waits for no writer, and may be kept."""
        self._refuse_if_away()
        return self._writer.latest

    def last_known(self, read: Callable[[int, Floor], T]) -> T:
        """As `view_at`, but of the floor as it was last known, also while the store is away: for who somebody is.

        Nothing may be decided by it: it may be old.
        """
        known = self._writer.latest
        return read(known.seq, known.floor)

    def _refuse_if_away(self) -> None:
        refusal = self._refusal()
        if refusal is not None:
            raise refusal

    def find(self, sent: SentKey) -> Event | None:
        """The event that was written under a key of its sender, if there is one."""
        return self._read(lambda apart: apart.by_keys([sent])).get(sent)

    def mark(self) -> Mark | None:
        """The newest signed mark of the journal, to be kept elsewhere; None on a journal that nobody signs.

        It is what this process has itself verified or signed, not what the store says now: of an event that is gone
        from there the mark is the proof that it was.
        """
        found = self._writer.signed
        return None if found is None or self._keys is None else Mark.of(self.journal_id, found)

    def past(self, seq: int) -> JournalPast:
        """What the journal has at a number, for whoever has seen that event."""
        first, found = self._read(lambda apart: apart.first()), self._hash_at(seq)
        if found is not None:
            self._wait_for(seq)
        # What lies beyond the state was not followed yet, or nobody has signed it.
        return JournalPast(first, found if seq <= self._writer.latest.seq else None, self._recoveries())

    def _hash_at(self, seq: int) -> str | None:
        """The hash that the journal has at a number, also of an archived event; whether it was followed or not."""
        return hash_at(
            seq,
            lambda low: self._read(lambda apart: next(iter(apart.events_after(low - 1, 1)), None)),
            lambda low, high: self._read(lambda apart: list(apart.kept_leaves(low, high))),
            self._archived,
        )

    def events_after(self, seq: int, limit: int) -> tuple[int, list[Event]]:
        """The oldest event that is not archived, and the next ones after a number that are in the floor."""
        first, found = self._read(lambda apart: (apart.first(), list(apart.events_after(seq, limit))))
        # What lies beyond the state was not followed yet, or nobody has signed it.
        return first, [event for event in found if event.seq <= self._writer.latest.seq]

    def _wait_for(self, seq: int) -> None:
        """Give the writer a moment to follow an event that another process has written just now."""
        until = time.monotonic() + FOLLOW_SECONDS
        if seq > self._writer.latest.seq:
            self._queue.put(_WAKE)
        while seq > self._writer.latest.seq and self._refusal() is None and time.monotonic() < until:
            time.sleep(0.01)

    def shown_mark(self, mark: Mark, device: str) -> str:
        """Judge a mark that a device shows; one that proves that events are missing stops play and goes on record."""
        said = judged(mark, self.past(mark.seq), self.journal_id, self._keys)
        if said == "lost":
            _log.critical("%s has seen event %d, which this journal lacks: an old copy is served", device, mark.seq)
            noticed = RollbackNoticed(mark.seq, mark.hash, mark.at, device)
            if self.view(lambda floor: _is_news(floor, mark)):
                self.submit(Envelope(f"{RESERVED}rollback/{secrets.token_hex(8)}", SYSTEM, noticed))
        return said

    def _recoveries(self) -> tuple[Recovery, ...]:
        found = next(iter(self._writer.latest.floor.properties.values()), None)
        return () if found is None else found.recoveries

    def _read(self, read: Callable[[Journal], T]) -> T:
        """Read something in the journal itself, beside the writer."""
        with self._apart_lock:
            if self._apart is not None and self._apart is not self._journal:
                with suppress(StoreUnavailableError):
                    return self._read_apart(read)
                # A connection that was not used for a while may have been lost; a fresh one tells.
            if self._apart is None:
                self._apart = self._open_apart() if self._open_apart is not None else self._journal
            return self._read_apart(read)

    def _read_apart(self, read: Callable[[Journal], T]) -> T:
        apart = present(self._apart, "journal to read apart from the writer's")
        try:
            return read(apart)
        except BaseException:
            self._close_apart()
            raise

    def _close_apart(self) -> None:
        apart, self._apart = self._apart, None
        if apart is not None and apart is not self._journal:
            apart.close()

    def subscribe(self, callback: Subscriber, after: int | None = None) -> Callable[[], None]:
        """Call with every event, once and in order, of this and of all other processes; returns what ends it.

        Without `after` from now on, else with all events beyond that number.
        """
        return present(self._subscriptions, "list of subscriptions before the start").subscribe(callback, after)

    def health(self) -> dict[str, Any]:
        """How the manager is, and how far the journal has come; this is the one place that decides it.

        `serving`: a command that is in order is carried out. `impaired`: likewise, but something that runs beside the
        commands hit an internal error, or the store refused the rows of a command, and somebody must look.
        `paused`: none is, for a reason that passes: the store is away or cannot be written, the clock is wrong, or
        events are missing. `damaged`: none is until somebody has repaired the journal. `closed`: the manager has
        ended. It never waits for the store.
        """
        refusal = self._refusal() or self._clock_fault() or self._lost()
        failed = self.supervisor.faults()
        able = "impaired" if failed else "serving"
        state = "damaged" if self._damaged else "closed" if self._closed else "paused" if refusal else able
        seq, hash_, _ = self._writer.latest
        faults = [fault.to_json() for fault in (*(refusal.faults if refusal is not None else ()), *failed)]
        return {"state": state, "seq": seq, "hash": hash_, "faults": faults}

    def close(self) -> None:
        """Carry out what was handed in, then stop."""
        if self._closing:
            return
        self._closing = True
        if self._feed is not None:
            self._feed.close()
        self._queue.put(_STOP)
        self._ending.set()
        self._thread.join()
        self._refuse_rest()
        present(self._subscriptions, "list of subscriptions before the start").close()
        self._note_anchor(at_once=True)
        with self._apart_lock:
            self._close_apart()
        self._journal.close()
        if self._let_go is not None:
            self._let_go()

    def __enter__(self) -> Manager:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _refusal(self) -> InputError | None:
        if self._damaged is not None:
            return self._damaged
        if self._closed:
            return StoreUnavailableError("this manager was closed")
        return None if self._paused is None else StoreUnavailableError(self._paused)

    def _lost(self) -> InputError | None:
        fault = lost_history(self._writer.latest.floor)
        return None if fault is None else InputError([fault])

    def _clock_fault(self) -> InputError | None:
        try:
            now = self._clock()
        except InputError as error:
            return error
        return clock_behind(now, self._writer.latest.floor.last_at)

    def _refuse_rest(self) -> None:
        """Nobody who handed in a command after the end may wait for ever."""
        with suppress(queue.Empty):
            while True:
                item = self._queue.get_nowait()
                if not isinstance(item, _Sign) and item[1].set_running_or_notify_cancel():
                    item[1].set_exception(StoreUnavailableError("this manager was closed"))

    # The writer's thread

    def _run(self) -> None:
        self.supervisor.keep_thread("writer", self._write_all, self._ending)
        self._closed = True
        _fail(self._doubtful, StoreUnavailableError("this manager was closed", in_doubt=True))

    def _write_all(self) -> None:
        stopping = False
        while not stopping:
            waiting, signs = self._gathered()
            if waiting:
                self._serve(waiting)
            elif _WAKE in signs:
                self._guarded(self._follow)
            else:
                # The clock is read now and then even if nothing happens, so that a jump is told from idle time.
                self._clock_fault()
                self._guarded(self._write_counted)
            self._look_for_room()
            if self._paused is not None and self._damaged is None:
                self._come_back()
            stopping = _STOP in signs
        self._guarded(lambda: self._write_counted(ending=True))

    def _gathered(self) -> tuple[list[Waiting], set[_Sign]]:
        """What has gathered in the queue, up to a group; waits for the first."""
        found: list[Waiting] = []
        signs: set[_Sign] = set()
        with suppress(queue.Empty):
            item = self._queue.get(timeout=_HEARTBEAT_SECONDS if self._paused is None else RETRY_SECONDS)
            while True:
                if isinstance(item, _Sign):
                    signs.add(item)
                elif item[1].set_running_or_notify_cancel():
                    found.append(item)
                if len(found) >= GROUP or _STOP in signs:
                    break
                item = self._queue.get_nowait()
        return found, signs

    def _serve(self, group: list[Waiting]) -> None:
        refusal = self._refusal()
        if refusal is not None:
            _fail(group, refusal)
            return
        try:
            results = self._writer.carry_out([envelope for envelope, _ in group])
        except StoreUnavailableError as error:
            self._pause(error.reason)
            self._unwritten = self._unwritten or (error.reason, time.monotonic())
            if error.in_doubt:
                self._doubtful_until = time.monotonic() + self._doubt_seconds
                self._doubtful += group
            else:
                _fail(group, error)
        except JournalDamagedError as error:
            self._damage(error)
            _fail(group, error)
        except Exception as error:  # noqa: BLE001 - whatever it was, the thread goes on and nobody waits for ever
            self._meet(error)
            self._unwritten = self._unwritten or (str(self._paused), time.monotonic())
            _fail(group, UnexpectedError("a group of commands", error))
        else:
            for (envelope, future), result in zip(group, results, strict=True):
                if isinstance(result, Answer):
                    if not result.repeated and self.supervisor.has_refused:
                        self.supervisor.written(kind_of(envelope))
                    future.set_result(result)
                else:
                    self._note_refused(envelope, result)
                    future.set_exception(result)

    def _note_refused(self, envelope: Envelope, refusal: InputError) -> None:
        """Let health tell of a command whose rows the store refused, until one of its kind is written."""
        if isinstance(refusal, UnexpectedError) and isinstance(refusal.__cause__, RowRefusedError):
            self.supervisor.refused(kind_of(envelope), refusal.__cause__)

    def _follow(self) -> None:
        """Read what other processes have written."""
        if self._refusal() is None:
            self._writer.catch_up()

    def _write_counted(self, *, ending: bool = False) -> None:
        """Put on record what was only counted of refused attempts."""
        if self._refusal() is not None:
            return
        kind = str(AttemptRefused.__struct_config__.tag)
        try:
            is_written = self._writer.write_counted(ending=ending)
        except GroupFaultError as fault:
            if not isinstance(fault.__cause__, RowRefusedError):
                raise
            self.supervisor.refused(kind, fault.__cause__)
        else:
            if is_written:
                self.supervisor.written(kind)

    def _guarded(self, action: Callable[[], None]) -> bool:
        """Whether something that reads the store went through; else the manager pauses, or stops."""
        try:
            action()
        except StoreUnavailableError as error:
            self._pause(error.reason)
        except JournalDamagedError as error:
            self._damage(error)
        except Exception as error:  # noqa: BLE001 - the thread goes on
            self._meet(error)
        else:
            return True
        return False

    def _pause(self, reason: str) -> None:
        """Refuse commands until the store is back."""
        if self._paused is None:
            _log.error("paused: %s", reason)
        self._paused = reason
        self._next_try = time.monotonic() + RETRY_SECONDS

    def _damage(self, error: JournalDamagedError) -> None:
        _log.critical("stopped: %s", error)
        # Whatever is gone, how far the journal had come must outlast this process: the next start asks for it. It is
        # on disk before anybody hears of the damage.
        self._note_anchor(at_once=True)
        self._damaged = error

    def _meet(self, error: Exception) -> None:
        _log.error("the manager hit an internal error", exc_info=error)
        self._pause(f"the manager hit an internal error ({type(error).__name__})")

    def _come_back(self) -> None:
        """Try to reach the store again; then answer the commands whose outcome was open."""
        if time.monotonic() >= self._next_try and self._guarded(self._reload):
            self._guarded(self._answer_doubtful)
            if not self._doubtful and self._can_write():
                self._paused = None
                _log.warning("serving again")
        if self._doubtful and (self._damaged is not None or time.monotonic() >= self._doubtful_until):
            late, self._doubtful = self._doubtful, []
            _fail(late, self._damaged or StoreUnavailableError(self._paused or "the store was away", in_doubt=True))

    def _look_for_room(self) -> None:
        """Stop before the disk is full, while what is in hand can still be written."""
        if self._paused is None and time.monotonic() >= self._next_look:
            self._next_look = time.monotonic() + _HEARTBEAT_SECONDS
            shortage = self._journal.shortage()
            if shortage is not None:
                self._unwritten = self._unwritten or (shortage, time.monotonic())
                self._pause(shortage)

    def _can_write(self) -> bool:
        """After a write that failed, only a write shows that the store is back: that of an event which says so."""
        shortage = self._journal.shortage()
        if shortage is not None:
            self._pause(shortage)
            return False
        if self._unwritten is None:
            return True
        (reason, since), process = self._unwritten, f"{socket.gethostname()}:{os.getpid()}"
        resumed = ServerResumed(process, reason, round(time.monotonic() - since))
        envelope = Envelope(f"{RESERVED}resumed/{secrets.token_hex(8)}", SYSTEM, resumed)
        is_written = self._guarded(lambda: self._write_own(envelope))
        if is_written:
            self._unwritten = None
        return is_written

    def _write_own(self, envelope: Envelope) -> None:
        self._journal.try_room()
        (result,) = self._writer.carry_out([envelope])
        if isinstance(result, InputError):
            raise StoreUnavailableError(str(result))

    def _reload(self) -> None:
        # What looks like a store that is away may be somebody's index or check that fails.
        self._journal.check_guards()
        self._writer.load()

    def _answer_doubtful(self) -> None:
        found = self._journal.by_keys([envelope.sent_key for envelope, _ in self._doubtful]) if self._doubtful else {}
        group, self._doubtful = self._doubtful, []
        for envelope, future in group:
            event = found.get(envelope.sent_key)
            if event is not None and event.input_hash == envelope.input_hash:
                future.set_result(answer_of(event, repeated=False))
            else:
                future.set_exception(StoreUnavailableError("the store went away before the command was written"))

    # Events and the anchor

    def _publish(self, events: list[Event]) -> None:
        if self._subscriptions is not None:
            self._subscriptions.publish(events)

    def _note_anchor(self, *, at_once: bool = False) -> None:
        if self._anchor is None:
            return
        mark, now = self.mark(), time.monotonic()
        if mark is None or (not at_once and now < self._next_anchor):
            return
        self._next_anchor = now + ANCHOR_SECONDS
        try:
            # Also while nothing happens here: whoever plays on another copy of the journal raises the same anchor.
            self._anchor(mark, self._hash_at, self._anchored)
        except JournalDamagedError as error:
            if self._damaged is None:
                self._damaged = error
                _log.critical("stopped: %s", error)
        except (OSError, InputError) as error:
            _log.warning("the anchor could not be written: %s", error)
        else:
            self._anchored = mark


class _Sign:
    """Something in the queue that is not a command."""


_WAKE: Final = _Sign()
_STOP: Final = _Sign()


def _fail(group: list[Waiting], error: InputError) -> None:
    for _, future in group:
        future.set_exception(error)


def _is_news(floor: Floor, mark: Mark) -> bool:
    """Whether a proof of missing events says more than what is on record."""
    found = next(iter(floor.properties.values()), None)
    return found is not None and (found.rollback is None or found.rollback.seq < mark.seq)


# Opening a database


def open_manager(
    url: str,
    keys_folder: Path | str,
    *,
    create: bool = True,
    clock: Callable[[], int] | None = None,
    draw: Callable[[int], bytes] = os.urandom,
    snapshot_every: int = 10_000,
    doubt_seconds: float = DOUBT_SECONDS,
) -> Manager:
    """A manager on a database, after its self-check; a database without a journal gets an empty one if `create`."""
    folder = Path(keys_folder)
    let_go = hold_keys(folder)
    try:
        keys = load_keys(folder)
        prepare(url, keys, create=create)
        journal = urls.journal_at(url)
        try:
            journal_id = identify(journal, keys)
            manager = Manager(
                journal,
                keys,
                clock=clock,
                draw=draw,
                snapshot_every=snapshot_every,
                feed=_feed_of(url, journal),
                open_apart=lambda: urls.journal_at(url),
                anchor=lambda mark, hash_at, own: raise_anchor(folder, mark, hash_at, own),
                journal_id=journal_id,
                doubt_seconds=doubt_seconds,
                let_go=let_go,
            )
        except BaseException:
            journal.close()
            raise
    except BaseException:
        let_go()
        raise
    manager.heads = HeadBook(url, keys)
    _record_start(manager, keys, journal_id)
    return manager


def _feed_of(url: str, journal: SqlJournal) -> Feed:
    if isinstance(journal, SqliteJournal):
        return SqliteFeed(journal.path)
    from houseway.manager.store.postgres import PostgresJournal, conninfo

    if not isinstance(journal, PostgresJournal):
        raise StateError(f"{type(journal).__name__} is not a journal in a database")
    return PostgresFeed(conninfo(url), lambda: journal.backend)


def _record_start(manager: Manager, keys: Keys, journal_id: str) -> None:
    process = f"{socket.gethostname()}:{os.getpid()}"
    # What is noted about the journal outside the chain goes on record in it, so that an audit can hold them together.
    of_journal = {"signing-key": keys.public, "journal": journal_id, "keys": keys.check_value()}
    known = start_fingerprints() | of_journal
    started = ServerStarted(process, houseway.__version__, known)
    try:
        manager.call(Envelope(f"{RESERVED}started/{secrets.token_hex(8)}", SYSTEM, started))
    except BaseException:
        manager.close()
        raise
