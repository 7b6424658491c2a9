"""`houseway slip` and `houseway jackpot`: papers that are on record, and looks that are not."""

from __future__ import annotations

from contextlib import suppress
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from houseway.cli.papers_out import paper_of
from houseway.errors import InputError
from houseway.manager.commands.house_commands import FillTray
from houseway.manager.commands.slip_commands import PrintSlip, ReprintSlip, VoidSlip
from houseway.manager.interface.local import LocalManager
from tests.cli.runner import call
from tests.manager.audit.house import FELT, House
from tests.manager.floors import CAGE, SUPERVISOR, badge


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("slips")
    house = House(f"sqlite:///{found / 'house.db'}", found / "keys")
    house.set_up()
    for _ in range(3):
        house.do(SUPERVISOR, FillTray(FELT, "fill", 250_000, badge(CAGE), chips={"2500": 100}))
    house.play_felt({5: "seven-card-straight-flush", 1: "royal-flush-royal-match"})
    house.close()
    return found


@pytest.fixture
def where(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    keys = folder / "keys"
    # Badges of the house in tests are fingerprints already; the command line takes tokens.
    monkeypatch.setattr("houseway.manager.store.keys.Keys.fingerprint", lambda _keys, token: token)
    monkeypatch.setenv("HOUSEWAY_BADGE", badge(CAGE))
    return ["--database", str(folder / "house.db"), "--keys", str(keys)]


def test_slips_are_listed_by_kind_and_table(where: list[str]) -> None:
    every = call("slip", "list", *where, "--json").json["slips"]
    assert [one["id"] for one in every][:3] == ["OPEN-000001", "OPEN-000002", "FILL-000001"]
    wins = call("slip", "list", "--kind", "win", "--table", "t1", *where)
    assert "WIN-000001" in wins.out
    assert "to be handed over (form)" in wins.out
    assert "FILL" not in wins.out
    assert call("slip", "list", "--kind", "wins", *where, "--json").codes == ["bad-choice"]


def test_a_look_is_not_on_record_and_says_so(where: list[str], tmp_path: Path) -> None:
    shown = call("slip", "show", "fill-1", *where)
    assert "[NOT A SLIP]" in shown.out
    assert "$25.00  100  $2,500.00" in shown.out
    html, pdf = tmp_path / "look.html", tmp_path / "look.pdf"
    run = call("slip", "show", "WIN-1", *where, "--html", str(html), "--pdf", str(pdf), "--json")
    assert (run.json["slip"]["prints"], run.json["files"]) == ([], [str(html), str(pdf)])
    assert "NOT A SLIP" in html.read_text(encoding="utf-8")
    assert pdf.read_bytes().startswith(b"%PDF")
    assert call("slip", "show", "WIN-99", *where, "--json").codes == ["unknown-slip"]


def test_a_print_is_on_record_before_its_paper_is_written(where: list[str], tmp_path: Path) -> None:
    def printed(*words: str) -> Any:
        return call("slip", *words, "--actor", "supervisor 3", *where, "--json")

    assert printed("print", "fill-2").faults == [("missing-argument", "pdf")]
    assert printed("print", "fill-2", "--pdf", str(tmp_path / "no" / "such.pdf")).faults == [("unwritable-file", "pdf")]
    assert printed("print", "fill-2", "--copy", "third", "--pdf", "x.pdf").codes == ["bad-choice"]
    assert call("slip", "show", "fill-2", *where, "--json").json["slip"]["prints"] == [], "nothing went on record"
    paper = tmp_path / "fill.html"
    run = printed("print", "fill-2", "--html", str(paper))
    assert (run.code, run.json["answer"]["marks"], run.json["files"]) == (0, ["ORIGINAL"], [str(paper)])
    assert ">ORIGINAL<" in paper.read_text(encoding="utf-8")
    assert printed("print", "fill-2", "--html", str(paper)).codes == ["slip-printed"]
    again = printed("reprint", "fill-2", "--reason", "the printer jammed", "--html", str(paper))
    assert again.json["answer"]["marks"] == ["REPRINT 1"]
    assert ">REPRINT 1<" in paper.read_text(encoding="utf-8")
    assert "ORIGINAL" not in paper.read_text(encoding="utf-8")
    (first, second) = call("slip", "show", "fill-2", *where, "--json").json["slip"]["prints"]
    assert (first["by"], second["reason"]) == (SUPERVISOR, "the printer jammed")


def test_a_print_is_one_paper(where: list[str], tmp_path: Path) -> None:
    both = ["--html", str(tmp_path / "a.html"), "--pdf", str(tmp_path / "a.pdf")]
    for words in (["print", "open-1"], ["reprint", "open-1", "--reason", "the printer jammed"]):
        run = call("slip", *words, "--actor", "supervisor 3", *both, *where, "--json")
        assert run.faults == [("conflicting-options", "html")]
    assert call("slip", "show", "open-1", *where, "--json").json["slip"]["prints"] == [], "nothing went on record"
    assert list(tmp_path.iterdir()) == []


ORIGINAL, DUPLICATE = ("original", ""), ("duplicate", "")
ORIGINAL_AGAIN, DUPLICATE_AGAIN = ("original", "the printer jammed"), ("duplicate", "the printer jammed")
ORDERS = sorted(
    {*permutations((ORIGINAL, ORIGINAL, DUPLICATE, ORIGINAL_AGAIN)), (DUPLICATE, DUPLICATE_AGAIN, ORIGINAL)}
)
"""Prints that two people ask for, in every order of the first four."""


def test_people_who_print_at_once_have_no_two_papers_alike(tmp_path: Path) -> None:
    """All prints are on record before anybody asks for a paper: each gets the one that was put on record."""
    house = House(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "keys")
    house.set_up()
    manager = LocalManager(house.manager, str)
    for order in ORDERS:
        slip = house.do(SUPERVISOR, FillTray(FELT, "fill", 100, badge(CAGE)))["slip"]
        on_record = []
        for copy, reason in order:
            command = ReprintSlip(slip, reason, copy) if reason else PrintSlip(slip, copy)
            with suppress(InputError):
                on_record.append(manager.send(command, actor=SUPERVISOR).answer)
        papers = [paper_of(manager, slip, each).form.marks for each in on_record]
        assert papers == [each.marks for each in on_record]
        assert len(set(papers)) == len(papers)
        assert sum("ORIGINAL" in marks for marks in papers) == 1
        assert paper_of(manager, slip).form.marks == ("NOT A SLIP",)
    house.close()


def test_a_paper_of_a_slip_that_was_voided_since_says_so(tmp_path: Path) -> None:
    house = House(f"sqlite:///{tmp_path / 'house.db'}", tmp_path / "keys")
    house.set_up()
    manager = LocalManager(house.manager, str)
    slip = house.do(SUPERVISOR, FillTray(FELT, "fill", 100, badge(CAGE)))["slip"]
    printed = manager.send(PrintSlip(slip), actor=SUPERVISOR).answer
    house.do(SUPERVISOR, VoidSlip(slip, "never brought", badge(CAGE)))
    assert paper_of(manager, slip, printed).form.marks == ("VOID", "ORIGINAL")
    house.close()


def test_a_void_takes_the_badge_of_another(where: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    void = ["slip", "void", "fill-3", "--reason", "never brought", *where]
    assert call(*void, "--actor", "cage 1", "--json").codes == ["second-person"]
    run = call(*void, "--actor", "supervisor 3", "--json")
    assert (run.json["answer"]["slip"], run.json["answer"]["tray_cents"]) == ("FILL-000003", 1_500_000)
    assert call(*void, "--actor", "supervisor 3", "--json").codes == ["slip-void"]
    monkeypatch.delenv("HOUSEWAY_BADGE")
    assert call(*void, "--actor", "supervisor 3", "--json").codes == ["token-missing"]


def test_the_page_of_an_award(where: list[str], tmp_path: Path) -> None:
    paper = tmp_path / "page.pdf"
    run = call("jackpot", "page", "T1-1/1", *where, "--pdf", str(paper), "--json")
    page = run.json["page"]
    assert (page["award"], page["slip"]["id"], page["duties"]["form"]) == ("T1-1/1", "WIN-000001", True)
    assert paper.read_bytes().startswith(b"%PDF")
    shown = call("jackpot", "page", "T1-1/1", *where)
    assert "7 card straight flush, seat 5 at table T1" in shown.out
    assert call("jackpot", "page", "T1-9/1", *where, "--json").codes == ["no-such-award"]


def test_a_prize_is_handed_over(where: list[str]) -> None:
    over = ["jackpot", "hand-over", "win-1", "--actor", "supervisor 3", *where]
    assert len(call(*over, "--method", "gold", "--withheld", "x", "--json").codes) == 2
    assert call(*over, "--method", "cash", "--json").codes == ["form-due"]
    assert call(*over, "--method", "cash", "--form", "for 123-45-6789", "--json").codes == ["tax-number"]
    run = call(*over, "--method", "cash", "--form", "2026-17", "--booth", "2", "--json")
    assert (run.json["answer"]["award"], run.json["answer"]["handed_cents"]) == ("T1-1/1", 100_100)
    assert call(*over, "--method", "cash", "--json").codes == ["prize-handed-over"]
    assert "handed over by cash" in call("slip", "list", "--kind", "win", *where).out
