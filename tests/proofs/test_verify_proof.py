"""tools/verify_proof.py: short, on its own, and it refuses whatever differs by a single bit."""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature

from houseway.manager.core.records import Page, leaf_hash
from houseway.proofs.event_proofs import EventProof
from houseway.proofs.head_updates import HeadUpdate
from houseway.proofs.merkle import consistency_path, inclusion_path, node_source, tree_root
from houseway.proofs.notes import SignedNote, sign_note
from houseway.proofs.tree_heads import SignedHead, TreeHead
from houseway.proofs.verdicts import NEWEST, ONE_HISTORY, TRUTH
from tests.cli.runner import call
from tests.proofs.test_notes import LOG, ORIGIN, WITNESS, _secret, cosigned

TOOL = Path(__file__).resolve().parents[2] / "tools" / "verify_proof.py"
KEYS = [LOG.text, WITNESS.text]
REFUSALS = (ValueError, KeyError, TypeError, InvalidSignature)
PAGE: dict[str, Any] = {
    "seq": 701,
    "at": 1_750_000_000_000_000,
    "kind": "award.pay",
    "post": [["paid/L1/main", "locked/L1/main", 123456780000, "payment", "award:T1-41/1"]],
    "hits": [
        {
            "award": "T1-41/1",
            "link": "L1",
            "level": "main",
            "table": "T1",
            "round": "T1-41",
            "seat": 3,
            "hand": "royal-flüsh",
            "percent": 100,
            "cents": 12345678,
            "order": None,
            "status": "paid",
            "at": 1_750_000_000_000_000,
            "meter_before_micros": 123456781234,
            "meter_after_micros": 10000000000,
        }
    ],
}
SALT, REST = sha256(b"salt").digest()[:16], sha256(b"rest").digest()


def _tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_proof", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


verify_proof = _tool()


def page_text(page: dict[str, Any]) -> str:
    return json.dumps(page, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def _leaves() -> list[bytes]:
    found = [sha256(b"\x00" + number.to_bytes(4, "big")).digest() for number in range(1_000)]
    page = Page(SALT.hex(), PAGE["seq"], PAGE["at"], PAGE["kind"], PAGE["post"], PAGE["hits"], REST.hex())
    found[700] = bytes.fromhex(leaf_hash(page))
    return found


LEAVES = _leaves()
NODES = node_source(LEAVES)


def head(size: int) -> SignedHead:
    made = TreeHead(ORIGIN, size, tree_root(size, NODES))
    return cosigned(SignedHead(made, SignedNote(made.text(), (sign_note(made.text(), LOG, _secret(1).sign),))))


PROOF = EventProof(SALT, REST, 700, tuple(inclusion_path(700, 1_000, NODES)), head(1_000)).written()
UPDATE = HeadUpdate(700, tuple(consistency_path(700, 1_000, NODES)), head(1_000)).written()


def test_it_stands_on_its_own() -> None:
    text = TOOL.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 150
    imported = {
        name.partition(".")[0]
        for node in ast.walk(ast.parse(text))
        for name in ([each.name for each in node.names] if isinstance(node, ast.Import) else
                     [str(node.module)] if isinstance(node, ast.ImportFrom) else [])
    }  # fmt: skip
    assert imported - set(sys.stdlib_module_names) == {"cryptography"}


def test_it_takes_what_is_true() -> None:
    assert "event 701" in verify_proof.verify_event(PROOF, page_text(PAGE), KEYS)
    assert "head of 1000 events" in verify_proof.verify_head(head(1_000).note.written(), KEYS)
    for old in (1, 2, 3, 64, 255, 256, 257, 700, 999, 1_000):
        update = HeadUpdate(old, tuple(consistency_path(old, 1_000, NODES)), head(1_000)).written()
        assert f"from {old} to 1000" in verify_proof.verify_growth(update, head(old).note.written(), KEYS)


def _refuses(check: Any, *texts: bytes) -> bool:
    try:
        check(*(text.decode() for text in texts), KEYS)
    except REFUSALS:
        return True
    return False


def _bits(data: bytes) -> Any:
    for place in range(len(data)):
        for bit in range(8):
            yield data[:place] + bytes([data[place] ^ (1 << bit)]) + data[place + 1 :]


def test_every_single_bit_of_a_proof_and_its_page_counts() -> None:
    proof, page = PROOF.encode(), page_text(PAGE).encode()
    tried = passed = 0
    for altered in _bits(proof):
        tried += 1
        passed += not _refuses(verify_proof.verify_event, altered, page)
    for altered in _bits(page):
        tried += 1
        passed += not _refuses(verify_proof.verify_event, proof, altered)
    assert tried > 10_000
    assert passed == 0


def test_any_bit_of_an_update_counts() -> None:
    old, some = head(700).note.written().encode(), list(_bits(UPDATE.encode()))[::7]
    assert all(_refuses(verify_proof.verify_growth, altered, old) for altered in some)
    assert not _refuses(verify_proof.verify_growth, UPDATE.encode(), old)


@pytest.mark.parametrize(
    "keys", [[], [LOG.text], [WITNESS.text], [LOG.text.replace(ORIGIN, "other"), WITNESS.text], ["nonsense", *KEYS]]
)
def test_it_takes_only_signatures_by_the_given_keys(keys: list[str]) -> None:
    for check, texts in (
        (verify_proof.verify_event, (PROOF, page_text(PAGE))),
        (verify_proof.verify_head, (head(9).note.written(),)),
    ):
        with pytest.raises(REFUSALS):
            check(*texts, keys)


def test_the_page_of_another_event_is_refused() -> None:
    for name, value in (("seq", 700), ("at", 1), ("kind", "award.hit"), ("post", []), ("hits", [])):
        with pytest.raises(REFUSALS):
            verify_proof.verify_event(PROOF, page_text({**PAGE, name: value}), KEYS)
    with pytest.raises(REFUSALS):
        verify_proof.verify_event(PROOF, page_text({**PAGE, "more": 1}), KEYS)


def test_it_runs_as_a_program(tmp_path: Path) -> None:
    files = {"proof": PROOF, "page": page_text(PAGE), "old": head(700).note.written(), "update": UPDATE}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    keys = [word for key in KEYS for word in ("--key", key)]

    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, TOOL, *keys, *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout

    assert run("proof", "--page", "page")[0] == 0
    code, said = run("update", "--old", "old")
    assert (code, "grown from 700 to 1000" in said) == (0, True)
    code, said = run("proof", "--page", "old")
    assert (code, said.startswith("REFUSED")) == (1, True)


def test_it_says_what_is_proven_and_what_is_not() -> None:
    """Which event, under which head, by which keys and witnesses; and never that the head is the newest."""
    log, witness = LOG.id.hex(), WITNESS.id.hex()
    told = verify_proof.verify_event(PROOF, page_text(PAGE), KEYS)
    assert f"event 701 of {ORIGIN} is as this page shows it, under the head of 1000 events" in told
    for text in (
        told,
        verify_proof.verify_head(head(1_000).note.written(), KEYS),
        verify_proof.verify_growth(UPDATE, head(700).note.written(), KEYS),
    ):
        assert f"signed by {ORIGIN}, key {log}" in text
        assert f"by the witness {WITNESS.name}, key {witness}" in text
        assert "NOT proven: that this head is the newest" in text
        assert "NOT proven: that what was written is true" in text
        assert "no witness" not in text
    alone = SignedNote(head(9).note.text, head(9).note.signatures[:1]).written()
    assert "NOT proven: that others see the same, as no witness has cosigned" in verify_proof.verify_head(alone, KEYS)
    assert "no later event undoes it" in told


@pytest.mark.parametrize(
    "words", [("proof", "--page", "page"), ("update", "--old", "old"), ("old",), ("old", "--old", "old")]
)
def test_the_command_says_it_too(words: tuple[str, ...], tmp_path: Path) -> None:
    files = {"proof": PROOF, "page": page_text(PAGE), "old": head(700).note.written(), "update": UPDATE}
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    asked = [str(tmp_path / word) if word in files else word for word in words]
    checked = call("proof", "check", *asked, "--key", LOG.text, "--key", WITNESS.text, "--json")
    told = checked.json
    assert (checked.code, told["proven"]) == (0, True)
    assert [(each["name"], each["key"], each["witness"]) for each in told["signers"]] == [
        (ORIGIN, LOG.id.hex(), False), (WITNESS.name, WITNESS.id.hex(), True)
    ]  # fmt: skip
    assert f"this head: signed by {ORIGIN} (key {LOG.id.hex()})" in told["claims"]
    assert any(WITNESS.name in claim for claim in told["claims"])
    assert {NEWEST, TRUTH} <= set(told["not_proven"])
    assert ONE_HISTORY not in told["not_proven"]
    wanted = {
        "proof": "event 701 is in the journal as this page shows it: its kind, time, transfers and awards",
        "update": "the first 700 of the 1000 events are those of the older head, unchanged and in the same order",
        "old": f"{ORIGIN} has signed that it has 700 events, with the root {head(700).head.root.hex()}",
    }
    assert wanted[words[0]] in told["claims"]
    printed = call("proof", "check", *asked, "--key", LOG.text, "--key", WITNESS.text).out
    printed = " ".join(printed.split())
    assert all(text in printed for text in (*told["claims"], *told["not_proven"]))


def test_a_head_without_a_witness_says_so(tmp_path: Path) -> None:
    alone = tmp_path / "head"
    alone.write_text(SignedNote(head(9).note.text, head(9).note.signatures[:1]).written(), encoding="utf-8")
    told = call("proof", "check", str(alone), "--key", LOG.text, "--json").json
    assert ONE_HISTORY in told["not_proven"]
    assert not [claim for claim in told["claims"] if "witness" in claim]
