"""The manager of one process: commands from many threads, one place where they are decided and written.

Commands wait in a queue; one thread takes as many as have gathered and decides them as a group, another one writes the
group in one transaction and answers each. When the store goes away, commands are refused at once with the reason, and
the manager tries to come back by itself. Commands whose commit may or may not have happened are then answered from the
journal.
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
from houseway.errors import InputError
from houseway.manager.commands.system import ServerStarted
from houseway.manager.core.engine import SYSTEM, Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.core.records import Event
from houseway.manager.store import urls
from houseway.manager.store.clock import WatchedClock
from houseway.manager.store.deciding import Answer, Decider, Result, answer_of, kind_of
from houseway.manager.store.errors import (
    JournalDamagedError,
    RowRefusedError,
    StoreUnavailableError,
    UnexpectedError,
)
from houseway.manager.store.feed import Feed, PostgresFeed, SqliteFeed
from houseway.manager.store.journal import Journal
from houseway.manager.store.keys import Anchor, Keys, load_keys, write_anchor
from houseway.manager.store.pipeline import Group, Pipeline, Waiting
from houseway.manager.store.powerup import identify, prepare, software_fingerprints
from houseway.manager.store.sql import SqlJournal
from houseway.manager.store.sqlite import SqliteJournal
from houseway.manager.store.subscriptions import Subscriber, Subscriptions
from houseway.manager.store.writer import GROUP, RESERVED

T = TypeVar("T")

RETRY_SECONDS: Final = 0.25
"""How often the manager tries to reach a store that is away."""
DOUBT_SECONDS: Final = 20.0
"""How long a command of unknown outcome waits for the store to come back."""
ANCHOR_SECONDS: Final = 1.0
SMALLEST_SHARE: Final = 8
"""Groups of this size are not split, so that one half is decided while the other one is written."""
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
        draw: Callable[[int], bytes] = secrets.token_bytes,
        snapshot_every: int = 10_000,
        feed: Feed | None = None,
        open_apart: Callable[[], Journal] | None = None,
        anchor: Callable[[int, str], None] | None = None,
        doubt_seconds: float = DOUBT_SECONDS,
    ) -> None:
        """Check the journal, read the state and begin to serve.

        `open_apart` opens the journal once more, for reading while the writer's own connection is in use.
        """
        self._journal = journal
        self._open_apart = open_apart
        self._apart: Journal | None = None
        self._apart_lock = threading.Lock()
        self._clock = clock or WatchedClock()
        self._commands: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._paused: str | None = None
        self._damaged: JournalDamagedError | None = None
        self._closing = self._closed = False
        self._pushed = self._served = 0
        """Commands that went into the pipeline and came out of it."""
        self._woken = threading.Event()
        self._doubt_seconds = doubt_seconds
        self._doubtful: list[Waiting] = []
        self._doubtful_until = 0.0
        self._next_try = 0.0
        self._anchor = anchor
        self._anchored = (0, 0.0)
        self._subscriptions: Subscriptions | None = None
        decider = Decider(self._clock, draw, keys, snapshot_every)
        self._pipeline = Pipeline(journal, keys, decider, self._publish)
        self._head = self._pipeline.place
        self._subscriptions = Subscriptions(
            self._head[0], lambda seq: self._read(lambda apart: list(apart.events_after(seq))), self._note_anchor
        )
        self._feed = feed
        self._threads = [
            threading.Thread(target=self._decide_all, name="houseway-decider", daemon=True),
            threading.Thread(target=self._write_all, name="houseway-writer", daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        if feed is not None:
            feed.start(self._wake)

    # For callers, on any thread

    def submit(self, envelope: Envelope) -> Future[Answer]:
        """Hand in a command; the future has its answer after the commit, or the refusal."""
        future: Future[Answer] = Future()
        refusal = self._refusal()
        if refusal is not None:
            future.set_exception(refusal)
        else:
            self._commands.put((envelope, future))
            if self._closed:
                self._refuse_rest()
        return future

    def call(self, envelope: Envelope, timeout: float | None = 60.0) -> Answer:
        """Carry out a command and wait for its answer."""
        return self.submit(envelope).result(timeout)

    def view(self, read: Callable[[Floor], T]) -> T:
        """Read something off the floor as the last commit left it; what is returned must not be part of the floor."""
        return self.view_at(lambda _, floor: read(floor))

    def view_at(self, read: Callable[[int, Floor], T]) -> T:
        """As `view`, with the number of the last event that is in the floor."""
        refusal = self._refusal()
        if refusal is not None:
            raise refusal
        return self._pipeline.view(read)

    def find(self, key: str) -> Event | None:
        """The event that was written under a key, if there is one."""
        return self._read(lambda apart: apart.by_keys([key])).get(key)

    def _read(self, read: Callable[[Journal], T]) -> T:
        """Read something in the journal itself, beside the writer."""
        with self._apart_lock:
            if self._apart is None:
                self._apart = self._open_apart() if self._open_apart is not None else self._journal
            try:
                return read(self._apart)
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
        assert self._subscriptions is not None
        return self._subscriptions.subscribe(callback, after)

    def health(self) -> dict[str, Any]:
        """How the manager is: `serving`, `paused` with the reason, or `damaged`; and how far the journal has come."""
        refusal = self._refusal() or self._clock_fault()
        state = "damaged" if self._damaged else "closed" if self._closed else "paused" if refusal else "serving"
        seq, hash_ = self._head
        faults = [fault.to_json() for fault in refusal.faults] if refusal is not None else []
        return {"state": state, "seq": seq, "hash": hash_, "faults": faults}

    def close(self) -> None:
        """Carry out what was handed in, then stop."""
        if self._closing:
            return
        self._closing = True
        if self._feed is not None:
            self._feed.close()
        self._commands.put(None)
        for thread in self._threads:
            thread.join()
        self._refuse_rest()
        assert self._subscriptions is not None
        self._subscriptions.close()
        self._note_anchor(at_once=True)
        with self._apart_lock:
            self._close_apart()
        self._journal.close()

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

    def _clock_fault(self) -> InputError | None:
        try:
            self._clock()
        except InputError as error:
            return error
        return None

    def _refuse_rest(self) -> None:
        """Nobody who handed in a command after the end may wait for ever."""
        with suppress(queue.Empty):
            while True:
                item = self._commands.get_nowait()
                if item is not None and item[1].set_running_or_notify_cancel():
                    item[1].set_exception(StoreUnavailableError("this manager was closed"))

    # The thread that decides

    def _decide_all(self) -> None:
        going_on = True
        while going_on:
            waiting, going_on = self._gathered()
            refusal = self._refusal()
            if refusal is not None:
                _fail(waiting, refusal)
            elif waiting:
                self._pushed += len(waiting)
                self._pipeline.push(Group(waiting))
            else:
                # The clock is read now and then even if nothing happens, so that a jump is told from idle time.
                self._clock_fault()
        self._closed = True
        self._pipeline.nudge()

    def _gathered(self) -> tuple[list[Waiting], bool]:
        """What has gathered, up to a group; waits for the first. False at the end."""
        found: list[Waiting] = []
        with suppress(queue.Empty):
            item = self._commands.get(timeout=_HEARTBEAT_SECONDS)
            # Half of what is on its way: so one half is decided while the other one is written.
            outstanding = self._commands.qsize() + 1 + self._pushed - self._served
            enough = min(GROUP, max(SMALLEST_SHARE, (outstanding + 1) // 2))
            while item is not None:
                if item[1].set_running_or_notify_cancel():
                    found.append(item)
                if len(found) >= enough:
                    return found, True
                item = self._commands.get_nowait()
            return found, False
        return found, True

    # The thread that writes

    def _wake(self) -> None:
        """Another process may have written."""
        self._woken.set()
        self._pipeline.nudge()

    def _write_all(self) -> None:
        while True:
            patience = _HEARTBEAT_SECONDS if self._paused is None else RETRY_SECONDS
            group = self._pipeline.take(patience)
            if group is not None:
                self._serve(group)
                self._served += len(group.waiting)
                self._pipeline.done()
            elif self._closed:
                break
            elif self._woken.is_set():
                self._woken.clear()
                self._guarded(self._pipeline.follow_others)
            if self._paused is not None and self._damaged is None:
                self._come_back()
        _fail(self._doubtful, StoreUnavailableError("this manager was closed", in_doubt=True))

    def _serve(self, group: Group) -> None:
        refusal = self._refusal() if self._paused is not None or self._damaged is not None else None
        if refusal is not None:
            _fail(group.waiting, refusal)
            return
        try:
            results = self._pipeline.write(group).results
        except RowRefusedError as error:
            self._serve_alone(group, error)
        except StoreUnavailableError as error:
            self._pause(error.reason)
            if error.in_doubt:
                self._doubtful_until = time.monotonic() + self._doubt_seconds
                self._doubtful += group.waiting
            else:
                _fail(group.waiting, error)
        except JournalDamagedError as error:
            self._damage(error)
            _fail(group.waiting, error)
        except Exception as error:  # noqa: BLE001 - whatever it was, the thread goes on and nobody waits for ever
            _log.exception("a group of commands met a fault of the program")
            self._pause(f"the manager met a fault of the program ({type(error).__name__})")
            _fail(group.waiting, UnexpectedError("a group of commands", error))
        else:
            for (_, future), result in zip(group.waiting, results, strict=True):
                _answer(future, result)

    def _serve_alone(self, group: Group, error: RowRefusedError) -> None:
        """One command made a row that the store cannot keep; alone, each of the others goes through."""
        if len(group.waiting) > 1:
            for waiting in group.waiting:
                self._serve(Group([waiting]))
            return
        envelope, future = group.waiting[0]
        _log.error("%s made a row that the store refuses: %s", kind_of(envelope), error)
        future.set_exception(UnexpectedError(kind_of(envelope), error))

    def _guarded(self, action: Callable[[], None]) -> bool:
        """Whether something that reads the store went through; else the manager pauses, or stops."""
        try:
            action()
        except StoreUnavailableError as error:
            self._pause(error.reason)
        except JournalDamagedError as error:
            self._damage(error)
        except Exception as error:  # noqa: BLE001 - the thread goes on
            _log.exception("the manager met a fault of the program")
            self._pause(f"the manager met a fault of the program ({type(error).__name__})")
        else:
            return True
        return False

    def _pause(self, reason: str) -> None:
        """Refuse commands until the store is back; what was decided on top of a lost group is lost with it."""
        if self._paused is None:
            _log.error("paused: %s", reason)
        self._paused = reason
        self._next_try = time.monotonic() + RETRY_SECONDS
        self._give_up(StoreUnavailableError(reason))

    def _damage(self, error: JournalDamagedError) -> None:
        self._damaged = error
        _log.critical("stopped: %s", error)
        self._give_up(error)

    def _give_up(self, error: InputError) -> None:
        """Refuse what waits to be written."""
        for group in self._pipeline.drop():
            self._served += len(group.waiting)
            _fail(group.waiting, error)

    def _come_back(self) -> None:
        """Try to reach the store again; then answer the commands whose outcome was open."""
        if time.monotonic() >= self._next_try and self._guarded(self._pipeline.load):
            self._guarded(self._answer_doubtful)
            if not self._doubtful:
                self._paused = None
                _log.warning("serving again")
        if self._doubtful and (self._damaged is not None or time.monotonic() >= self._doubtful_until):
            late, self._doubtful = self._doubtful, []
            _fail(late, self._damaged or StoreUnavailableError(self._paused or "the store was away", in_doubt=True))

    def _answer_doubtful(self) -> None:
        found = self._journal.by_keys([envelope.key for envelope, _ in self._doubtful]) if self._doubtful else {}
        group, self._doubtful = self._doubtful, []
        for envelope, future in group:
            event = found.get(envelope.key)
            if event is not None and event.input_hash == envelope.input_hash:
                future.set_result(answer_of(event, repeated=False))
            else:
                future.set_exception(StoreUnavailableError("the store went away before the command was written"))

    # Events and the anchor

    def _publish(self, events: list[Event]) -> None:
        self._head = (events[-1].seq, events[-1].hash)
        if self._subscriptions is not None:
            self._subscriptions.publish(events)

    def _note_anchor(self, *, at_once: bool = False) -> None:
        if self._anchor is None:
            return
        (seq, hash_), (noted, when), now = self._head, self._anchored, time.monotonic()
        if seq == noted or (not at_once and now - when < ANCHOR_SECONDS):
            return
        try:
            self._anchor(seq, hash_)
        except OSError as error:
            _log.warning("the anchor could not be written: %s", error)
        self._anchored = (seq, now)


def _answer(future: Future[Answer], result: Result) -> None:
    if isinstance(result, Answer):
        future.set_result(result)
    else:
        future.set_exception(result)


def _fail(group: list[Waiting], error: InputError) -> None:
    for _, future in group:
        future.set_exception(error)


# Opening a database


def open_manager(
    url: str,
    keys_folder: Path | str,
    *,
    create: bool = True,
    clock: Callable[[], int] | None = None,
    draw: Callable[[int], bytes] = secrets.token_bytes,
    snapshot_every: int = 10_000,
    doubt_seconds: float = DOUBT_SECONDS,
    fingerprints: dict[str, str] | None = None,
) -> Manager:
    """A manager on a database, after its self-check; a database without a journal gets an empty one if `create`."""
    keys = load_keys(Path(keys_folder))
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
            anchor=lambda seq, hash_: write_anchor(keys.folder, Anchor(journal_id, seq, hash_)),
            doubt_seconds=doubt_seconds,
        )
    except BaseException:
        journal.close()
        raise
    _record_start(manager, keys, journal_id, fingerprints)
    return manager


def _feed_of(url: str, journal: SqlJournal) -> Feed:
    if isinstance(journal, SqliteJournal):
        return SqliteFeed(journal.path)
    from houseway.manager.store.postgres import PostgresJournal, conninfo

    assert isinstance(journal, PostgresJournal)
    return PostgresFeed(conninfo(url), lambda: journal.backend)


def _record_start(manager: Manager, keys: Keys, journal_id: str, fingerprints: dict[str, str] | None) -> None:
    process = f"{socket.gethostname()}:{os.getpid()}"
    # What is noted about the journal outside the chain goes on record in it, so that an audit can hold them together.
    of_journal = {"signing-key": keys.public, "journal": journal_id, "keys": keys.check_value()}
    known = software_fingerprints() | of_journal | (fingerprints or {})
    started = ServerStarted(process, houseway.__version__, known)
    try:
        manager.call(Envelope(f"{RESERVED}started/{secrets.token_hex(8)}", SYSTEM, started))
    except BaseException:
        manager.close()
        raise
