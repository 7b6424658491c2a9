"""Money that two people move: adjustments by reason code, awards backed out, links retired."""

from __future__ import annotations

import json
from typing import Any

import pytest

from houseway.errors import InputError
from houseway.manager.commands.house_commands import CloseTable, OpenTable
from houseway.manager.commands.link_commands import Approve, Propose, RecordDeposit, Withdraw
from houseway.manager.commands.round_commands import DecideRound, HoldRound, PressHand, VoidRound
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.core.money import dollars
from houseway.manager.handlers.adjustments import REASONS
from houseway.manager.handlers.funds import funds_due
from houseway.manager.handlers.past_awards import MOST_KEPT
from houseway.manager.views.jackpot_views import recent_awards
from tests.manager.floors import (
    ACCOUNTING,
    CAGE,
    DEALER,
    EXECUTIVE,
    OTHER_DEALER,
    SUPERVISOR,
    Room,
    badge,
)
from tests.manager.links.desk import (
    approve,
    draft,
    end,
    held,
    hit,
    house_jackpot,
    level_of,
    link_of,
    make,
    opened,
    papers,
    pay,
    playing_room,
    propose,
    refused_proposal,
    start,
    win,
)

DOLLAR = 1_000_000
SEED = 2_500 * DOLLAR


@pytest.fixture
def room() -> Room:
    """The meter holds its seed of 2,500 dollars, the reserve a dollar and the overflow half a dollar."""
    found = playing_room(levels={"main": LevelParameters(250_000, "15/100", "1/100")})
    make(found, **adjust("malfunction", DOLLAR, account="reserve"))
    make(found, **adjust("malfunction", DOLLAR // 2, account="overflow"))
    return found


def adjust(code: str, amount: int, **more: Any) -> dict[str, Any]:
    return {
        "change": "adjustment", "link": "L1", "level": "main", "code": code, "micros": amount,
        "reference": "incident 12", **more,
    }  # fmt: skip


def meter(room: Room, link: str = "L1", level: str = "main") -> int:
    return held(room, "meter", link, level)


# ---------------------------------------------------------------- reason codes


POSTINGS = [
    ("won", -5 * DOLLAR, {}, {"meter/L1/main": 5, "paid/L1": -5}),
    ("malfunction", -5 * DOLLAR, {}, {"meter/L1/main": 5, "house": -5}),
    ("malfunction", 5 * DOLLAR, {}, {"meter/L1/main": -5, "house": 5}),
    ("malfunction", 5 * DOLLAR, {"table": "T1"}, {"meter/L1/main": -5, "receipts/T1": 5}),
    ("malfunction", -DOLLAR, {"account": "reserve"}, {"reserve/L1/main": 1, "house": -1}),
    ("malfunction", DOLLAR, {"account": "overflow"}, {"overflow/L1/main": -1, "house": 1}),
    ("recover-seed", -5 * DOLLAR, {}, {"meter/L1/main": 5, "seed/L1/main": -5}),
    ("book-receipts", -DOLLAR, {"account": "reserve", "table": "T1"}, {"reserve/L1/main": 1, "receipts/T1": -1}),
    ("voided-round", -DOLLAR, {"table": "T2"}, {"meter/L1/main": 1, "receipts/T2": -1}),
    ("seed-added", 5 * DOLLAR, {}, {"meter/L1/main": -5, "seed/L1/main": 5}),
    ("reserve-released", DOLLAR, {}, {"meter/L1/main": -1, "reserve/L1/main": 1}),
    ("carried", 5 * DOLLAR, {}, {"meter/L1/main": -5, "house": 5}),
]


@pytest.mark.parametrize(("code", "amount", "more", "moved"), POSTINGS)
def test_what_each_reason_posts(
    room: Room, code: str, amount: int, more: dict[str, Any], moved: dict[str, int]
) -> None:
    before = dict(room.floor.balances)
    answer = make(room, **adjust(code, amount, **more))
    assert answer["status"] == "made"
    after = room.floor.balances
    changed = {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name, 0)}
    assert changed == {name: dollars * DOLLAR for name, dollars in moved.items()}
    paper = papers(room, "link-adjustment")[-1]
    assert (paper["code"], paper["micros"], paper["reference"]) == (code, amount, "incident 12")
    assert (paper["proposed_by"], paper["approved_by"], paper["reason"]) == (SUPERVISOR, EXECUTIVE, "as agreed")


def test_overflow_above_a_lifted_limit_is_released(room: Room) -> None:
    make(room, **adjust("overflow-released", DOLLAR // 2))
    assert held(room, "overflow", "L1", "main") == 0
    assert meter(room) == SEED + DOLLAR // 2


def test_the_amount_above_a_posted_limit_goes_to_overflow(room: Room) -> None:
    """No meter rises above its limit; one that did under an earlier version, or by a malfunction, is put right."""
    make(room, change="limit", link="L1", level="main", limit=250_000, posted="signs")
    over = 7 * DOLLAR
    for engine in (room.engine, room.follower):
        engine.floor.transfer("house", "meter/L1/main", over)
    round_ = start(room, seats=(1,))
    proposal = propose(room, **adjust("above-limit", -over))
    assert refused_proposal(room, **adjust("above-limit", -over - 1)) == {("above-bound", "what.micros")}
    before = held(room, "overflow", "L1", "main")
    assert approve(room, proposal)["status"] == "waiting", "a displayed amount falls between rounds"
    end(room, round_)
    assert meter(room) == SEED
    assert held(room, "overflow", "L1", "main") == before + over


def test_without_a_limit_nothing_is_above_it(room: Room) -> None:
    assert refused_proposal(room, **adjust("above-limit", -1)) == {("above-bound", "what.micros")}


def test_every_reason_code_is_tried_here() -> None:
    tried = {code for code, *_ in POSTINGS} | {"overflow-released", "above-limit"}
    assert tried == set(REASONS)


@pytest.mark.parametrize("code", list(REASONS))
def test_an_amount_in_the_wrong_direction_or_of_nothing(room: Room, code: str) -> None:
    reason = REASONS[code]
    more: dict[str, Any] = {"account": reason.accounts[0]} | ({"table": "T1"} if reason.table == "must" else {})
    wrong = [0, *([] if reason.rises else [1]), *([] if reason.falls else [-1])]
    for amount in wrong:
        assert refused_proposal(room, **adjust(code, amount, **more)) == {("wrong-direction", "what.micros")}


@pytest.mark.parametrize("account", ["meter", "reserve", "overflow"])
def test_nothing_that_is_held_falls_below_zero(room: Room, account: str) -> None:
    there = held(room, account, "L1", "main")
    assert refused_proposal(room, **adjust("malfunction", -there - 1, account=account)) == {
        ("below-zero", "what.micros")
    }
    make(room, **adjust("malfunction", -there, account=account))
    assert held(room, account, "L1", "main") == 0


@pytest.mark.parametrize(
    ("code", "amount", "more", "found"),
    [
        ("won", -1, {"account": "reserve"}, {("wrong-account", "what.account")}),
        ("book-receipts", -1, {"table": "T1"}, {("wrong-account", "what.account")}),
        ("book-receipts", -1, {"account": "reserve"}, {("table-needed", "what.table")}),
        ("voided-round", -1, {}, {("table-needed", "what.table")}),
        ("won", -1, {"table": "T1"}, {("unknown-table", "what.table")}),
        ("malfunction", -1, {"table": "T9"}, {("unknown-table", "what.table")}),
        ("malfunction", 10**17, {}, {("out-of-range", "what.micros")}),
        ("malfunction", 1, {"reference": " "}, {("reason-needed", "what.reference")}),
        ("malfunction", 1, {"level": "mega"}, {("unknown-level", "what.level")}),
        ("malfunction", 1, {"link": "L9"}, {("unknown-link", "what.link")}),
        ("malfunction", 1, {"link": "H1"}, {("wrong-link-kind", "what.link")}),
        ("malfunction", 1, {"link": "L2"}, {("link-not-open", "what.link")}),
        ("reserve-released", DOLLAR + 1, {}, {("above-bound", "what.micros")}),
        ("overflow-released", DOLLAR // 2 + 1, {}, {("above-bound", "what.micros")}),
    ],
)
def test_adjustments_that_are_refused(
    room: Room, code: str, amount: int, more: dict[str, Any], found: set[tuple[str, str]]
) -> None:
    house_jackpot(room)
    draft(room, "L2")
    assert refused_proposal(room, **adjust(code, amount, **more)) == found


def test_money_for_the_meter_goes_to_overflow_above_the_limit(room: Room) -> None:
    make(room, change="limit", link="L1", level="main", limit=250_100, posted="signs")
    assert meter(room) == SEED + DOLLAR // 2, "the limit has room for the overflow"
    make(room, **adjust("carried", 5 * DOLLAR))
    assert meter(room) == SEED + DOLLAR
    assert held(room, "overflow", "L1", "main") == 4 * DOLLAR + DOLLAR // 2
    assert refused_proposal(room, **adjust("seed-added", 1)) == {("above-bound", "what.micros")}
    assert refused_proposal(room, **adjust("overflow-released", 1)) == {("above-bound", "what.micros")}


def test_seed_money_is_recovered_once_and_only_what_is_still_there(room: Room) -> None:
    end(room, start(room, seats=(1, 2)))
    make(room, **adjust("seed-added", 10 * DOLLAR))
    assert refused_proposal(room, **adjust("recover-seed", -SEED - 10 * DOLLAR - 1)) == {("above-bound", "what.micros")}
    make(room, **adjust("recover-seed", -SEED))
    make(room, **adjust("recover-seed", -10 * DOLLAR))
    assert held(room, "seed", "L1", "main") == 0
    assert meter(room) == 300_000, "what players put in"
    assert refused_proposal(room, **adjust("recover-seed", -1)) == {("above-bound", "what.micros")}


def test_a_win_by_hand_is_counted(room: Room) -> None:
    make(room, **adjust("won", -100 * DOLLAR))
    figures = level_of(room)
    assert (figures.hits, figures.won_micros) == (1, 100 * DOLLAR)


def test_a_fall_of_the_display_waits_for_the_rounds_and_a_rise_does_not(room: Room) -> None:
    round_ = start(room)
    before = meter(room)
    assert make(room, **adjust("malfunction", DOLLAR))["status"] == "made"
    assert make(room, **adjust("malfunction", -DOLLAR, account="reserve"))["status"] == "made"
    assert make(room, **adjust("won", -DOLLAR))["status"] == "made", "that money is gone already"
    assert make(room, **adjust("malfunction", -DOLLAR))["status"] == "waiting"
    assert meter(room) == before
    end(room, round_)
    assert meter(room) == before - DOLLAR


def test_an_adjustment_that_the_meter_can_no_longer_bear_lapses(room: Room) -> None:
    round_ = start(room)
    proposal = propose(room, **adjust("malfunction", -2_000 * DOLLAR))
    approve(room, proposal)
    award = hit(room, round_, 1, "royal-flush-royal-match")
    pay(room, award)
    end(room, round_)
    assert room.floor.proposals[proposal["proposal"]].status == "lapsed"
    assert meter(room) > 1_000 * DOLLAR


# ---------------------------------------------------------------- a paid award is backed out


def back_out(award: str, **more: Any) -> dict[str, Any]:
    return {"change": "back-out", "award": award, "reference": "review 5", **more}


def test_a_paid_award_goes_back_onto_its_level(room: Room) -> None:
    round_ = start(room, seats=(1,))
    before = meter(room)
    award = hit(room, round_, 1, "royal-flush-royal-match")
    pay(room, award)
    cents = room.floor.awards[award].cents
    assert meter(room) == before - cents * 10_000
    answer = make(room, ACCOUNTING, SUPERVISOR, **back_out(award))
    assert (answer["cents"], answer["code"], answer["level"]) == (cents, "back-out-award", "main")
    assert meter(room) == before
    assert held(room, "paid", "L1") == 0
    assert (level_of(room).won_micros, level_of(room).hits) == (0, 1)
    assert room.floor.awards == {}, "its round is free of it"
    end(room, round_)
    paper = papers(room, "link-adjustment")[-1]
    assert (paper["award"], paper["code"], paper["approved_by"]) == (award, "back-out-award", SUPERVISOR)


def test_once_backed_out_is_all(room: Room) -> None:
    award = win(room)
    make(room, **back_out(award, recover_seed=False))
    assert refused_proposal(room, **back_out(award)) == {("award-backed-out", "what.award")}


def test_an_award_is_proposed_for_back_out_once(room: Room) -> None:
    """The second proposal is refused with the number of the first, until that one is withdrawn or made."""
    award, other = win(room), win(room)
    kept = back_out(award, recover_seed=False)
    first = propose(room, **kept)
    command = Propose(back_out(award, recover_seed=True), "the same once more")
    assert room.refused(ACCOUNTING, command) == {("already-proposed", "what.award")}
    with pytest.raises(InputError, match=f"{first['proposal']}, proposed by {SUPERVISOR}"):
        room.do(ACCOUNTING, command)
    propose(room, **back_out(other, recover_seed=False))
    room.do(SUPERVISOR, Withdraw(first["proposal"], "wrong award"))
    approve(room, propose(room, **kept))
    assert refused_proposal(room, **kept) == {("award-backed-out", "what.award")}


def test_an_award_is_backed_out_long_after_its_round(room: Room) -> None:
    award = win(room, "royal-flush-royal-match")
    for _ in range(3):
        end(room, start(room))
    assert award not in room.floor.awards
    before, cents = meter(room), level_of(room).recent[-1].cents
    make(room, **back_out(award))
    assert meter(room) == before + cents * 10_000
    assert level_of(room).recent[-1].backed_out_at == room.now
    row = dict(json.loads(room.events[-1].body)["rows"])["hit"]
    assert (row["award"], row["round"], row["status"], row["hand"]) == (
        award,
        "T1-1",
        "backed-out",
        "royal-flush-royal-match",
    )
    assert row["meter_after_micros"] - row["meter_before_micros"] == cents * 10_000


def test_a_jackpot_backed_out_with_its_seed(room: Room) -> None:
    award = win(room)
    end(room, start(room))
    cents, before = level_of(room).recent[-1].cents, meter(room)
    answer = make(room, **back_out(award, recover_seed=True))
    assert answer["seed_recovered_micros"] == SEED
    assert meter(room) == before - SEED + cents * 10_000
    assert held(room, "seed", "L1", "main") == SEED


def test_an_award_backed_out_above_the_limit_goes_to_overflow(room: Room) -> None:
    award = win(room, "royal-flush-royal-match")
    cents = level_of(room).recent[-1].cents
    limit = -(-(meter(room) + DOLLAR // 2) // 10_000)
    make(room, change="level", link="L1", level="main", seed=100_000)
    make(room, change="limit", link="L1", level="main", limit=limit, posted="signs")
    free = limit * 10_000 - meter(room)
    make(room, **back_out(award))
    assert meter(room) == limit * 10_000
    assert held(room, "overflow", "L1", "main") == cents * 10_000 - free


def test_what_is_not_paid_is_not_backed_out(room: Room) -> None:
    round_ = start(room)
    award = hit(room, round_, 1, "royal-flush-royal-match")
    assert refused_proposal(room, **back_out(award)) == {("award-not-paid", "what.award")}
    assert refused_proposal(room, **back_out("T9-9/9")) == {("no-such-award", "what.award")}
    pay(room, award)
    assert refused_proposal(room, change="back-out", award=award, reference=" ") == {
        ("reason-needed", "what.reference")
    }


def test_a_fixed_pay_goes_back_to_the_tray(room: Room) -> None:
    round_ = start(room, seats=(1,))
    tray, receipts = room.balance("tray/T1"), room.balance("receipts/T1")
    award = hit(room, round_, 1, "five-aces")
    pay(room, award)
    assert room.balance("tray/T1") == tray - 2_500 * DOLLAR
    assert refused_proposal(room, **back_out(award, recover_seed=True)) == {("wrong-account", "what.recover_seed")}
    make(room, **back_out(award))
    assert (room.balance("tray/T1"), room.balance("receipts/T1")) == (tray, receipts)


def test_a_tray_award_is_backed_out_rounds_later_and_once(room: Room) -> None:
    tray = room.balance("tray/T1")
    round_ = start(room, seats=(1,))
    award = hit(room, round_, 1, "five-aces")
    pay(room, award)
    end(room, round_)
    for _ in range(2):
        end(room, start(room, seats=()))
    assert award not in room.floor.awards, "its round is over for good"
    receipts, level = room.balance("receipts/T1"), level_of(room)
    assert make(room, ACCOUNTING, SUPERVISOR, **back_out(award))["source"] == "tray"
    assert room.balance("tray/T1") == tray
    assert room.balance("receipts/T1") == receipts - 2_500 * DOLLAR
    assert level_of(room) == level, "no meter had paid it"
    row = dict(json.loads(room.events[-1].body)["rows"])["hit"]
    assert (row["award"], row["round"], row["status"], row["cents"]) == (award, round_, "backed-out", 250_000)
    assert refused_proposal(room, **back_out(award)) == {("award-backed-out", "what.award")}


def test_a_tray_award_backed_out_in_its_round_is_not_backed_out_again(room: Room) -> None:
    round_ = start(room, seats=(1,))
    award = hit(room, round_, 1, "five-aces")
    pay(room, award)
    make(room, **back_out(award))
    assert refused_proposal(room, **back_out(award)) == {("award-backed-out", "what.award")}
    end(room, round_)
    end(room, start(room))
    assert refused_proposal(room, **back_out(award)) == {("award-backed-out", "what.award")}


def test_a_proposal_to_back_out_a_tray_award_is_approved_after_the_next_start(room: Room) -> None:
    tray = room.balance("tray/T1")
    round_ = start(room, seats=(1,))
    award = hit(room, round_, 1, "five-aces")
    pay(room, award)
    proposed = propose(room, **back_out(award))
    end(room, round_)
    start(room, seats=())
    assert approve(room, proposed)["status"] == "made"
    assert room.balance("tray/T1") == tray
    assert refused_proposal(room, **back_out(award)) == {("award-backed-out", "what.award")}


def test_small_awards_do_not_push_out_those_that_a_card_has_paid(room: Room) -> None:
    large = win(room, "five-aces")
    small = [win(room, "full-house") for _ in range(MOST_KEPT + 1)]
    end(room, start(room))
    assert len(room.floor.paid["T1"].awards) == MOST_KEPT + 1
    assert refused_proposal(room, **back_out(small[0])) == {("no-such-award", "what.award")}
    tray = room.balance("tray/T1")
    cents = make(room, **back_out(small[1]))["cents"] + make(room, **back_out(large))["cents"]
    assert room.balance("tray/T1") == tray + cents * 10_000
    recent = {each.award: each for each in recent_awards(room.floor)}
    assert (recent[large].backed_out_at, recent[large].source) == (room.now, "tray")
    assert recent[small[-1]].backed_out_at is None


def test_a_tray_award_backed_out_after_the_count_is_in_the_tray_at_the_next_opening(room: Room) -> None:
    award = win(room, "five-aces")
    room.do(SUPERVISOR, CloseTable("T1", 750_000, 0, badge(EXECUTIVE)))
    assert room.balance("tray/T1") == 0
    make(room, **back_out(award))
    assert room.balance("tray/T1") == 2_500 * DOLLAR
    room.put_papers_in_order("T1")
    assert room.do(EXECUTIVE, OpenTable("T1", 1_000_000, badge(SUPERVISOR)))["tray_cents"] == 1_250_000


def test_what_was_taken_back_at_the_table_is_not_backed_out(room: Room) -> None:
    round_ = start(room, seats=(1,))
    award = hit(room, round_, 1, "full-house")
    room.do(DEALER, PressHand(round_, 1, "full-house"))
    end(room, round_)
    end(room, start(room))
    assert refused_proposal(room, **back_out(award)) == {("no-such-award", "what.award")}


@pytest.mark.parametrize("later", [False, True])
def test_a_house_prize_goes_back_to_the_house(later: bool) -> None:
    room = playing_room()
    house_jackpot(room)
    room.add_table("T3")
    room.attach("T3", "1", "H1")
    room.open_table("T3", dealer=None)
    from houseway.manager.commands.house_commands import DealerIn, DealerOut

    room.do(OTHER_DEALER, DealerOut("T2"))
    room.do(OTHER_DEALER, DealerIn("T3", badge(OTHER_DEALER)))
    round_ = start(room, "T3")
    award = hit(room, round_, 1, "seven-card-straight-flush")
    pay(room, award)
    assert held(room, "paid", "H1") == 10_000 * DOLLAR
    if later:
        end(room, round_)
        end(room, start(room, "T3"))
        assert award not in room.floor.awards
    make(room, **back_out(award))
    assert (held(room, "paid", "H1"), held(room, "prizes", "H1")) == (0, 0)
    assert refused_proposal(room, **back_out(award)) == {("award-backed-out", "what.award")}


def test_a_round_is_voided_once_its_paid_award_is_backed_out(room: Room) -> None:
    before = dict(room.floor.balances)
    round_ = start(room, seats=(1,))
    award = hit(room, round_, 1, "royal-flush-royal-match")
    pay(room, award)
    assert room.refused(DEALER, VoidRound(round_, badge(SUPERVISOR), "wrong deck")) == {("award-paid", "round")}
    make(room, **back_out(award))
    room.do(DEALER, VoidRound(round_, badge(SUPERVISOR), "wrong deck"))
    after = {name: balance for name, balance in room.floor.balances.items() if balance != before.get(name, 0)}
    assert after == {}


# ---------------------------------------------------------------- retirement


def retire(**more: Any) -> dict[str, Any]:
    to = {"main": {"link": "L2", "level": "main"}}
    return {"change": "retire", "link": "L1", "paper": "notice of June 1", "to": to, **more}


def test_a_retired_progressive_gives_the_players_money_to_another(room: Room) -> None:
    opened(room, "L2", "FPGPP-WA07", levels={"main": LevelParameters(50_000, "1/5", "1/100")})
    end(room, start(room))
    room.do(CAGE, RecordDeposit("L1", 300_000, "slip 1", badge(ACCOUNTING)))
    mine = sum(held(room, kind, "L1", "main") for kind in ("meter", "reserve", "overflow"))
    before, version = meter(room, "L2"), link_of(room).version
    answer = make(room, **retire())
    assert meter(room, "L2") == before + mine
    for kind in ("meter", "reserve", "overflow", "locked"):
        assert held(room, kind, "L1", "main") == 0
    assert (held(room, "bank", "L1"), held(room, "bank", "L2")) == (0, mine), "the account follows the money"
    link = link_of(room)
    assert (link.status, link.version, link.status_reason) == ("retired", version + 1, "retired: as agreed")
    assert answer["moved"] == {
        "main": {"seed_recovered_micros": 0, "moved_micros": mine, "link": "L2", "level": "main"}
    }
    (paper,) = papers(room, "link-retirement")
    assert (paper["reference"], paper["moved"]) == ("notice of June 1", answer["moved"])
    assert funds_due(room.floor, link_of(room, "L2")) == before


def test_the_seed_is_recovered_first_if_asked(room: Room) -> None:
    opened(room, "L2", "FPGPP-WA07")
    end(room, start(room, seats=(1, 2)))
    before = meter(room, "L2")
    answer = make(room, **retire(recover_seed=True))
    assert answer["moved"]["main"]["seed_recovered_micros"] == SEED
    assert held(room, "seed", "L1", "main") == 0
    assert meter(room, "L2") == before + 2 * 160_000 + DOLLAR + DOLLAR // 2


def test_a_deposit_beyond_the_players_money_is_the_house_s_again(room: Room) -> None:
    opened(room, "L2", "FPGPP-WA07")
    room.do(CAGE, RecordDeposit("L1", 400_000, "slip 1", badge(ACCOUNTING)))
    house = room.balance("house")
    make(room, **retire())
    mine = SEED + DOLLAR + DOLLAR // 2
    assert room.balance("house") == house + 400_000 * 10_000 - mine


def test_money_above_the_other_s_limit_goes_to_its_overflow(room: Room) -> None:
    opened(room, "L2", "FPGPP-WA07", levels={"main": LevelParameters(50_000, "1/5", "1/100", limit=100_000)})
    make(room, **retire())
    assert meter(room, "L2") == 1_000 * DOLLAR
    assert held(room, "overflow", "L2", "main") == SEED + DOLLAR + DOLLAR // 2 - 500 * DOLLAR


def test_levels_go_to_several_progressives(room: Room) -> None:
    sizes = {"mega": 90_000, "major": 50_000, "minor": 20_000}
    three = {name: LevelParameters(seed, "1/20", "1/100") for name, seed in sizes.items()}
    opened(room, "L3", "FPGPP-ML2", levels=three)
    opened(room, "L2", "FPGPP-WA07")
    to = {
        "mega": {"link": "L1", "level": "main"},
        "major": {"link": "L2", "level": "main"},
        "minor": {"link": "L1", "level": "main"},
    }
    before = meter(room, "L1"), meter(room, "L2")
    make(room, **retire(link="L3", to=to))
    assert meter(room, "L1") - before[0] == 1_100 * DOLLAR
    assert meter(room, "L2") - before[1] == 500 * DOLLAR


def test_a_retirement_drains_the_link_and_waits_for_its_rounds(room: Room) -> None:
    opened(room, "L2", "FPGPP-WA07")
    round_ = start(room)
    assert make(room, **retire())["link_status"] == "draining"
    assert refused_proposal(room, **retire()) == {("already-proposed", "what.link")}
    end(room, round_)
    assert link_of(room).status == "retired"
    assert refused_proposal(room, change="level", link="L1", level="main", seed=1) == {("link-retired", "what.link")}
    assert refused_proposal(room, **retire()) == {("link-retired", "what.link")}
    assert room.refused(CAGE, RecordDeposit("L1", 1, "x", badge(ACCOUNTING))) == {("link-not-open", "link")}


def test_locked_awards_and_disputes_are_settled_first(room: Room) -> None:
    opened(room, "L2", "FPGPP-WA07")
    round_ = start(room)
    award = hit(room, round_, 1, "seven-card-straight-flush")
    assert refused_proposal(room, **retire()) == {("award-open", "what.link")}
    pay(room, award)
    room.do(DEALER, HoldRound(round_, badge(SUPERVISOR), "disputed"))
    assert refused_proposal(room, **retire()) == {("round-held", "what.link")}
    room.do(SUPERVISOR, DecideRound(round_, badge(EXECUTIVE), "resume", "the hand stands", "file 3"))
    end(room, round_)
    make(room, **retire())


def test_a_jackpot_won_while_the_retirement_waits_is_paid_first(room: Room) -> None:
    opened(room, "L2", "FPGPP-WA07")
    first = start(room, "T1")
    proposal = propose(room, **retire())
    approve(room, proposal)
    award = hit(room, first, 1, "seven-card-straight-flush")
    pay(room, award)
    end(room, first)
    assert link_of(room).status == "retired"
    assert held(room, "paid", "L1") > 0


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"to": {}}, {("destination-needed", "what.to.main")}),
        ({"to": {"main": {"link": "L9", "level": "main"}}}, {("bad-destination", "what.to.main")}),
        ({"to": {"main": {"link": "L1", "level": "main"}}}, {("bad-destination", "what.to.main")}),
        ({"to": {"main": {"link": "H1", "level": "main"}}}, {("bad-destination", "what.to.main")}),
        ({"to": {"main": {"link": "L3", "level": "main"}}}, {("bad-destination", "what.to.main")}),
        ({"to": {"main": {"link": "L2", "level": "mega"}}}, {("unknown-level", "what.to.main")}),
        ({"paper": ""}, {("reason-needed", "what.paper")}),
        ({"link": "H1"}, {("wrong-link-kind", "what.link")}),
    ],
)
def test_retirements_that_are_refused(room: Room, more: dict[str, Any], found: set[tuple[str, str]]) -> None:
    opened(room, "L2", "FPGPP-WA07")
    draft(room, "L3", "FPGPP-WA07")
    house_jackpot(room)
    assert refused_proposal(room, **retire(**more)) == found


def test_an_unknown_level_in_the_destinations(room: Room) -> None:
    opened(room, "L2", "FPGPP-WA07")
    to = {"main": {"link": "L2", "level": "main"}, "mini": {"link": "L2", "level": "main"}}
    assert refused_proposal(room, **retire(to=to)) == {("unknown-level", "what.to.mini")}


def test_a_link_whose_money_is_all_the_house_s_needs_no_destination() -> None:
    room = playing_room()
    make(room, **retire(to={}, recover_seed=True))
    assert link_of(room).status == "retired"
    assert held(room, "seed", "L1", "main") == 0


def test_a_draft_is_retired_without_any_money() -> None:
    room = playing_room()
    draft(room, "L2")
    make(room, **retire(link="L2", to={}))
    assert link_of(room, "L2").status == "retired"


def test_what_becomes_of_the_reseed_must_be_said(room: Room) -> None:
    """Neither outcome goes without saying, and the question has both in dollars."""
    award = win(room)
    end(room, start(room))
    cents, before = level_of(room).recent[-1].cents, meter(room)
    assert refused_proposal(room, **back_out(award)) == {("seed-choice", "what.recover_seed")}
    with pytest.raises(InputError) as caught:
        propose(room, **back_out(award))
    asked = caught.value.faults[0].message
    outcomes = [dollars(before + cents * 10_000 - SEED), dollars(before + cents * 10_000)]
    assert f"{dollars(SEED)} of seed money is still on the sign, which shows {dollars(before)}" in asked
    assert f"recovered (--seed recover) it goes back to the house and the sign shows {outcomes[0]}" in asked
    assert f"kept (--seed keep) it stays with the players and the sign shows {outcomes[1]}" in asked
    make(room, **back_out(award, recover_seed=False))
    assert dollars(meter(room)) == outcomes[1]


def test_an_award_that_restarted_nothing_asks_nothing(room: Room) -> None:
    award = win(room, "royal-flush-royal-match")
    make(room, **back_out(award))


def test_an_approval_is_bound_to_the_hash_and_the_record_has_it(room: Room) -> None:
    award = win(room, "royal-flush-royal-match")
    proposed = propose(room, **back_out(award))
    wrong = Approve(proposed["proposal"], "0" * 64, badge(EXECUTIVE))
    assert room.refused(EXECUTIVE, wrong) == {("content-differs", "content_hash")}
    assert room.refused(EXECUTIVE, Approve(proposed["proposal"], proposed["check"])) == {("badge-needed", "badge")}
    answer = room.do(EXECUTIVE, Approve(proposed["proposal"], proposed["check"], badge(EXECUTIVE)))
    told = {name: answer[name] for name in ("content_hash", "what", "proposed_by", "status")}
    assert told == {
        "content_hash": proposed["content_hash"], "what": proposed["what"], "proposed_by": SUPERVISOR,
        "status": "made",
    }  # fmt: skip
