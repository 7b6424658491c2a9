"""Progressives that leave play by way of a promotion: money put aside, given back in time, or moved on after all."""

from __future__ import annotations

import json
from typing import Any

import pytest

from houseway.amounts import Micros
from houseway.manager.commands.link_commands import PayPromotion, RecordDeposit
from houseway.manager.core import settings
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.handlers.funds import DAY, funds_due, is_overdue
from houseway.manager.handlers.promotions import reminders
from houseway.manager.views.jackpot_views import link_view
from tests.manager.floors import ACCOUNTING, CAGE, EXECUTIVE, SUPERVISOR, SURVEILLANCE, Room, badge
from tests.manager.links.desk import end, held, link_of, make, opened, papers, playing_room, refused_proposal, start

MINE = 400_000 + 6_666
"""What two wagers of a dollar put on meter and reserve, in micros: not a whole number of cents."""


@pytest.fixture
def room() -> Room:
    """L1 with a round played on it; its seed is on the meter."""
    found = playing_room(levels={"main": LevelParameters(250_000, "1/5", "1/300")})
    end(found, start(found, seats=(1, 2)))
    return found


def retire(**more: Any) -> dict[str, Any]:
    return {
        "change": "retire", "link": "L1", "paper": "notice of June 1", "promotions": {"main": " Drawing of July "},
        "recover_seed": True, **more,
    }  # fmt: skip


def pay(cents: int, second: str = ACCOUNTING, paper: str = "list of winners", level: str = "main") -> PayPromotion:
    return PayPromotion("L1", level, cents, paper, badge(second))


def put_aside(room: Room) -> Micros:
    make(room, **retire())
    return held(room, "promotion", "L1", "main")


def transfers(room: Room) -> list[tuple[str, str, int, str]]:
    """The transfers of the last event: debit, credit, micros, reason."""
    return [(each[0], each[1], each[2], each[3]) for each in json.loads(room.events[-1].body)["post"]]


def test_a_promotion_takes_the_players_money_out_of_play(room: Room) -> None:
    answer = make(room, **retire())
    assert held(room, "promotion", "L1", "main") == MINE
    for kind in ("meter", "reserve", "overflow", "locked", "seed"):
        assert held(room, kind, "L1", "main") == 0
    by = room.now + 60 * DAY
    moved = {
        "seed_recovered_micros": 2_500_000_000, "moved_micros": MINE, "promotion": "Drawing of July", "return_by": by,
    }  # fmt: skip
    assert answer["moved"] == {"main": moved}
    (paper,) = papers(room, "link-retirement")
    assert (paper["reference"], paper["moved"]) == ("notice of June 1", answer["moved"])
    view = link_view(room.floor, link_of(room))
    kept = view.promotions["main"]
    assert (view.status, kept.promotion, kept.left_micros, kept.return_by, kept.ended_at) == (
        "retired", "Drawing of July", MINE, by, None,
    )  # fmt: skip


def test_nothing_is_netted(room: Room) -> None:
    """Meter and reserve go their ways in transfers of their own, each with its reason."""
    before = {kind: held(room, kind, "L1", "main") for kind in ("meter", "reserve")}
    seed = 2_500_000_000
    make(room, **retire())
    assert transfers(room) == [
        ("meter/L1/main", "seed/L1/main", seed, "recover-seed"),
        ("meter/L1/main", "promotion/L1/main", before["meter"] - seed, "promotion"),
        ("reserve/L1/main", "promotion/L1/main", before["reserve"], "promotion"),
    ]


def test_the_time_is_the_setting_of_the_day_on_which_the_link_retired(room: Room) -> None:
    make(room, change="setting", name="retirement_days", value=30)
    make(room, **retire())
    by = room.now + 30 * DAY
    make(room, change="setting", name="retirement_days", value=300)
    assert link_of(room).promotions["main"].return_by == by


def test_the_bank_account_keeps_the_money_until_it_is_given_back(room: Room) -> None:
    room.do(CAGE, RecordDeposit("L1", 300_000, "deposit 1", badge(ACCOUNTING)))
    house = room.balance("house")
    put_aside(room)
    assert held(room, "bank", "L1") == MINE
    assert room.balance("house") == house + 3_000_000_000 - MINE
    room.do(CAGE, RecordDeposit("L1", -40, "withdrawal 1", badge(ACCOUNTING)))
    assert funds_due(room.floor, link_of(room)) == 400_000
    room.now += 8 * DAY
    assert is_overdue(room.floor, link_of(room), room.now), "the account of a promotion is watched as well"
    room.do(CAGE, RecordDeposit("L1", 40, "deposit 2", badge(ACCOUNTING)))
    room.do(CAGE, pay(41))
    room.do(CAGE, RecordDeposit("L1", -40, "withdrawal 2", badge(ACCOUNTING)))
    assert room.refused(CAGE, RecordDeposit("L1", -1, "withdrawal 3", badge(ACCOUNTING))) == {("bank-short", "cents")}


def test_two_people_pay_it_and_the_last_payment_is_whole_cents(room: Room) -> None:
    left = put_aside(room)
    answer = room.do(CAGE, pay(20))
    assert (answer["left_micros"], answer["added_micros"]) == (left - 200_000, 0)
    assert link_of(room).promotions["main"].ended_at == 0
    answer = room.do(CAGE, pay(21))
    # 40.6666 cents waited: players get 41, and the house adds the rest in a transfer of its own.
    assert (answer["left_micros"], answer["added_micros"], answer["promotion"]) == (0, 3_334, "Drawing of July")
    assert transfers(room) == [
        ("prizes/L1", "promotion/L1/main", 3_334, "promotion-rounded"),
        ("promotion/L1/main", "paid/L1", 210_000, "promotion-paid"),
    ]
    assert link_of(room).promotions["main"].ended_at == room.now
    assert [each["cents"] for each in papers(room, "promotion-payment")] == [20, 21]
    assert room.refused(CAGE, pay(1)) == {("no-promotion", "level")}


@pytest.mark.parametrize(
    ("actor", "command", "found"),
    [
        (CAGE, pay(0), {("out-of-range", "cents")}),
        (CAGE, pay(42), {("out-of-range", "cents")}),
        (CAGE, pay(-1, paper=" "), {("out-of-range", "cents"), ("reason-needed", "paper")}),
        (CAGE, pay(1, level="mega"), {("unknown-level", "level")}),
        (CAGE, PayPromotion("L9", "main", 1, "list", badge(ACCOUNTING)), {("unknown-link", "link")}),
        (CAGE, pay(1, CAGE), {("second-person", "badge")}),
        (CAGE, pay(1, SURVEILLANCE), {("wrong-role", "badge")}),
        (SUPERVISOR, pay(1), {("wrong-role", "actor")}),
    ],
)
def test_payments_that_are_refused(room: Room, actor: str, command: PayPromotion, found: set[tuple[str, str]]) -> None:
    put_aside(room)
    before = dict(room.floor.balances)
    assert room.refused(actor, command) == found
    assert room.floor.balances == before


def test_a_promotion_that_does_not_take_place_goes_onto_another_progressive(room: Room) -> None:
    room.do(CAGE, RecordDeposit("L1", 300_000, "deposit 1", badge(ACCOUNTING)))
    left = put_aside(room)
    opened(room, "L2", "FPGPP-WA07")
    before = held(room, "meter", "L2", "main")
    room.do(CAGE, pay(10))
    drop = {"change": "drop-promotion", "link": "L1", "level": "main", "to_link": "L2", "to_level": "main"}
    assert refused_proposal(room, **drop, paper=" ") == {("reason-needed", "what.paper")}
    for more, found in (
        ({"to_link": "L1"}, ("bad-destination", "what.to_link")),
        ({"to_level": "mega"}, ("unknown-level", "what.to_level")),
        ({"link": "L9"}, ("unknown-link", "what.link")),
    ):
        assert refused_proposal(room, **{**drop, **more}, paper="letter") == {found}
    answer = make(room, **drop, paper="letter 4")
    assert held(room, "meter", "L2", "main") == before + left - 100_000
    assert (held(room, "bank", "L1"), held(room, "bank", "L2")) == (0, left - 100_000)
    assert answer["moved"]["main"]["link"] == "L2"
    assert link_of(room).promotions["main"].ended_at == room.now
    assert refused_proposal(room, **drop, paper="letter 4") == {("no-promotion", "what.level")}
    assert reminders(room.floor, room.now + 90 * DAY) == []


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"promotions": {}}, {("destination-needed", "what.to.main")}),
        ({"promotions": {"main": " "}}, {("reason-needed", "what.promotions.main")}),
        ({"to": {"main": {"link": "L2", "level": "main"}}}, {("bad-destination", "what.promotions.main")}),
        ({"promotions": {"main": "x", "mini": "y"}}, {("unknown-level", "what.promotions.mini")}),
    ],
)
def test_retirements_by_promotion_that_are_refused(
    room: Room, more: dict[str, Any], found: set[tuple[str, str]]
) -> None:
    opened(room, "L2", "FPGPP-WA07")
    assert refused_proposal(room, **retire(**more)) == found


def test_somebody_is_reminded_before_the_time_runs_out(room: Room) -> None:
    put_aside(room)
    by = link_of(room).promotions["main"].return_by
    days = settings.value(room.floor, "retirement_reminder_days", room.now)
    assert reminders(room.floor, by - days * DAY - 1) == []
    (due,) = reminders(room.floor, by - days * DAY)
    assert (due.code, due.about, due.due_at) == ("promotion-due", "L1/main", by)
    assert "$0.406666 of L1/main must be back with players by" in due.message
    assert "(in 14 days)" in due.message
    assert "houseway link pay-promotion" in due.message
    (late,) = reminders(room.floor, by + 3 * DAY)
    assert late.code == "promotion-overdue"
    assert "(3 days ago)" in late.message
    make(room, change="setting", name="retirement_reminder_days", value=2, approver=EXECUTIVE)
    assert reminders(room.floor, by - 3 * DAY) == []
