"""Proofs of a journal's events and of its growth: what anybody asks of a database, and the heads its keys sign."""

from __future__ import annotations

from pathlib import Path

from houseway.errors import InputError
from houseway.manager.store.event_proving import (
    PrintedPage,
    ProvedEvent,
    check_event,
    prove_award,
    prove_event,
    read_page,
)
from houseway.manager.store.head_making import HeadBook, update_since
from houseway.manager.store.keys import load_keys
from houseway.manager.store.reading import View, announced_keys, open_view
from houseway.manager.store.tree_reading import TreeReader, log_keys
from houseway.manager.store.trust import Trust, trust_in
from houseway.proofs.head_updates import HeadUpdate
from houseway.proofs.notes import NoteKey
from houseway.proofs.tree_heads import SignedHead

__all__ = [
    "PrintedPage",
    "ProvedEvent",
    "check_event",
    "journal_keys",
    "make_head",
    "open_view",
    "prove_award",
    "prove_event",
    "prove_growth",
    "read_page",
    "stored_head",
]


def make_head(url: str, keys: Path) -> SignedHead:
    """The head of the journal as it is, signed with its keys and stored; a server may go on serving."""
    found = HeadBook(url, load_keys(keys)).renew()
    if found is None:
        raise InputError.of("no-head", "head", "the journal holds no event yet: there is nothing to sign")
    return found


def stored_head(view: View, size: int | None = None) -> SignedHead:
    """The newest stored head, or that of so many events."""
    reader = TreeReader(view)
    found = reader.newest_head() if size is None else reader.head_at(size)
    if found is None:
        which = "no head was made yet" if size is None else f"no head of {size} events is stored"
        raise InputError.of("no-head", "head", f"{which}: make one with houseway proof head --keys")
    return found


def prove_growth(view: View, old: int, new: int | None = None) -> HeadUpdate:
    """A stored head with the path from an older size."""
    newest = stored_head(view, new)
    if old > newest.head.size:
        message = f"the head covers {newest.head.size} events: growth is proved from that size on at most"
        raise InputError.of("out-of-range", "from", message)
    found = update_since(view, old, newest.head.size)
    if found is None:
        raise InputError.of("no-head", "head", "no head was made yet: make one with houseway proof head --keys")
    return found


def journal_keys(view: View, keys: Path | None = None) -> list[NoteKey]:
    """The keys that sign a journal's heads: those of the key folder, else those that the journal announces."""
    trust = Trust().announced(announced_keys(view)) if keys is None else trust_in(keys)
    return log_keys(trust, TreeReader(view).origin)
