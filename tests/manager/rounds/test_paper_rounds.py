"""Rounds on paper: numbered forms, entered later by two people, in order, and never a second way to the money."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.manager.commands.round_commands import (
    EndRound,
    EnterRound,
    HoldRound,
    PayJackpot,
    ReopenRound,
    StartRound,
)
from houseway.manager.commands.slip_commands import IssueForm, PrintSlip, ReprintSlip, VoidSlip
from houseway.manager.core.house_entities import Property
from houseway.manager.handlers.paper_rounds import MOST_UNUSED
from houseway.manager.printing.form_html import form_html
from houseway.manager.printing.slip_form import slip_form
from houseway.manager.views.slip_views import house_view, people_of, slip_view
from tests.manager.pit import SECOND, Pit, progressive, table_of

MINUTE = 60 * SECOND


def with_form(pit: Pit, table: str = "T1") -> str:
    """A form that was issued and printed before anything went wrong."""
    form = str(pit.do(IssueForm(table), "S1")["slip"])
    pit.do(PrintSlip(form), "S1")
    return form


def entry(pit: Pit, round_: str, form: str, **more: Any) -> EnterRound:
    """The round as it was written down a minute ago, once ten minutes have passed."""
    pit.now += 10 * MINUTE
    return EnterRound(round_, form, **{"ended_at": pit.now - MINUTE, "badge": "badge-S2", **more})


def test_a_round_without_a_winner_ends_at_the_time_on_the_paper() -> None:
    pit = Pit()
    form = with_form(pit)
    round_ = pit.start(1, 2)
    books = dict(pit.floor.balances)
    command = entry(pit, round_, form)
    answer = pit.do(command, "S1")
    assert (answer["ended"], answer["awards"], answer.get("next")) == (True, [], None)
    assert pit.floor.balances == books
    row = pit.rows("round")[-1]
    assert (row["outcome"], row["ended_at"], row["started_at"]) == (
        "on-paper", command.ended_at, pit.floor.rounds[round_].started_at,
    )  # fmt: skip
    assert pit.events[-1].at == pit.now > command.ended_at
    entered = pit.floor.slips[form].entered
    assert entered is not None
    assert (entered.round, entered.ended_at, entered.by, entered.second, entered.at) == (
        round_, command.ended_at, "S1", "S2", pit.now,
    )  # fmt: skip
    pit.start(1)


def test_small_pays_go_through_and_envy_with_the_end() -> None:
    pit = Pit(progressive(paytable="6CFPGPP-4"))
    form = with_form(pit)
    round_ = pit.start(1, 2, 3)
    pit.do(entry(pit, round_, form, won={"1/2": "flush"}), "S1")
    award = pit.floor.awards[f"{round_}/1"]
    assert (award.status, award.source, award.paid_by, award.pressed_by) == ("paid", "tray", "S1", "S1")
    assert pit.floor.rounds[round_].phase == "ended"


def test_a_share_of_the_meter_is_locked_as_it_stands_and_paid_by_its_own_command() -> None:
    pit = Pit(tables=[table_of(), table_of("T2")])
    form = with_form(pit)
    here = pit.start(1, 2)
    # Another table wins the whole meter while the form lies on the table.
    there = pit.start(4, table="T2")
    pit.pay(pit.hit(there, 4, "five-aces").id)
    meter = pit.held("meter", "L1", "main")
    answer = pit.do(entry(pit, here, form, won={"1/2": "five-aces"}), "S1")
    assert answer["ended"] is False
    assert [(each["cents"] * 10_000, each["status"]) for each in answer["awards"]] == [
        (meter // 10_000 * 10_000, "hit")
    ]
    assert pit.floor.rounds[here].phase == "playing"
    assert pit.refused(EndRound(here)) == {"award-open"}
    award = f"{here}/1"
    # Who pressed it by entering it is not the badge that pays it.
    pit.verify(award)
    assert pit.refused(PayJackpot(award, "badge-S1")) == {"second-person"}
    pit.pay(award, "badge-S2")
    assert pit.end(here)["envy"] == [{"seat": 1, "cents": 10_000}]
    assert pit.rows("round")[-1]["outcome"] == "on-paper"
    assert pit.rows("round")[-1]["ended_at"] < pit.now


def test_a_form_is_used_once_for_its_table_and_was_there_at_the_time() -> None:
    pit = Pit(tables=[table_of(), table_of("T2")])
    round_ = pit.start(1)
    used, other, void = with_form(pit), with_form(pit, "T2"), with_form(pit)
    unprinted = pit.do(IssueForm("T1"), "S1")["slip"]
    pit.do(VoidSlip(void, "torn", "badge-S2"), "S1")
    pit.do(entry(pit, round_, used), "S1")
    assert pit.refused(VoidSlip(used, "torn", "badge-S2"), "S1") == {"slip-stands"}
    again = pit.start(1)
    for form, code in {used: "form-used", other: "form-unfit", unprinted: "form-unfit", void: "form-unfit"}.items():
        assert pit.refused(entry(pit, again, form), "S1") == {code}, form
    assert pit.refused(entry(pit, again, "ROUND-000099"), "S1") == {"unknown-slip"}
    pit.now += MINUTE
    late = with_form(pit)
    written = pit.now - 2 * SECOND
    assert pit.refused(EnterRound(again, late, written, "badge-S2"), "S1") == {"form-unfit"}


def test_nothing_goes_before_what_is_on_record_or_after_now() -> None:
    pit = Pit()
    form = with_form(pit)
    round_ = pit.start(1, 2)
    pit.now += MINUTE
    pit.press(round_, 2, "flush")
    pressed = pit.now
    assert pit.refused(EnterRound(round_, form, pit.now + MINUTE, "badge-S2", {"1/2": "flush"}), "S1") == {
        "in-the-future"
    }
    assert pit.refused(EnterRound(round_, form, pressed - 1, "badge-S2", {"1/2": "flush"}), "S1") == {
        "before-last-event"
    }
    # A button that was pressed before is on the form, or taken off first.
    assert pit.refused(EnterRound(round_, form, pressed, "badge-S2"), "S1") == {"award-open"}
    assert pit.refused(EnterRound(round_, form, pressed, "badge-S2", {"1/2": "straight"}), "S1") == {"award-locked"}
    assert pit.do(EnterRound(round_, form, pressed, "badge-S2", {"1/2": "flush"}), "S1")["ended"] is True
    pit.do(ReopenRound("T1", "badge-S1", "a winner was missed"))
    assert pit.refused(EnterRound(round_, with_form(pit), pit.now, "badge-S2"), "S1") == {"form-used"}


@pytest.mark.parametrize(
    "won", [{"1": "flush"}, {"1/x": "flush"}, {"1/0": "flush"}, {"1/9": "flush"}, {"1/5": "flush"}]
)
def test_a_spot_that_is_none_is_refused(won: dict[str, str]) -> None:
    pit = Pit()
    form = with_form(pit)
    assert pit.refused(entry(pit, pit.start(1), form, won=won), "S1") & {"no-such-seat", "no-wager", "no-such-sensor"}
    assert pit.refused(entry(pit, "T1-1", form, won={"1/1": "nine-aces"}), "S1") == {"no-such-hand"}
    assert pit.refused(entry(pit, "T1-1", form, won={"7/1": "flush"}), "S1") == {"no-such-sensor"}


def test_two_people_enter_it_and_neither_has_dealt_it() -> None:
    pit = Pit()
    form = with_form(pit)
    round_ = pit.start(1)
    assert pit.refused(entry(pit, round_, form), "D1") == {"wrong-role"}
    assert pit.refused(entry(pit, round_, form, badge="badge-S1"), "S1") == {"second-person"}
    assert pit.refused(entry(pit, round_, form, badge="badge-D2"), "S1") == {"wrong-role"}
    pit.do(HoldRound(round_, "badge-S1", "disputed"))
    assert pit.refused(entry(pit, round_, form), "S1") == {"round-held"}


def test_cards_that_the_system_deals_are_not_entered_from_paper() -> None:
    pit = Pit(tables=[table_of(cards="known")])
    form = with_form(pit)
    pit.do(StartRound("T1", sensors={"1": [1]}))
    assert pit.refused(entry(pit, "T1-1", form), "S1") == {"cards-known"}


def test_a_table_keeps_only_so_many_forms() -> None:
    pit = Pit()
    forms = [pit.do(IssueForm("T1"), "S1")["slip"] for _ in range(MOST_UNUSED)]
    assert forms[0] == "ROUND-000001"
    assert pit.refused(IssueForm("T1"), "S1") == {"too-many-forms"}
    pit.do(VoidSlip(forms[3], "coffee", "badge-S2"), "S1")
    pit.do(IssueForm("T1"), "S1")
    assert pit.refused(IssueForm("T9"), "S1") == {"unknown-table"}


def test_the_paper_has_lines_to_write_on_and_tells_later_what_was_entered() -> None:
    pit = Pit()
    pit.floor.put("property", "property", Property("property", "Example", "commercial", 0))
    form = with_form(pit)

    def paper() -> str:
        slip = slip_view(pit.floor, pit.floor.slips[form])
        names = people_of(pit.floor, pit.floor.slips[form])
        return form_html(slip_form(slip, house_view(pit.floor), names, slip.prints[-1]))

    blank = paper()
    for text in ("Round on paper", form, "Round over at", "Winning hands", "ORIGINAL", "Pay nothing from a meter"):
        assert text in blank, text
    pit.do(entry(pit, pit.start(1), form), "S1")
    pit.do(ReprintSlip(form, "for the file"), "S1")
    later = paper()
    assert "Entered late" in later
    assert "Supervisor 2" in later
    assert "REPRINT 1" in later
