"""Awards proved from a played journal, on both stores: by functions, by the tool that stands alone, by commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import select

from houseway.errors import InputError
from houseway.manager.interface.proving import (
    check_event,
    journal_keys,
    open_view,
    prove_award,
    prove_growth,
    stored_head,
)
from houseway.manager.store import schema
from houseway.manager.store.tree_reading import TreeReader
from houseway.proofs.notes import NoteKey
from tests.cli.runner import call
from tests.manager.audit.play import Played
from tests.proofs.go_checker import answers
from tests.proofs.test_verify_proof import verify_proof


def awards(played: Played) -> list[str]:
    with open_view(played.url) as view:
        return sorted({award for (award,) in view.rows(select(schema.hits.c.award))})


def keys_of(played: Played) -> list[NoteKey]:
    with open_view(played.url) as view:
        return journal_keys(view, played.keys)


def test_every_award_is_proved_to_whoever_has_the_key(played: Played) -> None:
    keys, found = keys_of(played), awards(played)
    assert len(found) >= 4
    for award in found:
        with open_view(played.url) as view:
            proved = prove_award(view, award)
        proof, page = proved.proof.written(), proved.page.text()
        checked, signers = check_event(proof, page, keys)
        assert checked == proved
        assert [signer.key for signer in signers] == keys
        assert any(hit["award"] == award for hit in checked.page.hits)
        assert f"event {proved.page.seq} " in verify_proof.verify_event(proof, page, [key.text for key in keys])
        more = json.loads(page)
        more["hits"][0]["cents"] += 1
        forged = json.dumps(more, sort_keys=True, separators=(",", ":")) + "\n"
        with pytest.raises(InputError) as refused:
            check_event(proof, forged, keys)
        assert refused.value.faults[0].code == "proof-differs"


def test_an_archived_award_is_proved_with_the_file(played: Played) -> None:
    old = f"{played.old_rounds[1]}/1"
    with open_view(played.url) as view:
        with pytest.raises(InputError) as refused:
            prove_award(view, old)
        assert refused.value.faults[0].code == "no-such-award"
        proved = prove_award(view, old, archives=[played.archive], status="paid")
    assert proved.page.seq <= played.archived.up_to
    assert proved.page.hits[0]["status"] == "paid"
    check_event(proved.proof.written(), proved.page.text(), keys_of(played))


def test_go_takes_heads_and_growth_of_a_journal(played: Played) -> None:
    keys = [key.text for key in keys_of(played)]
    with open_view(played.url) as view:
        sizes = [stored.size for stored in TreeReader(view).heads()]
        updates = [prove_growth(view, old, new) for new in sizes for old in sizes if old <= new]
        olds = {size: stored_head(view, size).note.written() for size in sizes}
    from houseway.proofs.proof_texts import encoded

    cases = [
        {
            "Keys": keys,
            "Head": each.signed.note.written(),
            "Old": olds[each.old],
            "Path": [encoded(hash_) for hash_ in each.path],
        }
        for each in updates
    ]
    assert set(answers(cases)) == {"ok"}


def test_the_commands_prove_and_check(played: Played, tmp_path: Path) -> None:
    award = awards(played)[0]
    where = ("--database", played.url)
    key = call("proof", "key", *where, "--keys", str(played.keys), "--json").json["keys"][0]
    assert call("proof", "key", *where).out.strip() == key
    head = call("proof", "head", *where, "--json").json
    assert call("proof", "head", *where).out == head["note"]
    proof, page, update = (str(tmp_path / name) for name in ("award.tlog-proof", "page.json", "update"))
    run = call("proof", "award", award, *where, "--to", proof, "--page-to", page)
    assert run.code == 0
    assert Path(proof).read_text(encoding="utf-8").startswith("c2sp.org/tlog-proof@v1\n")
    checked = call("proof", "check", proof, "--page", page, "--key", key, "--json")
    assert (checked.code, checked.json["proven"], checked.json["head"]["size"]) == (0, True, head["size"])
    assert checked.json["page"]["hits"][0]["award"] == award
    with open_view(played.url) as view:
        first = next(iter(TreeReader(view).heads()))
    (tmp_path / "old").write_text(first.note, encoding="utf-8")
    assert call("proof", "consistency", "--from", str(first.size), *where, "--to", update).code == 0
    grown = call("proof", "check", update, "--old", str(tmp_path / "old"), "--key", key)
    assert (grown.code, f"from {first.size} to {head['size']} events" in grown.out) == (0, True)
    Path(page).write_text(Path(page).read_text(encoding="utf-8").replace('"seat":', '"seat" :', 1), encoding="utf-8")
    refused = call("proof", "check", proof, "--page", page, "--key", key, "--json")
    assert (refused.code, refused.json["proven"]) == (1, False)
    assert refused.json["faults"][0]["code"] == "proof-malformed"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("award", "T9-1/1"), "no-such-award"),
        (("head", "--size", "3"), "no-head"),
        (("head", "--size", "none"), "not-an-integer"),
        (("consistency", "--from", "1000000"), "out-of-range"),
        (("consistency", "--from", "0", "--size", "3"), "no-head"),
        (("award", "T1-1/1", "--head", "missing-file"), "unreadable-file"),
    ],
)
def test_what_cannot_be_proved_is_said(on_sqlite: Played, words: tuple[str, ...], code: str) -> None:
    run = call("proof", *words, "--database", on_sqlite.url.removeprefix("sqlite:///"), "--json")
    assert (run.code, run.codes) == (2, [code])


def test_checking_needs_keys_and_the_parts_of_a_proof(on_sqlite: Played, tmp_path: Path) -> None:
    key = keys_of(on_sqlite)[0].text
    files = {"proof": "c2sp.org/tlog-proof@v1\n", "update": "old 3\n", "head": "head\n"}
    for name, text in files.items():
        (tmp_path / name).write_text(text)

    def check(*words: str) -> list[str]:
        run = call("proof", "check", *words, "--json")
        assert run.code == 2
        return list(run.codes)

    path = {name: str(tmp_path / name) for name in files}
    assert check(path["head"]) == ["missing-argument"]
    assert check(path["proof"], "--key", key) == ["missing-argument"]
    assert check(path["update"], "--key", key) == ["missing-argument"]
    assert check(path["head"], "--key", key, "--page", path["head"]) == ["conflicting-options"]
    assert check(path["head"], "--key", "a+b+c") == ["proof-malformed"]
    assert check(path["head"], "--key", path["head"]) == ["proof-malformed"]
    refused = call("proof", "check", path["head"], "--key", key)
    assert (refused.code, refused.out.startswith("refused: ")) == (1, True)
