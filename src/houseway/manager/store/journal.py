"""The journal as the writer sees it: one transaction at a time, appended to and never changed.

A `Journal` keeps what a `Batch` holds, all of it or nothing. `begin` takes the journal's one writer's lock: between
`begin` and `commit` or `rollback` no other process adds anything. SQLite, PostgreSQL and memory are its stores.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import msgspec

from houseway.manager.core.records import Event, SentKey, canonical
from houseway.manager.store.projections import Row


class TransferRow(NamedTuple):
    """A transfer as it is stored: the event, its line from 1, and the balances of both accounts after it."""

    seq: int
    line: int
    debit: str
    credit: str
    micros: int
    reason: str
    subject: str
    debit_balance: int
    credit_balance: int


class SealedSeed(NamedTuple):
    """A seed as it is stored: the event that sealed it, its number at the table, its commitment, and the ciphertext."""

    seq: int
    number: int
    commitment: str
    sealed: bytes


class Checkpoint(msgspec.Struct, frozen=True):
    """A signature over the head of the chain, one a group of commands."""

    seq: int
    first: int
    """The first event of the group: one more than the checkpoint before signs, so that none can be left out."""
    hash: str
    at: int
    key_id: str
    signature: str
    """Hexadecimal Ed25519 signature of `signed_text`."""


def signed_text(journal_id: str, first: int, seq: int, hash_: str, at: int) -> bytes:
    """What a checkpoint signs: of which journal it is, so that no copy passes under another name, and how far it came.

    >>> signed_text("00ff", 5, 7, "ab", 1)
    b'["00ff",5,7,"ab",1]'
    """
    return canonical([journal_id, first, seq, hash_, at])


class Snapshot(NamedTuple):
    """The whole state after an event; the event that follows it names the digest."""

    seq: int
    hash: str
    state: dict[str, Any]
    digest: str


class NewSnapshot(NamedTuple):
    """A snapshot to be stored: the canonical text of the state after event `seq`."""

    digest: str
    seq: int
    hash: str
    state: bytes


Tail = tuple[str | None, Sequence[Event]]
"""The hash that is stored for an event, None if it is not there, and the events after it."""


@dataclass(slots=True)
class Batch:
    """All that one transaction writes."""

    events: list[Event] = field(default_factory=list)
    transfers: list[Row] = field(default_factory=list)
    """In the order of `TransferRow`."""
    rounds: list[Row] = field(default_factory=list)
    """Rows for searching, in the order of `projections.COLUMNS`; so are `lines` and `hits`."""
    lines: list[Row] = field(default_factory=list)
    hits: list[Row] = field(default_factory=list)
    secrets: dict[str, SealedSeed | None] = field(default_factory=dict)
    """Sealed seeds by round, or None to forget one."""
    archives: list[tuple[int, int, str, str]] = field(default_factory=list)
    """What was archived: up to which event, the event that says so, the file's digest, the hash at `up_to`."""
    on_record: list[Row] = field(default_factory=list)
    """All records of archives, those of this batch among them: no other row may be in the table."""
    checkpoint: Checkpoint | None = None
    snapshot: NewSnapshot | None = None

    def count(self, table: str) -> int:
        """How many rows a table gets."""
        if table == "secrets":
            return sum(secret is not None for secret in self.secrets.values())
        if table in ("checkpoints", "snapshots"):
            return int(getattr(self, table[:-1]) is not None)
        return len(getattr(self, table))


class Journal(Protocol):
    """A store of the journal. Its methods raise `StoreUnavailableError` when the store is away."""

    @property
    def durable(self) -> bool:
        """Whether anything reaches a disk, so that seeds must be sealed."""

    def begin(self) -> None:
        """Wait for the writer's lock and begin a transaction."""

    def head(self) -> tuple[int, str]:
        """Number and hash of the last event; 0 and `GENESIS` on an empty journal."""

    def first(self) -> int:
        """The number of the oldest event; 1 on an empty journal."""

    def events_after(self, seq: int, limit: int | None = None) -> Iterable[Event]:
        """Events with a greater number, in order."""

    def begin_group(self, seq: int, keys: Sequence[SentKey]) -> tuple[Tail, dict[SentKey, Event]]:
        """`begin`, and what a group needs of the journal: the `tail` from event `seq` on, and its keys (`by_keys`)."""

    def tail(self, seq: int) -> Tail:
        """The hash that is stored for event `seq` (None if it is not there), and the events after it."""

    def by_keys(self, keys: Sequence[SentKey]) -> dict[SentKey, Event]:
        """The events that were written under these keys of their senders."""

    def of_kind(self, kind: str) -> Sequence[Event]:
        """All events of a kind, in order."""

    def append(self, batch: Batch) -> None:
        """Write a batch within the transaction; `RowRefusedError` if a row cannot be stored.

        `JournalDamagedError` unless all of it is there afterwards: a store that only says so is not believed.
        """

    def check_guards(self) -> None:
        """`JournalDamagedError` names what stands between the journal and its rows and does not belong there."""

    def commit(self) -> None:
        """Make the transaction last; `StoreUnavailableError.in_doubt` if its outcome is not known."""

    def rollback(self) -> None:
        """Leave the transaction without a trace; never raises."""

    def transfers_after(self, seq: int) -> Iterable[Row]:
        """Rows of the ledger beyond an event, in order, as `TransferRow`."""

    def secrets(self) -> dict[str, SealedSeed]:
        """Sealed seeds by round."""

    def latest_snapshot(self) -> Snapshot | None:
        """The newest snapshot; `JournalDamagedError` if its text does not have its digest."""

    def checkpoints_after(self, seq: int) -> Iterable[Checkpoint]:
        """Checkpoints of events with a greater number, in order."""

    def latest_checkpoint(self) -> Checkpoint | None:
        """The newest checkpoint."""

    def archives_kept(self) -> Iterable[Row]:
        """The records of archives, in the order of their numbers."""

    def kept_leaves(self, low: int, high: int) -> Iterable[tuple[int, bytes]]:
        """Kept tiles of leaves from one number up to another: number and hashes, of each number the widest last."""

    def try_room(self) -> None:
        """See whether a whole group of commands would fit, without leaving a trace; `StoreUnavailableError` if not."""

    def shortage(self) -> str | None:
        """Why nothing should be written although the store is there, such as a disk that is nearly full; else None."""

    def close(self) -> None:
        """Let the store go; never raises."""
