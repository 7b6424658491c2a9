"""Changes of parameters: a level, a posted limit, the link itself, the prizes of a house jackpot."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.manager.commands.link_commands import CreateLink
from houseway.manager.commands.round_commands import HoldRound
from houseway.manager.core.link_entities import LevelParameters
from tests.manager.floors import ACCOUNTING, DEALER, OTHER_DEALER, SUPERVISOR, Room, badge, new_room
from tests.manager.links.desk import (
    approve,
    codes,
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


@pytest.fixture
def room() -> Room:
    return playing_room()


def of_level(**more: Any) -> dict[str, Any]:
    return {"change": "level", "link": "L1", "level": "main", **more}


def of_limit(limit: int | None, **more: Any) -> dict[str, Any]:
    return {"change": "limit", "link": "L1", "level": "main", "limit": limit, "posted": "signs at T1 and T2", **more}


# ---------------------------------------------------------------- a level


def test_seed_rates_and_cards_of_a_level_change(room: Room) -> None:
    answer = make(
        room,
        **of_level(seed=300_000, contribution="1/7", reserve="1/50", executive_from=1_000_000),
    )
    assert link_of(room).levels["main"] == LevelParameters(300_000, "1/7", "1/50", executive_from=1_000_000)
    assert (answer["version"], answer["warnings"]) == (2, [])
    before = held(room, "meter", "L1", "main")
    start(room, seats=(1, 2, 3, 4, 5, 6))
    assert held(room, "meter", "L1", "main") - before == 6_000_000 // 7, "the new share from the next wager on"


def test_an_executive_s_card_can_be_taken_off_again(room: Room) -> None:
    make(room, **of_level(executive_from=1_000_000))
    make(room, **of_level(seed=260_000))
    assert link_of(room).levels["main"].executive_from == 1_000_000, "not named: it stays"
    make(room, **of_level(executive_from=None))
    assert link_of(room).levels["main"].executive_from is None


def test_warnings_are_computed_anew(room: Room) -> None:
    assert codes(make(room, **of_level(seed=0, reserve="0"))) == [("seed-zero", "main"), ("no-reserve", "main")]
    assert [each.code for each in link_of(room).warnings] == ["seed-zero", "no-reserve"]
    assert codes(make(room, **of_level(seed=250_000, reserve="1%"))) == []


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({}, {("nothing-to-change", "what")}),
        ({"seed": 250_000}, {("nothing-to-change", "what")}),
        ({"contribution": "x"}, {("bad-rate", "what.contribution")}),
        ({"contribution": "1", "reserve": "1/100"}, {("rates-over-one", "what.levels")}),
        ({"seed": -5}, {("out-of-range", "what.seed")}),
        ({"executive_from": -1}, {("out-of-range", "what.executive_from")}),
        ({"supervisor_from": 9}, {("bad-change", "what.supervisor_from")}),
        ({"level": "mega", "seed": 1}, {("unknown-level", "what.level")}),
        ({"link": "L9", "seed": 1}, {("unknown-link", "what.link")}),
        ({"link": "H1", "seed": 1}, {("wrong-link-kind", "what.link")}),
    ],
)
def test_level_changes_that_are_refused(room: Room, more: dict[str, Any], found: set[tuple[str, str]]) -> None:
    house_jackpot(room)
    assert refused_proposal(room, **of_level(**more)) == found


def test_a_seed_above_the_limit_is_refused(room: Room) -> None:
    make(room, **of_limit(260_000))
    assert refused_proposal(room, **of_level(seed=260_001)) == {("limit-too-low", "what.limit")}
    make(room, **of_level(seed=260_000))


def test_a_draft_is_changed_like_any_link() -> None:
    room = new_room()
    draft(room)
    assert make(room, **of_level(seed=1_000_000))["version"] == 2
    assert link_of(room).status == "draft"
    assert level_of(room).seeded_micros == 0


def test_a_changed_seed_does_not_change_what_the_house_may_recover(room: Room) -> None:
    """The meter holds the seed of its opening; what it restarts at next time is another matter."""
    make(room, **of_level(seed=900_000))
    assert level_of(room).seeded_micros == 250_000 * 10_000
    refused = refused_proposal(
        room, change="adjustment", link="L1", level="main", code="recover-seed", micros=-2_500_000_001, reference="x"
    )
    assert refused == {("below-zero", "what.micros")}


def test_the_remainder_of_contributions_survives_a_change_of_the_rate(room: Room) -> None:
    make(room, **of_level(contribution="1/3"))
    end(room, start(room, seats=(1,)))
    assert level_of(room).carried == "1/3"
    make(room, **of_level(contribution="1/6"))
    before = held(room, "meter", "L1", "main")
    end(room, start(room, seats=(1, 2, 3, 4)))
    assert held(room, "meter", "L1", "main") - before == 666_667
    assert level_of(room).carried == "0"


# ---------------------------------------------------------------- a posted limit


def test_a_limit_is_set_at_or_above_what_is_displayed(room: Room) -> None:
    end(room, start(room, seats=(1,)))
    assert held(room, "meter", "L1", "main") == 2_500_150_000
    assert refused_proposal(room, **of_limit(250_014)) == {("limit-too-low", "what.limit")}
    answer = make(room, **of_limit(250_015))
    assert (answer["limit"], answer["version"]) == (250_015, 2)
    (paper,) = papers(room, "link-limit")
    assert (paper["limit"], paper["reference"]) == (250_015, "signs at T1 and T2")


def test_a_part_of_a_cent_counts_as_displayed(room: Room) -> None:
    make(room, **of_level(contribution="0.123456"))
    end(room, start(room, seats=(1,)))
    assert held(room, "meter", "L1", "main") == 2_500_123_456
    assert refused_proposal(room, **of_limit(250_012)) == {("limit-too-low", "what.limit")}
    make(room, **of_limit(250_013))


def test_a_jackpot_that_waits_for_payment_is_displayed_too(room: Room) -> None:
    make(room, change="adjustment", link="L1", level="main", code="carried", micros=10**10, reference="promotion")
    round_ = start(room, seats=(1,))
    award = hit(room, round_, 1, "seven-card-straight-flush")
    assert held(room, "meter", "L1", "main") < 3_000_000_000, "the reseeded meter"
    assert refused_proposal(room, **of_limit(300_000)) == {("limit-too-low", "what.limit")}
    pay(room, award)
    end(room, round_)
    make(room, **of_limit(300_000))


def test_what_exceeds_the_limit_goes_to_overflow_and_comes_back_when_it_is_raised(room: Room) -> None:
    make(room, **of_limit(250_000))
    end(room, start(room, seats=(1, 2, 3, 4)))
    assert held(room, "meter", "L1", "main") == 2_500_000_000
    assert held(room, "overflow", "L1", "main") == 600_000
    answer = make(room, **of_limit(250_050))
    assert answer["released_micros"] == 500_000
    assert held(room, "overflow", "L1", "main") == 100_000
    answer = make(room, **of_limit(None))
    assert answer["released_micros"] == 100_000
    assert held(room, "meter", "L1", "main") == 2_500_600_000
    assert len(papers(room, "link-limit")) == 3


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"limit": None}, {("nothing-to-change", "what")}),
        ({"limit": 300_000, "posted": ""}, {("reason-needed", "what.posted")}),
        ({"limit": -1}, {("out-of-range", "what.limit"), ("limit-too-low", "what.limit")}),
        ({"limit": 300_000, "level": "mega"}, {("unknown-level", "what.level")}),
        ({"limit": 300_000, "link": "H1"}, {("wrong-link-kind", "what.link")}),
    ],
)
def test_limits_that_are_refused(room: Room, more: dict[str, Any], found: set[tuple[str, str]]) -> None:
    house_jackpot(room)
    assert refused_proposal(room, **{**of_limit(None), **more}) >= found


def test_a_limit_waits_for_the_end_of_the_rounds(room: Room) -> None:
    round_ = start(room)
    assert approve(room, propose(room, **of_limit(260_000)))["status"] == "waiting"
    end(room, round_)
    assert link_of(room).levels["main"].limit == 260_000


# ---------------------------------------------------------------- the link itself


def test_wager_display_and_order_of_a_link_change(room: Room) -> None:
    answer = make(
        room, change="link", link="L1", wager=200, display_falls="at-hit", shows_contributions="at-end",
        order="full-to-each", fixed_supervisor_from=10_000,
    )  # fmt: skip
    link = link_of(room)
    assert (link.wager, link.display_falls, link.shows_contributions) == (200, "at-hit", "at-end")
    assert (link.order, link.fixed_supervisor_from, link.version) == ("full-to-each", 10_000, 2)
    assert codes(answer) == [("seed-below-fixed-award", "main"), ("order-of-the-house", None)]
    before = held(room, "meter", "L1", "main")
    room.put_papers_in_order()
    start(room, seats=(1,))
    assert held(room, "meter", "L1", "main") - before == 300_000


def test_fixed_pays_move_to_the_meter_where_the_sheet_allows_it(room: Room) -> None:
    meter = {"change": "link", "link": "L1", "fixed_pays": "meter"}
    assert refused_proposal(room, **meter) == {("setting-not-allowed", "what.fixed_pays")}
    opened(room, "L2", "6CFPGPP-2")
    answer = make(room, **{**meter, "link": "L2"})
    assert ("all-from-meter-low", None) in codes(answer)


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({}, {("nothing-to-change", "what")}),
        ({"wager": 100}, {("nothing-to-change", "what")}),
        ({"wager": 0}, {("out-of-range", "what.wager")}),
        ({"link": "L9", "wager": 5}, {("unknown-link", "what.link")}),
    ],
)
def test_link_changes_that_are_refused(room: Room, more: dict[str, Any], found: set[tuple[str, str]]) -> None:
    assert refused_proposal(room, **{"change": "link", "link": "L1", **more}) == found


def test_a_house_jackpot_s_wager_changes_too() -> None:
    room = new_room()
    house_jackpot(room)
    make(room, change="link", link="H1", wager=500)
    assert link_of(room, "H1").wager == 500


# ---------------------------------------------------------------- house prizes


def house_room() -> Room:
    room = new_room()
    house_jackpot(room, paytable_id="FPGPP-ML2", prize=1_000_000)
    for table, dealer in (("T1", DEALER), ("T2", OTHER_DEALER)):
        room.add_table(table, "fortune")
        room.attach(table, "1", "H1")
        room.open_table(table, dealer=dealer)
    return room


def of_prizes(**more: Any) -> dict[str, Any]:
    return {"change": "prizes", "link": "H1", "posted": "signs at every table", **more}


def test_a_posted_prize_changes_between_rounds() -> None:
    room = house_room()
    round_ = start(room)
    assert make(room, **of_prizes(prizes={"mega": 2_000_000}))["status"] == "waiting"
    award = hit(room, round_, 1, "seven-card-straight-flush")
    assert room.floor.awards[award].cents == 1_000_000, "the prize that was posted when the round began"
    pay(room, award)
    end(room, round_)
    assert link_of(room, "H1").prizes == {"mega": 2_000_000, "major": 1_000_000, "minor": 1_000_000}
    (paper,) = papers(room, "link-prizes", "H1")
    assert (paper["reference"], paper["withdrawn"]) == ("signs at every table", False)


def test_a_house_jackpot_is_withdrawn_without_notice_but_between_rounds() -> None:
    room = house_room()
    round_ = start(room)
    approve(room, propose(room, **of_prizes(withdraw=True, drain=True)))
    assert link_of(room, "H1").status == "draining"
    end(room, round_)
    link = link_of(room, "H1")
    assert (link.status, link.status_reason) == ("retired", "withdrawn: as agreed")
    assert refused_proposal(room, **of_prizes(prizes={"mega": 1})) == {("link-retired", "what.link")}


def test_what_a_round_on_hold_can_win_does_not_change(room: Room) -> None:
    round_ = start(room)
    room.do(DEALER, HoldRound(round_, badge(SUPERVISOR), "disputed"))
    assert refused_proposal(room, change="link", link="L1", wager=200) == {("round-held", "what.link")}
    make(room, change="link", link="L1", display_falls="at-hit")
    make(room, **of_level(seed=300_000))
    room = house_room()
    room.do(DEALER, HoldRound(start(room), badge(SUPERVISOR), "disputed"))
    assert refused_proposal(room, **of_prizes(prizes={"mega": 1})) == {("round-held", "what.link")}
    assert refused_proposal(room, **of_prizes(withdraw=True)) == {("round-held", "what.link")}


def test_open_awards_come_before_a_withdrawal() -> None:
    room = house_room()
    hit(room, start(room), 1, "seven-card-straight-flush")
    assert refused_proposal(room, **of_prizes(withdraw=True)) == {("award-open", "what.link")}


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({}, {("conflicting-change", "what.prizes")}),
        ({"prizes": {"mega": 1}, "withdraw": True}, {("conflicting-change", "what.prizes")}),
        ({"prizes": {"mega": 0}}, {("out-of-range", "what.prizes.mega")}),
        ({"prizes": {"main": 5}}, {("link-levels", "what.prizes")}),
        ({"prizes": {"mega": 1_000_000}}, {("nothing-to-change", "what")}),
        ({"prizes": {"mega": 5}, "posted": " "}, {("reason-needed", "what.posted")}),
        ({"prizes": {"main": 5}, "link": "L1"}, {("wrong-link-kind", "what.link")}),
    ],
)
def test_prizes_that_are_refused(more: dict[str, Any], found: set[tuple[str, str]]) -> None:
    room = house_room()
    opened(room)
    assert refused_proposal(room, **of_prizes(**more)) == found


def test_each_winner_of_a_round_gets_the_full_posted_prize_and_the_link_has_no_meter() -> None:
    room = house_room()
    round_ = start(room)
    for seat in (3, 1):
        hit(room, round_, seat, "royal-flush")
    awards = list(room.floor.awards.values())
    assert [award.cents for award in awards] == [1_000_000, 1_000_000]
    for award in sorted(awards, key=lambda each: -each.seat):
        pay(room, award.id)
    end(room, round_)
    assert held(room, "prizes", "H1") == held(room, "paid", "H1") == 2 * 1_000_000 * 10_000
    assert not [name for name in room.floor.balances if name.startswith(("meter/H1", "seed/H1", "reserve/H1"))]


def test_wins_reset_what_may_be_recovered_to_the_seed_of_the_reseed(room: Room) -> None:
    make(room, **of_level(seed=300_000))
    win(room)
    figures = level_of(room)
    assert figures.generation == 1
    adjust: dict[str, Any] = {
        "change": "adjustment", "link": "L1", "level": "main", "code": "recover-seed", "reference": "memo 3",
    }  # fmt: skip
    make(room, **adjust, micros=-3_000_000_000)
    assert held(room, "seed", "L1", "main") == 250_000 * 10_000, "the seed that a winner took stays the house's cost"
    assert refused_proposal(room, **adjust, micros=-1) == {("above-bound", "what.micros")}


def test_a_link_drawn_up_in_another_way_is_left_alone(room: Room) -> None:
    room.do(ACCOUNTING, CreateLink("L2", "progressive", "FPGPP-WA07", {"main": LevelParameters(50_000, "1/5")}))
    make(room, **of_level(seed=300_000))
    assert link_of(room, "L2").version == 1
