"""Misdeals: the wagers of a void, an incident with its cause, and no round before a deck is counted down."""

from __future__ import annotations

from typing import get_args

import pytest

from houseway.manager.commands.house_commands import ChangeDeck, CloseTable
from houseway.manager.commands.round_commands import (
    DecideRound,
    HoldRound,
    MisdealRound,
    PressHand,
    SetHand,
    StartRound,
)
from houseway.manager.controller.reasons import REASONS
from houseway.manager.core.table_entities import MisdealCause
from houseway.manager.handlers.incidents import INCIDENT_CODES, MISDEALS, MOST_OPEN
from tests.manager.pit import Pit, progressive, table_of

CAUSES = get_args(MisdealCause)


def moved(pit: Pit) -> dict[str, int]:
    return {name: amount for name, amount in pit.floor.balances.items() if amount}


def test_every_cause_is_told_alike_on_record_and_at_the_keypad() -> None:
    assert set(MISDEALS) == set(CAUSES)
    assert [(code, MISDEALS[code].words) for code, _ in REASONS["misdeal"]] == list(REASONS["misdeal"])
    assert {each.code for each in MISDEALS.values()} <= set(INCIDENT_CODES)


def test_a_misdeal_gives_everything_back_by_transfers_of_a_void() -> None:
    pit = Pit()
    pit.end(pit.start(1))
    before, level = moved(pit), pit.floor.levels["L1/main"]
    round_ = pit.start(1, 2, 3)
    pit.hit(round_, 2, "royal-flush")
    answer = pit.do(MisdealRound(round_, "exposed-card", "seat 3's second card", "badge-S1"))
    assert answer["returned"]["1"] == {"link": "L1", "seats": [1, 2, 3], "cents": 300}
    assert (answer["approved_by"], answer["incident"], answer["report_due_at"]) == ("S1", "incident-1", None)
    assert (moved(pit), pit.floor.levels["L1/main"]) == (before, level)
    assert pit.rows("round")[-1]["outcome"] == "misdeal"
    assert round_ not in pit.floor.rounds
    assert not pit.floor.awards
    incident = pit.floor.papers["incident-1"]
    assert (incident.register, incident.subject, incident.until) == ("incident", "T1", None)
    assert incident.fields["text"] == f"{round_}: a card was seen that should not have been (seat 3's second card)"
    assert (incident.fields["code"], incident.fields["cause"], incident.fields["round"]) == (
        "misdeal", "exposed-card", round_,
    )  # fmt: skip


def test_no_round_begins_before_a_whole_deck_is_counted_down() -> None:
    pit = Pit(tables=[table_of(deck="A-1")])
    pit.do(MisdealRound(pit.start(1), "wrong-deal", badge="badge-S1"))
    assert pit.floor.tables["T1"].deck is None
    start = StartRound("T1", sensors={"1": [1]})
    assert pit.refused(start) == {"deck-due"}
    assert pit.refused(ChangeDeck("T1", "A-1", 52)) == {"deck-count"}
    assert pit.refused(start) == {"deck-due"}
    # The same deck will do, once it is whole.
    answer = pit.do(ChangeDeck("T1", "A-1", 53))
    assert (answer["deck"], answer["replaced"], answer["incident_closed"]) == ("A-1", None, "incident-1")
    assert pit.floor.papers["incident-1"].until == pit.now
    pit.do(start)


@pytest.mark.parametrize("cause", CAUSES)
def test_a_deck_settles_what_lay_in_the_deal_and_nothing_else(cause: MisdealCause) -> None:
    pit = Pit()
    due = pit.do(MisdealRound(pit.start(1), cause, badge="badge-S1"))["report_due_at"]
    # A jammed shuffler is a malfunction: the commission hears of it within 72 hours.
    assert due == (pit.now + 72 * 3_600_000_000 if cause == "shuffler-jam" else None)
    closed = pit.do(ChangeDeck("T1", "A-2", 53)).get("incident_closed")
    assert closed == ("incident-1" if cause in ("wrong-deal", "exposed-card") else None)
    assert (pit.floor.papers["incident-1"].until is None) == (closed is None)
    pit.start(1)


def test_a_closed_table_still_owes_its_deck() -> None:
    pit = Pit()
    pit.do(MisdealRound(pit.start(1), "short-deck", badge="badge-S1"))
    pit.do(CloseTable("T1", 0, 0, "badge-S1"), "E1")
    due = pit.floor.tables["T1"].deck_due
    assert due is not None
    assert (due.round, due.cause, due.incident) == ("T1-1", "short-deck", "incident-1")


def test_the_dealer_says_so_alone_while_nothing_was_taken() -> None:
    pit = Pit()
    round_ = pit.start()
    assert pit.refused(MisdealRound(round_, "wrong-deal"), "D2") == {"not-the-dealer"}
    answer = pit.do(MisdealRound(round_, "wrong-deal"))
    assert (answer["returned"], answer["approved_by"]) == ({}, None)


@pytest.mark.parametrize("what", ["jackpot wager", "wager told", "hand set", "pressed"])
def test_once_the_round_has_begun_it_takes_a_supervisor(what: str) -> None:
    pit = Pit(progressive(paytable="6CFPGPP-4"))
    if what == "wager told":
        round_ = str(pit.do(StartRound("T1", wagers={"1": {"main": 1_000}}))["round"])
    else:
        round_ = str(pit.do(StartRound("T1", sensors={"1": [1]} if what != "hand set" else {}, occupied=[2]))["round"])
    if what == "hand set":
        pit.do(SetHand(round_, 2))
    if what == "pressed":
        pit.do(PressHand(round_, 1, "flush"))
    assert pit.refused(MisdealRound(round_, "missing-card")) == {"badge-needed"}
    assert pit.refused(MisdealRound(round_, "missing-card", badge="badge-D1")) == {"second-person"}
    assert pit.refused(MisdealRound(round_, "missing-card", badge="badge-D2")) == {"wrong-role"}
    assert pit.refused(MisdealRound(round_, "missing-card", "x" * 10_000, "badge-S1")) == {"text-too-long"}
    assert pit.do(MisdealRound(round_, "missing-card", badge="badge-S1"))["approved_by"] == "S1"


def test_a_paid_award_a_held_round_and_an_ended_one_stand() -> None:
    pit = Pit(meters={"L1/main": 2_000_000})
    round_ = pit.start(1)
    pit.pay(pit.hit(round_, 1, "royal-flush").id)
    misdeal = MisdealRound(round_, "wrong-deal", badge="badge-S1")
    assert pit.refused(misdeal) == {"award-paid"}
    pit.end(round_)
    assert pit.refused(misdeal) == {"no-such-round"}
    held = pit.start(1)
    pit.do(HoldRound(held, "badge-S1", "disputed"))
    assert pit.refused(MisdealRound(held, "wrong-deal", badge="badge-S1")) == {"round-held"}
    pit.do(DecideRound(held, "badge-E1", "resume", "film", "film 3"), "S2")
    pit.do(MisdealRound(held, "wrong-deal", badge="badge-S1"))


def test_a_full_register_keeps_nobody_s_wager_and_no_dealer_fills_it_alone() -> None:
    pit = Pit()
    for number in range(MOST_OPEN):
        pit.do(MisdealRound(pit.start(), "missing-card"))
        pit.do(ChangeDeck("T1", f"A-{number}", 53))
    round_ = pit.start()
    assert pit.refused(MisdealRound(round_, "missing-card")) == {"badge-needed"}
    pit.do(MisdealRound(round_, "missing-card", badge="badge-S1"))
    assert len(pit.floor.papers_of("incident")) == MOST_OPEN + 1
