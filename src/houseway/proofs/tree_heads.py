"""Heads of a log: how many leaves it has and their root, as a signed note (c2sp.org/tlog-checkpoint)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from houseway.errors import InputError
from houseway.proofs.merkle import EMPTY_ROOT, is_consistent
from houseway.proofs.notes import LOG_KEY, NoteKey, SignedNote, Signer, is_name, read_note
from houseway.proofs.proof_texts import encoded, lined, malformed, read_hash, read_number


class TreeHead(NamedTuple):
    """How far a log had come."""

    origin: str
    """Which log it is: the name of the key that signs it."""
    size: int
    root: bytes

    def text(self) -> str:
        """What is signed.

        >>> print(TreeHead("log", 0, EMPTY_ROOT).text(), end="")
        log
        0
        47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
        """
        return lined(self.origin, str(self.size), encoded(self.root))


class SignedHead(NamedTuple):
    """A head with its signatures, not checked yet."""

    head: TreeHead
    note: SignedNote

    def signers(self, keys: Sequence[NoteKey]) -> list[Signer]:
        """Who has signed; refused unless the log itself has, and nobody whose key was not given."""
        found = self.note.signers(keys)
        if not any(each.key.kind == LOG_KEY and each.key.name == self.head.origin for each in found):
            message = f"the log {self.head.origin[:80]} itself has not signed this head"
            raise InputError.of("proof-unsigned", "signature", message)
        return found


def read_head(text: str) -> SignedHead:
    """A signed head from its text, which has one form only."""
    note = read_note(text)
    lines = note.text.split("\n")
    if len(lines) != 4:
        raise malformed("head", "a head is three lines: the log, its size, and its root")
    origin, size, root = lines[:3]
    head = TreeHead(origin, read_number(size, "size"), read_hash(root, "root"))
    if not is_name(origin) or (head.size == 0 and head.root != EMPTY_ROOT):
        raise malformed("head", "a head names its log, and an empty log has the root of nothing")
    return SignedHead(head, note)


def check_growth(old: TreeHead, new: TreeHead, path: Sequence[bytes]) -> None:
    """Refused unless a path proves that a log has only grown from one head to another."""
    if old.origin != new.origin:
        message = f"the heads are of two logs: {old.origin[:80]} and {new.origin[:80]}"
        raise InputError.of("proof-differs", "origin", message)
    if new.size < old.size:
        message = f"the log had {old.size} leaves, and has {new.size} now: it was cut off"
        raise InputError.of("tree-shrunk", "size", message)
    if new.size == old.size and new.root != old.root:
        message = f"two heads of {new.size} leaves have different roots: the log was written again"
        raise InputError.of("history-rewritten", "root", message)
    if not is_consistent(old.size, old.root, new.size, new.root, path):
        message = (
            f"nothing proves that the head of {new.size} leaves has grown out of that of {old.size}: the log was "
            "written again, or the path is another one's"
        )
        raise InputError.of("history-rewritten", "path", message)
