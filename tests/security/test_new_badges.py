"""One person and a badge of their own making are one person: a new badge counts once a third person has confirmed it.

The attack: an executive registers a service with a colleague's help. A supervisor signs in there. The service, which
the executive has in hand, registers a new supervisor in that session, with the executive's badge as the second
person's. The executive keeps the new badge, presses, hits, and has the jackpot paid by it.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from houseway.manager.commands import AUTHORITY, COMMANDS, Command
from houseway.manager.commands.house_commands import (
    AddDevice,
    AddPerson,
    ChangePerson,
    ConfirmPerson,
    CreateProperty,
    DealerIn,
    SetPin,
    SignIn,
)
from houseway.manager.commands.link_commands import Approve, Propose
from houseway.manager.commands.round_commands import HitJackpot, PayJackpot, PressHand, StartRound
from houseway.manager.core.authority import BADGE_FIELDS
from houseway.manager.core.badges import is_wrong_badge, told
from houseway.manager.core.confirmation import WAIT
from houseway.manager.core.engine import SYSTEM
from houseway.manager.core.pins import KIND
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
    first_people,
    new_room,
    session_of,
)
from tests.manager.house.test_authority import plain

HAND = "seven-card-straight-flush"
NEW, NEW_BADGE = "Supervisor 9", "badge of Supervisor 9"
INVENTED = AddPerson(NEW, NEW, "pit", ["supervisor"], NEW_BADGE)


@pytest.fixture
def room() -> Room:
    """An open table with a jackpot, and a service that the executive and accounting have just registered."""
    found = new_room()
    found.add_link(seed=100_000)
    found.add_table("T1")
    found.attach("T1", "1", "L1")
    found.open_table("T1")
    found.do(EXECUTIVE, AddDevice("own desk", "service", "secret", badge=badge(ACCOUNTING)))
    for person in (SUPERVISOR, SURVEILLANCE, TECHNICIAN, CAGE):
        found.do("device:own desk", SignIn(badge(person), session_of(person)), "own desk")
    return found


def hit(room: Room, actor: str = DEALER) -> str:
    """A jackpot that is locked, pressed and hit by one person."""
    round_ = room.do(DEALER, StartRound("T1", sensors={"1": [2]}))["round"]
    award = room.do(actor, PressHand(round_, 2, HAND))["award"]
    room.do(actor, HitJackpot(round_))
    return str(award)


def invented(room: Room) -> None:
    """The executive has a colleague's badge for somebody who does not exist, and keeps the new one."""
    room.do(EXECUTIVE, replace(INVENTED, second_badge=badge(ACCOUNTING)))


def refusals(room: Room, actor: str, command: Command, device: str | None = None) -> set[str]:
    return {code for code, _ in room.refused(actor, command, device)}


# ---------------------------------------------------------------- the service


@pytest.mark.parametrize("second", [EXECUTIVE, ACCOUNTING])
@pytest.mark.parametrize(
    ("actor", "command", "field"),
    [
        (SUPERVISOR, INVENTED, "second_badge"),
        (SUPERVISOR, ChangePerson(DEALER, "another badge"), "second_badge"),
        (SUPERVISOR, ChangePerson(DEALER, reset_pin=True), "second_badge"),
        (SUPERVISOR, ChangePerson(DEALER, active=False), "second_badge"),
        (TECHNICIAN, AddDevice("eye", "service", "secret of the eye"), "badge"),
    ],
)
def test_who_registered_a_service_makes_nobody_and_nothing_with_who_is_signed_in_there(
    room: Room, actor: str, command: Command, field: str, second: str
) -> None:
    by_own_badge = replace(command, **{field: badge(second)})
    assert room.refused(actor, by_own_badge, "own desk") == {("own-device", field)}
    # A sign-in later, as for rounds.
    room.now += 12 * HOUR
    room.do("device:own desk", SignIn(badge(actor), session_of(actor)), "own desk")
    room.do(actor, by_own_badge, "own desk")


def test_what_was_proposed_at_a_service_is_not_approved_by_who_registered_it(room: Room) -> None:
    what = {"change": "setting", "name": "slip_seconds", "value": 5}
    told_ = room.do(SUPERVISOR, Propose(what, "as agreed"), "own desk")
    approved = Approve(told_["proposal"], told_["check"], badge(EXECUTIVE))
    assert room.refused(CAGE, approved) == {("own-device", "badge")}
    # It was proposed in the first shift, whenever it is approved.
    room.now += 20 * HOUR
    assert room.refused(CAGE, approved) == {("own-device", "badge")}
    told_ = room.do(SUPERVISOR, Propose({**what, "value": 6}, "as agreed"))
    room.do(CAGE, Approve(told_["proposal"], told_["check"], badge(EXECUTIVE)))


def test_every_command_of_the_office_that_makes_or_pays_rests_on_the_service() -> None:
    """Of all commands with a second person, a service does not vouch only for these."""
    without = {
        kind
        for kind, command in COMMANDS.items()
        if "second" in AUTHORITY[command].badges.values()
        and not (AUTHORITY[command].of_house or AUTHORITY[command].of_round)
    }
    at_the_chips = {"table.open", "table.close", "table.face-up", "tray.fill", "drop.count"}
    stops_and_starts = {"link.stop", "link.resume", "device.retire", "session.revoke"}
    rests_on_its_proposal = {"change.approve"}
    names_the_lost = {"system.recovery", "system.clock"}
    assert without == at_the_chips | stops_and_starts | rests_on_its_proposal | names_the_lost


# ---------------------------------------------------------------- the person


def test_one_person_and_a_badge_of_their_own_making_pay_nothing(room: Room) -> None:
    invented(room)
    award = hit(room, EXECUTIVE)
    pay = PayJackpot(award, NEW_BADGE)
    for actor in (EXECUTIVE, ACCOUNTING, DEALER):
        assert {"badge-unconfirmed", "wrong-role"} >= refusals(room, actor, pay), actor
    room.now += 30 * 24 * HOUR
    assert refusals(room, EXECUTIVE, pay) == {"badge-unconfirmed"}, "time alone makes nobody a person"
    room.do(SURVEILLANCE, ConfirmPerson(NEW, NEW_BADGE))
    assert room.do(EXECUTIVE, pay)["paid_by"] == NEW


def test_a_badge_that_is_not_confirmed_is_for_no_command_at_all(room: Room) -> None:
    """Every command, by its bearer and with the badge wherever a command takes one."""
    person = AddPerson(
        NEW, NEW, "pit", ["dealer", "supervisor", "executive", "cage", "surveillance", "technician"], NEW_BADGE
    )
    room.do(EXECUTIVE, replace(person, second_badge=badge(ACCOUNTING)))
    for kind, command in COMMANDS.items():
        if AUTHORITY[command].roles:
            assert room.refused(NEW, plain(kind)) == {("badge-unconfirmed", "actor")}, kind
    assert room.refused("device:own desk", SignIn(NEW_BADGE, "s"), "own desk") == {("badge-unconfirmed", "badge")}
    assert room.refused(DEALER, DealerIn("T1", NEW_BADGE)) == {("badge-unconfirmed", "badge")}


def test_no_handler_looks_a_badge_up_by_itself() -> None:
    """A badge is read by the one function that asks whether it counts; only these two take one that does not."""
    from pathlib import Path

    import houseway.manager.handlers as handlers

    found = {
        path.name
        for path in Path(handlers.__path__[0]).glob("*.py")
        if "bearer_of_badge" in (text := path.read_text()) or ("floor.badges" in text and path.name != "house.py")
    }
    assert found == {"confirming.py", "pins_set.py"}
    assert {"badge", "second_badge"} == BADGE_FIELDS


@pytest.mark.parametrize("who", [EXECUTIVE, ACCOUNTING])
def test_who_issued_a_badge_does_not_confirm_it(room: Room, who: str) -> None:
    invented(room)
    assert room.refused(who, ConfirmPerson(NEW, NEW_BADGE)) == {("second-person", "actor")}


def test_who_confirms_has_authority_and_sees_the_badge(room: Room) -> None:
    invented(room)
    for who in (DEALER, AUDITOR):
        assert room.refused(who, ConfirmPerson(NEW, NEW_BADGE)) == {("wrong-role", "actor")}
    assert room.refused(CAGE, ConfirmPerson(NEW, badge(CAGE))) == {("unknown-badge", "badge")}
    assert room.refused(CAGE, ConfirmPerson(NEW, "nobody's")) == {("unknown-badge", "badge")}
    assert room.refused(CAGE, ConfirmPerson("Nobody 1", NEW_BADGE)) == {("unknown-person", "person")}
    answer = room.do(CAGE, ConfirmPerson(NEW, NEW_BADGE))
    assert answer == {"person": NEW, "issued_by": [EXECUTIVE, ACCOUNTING], "confirmed_by": CAGE}
    assert room.refused(CAGE, ConfirmPerson(NEW, NEW_BADGE)) == {("nothing-to-change", "person")}
    assert room.refused(CAGE, ConfirmPerson(DEALER, badge(DEALER))) == {("nothing-to-change", "person")}


def test_nobody_is_confirmed_at_a_service_of_those_who_issued_the_badge(room: Room) -> None:
    invented(room)
    confirm = ConfirmPerson(NEW, NEW_BADGE)
    assert room.refused(SURVEILLANCE, confirm, "own desk") == {("own-device", "actor")}
    room.do(TECHNICIAN, AddDevice("eye", "service", "secret of the eye", badge=badge(SUPERVISOR)))
    room.do("device:eye", SignIn(badge(SURVEILLANCE), session_of(SURVEILLANCE)), "eye")
    room.do(SURVEILLANCE, confirm, "eye")


def test_who_is_not_confirmed_confirms_nobody(room: Room) -> None:
    """A first invented person vouches for no second one: neither as who issues, nor as who confirms."""
    invented(room)
    other = AddPerson("Cage 9", "Cage 9", "cage", ["cage"], "badge of Cage 9", badge(SURVEILLANCE))
    assert refusals(room, NEW, other) == {"badge-unconfirmed"}
    assert refusals(room, EXECUTIVE, replace(other, second_badge=NEW_BADGE)) == {"badge-unconfirmed"}
    room.do(EXECUTIVE, other)
    assert refusals(room, NEW, ConfirmPerson("Cage 9", "badge of Cage 9")) == {"badge-unconfirmed"}


def test_a_person_who_was_registered_at_a_new_service_is_not_confirmed_by_who_registered_that(room: Room) -> None:
    room.do(SUPERVISOR, replace(INVENTED, second_badge=badge(SURVEILLANCE)), "own desk")
    assert room.floor.people[NEW].unconfirmed == (SUPERVISOR, SURVEILLANCE, EXECUTIVE, ACCOUNTING)
    assert room.refused(EXECUTIVE, ConfirmPerson(NEW, NEW_BADGE)) == {("second-person", "actor")}
    room.do(CAGE, ConfirmPerson(NEW, NEW_BADGE))


@pytest.mark.parametrize("change", [{"badge": "another badge 1"}, {"reset_pin": True}])
def test_a_new_badge_and_a_pin_that_was_reset_are_confirmed_again(room: Room, change: dict[str, Any]) -> None:
    """Whoever resets a colleague's PIN sets the next one, if they have the badge."""
    answer = room.do(EXECUTIVE, ChangePerson(SUPERVISOR, second_badge=badge(ACCOUNTING), **change))
    shown = change.get("badge", badge(SUPERVISOR))
    assert "houseway staff confirm" in answer["next"][0]
    assert SUPERVISOR not in room.floor.devices["own desk"].signed_in
    assert refusals(room, EXECUTIVE, PayJackpot(hit(room, EXECUTIVE), shown)) == {"badge-unconfirmed"}
    room.do("device:own desk", SetPin(shown, f"{KIND}a hash"), "own desk")
    room.do(CAGE, ConfirmPerson(SUPERVISOR, shown))
    room.do("device:own desk", SignIn(shown, session_of(SUPERVISOR)), "own desk")


def test_a_badge_by_others_does_not_make_an_invented_person_real(room: Room) -> None:
    invented(room)
    room.do(OTHER_SUPERVISOR, ChangePerson(NEW, "another badge", second_badge=badge(CAGE)))
    assert room.floor.people[NEW].unconfirmed == (EXECUTIVE, ACCOUNTING, OTHER_SUPERVISOR, CAGE)
    assert room.refused(EXECUTIVE, ConfirmPerson(NEW, "another badge")) == {("second-person", "actor")}


def test_somebody_who_gets_a_role_with_authority_is_confirmed_first(room: Room) -> None:
    room.do(EXECUTIVE, AddPerson(NEW, NEW, "surveillance", ["auditor"], NEW_BADGE, badge(ACCOUNTING)))
    room.do("device:own desk", SignIn(NEW_BADGE, session_of(NEW)), "own desk")
    what = {"change": "roles", "person": NEW, "roles": ["supervisor"]}
    told_ = room.do(OTHER_SUPERVISOR, Propose(what, "other work"))
    room.do(OTHER_SUPERVISOR, Approve(told_["proposal"], told_["check"], badge(EXECUTIVE)))
    assert NEW not in room.floor.devices["own desk"].signed_in
    assert refusals(room, EXECUTIVE, PayJackpot(hit(room, EXECUTIVE), NEW_BADGE)) == {"badge-unconfirmed"}


def test_where_nobody_could_confirm_it_a_badge_counts_after_a_day() -> None:
    """Three people, one of whom has lost the badge: the other two issue another one, and there is no third."""
    room = Room()
    three = [each for each in first_people() if each["id"] in (EXECUTIVE, SUPERVISOR, SURVEILLANCE)]
    room.do(SYSTEM, CreateProperty("Small Card Room", "commercial", three))
    room.do(SUPERVISOR, ChangePerson(EXECUTIVE, "another badge", second_badge=badge(SURVEILLANCE)))
    link = Propose({"change": "setting", "name": "slip_seconds", "value": 5}, "as agreed")
    room.now += WAIT - 1
    assert refusals(room, EXECUTIVE, link) == {"badge-unconfirmed"}
    room.now += 1
    room.do(EXECUTIVE, link)
    # A fourth one has a third person to be confirmed by.
    room.do(SUPERVISOR, AddPerson("Cage 9", "Cage 9", "cage", ["cage"], "badge 9", "another badge"))
    room.now += WAIT
    assert refusals(room, "Cage 9", link) == {"badge-unconfirmed"}
    room.do(SURVEILLANCE, ConfirmPerson("Cage 9", "badge 9"))
    room.do("Cage 9", ConfirmPerson(EXECUTIVE, "another badge"))


def test_an_unconfirmed_badge_is_told_like_every_refused_badge_and_is_no_guess(room: Room) -> None:
    from houseway.errors import InputError
    from houseway.manager.core.engine import Envelope

    invented(room)
    pay = PayJackpot(hit(room, EXECUTIVE), NEW_BADGE)
    answers = []
    for shown in (NEW_BADGE, "nobody's"):
        command = replace(pay, badge=shown)
        with pytest.raises(InputError) as caught:
            room.engine.decide(Envelope("k", EXECUTIVE, command), room.now, room.draw)
        answers.append((str(told(command, caught.value)), is_wrong_badge(command, caught.value)))
    assert answers[0][0] == answers[1][0]
    assert [guess for _, guess in answers] == [False, True]
