"""What a log hands to a witness: a head, and the path from the size that the witness saw last.

The format is that of a request in c2sp.org/tlog-witness.
"""

from __future__ import annotations

from typing import NamedTuple

from houseway.proofs.proof_texts import encoded, lined, malformed, read_number, read_path, split_head
from houseway.proofs.tree_heads import SignedHead, read_head


class HeadUpdate(NamedTuple):
    """A head that is to be cosigned, and the path that proves its growth."""

    old: int
    path: tuple[bytes, ...]
    signed: SignedHead

    def written(self) -> str:
        """The update as it is handed on."""
        return lined(f"old {self.old}", *map(encoded, self.path)) + "\n" + self.signed.note.written()


def is_update(text: str) -> bool:
    """Whether a text is an update rather than a head or a proof."""
    return text.startswith("old ")


def read_update(text: str) -> HeadUpdate:
    """An update from its text, which has one form only."""
    lines, head = split_head(text, "update")
    if not lines[0].startswith("old "):
        raise malformed("update", "its first line says from which size on it proves growth: old SIZE")
    update = HeadUpdate(read_number(lines[0][4:], "old"), read_path(lines[1:]), read_head(head))
    if update.old > update.signed.head.size:
        raise malformed("old", f"it proves growth from {update.old} leaves on, and the head has fewer")
    return update
