"""The judgement of a witness: a head is cosigned if it has grown out of the last one, and an alarm if it has not.

Each log is judged by itself. A head with fewer events than the last one is old, which is no fault of the log: somebody
may hand it in again. It is noted, and held to what came later as soon as the log shows the path. It is an alarm if it
does not belong to that, or if the log has nothing newer for a long time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from houseway.errors import InputError
from houseway.proofs.head_updates import HeadUpdate, is_update, read_update
from houseway.proofs.notes import WITNESS_KEY, NoteKey, NoteSignature, SignedNote, cosign_note
from houseway.proofs.tree_heads import SignedHead, check_growth, read_head
from houseway.witness.seen_heads import Alarm, OlderHead, SeenHeads
from houseway.witness.witness_files import HEADS, KEY, NAME

ALARMING: Final = frozenset({"history-rewritten", "tree-shrunk"})
"""Refusals that a log in order never gives cause for."""
PATIENCE: Final = 3_600
"""Seconds for which a log may say that an old head is its newest: one that was just deleted is made again by then."""


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

    def wanted_size(self, origin: str) -> int:
        """From which size on the next update of a log must prove its growth."""
        newest = self.seen.newest(origin)
        return 0 if newest is None else newest.head.size

    def cosign(self, text: str, *, is_newest: bool = False) -> CosignedHead:
        """Judge an update, or a head of a log of which nothing was seen yet; cosigned only if all is in order.

        InputError says why it is not; what no log in order does is kept as an alarm, with the text. `is_newest` if the
        log itself says that it has nothing newer. An old head that was cosigned before is given back as it was.
        """
        update = read_update(text) if is_update(text) else HeadUpdate(0, (), read_head(text))
        signed = self._signed_by_log(update.signed)
        with self._alarming(signed.head.origin, text):
            if signed.head.size < self.wanted_size(signed.head.origin):
                return self._older(signed, is_newest=is_newest)
            with self.seen.writing():
                found = self._cosigned(update, signed)
                if is_newest:
                    self.seen.end_older(signed.head.origin)
        for older in self.seen.older(signed.head.origin, unproven=True):
            if older.signed.head.size == update.old:
                self.settle(older, text)
        return found

    def settle(self, older: OlderHead, text: str) -> None:
        """Hold an old head to an update from it to the newest one; an alarm if it does not belong to that."""
        update = read_update(text)
        newest = self.seen.newest(older.signed.head.origin)
        if newest is None or self._signed_by_log(update.signed).head != newest.head:
            message = "the update does not lead to the last head that was cosigned: ask again"
            raise InputError.of("update-misplaced", "size", message)
        self.seen.prove_older(older.number)
        with self._alarming(newest.head.origin, older.signed.note.written() + "\n" + text):
            check_growth(older.signed.head, newest.head, update.path)

    @contextmanager
    def _alarming(self, origin: str, evidence: str) -> Iterator[None]:
        """Keep what no log in order does as an alarm of that log."""
        try:
            yield
        except InputError as error:
            for fault in error.faults:
                if fault.code in ALARMING:
                    self.seen.sound(Alarm(origin, self._clock(), fault.code, fault.message, evidence))
            raise

    def _older(self, signed: SignedHead, *, is_newest: bool) -> CosignedHead:
        """Judge a head with fewer events than the last one."""
        origin, size = signed.head.origin, signed.head.size
        before, last = self.seen.cosigned_at(origin, size), self.wanted_size(origin)
        if before is not None:
            check_growth(before.head, signed.head, ())
        self.seen.note_older(signed, self._clock(), is_newest=is_newest, is_proven=before is not None)
        since = min((each.at for each in self.seen.older(origin) if each.is_newest), default=None)
        if is_newest and since is not None and self._clock() - since >= PATIENCE:
            message = f"{origin[:80]} had {last} events, and has shown no more than {size} for {PATIENCE // 60} minutes"
            raise InputError.of("tree-shrunk", "size", f"{message}: its end was cut off")
        if before is not None:
            return CosignedHead(before, self._own_line(before), is_new=False)
        raise _is_older(size, last)

    def _own_line(self, signed: SignedHead) -> NoteSignature:
        own = (self.key.name, self.key.id)
        return next(each for each in signed.note.signatures if (each.name, each.key_id) == own)

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
        if signed.head.size < last.head.size:
            raise _is_older(signed.head.size, last.head.size)  # another process was quicker
        if signed.head.size == last.head.size:
            check_growth(last.head, signed.head, ())
            return CosignedHead(last, self._own_line(last), is_new=False)
        if update.old != last.head.size:
            message = f"the last head that was cosigned has {last.head.size} events: hand in an update from there"
            raise InputError.of("update-misplaced", "old", message)
        check_growth(last.head, signed.head, update.path)
        return None


def _is_older(size: int, last: int) -> InputError:
    message = (
        f"the last head that was cosigned has {last} events, this one {size}: it is neither cosigned nor an alarm; an "
        f"update from {size} to {last} shows whether it belongs to that"
    )
    return InputError.of("head-older", "size", message)


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
