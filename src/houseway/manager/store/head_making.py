"""Signed heads of a journal: made on demand, after payments and at intervals, never while a command waits.

A new head grows out of the newest stored one. That one is checked against its signature and the tree, and the
leaves behind it against the chain, whose end the property's key has signed: nothing gets under a head that the journal
does not vouch for. Tiles that are whole are stored with the head, so that the next one, and every proof, reads a few of
them only.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Final, NamedTuple

from sqlalchemy import select

from houseway.errors import InputError
from houseway.manager.core.records import GENESIS, chain_hash
from houseway.manager.store import schema, urls
from houseway.manager.store.journal import Checkpoint, signed_text
from houseway.manager.store.keys import Keys
from houseway.manager.store.reading import WINDOW, View, open_view
from houseway.manager.store.store_errors import JournalDamagedError, StoreUnavailableError
from houseway.manager.store.tree_reading import TreeReader, log_keys, read_leaf
from houseway.manager.store.trust import Trust
from houseway.proofs.head_updates import HeadUpdate
from houseway.proofs.merkle import consistency_path
from houseway.proofs.notes import LOG_KEY, NoteKey, SignedNote, sign_note
from houseway.proofs.tree_edge import Tile
from houseway.proofs.tree_heads import SignedHead, TreeHead

AT_ONCE: Final = 1 << 17
"""Events that a head may be ahead of the one before; a journal without heads gets several in a row."""
_TRIES: Final = 20


class _GrownTree(NamedTuple):
    """A head that is to be stored, and what it rests on."""

    base: int
    """The size of the head before, 0 if there is none."""
    signed: SignedHead
    tiles: list[Tile]


class HeadBook:
    """The heads of a journal in a database, with the keys that sign them."""

    def __init__(self, url: str, keys: Keys) -> None:
        """Nothing is opened before it is needed."""
        self._url = url if "://" in url else f"sqlite:///{url}"
        self._keys = keys

    def renew(self) -> SignedHead | None:
        """The head of the journal as it is, made and stored where it has grown; None on an empty journal.

        `JournalDamagedError` if the journal does not fit what was signed before: nothing is signed then.
        """
        for _ in range(_TRIES):
            is_done, found = self._renewed()
            if is_done:
                return found
        raise StoreUnavailableError("other processes make heads of this journal all the time: try again in a moment")

    def _renewed(self) -> tuple[bool, SignedHead | None]:
        """Make one head; whether there is none beyond it, and the head."""
        with open_view(self._url) as view:
            newest = TreeReader(view).newest_head()
            grown = grown_tree(view, self._keys, newest)
            last = _newest_checkpoint(view)
        if grown is None:
            return True, newest
        is_last = last is not None and grown.signed.head.size == last.seq
        return self._kept(grown) and is_last, grown.signed

    def _kept(self, grown: _GrownTree) -> bool:
        """Store a head with its tiles, unless another process was quicker."""
        journal = urls.journal_at(self._url)
        try:
            journal.begin()
            if journal.newest_size() != grown.base:
                return False
            journal.check_guards()
            journal.keep_head(grown.signed.head.size, grown.base, grown.signed.note.written(), grown.tiles)
            journal.commit()
        finally:
            journal.rollback()
            journal.close()
        return True

    def keep_leaves(self, up_to: int) -> None:
        """See that all leaves up to an event are in tiles, so that its row may leave the database."""
        newest = self.renew()
        if newest is None or newest.head.size <= up_to:
            message = f"event {up_to + 1} is not there: nothing is archived up to the last event"
            raise InputError.of("out-of-range", "up_to", message)
        with open_view(self._url) as view:
            part = TreeReader(view).edge_at(up_to).leaves()
        journal = urls.journal_at(self._url)
        try:
            journal.begin()
            journal.keep_part(part)
            journal.commit()
        finally:
            journal.rollback()
            journal.close()

    def view(self) -> AbstractContextManager[View]:
        """The journal as it is now, to be read."""
        return open_view(self._url)

    def update(self, old: int) -> HeadUpdate | None:
        """The newest stored head with the path from an older size; None on a journal without heads."""
        with open_view(self._url) as view:
            return update_since(view, old)


def update_since(view: View, old: int, new: int | None = None) -> HeadUpdate | None:
    """A stored head, by default the newest, with the path from an older size; None if there is no such head.

    A head of fewer events has no path: whoever has seen more of the journal sees that it went back.
    """
    reader = TreeReader(view)
    signed = reader.newest_head() if new is None else reader.head_at(new)
    if signed is None:
        return None
    if old > signed.head.size:
        return HeadUpdate(old, (), signed)
    return HeadUpdate(old, tuple(consistency_path(old, signed.head.size, reader.node)), signed)


def grown_tree(view: View, keys: Keys, newest: SignedHead | None) -> _GrownTree | None:
    """The next head of a journal, with the tiles that are whole since the newest one; None if it has not grown."""
    reader = TreeReader(view)
    base = 0 if newest is None else newest.head.size
    edge = reader.edge_at(base)
    if newest is not None:
        _check_base(newest, edge.root(), keys, reader.origin)
    checkpoint = _next_checkpoint(view, base)
    if checkpoint is None:
        _check_end(view, base)
        return None
    text = signed_text(view.journal_id() or "", checkpoint.first, checkpoint.seq, checkpoint.hash, checkpoint.at)
    if not keys.verifies(checkpoint.key_id, checkpoint.signature, text):
        raise JournalDamagedError(f"checkpoints[{checkpoint.seq}]", "the signature is not one of this journal's keys")
    tiles = [tile for leaf in _chained_leaves(view, base, checkpoint) for tile in edge.append(leaf)]
    head = TreeHead(reader.origin, checkpoint.seq, edge.root())
    return _GrownTree(base, _signed(head, keys), tiles)


def _signed(head: TreeHead, keys: Keys) -> SignedHead:
    key = NoteKey(head.origin, LOG_KEY, bytes.fromhex(keys.public))
    line = sign_note(head.text(), key, lambda text: bytes.fromhex(keys.sign(text)))
    return SignedHead(head, SignedNote(head.text(), (line,)))


def _check_base(newest: SignedHead, root: bytes, keys: Keys, origin: str) -> None:
    """The newest head is signed by the property, and the tree in the database is its tree."""
    row = f"heads[{newest.head.size}]"
    try:
        newest.signers(log_keys(Trust(keys.trusted), origin))
    except InputError as error:
        raise JournalDamagedError(row, str(error)) from None
    if (newest.head.origin, newest.head.root) != (origin, root):
        what = "the events and tiles do not have the root that was signed: verify the journal, no head is made"
        raise JournalDamagedError(row, what)


def _check_end(view: View, base: int) -> None:
    last = view.bounds()[1]
    if last < base:
        what = f"a head of {base} events was signed, and the journal ends with event {last}: its end is gone"
        raise JournalDamagedError(f"heads[{base}]", what)


def _newest_checkpoint(view: View) -> Checkpoint | None:
    table = schema.checkpoints
    found = view.rows(select(table).order_by(table.c.seq.desc()).limit(1))
    return Checkpoint(*found[0]) if found else None


def _next_checkpoint(view: View, base: int) -> Checkpoint | None:
    """The newest checkpoint behind a size that is not too far ahead, else the first one behind it."""
    table = schema.checkpoints
    beyond = select(table).where(table.c.seq > base)
    near = view.rows(beyond.where(table.c.seq <= base + AT_ONCE).order_by(table.c.seq.desc()).limit(1))
    found = near or view.rows(beyond.order_by(table.c.seq).limit(1))
    return Checkpoint(*found[0]) if found else None


def _chained_leaves(view: View, base: int, checkpoint: Checkpoint) -> Iterator[bytes]:
    """The leaves behind a size up to a signed event; `JournalDamagedError` unless they lead to what was signed."""
    table, seq, hash_ = schema.events, base, _hash_at(view, base)
    while seq < checkpoint.seq:
        high = min(seq + WINDOW, checkpoint.seq)
        asked = select(table.c.seq, table.c.leaf, table.c.hash).where(table.c.seq > seq, table.c.seq <= high)
        for found, leaf, stored in view.rows(asked.order_by(table.c.seq)):
            seq, hash_ = seq + 1, chain_hash(hash_, leaf)
            if found != seq or stored != hash_:
                raise JournalDamagedError(f"events[{seq}]", "leaf and hash do not follow on the event before")
            yield read_leaf(seq, leaf)
        if seq != high:
            raise JournalDamagedError(f"events[{seq + 1}]", "the event is missing")
    if hash_ != checkpoint.hash:
        raise JournalDamagedError(f"checkpoints[{seq}]", f"it signs another event than event {seq} that stands here")


def _hash_at(view: View, seq: int) -> str:
    """The hash of the event behind which a head goes on; the signature over a later one vouches for it."""
    event = view.event(seq)
    if seq == 0 or event is not None:
        return GENESIS if event is None else event.hash
    found = view.rows(select(schema.archives.c.hash).where(schema.archives.c.up_to == seq))
    if not found:
        raise JournalDamagedError(f"events[{seq}]", "the event of the newest head is missing")
    return str(found[0][0])
