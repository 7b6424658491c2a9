"""Processes that die and stores that fail, at any step of a group: before it is written, before and after it lasts.

`MortalJournal` stands between a writer and its journal, whatever store that is. A process that dies leaves its
transaction undone or done, never half; what it had not told anybody, nobody knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, Literal, Protocol

from houseway.manager.core.records import Event, SentKey
from houseway.manager.store.journal import Batch, Journal, Tail
from houseway.manager.store.keys import Keys, create_keys
from houseway.manager.store.memory_journal import KilledError, MemoryJournal
from houseway.manager.store.store_errors import StoreUnavailableError
from houseway.manager.store.urls import journal_at

Step = Literal["begin", "append", "before-commit", "after-commit"]
STEPS: Final[tuple[Step, ...]] = ("begin", "append", "before-commit", "after-commit")


class MortalJournal:
    """A journal whose process can be made to die, or whose store to fail, once at a step."""

    def __init__(self, inner: Journal) -> None:
        """Stand in front of a journal."""
        self.inner = inner
        self._fate: tuple[Step, bool] | None = None

    def meet(self, step: Step, *, dies: bool) -> None:
        """Let the process die at this step of its next group, or the store fail there."""
        self._fate = (step, dies)

    def _at(self, step: Step) -> None:
        if self._fate is None or self._fate[0] != step:
            return
        dies, self._fate = self._fate[1], None
        self.inner.rollback()
        if dies:
            raise KilledError(step)
        raise StoreUnavailableError(f"the store is away ({step})", in_doubt=step.endswith("commit"))

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the journal has
        """Everything else is the journal's own."""
        return getattr(self.inner, name)

    def begin(self) -> None:
        """Begin a transaction."""
        self._at("begin")
        self.inner.begin()

    def begin_group(self, seq: int, keys: Sequence[SentKey]) -> tuple[Tail, dict[SentKey, Event]]:
        """Begin the transaction of a group."""
        self._at("begin")
        return self.inner.begin_group(seq, keys)

    def append(self, batch: Batch) -> None:
        """Write a batch within the transaction."""
        self._at("append")
        self.inner.append(batch)

    def commit(self) -> None:
        """Make the transaction last."""
        self._at("before-commit")
        self.inner.commit()
        self._at("after-commit")


class Store(Protocol):
    """Where the journal lies: every process has its own way into the same one."""

    keys: Keys | None

    def journal(self) -> Journal:
        """A way into the journal for one process."""

    def close(self) -> None:
        """Let everything go."""


class MemoryStore:
    """A journal in memory, shared by all processes."""

    keys: Keys | None = None

    def __init__(self) -> None:
        """An empty journal."""
        self.shared = MemoryJournal()

    def journal(self) -> Journal:
        """The one journal."""
        return self.shared

    def close(self) -> None:
        """Nothing to let go."""


class DiskStore:
    """A journal in a database, with keys in a folder of their own; every process has a connection."""

    def __init__(self, url: str, keys_folder: Path) -> None:
        """Use the empty journal at an address, with new keys."""
        self.url = url
        self.keys: Keys | None = create_keys(keys_folder)
        self._opened: list[Journal] = []

    def journal(self) -> Journal:
        """A new connection."""
        journal: Any = journal_at(self.url)
        self._opened.append(journal)
        return journal  # type: ignore[no-any-return]

    def close(self) -> None:
        """Close every connection."""
        for journal in self._opened:
            journal.close()
