"""What a proof shows, and what it does not: nobody should have to guess what "proven" means.

`tools/verify_proof.py` says the same in fewer words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from houseway.proofs.notes import WITNESS_KEY, Signer
from houseway.proofs.tree_heads import SignedHead

NEWEST: Final = "that this head is the newest: the log may have more events"
TRUTH: Final = "that what the casino wrote is true: an audit looks into that"
ONE_HISTORY: Final = "that everybody is shown the same history: no witness has cosigned"


class Verdict(NamedTuple):
    """A proof that was checked."""

    what: str
    """What was proven, in one sentence."""
    claims: tuple[str, ...]
    """All that holds if the keys are those of whom they name."""
    limits: tuple[str, ...]
    """What somebody might take for proven, and is not."""
    signed: SignedHead
    signers: tuple[Signer, ...]
    """Of the newest head."""
    more: dict[str, object]
    """What else programs get to read."""

    def to_json(self) -> dict[str, object]:
        """The verdict as programs read it."""
        found = self.signed.head
        names = [
            {"name": each.key.name, "key": each.key.id.hex(), "witness": _is_witness(each), "at": each.at}
            for each in self.signers
        ]
        head = {"origin": found.origin, "size": found.size, "root": found.root.hex()}
        return {
            "proven": True, "what": self.what, "claims": self.claims, "not_proven": self.limits, "head": head,
            "signers": names, **self.more,
        }  # fmt: skip


def of_event(signed: SignedHead, signers: Sequence[Signer], seq: int, page: dict[str, object]) -> Verdict:
    """An event stands under a head as its page shows it."""
    head = signed.head
    what = f"event {seq} of {head.origin}, under the head of {head.size} events"
    claims = (
        f"event {seq} is in the journal as this page shows it: its kind, time, transfers and awards",
        f"it is one of the {head.size} events under this head",
    )
    limits = (
        "that no later event changes it: an award may be backed out",
        "what the page does not show, such as who acted",
    )
    return _verdict(what, claims, limits, signed, signers, {"page": page})


def of_growth(old: SignedHead, old_signers: Sequence[Signer], signed: SignedHead, signers: Sequence[Signer]) -> Verdict:
    """A log has only grown from one head to another."""
    before, head = old.head.size, signed.head
    what = f"{head.origin} has grown from {before} to {head.size} events"
    claims = (
        f"the first {before} of the {head.size} events are those of the older head, unchanged and in the same order",
        *(f"the older head: {each}" for each in _signatures(old_signers)),
    )
    return _verdict(what, claims, ("what any of the events says",), signed, signers, {"old": before})


def of_head(signed: SignedHead, signers: Sequence[Signer], old: SignedHead | None) -> Verdict:
    """A log has signed a head; `old` is the same head as somebody else has it."""
    head = signed.head
    what = f"the head of {head.size} events of {head.origin}"
    claim = f"{head.origin} has signed that it has {head.size} events, with the root {head.root.hex()}"
    if old is not None:
        same = "the older head has the same events" if old.head.size else "the older head is that of an empty log"
        return _verdict(what, (claim, same), ("what any of the events says",), signed, signers, {})
    limits = ("that it has grown out of any other head: an update proves that", "what any of the events says")
    return _verdict(what, (claim,), limits, signed, signers, {})


def _verdict(
    what: str,
    claims: tuple[str, ...],
    limits: tuple[str, ...],
    signed: SignedHead,
    signers: Sequence[Signer],
    more: dict[str, object],
) -> Verdict:
    alone = () if any(map(_is_witness, signers)) else (ONE_HISTORY,)
    claims = (*claims, *(f"this head: {each}" for each in _signatures(signers)))
    return Verdict(what, claims, (NEWEST, *alone, *limits, TRUTH), signed, tuple(signers), more)


def _signatures(signers: Sequence[Signer]) -> list[str]:
    """Who has signed a head, with which key, and what that says."""
    found = []
    for each in signers:
        name = f"{each.key.name} (key {each.key.id.hex()})"
        if _is_witness(each):
            found.append(f"cosigned by the witness {name}, to which it had grown out of all that it cosigned before")
        else:
            found.append(f"signed by {name}")
    return found


def _is_witness(signer: Signer) -> bool:
    return signer.key.kind == WITNESS_KEY
