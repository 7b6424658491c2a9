"""Notices: what hangs at a table is what holds there."""

from __future__ import annotations

from msgspec.structs import replace

from houseway.manager.commands.link_commands import CreateLink, OpenLink
from houseway.manager.core.house_entities import DatedValue, PropertySetting
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.handlers import notices as house_notices
from houseway.manager.handlers.notices import notice_faults
from tests.manager.floors import ACCOUNTING, CAGE, DAY, EXECUTIVE, START, SUPERVISOR, Room, badge, new_room
from tests.manager.house.papers_at_hand import enter, opening, room_with_jackpot


def kinds(room: Room) -> list[str]:
    return [notice.kind for notice in house_notices.notices(room.floor, room.table())]


def test_a_plain_table_posts_limits_and_the_dispute_procedure() -> None:
    room = new_room()
    room.add_table(settings={"limits": {"main": {"min": 500}}})
    limits, dispute = house_notices.notices(room.floor, room.table())
    assert limits.shows["wagers"]["main"] == {"min": 500, "max": 40_000}
    assert set(limits.shows["wagers"]) == {"main"}
    assert "at least $5.00, at most $400.00" in limits.text
    assert "commission" in dispute.text


def test_the_limits_offer_no_wager_that_has_no_pay_table() -> None:
    room = new_room()
    room.add_table("T1")
    room.add_table("T2", paytables={"fortune": "FPGP-1"})
    bare, paid = (house_notices.notices(room.floor, room.table(name))[0] for name in ("T1", "T2"))
    assert set(paid.shows["wagers"]) - set(bare.shows["wagers"]) == {"fortune"}
    assert paid.shows["wagers"]["fortune"] == {"min": None, "max": 40_000}
    assert "Fortune" in paid.text
    assert "Fortune" not in bare.text


def test_the_number_of_games_is_posted_while_a_number_is_set() -> None:
    room = new_room()
    room.now = START - 365 * 5 * DAY
    room.add_table()
    (games, *_) = house_notices.notices(room.floor, room.table(), room.now)
    assert (games.kind, games.shows) == ("separate-games", {"games": 4})
    assert kinds(room) == ["separate-games", "wager-limits", "dispute-procedure"]
    room.now = START
    assert "separate-games" not in [notice.kind for notice in house_notices.notices(room.floor, room.table(), START)]


def test_the_number_of_games_follows_the_edition_that_is_approved() -> None:
    """The sheet of 2018 limits a player to four games and has that posted, on whatever day the table plays by it."""
    room = new_room()
    room.add_table(settings={"max_games": 6})
    enter(room, changed={"game-approval": {"edition": "2018-10-18"}})
    # Posted is the room's own number: the sheet's is lower.
    assert room.refused(SUPERVISOR, opening()) == {("notice-outdated", "notices.separate-games")}
    room.now += DAY
    enter(room)
    room.do(SUPERVISOR, opening())
    assert room.table().edition == "2018-10-18"
    (games, *_) = house_notices.notices(room.floor, room.table(), room.now)
    assert (games.kind, games.shows) == ("separate-games", {"games": 4})
    room.floor.put("table", "T1", replace(room.table(), edition="2023-06-14"))
    assert house_notices.notices(room.floor, room.table(), room.now)[0].shows == {"games": 6}


def test_an_aggregate_limit_is_posted() -> None:
    room = new_room()
    settings = {"aggregate_limit": {"per": "round", "cents": 100_000_00}}
    room.add_table(settings=settings, paytables={"fortune": "FPGP-3"})
    notice = next(
        notice for notice in house_notices.notices(room.floor, room.table()) if notice.kind == "aggregate-limit"
    )
    assert notice.shows == {"per": "round", "cents": 100_000_00}
    assert "$100,000.00 a round" in notice.text


def test_a_progressive_posts_kind_wager_and_limits() -> None:
    room = room_with_jackpot()
    notice = house_notices.notices(room.floor, room.table())[-1]
    (shown,) = notice.shows["sensors"].values()
    assert {name: shown[name] for name in ("kind", "paytable", "wager", "limits")} == {
        "kind": "progressive", "paytable": "FPGPP-WA01", "wager": 100, "limits": {},
    }  # fmt: skip
    assert "progressive jackpot" in notice.text


def test_a_jackpot_posts_its_pay_table_in_the_fixed_wager() -> None:
    room = new_room()
    room.do(EXECUTIVE, CreateLink("L1", "progressive", "6CFPGPP-2", {"main": LevelParameters(100_000, "1/5")}, 500))
    room.do(EXECUTIVE, OpenLink("L1", {"main": {"seed": 100_000}}, badge(ACCOUNTING)))
    room.add_table("T1", "six-card-fortune", vocabulary="nexus")
    room.attach("T1", "1", "L1")
    notice = house_notices.notices(room.floor, room.table())[-1]
    shown = notice.shows["sensors"]["1"]
    assert shown["pays"]["five-aces"] == "100% of main"
    assert shown["pays"]["full-house"] == 15 * 500
    assert shown["envy"] == {"five-aces": 10_000, "royal-flush": 5_000, "straight-flush": 1_000, "four-of-a-kind": 500}
    assert "full house $75.00" in notice.text


def test_the_pay_table_of_each_bonus_wager_is_posted() -> None:
    room = new_room()
    room.add_table(paytables={"fortune": "FPGP-1", "paigowd": "PGD-01"})
    notice = next(notice for notice in house_notices.notices(room.floor, room.table()) if notice.kind == "pay-tables")
    assert notice.shows["wagers"].keys() == {"fortune", "paigowd"}
    fortune = notice.shows["wagers"]["fortune"]
    assert fortune["paytable"] == "FPGP-1"
    assert fortune["pays"]["four-of-a-kind"] == "20 to 1"
    assert fortune["pays"]["three-pair"] == "push"
    assert fortune["envy"]["four-of-a-kind"] == 500
    assert "four of a kind 20 to 1, envy $5.00" in notice.text
    enter(room, "pay-tables")
    assert room.refused(SUPERVISOR, opening()) == {("notice-missing", "notices.pay-tables")}
    other = {**notice.shows, "wagers": {"fortune": {**fortune, "pays": {**fortune["pays"], "flush": "5 to 1"}}}}
    enter(room, changed={"pay-tables": {"shows": other}})
    assert room.refused(SUPERVISOR, opening()) == {("notice-outdated", "notices.pay-tables")}


def test_a_wager_with_one_printed_table_posts_it_without_being_told() -> None:
    room = new_room()
    room.add_table("T1", "six-card-fortune", vocabulary="nexus")
    notice = next(notice for notice in house_notices.notices(room.floor, room.table()) if notice.kind == "pay-tables")
    assert notice.shows["wagers"].keys() == {"insurance"}
    assert notice.shows["wagers"]["insurance"]["pays"]["king-high"] == "3 to 1"


def test_a_house_jackpot_posts_its_prizes_and_its_two_notices() -> None:
    room = new_room()
    room.add_house_jackpot()
    room.add_table()
    room.attach("T1", "1", "H1")
    assert kinds(room) == ["wager-limits", "dispute-procedure", "jackpot", "house-funded", "may-be-withdrawn"]
    jackpot, funded, withdrawn = house_notices.notices(room.floor, room.table())[2:]
    assert jackpot.shows["sensors"]["1"]["prizes"] == {"main": 500_000}
    assert "$5,000.00" in jackpot.text
    assert "paid by the house" in funded.text
    assert "without notice" in withdrawn.text
    enter(room, "house-funded", "may-be-withdrawn")
    assert room.refused(SUPERVISOR, opening()) == {
        ("notice-missing", "notices.house-funded"), ("notice-missing", "notices.may-be-withdrawn"),
    }  # fmt: skip


def test_a_notice_with_yesterday_s_limit_is_out_of_date() -> None:
    room = new_room()
    room.add_table()
    enter(room)
    own = PropertySetting("highest_wager", (DatedValue(START, 200_00, EXECUTIVE, CAGE, "lower"),))
    for floor in (room.floor, room.follower.floor):
        floor.put("setting", own.id, own)
    assert room.refused(SUPERVISOR, opening()) == {("notice-outdated", "notices.wager-limits")}
    enter(room)
    assert notice_faults(room.floor, room.table(), room.now) == []
    room.do(SUPERVISOR, opening())


def test_an_aggregate_limit_that_the_highest_wager_has_outgrown_keeps_the_table_closed() -> None:
    room = new_room()
    room.now = START - 365 * 5 * DAY
    settings = {"aggregate_limit": {"per": "round", "cents": 300_00 * 50}}
    room.add_table(settings=settings, paytables={"fortune": "FPGP-3", "paigowd": "PGD-01"})
    room.now = START
    enter(room)
    assert room.refused(SUPERVISOR, opening()) == {("aggregate-too-low", "settings.aggregate_limit")}
