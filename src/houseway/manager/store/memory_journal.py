"""A journal in memory, for simulations: it keeps what it was given and can be told to fail or to die at any step.

Several writers may share one, as several processes share a database; what a killed writer had not committed is gone.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from houseway.manager.core.records import GENESIS, Event, SentKey
from houseway.manager.store.journal import Batch, Checkpoint, SealedSeed, Snapshot, Tail, TransferRow
from houseway.manager.store.projections import Row
from houseway.manager.store.store_errors import StoreUnavailableError

Step = Literal["begin", "append", "before-commit", "after-commit"]


class KilledError(BaseException):
    """The process died here. Nobody in the program may catch it: the simulation does."""


class MemoryJournal:
    """A journal in lists. `fail_at` and `kill_at` break it once at a step; `away` keeps it broken."""

    durable = False

    def __init__(self) -> None:
        """An empty journal."""
        self.events: list[Event] = []
        self.transfers: list[TransferRow] = []
        self.rounds: list[Row] = []
        self.lines: list[Row] = []
        self.hits: list[Row] = []
        self.checkpoints: list[Checkpoint] = []
        self.archives: list[tuple[int, int, str, str]] = []
        self.away = False
        """While true, the store answers nothing."""
        self._keys: dict[SentKey, Event] = {}
        self._secrets: dict[str, SealedSeed] = {}
        self._snapshot: Snapshot | None = None
        self._pending: Batch | None = None
        self._lock = threading.Lock()
        self._holder: int | None = None
        self._broken: dict[Step, type[BaseException]] = {}

    def fail_at(self, step: Step) -> None:
        """Let the store be unavailable once at this step; after a commit, the commit has happened."""
        self._broken[step] = StoreUnavailableError

    def kill_at(self, step: Step) -> None:
        """Let the process die once at this step."""
        self._broken[step] = KilledError

    def _step(self, step: Step) -> None:
        broken = StoreUnavailableError if self.away else self._broken.pop(step, None)
        if broken is None:
            return
        if broken is KilledError:
            self.rollback()
            raise KilledError(step)
        raise StoreUnavailableError(f"the store is away ({step})", in_doubt=step.endswith("commit"))

    def begin(self) -> None:
        """Take the writer's lock."""
        self._step("begin")
        self._lock.acquire()
        self._holder = threading.get_ident()

    def head(self) -> tuple[int, str]:
        """Number and hash of the last event."""
        return (self.events[-1].seq, self.events[-1].hash) if self.events else (0, GENESIS)

    def first(self) -> int:
        """The number of the oldest event."""
        return 1

    def events_after(self, seq: int, limit: int | None = None) -> Iterator[Event]:
        """Events with a greater number, in order."""
        return iter(self.events[seq:] if limit is None else self.events[seq : seq + limit])

    def begin_group(self, seq: int, keys: Sequence[SentKey]) -> tuple[Tail, dict[SentKey, Event]]:
        """Take the writer's lock, and read what a group needs of the journal."""
        self.begin()
        return self.tail(seq), self.by_keys(keys)

    def tail(self, seq: int) -> Tail:
        """The hash stored for event `seq`, and the events after it."""
        if seq == 0:
            return GENESIS, self.events[:]
        return (self.events[seq - 1].hash if seq <= len(self.events) else None), self.events[seq:]

    def by_keys(self, keys: Sequence[SentKey]) -> dict[SentKey, Event]:
        """The events that were written under these keys of their senders."""
        return {key: self._keys[key] for key in keys if key in self._keys}

    def of_kind(self, kind: str) -> list[Event]:
        """All events of a kind, in order."""
        return [event for event in self.events if event.kind == kind]

    def append(self, batch: Batch) -> None:
        """Keep a batch until the commit."""
        self._step("append")
        self._pending = batch

    def check_guards(self) -> None:
        """Nothing stands between a list and its rows."""

    def commit(self) -> None:
        """Let the batch last."""
        self._step("before-commit")
        batch, self._pending = self._pending, None
        if batch is not None:
            self._keep(batch)
        self.rollback()
        self._step("after-commit")

    def _keep(self, batch: Batch) -> None:
        self.events += batch.events
        self._keys.update((event.sent_key, event) for event in batch.events)
        self.transfers += map(TransferRow._make, batch.transfers)
        self.rounds += batch.rounds
        self.lines += batch.lines
        self.hits += batch.hits
        for round_id, secret in batch.secrets.items():
            if secret is None:
                self._secrets.pop(round_id, None)
            else:
                self._secrets[round_id] = secret
        self.archives += batch.archives
        if batch.checkpoint is not None:
            self.checkpoints.append(batch.checkpoint)
        if batch.snapshot is not None:
            digest, seq, hash_, state = batch.snapshot
            self._snapshot = Snapshot(seq, hash_, msgspec.json.decode(state), digest)

    def rollback(self) -> None:
        """Forget what was not committed and give the lock back."""
        if self._holder == threading.get_ident():
            self._pending, self._holder = None, None
            self._lock.release()

    def transfers_after(self, seq: int) -> Iterator[Row]:
        """Rows of the ledger beyond an event, in order."""
        return (row for row in self.transfers if row.seq > seq)

    def secrets(self) -> dict[str, SealedSeed]:
        """Seeds by round, as they were handed over."""
        return dict(self._secrets)

    def latest_snapshot(self) -> Snapshot | None:
        """The newest snapshot."""
        return self._snapshot

    def checkpoints_after(self, seq: int) -> Iterator[Checkpoint]:
        """Checkpoints of events with a greater number, in order."""
        return (checkpoint for checkpoint in self.checkpoints if checkpoint.seq > seq)

    def latest_checkpoint(self) -> Checkpoint | None:
        """The newest checkpoint."""
        return self.checkpoints[-1] if self.checkpoints else None

    def archives_kept(self) -> Iterator[Row]:
        """The records of archives."""
        return iter(sorted(self.archives))

    def kept_leaves(self, low: int, high: int) -> Iterator[tuple[int, bytes]]:  # noqa: ARG002 - as every journal
        """None: nothing is archived here."""
        return iter(())

    def try_room(self) -> None:
        """Memory has room; a store that is away says so."""
        self._step("begin")

    def shortage(self) -> str | None:
        """Memory has room."""
        return None

    def close(self) -> None:
        """Nothing to let go."""
