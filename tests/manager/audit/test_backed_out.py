"""An award that was backed out is marked wherever its payment is listed; so is one that was taken back at the table."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway.cli.audit_output import print_rounds, print_story, story_json
from houseway.manager.commands.link_commands import Approve, Propose
from houseway.manager.commands.round_commands import EndRound, HitJackpot, PressHand
from houseway.manager.store.reading import open_view
from houseway.manager.store.reconcile import reconcile
from houseway.manager.store.round_search import RoundQuery, find_rounds
from houseway.manager.store.round_stories import round_story
from tests.manager.audit.house import FELT, House
from tests.manager.floors import DAY, DEALER, EXECUTIVE, SUPERVISOR, badge


def back_out(house: House, award: str, **more: bool) -> int:
    """Two people back an award out; when."""
    what = {"change": "back-out", "award": award, "reference": "incident 3", **more}
    proposed = house.do(SUPERVISOR, Propose(what, "the hand was misread"))
    house.do(EXECUTIVE, Approve(proposed["proposal"], proposed["check"], badge(EXECUTIVE)))
    return house.floor().last_at


@pytest.fixture(autouse=True)
def _no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines are as long as a program reads them: a test runner may name the width of its own terminal."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture
def backed_out(tmp_path: Path) -> tuple[str, str, str, int, int]:
    """A round whose award was backed out long after, and one in which a small one was taken back."""
    url = f"sqlite:///{tmp_path}/house.db"
    house = House(url, tmp_path / "keys")
    house.set_up()
    won = house.play_felt({5: "seven-card-straight-flush"})
    house.play_felt()
    slipped = house.start(FELT)
    house.do(DEALER, PressHand(slipped, 5, "full-house"))
    house.do(DEALER, HitJackpot(slipped))
    house.do(DEALER, PressHand(slipped, 5, "full-house"))
    house.do(DEALER, EndRound(slipped))
    at = back_out(house, f"{won}/1", recover_seed=False)
    now = house.now
    house.close()
    return url, won, slipped, at, now


def test_rounds_mark_it(backed_out: tuple[str, str, str, int, int], capsys: pytest.CaptureFixture[str]) -> None:
    url, won, slipped, at, now = backed_out
    with open_view(url) as view:
        found = {round_["round"]: round_ for round_ in find_rounds(view, RoundQuery())}
        assert reconcile(view, now - now % DAY, now - now % DAY + DAY - 1).agrees
    (line,) = [line for line in found[won]["lines"] if line["award"]]
    assert line["backed_out_at"] == at
    (undone,) = found[won]["undone"]
    assert (undone["award"], undone["status"], undone["cents"]) == (line["award"], "backed-out", line["returned_cents"])
    (taken,) = found[slipped]["undone"]
    assert (taken["seat"], taken["hand"], taken["cents"], taken["status"]) == (5, "full-house", 600, "taken-back")
    print_rounds(list(found.values()))
    text = " ".join(capsys.readouterr().out.split())
    assert "seat 5 seven-card-straight-flush $" in text
    assert "(BACKED OUT 2025-" in text
    assert "(seat 5 full-house $6.00: paid, taken back at the table 2025-" in text


def test_the_story_of_the_round_marks_it(
    backed_out: tuple[str, str, str, int, int], capsys: pytest.CaptureFixture[str]
) -> None:
    url, won, _, at, _ = backed_out
    with open_view(url) as view:
        story = round_story(view, won)
    told = story_json(won, story, None)
    assert [line["backed_out_at"] for line in told["lines"] if line["award"]] == [at]
    assert [each["status"] for each in told["awards"]] == ["hit", "paid", "backed-out"]
    print_story(won, story, None)
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "win" in line and "progressive" in line]
    assert "(BACKED OUT 2025-" in line
