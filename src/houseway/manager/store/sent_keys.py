"""The keys under which events were written, kept beside the store: its index alone does not say what was done before.

Somebody who can write to the database can empty an index or point it elsewhere, and every definition is still the
journal's own. A command that is sent again would then be carried out twice. A process therefore keeps in mind the keys
of the events that it has verified or written last, and an audit those of all events.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from houseway.manager.core.records import Event, SentKey
from houseway.manager.store.journal import Journal
from houseway.manager.store.store_errors import JournalDamagedError

KEPT: Final = 100_000
"""Keys that are kept at least, once there were so many; at most twice as many."""
_ASKED_AT_ONCE: Final = 500


class SentKeys:
    """The keys of the latest events; of each only its hash and the number of its event."""

    def __init__(self, kept: int = KEPT) -> None:
        """Begin without any."""
        self._kept = kept
        # Whole generations go at a time, so that keeping one more key costs nothing else.
        self._young: dict[int, int] = {}
        self._old: dict[int, int] = {}

    def seq_of(self, key: SentKey) -> int | None:
        """The event that was written under a key, as far as this is known here."""
        hashed = hash(key)
        # No event has the number 0.
        return self._young.get(hashed) or self._old.get(hashed)

    def add_all(self, written: Iterable[tuple[SentKey, int]]) -> None:
        """Keep the keys of events; `JournalDamagedError` if another event has one of them already."""
        young, old = self._young, self._old
        for key, seq in written:
            hashed = hash(key)
            # Nearly always this finds nothing, in either, and says so at the first look.
            before = young.get(hashed) or old.get(hashed)
            if before is not None and before != seq:
                what = f"event {before} was written under the same key: a command was carried out twice"
                raise JournalDamagedError(f"events[{seq}]", what)
            young[hashed] = seq
            if len(young) >= self._kept:
                self._old, self._young = old, young = young, {}

    def check(self, journal: Journal, asked: Iterable[SentKey], known: Mapping[SentKey, Event]) -> None:
        """`JournalDamagedError` if the store says of a key that it is new, and an event has it."""
        for key in asked:
            seq = self.seq_of(key)
            # Nearly every key is new.
            if seq is None or key in known:
                continue
            event = next(iter(journal.events_after(seq - 1, 1)), None)
            # Another event where two hashes are alike, and none where it was archived.
            if event is not None and event.sent_key == key:
                raise _not_found(seq)


def check_found(journal: Journal, written: Sequence[tuple[SentKey, int]]) -> None:
    """`JournalDamagedError` unless the store finds each of these events by its key."""
    for place in range(0, len(written), _ASKED_AT_ONCE):
        some = written[place : place + _ASKED_AT_ONCE]
        found = journal.by_keys([key for key, _ in some])
        for key, seq in some:
            if key not in found or found[key].seq != seq:
                raise _not_found(seq)


def _not_found(seq: int) -> JournalDamagedError:
    what = "the index of keys does not lead to it, so that its command could be carried out twice"
    return JournalDamagedError(f"events[{seq}]", what)
