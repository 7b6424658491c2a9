"""Events that the property's key vouches for: none is handed on before the signature over its group was verified.

A group is written in one transaction with the checkpoint that signs it, so whoever reads a journal finds both or
neither. An event without a signature was put there by somebody who can write to the database and has no key. The hashes
alone do not tell: anybody can work them out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from houseway.manager.core.records import Event
from houseway.manager.store.journal import Checkpoint, signed_text
from houseway.manager.store.signing_order import SigningOrder
from houseway.manager.store.store_errors import JournalDamagedError

Verifies = Callable[[str, str, bytes], bool | None]
"""Whether a signature is by a key that counts: takes the key's id, the signature and what was signed."""


def check_next(event: Event, seq: int, head: str) -> None:
    """`JournalDamagedError` unless an event follows on the one with this number and hash."""
    if event.seq != seq + 1:
        raise JournalDamagedError(f"events[{seq + 1}]", f"the event is missing (next is {event.seq})")
    if not event.follows(head):
        raise JournalDamagedError(f"events[{event.seq}]", "leaf and hash do not fit the event and the one before")


def covered(
    place: tuple[int, str],
    events: Iterable[Event],
    checkpoints: Iterable[Checkpoint],
    journal_id: str,
    verifies: Verifies | None,
    order: SigningOrder,
    *,
    within: bool = False,
) -> Iterator[list[Event]]:
    """The events behind a place, a group at a time, each once its checkpoint was verified.

    `JournalDamagedError` names the first event that does not follow on the one before, or that no valid checkpoint
    signs, with the key in force there, which `order` follows. Checkpoints must follow on each other as groups do;
    `within` if the place may lie within a group, as that of a stored state does. Checkpoints beyond the events are left
    alone: another process may have just written them.
    Without `verifies` nobody signs the journal, as in a simulation.
    """
    (seq, head), signed = place, place[0]
    waiting, group = iter(checkpoints), list[Event]()
    checkpoint = next(waiting, None)
    for event in events:
        check_next(event, seq, head)
        seq, head = event.seq, event.hash
        group.append(event)
        order.see(event)
        if verifies is None:
            yield group
            group = []
        elif checkpoint is not None and checkpoint.seq <= seq:
            _check_place(checkpoint, event, signed, within=within)
            _check_signature(checkpoint, journal_id, verifies)
            _check_order(checkpoint, order)
            yield group
            signed, within, group, checkpoint = seq, False, [], next(waiting, None)
    if group:
        what = f"no checkpoint signs it: somebody without the property's key has added it (the last is event {seq})"
        raise JournalDamagedError(f"events[{group[0].seq}]", what)


def _check_place(checkpoint: Checkpoint, event: Event, signed: int, *, within: bool) -> None:
    """A checkpoint signs the events from behind the last signed one up to this one."""
    row = f"checkpoints[{checkpoint.seq}]"
    first = checkpoint.first
    if first > signed + 1 or (first <= signed and not within):
        what = f"it signs events from {first} on, and the one before it ends with event {signed}"
        raise JournalDamagedError(row, what)
    if (checkpoint.seq, checkpoint.hash) != (event.seq, event.hash):
        raise JournalDamagedError(row, f"it signs another event than event {event.seq} that stands here")


def _check_signature(checkpoint: Checkpoint, journal_id: str, verifies: Verifies) -> None:
    text = signed_text(journal_id, checkpoint.first, checkpoint.seq, checkpoint.hash, checkpoint.at)
    if not verifies(checkpoint.key_id, checkpoint.signature, text):
        what = "the signature is not one of this journal's keys, or was made for another journal"
        raise JournalDamagedError(f"checkpoints[{checkpoint.seq}]", what)


def _check_order(checkpoint: Checkpoint, order: SigningOrder) -> None:
    fault = order.fault(checkpoint)
    if fault is not None:
        raise JournalDamagedError(f"checkpoints[{checkpoint.seq}]", fault)
