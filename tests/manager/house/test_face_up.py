"""Dealing face up: only with a permission in force, for the games and spots that it names."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.errors import InputError
from houseway.games import game as game_of
from houseway.manager.commands.house_commands import RecordPaper, SetFaceUp
from houseway.manager.commands.round_commands import DeclareSeat, EndRound, StartRound
from houseway.manager.core.house_entities import DatedValue, PropertySetting
from tests.manager.floors import (
    CAGE,
    DEALER,
    EXECUTIVE,
    HOUR,
    OTHER_SUPERVISOR,
    START,
    SUPERVISOR,
    Room,
    badge,
    new_room,
)
from tests.manager.house.papers_at_hand import enter, opening, room_with_jackpot

FORTUNE = ["Fortune Pai Gow Poker", "Fortune Pai Gow Poker Progressive"]
LETTER: dict[str, Any] = {
    "reference": "letter",
    "issued": "2020-07-07",
    "games": ["DJ Wild Stud Poker", *FORTUNE, "I Luv Suits Poker"],
    "internal_controls": "IC-8",
}


def control(room: Room, subject: str = "property", paper: str = "CONTROLS") -> None:
    """The internal controls that the letters of these tests rest on."""
    fields = {"reference": "IC-8", "approved_on": "2020-08-01"}
    room.do(EXECUTIVE, RecordPaper("internal-controls", paper, subject, fields, START))


def permit(room: Room, until: int | None = None) -> None:
    control(room)
    room.do(EXECUTIVE, RecordPaper("face-up-permission", "F1", "fortune", LETTER, START, until))


def test_dealing_face_up_needs_a_permission_in_force() -> None:
    room = new_room()
    room.add_table()
    up = SetFaceUp("T1", True, badge(OTHER_SUPERVISOR))
    assert room.refused(SUPERVISOR, up) == {("no-face-up-permission", "face_up")}
    permit(room, START + HOUR)
    assert room.do(SUPERVISOR, up) == {
        "table": "T1", "face_up": True, "by": OTHER_SUPERVISOR, "most_spots": 3, "recommended_spots": None,
    }  # fmt: skip
    assert room.refused(SUPERVISOR, up) == {("nothing-to-change", "face_up")}
    enter(room)
    room.now = START + HOUR
    assert ("no-face-up-permission", "face_up") in room.refused(SUPERVISOR, opening())
    room.do(SUPERVISOR, SetFaceUp("T1", False, badge(OTHER_SUPERVISOR)))
    room.do(SUPERVISOR, opening())


@pytest.mark.parametrize("face_up", [True, False])
def test_nobody_alone_changes_how_the_cards_are_dealt(face_up: bool) -> None:
    room = new_room()
    room.add_table()
    permit(room)
    if not face_up:
        room.do(SUPERVISOR, SetFaceUp("T1", True, badge(OTHER_SUPERVISOR)))
    assert room.refused(SUPERVISOR, SetFaceUp("T1", face_up, badge(SUPERVISOR))) == {("second-person", "badge")}
    room.do(SUPERVISOR, SetFaceUp("T1", face_up, badge(OTHER_SUPERVISOR)))
    assert room.table().face_up is face_up


def test_a_round_does_not_start_face_up_once_the_permission_has_ended() -> None:
    room = new_room()
    room.add_table()
    permit(room, START + HOUR)
    room.do(SUPERVISOR, SetFaceUp("T1", True, badge(OTHER_SUPERVISOR)))
    room.open_table()
    answer = room.do(DEALER, StartRound("T1", occupied=[1]))
    room.do(DEALER, EndRound(answer["round"]))
    room.now = START + HOUR
    assert room.refused(DEALER, StartRound("T1")) == {("no-face-up-permission", "face_up")}
    room.do(SUPERVISOR, SetFaceUp("T1", False, badge(OTHER_SUPERVISOR)))
    room.do(DEALER, StartRound("T1"))


def test_the_recommended_spots_are_told() -> None:
    room = new_room()
    room.add_table()
    permit(room)
    own = PropertySetting("face_up_spots", (DatedValue(0, {"fortune": 2}, EXECUTIVE, CAGE, "two players"),))
    for floor in (room.floor, room.follower.floor):
        floor.put("setting", own.id, own)
    answer = room.do(SUPERVISOR, SetFaceUp("T1", True, badge(OTHER_SUPERVISOR)))
    assert (answer["recommended_spots"], answer["most_spots"]) == (2, 2)


@pytest.mark.parametrize(("spots", "most"), [(None, 3), (2, 2), (5, 5)])
def test_no_more_spots_play_face_up_than_the_permission_allows(spots: int | None, most: int) -> None:
    room = new_room()
    room.add_table()
    fields = LETTER if spots is None else {**LETTER, "spots": spots}
    control(room)
    room.do(EXECUTIVE, RecordPaper("face-up-permission", "F1", "fortune", fields, START))
    room.do(SUPERVISOR, SetFaceUp("T1", True, badge(OTHER_SUPERVISOR)))
    room.open_table()
    seats = list(range(1, most + 1))
    too_many = StartRound("T1", occupied=[*seats, 6])
    assert room.refused(DEALER, too_many) == {("too-many-spots", "occupied")}
    room.do(DEALER, StartRound("T1", occupied=seats))
    assert room.refused(DEALER, DeclareSeat("T1", 6, plays=True)) == {("too-many-spots", "occupied")}
    room.do(DEALER, EndRound("T1-1"))
    room.do(SUPERVISOR, SetFaceUp("T1", False, badge(OTHER_SUPERVISOR)))
    room.do(DEALER, too_many)


def test_face_up_no_round_starts_until_somebody_is_declared() -> None:
    room = new_room()
    room.add_table()
    permit(room)
    room.open_table()
    room.do(DEALER, StartRound("T1"))
    room.do(DEALER, EndRound("T1-1"))
    room.do(SUPERVISOR, SetFaceUp("T1", True, badge(OTHER_SUPERVISOR)))
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
    named = f"DJ Wild Stud Poker, {FORTUNE[0]}, {FORTUNE[1]} and I Luv Suits Poker"
    with pytest.raises(InputError, match=f"does not name {title}: it names {named}"):
        room.do(EXECUTIVE, invented)
    control(room)
    room.do(
        EXECUTIVE,
        RecordPaper("face-up-permission", "F1", game, {**LETTER, "issued": "2025-01-15", "games": [title]}, START),
    )
    room.do(SUPERVISOR, SetFaceUp("T1", True, badge(OTHER_SUPERVISOR)))


def test_a_permission_for_the_game_is_none_for_its_progressive() -> None:
    room = room_with_jackpot()
    control(room)
    room.do(EXECUTIVE, RecordPaper("face-up-permission", "F1", "fortune", {**LETTER, "games": FORTUNE[:1]}, START))
    up = SetFaceUp("T1", True, badge(OTHER_SUPERVISOR))
    assert room.refused(SUPERVISOR, up) == {("no-face-up-permission", "face_up")}
    room.do(EXECUTIVE, RecordPaper("face-up-permission", "F2", "fortune", {**LETTER, "games": FORTUNE}, START))
    room.do(SUPERVISOR, up)


def test_a_permission_counts_while_the_internal_controls_that_it_names_are_in_force() -> None:
    room = new_room()
    room.add_table()
    room.do(EXECUTIVE, RecordPaper("face-up-permission", "F1", "fortune", LETTER, START))
    up = SetFaceUp("T1", True, badge(OTHER_SUPERVISOR))
    missing = {("no-internal-controls", "face_up")}
    assert room.refused(SUPERVISOR, up) == missing
    control(room, "face-up", "OTHER")
    assert room.refused(SUPERVISOR, up) == missing, "those of another game"
    control(room)
    room.do(SUPERVISOR, up)
    room.open_table()
    room.do(EXECUTIVE, RecordPaper("withdrawal", "W1", "CONTROLS", {"reason": "replaced"}, room.now))
    assert room.refused(DEALER, StartRound("T1", occupied=[1])) == missing
    room.do(SUPERVISOR, SetFaceUp("T1", False, badge(OTHER_SUPERVISOR)))
    room.do(DEALER, StartRound("T1", occupied=[1]))


def test_a_permission_may_name_the_internal_controls_by_their_id() -> None:
    room = new_room()
    room.add_table()
    control(room)
    fields = {**LETTER, "internal_controls": "controls"}
    room.do(EXECUTIVE, RecordPaper("face-up-permission", "F1", "fortune", fields, START))
    room.do(SUPERVISOR, SetFaceUp("T1", True, badge(OTHER_SUPERVISOR)))


def test_who_may_change_to_face_up() -> None:
    room = new_room()
    room.add_table()
    permit(room)
    assert room.refused(DEALER, SetFaceUp("T1", True, badge(OTHER_SUPERVISOR))) == {("wrong-role", "actor")}
    assert room.refused(SUPERVISOR, SetFaceUp("T1", True, badge(DEALER))) == {("wrong-role", "badge")}
    assert room.refused(SUPERVISOR, SetFaceUp("T9", True, badge(OTHER_SUPERVISOR))) == {("unknown-table", "table")}
