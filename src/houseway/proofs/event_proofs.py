"""The proof that an event stands in a journal: index, path and signed head, short enough for a QR code.

The leaf is worked out from the event's printed page. What the page does not show for people, the salt of the leaf and
the hash that covers the rest of the event, stands in the proof itself. The format is that of c2sp.org/tlog-proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from houseway.errors import InputError
from houseway.proofs.merkle import HASH_BYTES, root_from_path
from houseway.proofs.notes import NoteKey, Signer
from houseway.proofs.proof_texts import decoded, encoded, lined, malformed, read_number, read_path, split_head
from houseway.proofs.tree_heads import SignedHead, read_head

FIRST_LINE: Final = "c2sp.org/tlog-proof@v1"
_SALT_BYTES: Final = 16


@dataclass(frozen=True)
class EventProof:
    """That a leaf stands at a place under a head."""

    salt: bytes
    """Of the leaf: what keeps it from being found by trying."""
    rest: bytes
    """The hash over all of the event that no page shows."""
    index: int
    path: tuple[bytes, ...]
    signed: SignedHead

    def written(self) -> str:
        """The proof as it is handed on."""
        extra = encoded(self.salt + self.rest)
        lines = lined(FIRST_LINE, f"extra {extra}", f"index {self.index}", *map(encoded, self.path))
        return lines + "\n" + self.signed.note.written()

    def check(self, leaf: bytes, keys: Sequence[NoteKey]) -> list[Signer]:
        """Who has signed the head over a leaf; refused unless the path leads from it there, and the log has signed."""
        signers = self.signed.signers(keys)
        head = self.signed.head
        if root_from_path(leaf, self.index, head.size, self.path) != head.root:
            message = (
                f"the page is not that of event {self.index + 1} under this head of {head.size} events: page, path or "
                "head was altered, or they are of different events"
            )
            raise InputError.of("proof-differs", "path", message)
        return signers


def whole_proof(page: str, proof: EventProof) -> str:
    """A page and its proof as one text, which fits a QR code: all that whoever has the log's key needs."""
    return page + proof.written()


def parted(text: str) -> tuple[str, str] | None:
    """The proof and the page of such a text; None where it is none."""
    page, gap, proof = text.partition("\n")
    return (proof, page + gap) if page.startswith("{") and is_proof(proof) else None


def is_proof(text: str) -> bool:
    """Whether a text is the proof of an event rather than a head or an update."""
    return text.startswith(FIRST_LINE)


def read_proof(text: str) -> EventProof:
    """A proof from its text, which has one form only."""
    lines, head = split_head(text, "proof")
    if len(lines) < 3 or lines[0] != FIRST_LINE or not lines[1].startswith("extra "):
        raise malformed("proof", f"its lines are {FIRST_LINE}, extra, index, and the hashes of the path")
    if not lines[2].startswith("index "):
        raise malformed("index", "the third line says at which place the event stands: index NUMBER")
    extra = decoded(lines[1][6:], "extra")
    if len(extra) != _SALT_BYTES + HASH_BYTES:
        raise malformed("extra", f"salt and rest have {_SALT_BYTES + HASH_BYTES} bytes together, these {len(extra)}")
    index, path, signed = read_number(lines[2][6:], "index"), read_path(lines[3:]), read_head(head)
    if index >= signed.head.size:
        raise malformed("index", f"there is no event at {index} under a head of {signed.head.size}")
    return EventProof(extra[:_SALT_BYTES], extra[_SALT_BYTES:], index, path, signed)
