"""Proofs of single events, made from a journal's database: the page that is printed, and the text that proves it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec
from sqlalchemy import select

from houseway.errors import InputError
from houseway.manager.core.ledger import Transfer
from houseway.manager.core.records import Columns, Event, Page, canonical, leaf_hash
from houseway.manager.store import schema
from houseway.manager.store.archive_reading import open_archive
from houseway.manager.store.reading import View
from houseway.manager.store.store_errors import JournalDamagedError
from houseway.manager.store.tree_reading import TreeReader
from houseway.proofs.event_proofs import EventProof, read_proof
from houseway.proofs.merkle import inclusion_path, root_from_path, tree_root
from houseway.proofs.notes import NoteKey, Signer
from houseway.proofs.proof_texts import malformed
from houseway.proofs.tree_heads import SignedHead


class PrintedPage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a page shows for people of an event; salt and rest stand in the proof."""

    seq: int
    at: int
    kind: str
    post: list[Transfer]
    hits: list[Columns]

    def text(self) -> str:
        """The page as a file holds it: canonical JSON on one line."""
        return canonical(self).decode() + "\n"

    def leaf(self, salt: bytes, rest: bytes) -> bytes:
        """The leaf of the event."""
        page = Page(salt.hex(), self.seq, self.at, self.kind, self.post, self.hits, rest.hex())
        return bytes.fromhex(leaf_hash(page))


class ProvedEvent(NamedTuple):
    """An event with its proof."""

    page: PrintedPage
    proof: EventProof


def read_page(text: str) -> PrintedPage:
    """A page from its text, which has one form only."""
    try:
        page = msgspec.json.decode(text, type=PrintedPage)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise malformed("page", f"it holds no page of an event: {error}") from None
    if page.text() != text:
        raise malformed("page", "it is not written in canonical form: sorted, without blanks, on one line")
    return page


def check_event(proof_text: str, page_text: str, keys: Sequence[NoteKey]) -> tuple[ProvedEvent, list[Signer]]:
    """A page and its proof, with those who have signed for it; refused unless everything fits."""
    proof, page = read_proof(proof_text), read_page(page_text)
    if page.seq != proof.index + 1:
        message = f"the page is that of event {page.seq}, the proof that of event {proof.index + 1}"
        raise InputError.of("proof-differs", "page", message)
    return ProvedEvent(page, proof), proof.check(page.leaf(proof.salt, proof.rest), keys)


def prove_award(
    view: View, award: str, head: SignedHead | None = None, archives: Sequence[Path] = (), status: str | None = None
) -> ProvedEvent:
    """The newest event that says what became of an award, or the one that gave it a status, with its proof."""
    found = [event for event in _events_of(view, award, archives) if _says(event, award, status)]
    if not found:
        said = "" if status is None else f" with the status {status}"
        message = (
            f"no event here tells of an award {award[:60]}{said}: name it as its slip does, and archives if it is old"
        )
        raise InputError.of("no-such-award", "award", message)
    return prove_event(view, found[-1], head)


def prove_event(view: View, event: Event, head: SignedHead | None = None) -> ProvedEvent:
    """An event with the proof that it stands under a signed head: the given one, or the newest."""
    reader, page = TreeReader(view), event.page()
    signed = head or reader.newest_head()
    if signed is None or signed.head.size < event.seq:
        message = f"no head covers event {event.seq} yet: make one (houseway proof head --keys), or wait a minute"
        raise InputError.of("no-head", "head", message)
    if head is not None:
        _check_given(view, reader, head)
    index, size = event.seq - 1, signed.head.size
    path = tuple(inclusion_path(index, size, reader.node))
    printed = PrintedPage(page.seq, page.at, page.kind, page.post, page.hits)
    proof = EventProof(bytes.fromhex(page.salt), bytes.fromhex(page.rest), index, path, signed)
    if root_from_path(printed.leaf(proof.salt, proof.rest), index, size, path) != signed.head.root:
        what = "the event does not lead to the root that was signed: verify the journal"
        raise JournalDamagedError(f"events[{event.seq}]", what)
    return ProvedEvent(printed, proof)


def _check_given(view: View, reader: TreeReader, head: SignedHead) -> None:
    """A head from a file is one of this journal, as far as it goes."""
    last = view.bounds()[1]
    newest = reader.newest_head()
    kept = max(last, 0 if newest is None else newest.head.size)
    if head.head.origin != reader.origin or head.head.size > kept:
        message = f"the head of {head.head.size} events of {head.head.origin[:60]} is not one of this journal"
        raise InputError.of("proof-differs", "head", message)
    if tree_root(head.head.size, reader.node) != head.head.root:
        message = f"the journal does not have the root of this head of {head.head.size} events: verify the journal"
        raise InputError.of("history-rewritten", "head", message)


def _events_of(view: View, award: str, archives: Sequence[Path]) -> list[Event]:
    """The events with a row of an award, in order; those that were archived are looked for in the files."""
    numbers = view.rows(select(schema.hits.c.seq).where(schema.hits.c.award == award).order_by(schema.hits.c.seq))
    here = [event for event in (view.event(seq) for (seq,) in numbers) if event is not None]
    old = {
        item.seq: item
        for path in archives
        for item in _items(view, path)
        if item.seq not in {event.seq for event in here} and award in item.body
    }
    return [*(old[seq] for seq in sorted(old)), *here]


def _items(view: View, path: Path) -> list[Event]:
    with open_archive(view, path) as file:
        return [item for item in file.items() if isinstance(item, Event)]


def _says(event: Event, award: str, status: str | None) -> bool:
    return any(hit.get("award") == award and status in (None, hit.get("status")) for hit in event.page().hits)
