"""A table opens only with approved equipment of one edition, licensed makers and cameras that see it."""

from __future__ import annotations

import dataclasses

import pytest

from houseway.definitions import defined_as, span_of
from houseway.games import game as game_of
from houseway.games import game_ids
from houseway.manager.commands.house_commands import DealerIn, RecordPaper
from houseway.manager.commands.round_commands import StartRound
from houseway.manager.handlers import room_choices
from houseway.manager.handlers.papers_in_order import drafts_for
from houseway.manager.handlers.register_list import COVERAGE
from houseway.manager.handlers.registers import display_faults
from houseway.manager.handlers.table_editions import edition_faults
from tests.manager.floors import DEALER, EXECUTIVE, START, SUPERVISOR, SURVEILLANCE, TECHNICIAN, Room, badge, new_room
from tests.manager.house.papers_at_hand import codes, enter, opening, post_number_of_games, room_with_jackpot


@pytest.mark.parametrize("component", ["game-manager", "controller"])
def test_an_older_jackpot_system_keeps_the_table_closed(component: str) -> None:
    room = room_with_jackpot()
    enter(room, changed={component: {"version": "1.0"}})
    assert room.refused(SUPERVISOR, opening()) == {("equipment-outdated", f"equipment.{component}")}


def test_without_a_jackpot_the_jackpot_system_does_not_matter() -> None:
    room = new_room()
    room.add_table()
    fields = {
        "component": "controller",
        "model": "Nexus Command Table Controller 2",
        "maker": "Example Maker",
        "version": "1",
    }
    room.do(TECHNICIAN, RecordPaper("equipment", "E1", "T1", fields, START))
    enter(room)
    assert codes(room.do(SUPERVISOR, opening())) == []


@pytest.mark.parametrize(
    ("component", "change", "code"),
    [
        ("controller", {"version": "unknown"}, "equipment-unknown"),
        ("controller", {"model": "Houseway"}, "equipment-unknown"),
        ("controller", {"model": "Nexus Command Table Controller", "version": "2.0.0"}, "equipment-mixed"),
        ("game-manager", {"model": "Nexus Command Game Manager", "version": "1.3.0"}, "equipment-mixed"),
        ("i-verify", {"version": "1.0.016"}, "equipment-outdated"),
        ("shuffler", {"version": "3.8.023"}, "equipment-outdated"),
        ("shuffler", {"model": "Another Shuffler"}, "equipment-unknown"),
    ],
)
def test_equipment_that_is_not_approved_keeps_the_table_closed(
    component: str, change: dict[str, str], code: str
) -> None:
    room = room_with_jackpot()
    enter(room, changed={component: change})
    assert room.refused(SUPERVISOR, opening()) == {(code, f"equipment.{component}")}


@pytest.mark.parametrize("component", ["game-manager", "controller", "display", "shuffler"])
def test_a_part_that_is_not_on_the_register_keeps_the_table_closed(component: str) -> None:
    room = room_with_jackpot()
    enter(room, component)
    assert room.refused(SUPERVISOR, opening()) == {("equipment-missing", f"equipment.{component}")}


def test_a_higher_version_counts_only_where_the_sheet_says_so() -> None:
    for game, paytable, opens in (("six-card-fortune", "6CFPGPP-2", True), ("six-card-poker", "SIXCPP-02", False)):
        room = room_with_jackpot(game, "nexus", paytable)
        enter(room, changed={"controller": {"version": "2.0.1"}})
        if opens:
            room.do(SUPERVISOR, opening())
        else:
            assert room.refused(SUPERVISOR, opening()) == {("equipment-unknown", "equipment.controller")}


def approve(room: Room, **fields: object) -> None:
    number = sum(paper.register == "equipment-approval" for paper in room.floor.papers.values())
    paper = {"component": "controller", "model": "Houseway", "version": "1.0", "reference": "letter of May 5", **fields}
    room.do(EXECUTIVE, RecordPaper("equipment-approval", f"EA{number}", "fortune", paper, room.now))


def test_an_approval_names_what_may_stand_in_for_a_printed_part() -> None:
    room = room_with_jackpot()
    enter(room, changed={"controller": {"model": "Houseway", "version": "1.1"}})
    approve(room)
    assert room.refused(SUPERVISOR, opening()) == {("equipment-unknown", "equipment.controller")}
    approve(room, or_higher=True)
    room.do(SUPERVISOR, opening())


def test_pieces_of_the_whole_property_count_where_the_table_has_none_of_its_own() -> None:
    room = room_with_jackpot()
    enter(room, "game-manager")
    manager = {"component": "game-manager", "maker": "Example Maker"}
    for number, (model, version) in enumerate((("Nexus Command Game Manager", "1.3.0"), ("GM Atlas", "5.4.0"))):
        assert room.refused(SUPERVISOR, opening()) == {
            ("equipment-mixed" if number else "equipment-missing", "equipment.game-manager")
        }
        fields = {**manager, "model": model, "version": version}
        room.do(TECHNICIAN, RecordPaper("equipment", f"GM{number}", "property", fields, room.now))
    room.do(SUPERVISOR, opening())


def test_the_approval_s_edition_decides_which_systems_there_are() -> None:
    old = {
        "game-manager": {"model": "Nexus Command Game Manager", "version": "1.3.0"},
        "controller": {"model": "Nexus Command Table Controller Software", "version": "2.1.0"},
    }
    for edition, refused in (("2018-10-18", set()), ("2023-06-14", {"equipment-mixed"})):
        room = room_with_jackpot()
        enter(room, changed={**old, "game-approval": {"edition": edition}})
        post_number_of_games(room)
        if refused:
            assert {code for code, _ in room.refused(SUPERVISOR, opening())} == refused
        else:
            room.do(SUPERVISOR, opening())


def test_a_table_opens_only_under_an_edition_that_exists() -> None:
    for edition, refused in (("2018-10-17", {("no-edition", "game-approval")}), ("2018-10-18", set())):
        room = new_room()
        room.add_table()
        enter(room, changed={"game-approval": {"edition": edition}})
        post_number_of_games(room)
        if refused:
            assert room.refused(SUPERVISOR, opening()) == refused
        else:
            room.do(SUPERVISOR, opening())


@pytest.mark.parametrize("stands", ["two sensors", "house jackpot"])
def test_a_table_opens_only_under_an_edition_that_offers_what_stands_on_it(stands: str) -> None:
    for edition in ("2018-10-18", "2023-06-14"):
        room = new_room()
        room.add_table("T1", "fortune")
        if stands == "house jackpot":
            room.add_house_jackpot("H1", "FPGPP-WA01")
            room.attach("T1", "1", "H1")
        else:
            for sensor, link in (("1", "L1"), ("2", "L2")):
                room.add_link(link)
                room.attach("T1", sensor, link)
        enter(room, changed={"game-approval": {"edition": edition}})
        missing = {(fault.code, fault.path) for fault in edition_faults(room.floor, room.table(), room.now)}
        if edition == "2023-06-14":
            assert missing == set()
            room.do(SUPERVISOR, opening())
        else:
            assert missing == {("not-in-edition", "game-approval")}
            assert missing <= room.refused(SUPERVISOR, opening())


def test_controls_go_by_the_edition_that_is_approved() -> None:
    """The letter of 2023 names no first Nexus system any more."""
    for edition, refused in (("2018-10-18", set()), ("2023-06-14", {("not-in-edition", "game-approval")})):
        room = room_with_jackpot("fortune", "nexus")
        enter(room, changed={"game-approval": {"edition": edition}})
        post_number_of_games(room)
        if refused:
            assert refused <= room.refused(SUPERVISOR, opening())
        else:
            room.do(SUPERVISOR, opening())
            assert room.table().edition == edition


@pytest.mark.parametrize(
    ("game", "paytable", "kind"),
    [
        ("commission-free-fortune", "FPGPP-WA01", "progressive"),
        ("commission-free-fortune", "FPGPP-WA01", "house"),
        ("six-card-fortune", "6CFPGPP-2", "house"),
        ("six-card-poker", "SIXCPP-02", "house"),
    ],
)
def test_jackpots_that_no_sheet_offers_need_a_paper(game: str, paytable: str, kind: str) -> None:
    room = new_room()
    room.add_table("T1", game, vocabulary="nexus" if game.startswith("six-card") else "nexus-2")
    if kind == "house":
        room.add_house_jackpot("L1", paytable)
    else:
        room.add_link("L1", paytable)
    room.attach("T1", "1", "L1")
    enter(room, "jackpot-approval")
    assert room.refused(SUPERVISOR, opening()) == {("needs-paper", "jackpot-approval")}
    if kind == "house":
        half = ["jackpots"] if game.startswith("six-card") else ["house-jackpots"]
        fields = {"allows": half, "reference": "letter of May 5"}
        room.do(EXECUTIVE, RecordPaper("jackpot-approval", "J1", game, fields, START))
        assert room.refused(SUPERVISOR, opening()) == {("needs-paper", "jackpot-approval")}
    enter(room)
    room.do(SUPERVISOR, opening())
    (paper,) = [each for each in room.floor.papers.values() if each.register == "jackpot-approval" and each.id != "J1"]
    room.do(EXECUTIVE, RecordPaper("withdrawal", "W1", paper.id, {"reason": "expired"}, room.now))
    room.do(DEALER, DealerIn("T1", badge(DEALER)))
    assert room.refused(DEALER, StartRound("T1", sensors={"1": [1]})) == {("needs-paper", "jackpot-approval")}
    room.do(DEALER, StartRound("T1"))


def test_any_fact_of_the_definition_is_among_the_rules_that_are_approved() -> None:
    played = game_of("six-card-fortune")
    assert played.contest.qualifier is not None
    before = room_choices.rules_of(played.id)
    nines = dataclasses.replace(played.contest.qualifier, hands=span_of("pair of nines or better"))
    with defined_as(dataclasses.replace(played, contest=dataclasses.replace(played.contest, qualifier=nines))):
        assert room_choices.rules_of(played.id) != before
    with defined_as(dataclasses.replace(played, notes=("For readers.",), raise_rules=())):
        assert room_choices.rules_of(played.id) == before


def test_controls_that_no_sheet_on_file_names_need_an_approval_of_each_part() -> None:
    room = room_with_jackpot("six-card-fortune", "nexus-2", "6CFPGPP-2")
    enter(room, "equipment-approval")
    assert room.refused(SUPERVISOR, opening()) == {("equipment-missing", "equipment.system")}
    enter(room, "controller")
    assert room.refused(SUPERVISOR, opening()) == {("equipment-missing", "equipment.system")}
    enter(room)
    room.do(SUPERVISOR, opening())


CONTROLS = [
    (game, vocabulary)
    for game in game_ids()
    for vocabulary in ("aquarius", "nexus", "nexus-2")
    if vocabulary != "aquarius" or game.startswith("six-card")
]


@pytest.mark.parametrize(("game", "vocabulary"), CONTROLS)
def test_drafts_propose_a_system_of_the_newest_edition_that_opens(game: str, vocabulary: str) -> None:
    paytable = {"six-card-fortune": "6CFPGPP-2", "six-card-poker": "SIXCPP-02", "face-up": "FUPGPP-07"}
    room = room_with_jackpot(game, vocabulary, paytable.get(game, "FPGPP-WA01"))
    drafts = drafts_for(room.floor, room.table(), room.now)
    models = {each.fields["component"]: each.fields["model"] for each in drafts if each.register == "equipment"}
    if vocabulary != "aquarius" and not game.startswith("six-card"):
        assert models["game-manager"] == "Nexus Command Game Manager 2"
    enter(room)
    room.do(SUPERVISOR, opening())


def test_a_sign_with_a_network_keeps_the_table_closed() -> None:
    room = room_with_jackpot()
    enter(room, changed={"display": {"networked": True}})
    assert room.refused(SUPERVISOR, opening()) == {("display-networked", "equipment.display")}


def test_makers_without_licence_keep_the_table_closed() -> None:
    room = room_with_jackpot()
    enter(room, "maker-licence")
    assert room.refused(SUPERVISOR, opening()) == {("maker-unlicensed", "maker-licence")}
    fields = {"number": "1", "issuer": "state", "document": "licence", "covers": ["layout"]}
    room.do(EXECUTIVE, RecordPaper("maker-licence", "M1", "Example Maker", fields, START))
    assert room.refused(SUPERVISOR, opening()) == {("maker-unlicensed", "maker-licence")}


def test_a_monitor_that_the_operator_provides_needs_no_licensed_maker() -> None:
    for game, paytable, opens in (("fortune", "FPGPP-WA01", True), ("six-card-fortune", "6CFPGPP-2", False)):
        room = room_with_jackpot(game, "nexus" if game == "six-card-fortune" else "nexus-2", paytable)
        enter(room, changed={"display": {"maker": "Any Shop"}})
        if opens:
            room.do(SUPERVISOR, opening())
        else:
            assert room.refused(SUPERVISOR, opening()) == {("maker-unlicensed", "maker-licence")}


def test_a_tribal_maker_needs_certificate_and_licence() -> None:
    room = new_room("tribal")
    room.add_table()
    enter(room, "maker-licence")
    fields = {"number": "1", "issuer": "state", "document": "licence", "covers": ["equipment"]}
    room.do(EXECUTIVE, RecordPaper("maker-licence", "M1", "Example Maker", fields, START))
    assert room.refused(SUPERVISOR, opening()) == {("maker-unlicensed", "maker-licence")}
    fields = {"number": "2", "issuer": "tribe", "document": "licence", "covers": ["equipment"]}
    room.do(EXECUTIVE, RecordPaper("maker-licence", "M2", "Example Maker", fields, START))
    assert room.refused(SUPERVISOR, opening()) == {("maker-unlicensed", "maker-licence")}
    fields = {"number": "3", "issuer": "state", "document": "certificate", "covers": ["equipment"]}
    room.do(EXECUTIVE, RecordPaper("maker-licence", "M3", "Example Maker", fields, START))
    room.do(SUPERVISOR, opening())


def test_what_cameras_do_not_see_is_flagged() -> None:
    room = new_room()
    room.add_table(cards="known")
    enter(room, changed={"surveillance-coverage": {"sees": ["table", "cards", "tray", "house-way-display"]}})
    (warning,) = room.do(SUPERVISOR, opening())["warnings"]
    assert warning["code"] == "not-on-camera"
    assert "to see wagers, shuffler at T1" in warning["message"]


@pytest.mark.parametrize("cards", ["felt", "known"])
def test_a_house_way_display_that_surveillance_does_not_see_keeps_the_table_closed(cards: str) -> None:
    room = new_room()
    room.add_table(cards=cards)
    enter(room, changed={"surveillance-coverage": {"sees": ["table", "cards", "wagers", "tray", "shuffler"]}})
    assert any(paper.fields.get("component") == "i-verify" for paper in room.floor.papers.values())
    assert room.refused(SUPERVISOR, opening()) == {("display-unseen", "surveillance-coverage")}
    (draft,) = drafts_for(room.floor, room.table(), room.now)
    assert (draft.register, draft.fields["sees"]) == ("surveillance-coverage", ["house-way-display"])
    enter(room)
    assert room.do(SUPERVISOR, opening())["warnings"] == []


def test_a_game_whose_hands_are_not_split_has_no_display_to_see() -> None:
    room = new_room()
    room.add_table(game="six-card-poker", cards="known")
    (draft,) = (each for each in drafts_for(room.floor, room.table(), room.now) if each.register == COVERAGE)
    assert draft.fields["sees"] == ["table", "cards", "wagers", "tray", "shuffler"]
    assert display_faults(room.floor, room.table(), room.now) == []


def test_a_table_without_a_house_way_display_opens_unseen() -> None:
    room = new_room()
    room.add_table()
    enter(room, "i-verify", changed={"surveillance-coverage": {"sees": ["table", "cards", "wagers", "tray"]}})
    assert codes(room.do(SUPERVISOR, opening())) == ["not-on-camera"]


def test_another_version_than_the_approved_one_is_flagged() -> None:
    room = new_room()
    room.add_table()
    enter(room, changed={"game-approval": {"software": "0.0.9"}})
    assert codes(room.do(SUPERVISOR, opening())) == ["software-differs"]


def test_surveillance_alone_declares_what_it_sees() -> None:
    room = new_room()
    room.add_table()
    (draft,) = (each for each in drafts_for(room.floor, room.table(), room.now) if each.register == COVERAGE)
    coverage = RecordPaper(COVERAGE, "coverage-1", "T1", {**draft.fields, "reference": "camera plan 4"}, room.now)
    for person in (EXECUTIVE, SUPERVISOR):
        assert room.refused(person, coverage) == {("wrong-role", "actor")}
    room.do(SURVEILLANCE, coverage)
    withdrawal = RecordPaper("withdrawal", "W1", "coverage-1", {"reason": "camera 4 is down"}, room.now)
    assert room.refused(EXECUTIVE, withdrawal) == {("wrong-role", "actor")}
    room.do(SURVEILLANCE, withdrawal)
