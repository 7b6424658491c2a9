"""Sessions are ended from elsewhere: by their person alone, by two others, with a device, with a role."""

from __future__ import annotations

import pytest

from houseway.manager.commands.house_commands import (
    AddDevice,
    ChangeDeck,
    DealerIn,
    RetireDevice,
    RevokeSession,
    SignIn,
)
from houseway.manager.commands.link_commands import Approve, Propose
from houseway.manager.core.presence import live_sessions
from tests.manager.floors import (
    ACCOUNTING,
    AUDITOR,
    CAGE,
    DEALER,
    EXECUTIVE,
    HOUR,
    OTHER_SUPERVISOR,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Room,
    badge,
    new_room,
    session_of,
)

DESK, OTHER_DESK = "device:desk", "device:desk 2"


@pytest.fixture
def room() -> Room:
    """A table with its controller, where a dealer swiped in, and two services at which people are signed in."""
    found = new_room()
    found.add_table()
    found.add_link()
    found.attach("T1", "1", "L1")
    for desk in ("desk", "desk 2"):
        found.do(TECHNICIAN, AddDevice(desk, "service", f"secret of {desk}", badge=badge(ACCOUNTING)))
    found.do(TECHNICIAN, AddDevice("C1", "controller", "secret of C1", "T1", badge(ACCOUNTING)))
    found.open_table(dealer=None)
    found.do("device:C1", DealerIn("T1", badge(DEALER), session_of(DEALER)), "C1")
    for person in (SUPERVISOR, EXECUTIVE, ACCOUNTING, AUDITOR):
        found.do(DESK, SignIn(badge(person), session_of(person)), "desk")
    found.do(OTHER_DESK, SignIn(badge(SUPERVISOR), session_of(SUPERVISOR)), "desk 2")
    return found


def live(room: Room) -> set[tuple[str, str]]:
    return {(one.person, one.device.id) for one in live_sessions(room.floor, room.now)}


def test_one_s_own_sessions_end_alone_here_or_everywhere(room: Room) -> None:
    there = RevokeSession(SUPERVISOR, "I left the desk open", "desk 2")
    assert room.do(SUPERVISOR, there, "desk")["devices"] == ["desk 2"]
    assert (SUPERVISOR, "desk 2") not in live(room)
    deck = ChangeDeck("T1", "deck 2", 53)
    assert ("not-signed-in", "actor") in room.refused(SUPERVISOR, deck, "desk 2")
    assert room.do(SUPERVISOR, RevokeSession(SUPERVISOR, "my account was used"), "desk")["devices"] == ["desk"]
    assert ("not-signed-in", "actor") in room.refused(SUPERVISOR, deck, "desk")
    assert room.refused(SUPERVISOR, RevokeSession(SUPERVISOR, "again")) == {("not-signed-in", "person")}


def test_two_others_end_it_and_neither_is_the_person(room: Room) -> None:
    revoke = RevokeSession(SUPERVISOR, "seen away from the desk")
    assert room.refused(EXECUTIVE, revoke, "desk") == {("badge-needed", "badge")}
    for second, code in ((EXECUTIVE, "second-person"), (SUPERVISOR, "second-person"), (AUDITOR, "second-person")):
        assert room.refused(EXECUTIVE, RevokeSession(SUPERVISOR, "why", badge=badge(second)), "desk") == {
            (code, "badge")
        }
    same_department = RevokeSession(SUPERVISOR, "why", badge=badge(OTHER_SUPERVISOR))
    assert room.refused(OTHER_SUPERVISOR, same_department) == {("second-person", "badge")}
    assert room.refused(DEALER, RevokeSession(SUPERVISOR, "why", badge=badge(CAGE))) == {("wrong-role", "actor")}
    assert room.refused(AUDITOR, RevokeSession(SUPERVISOR, "why", badge=badge(CAGE)), "desk") == {
        ("wrong-role", "actor")
    }
    told = room.do(EXECUTIVE, RevokeSession(SUPERVISOR, "why", badge=badge(SURVEILLANCE)), "desk")
    assert (told["devices"], told["approved_by"], told["tables_left"]) == (["desk", "desk 2"], SURVEILLANCE, [])
    assert SUPERVISOR not in {person for person, _ in live(room)}
    assert (EXECUTIVE, "desk") in live(room), "nobody else is signed out"


def test_a_dealer_s_session_ends_at_the_controller_and_the_table_waits(room: Room) -> None:
    told = room.do(EXECUTIVE, RevokeSession(DEALER, "relieved of duty", "C1", badge(SURVEILLANCE)), "desk")
    assert (told["devices"], told["tables_left"]) == (["C1"], ["T1"])
    assert room.table().dealer is None
    deck = ChangeDeck("T1", "deck 2", 53)
    assert ("not-signed-in", "actor") in room.refused(DEALER, deck, "C1")
    room.do("device:C1", DealerIn("T1", badge(DEALER), "another session"), "C1")
    assert ("not-signed-in", "actor") in room.refused(DEALER, deck, "C1"), "the old token stays dead"
    room.do(DEALER, deck, "C1", "another session")


def test_a_reason_a_person_and_a_device_are_needed(room: Room) -> None:
    assert room.refused(SUPERVISOR, RevokeSession(SUPERVISOR, " "), "desk") == {("reason-needed", "reason")}
    assert room.refused(EXECUTIVE, RevokeSession("Nobody", "why", badge=badge(CAGE))) == {("unknown-person", "person")}
    assert room.refused(SUPERVISOR, RevokeSession(SUPERVISOR, "why", "desk 9"), "desk") == {
        ("unknown-device", "device")
    }


def test_sessions_end_with_their_device_and_with_a_role(room: Room) -> None:
    room.do(TECHNICIAN, RetireDevice("desk 2"))
    assert (SUPERVISOR, "desk 2") not in live(room)
    what = {"change": "roles", "person": SUPERVISOR, "roles": ["supervisor", "cage"]}
    told = room.do(ACCOUNTING, Propose(what, "helps out at the cage"), "desk")
    room.do(EXECUTIVE, Approve(told["proposal"], told["check"], badge(EXECUTIVE)), "desk")
    assert (SUPERVISOR, "desk") in live(room), "a role more ends nothing"
    told = room.do(ACCOUNTING, Propose({**what, "roles": ["cage"]}, "moves to the cage"), "desk")
    room.do(EXECUTIVE, Approve(told["proposal"], told["check"], badge(EXECUTIVE)), "desk")
    assert SUPERVISOR not in {person for person, _ in live(room)}
    assert ("not-signed-in", "actor") in room.refused(SUPERVISOR, ChangeDeck("T1", "deck 2", 53), "desk")


def test_live_sessions_are_those_that_count(room: Room) -> None:
    here = {(SUPERVISOR, "desk"), (SUPERVISOR, "desk 2"), (EXECUTIVE, "desk"), (ACCOUNTING, "desk"), (AUDITOR, "desk")}
    assert live(room) == here | {(DEALER, "C1")}
    room.now += 12 * HOUR
    assert live(room) == {(DEALER, "C1")}, "a sign-in ends by itself; who deals, deals on"
