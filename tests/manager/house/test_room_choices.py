"""The choices that a sheet leaves to the room: inside the rules hash, under a paper, or the table stays closed."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from houseway.definitions import defined_as
from houseway.errors import InputError
from houseway.games import game, game_ids
from houseway.games.table_settings import SETTING_NAMES
from houseway.manager.commands.house_commands import CreateTable, OpenTable, RecordPaper
from houseway.manager.commands.link_commands import CreateLink, OpenLink
from houseway.manager.commands.round_commands import DoubleDown, EndRound, SetHand, StartRound
from houseway.manager.core.house_entities import DatedValue, PropertySetting
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.handlers.papers_in_order import drafts_for, papers_in_order
from houseway.manager.handlers.registers import missing_for_opening
from houseway.manager.handlers.room_choices import (
    NO_CHOICE,
    OF_A_LINK,
    choices_of,
    rules_hash,
    rules_of,
    sheets_own,
    uncovered_tables,
)
from houseway.manager.server.asks import answer_ask
from houseway.manager.views.floor_questions import TableQuestion, TablesQuestion
from tests.manager.cards.pit import Pit
from tests.manager.floors import (
    ACCOUNTING,
    DEALER,
    EXECUTIVE,
    OTHER_SUPERVISOR,
    START,
    SUPERVISOR,
    TECHNICIAN,
    Room,
    badge,
    enters,
    new_room,
)
from tests.manager.links.desk import make

CONTROLS = ("choice-not-covered", "internal-controls")
OPENING = OpenTable("T1", 500_000, badge(OTHER_SUPERVISOR))


def room_with(
    game: str = "fortune", paytable: str = "FPGPP-WA01", link: dict[str, Any] | None = None, **table: Any
) -> Room:
    """A room with a table of the game on a progressive, closed and without papers."""
    room = new_room()
    room.do(
        EXECUTIVE, CreateLink("L1", "progressive", paytable, {"main": LevelParameters(1_000_000, "1/5")}, **link or {})
    )
    room.do(EXECUTIVE, OpenLink("L1", {"main": {"seed": 1_000_000}}, badge(ACCOUNTING)))
    room.do(TECHNICIAN, CreateTable("T1", game, **table))
    room.attach("T1", "1", "L1")
    return room


def enter(room: Room, *, without_choices: bool) -> None:
    """Enter what the table lacks; without choices, internal controls as they were before the room chose anything."""
    for command in papers_in_order(room.floor, room.table(), room.now):
        fields = dict(command.fields)
        if without_choices:
            fields = {name: value for name, value in fields.items() if name != "choices"}
            if command.register == "internal-controls":
                fields.pop("hash", None)
        room.do(enters(command), msgspec.structs.replace(command, fields=fields))


def set_property(room: Room, name: str, value: object, since: int = START) -> None:
    room.floor.put("setting", name, PropertySetting(name, (DatedValue(since, value, EXECUTIVE, ACCOUNTING, "agreed"),)))
    room.follower.floor.put("setting", name, room.floor.settings[name])


AGGREGATE = {
    "aggregate_limit": {"per": "round", "cents": 5_000_000},
    "limits": {"fortune": {"max": 10_000}, "paigowd": {"max": 10_000}},
}
SIX = {"game": "six-card-fortune", "paytable": "6CFPGPP-2", "vocabulary": "nexus"}
POKER = {"game": "six-card-poker", "paytable": "SIXCPP-01", "vocabulary": "nexus"}
BY_TABLE: dict[str, dict[str, Any]] = {
    "commission_percent": {"settings": {"commission_percent": 4}},
    "commission_minimum": {"settings": {"commission_minimum": 100}},
    "way": {"way": "trump-plaza"},
    "wheel": {"settings": {"wheel": "lowest"}},
    "double_for_less": {**SIX, "settings": {"double_for_less": True}},
    "aggregate_limit": {"settings": AGGREGATE},
    "banked_bonus": {"settings": {"banked_bonus": "banker"}},
    "dealer_stake": {"settings": {"dealer_stake": 500}},
    "joker_seven_card_line": {"settings": {"joker_seven_card_line": False}},
    "shared_envy": {**POKER, "settings": {"shared_envy": False}, "link": {"readings": {"shared_envy": False}}},
    "jackpot_joker": {"settings": {"jackpot_joker": "literal"}, "link": {"readings": {"jackpot_joker": "literal"}}},
    "order/1": {"link": {"order": "full-to-each"}},
    "fixed_pays/1": {**SIX, "link": {"fixed_pays": "meter"}},
    "shows_contributions/1": {"link": {"shows_contributions": "at-end"}},
}
"""A choice of a table that was set up with it, by its name."""


def test_every_setting_is_a_choice_or_says_why_not() -> None:
    assert set(NO_CHOICE) < set(SETTING_NAMES)
    of_tables = {name.partition("/")[0] for name in BY_TABLE} - {"way"}
    assert of_tables == (set(SETTING_NAMES) - set(NO_CHOICE)) | set(OF_A_LINK)


@pytest.mark.parametrize("name", BY_TABLE)
def test_a_choice_needs_a_paper_that_names_it(name: str) -> None:
    room = room_with(**BY_TABLE[name])
    enter(room, without_choices=True)
    assert room.refused(SUPERVISOR, OPENING) == {CONTROLS}
    (fault,) = missing_for_opening(room.floor, room.table(), room.now)
    assert fault.message.startswith(f"{name} is ")
    assert "drafts T1" in fault.message
    drafts = drafts_for(room.floor, room.table(), room.now)
    (controls,) = (draft for draft in drafts if draft.register == "internal-controls")
    assert list(controls.fields["choices"]) == [name]
    enter(room, without_choices=False)
    answer = room.do(SUPERVISOR, OPENING)
    game = room.table().game
    assert room.table().rules == answer["rules"] == controls.fields["hash"] != rules_hash(game)
    assert choices_of(room.floor, room.table(), room.now) == controls.fields["choices"]


@pytest.mark.parametrize("name", [name for name in BY_TABLE if name != "order/1"])
def test_an_approval_of_the_game_covers_a_choice_as_well(name: str) -> None:
    room = room_with(**BY_TABLE[name])
    enter(room, without_choices=True)
    game, chosen = room.table().game, choices_of(room.floor, room.table(), room.now)
    fields = {
        "submission": "12", "edition": "2023-06-14", "hash": rules_hash(game, chosen), "licence": "commercial",
        "choices": chosen,
    }  # fmt: skip
    room.do(EXECUTIVE, RecordPaper("game-approval", "A-2", game, fields, room.now))
    room.do(SUPERVISOR, OPENING)


def test_only_internal_controls_replace_the_order_of_paying() -> None:
    room = room_with(**BY_TABLE["order/1"])
    enter(room, without_choices=True)
    chosen = choices_of(room.floor, room.table(), room.now)
    fields = {
        "submission": "12", "edition": "2023-06-14", "hash": rules_hash("fortune", chosen), "licence": "commercial",
        "choices": chosen,
    }  # fmt: skip
    room.do(EXECUTIVE, RecordPaper("game-approval", "A-2", "fortune", fields, room.now))
    assert room.refused(SUPERVISOR, OPENING) == {("order-needs-controls", "internal-controls")}
    enter(room, without_choices=False)
    room.do(SUPERVISOR, OPENING)


def test_the_sheets_own_is_not_covered_where_papers_name_another_choice_alone() -> None:
    room = room_with()
    enter(room, without_choices=False)
    approval = next(paper for paper in room.floor.papers.values() if paper.register == "game-approval")
    room.do(EXECUTIVE, RecordPaper("withdrawal", "W-1", approval.id, {"reason": "replaced"}, room.now))
    chosen = {"commission_percent": 4}
    fields = {**approval.fields, "hash": rules_hash("fortune", chosen), "choices": chosen}
    room.do(EXECUTIVE, RecordPaper("game-approval", "A-4", "fortune", fields, room.now))
    assert room.refused(SUPERVISOR, OPENING) == {CONTROLS}
    (fault,) = missing_for_opening(room.floor, room.table(), room.now)
    assert fault.message.startswith("commission_percent is 5 at T1, and the papers in force cover 4")


def test_a_paper_of_older_rules_covers_no_choice() -> None:
    room = room_with(way="trump-plaza")
    enter(room, without_choices=True)
    fields = {"reference": "IC", "approved_on": "2025-01-01", "hash": "0" * 64, "choices": {"way": "trump-plaza"}}
    answer = room.do(EXECUTIVE, RecordPaper("internal-controls", "IC-9", "fortune", fields, room.now))
    assert [(each["code"], each["path"]) for each in answer["warnings"]] == [("approval-differs", "internal-controls")]
    assert room.refused(SUPERVISOR, OPENING) == {CONTROLS}


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"choices": {"way": "trump-plaza"}}, {("missing-key", "fields.hash")}),
        ({"hash": "0" * 64, "choices": {"wey": "trump-plaza"}}, {("unknown-key", "fields.choices.wey")}),
        ({"hash": "0" * 64, "choices": {"wheel": "third"}}, {("bad-setting", "fields.choices.wheel")}),
        ({"hash": "0" * 64, "choices": {"wheel": "second"}}, {("bad-value", "fields.choices.wheel")}),
    ],
)  # fmt: skip
def test_a_paper_names_choices_that_there_are(fields: dict[str, Any], found: set[tuple[str, str]]) -> None:
    paper = {"reference": "IC", "approved_on": "2025-01-01", **fields}
    assert new_room().refused(EXECUTIVE, RecordPaper("internal-controls", "IC", "fortune", paper, START)) == found


def test_choices_are_those_of_a_game() -> None:
    paper = {"reference": "IC", "approved_on": "2025-01-01", "hash": rules_hash("fortune")}
    found = new_room().refused(EXECUTIVE, RecordPaper("internal-controls", "IC", "property", paper, START))
    assert found == {("unknown-subject", "subject")}


# ---------------------------------------------------------------- a choice that changes while a table is open


def higher_wager(room: Room) -> None:
    set_property(room, "highest_wager", 50_000)


def earlier_doubling(room: Room) -> None:
    set_property(room, "double_down_until", "hand-set")


def other_order(room: Room) -> None:
    make(room, change="link", link="L1", order="full-to-each")


def from_the_meter(room: Room) -> None:
    make(room, change="link", link="L1", fixed_pays="meter")


def shown_later(room: Room) -> None:
    make(room, change="link", link="L1", shows_contributions="at-end")


LATER: dict[str, tuple[Callable[[Room], None], dict[str, Any]]] = {
    "highest_wager": (higher_wager, {}),
    "double_down_until": (earlier_doubling, SIX),
    "order/1": (other_order, {}),
    "fixed_pays/1": (from_the_meter, SIX),
    "shows_contributions/1": (shown_later, {}),
}


@pytest.mark.parametrize("name", LATER)
def test_another_choice_ends_play_with_the_running_round_until_a_paper_covers_it(name: str) -> None:
    change, table = LATER[name]
    room = room_with(**table)
    room.open_table()
    room.do(DEALER, StartRound("T1", sensors={"1": [2]}))
    before = room.floor.rounds["T1-1"].rules
    change(room)
    # The round in play ends as it began.
    room.do(DEALER, EndRound("T1-1"))
    start = StartRound("T1", sensors={"1": [2]})
    assert room.refused(DEALER, start) == {CONTROLS}
    assert room.refused(DEALER, StartRound("T1")) == {CONTROLS}
    assert [fault.message.split(" is ")[0] for fault in uncovered_tables(room.floor, room.now)["T1"]] == [name]
    room.put_papers_in_order()
    room.do(DEALER, start)
    rules = room.floor.rounds["T1-2"].rules
    assert rules == room.table().rules == rules_hash(room.table().game, choices_of(room.floor, room.table(), room.now))
    assert rules != before == rules_hash(room.table().game)
    assert uncovered_tables(room.floor, room.now) == {}


def test_a_choice_that_is_undone_needs_no_paper() -> None:
    room = room_with()
    room.open_table()
    other_order(room)
    assert room.refused(DEALER, StartRound("T1")) == {CONTROLS}
    make(room, change="link", link="L1", order="seat-order")
    room.do(DEALER, StartRound("T1"))


def test_a_paper_that_is_withdrawn_ends_play_under_the_choice() -> None:
    room = room_with(way="trump-plaza")
    room.open_table()
    room.do(DEALER, StartRound("T1"))
    room.do(DEALER, EndRound("T1-1"))
    controls = next(paper for paper in room.floor.papers.values() if "choices" in paper.fields)
    room.do(EXECUTIVE, RecordPaper("withdrawal", "W-1", controls.id, {"reason": "refused"}, room.now))
    assert room.refused(DEALER, StartRound("T1")) == {CONTROLS}


@pytest.mark.parametrize(
    ("name", "value", "day", "chosen"),
    [
        ("highest_wager", 30_000, "2025-01-01", {}),
        ("highest_wager", 40_001, "2025-01-01", {"highest_wager": 40_001}),
        ("highest_wager", None, "2025-01-01", {"highest_wager": "no limit"}),
        ("highest_wager", 40_000, "2023-07-31", {"highest_wager": 40_000}),
        ("highest_wager", 40_000, "2023-08-01", {}),
        ("separate_games", 5, "2023-06-13", {"separate_games": 5}),
        ("separate_games", None, "2023-06-13", {"separate_games": "no limit"}),
        ("separate_games", 3, "2023-06-13", {}),
        ("separate_games", 5, "2023-06-14", {}),
    ],
)
def test_only_what_is_above_the_approved_number_of_the_day_is_a_choice(
    name: str, value: int | None, day: str, chosen: dict[str, Any]
) -> None:
    from datetime import date

    from houseway.manager.core.settings import micros_of_day

    room = room_with()
    set_property(room, name, value, since=0)
    assert choices_of(room.floor, room.table(), micros_of_day(date.fromisoformat(day))) == chosen


def test_a_table_with_lower_limits_of_its_own_chooses_no_higher_wager() -> None:
    room = room_with(settings={"limits": {"any": {"max": 20_000}}})
    set_property(room, "highest_wager", 100_000)
    assert choices_of(room.floor, room.table(), room.now) == {}


def test_tables_and_health_say_which_choice_and_which_paper_are_missing() -> None:
    room = room_with()
    room.open_table()
    other_order(room)
    all_of_them = answer_ask(9, room.floor, TablesQuestion(), room.now).uncovered
    assert list(all_of_them) == ["T1"]
    assert answer_ask(9, room.floor, TableQuestion(table="T1"), room.now).uncovered == all_of_them["T1"]
    (fault,) = all_of_them["T1"]
    assert (fault.code, fault.path) == CONTROLS
    assert 'order/1 is "full-to-each" at T1, and the papers in force cover "seat-order"' in fault.message


def test_a_game_whose_rules_changed_after_the_opening_begins_no_round_until_they_are_approved() -> None:
    room = room_with()
    room.open_table()
    room.do(DEALER, StartRound("T1"))
    room.do(DEALER, EndRound("T1-1"))
    changed = dataclasses.replace(game("fortune"), max_seats=5)
    with defined_as(changed):
        assert room.refused(DEALER, StartRound("T1")) == {("approval-differs", "game-approval")}
        room.put_papers_in_order()
        room.do(DEALER, StartRound("T1"))
        assert room.floor.rounds["T1-2"].rules == rules_hash("fortune")
    assert room.floor.rounds["T1-2"].rules != rules_hash("fortune")


# ---------------------------------------------------------------- the choices of a round are those of its start


def test_a_double_down_is_closed_as_the_property_had_chosen_at_start_game() -> None:
    pit = Pit("six-card-fortune")
    pit.start(1)
    pit.deal()
    pit.do(SetHand(pit.round.id, 1, [0]))
    later = PropertySetting("double_down_until", (DatedValue(pit.now, "hand-set", "E1", "A1", "agreed"),))
    pit.engine.floor.put("setting", later.id, later)
    pit.do(DoubleDown(pit.round.id, 1, 1_000))


def test_a_raise_is_held_to_the_highest_wager_of_start_game() -> None:
    pit = Pit("six-card-fortune")
    pit.start(1)
    pit.deal()
    lower = PropertySetting("highest_wager", (DatedValue(pit.now, 500, "E1", "A1", "agreed"),))
    pit.engine.floor.put("setting", lower.id, lower)
    pit.do(DoubleDown(pit.round.id, 1, 1_000))


# ---------------------------------------------------------------- the hash


@pytest.mark.parametrize("name", ["commission_percent", "way", "order/1", "order/2", "highest_wager"])
def test_each_choice_is_in_the_hash(name: str) -> None:
    other = {"commission_percent": 4, "way": "casino-real", "highest_wager": 50_000}.get(name, "full-to-each")
    assert name in rules_of("fortune")["choices"]
    assert rules_hash("fortune", {name: other}) not in {rules_hash("fortune"), rules_hash("fortune", {name: "another"})}
    assert rules_hash("fortune", {name: sheets_own("fortune")[name]}) == rules_hash("fortune")


def test_a_table_does_not_say_itself_that_a_paper_allows_its_jackpots() -> None:
    command = CreateTable("T1", "commission-free-fortune", settings={"jackpots_by_paper": True})
    assert new_room().refused(TECHNICIAN, command) == {("setting-not-allowed", "settings.jackpots_by_paper")}


@pytest.mark.parametrize("game_id", game_ids())
def test_a_table_limits_bonus_wagers_together_only_where_its_sheet_lets_it(game_id: str) -> None:
    limit = {"aggregate_limit": {"per": "round", "cents": 100_000_000}, "limits": {"any": {"max": 10_00}}}
    command = CreateTable("T1", game_id, settings=limit)
    if game(game_id).aggregate_clause:
        new_room().do(TECHNICIAN, command)
    else:
        assert new_room().refused(TECHNICIAN, command) == {("setting-not-allowed", "settings.aggregate_limit")}


@pytest.mark.parametrize("name", ["envy_from", "envy_minimum", "fortune_envy"])
def test_an_amount_that_the_sheet_fixes_is_no_setting_of_a_table(name: str) -> None:
    command = CreateTable("T1", "fortune", settings={name: 1_000})
    assert new_room().refused(TECHNICIAN, command) == {("unknown-key", f"settings.{name}")}


def test_a_refusal_names_the_choice() -> None:
    room = room_with(**BY_TABLE["commission_percent"])
    enter(room, without_choices=True)
    with pytest.raises(InputError, match="commission_percent is 4 at T1"):
        room.do(SUPERVISOR, OPENING)
