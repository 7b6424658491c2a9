"""Groups of commands on their way into the journal: the next one is decided while the last one is written.

There are two states. `committed` is what the journal holds, and what anybody may look at. `ahead` goes further: it has
also followed the groups that are being written or wait for it. A group is written only if the journal stands exactly
where the group was decided and holds none of its keys; else it is decided anew under the journal's lock, as it also is
while other processes write. So deciding ahead never changes what is written, only when the work is done.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Final, TypeVar

from houseway.manager.core.engine import Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.core.records import Event
from houseway.manager.store.deciding import Answer, Decided, Decider, keys_of
from houseway.manager.store.journal import Journal
from houseway.manager.store.keys import Keys
from houseway.manager.store.state import State, check_place, read_state
from houseway.manager.store.writer import foreign_events

T = TypeVar("T")
Waiting = tuple[Envelope, "Future[Answer]"]

DEPTH: Final = 2
"""Groups between decision and commit: one that is written, and one that waits."""
CONTENTION_SECONDS: Final = 1.0
"""So long after another process wrote, groups are decided only under the lock."""


class Group:
    """Commands that share a transaction, with those who wait for their answers."""

    def __init__(self, waiting: list[Waiting]) -> None:
        """Nothing is decided yet."""
        self.waiting = waiting
        self.envelopes = [envelope for envelope, _ in waiting]
        self.decided: Decided | None = None


class Pipeline:
    """Two states and the groups between them. One thread calls `push`, another one everything else but `view`."""

    def __init__(
        self, journal: Journal, keys: Keys | None, decider: Decider, on_events: Callable[[list[Event]], None]
    ) -> None:
        """Read the journal and check it. `on_events` hears of every event once, in order, after it was committed."""
        assert keys is not None or not journal.durable, "a store on disk needs keys: seeds are never written in clear"
        self._journal = journal
        self._keys = keys
        self._decider = decider
        self._on_events = on_events
        self._announced: tuple[int, str] | None = None
        self._looking = threading.Lock()
        """Held while `committed` is read or changed."""
        self._deciding = threading.Lock()
        """Held while `ahead` is led on, and until the group is in the queue."""
        self._arrived = threading.Condition()
        self._queue: deque[Group] = deque()
        self._room = threading.Semaphore(DEPTH)
        self._nudged = False
        self._alone_from = 0.0
        self._committed: State
        self._ahead: State | None = None
        self.load()

    @property
    def place(self) -> tuple[int, str]:
        """Number and hash of the last event that is committed and known here."""
        return self._committed.place

    def load(self) -> None:
        """Read the state anew from the journal and check it."""
        journal = self._journal
        journal.begin()
        try:
            missed = []
            if self._announced is not None:
                check_place(journal, self._announced)
                missed = list(journal.events_after(self._announced[0]))
            state = read_state(journal, self._keys)
            state.seeds.ready()
        finally:
            journal.rollback()
        with self._looking:
            self._committed = state
        with self._deciding:
            self._ahead = state.copy()
        self._announced = self._announced or state.place
        self._announce(missed)

    def view(self, read: Callable[[int, Floor], T]) -> T:
        """Read something off the floor as the last commit left it, with the number of the last event in it."""
        with self._looking:
            return read(self._committed.engine.seq, self._committed.engine.floor)

    # The thread that decides

    def push(self, group: Group) -> None:
        """Hand in a group; waits while there are enough on their way."""
        self._room.acquire()
        with self._deciding:
            if self._ahead is not None and time.monotonic() >= self._alone_from:
                group.decided = self._decider.decide(self._ahead, group.envelopes, {})
            with self._arrived:
                self._queue.append(group)
                self._arrived.notify()

    # The thread that writes

    def take(self, seconds: float) -> Group | None:
        """The next group; None if there is none for so long, or after a nudge."""
        with self._arrived:
            if not self._queue and not self._nudged:
                self._arrived.wait(seconds)
            self._nudged = False
            return self._queue.popleft() if self._queue else None

    def nudge(self) -> None:
        """Let `take` return at once."""
        with self._arrived:
            self._nudged = True
            self._arrived.notify()

    def done(self) -> None:
        """A group that was taken has been dealt with: there is room for another one."""
        self._room.release()

    def write(self, group: Group) -> Decided:
        """Write a group in one transaction. If it raises, nothing was written, unless the error is in doubt."""
        journal, committed = self._journal, self._committed
        journal.begin()
        try:
            foreign = foreign_events(journal, committed)
            known = journal.by_keys(keys_of(group.envelopes))
            decided = group.decided
            if decided is None or foreign or known or decided.place != committed.place:
                self._follow(foreign)
                with self._deciding:
                    ahead = self._fresh_ahead()
                    decided = group.decided = self._decider.decide(ahead, group.envelopes, known)
                    self._decide_queue(ahead)
            if decided.batch.events:
                journal.append(decided.batch)
                journal.commit()
        finally:
            journal.rollback()
        with self._looking:
            for decision, event in decided.steps:
                committed.follow_decision(decision, event)
        self._decider.accept_clock(decided.batch.events)
        self._announce([*foreign, *decided.batch.events])
        return decided

    def follow_others(self) -> None:
        """Follow what other processes have written since."""
        foreign = foreign_events(self._journal, self._committed)
        if foreign:
            self._follow(foreign)
            with self._deciding:
                self._decide_queue(self._fresh_ahead())
            self._announce(foreign)

    def _follow(self, foreign: Sequence[Event]) -> None:
        if not foreign:
            return
        with self._looking:
            self._committed.follow(foreign)
        self._decider.accept_clock(foreign)
        self._alone_from = time.monotonic() + CONTENTION_SECONDS

    def _fresh_ahead(self) -> State:
        """`ahead` as far as the commits go."""
        self._committed.seeds.ready()
        self._ahead = self._committed.copy()
        return self._ahead

    def _decide_queue(self, ahead: State) -> None:
        """What waits was decided on a state that is not to be: again."""
        for later in self._queue:
            if later.decided is not None:
                later.decided = self._decider.decide(ahead, later.envelopes, {})

    def drop(self) -> list[Group]:
        """Give up what waits, because the group before it failed; `load` is needed before anything else."""
        with self._deciding:
            groups = list(self._queue)
            self._queue.clear()
            self._ahead = None
        for _ in groups:
            self._room.release()
        return groups

    def _announce(self, events: Sequence[Event]) -> None:
        if events:
            self._announced = events[-1].seq, events[-1].hash
            self._on_events(list(events))
