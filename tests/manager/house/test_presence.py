"""People at a service and dealers at the controls: how a session begins, how it ends, and what it lets nobody do."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from houseway.errors import InputError
from houseway.manager.commands.house_commands import (
    AddDevice,
    ChangePerson,
    ChangeShift,
    CloseTable,
    ConfirmPerson,
    DealerIn,
    DealerOut,
    RetireDevice,
    SignIn,
    SignOut,
)
from houseway.manager.commands.link_commands import Approve, Propose
from houseway.manager.commands.round_commands import EndRound, StartRound
from houseway.manager.core.house_entities import SignInRecord
from tests.manager.floors import (
    ACCOUNTING,
    AUDITOR,
    DEALER,
    EXECUTIVE,
    HOUR,
    OTHER_DEALER,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Room,
    badge,
    new_room,
    session_of,
)

DESK, OTHER_DESK = "device:desk", "device:desk 2"
SHIFT = ChangeShift("T1", "swing")


@pytest.fixture
def room() -> Room:
    """A room with two desks, a controller and a sign; SUPERVISOR is signed in at the first desk."""
    found = new_room()
    found.add_table("T1")
    for name in ("desk", "desk 2"):
        found.do(TECHNICIAN, AddDevice(name, "service", f"secret of {name}", badge=badge(SURVEILLANCE)))
    found.do(TECHNICIAN, AddDevice("controller 1", "controller", "secret 1", "T1", badge(ACCOUNTING)))
    found.do(TECHNICIAN, AddDevice("sign 1", "display", "secret 2"))
    found.do(DESK, SignIn(badge(SUPERVISOR), session_of(SUPERVISOR)), device="desk")
    return found


def acts(room: Room, device: str | None = "desk", person: str = SUPERVISOR) -> bool:
    """Whether a person may act from a device; refused for no other reason than that the badge was not shown there."""
    command = SHIFT if room.table().shift != SHIFT.shift else ChangeShift("T1", "day")
    try:
        room.do(person, command, device)
    except InputError as error:
        if [(fault.code, fault.path) for fault in error.faults] != [("not-signed-in", "actor")]:
            raise
        return False
    return True


def test_a_person_acts_where_the_card_was_read_and_nowhere_else(room: Room) -> None:
    assert acts(room, "desk")
    assert not acts(room, "desk 2")
    assert not acts(room, "controller 1")
    assert not acts(room, "desk", EXECUTIVE)
    assert acts(room, None, EXECUTIVE), "at the machine of the database nobody is asked"
    assert room.refused(SUPERVISOR, SHIFT, "sign 1") == {("wrong-device", "device")}
    assert room.refused(SUPERVISOR, SHIFT, "nothing") == {("unknown-device", "device")}


def test_the_answer_says_who_it_is_and_until_when(room: Room) -> None:
    answer = room.do(OTHER_DESK, SignIn(badge(AUDITOR), session_of(AUDITOR)), device="desk 2")
    assert answer == {
        "device": "desk 2", "person": AUDITOR, "department": "accounting", "roles": ["auditor"],
        "until": room.now + 12 * HOUR,
    }  # fmt: skip


def test_it_ends_after_the_hours_that_the_property_has_set(room: Room) -> None:
    room.now += 12 * HOUR - 1
    assert acts(room)
    room.now += 1
    assert not acts(room)
    room.do(DESK, SignIn(badge(SUPERVISOR), session_of(SUPERVISOR)), device="desk")
    assert acts(room)
    what = {"change": "setting", "name": "sign_in_hours", "value": 2}
    made = room.do(EXECUTIVE, Propose(what, "short shifts"))
    room.do(ACCOUNTING, Approve(made["proposal"], made["content_hash"], badge(ACCOUNTING)))
    room.now += 2 * HOUR - 1
    assert acts(room)
    room.now += 1
    assert not acts(room)
    # Whoever comes next finds the list without those whose time is over.
    room.do(DESK, SignIn(badge(EXECUTIVE), session_of(EXECUTIVE)), device="desk")
    assert room.floor.devices["desk"].signed_in == {EXECUTIVE: SignInRecord(room.now, session_of(EXECUTIVE))}


@pytest.mark.parametrize("value", [0, 25, 1.5, "12", None])
def test_hours_that_cannot_be_are_refused(room: Room, value: object) -> None:
    what = {"change": "setting", "name": "sign_in_hours", "value": value}
    assert room.refused(EXECUTIVE, Propose(what, "why"))


def test_a_card_that_is_read_again_begins_anew(room: Room) -> None:
    room.now += 11 * HOUR
    room.do(DESK, SignIn(badge(SUPERVISOR), session_of(SUPERVISOR)), device="desk")
    room.now += 11 * HOUR
    assert acts(room)


def test_a_person_acts_only_in_the_session_of_the_sign_in(room: Room) -> None:
    for other in ("nothing of the kind", session_of(EXECUTIVE), badge(SUPERVISOR), "", "é"):
        assert room.refused(SUPERVISOR, SHIFT, "desk", other or "-") == {("not-signed-in", "actor")}
    room.do(DESK, SignIn(badge(SUPERVISOR), "the next one"), device="desk")
    assert not acts(room), "read again, the badge begins another session"
    room.do(SUPERVISOR, SHIFT, "desk", "the next one")


@pytest.mark.parametrize(("actor", "device"), [(SUPERVISOR, "desk"), (DESK, "desk"), (DESK, None)])
def test_it_ends_with_the_sign_out(room: Room, actor: str, device: str | None) -> None:
    assert room.do(actor, SignOut(SUPERVISOR), device) == {"person": SUPERVISOR, "devices": ["desk"]}
    assert not acts(room)
    assert room.refused(DESK, SignOut(SUPERVISOR), "desk") == {("not-signed-in", "person")}


def test_at_the_machine_itself_a_person_leaves_all_services(room: Room) -> None:
    room.do(OTHER_DESK, SignIn(badge(SUPERVISOR), session_of(SUPERVISOR)), device="desk 2")
    assert room.do(SUPERVISOR, SignOut(SUPERVISOR))["devices"] == ["desk", "desk 2"]


def test_nobody_signs_another_person_out(room: Room) -> None:
    room.do(DESK, SignIn(badge(EXECUTIVE), session_of(EXECUTIVE)), device="desk")
    assert room.refused(EXECUTIVE, SignOut(SUPERVISOR), "desk") == {("wrong-role", "actor")}
    assert room.refused(OTHER_DESK, SignOut(SUPERVISOR), "desk 2") == {("not-signed-in", "person")}


def test_it_ends_when_the_person_goes_off_duty(room: Room) -> None:
    room.do(EXECUTIVE, ChangePerson(SUPERVISOR, active=False, second_badge=badge(SURVEILLANCE)))
    room.do(EXECUTIVE, ChangePerson(SUPERVISOR, active=True, second_badge=badge(SURVEILLANCE)))
    assert not acts(room)


def test_it_ends_when_the_person_gets_another_badge(room: Room) -> None:
    room.do(EXECUTIVE, ChangePerson(SUPERVISOR, badge="a new one", second_badge=badge(SURVEILLANCE)))
    room.do(ACCOUNTING, ConfirmPerson(SUPERVISOR, "a new one"))
    assert not acts(room)
    assert room.refused(DESK, SignIn(badge(SUPERVISOR), session_of(SUPERVISOR)), "desk") == {("unknown-badge", "badge")}


def test_it_ends_with_the_device(room: Room) -> None:
    room.do(TECHNICIAN, RetireDevice("desk", badge(ACCOUNTING)))
    assert room.floor.devices["desk"].signed_in == {}
    assert room.refused(SUPERVISOR, SHIFT, "desk") == {("unknown-device", "device")}


def test_only_a_service_signs_people_in(room: Room) -> None:
    signing = SignIn(badge(EXECUTIVE), session_of(EXECUTIVE))
    assert room.refused("device:controller 1", signing, "controller 1") == {("wrong-device", "actor")}
    assert room.refused("device:sign 1", signing) == {("wrong-device", "actor")}
    assert room.refused(SUPERVISOR, signing, "desk") == {("wrong-role", "actor")}
    assert room.refused(EXECUTIVE, signing) == {("wrong-role", "actor")}
    assert room.refused(DESK, SignIn("nobody's", session_of("nobody")), "desk") == {("unknown-badge", "badge")}
    assert room.refused(DESK, signing, "desk 2") == {("wrong-device", "actor")}


def test_a_controller_acts_for_the_dealer_who_swiped_in_there(room: Room) -> None:
    room.open_table("T1", dealer=None)
    swipe = DealerIn("T1", badge(DEALER), session_of(DEALER))
    relief = DealerIn("T1", badge(OTHER_DEALER), session_of(OTHER_DEALER))
    assert room.refused(DEALER, swipe, "controller 1") == {("not-signed-in", "actor")}
    room.do("device:controller 1", swipe, "controller 1")
    for other in (OTHER_DEALER, SUPERVISOR, EXECUTIVE):
        assert room.refused(other, relief, "controller 1") == {("not-signed-in", "actor")}
    room.do("device:controller 1", relief, "controller 1")
    assert room.refused(DEALER, swipe, "controller 1") == {("not-signed-in", "actor")}


STARTED = StartRound("T1")
ABSENT = {("not-signed-in", "actor")}


@pytest.fixture
def controls(room: Room) -> Room:
    """A dealer has swiped in at the controller of an open table."""
    room.open_table("T1", dealer=None)
    room.do("device:controller 1", DealerIn("T1", badge(DEALER), "first swipe"), "controller 1")
    return room


def test_a_dealer_acts_at_the_controls_only_in_the_session_of_the_swipe(controls: Room) -> None:
    for guess in ("", "-", "another", badge(DEALER), session_of(SUPERVISOR), "first swip", "first swipe "):
        assert controls.refused(DEALER, STARTED, "controller 1", guess) == ABSENT
    controls.do(DEALER, STARTED, "controller 1", "first swipe")


def test_who_swipes_again_begins_another_session_in_the_middle_of_a_round(controls: Room) -> None:
    controls.do(DEALER, STARTED, "controller 1", "first swipe")
    answer = controls.do("device:controller 1", DealerIn("T1", badge(DEALER), "second swipe"), "controller 1")
    assert (answer["relieved"], answer["round"]) == (None, "T1-1")
    end = EndRound("T1-1")
    assert controls.refused(DEALER, end, "controller 1", "first swipe") == ABSENT
    controls.do(DEALER, end, "controller 1", "second swipe")


def test_a_swipe_elsewhere_begins_no_session_at_the_controls(controls: Room) -> None:
    """A service, or whoever knows its secret, would choose the token by which somebody else acts at the controller."""
    mine = DealerIn("T1", badge(OTHER_DEALER), "of the desk")
    controls.do(DESK, SignIn(badge(SUPERVISOR), session_of(SUPERVISOR)), "desk")
    assert controls.refused(SUPERVISOR, mine, "desk") == {("wrong-device", "session")}
    controls.do(SUPERVISOR, DealerIn("T1", badge(OTHER_DEALER)), "desk")
    for session in ("first swipe", "of the desk", session_of(OTHER_DEALER), ""):
        for dealer in (DEALER, OTHER_DEALER):
            assert controls.refused(dealer, STARTED, "controller 1", session) == ABSENT
    # Who is there already has nothing to do at the desk, and swipes at the controls.
    assert controls.refused(SUPERVISOR, DealerIn("T1", badge(OTHER_DEALER)), "desk") == {("dealer-elsewhere", "badge")}
    controls.do("device:controller 1", DealerIn("T1", badge(OTHER_DEALER), "third swipe"), "controller 1")
    controls.do(OTHER_DEALER, STARTED, "controller 1", "third swipe")


ALONE = {("second-person", "actor")}


@pytest.mark.parametrize("in_play", [True, False])
def test_a_dealer_takes_no_table_over_from_a_service(controls: Room, *, in_play: bool) -> None:
    """The own table is where the badge is swiped: at a desk somebody who supervises answers for the dealer."""
    if in_play:
        controls.do(DEALER, STARTED, "controller 1", "first swipe")
    relief = DealerIn("T1", badge(OTHER_DEALER))
    for person in (OTHER_DEALER, SUPERVISOR):
        controls.do(DESK, SignIn(badge(person), session_of(person)), "desk")
    assert controls.refused(OTHER_DEALER, relief, "desk") == ALONE
    assert controls.table().dealer == DEALER
    assert controls.do(SUPERVISOR, relief, "desk")["relieved"] == DEALER


def test_who_supervises_and_deals_does_not_let_itself_in(controls: Room) -> None:
    both = ("dealer", "supervisor")
    for floor in (controls.floor, controls.follower.floor):
        floor.put("person", SUPERVISOR, replace(floor.people[SUPERVISOR], roles=both))
    controls.do(DESK, SignIn(badge(SUPERVISOR), session_of(SUPERVISOR)), "desk")
    mine = DealerIn("T1", badge(SUPERVISOR))
    assert controls.refused(SUPERVISOR, mine, "desk") == {("second-person", "badge")}
    controls.do("device:controller 1", DealerIn("T1", badge(SUPERVISOR), "a swipe"), "controller 1")


def test_without_a_controller_a_round_in_play_asks_for_two_as_well(controls: Room) -> None:
    for person in (DEALER, OTHER_DEALER):
        controls.do(DESK, SignIn(badge(person), session_of(person)), "desk")
    controls.do(TECHNICIAN, RetireDevice("controller 1"))
    controls.do(DEALER, DealerIn("T1", badge(DEALER)), "desk")
    controls.do(DEALER, STARTED, "desk")
    relief = DealerIn("T1", badge(OTHER_DEALER))
    assert controls.refused(OTHER_DEALER, relief, "desk") == ALONE
    controls.do(DEALER, EndRound("T1-1"), "desk")
    assert controls.do(OTHER_DEALER, relief, "desk")["relieved"] == DEALER


def test_a_controller_gives_a_session_with_every_swipe(controls: Room) -> None:
    plain = DealerIn("T1", badge(OTHER_DEALER))
    assert controls.refused("device:controller 1", plain, "controller 1") == {("bad-message", "session")}
    controls.do(TECHNICIAN, RetireDevice("controller 1"))
    assert controls.refused(OTHER_DEALER, DealerIn("T1", badge(OTHER_DEALER), "x")) == {("unknown-device", "session")}


@pytest.mark.parametrize("how", ["leaves", "table closed", "off duty", "another badge"])
def test_a_session_at_the_controls_ends_with_the_dealer(controls: Room, how: str) -> None:
    ending = {
        "leaves": (DEALER, DealerOut("T1")),
        "table closed": (SUPERVISOR, CloseTable("T1", 1_000_000, 0, badge(EXECUTIVE))),
        "off duty": (SUPERVISOR, ChangePerson(DEALER, active=False, second_badge=badge(ACCOUNTING))),
        "another badge": (SUPERVISOR, ChangePerson(DEALER, badge="another", second_badge=badge(ACCOUNTING))),
    }[how]
    controls.do(*ending)
    assert controls.floor.devices["controller 1"].signed_in == {}
    codes = {code for code, _ in controls.refused(DEALER, STARTED, "controller 1", "first swipe")}
    assert codes <= {"not-signed-in", "unknown-person"}
