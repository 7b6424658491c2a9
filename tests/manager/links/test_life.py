"""The life of a link: opening amounts on record, deposits, a short account, stops and resumptions, with papers."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.manager.commands.house_commands import AddPerson, ConfirmPerson
from houseway.manager.commands.link_commands import OpenLink, RecordDeposit, ResumeLink, StopLink
from houseway.manager.commands.round_commands import StartRound
from houseway.manager.core.engine import SYSTEM
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.handlers.funds import funds, funds_due, is_overdue
from tests.manager.floors import (
    ACCOUNTING,
    AUDITOR,
    CAGE,
    DAY,
    DEALER,
    EXECUTIVE,
    OTHER_SUPERVISOR,
    SUPERVISOR,
    Room,
    badge,
    new_room,
)
from tests.manager.links.desk import (
    approve,
    codes,
    draft,
    end,
    held,
    hit,
    house_jackpot,
    link_of,
    make,
    opened,
    papers,
    pay,
    playing_room,
    propose,
    start,
)

ML2 = {
    "mega": LevelParameters(1_000_000, "1/10", "1/100", limit=5_000_000),
    "major": LevelParameters(200_000, "1/20", "1/100"),
    "minor": LevelParameters(50_000, "1/20", "1/100"),
}


def opening(seed: int = 250_000, **more: int) -> dict[str, Any]:
    return {"main": {"seed": seed, **more}}


# ---------------------------------------------------------------- opening


def test_opening_posts_every_level_and_goes_on_record() -> None:
    room = new_room()
    draft(room, paytable_id="FPGPP-ML2", levels=ML2)
    amounts: dict[str, Any] = {
        "mega": {"seed": 1_000_000, "carried": 123_456},
        "major": {"seed": 200_000},
        "minor": {"carried": 60_000},
    }
    answer = room.do(ACCOUNTING, OpenLink("L1", amounts, badge(EXECUTIVE), "from the progressive of 2019"))
    assert link_of(room).status == "open"
    assert held(room, "meter", "L1", "mega") == 1_123_456 * 10_000
    assert held(room, "meter", "L1", "minor") == 60_000 * 10_000
    assert held(room, "seed", "L1", "mega") == 1_000_000 * 10_000
    assert held(room, "seed", "L1", "minor") == 0
    assert room.balance("house") == (123_456 + 60_000) * 10_000
    (paper,) = papers(room, "link-opening")
    assert paper["amounts"] == answer["opening"]
    assert (paper["note"], paper["second_person"]) == ("from the progressive of 2019", EXECUTIVE)
    assert codes(answer) == []


def test_a_level_that_opens_below_its_seed_is_warned_of() -> None:
    room = new_room()
    draft(room)
    answer = room.do(ACCOUNTING, OpenLink("L1", opening(249_999), badge(EXECUTIVE)))
    assert codes(answer) == [("opens-below-seed", "main")]


@pytest.mark.parametrize(
    ("amounts", "found"),
    [
        ({}, {("link-levels", "opening")}),
        ({"main": {"seed": 1}, "minor": {"seed": 1}}, {("link-levels", "opening")}),
        ({"main": {}}, {("missing-key", "opening.main")}),
        ({"main": {"seed": -1}}, {("out-of-range", "opening.main.seed")}),
        (
            {"main": {"seed": 300_000, "carried": 1}},
            {("above-posted-limit", "opening.main"), ("reason-needed", "note")},
        ),
    ],
)
def test_opening_amounts_that_are_refused(amounts: dict[str, Any], found: set[tuple[str, str]]) -> None:
    room = new_room()
    draft(room, levels={"main": LevelParameters(250_000, "1/10", "1/100", limit=300_000)})
    assert room.refused(ACCOUNTING, OpenLink("L1", amounts, badge(EXECUTIVE))) == found


def test_opening_up_to_the_limit() -> None:
    room = new_room()
    draft(room, levels={"main": LevelParameters(250_000, "1/10", "1/100", limit=300_000)})
    room.do(ACCOUNTING, OpenLink("L1", opening(250_000, carried=50_000), badge(EXECUTIVE), "2019"))
    assert held(room, "meter", "L1", "main") == 300_000 * 10_000


@pytest.mark.parametrize(
    ("actor", "second", "found"),
    [
        (EXECUTIVE, EXECUTIVE, {("second-person", "badge")}),
        (SUPERVISOR, OTHER_SUPERVISOR, {("same-department", "badge")}),
        (SUPERVISOR, DEALER, {("wrong-role", "badge")}),
        (SUPERVISOR, AUDITOR, {("wrong-role", "badge")}),
        (DEALER, EXECUTIVE, {("wrong-role", "actor")}),
        (CAGE, EXECUTIVE, {("wrong-role", "actor")}),
    ],
)
def test_two_people_of_two_departments_open_a_link(actor: str, second: str, found: set[tuple[str, str]]) -> None:
    room = new_room()
    draft(room)
    assert room.refused(actor, OpenLink("L1", opening(), badge(second))) == found


def test_a_card_that_is_nobody_s_opens_nothing() -> None:
    room = new_room()
    draft(room)
    assert room.refused(ACCOUNTING, OpenLink("L1", opening(), "a stranger's")) == {("unknown-badge", "badge")}


def test_a_link_is_opened_once_and_must_exist() -> None:
    room = new_room()
    opened(room)
    assert room.refused(ACCOUNTING, OpenLink("L1", opening(), badge(EXECUTIVE))) == {("link-not-draft", "link")}
    assert room.refused(ACCOUNTING, OpenLink("L9", opening(), badge(EXECUTIVE))) == {("unknown-link", "link")}


def test_what_became_impossible_since_the_draft_is_not_opened() -> None:
    room = new_room()
    draft(room)
    make(room, change="setting", name="rarest_jackpot", value=1_000_000)
    assert room.refused(ACCOUNTING, OpenLink("L1", opening(), badge(EXECUTIVE))) == {("jackpot-too-rare", "paytable")}


def test_a_house_jackpot_opens_without_amounts() -> None:
    room = new_room()
    house_jackpot(room)
    assert link_of(room, "H1").status == "open"
    assert room.floor.balances == {}
    from houseway.manager.commands.link_commands import CreateLink

    room.do(ACCOUNTING, CreateLink("H2", "house", "FPGPP-WA01", prizes={"main": 1}))
    command = OpenLink("H2", opening(), badge(EXECUTIVE))
    assert room.refused(ACCOUNTING, command) == {("wrong-link-kind", "opening")}


# ---------------------------------------------------------------- deposits and the amount due


def test_the_account_should_hold_all_that_is_held_for_players() -> None:
    room = playing_room()
    link = link_of(room)
    assert funds_due(room.floor, link) == 250_000 * 10_000
    room.do(CAGE, RecordDeposit("L1", 250_000, "slip 1", badge(ACCOUNTING)))
    assert funds_due(room.floor, link_of(room)) == 0
    start(room, seats=(1, 2, 3, 4, 5))
    assert funds_due(room.floor, link) == 5 * 160_000, "contributions and reserves of five wagers"


def test_locked_awards_are_still_held_until_they_are_paid() -> None:
    room = playing_room()
    room.do(CAGE, RecordDeposit("L1", 250_000, "slip 1", badge(ACCOUNTING)))
    round_ = start(room, seats=(1,))
    before = funds_due(room.floor, link_of(room))
    award = hit(room, round_, 1, "seven-card-straight-flush")
    assert funds_due(room.floor, link_of(room)) == before + 250_000 * 10_000, "the reseed is displayed now"
    pay(room, award)
    paid = room.floor.awards[award].cents
    assert funds_due(room.floor, link_of(room)) == before + 250_000 * 10_000 - paid * 10_000


def test_a_deposit_moves_money_and_leaves_a_paper() -> None:
    room = playing_room()
    answer = room.do(CAGE, RecordDeposit("L1", 100_000, "slip 7", badge(ACCOUNTING)))
    assert held(room, "bank", "L1") == 100_000 * 10_000
    assert room.balance("house") == -100_000 * 10_000 - sum(room.balance(f"tray/{table}") for table in ("T1", "T2"))
    assert answer["due_micros"] == 150_000 * 10_000
    assert codes(answer) == [("deposit-due", None)]
    assert papers(room, "link-deposit") == [{"cents": 100_000, "reference": "slip 7", "second_person": ACCOUNTING}]


def test_a_withdrawal_takes_only_what_is_there() -> None:
    room = playing_room()
    room.do(CAGE, RecordDeposit("L1", 100_000, "slip 7", badge(ACCOUNTING)))
    assert room.refused(CAGE, RecordDeposit("L1", -100_001, "order 1", badge(ACCOUNTING))) == {("bank-short", "cents")}
    room.do(CAGE, RecordDeposit("L1", -100_000, "order 1", badge(ACCOUNTING)))
    assert held(room, "bank", "L1") == 0


@pytest.mark.parametrize(
    ("command", "found"),
    [
        (RecordDeposit("L1", 0, "slip", badge(ACCOUNTING)), {("out-of-range", "cents")}),
        (RecordDeposit("L1", 10**13, "slip", badge(ACCOUNTING)), {("out-of-range", "cents")}),
        (RecordDeposit("L1", 100, " ", badge(ACCOUNTING)), {("reason-needed", "paper")}),
        (RecordDeposit("L9", 100, "slip", badge(ACCOUNTING)), {("unknown-link", "link")}),
        (RecordDeposit("H1", 100, "slip", badge(ACCOUNTING)), {("wrong-link-kind", "link")}),
        (RecordDeposit("L2", 100, "slip", badge(ACCOUNTING)), {("link-not-open", "link")}),
    ],
)
def test_deposits_that_are_refused(command: RecordDeposit, found: set[tuple[str, str]]) -> None:
    room = new_room()
    opened(room)
    house_jackpot(room)
    draft(room, "L2")
    assert room.refused(CAGE, command) == found
    assert room.refused(SUPERVISOR, command) == {("wrong-role", "actor")}


@pytest.mark.parametrize("cents", [100, -100])
@pytest.mark.parametrize(
    ("actor", "second", "found"),
    [
        (ACCOUNTING, ACCOUNTING, {("second-person", "badge")}),
        (ACCOUNTING, AUDITOR, {("wrong-role", "badge")}),
        (ACCOUNTING, DEALER, {("wrong-role", "badge")}),
        (ACCOUNTING, "nobody", {("unknown-badge", "badge")}),
        (ACCOUNTING, CAGE, set()),
        (CAGE, EXECUTIVE, set()),
    ],
)
def test_a_deposit_and_a_withdrawal_take_two_people(
    cents: int, actor: str, second: str, found: set[tuple[str, str]]
) -> None:
    room = playing_room()
    room.do(CAGE, RecordDeposit("L1", 100, "slip 1", badge(ACCOUNTING)))
    command = RecordDeposit("L1", cents, "slip 2", badge(second))
    if found:
        assert room.refused(actor, command) == found
    else:
        assert room.do(actor, command)["second_person"] == second


def test_both_people_of_a_deposit_are_not_of_one_department() -> None:
    room = playing_room()
    colleague = AddPerson("Accounting 2", "Accounting 2", "accounting", ["accounting"], "new badge", badge(ACCOUNTING))
    room.do(EXECUTIVE, colleague)
    room.do(CAGE, ConfirmPerson("Accounting 2", "new badge"))
    for cents in (100, -100):
        command = RecordDeposit("L1", cents, "slip", "new badge")
        assert room.refused(ACCOUNTING, command) == {("same-department", "badge")}


def test_an_account_that_was_not_whole_for_a_week_is_overdue() -> None:
    room = playing_room()
    assert not is_overdue(room.floor, link_of(room), room.now + 7 * DAY)
    assert is_overdue(room.floor, link_of(room), room.now + 7 * DAY + 1)
    make(room, change="setting", name="deposit_days", value=3)
    assert is_overdue(room.floor, link_of(room), room.now + 3 * DAY + 1)
    room.now += 2 * DAY
    room.do(CAGE, RecordDeposit("L1", 250_000, "slip 1", badge(ACCOUNTING)))
    assert link_of(room).funded_at == room.now
    start(room)
    assert not is_overdue(room.floor, link_of(room), room.now + 3 * DAY)
    assert is_overdue(room.floor, link_of(room), room.now + 3 * DAY + 1)


def test_a_part_of_what_is_overdue_stops_the_link_by_policy() -> None:
    room = playing_room()
    room.now += 8 * DAY
    answer = room.do(CAGE, RecordDeposit("L1", 100, "slip 1", badge(ACCOUNTING)))
    assert (answer["status"], answer["overdue"]) == ("stopped", True)
    assert codes(answer) == [("account-overdue", None)]
    assert link_of(room).status_reason.startswith("account-short")


def test_with_the_policy_warn_a_short_account_only_warns() -> None:
    room = playing_room()
    make(room, change="setting", name="short_account", value="warn")
    room.now += 8 * DAY
    answer = room.do(CAGE, RecordDeposit("L1", 100, "slip 1", badge(ACCOUNTING)))
    assert (answer["status"], codes(answer)) == ("open", [("account-overdue", None)])
    stop = StopLink("L1", "", "account-short", "the account is short")
    assert room.refused(SYSTEM, stop) == {("wrong-role", "actor")}


def test_the_system_itself_stops_a_link_whose_account_is_overdue_and_only_then() -> None:
    room = playing_room()
    stop = StopLink("L1", "", "account-short", "the account is short")
    assert room.refused(SYSTEM, stop) == {("wrong-role", "actor")}
    room.now += 8 * DAY
    other = StopLink("L1", "", "other", "because")
    assert room.refused(SYSTEM, other) == {("wrong-role", "actor")}
    answer = room.do(SYSTEM, stop)
    assert answer["second_person"] is None
    assert answer["funds"]["due_micros"] == 250_000 * 10_000
    resume = ResumeLink("L1", badge(EXECUTIVE), "slip 9")
    assert room.refused(ACCOUNTING, resume) == {("account-short", "link")}
    room.do(CAGE, RecordDeposit("L1", 250_000, "slip 9", badge(ACCOUNTING)))
    assert room.do(ACCOUNTING, resume)["status"] == "open"


def test_the_state_of_the_account_for_screens() -> None:
    room = playing_room()
    shown = funds(room.floor, link_of(room), room.now)
    assert shown.should_hold_micros == shown.due_micros == 2_500_000_000
    assert (shown.holds_micros, shown.overdue) == (0, False)


# ---------------------------------------------------------------- stop and resume


def test_seized_funds_stop_a_link_until_a_paper_says_they_are_back() -> None:
    room = playing_room()
    answer = room.do(SUPERVISOR, StopLink("L1", badge(EXECUTIVE), "funds-seized", "levy of May 2"))
    assert answer["status"] == "stopped"
    assert link_of(room).status_reason == "funds-seized: levy of May 2"
    assert papers(room, "link-stop") == [
        {"cause": "funds-seized", "reason": "levy of May 2", "second_person": EXECUTIVE}
    ]
    taken = room.refused(DEALER, StartRound("T1", {"1": [1]}))
    assert taken, "a stopped link takes no wagers"
    assert room.refused(ACCOUNTING, ResumeLink("L1", badge(EXECUTIVE), "")) == {("reason-needed", "paper")}
    answer = room.do(ACCOUNTING, ResumeLink("L1", badge(EXECUTIVE), "release of May 9"))
    assert answer["status"] == "open"
    assert (link_of(room).status, link_of(room).status_reason) == ("open", "")
    (paper,) = papers(room, "link-resume")
    assert (paper["reference"], paper["was"]) == ("release of May 9", "funds-seized: levy of May 2")
    start(room)


def test_after_seized_funds_two_departments_let_a_link_play_again() -> None:
    room = playing_room()
    room.do(SUPERVISOR, StopLink("L1", badge(EXECUTIVE), "funds-seized", "levy of May 2"))
    assert room.refused(SUPERVISOR, ResumeLink("L1", badge(OTHER_SUPERVISOR), "release")) == {
        ("same-department", "badge")
    }
    assert room.do(SUPERVISOR, ResumeLink("L1", badge(ACCOUNTING), "release"))["status"] == "open"
    room.do(SUPERVISOR, StopLink("L1", badge(EXECUTIVE), "malfunction", "the sign is dark"))
    assert room.do(SUPERVISOR, ResumeLink("L1", badge(OTHER_SUPERVISOR), "report"))["status"] == "open"


def test_rounds_in_play_are_settled_on_a_stopped_link() -> None:
    room = playing_room()
    round_ = start(room)
    room.do(SUPERVISOR, StopLink("L1", badge(EXECUTIVE), "malfunction", "the sign is dark"))
    award = hit(room, round_, 1, "royal-flush-royal-match")
    pay(room, award)
    end(room, round_)


@pytest.mark.parametrize(
    ("actor", "second", "found"),
    [
        (SUPERVISOR, SUPERVISOR, {("second-person", "badge")}),
        (SUPERVISOR, DEALER, {("wrong-role", "badge")}),
        (DEALER, SUPERVISOR, {("wrong-role", "actor")}),
    ],
)
def test_stopping_and_resuming_take_two_people(actor: str, second: str, found: set[tuple[str, str]]) -> None:
    room = playing_room()
    stop = StopLink("L1", badge(second), "other", "water")
    assert room.refused(actor, stop) == found
    room.do(SUPERVISOR, StopLink("L1", badge(OTHER_SUPERVISOR), "other", "water in the cable duct"))
    assert room.refused(actor, ResumeLink("L1", badge(second), "report")) == found


def test_what_cannot_be_stopped_or_resumed() -> None:
    room = new_room()
    draft(room, "L2")
    opened(room)
    assert room.refused(SUPERVISOR, StopLink("L2", badge(EXECUTIVE), "other", "x")) == {("link-not-open", "link")}
    assert room.refused(SUPERVISOR, StopLink("L1", badge(EXECUTIVE), "other", "")) == {("reason-needed", "reason")}
    assert room.refused(SUPERVISOR, StopLink("L9", badge(EXECUTIVE), "other", "x")) == {("unknown-link", "link")}
    assert room.refused(SUPERVISOR, ResumeLink("L1", badge(EXECUTIVE), "x")) == {("link-not-stopped", "link")}
    room.do(SUPERVISOR, StopLink("L1", badge(EXECUTIVE), "other", "x"))
    assert room.refused(SUPERVISOR, StopLink("L1", badge(EXECUTIVE), "other", "x")) == {("link-not-open", "link")}


def test_a_link_that_drains_goes_on_draining_after_a_stop() -> None:
    room: Room = playing_room()
    round_ = start(room)
    approve(room, propose(room, change="level", link="L1", level="main", seed=300_000, drain=True))
    assert link_of(room).status == "draining"
    room.do(SUPERVISOR, StopLink("L1", badge(EXECUTIVE), "other", "water"))
    assert room.do(SUPERVISOR, ResumeLink("L1", badge(EXECUTIVE), "dry again"))["status"] == "draining"
    end(room, round_)
    assert (link_of(room).status, link_of(room).levels["main"].seed) == ("open", 300_000)
