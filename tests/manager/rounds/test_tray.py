"""A tray that does not hold what it is to pay: the table is told before anybody pays, and play goes on."""

from __future__ import annotations

from houseway.manager.commands.round_commands import EndRound, HitJackpot
from houseway.manager.controller import sign
from houseway.manager.controller.panel import Panel
from houseway.manager.views.table_views import table_view
from tests.manager.pit import Pit, table_of

FLOAT = 10_000
"""Cents in the tray."""


def pit_with_tray() -> Pit:
    pit = Pit(tables=[table_of("T1", deck="A-1")])
    pit.floor.transfer("tray/T1", "house", FLOAT * 10_000)
    return pit


def display(pit: Pit) -> str:
    panel = Panel("T1", present="D1")
    panel.view = table_view(pit.floor, pit.floor.tables["T1"])
    return str(sign.display(panel, True, "")["now"])


def test_an_award_above_the_tray_is_told_at_the_hit_and_on_the_display() -> None:
    pit = pit_with_tray()
    round_ = pit.start(2, 5)
    pit.press(round_, 5, "four-of-a-kind")
    (warning,) = pit.do(HitJackpot(round_))["warnings"]
    award = next(iter(pit.floor.awards.values()))
    assert (award.source, award.cents > FLOAT) == ("tray", True)
    assert warning["code"] == "tray-short"
    assert "the tray of T1 has $100.00 by the books: have it filled first (houseway table fill)" in warning["message"]
    assert f"call a fill, the tray lacks ${(award.cents - FLOAT) / 100:,.2f} by the books" in display(pit)
    pit.floor.transfer("tray/T1", "house", award.cents * 10_000)
    assert "a fill" not in display(pit)


def test_an_award_that_the_tray_holds_warns_nobody() -> None:
    pit = pit_with_tray()
    round_ = pit.start(2)
    pit.press(round_, 2, "full-house")
    assert "warnings" not in pit.do(HitJackpot(round_))
    assert "warnings" not in pit.do(EndRound(round_))


def test_envy_above_the_tray_is_told_at_the_end() -> None:
    pit = Pit(tables=[table_of("T1", deck="A-1")])
    round_ = pit.start(1, 2, 3)
    award = pit.hit(round_, 3, "four-of-a-kind")
    pit.pay(award.id)
    answer = pit.do(EndRound(round_))
    assert answer["envy"]
    assert [warning["code"] for warning in answer["warnings"]] == ["tray-short"]
