"""Corrections, voids, reopened rounds, disputes."""

from __future__ import annotations

import pytest

from houseway.manager.commands.round_commands import (
    CorrectWager,
    DecideRound,
    DoubleDown,
    EndRound,
    HoldRound,
    PayJackpot,
    PressHand,
    ReopenRound,
    StartRound,
    VoidRound,
)
from tests.manager.pit import Pit, progressive, table_of


def moved(pit: Pit) -> dict[str, int]:
    return {name: amount for name, amount in pit.floor.balances.items() if amount}


def test_the_dealer_corrects_a_slip_at_once_and_later_with_a_supervisor() -> None:
    pit = Pit()
    round_ = pit.start(1, 2)
    answer = pit.do(CorrectWager(round_, "1", 5, True, "chip lay beside the sensor"))
    assert answer["taken"]["1"]["seats"] == [1, 2, 5]
    pit.do(CorrectWager(round_, "1", 1, False, "no chip there"))
    assert pit.held("drop", "T1") == 2_000_000
    assert pit.held("meter", "L1", "main") == 10_000_400_000
    late = CorrectWager(round_, "1", 6, True, "missed")
    assert pit.refused(late, seconds=60) == {"badge-needed"}
    pit.do(CorrectWager(round_, "1", 6, True, "missed", "badge-S1"))
    assert pit.round(round_).corrections == 3


def test_once_something_happened_the_dealer_does_not_correct_alone() -> None:
    pit = Pit()
    round_ = pit.start(1, 2)
    pit.press(round_, 2, "flush")
    assert pit.refused(CorrectWager(round_, "1", 5, True, "missed")) == {"badge-needed"}
    pit.do(CorrectWager(round_, "1", 5, True, "missed", "badge-S1"))
    assert pit.refused(CorrectWager(round_, "1", 2, False, "no", "badge-S1")) == {"award-open"}


@pytest.mark.parametrize("taken_back", [False, True])
def test_once_a_player_has_doubled_down_the_dealer_does_not_correct_alone(taken_back: bool) -> None:
    pit = Pit()
    round_ = str(pit.do(StartRound("T1", sensors={"1": [1]}, wagers={"1": {"main": 1_000}}))["round"])
    pit.do(DoubleDown(round_, 1, 1_000))
    if taken_back:
        pit.do(DoubleDown(round_, 1, 0))
    assert pit.refused(CorrectWager(round_, "1", 1, False, "no chip")) == {"badge-needed"}
    pit.do(CorrectWager(round_, "1", 1, False, "no chip", "badge-S1"))


def test_a_correction_that_changes_nothing_is_refused() -> None:
    pit = Pit()
    round_ = pit.start(1)
    assert pit.refused(CorrectWager(round_, "1", 1, True, "there")) == {"nothing-to-correct"}
    assert pit.refused(CorrectWager(round_, "1", 2, False, "not there")) == {"nothing-to-correct"}
    assert pit.refused(CorrectWager(round_, "1", 2, True, "  ")) == {"reason-needed"}


def test_a_void_gives_everything_back_in_one_event() -> None:
    pit = Pit(progressive(levels={"main": progressive().levels["main"]}))
    pit.end(pit.start(1))
    before, level = moved(pit), pit.floor.levels["L1/main"]
    round_ = pit.start(1, 2, 3)
    events = len(pit.events)
    answer = pit.do(VoidRound(round_, "badge-S1", "misdeal"))
    assert answer["returned"]["1"]["cents"] == 300
    assert (moved(pit), pit.floor.levels["L1/main"]) == (before, level)
    assert len(pit.events) == events + 1
    assert pit.rows("round")[-1]["outcome"] == "void"
    assert pit.floor.tables["T1"].round is None


def test_a_void_releases_locked_awards_and_stops_at_a_paid_one() -> None:
    pit = Pit(meters={"L1/main": 2_000_000})
    before = moved(pit)
    round_ = pit.start(1, 2)
    pit.hit(round_, 2, "five-aces")
    assert pit.refused(VoidRound(round_, "badge-D2", "why")) == {"wrong-role"}
    assert pit.refused(VoidRound(round_, "badge-S1", "")) == {"reason-needed"}
    pit.do(VoidRound(round_, "badge-S1", "exposed badge"))
    assert moved(pit) == before
    again = pit.start(1)
    pit.pay(pit.hit(again, 1, "royal-flush").id)
    assert pit.refused(VoidRound(again, "badge-S1", "late")) == {"award-paid"}


def test_a_void_after_another_table_won_the_meter_takes_only_what_is_there() -> None:
    from houseway.manager.core.link_entities import LevelParameters

    link = progressive(levels={"main": LevelParameters(0, "1/2", "1/10")})
    pit = Pit(link, tables=[table_of(), table_of("T2")], meters={"L1/main": 100})
    here, there = pit.start(1, 2), pit.start(3, table="T2")
    pit.hit(there, 3, "five-aces")
    assert pit.held("meter", "L1", "main") == 300_000
    pit.do(VoidRound(here, "badge-S1", "misdeal"))
    # Wagers go back whole; the winner keeps the contributions, which the house bears.
    assert pit.held("drop", "T1") == 0
    assert pit.held("meter", "L1", "main") == 0
    assert pit.held("receipts", "T1") == -(1_200_000 - 300_000)


def test_end_pressed_too_early_is_opened_again_until_the_next_round() -> None:
    pit = Pit(meters={"L1/main": 2_000_000})
    round_ = pit.start(1, 2)
    pit.pay(pit.hit(round_, 1, "straight-flush").id)
    assert pit.end(round_)["envy"] == [{"seat": 2, "cents": 1_000}]
    assert pit.refused(ReopenRound("T1", "badge-D2", "missed seat 2")) == {"wrong-role"}
    assert pit.do(ReopenRound("T1", "badge-S1", "missed seat 2")) == {"round": round_, "envy_taken_back": 1_000}
    pit.pay(pit.hit(round_, 2, "four-of-a-kind").id)
    assert pit.end(round_)["envy"] == [{"seat": 1, "cents": 500}, {"seat": 2, "cents": 1_000}]
    pit.start(1)
    assert pit.refused(ReopenRound("T1", "badge-S1", "late")) == {"nothing-to-reopen"}


def test_a_disputed_round_waits_while_the_table_plays_on() -> None:
    pit = Pit(meters={"L1/main": 2_000_000})
    round_ = pit.start(3)
    award = pit.hit(round_, 3, "royal-flush")
    pit.do(HoldRound(round_, "badge-S1", "player claims five aces", {"camera": "12"}))
    for command in (
        EndRound(round_),
        PayJackpot(award.id, "badge-E1"),
        PressHand(round_, 3, "five-aces"),
        VoidRound(round_, "badge-S1", "why"),
    ):
        assert pit.refused(command) == {"round-held"}
    assert pit.held("locked", "L1", "main") > 0
    pit.end(pit.start(1))
    decide = DecideRound(round_, "badge-E1", "resume", "royal flush stands", "case-4")
    assert pit.refused(decide, "E1") == {"second-person"}
    pit.start(2)
    assert pit.refused(decide, "S1") == {"round-in-play"}
    pit.end("T1-3")
    pit.do(decide, "S1")
    pit.pay(award.id)
    pit.end(round_)
    assert pit.rows("round")[-1]["held"] is True


def test_a_disputed_round_may_be_decided_void() -> None:
    pit = Pit()
    before = moved(pit)
    round_ = pit.start(3)
    pit.do(HoldRound(round_, "badge-S1", "deck was short"))
    pit.do(DecideRound(round_, "badge-E1", "void", "51 cards counted", "case-5"), "S2")
    assert moved(pit) == before
    assert pit.rows("round")[-1]["outcome"] == "held-void"
    assert pit.refused(DecideRound(round_, "badge-E1", "void", "again", "case-5"), "S2") == {"not-held"}


@pytest.mark.parametrize("field", ["reason", "reference"])
def test_a_decision_says_why_and_where_it_is_filed(field: str) -> None:
    pit = Pit()
    round_ = pit.start(3)
    pit.do(HoldRound(round_, "badge-S1", "claim"))
    texts = {"reason": "because", "reference": "case-1", field: " "}
    assert pit.refused(DecideRound(round_, "badge-E1", "void", **texts), "S2") == {"reason-needed"}


def test_a_round_in_play_survives_a_start_of_the_next_one() -> None:
    pit = Pit()
    pit.start(3)
    assert pit.refused(StartRound("T1")) == {"round-in-play"}
