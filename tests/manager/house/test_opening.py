"""What a table needs before it opens: approvals of these very rules, controls; and the float."""

from __future__ import annotations

import pytest

from houseway.games import game_ids
from houseway.manager.commands.house_commands import OpenTable, RecordPaper
from houseway.manager.handlers import registers, room_choices
from tests.manager.floors import (
    AUDITOR,
    DAY,
    DEALER,
    EXECUTIVE,
    OTHER_DEALER,
    OTHER_SUPERVISOR,
    START,
    SUPERVISOR,
    badge,
    new_room,
)
from tests.manager.house.papers_at_hand import codes, enter, opening, room_with_jackpot


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
    assert [step.split("(")[1] for step in answer["next"] if "(" in step] == ["houseway table deck)"]
    settings = {
        "six-card-fortune": ["set the shuffler to 6 Card Fortune Pai Gow"],
        "six-card-poker": ["set the shuffler to Rabbit Hunter or Six Card Poker"],
    }
    assert [step for step in answer["next"] if "(" not in step] == [*settings.get(game, []), "a dealer swipes in"]


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
        "hash": room_choices.rules_hash("fortune"),
        "licence": "commercial",
    }
    room.do(EXECUTIVE, RecordPaper("game-approval", "again", "fortune", fields, room.now))
    room.do(SUPERVISOR, opening())


@pytest.mark.parametrize("game", game_ids())
def test_any_change_of_rules_changes_the_hash_that_approvals_are_bound_to(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = room_choices.rules_of(game)
    tables_without_one = {**before, "paytables": dict(list(before["paytables"].items())[1:])}
    from houseway.manager.core.records import canonical, digest

    assert room_choices.rules_hash(game) == digest(canonical(before))
    assert digest(canonical(tables_without_one)) != room_choices.rules_hash(game)
    first = next(table for table in room_choices.paytables() if game in table.games)
    from dataclasses import replace

    line = replace(first.lines[0], envy=12_345)
    changed = replace(first, lines=(line, *first.lines[1:]))
    others = [table for table in room_choices.paytables() if table.id != first.id]
    monkeypatch.setattr(room_choices, "paytables", lambda: (*others, changed))
    assert room_choices.rules_of(game) != before


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


def test_what_was_withdrawn_is_drafted_again_under_another_id() -> None:
    room = new_room()
    room.add_table()
    enter(room)
    (first,) = (paper.id for paper in room.floor.papers.values() if paper.register == "game-approval")
    room.do(EXECUTIVE, RecordPaper("withdrawal", "W1", first, {"reason": "the letter was revoked"}, room.now))
    assert room.refused(SUPERVISOR, opening()) == {("no-approval", "game-approval")}
    enter(room)
    assert len([paper for paper in room.floor.papers.values() if paper.register == "game-approval"]) == 2
    room.do(SUPERVISOR, opening())


def test_a_link_that_takes_no_wagers_is_flagged() -> None:
    from houseway.manager.commands.link_commands import StopLink

    room = room_with_jackpot()
    enter(room)
    room.do(EXECUTIVE, StopLink("L1", badge(SUPERVISOR), "malfunction", "the sign is dark"))
    assert codes(room.do(SUPERVISOR, opening())) == ["link-not-open"]


def test_opening_needs_a_supervisor_s_badge() -> None:
    room = new_room()
    room.add_table()
    enter(room)
    assert room.refused(DEALER, opening(swiped=DEALER)) == {("second-person", "badge")}
    assert room.refused(DEALER, opening(swiped=OTHER_DEALER)) == {("wrong-role", "badge")}
    assert room.refused(DEALER, OpenTable("T1", 0, "nobody's")) == {("unknown-badge", "badge")}
    assert room.refused(AUDITOR, opening()) == {("wrong-role", "actor")}
    assert room.refused(SUPERVISOR, opening(swiped=SUPERVISOR)) == {("second-person", "badge")}
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
