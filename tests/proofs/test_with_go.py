"""Go's golang.org/x/mod/sumdb takes the heads, cosignatures, inclusions and growth made here, and no others."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from houseway.proofs.merkle import consistency_path, inclusion_path, node_source, tree_root
from houseway.proofs.notes import SignedNote, sign_note
from houseway.proofs.proof_texts import encoded
from houseway.proofs.tree_heads import SignedHead, TreeHead
from tests.proofs.go_checker import answers
from tests.proofs.test_notes import LOG, ORIGIN, WITNESS, _secret, cosigned

DATA = [f"leaf {number}" for number in range(600)]
LEAVES = [sha256(b"\x00" + text.encode()).digest() for text in DATA]
NODES = node_source(LEAVES)


def head(size: int) -> SignedHead:
    made = TreeHead(ORIGIN, size, tree_root(size, NODES))
    return SignedHead(made, SignedNote(made.text(), (sign_note(made.text(), LOG, _secret(1).sign),)))


def included(index: int, size: int) -> dict[str, Any]:
    path = [encoded(each) for each in inclusion_path(index, size, NODES)]
    return {"Keys": [LOG.text], "Head": head(size).note.written(), "Path": path, "Leaf": DATA[index], "At": index}


def grown(old: int, new: int) -> dict[str, Any]:
    path = [encoded(each) for each in consistency_path(old, new, NODES)]
    signed = cosigned(head(new))
    keys = [LOG.text, WITNESS.text]
    return {"Keys": keys, "Head": signed.note.written(), "Old": head(old).note.written(), "Path": path}


def later(note: SignedNote) -> SignedNote:
    """A note whose cosignature claims another time."""
    log, witness = note.signatures
    return note._replace(signatures=(log, witness._replace(signature=bytes(8) + witness.signature[8:])))


SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 63, 64, 65, 255, 256, 257, 511, 512, 513, 600]


def test_go_takes_what_is_made_here() -> None:
    cases = [{"Keys": [LOG.text], "Head": head(size).note.written()} for size in SIZES]
    cases += [{"Keys": [LOG.text, WITNESS.text], "Head": cosigned(head(size)).note.written()} for size in SIZES]
    cases += [included(index, size) for size in SIZES for index in sorted({0, size // 3, size // 2, size - 1})]
    cases += [grown(old, new) for new in SIZES for old in SIZES if old <= new]
    assert set(answers(cases)) == {"ok"}
    assert len(cases) > 200


def test_go_refuses_what_is_altered() -> None:
    good, longer = included(70, 300), grown(200, 300)
    other = included(71, 300)
    signed = cosigned(head(300)).note.written()
    cases = [
        {**good, "Leaf": "leaf 71"},
        {**good, "At": 71},
        {**good, "Path": other["Path"]},
        {**good, "Path": good["Path"][:-1]},
        {**good, "Head": good["Head"].replace("\n300\n", "\n301\n")},
        {**good, "Head": head(301).note.written()},
        {**longer, "Path": longer["Path"][:-1]},
        {**longer, "Old": head(199).note.written()},
        {"Keys": [LOG.text, WITNESS.text], "Head": head(300).note.written()},
        {"Keys": [WITNESS.text], "Head": signed},
        {"Keys": [LOG.text, WITNESS.text], "Head": signed.replace("\n300\n", "\n3000\n")},
        {"Keys": [LOG.text, WITNESS.text], "Head": later(cosigned(head(300)).note).written()},
    ]
    said = answers(cases)
    assert "ok" not in said
    assert len(said) == len(cases)
