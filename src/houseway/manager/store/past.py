"""What somebody has seen of a journal, compared with what the journal has: known, archived, lost on record, or lost."""

from __future__ import annotations

from typing import NamedTuple

from houseway.manager.core.house_entities import Recovery
from houseway.manager.store.keys import Keys
from houseway.manager.store.marks import Mark


class JournalPast(NamedTuple):
    """What a journal has at a number."""

    first: int
    """The number of its oldest event; those before it lie in archives."""
    hash: str | None
    """The hash of the event with that number, also where it was archived; None if the journal has none there."""
    recoveries: tuple[Recovery, ...]

    def has(self, seq: int, hash_: str, at: int) -> bool:
        """Whether the event of a mark is there, archived or not, or is on record as lost, with proof."""
        return self.holds(hash_) or self.forgives(seq, at)

    def holds(self, hash_: str) -> bool:
        """Whether an event that somebody saw is there, or was before it was archived."""
        return self.hash == hash_

    def covers(self, seq: int, at: int) -> bool:
        """Whether two people have named an event as lost."""
        return any(recovery.covers(seq, at) for recovery in self.recoveries)

    def forgives(self, seq: int, at: int) -> bool:
        """Whether the event of a mark is on record as lost, and its loss was proved by then."""
        return any(recovery.forgives(seq, at) for recovery in self.recoveries)


def judged(mark: Mark, past: JournalPast, journal_id: str, keys: Keys | None) -> str:
    """What a mark says about a journal: `known`, `another-journal`, `not-signed`, or `lost`, which is proof.

    Without a signature by the property's key it proves nothing: a device can claim what it likes. With one it is proof
    whatever journal it names: a property's key signs for one journal, so this one is a copy under another name.
    """
    is_ours = mark.journal == journal_id
    if is_ours and past.has(mark.seq, mark.hash, mark.at):
        return "known"
    if keys is None or not keys.verifies(mark.key_id, mark.signature, mark.text()):
        return "not-signed" if is_ours else "another-journal"
    # Once two people have put the loss on record, the device only has to be told which journal counts now.
    return "another-journal" if not is_ours and past.forgives(mark.seq, mark.at) else "lost"
