"""Signed notes, heads, updates and proofs: one text for one meaning, and only what is signed by known keys."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from houseway.errors import InputError
from houseway.proofs.event_proofs import EventProof, read_proof
from houseway.proofs.head_updates import HeadUpdate, read_update
from houseway.proofs.merkle import consistency_path, inclusion_path, tree_root
from houseway.proofs.notes import (
    LOG_KEY,
    WITNESS_KEY,
    NoteKey,
    SignedNote,
    cosign_note,
    read_note,
    sign_note,
)
from houseway.proofs.tree_heads import SignedHead, TreeHead, check_growth, read_head
from tests.proofs.test_merkle import LEAVES, NODES

ORIGIN = "houseway/0123456789abcdef"


def _secret(number: int) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)


def _key(name: str, kind: int, number: int) -> NoteKey:
    return NoteKey(name, kind, _secret(number).public_key().public_bytes_raw())


LOG = _key(ORIGIN, LOG_KEY, 1)
WITNESS = _key("regulator.example/w1", WITNESS_KEY, 2)


def signed_head(size: int) -> SignedHead:
    head = TreeHead(ORIGIN, size, tree_root(size, NODES))
    return SignedHead(head, SignedNote(head.text(), (sign_note(head.text(), LOG, _secret(1).sign),)))


def cosigned(signed: SignedHead, at: int = 1_700_000_000) -> SignedHead:
    line = cosign_note(signed.note.text, WITNESS, _secret(2).sign, at)
    return SignedHead(signed.head, signed.note.joined([line]))


def codes(error: pytest.ExceptionInfo[InputError]) -> list[str]:
    return [fault.code for fault in error.value.faults]


def test_the_example_of_the_specification_is_read_and_written() -> None:
    text = (
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
        "— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE"
        "+xeMcTOAYQ8=\n"
        "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0x"
        "Ue+mbIUBkBIfZ+qnA==\n"
    )
    found = read_head(text)
    assert (found.head.origin, found.head.size) == ("example.com/behind-the-sofa", 20852163)
    assert found.note.written() == text
    assert found.note.text == found.head.text()


def test_a_key_is_handed_on_as_one_word() -> None:
    assert NoteKey.read(LOG.text) == LOG
    assert NoteKey.read(WITNESS.text + "\n") == WITNESS
    assert LOG.text.startswith(f"{ORIGIN}+")
    name, key_id, data = LOG.text.split("+", 2)
    for wrong in (
        "", "log", f"{name}+{key_id}", f"{name}+00000000+{data}", f"other+{key_id}+{data}", f"{name}+{key_id}+{data}=",
        f"{name}+{key_id}+AgAA", f"a b+{key_id}+{data}",
    ):  # fmt: skip
        with pytest.raises(InputError) as refused:
            NoteKey.read(wrong)
        assert codes(refused) == ["proof-malformed"]
    for name in ("", "a b", "a+b", "a\u2003b", "a" * 201):
        with pytest.raises(InputError):
            NoteKey(name, LOG_KEY, bytes(32))


def test_a_head_tells_who_has_signed_it_and_when() -> None:
    signed = cosigned(signed_head(5))
    log, witness = read_head(signed.note.written()).signers([WITNESS, LOG])
    assert (log.key, log.at) == (LOG, None)
    assert (witness.key, witness.at) == (WITNESS, 1_700_000_000)


@pytest.mark.parametrize("keys", [[], [LOG], [WITNESS], [WITNESS, _key(ORIGIN, LOG_KEY, 3)]])
def test_a_signature_by_a_key_that_was_not_given_is_refused(keys: list[NoteKey]) -> None:
    with pytest.raises(InputError) as refused:
        cosigned(signed_head(5)).signers(keys)
    assert codes(refused) == ["proof-unsigned"]


def test_a_witness_alone_is_no_log() -> None:
    head = signed_head(5).head
    alone = SignedHead(head, SignedNote(head.text(), (cosign_note(head.text(), WITNESS, _secret(2).sign, 1),)))
    with pytest.raises(InputError, match="has not signed this head"):
        alone.signers([LOG, WITNESS])
    foreign = _key("other.example", LOG_KEY, 3)
    other = SignedHead(head, SignedNote(head.text(), (sign_note(head.text(), foreign, _secret(3).sign),)))
    with pytest.raises(InputError, match="has not signed this head"):
        other.signers([foreign])


def test_a_cosignature_holds_for_its_time_alone() -> None:
    signed = cosigned(signed_head(5))
    line = signed.note.signatures[1]
    later = (int.from_bytes(line.signature[:8], "big") + 1).to_bytes(8, "big")
    for signature in (later + line.signature[8:], line.signature[8:], b"\xff" + line.signature[1:]):
        note = SignedNote(signed.note.text, (signed.note.signatures[0], line._replace(signature=signature)))
        with pytest.raises(InputError) as refused:
            SignedHead(signed.head, note).signers([LOG, WITNESS])
        assert codes(refused) == ["proof-unsigned"]


def texts() -> dict[str, str]:
    head = cosigned(signed_head(300))
    proof = EventProof(bytes(16), bytes(32), 70, tuple(inclusion_path(70, 300, NODES)), head)
    update = HeadUpdate(200, tuple(consistency_path(200, 300, NODES)), head)
    return {"head": head.note.written(), "proof": proof.written(), "update": update.written()}


READ = {"head": read_head, "proof": read_proof, "update": read_update}


@pytest.mark.parametrize("kind", READ)
def test_what_is_written_is_read_again(kind: str) -> None:
    text = texts()[kind]
    found = READ[kind](text)
    assert (found.note.written() if isinstance(found, SignedHead) else found.written()) == text  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", READ)
@pytest.mark.parametrize(
    "change",
    [
        lambda text: text + "\n",
        lambda text: text[:-1],
        lambda text: " " + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", " \n", 1),
        lambda text: text.replace("300\n", "0300\n"),
        lambda text: text.replace("300\n", "+300\n"),
        lambda text: text.replace("=\n", "\n", 1),
        lambda text: text.replace("=\n", "==\n", 1),
        lambda text: text.replace("— ", "- "),
        lambda text: text.replace("— ", "—  "),
        lambda text: text + text[text.rindex("—") :],
        lambda text: text.replace("\n\n—", "\nmore\n\n—"),
        lambda text: text.replace("300\n", "9" * 17 + "\n"),
        lambda text: "",
        lambda text: text + "\x00",
    ],
)
def test_no_second_text_has_the_same_meaning(kind: str, change: object) -> None:
    with pytest.raises(InputError) as refused:
        READ[kind](change(texts()[kind]))  # type: ignore[operator]
    assert codes(refused) == ["proof-malformed"]


@given(st.sampled_from(sorted(READ)), st.data())
def test_whatever_is_read_is_written_as_it_was(kind: str, data: st.DataObject) -> None:
    """Any text that is taken is the one that would be written: an altered one is refused or says something else."""
    text = texts()[kind]
    place, character = data.draw(st.integers(0, len(text) - 1)), data.draw(st.characters(max_codepoint=0x2100))
    altered = text[:place] + character + text[place + 1 :]
    try:
        found = READ[kind](altered)
    except InputError:
        return
    assert (found.note.written() if isinstance(found, SignedHead) else found.written()) == altered  # type: ignore[attr-defined]


def test_growth_is_told_from_shrinking_and_from_writing_again() -> None:
    old, new = signed_head(200).head, signed_head(300).head
    path = consistency_path(200, 300, NODES)
    check_growth(old, new, path)
    check_growth(old, old, [])
    for wrong, code in (
        ((new, old, path), "tree-shrunk"),
        ((old, new, path[:-1]), "history-rewritten"),
        ((old, old._replace(root=new.root), []), "history-rewritten"),
        ((old, new._replace(origin="other"), path), "proof-differs"),
    ):
        with pytest.raises(InputError) as refused:
            check_growth(*wrong)
        assert codes(refused) == [code]


def test_a_proof_holds_for_its_leaf_alone() -> None:
    proof = read_proof(texts()["proof"])
    assert [signer.key for signer in proof.check(LEAVES[70], [LOG, WITNESS])] == [LOG, WITNESS]
    with pytest.raises(InputError) as refused:
        proof.check(LEAVES[71], [LOG, WITNESS])
    assert codes(refused) == ["proof-differs"]


def test_a_proof_among_ten_million_events_fits_a_qr_code() -> None:
    """24 hashes, one signature: 1.4 kB at most, which a code of version 31 holds with 15% to spare for damage."""
    size = 10_000_000
    head = TreeHead(ORIGIN, size, LEAVES[0])
    signed = SignedHead(head, SignedNote(head.text(), (sign_note(head.text(), LOG, _secret(1).sign),)))
    path = tuple(inclusion_path(size // 2, size, lambda level, place: LEAVES[level]))
    assert len(path) == 24
    assert len(EventProof(bytes(16), bytes(32), size // 2, path, signed).written().encode()) <= 1_400


@pytest.mark.parametrize(
    "text",
    ["", "text\n", "text\n\n", "\n\n— a AAAA\n", "text\n\n— a\n", "a\n\n— a b=\n", "text\n\n" + "— a AAAAAAAA\n" * 33],
)
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(InputError) as refused:
        read_note(text)
    assert codes(refused) == ["proof-malformed"]
