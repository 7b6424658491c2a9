"""What a table needs before it opens: approvals of these very rules, controls, versions, notices; and the float."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from houseway.definitions import defined_as, span_of
from houseway.games import game as game_of
from houseway.games import game_ids
from houseway.manager.commands.house_commands import DealerIn, OpenTable, RecordPaper, SetFaceUp
from houseway.manager.commands.link_commands import CreateLink, OpenLink
from houseway.manager.commands.round_commands import DeclareSeat, EndRound, StartRound
from houseway.manager.core.entities import DatedValue, LevelParameters, PropertySetting
from houseway.manager.handlers import registers, tables
from houseway.manager.handlers.notices import notice_faults
from houseway.manager.handlers.papers_in_order import drafts_for, papers_in_order
from houseway.manager.handlers.table_editions import edition_faults
from tests.manager.floors import (
    ACCOUNTING,
    AUDITOR,
    CAGE,
    DAY,
    DEALER,
    EXECUTIVE,
    HOUR,
    OTHER_DEALER,
    OTHER_SUPERVISOR,
    START,
    SUPERVISOR,
    TECHNICIAN,
    Room,
    card,
    new_room,
)


def opening(table: str = "T1", float_cents: int = 500_000, swiped: str = OTHER_SUPERVISOR) -> OpenTable:
    return OpenTable(table, float_cents, card(swiped))


def room_with_jackpot(game: str = "fortune", vocabulary: str = "nexus-2", paytable: str = "FPGPP-WA01") -> Room:
    room = new_room()
    room.add_link("L1", paytable)
    room.add_table("T1", game, vocabulary=vocabulary)
    room.attach("T1", "1", "L1")
    return room


def enter(room: Room, *leaving_out: str, changed: dict[str, dict[str, Any]] | None = None) -> None:
    """Enter the papers that the table lacks, without those of some registers, components or notices, or changed."""
    for command in papers_in_order(room.floor, room.table(), room.now):
        names = {command.register, command.fields.get("component"), command.fields.get("notice")}
        if names & set(leaving_out):
            continue
        fields = dict(command.fields)
        for name, change in (changed or {}).items():
            if name in names:
                fields |= change
        room.do(EXECUTIVE, RecordPaper(command.register, command.paper, command.subject, fields, command.since))


def codes(answer: dict[str, Any]) -> list[str]:
    return [warning["code"] for warning in answer["warnings"]]


@pytest.mark.parametrize("licence", ["commercial", "tribal"])
@pytest.mark.parametrize("game", game_ids())
def test_a_table_with_papers_in_order_opens_with_its_float(game: str, licence: str) -> None:
    room = new_room(licence)
    room.add_table("T1", game)
    enter(room)
    assert registers.missing_for_opening(room.floor, room.table(), room.now) == []
    answer = room.do(SUPERVISOR, opening())
    assert room.table().status == "open"
    assert (room.balance("tray/T1"), room.balance("house")) == (5_000_000_000, -5_000_000_000)
    assert (answer["tray_cents"], answer["warnings"]) == (500_000, [])
    assert [step.split("(")[1] for step in answer["next"] if "(" in step] == ["table.deck)", "dealer.in)"]
    settings = {
        "six-card-fortune": ["set the shuffler to 6 Card Fortune Pai Gow"],
        "six-card-poker": ["set the shuffler to Rabbit Hunter or Six Card Poker"],
    }
    assert [step for step in answer["next"] if "(" not in step] == settings.get(game, [])


def test_a_table_without_papers_is_told_all_that_is_missing() -> None:
    room = new_room()
    room.add_table()
    assert room.refused(SUPERVISOR, opening()) == {
        ("no-approval", "game-approval"), ("no-internal-controls", "internal-controls"),
        ("notice-missing", "notices.wager-limits"), ("notice-missing", "notices.dispute-procedure"),
        ("equipment-missing", "equipment.shuffler"),
    }  # fmt: skip


def test_a_tribal_table_needs_agency_state_and_supplement() -> None:
    room = new_room("tribal")
    room.add_table()
    assert {fault for fault in room.refused(SUPERVISOR, opening()) if not fault[0].startswith("notice")} == {
        ("equipment-missing", "equipment.shuffler"),
        ("no-approval", "game-approval"), ("no-tribal-paper", "agency-approval"),
        ("no-tribal-paper", "state-concurrence"), ("no-tribal-paper", "supplemental-information"),
    }  # fmt: skip
    enter(room, "state-concurrence")
    assert room.refused(SUPERVISOR, opening()) == {("no-tribal-paper", "state-concurrence")}


def test_an_approval_for_another_licence_does_not_count() -> None:
    room = new_room()
    room.add_table()
    enter(room, changed={"game-approval": {"licence": "tribal"}})
    assert room.refused(SUPERVISOR, opening()) == {("no-approval", "game-approval")}


def test_an_approval_of_other_rules_does_not_count_until_the_change_is_approved() -> None:
    room = new_room()
    room.add_table()
    enter(room, changed={"game-approval": {"hash": "0" * 64}})
    assert room.refused(SUPERVISOR, opening()) == {("approval-differs", "game-approval")}
    assert [fault.code for fault in registers.approval_faults(room.floor, "fortune", room.now)] == ["approval-differs"]
    fields = {
        "submission": "next",
        "edition": "2025-01-01",
        "hash": registers.rules_hash("fortune"),
        "licence": "commercial",
    }
    room.do(EXECUTIVE, RecordPaper("game-approval", "again", "fortune", fields, room.now))
    room.do(SUPERVISOR, opening())


@pytest.mark.parametrize("game", game_ids())
def test_any_change_of_rules_changes_the_hash_that_approvals_are_bound_to(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = registers.rules_of(game)
    tables_without_one = {**before, "paytables": dict(list(before["paytables"].items())[1:])}
    from houseway.manager.core.records import canonical, digest

    assert registers.rules_hash(game) == digest(canonical(before))
    assert digest(canonical(tables_without_one)) != registers.rules_hash(game)
    first = next(table for table in registers.paytables() if game in table.games)
    from dataclasses import replace

    line = replace(first.lines[0], envy=12_345)
    changed = replace(first, lines=(line, *first.lines[1:]))
    others = [table for table in registers.paytables() if table.id != first.id]
    monkeypatch.setattr(registers, "paytables", lambda: (*others, changed))
    assert registers.rules_of(game) != before


def test_every_game_has_a_hash_of_its_own_in_the_record_of_a_start() -> None:
    found = registers.fingerprints()
    assert set(found) == {"paytables", *(f"game/{game}" for game in game_ids())}
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize(
    ("since", "until", "opens"), [(0, None, True), (1, None, False), (-DAY, 0, False), (-DAY, 1, True)]
)
def test_approvals_count_between_their_dates_only(since: int, until: int | None, opens: bool) -> None:
    room = new_room()
    room.add_table()
    enter(room, "internal-controls")
    ends = None if until is None else START + until
    fields = {"reference": "IC", "approved_on": "2024-01-01"}
    room.do(EXECUTIVE, RecordPaper("internal-controls", "IC", "fortune", fields, START + since, ends))
    if opens:
        room.do(SUPERVISOR, opening())
    else:
        assert room.refused(SUPERVISOR, opening()) == {("no-internal-controls", "internal-controls")}


def test_controls_of_another_game_do_not_count_and_those_of_the_property_do() -> None:
    room = new_room()
    room.add_table()
    enter(room, "internal-controls")
    fields = {"reference": "IC", "approved_on": "2024-01-01"}
    room.do(EXECUTIVE, RecordPaper("internal-controls", "IC1", "face-up", fields, START))
    assert room.refused(SUPERVISOR, opening()) == {("no-internal-controls", "internal-controls")}
    room.do(EXECUTIVE, RecordPaper("internal-controls", "IC2", "property", fields, START))
    room.do(SUPERVISOR, opening())


def test_what_was_withdrawn_is_drafted_anew_under_another_id() -> None:
    room = new_room()
    room.add_table()
    enter(room)
    (first,) = (paper.id for paper in room.floor.papers.values() if paper.register == "game-approval")
    room.do(EXECUTIVE, RecordPaper("withdrawal", "W1", first, {"reason": "the letter was revoked"}, room.now))
    assert room.refused(SUPERVISOR, opening()) == {("no-approval", "game-approval")}
    enter(room)
    assert len([paper for paper in room.floor.papers.values() if paper.register == "game-approval"]) == 2
    room.do(SUPERVISOR, opening())


@pytest.mark.parametrize("component", ["game-manager", "controller"])
def test_an_older_jackpot_system_keeps_the_table_closed(component: str) -> None:
    room = room_with_jackpot()
    enter(room, changed={component: {"version": "1.0"}})
    assert room.refused(SUPERVISOR, opening()) == {("equipment-outdated", f"equipment.{component}")}
    assert [finding.component for finding in registers.flagged_equipment(room.floor, room.now)["T1"]] == [component]


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
        if refused:
            assert {code for code, _ in room.refused(SUPERVISOR, opening())} == refused
        else:
            room.do(SUPERVISOR, opening())


def test_a_table_opens_only_under_an_edition_that_exists() -> None:
    for edition, refused in (("2018-10-17", {("no-edition", "game-approval")}), ("2018-10-18", set())):
        room = new_room()
        room.add_table()
        enter(room, changed={"game-approval": {"edition": edition}})
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
    room.do(DEALER, DealerIn("T1", card(DEALER)))
    assert room.refused(DEALER, StartRound("T1", sensors={"1": [1]})) == {("needs-paper", "jackpot-approval")}
    room.do(DEALER, StartRound("T1"))


def test_any_fact_of_the_definition_is_among_the_rules_that_are_approved() -> None:
    played = game_of("six-card-fortune")
    assert played.contest.qualifier is not None
    before = registers.rules_of(played.id)
    nines = dataclasses.replace(played.contest.qualifier, hands=span_of("pair of nines or better"))
    with defined_as(dataclasses.replace(played, contest=dataclasses.replace(played.contest, qualifier=nines))):
        assert registers.rules_of(played.id) != before
    with defined_as(dataclasses.replace(played, notes=("For readers.",), raise_rules=())):
        assert registers.rules_of(played.id) == before


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
    enter(room, changed={"surveillance-coverage": {"sees": ["table", "cards", "tray"]}})
    (warning,) = room.do(SUPERVISOR, opening())["warnings"]
    assert warning["code"] == "not-on-camera"
    assert "wagers, shuffler, house-way-display" in warning["message"]


def test_another_version_than_the_approved_one_is_flagged() -> None:
    room = new_room()
    room.add_table()
    enter(room, changed={"game-approval": {"software": "0.0.9"}})
    assert codes(room.do(SUPERVISOR, opening())) == ["software-differs"]


def test_a_link_that_takes_no_wagers_is_flagged() -> None:
    from houseway.manager.commands.link_commands import StopLink

    room = room_with_jackpot()
    enter(room)
    room.do(EXECUTIVE, StopLink("L1", card(SUPERVISOR), "malfunction", "the sign is dark"))
    assert codes(room.do(SUPERVISOR, opening())) == ["link-not-open"]


# ---------------------------------------------------------------- notices


def kinds(room: Room) -> list[str]:
    return [notice.kind for notice in tables.notices(room.floor, room.table())]


def test_a_plain_table_posts_limits_and_the_dispute_procedure() -> None:
    room = new_room()
    room.add_table(settings={"limits": {"main": {"min": 500}}})
    limits, dispute = tables.notices(room.floor, room.table())
    assert limits.shows["wagers"]["main"] == {"min": 500, "max": 40_000}
    assert set(limits.shows["wagers"]) == {"main"}
    assert "at least $5.00, at most $400.00" in limits.text
    assert "commission" in dispute.text


def test_the_limits_offer_no_wager_that_has_no_pay_table() -> None:
    room = new_room()
    room.add_table("T1")
    room.add_table("T2", paytables={"fortune": "FPGP-1"})
    bare, paid = (tables.notices(room.floor, room.table(name))[0] for name in ("T1", "T2"))
    assert set(paid.shows["wagers"]) - set(bare.shows["wagers"]) == {"fortune"}
    assert paid.shows["wagers"]["fortune"] == {"min": None, "max": 40_000}
    assert "Fortune" in paid.text
    assert "Fortune" not in bare.text


def test_the_number_of_games_is_posted_while_a_number_is_set() -> None:
    room = new_room()
    room.now = START - 365 * 5 * DAY
    room.add_table()
    (games, *_) = tables.notices(room.floor, room.table(), room.now)
    assert (games.kind, games.shows) == ("separate-games", {"games": 4})
    assert kinds(room) == ["separate-games", "wager-limits", "dispute-procedure"]
    room.now = START
    assert "separate-games" not in [notice.kind for notice in tables.notices(room.floor, room.table(), START)]


def test_an_aggregate_limit_is_posted() -> None:
    room = new_room()
    settings = {"aggregate_limit": {"per": "round", "cents": 100_000_00}}
    room.add_table(settings=settings, paytables={"fortune": "FPGP-3"})
    notice = next(notice for notice in tables.notices(room.floor, room.table()) if notice.kind == "aggregate-limit")
    assert notice.shows == {"per": "round", "cents": 100_000_00}
    assert "$100,000.00 a round" in notice.text


def test_a_progressive_posts_kind_wager_and_limits() -> None:
    room = room_with_jackpot()
    notice = tables.notices(room.floor, room.table())[-1]
    (shown,) = notice.shows["sensors"].values()
    assert {name: shown[name] for name in ("kind", "paytable", "wager", "limits")} == {
        "kind": "progressive", "paytable": "FPGPP-WA01", "wager": 100, "limits": {},
    }  # fmt: skip
    assert "progressive jackpot" in notice.text


def test_a_jackpot_posts_its_pay_table_in_the_fixed_wager() -> None:
    room = new_room()
    room.do(EXECUTIVE, CreateLink("L1", "progressive", "6CFPGPP-2", {"main": LevelParameters(100_000, "1/5")}, 500))
    room.do(EXECUTIVE, OpenLink("L1", {"main": {"seed": 100_000}}, card(ACCOUNTING)))
    room.add_table("T1", "six-card-fortune", vocabulary="nexus")
    room.attach("T1", "1", "L1")
    notice = tables.notices(room.floor, room.table())[-1]
    shown = notice.shows["sensors"]["1"]
    assert shown["pays"]["five-aces"] == "100% of main"
    assert shown["pays"]["full-house"] == 15 * 500
    assert shown["envy"] == {"five-aces": 10_000, "royal-flush": 5_000, "straight-flush": 1_000, "four-of-a-kind": 500}
    assert "full house $75.00" in notice.text


def test_the_pay_table_of_each_bonus_wager_is_posted() -> None:
    room = new_room()
    room.add_table(paytables={"fortune": "FPGP-1", "paigowd": "PGD-01"})
    notice = next(notice for notice in tables.notices(room.floor, room.table()) if notice.kind == "pay-tables")
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
    notice = next(notice for notice in tables.notices(room.floor, room.table()) if notice.kind == "pay-tables")
    assert notice.shows["wagers"].keys() == {"insurance"}
    assert notice.shows["wagers"]["insurance"]["pays"]["king-high"] == "3 to 1"


def test_a_house_jackpot_posts_its_prizes_and_its_two_notices() -> None:
    room = new_room()
    room.add_house_jackpot()
    room.add_table()
    room.attach("T1", "1", "H1")
    assert kinds(room) == ["wager-limits", "dispute-procedure", "jackpot", "house-funded", "may-be-withdrawn"]
    jackpot, funded, withdrawn = tables.notices(room.floor, room.table())[2:]
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


# ---------------------------------------------------------------- face up


FORTUNE = ["Fortune Pai Gow Poker", "Fortune Pai Gow Poker Progressive"]
LETTER: dict[str, Any] = {
    "reference": "letter",
    "issued": "2020-07-07",
    "games": ["DJ Wild Stud Poker", *FORTUNE, "I Luv Suits Poker"],
    "internal_controls": "IC-8",
}


def permit(room: Room, until: int | None = None) -> None:
    room.do(EXECUTIVE, RecordPaper("face-up-permission", "F1", "fortune", LETTER, START, until))


def test_dealing_face_up_needs_a_permission_in_force() -> None:
    room = new_room()
    room.add_table()
    up = SetFaceUp("T1", True, card(OTHER_SUPERVISOR))
    assert room.refused(SUPERVISOR, up) == {("no-face-up-permission", "face_up")}
    permit(room, START + HOUR)
    assert room.do(SUPERVISOR, up) == {
        "table": "T1", "face_up": True, "by": OTHER_SUPERVISOR, "most_spots": 3, "recommended_spots": None,
    }  # fmt: skip
    assert room.refused(SUPERVISOR, up) == {("nothing-to-change", "face_up")}
    enter(room)
    room.now = START + HOUR
    assert ("no-face-up-permission", "face_up") in room.refused(SUPERVISOR, opening())
    room.do(SUPERVISOR, SetFaceUp("T1", False, card(OTHER_SUPERVISOR)))
    room.do(SUPERVISOR, opening())


@pytest.mark.parametrize("face_up", [True, False])
def test_nobody_alone_changes_how_the_cards_are_dealt(face_up: bool) -> None:
    room = new_room()
    room.add_table()
    permit(room)
    if not face_up:
        room.do(SUPERVISOR, SetFaceUp("T1", True, card(OTHER_SUPERVISOR)))
    assert room.refused(SUPERVISOR, SetFaceUp("T1", face_up, card(SUPERVISOR))) == {("second-person", "card")}
    room.do(SUPERVISOR, SetFaceUp("T1", face_up, card(OTHER_SUPERVISOR)))
    assert room.table().face_up is face_up


def test_a_round_does_not_start_face_up_once_the_permission_has_ended() -> None:
    room = new_room()
    room.add_table()
    permit(room, START + HOUR)
    room.do(SUPERVISOR, SetFaceUp("T1", True, card(OTHER_SUPERVISOR)))
    room.open_table()
    answer = room.do(DEALER, StartRound("T1", occupied=[1]))
    room.do(DEALER, EndRound(answer["round"]))
    room.now = START + HOUR
    assert room.refused(DEALER, StartRound("T1")) == {("no-face-up-permission", "face_up")}
    room.do(SUPERVISOR, SetFaceUp("T1", False, card(OTHER_SUPERVISOR)))
    room.do(DEALER, StartRound("T1"))


def test_the_recommended_spots_are_told() -> None:
    room = new_room()
    room.add_table()
    permit(room)
    own = PropertySetting("face_up_spots", (DatedValue(0, {"fortune": 2}, EXECUTIVE, CAGE, "two players"),))
    for floor in (room.floor, room.follower.floor):
        floor.put("setting", own.id, own)
    answer = room.do(SUPERVISOR, SetFaceUp("T1", True, card(OTHER_SUPERVISOR)))
    assert (answer["recommended_spots"], answer["most_spots"]) == (2, 2)


@pytest.mark.parametrize(("spots", "most"), [(None, 3), (2, 2), (5, 5)])
def test_no_more_spots_play_face_up_than_the_permission_allows(spots: int | None, most: int) -> None:
    room = new_room()
    room.add_table()
    fields = LETTER if spots is None else {**LETTER, "spots": spots}
    room.do(EXECUTIVE, RecordPaper("face-up-permission", "F1", "fortune", fields, START))
    room.do(SUPERVISOR, SetFaceUp("T1", True, card(OTHER_SUPERVISOR)))
    room.open_table()
    seats = list(range(1, most + 1))
    too_many = StartRound("T1", occupied=[*seats, 6])
    assert room.refused(DEALER, too_many) == {("too-many-spots", "occupied")}
    room.do(DEALER, StartRound("T1", occupied=seats))
    assert room.refused(DEALER, DeclareSeat("T1", 6, plays=True)) == {("too-many-spots", "occupied")}
    room.do(DEALER, EndRound("T1-1"))
    room.do(SUPERVISOR, SetFaceUp("T1", False, card(OTHER_SUPERVISOR)))
    room.do(DEALER, too_many)


def test_face_up_no_round_starts_until_somebody_is_declared() -> None:
    room = new_room()
    room.add_table()
    permit(room)
    room.open_table()
    room.do(DEALER, StartRound("T1"))
    room.do(DEALER, EndRound("T1-1"))
    room.do(SUPERVISOR, SetFaceUp("T1", True, card(OTHER_SUPERVISOR)))
    for start in (StartRound("T1"), StartRound("T1", occupied=[])):
        assert room.refused(DEALER, start) == {("nobody-plays", "occupied")}
    room.do(DEALER, DeclareSeat("T1", 2, plays=True))
    assert room.do(DEALER, StartRound("T1"))["occupied"] == [2]


@pytest.mark.parametrize("game", ["six-card-fortune", "commission-free-fortune", "face-up", "six-card-poker"])
def test_the_letter_of_2020_permits_the_games_that_it_names(game: str) -> None:
    room = new_room()
    room.add_table("T1", game)
    paper = RecordPaper("face-up-permission", "F1", game, LETTER, START)
    assert room.refused(EXECUTIVE, paper) == {("not-in-the-letter", "subject")}
    title = game_of(game).title
    invented = RecordPaper("face-up-permission", "F1", game, {**LETTER, "games": [title]}, START)
    assert room.refused(EXECUTIVE, invented) == {("not-in-the-letter", "fields.games[0]")}
    room.do(
        EXECUTIVE,
        RecordPaper("face-up-permission", "F1", game, {**LETTER, "issued": "2025-01-15", "games": [title]}, START),
    )
    room.do(SUPERVISOR, SetFaceUp("T1", True, card(OTHER_SUPERVISOR)))


def test_a_permission_for_the_game_is_none_for_its_progressive() -> None:
    room = room_with_jackpot()
    room.do(EXECUTIVE, RecordPaper("face-up-permission", "F1", "fortune", {**LETTER, "games": FORTUNE[:1]}, START))
    up = SetFaceUp("T1", True, card(OTHER_SUPERVISOR))
    assert room.refused(SUPERVISOR, up) == {("no-face-up-permission", "face_up")}
    room.do(EXECUTIVE, RecordPaper("face-up-permission", "F2", "fortune", {**LETTER, "games": FORTUNE}, START))
    room.do(SUPERVISOR, up)


def test_who_may_change_to_face_up() -> None:
    room = new_room()
    room.add_table()
    permit(room)
    assert room.refused(DEALER, SetFaceUp("T1", True, card(OTHER_SUPERVISOR))) == {("wrong-role", "actor")}
    assert room.refused(SUPERVISOR, SetFaceUp("T1", True, card(DEALER))) == {("wrong-role", "card")}
    assert room.refused(SUPERVISOR, SetFaceUp("T9", True, card(OTHER_SUPERVISOR))) == {("unknown-table", "table")}


# ---------------------------------------------------------------- who, and how much


def test_opening_needs_a_supervisor_s_card() -> None:
    room = new_room()
    room.add_table()
    enter(room)
    assert room.refused(DEALER, opening(swiped=DEALER)) == {("second-person", "card")}
    assert room.refused(DEALER, opening(swiped=OTHER_DEALER)) == {("wrong-role", "card")}
    assert room.refused(DEALER, OpenTable("T1", 0, "nobody's")) == {("unknown-card", "card")}
    assert room.refused(AUDITOR, opening()) == {("wrong-role", "actor")}
    assert room.refused(SUPERVISOR, opening(swiped=SUPERVISOR)) == {("second-person", "card")}
    room.do(DEALER, opening(swiped=OTHER_SUPERVISOR))


@pytest.mark.parametrize("cents", [-1, 10**12 + 1])
def test_a_float_that_cannot_be_is_refused(cents: int) -> None:
    room = new_room()
    room.add_table()
    enter(room)
    assert room.refused(SUPERVISOR, opening(float_cents=cents)) == {("bad-amount", "float_cents")}


def test_a_table_opens_once() -> None:
    room = new_room()
    room.add_table()
    room.open_table()
    assert room.refused(SUPERVISOR, opening()) == {("table-open", "table")}
    assert room.refused(SUPERVISOR, opening("T9")) == {("unknown-table", "table")}
