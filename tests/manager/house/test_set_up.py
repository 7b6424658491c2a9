"""Setting a table up and joining its sensors to links: what fits the game, the property's limits and the sheets."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.games import game_ids
from houseway.manager.commands.house_commands import AttachSensor, CreateTable
from houseway.manager.commands.round_commands import EndRound, StartRound
from houseway.manager.core.house_entities import DatedValue, PropertySetting
from tests.manager.floors import ACCOUNTING, CAGE, DAY, DEALER, EXECUTIVE, SUPERVISOR, TECHNICIAN, new_room


@pytest.mark.parametrize("game", game_ids())
def test_a_table_of_every_game_is_set_up_with_its_defaults(game: str) -> None:
    room = new_room()
    answer = room.do(TECHNICIAN, CreateTable("T1", game))
    table = room.table()
    assert table.status == "closed"
    assert table.seats == (7 if game == "six-card-poker" else 6)
    assert table.way == {"six-card-fortune": "six-card", "six-card-poker": None}.get(game, "foxwoods")
    assert answer["next"][0].startswith("join sensors")
    assert any("approval" in step for step in answer["next"])


def test_a_table_keeps_what_it_was_set_up_with() -> None:
    room = new_room()
    command = CreateTable(
        "T1", "fortune", vocabulary="nexus", cards="known", seats=3, way="trump-plaza",
        paytables={"fortune": "FPGP-3"},
        settings={"commission_percent": 4, "limits": {"main": {"min": 500, "max": 20000}}},
    )  # fmt: skip
    room.do(EXECUTIVE, command)
    table = room.table()
    assert (table.seats, table.way, table.vocabulary, table.cards) == (3, "trump-plaza", "nexus", "known")
    assert table.paytables == {"fortune": "FPGP-3"}
    assert table.settings == command.settings


def create(**changes: Any) -> CreateTable:
    return CreateTable(**{"table": "T1", "game": "fortune", **changes})


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (create(game="chess"), ("unknown-game", "game")),
        (create(table="T/1"), ("bad-id", "table")),
        (create(table=""), ("bad-id", "table")),
        (create(seats=0), ("out-of-range", "seats")),
        (create(seats=7), ("out-of-range", "seats")),
        (create(game="six-card-poker", seats=8), ("out-of-range", "seats")),
        (create(way="six-card"), ("unknown-way", "way")),
        (create(game="six-card-poker", way="foxwoods"), ("no-house-way", "way")),
        (create(paytables={"fortune": "FPGP-5"}), ("unknown-paytable", "paytables.fortune")),
        (create(paytables={"fortune": "TIGER9"}), ("wrong-paytable", "paytables.fortune")),
        (create(paytables={"tiger9": "TIGER9"}), ("unknown-key", "paytables.tiger9")),
        (create(paytables={"progressive": "FPGPP-WA01"}), ("wrong-paytable", "paytables.progressive")),
        (create(settings={"whel": "second"}), ("unknown-key", "settings.whel")),
        (create(settings={"commission_percent": 101}), ("out-of-range", "settings.commission_percent")),
        (create(settings={"fixed_pays": "tray"}), ("setting-not-allowed", "settings.fixed_pays")),
        (create(settings={"jackpot_kind": "house"}), ("setting-not-allowed", "settings.jackpot_kind")),
        (create(settings={"allow_unapproved": True}), ("setting-not-allowed", "settings.allow_unapproved")),
        (create(settings={"limits": {"as_of": "2024-01-01"}}), ("setting-not-allowed", "settings.limits.as_of")),
        (create(settings={"limits": {"any": {"max": 40001}}}), ("above-limit", "settings.limits.any.max")),
        (create(settings={"limits": {"main": {"max": 50000}}}), ("above-limit", "settings.limits.main.max")),
        (create(settings={"limits": {"main": {"min": 40001}}}), ("bad-setting", "settings.limits.main")),
        (create(cards="known", deal_mode="shoe"), ("known-from-shoe", "deal_mode")),
        (create(vocabulary="aquarius"), ("vocabulary-withdrawn", "vocabulary")),
        (
            create(game="six-card-poker", paytables={"aces_up": "SCP-LAYOUT"}),
            ("unapproved-paytable", "paytables.aces_up"),
        ),
    ],
)
def test_a_table_is_refused(command: CreateTable, fault: tuple[str, str]) -> None:
    assert new_room().refused(TECHNICIAN, command) == {fault}


def test_all_faults_of_a_table_are_told_at_once() -> None:
    command = create(
        seats=9, way="none", paytables={"fortune": "X"}, settings={"wheel": "third"}, vocabulary="aquarius"
    )
    assert new_room().refused(TECHNICIAN, command) == {
        ("out-of-range", "seats"), ("unknown-way", "way"), ("unknown-paytable", "paytables.fortune"),
        ("bad-setting", "settings.wheel"), ("vocabulary-withdrawn", "vocabulary"),
    }  # fmt: skip


def test_every_table_has_its_own_identity() -> None:
    room = new_room()
    room.add_table()
    assert room.refused(TECHNICIAN, create()) == {("table-exists", "table")}


@pytest.mark.parametrize("actor", [DEALER, CAGE, ACCOUNTING])
def test_who_may_set_tables_up(actor: str) -> None:
    assert new_room().refused(actor, create()) == {("wrong-role", "actor")}


def test_the_first_generation_of_controls_stays_with_the_six_card_games() -> None:
    room = new_room()
    room.add_table("T1", "six-card-fortune", vocabulary="aquarius")
    room.add_table("T2", "six-card-poker", vocabulary="aquarius")


@pytest.mark.parametrize(
    ("game", "tables", "needed"),
    # Fortune's table goes far beyond 50 to 1; Tiger 9, which needs no table named, pays 30 to 1 at most.
    [("fortune", {"fortune": "FPGP-3"}, 500_00), ("commission-free-fortune", {}, 300_00)],
)
def test_an_aggregate_limit_is_not_below_the_highest_wager_at_fifty_to_one(
    game: str, tables: dict[str, str], needed: int
) -> None:
    room = new_room()

    def command(cents: int) -> CreateTable:
        settings = {"aggregate_limit": {"per": "hand", "cents": cents}, "limits": {"any": {"max": 10_00}}}
        return create(game=game, paytables=tables, settings=settings)

    assert room.refused(TECHNICIAN, command(needed - 1)) == {("aggregate-too-low", "settings.aggregate_limit")}
    room.do(TECHNICIAN, command(needed))


def test_an_aggregate_limit_needs_a_highest_wager_where_no_law_gives_one() -> None:
    room = new_room("tribal")
    settings = {"aggregate_limit": {"per": "hand", "cents": 10**9}}
    command = create(paytables={"fortune": "FPGP-3"}, settings=settings)
    assert ("bad-setting", "settings.limits.fortune") in room.refused(TECHNICIAN, command)


def test_the_bound_of_aggregate_limits_is_a_setting() -> None:
    room = new_room()
    own = PropertySetting("aggregate_odds", (DatedValue(0, 10, EXECUTIVE, ACCOUNTING, "example"),))
    for floor in (room.floor, room.follower.floor):
        floor.put("setting", own.id, own)
    limits = {"any": {"max": 10_00}}
    settings = {"aggregate_limit": {"per": "hand", "cents": 100_00}, "limits": limits}
    room.do(TECHNICIAN, create(paytables={"fortune": "FPGP-3"}, settings=settings))


def test_a_sensor_joins_a_link_and_the_notices_are_told() -> None:
    room = new_room()
    room.add_link()
    room.add_table()
    answer = room.do(TECHNICIAN, AttachSensor("T1", "1", "L1"))
    assert room.table().sensors == {"1": "L1"}
    assert "jackpot" in [notice["notice"] for notice in answer["notices"]]
    room.do(SUPERVISOR, AttachSensor("T1", "1", None))
    assert room.table().sensors == {}


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (AttachSensor("T9", "1", "L1"), ("unknown-table", "table")),
        (AttachSensor("T1", "1", "L9"), ("unknown-link", "link")),
        (AttachSensor("T1", "3", "L1"), ("unknown-sensor", "sensor")),
        (AttachSensor("T1", "1", "L6"), ("game-not-linkable", "link")),
        (AttachSensor("T1", "2", None), ("unknown-sensor", "sensor")),
    ],
)
def test_joining_is_refused(command: AttachSensor, fault: tuple[str, str]) -> None:
    room = new_room()
    room.add_link()
    room.add_link("L6", "6CFPGPP-2")
    room.add_table()
    assert room.refused(TECHNICIAN, command) == {fault}


def test_two_sensors_carry_two_jackpots_of_one_kind() -> None:
    room = new_room()
    room.add_link("L1")
    room.add_link("L2", "FPGPP-WA07")
    room.add_house_jackpot("H1")
    room.add_table()
    room.attach("T1", "1", "L1")
    assert room.refused(TECHNICIAN, AttachSensor("T1", "1", "L2")) == {("sensor-taken", "sensor")}
    assert room.refused(TECHNICIAN, AttachSensor("T1", "2", "L1")) == {("link-twice", "link")}
    assert room.refused(TECHNICIAN, AttachSensor("T1", "2", "H1")) == {("mixed-jackpots", "link")}
    room.attach("T1", "2", "L2")
    assert room.table().sensors == {"1": "L1", "2": "L2"}


def test_a_table_allows_no_more_games_than_the_property() -> None:
    room = new_room()
    room.now -= 5 * 365 * DAY
    assert room.refused(TECHNICIAN, create(settings={"max_games": 5})) == {("above-limit", "settings.max_games")}
    room.do(TECHNICIAN, create(settings={"max_games": 4}))


def test_an_open_table_keeps_its_sensors() -> None:
    room = new_room()
    room.add_link()
    room.add_table()
    room.attach("T1", "1", "L1")
    room.open_table()
    answer = room.do(DEALER, StartRound("T1", {"1": [1]}))
    assert room.refused(TECHNICIAN, AttachSensor("T1", "1", None)) == {("round-in-play", "table")}
    room.do(DEALER, EndRound(answer["round"]))
    assert room.refused(TECHNICIAN, AttachSensor("T1", "1", None)) == {("table-open", "table")}
