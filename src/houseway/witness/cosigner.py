"""The judgement of a witness: a head is cosigned if it has grown out of the last one, and an alarm if it has not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from houseway.errors import InputError
from houseway.proofs.head_updates import HeadUpdate, is_update, read_update
from houseway.proofs.notes import WITNESS_KEY, NoteKey, NoteSignature, SignedNote, cosign_note
from houseway.proofs.tree_heads import SignedHead, check_growth, read_head
from houseway.witness.seen_heads import Alarm, SeenHeads
from houseway.witness.witness_files import HEADS, KEY, NAME

ALARMING: Final = frozenset({"history-rewritten", "tree-shrunk"})
"""Refusals that a log in order never gives cause for."""


@dataclass(frozen=True)
class CosignedHead:
    """A head with the signature of the witness."""

    signed: SignedHead
    line: NoteSignature
    is_new: bool
    """Whether it was not cosigned before."""


class Cosigner:
    """A witness that is open: its key, and what it has seen."""

    def __init__(self, folder: Path, clock: Callable[[], int]) -> None:
        """Open the folder of a witness; `clock` tells seconds since 1970."""
        self._clock = clock
        self._secret = _read_key(folder / KEY)
        name = _read(folder / NAME).decode("utf-8", "replace").strip()
        self.key = NoteKey(name, WITNESS_KEY, self._secret.public_key().public_bytes_raw())
        self.seen = SeenHeads(folder / HEADS)

    def wanted_size(self, origin: str | None = None) -> int:
        """From which size on the next update of a log must prove its growth."""
        known = origin or next((key.name for key in self.seen.watched()), "")
        newest = self.seen.newest(known)
        return 0 if newest is None else newest.head.size

    def cosign(self, text: str) -> CosignedHead:
        """Judge an update, or a head of a log of which nothing was seen yet; cosigned only if all is in order.

        InputError says why it is not; what no log in order does is kept as an alarm, with the text.
        """
        update = read_update(text) if is_update(text) else HeadUpdate(0, (), read_head(text))
        signed = self._signed_by_log(update.signed)
        try:
            with self.seen.writing():
                return self._cosigned(update, signed)
        except InputError as error:
            for fault in error.faults:
                if fault.code in ALARMING:
                    self.seen.sound(Alarm(self._clock(), fault.code, fault.message, text))
            raise

    def _signed_by_log(self, signed: SignedHead) -> SignedHead:
        """The head with the log's own signatures alone: those of others are nothing to a witness."""
        origin = signed.head.origin
        keys = [key for key in self.seen.watched() if key.name == origin]
        if not keys:
            message = f"{origin[:80]} is not watched here: have its key added with houseway witness watch"
            raise InputError.of("unknown-log", "origin", message)
        ids = {(key.name, key.id) for key in keys}
        known = tuple(each for each in signed.note.signatures if each[:2] in ids)
        own = SignedHead(signed.head, SignedNote(signed.note.text, known))
        own.signers(keys)
        return own

    def _cosigned(self, update: HeadUpdate, signed: SignedHead) -> CosignedHead:
        last = self.seen.newest(signed.head.origin)
        if last is not None:
            repeated = self._compare(last, update, signed)
            if repeated is not None:
                return repeated
        elif update.old:
            message = "nothing was seen of this log yet: hand in its head, or an update from 0"
            raise InputError.of("update-misplaced", "old", message)
        at = self._clock()
        line = cosign_note(signed.note.text, self.key, self._secret.sign, at)
        kept = SignedHead(signed.head, signed.note.joined([line]))
        self.seen.keep(kept, at)
        return CosignedHead(kept, line, is_new=True)

    def _compare(self, last: SignedHead, update: HeadUpdate, signed: SignedHead) -> CosignedHead | None:
        """Compare a head with the last one; one that was cosigned before is given back as it was."""
        size = signed.head.size
        if size <= last.head.size:
            # Shrunk or written again; only the last head itself is in order.
            check_growth(last.head, signed.head, ())
            line = next(
                each for each in last.note.signatures if (each.name, each.key_id) == (self.key.name, self.key.id)
            )
            return CosignedHead(last, line, is_new=False)
        if update.old != last.head.size:
            message = f"the last head that was cosigned has {last.head.size} events: hand in an update from there"
            raise InputError.of("update-misplaced", "old", message)
        check_growth(last.head, signed.head, update.path)
        return None


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        message = f"{path} cannot be read ({error.strerror}): name the folder that houseway witness init made"
        raise InputError.of("unreadable-file", "folder", message) from None


def _read_key(path: Path) -> Ed25519PrivateKey:
    data = _read(path)
    try:
        found = load_pem_private_key(data, password=None)
    except (ValueError, TypeError):
        found = None
    if not isinstance(found, Ed25519PrivateKey):
        raise InputError.of("keys-damaged", "folder", f"{path} holds no Ed25519 key: restore the witness's backup")
    return found
