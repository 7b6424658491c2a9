"""The property, its people and their badges: two people, two departments, one badge each, nobody changes their own."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.manager.commands.house_commands import (
    AddDevice,
    AddPerson,
    ChangePerson,
    ConfirmPerson,
    CreateProperty,
    DealerIn,
    SignIn,
)
from houseway.manager.commands.link_commands import Propose
from houseway.manager.commands.round_commands import EndRound, StartRound
from houseway.manager.core.engine import SYSTEM
from houseway.manager.core.roles import Role
from tests.manager.floors import (
    ACCOUNTING,
    AUDITOR,
    CAGE,
    DEALER,
    EXECUTIVE,
    OTHER_DEALER,
    OTHER_SUPERVISOR,
    PEOPLE,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Room,
    badge,
    first_people,
    new_room,
)


def two_people(**changes: object) -> list[dict[str, Any]]:
    first = {"id": "E1", "name": "Executive 1", "department": "management", "roles": ["executive"], "badge": "a"}
    second = {"id": "S1", "name": "Supervisor 1", "department": "pit", "roles": ["supervisor"], "badge": "b"}
    return [first, {**second, **changes}]


def create(people: list[dict[str, Any]], name: str = "Example Card Room") -> CreateProperty:
    return CreateProperty(name, "commercial", people)


def test_a_property_begins_with_two_people_of_different_departments() -> None:
    room = Room()
    answer = room.do(SYSTEM, create(two_people()))
    assert answer["people"] == ["E1", "S1"]
    assert room.floor.properties["property"].licence == "commercial"
    assert room.floor.properties["property"].opened_at == room.now
    assert room.floor.badges == {"a": "E1", "b": "S1"}


@pytest.mark.parametrize(
    ("people", "fault"),
    [
        (two_people()[:1], ("two-people", "people")),
        ([], ("two-people", "people")),
        (two_people(department="management"), ("two-people", "people")),
        (two_people(roles=["dealer"]), ("two-people", "people")),
        (two_people(roles=["technician"], department="engineering"), ("two-people", "people")),
        ([{**two_people()[0], "roles": ["accounting"]}, two_people()[1]], ("two-people", "people")),
        (two_people(badge="a"), ("badge-taken", "people")),
        (two_people(badge=""), ("badge-needed", "people[1].badge")),
        (two_people(id="E1"), ("person-exists", "people")),
        (two_people(id="system"), ("bad-id", "people[1].id")),
        (two_people(id="device:T1"), ("bad-id", "people[1].id")),
        (two_people(name=" "), ("bad-value", "people[1].name")),
        (two_people(roles=[]), ("bad-value", "people[1].roles")),
        (two_people(roles=["king"]), ("bad-value", "people[1].roles[0]")),
        (two_people(department="moon"), ("bad-value", "people[1].department")),
        (two_people(pin="1234"), ("bad-value", "people[1].pin")),
    ],
)
def test_a_property_is_refused(people: list[dict[str, Any]], fault: tuple[str, str]) -> None:
    assert fault in Room().refused(SYSTEM, create(people))


def test_a_property_needs_a_name() -> None:
    assert Room().refused(SYSTEM, create(two_people(), " ")) == {("bad-value", "name")}


def test_a_journal_has_one_property() -> None:
    room = new_room()
    assert room.refused(SYSTEM, create(two_people())) == {("property-exists", "")}


def test_no_person_creates_a_property() -> None:
    assert Room().refused("E1", create(two_people())) == {("wrong-role", "actor")}
    assert new_room().refused(EXECUTIVE, create(two_people())) == {("wrong-role", "actor")}


def test_an_auditor_is_registered_by_one_person() -> None:
    room = new_room()
    answer = room.do(SUPERVISOR, AddPerson("Auditor 2", "Auditor 2", "accounting", ["auditor"], "new badge"))
    assert answer == {"person": "Auditor 2", "approved_by": None, "next": []}
    assert room.floor.badges["new badge"] == "Auditor 2"


def test_nobody_alone_makes_a_dealer_who_would_be_the_second_person_at_a_jackpot() -> None:
    room = new_room()
    invented = AddPerson("Dealer 20", "Dealer 20", "pit", ["dealer"], "a badge of my own")
    assert room.refused(SUPERVISOR, invented) == {("badge-needed", "second_badge")}
    taken_over = ChangePerson(DEALER, badge="a badge of my own")
    assert room.refused(SUPERVISOR, taken_over) == {("badge-needed", "second_badge")}
    room.do(SUPERVISOR, ChangePerson(DEALER, active=False, second_badge=badge(SURVEILLANCE)))
    for second, found in ((None, "badge-needed"), (badge(OTHER_SUPERVISOR), "same-department")):
        command = ChangePerson(DEALER, active=True, second_badge=second)
        assert room.refused(SUPERVISOR, command) == {(found, "second_badge")}
    assert room.refused(SUPERVISOR, ChangePerson(DEALER, active=True, second_badge=badge(OTHER_DEALER))) == {
        ("second-person", "second_badge")
    }
    room.do(SUPERVISOR, ChangePerson(DEALER, active=True, second_badge=badge(SURVEILLANCE)))
    assert room.floor.people[DEALER].active


def test_a_person_without_a_badge_is_told_to_get_one() -> None:
    command = AddPerson("Dealer 20", "Dealer 20", "pit", ["dealer"], second_badge=badge(SURVEILLANCE))
    answer = new_room().do(SUPERVISOR, command)
    assert "(houseway staff change)" in answer["next"][0]


@pytest.mark.parametrize(
    "role", ["supervisor", "executive", "surveillance", "cage", "accounting", "technician", "dealer", "manager"]
)  # fmt: skip
def test_authority_is_given_by_two_people_of_different_departments(role: Role) -> None:
    room = new_room()

    def add(second: str | None) -> AddPerson:
        return AddPerson("New 1", "New 1", "pit", [role], "new badge", second)

    assert room.refused(SUPERVISOR, add(None)) == {("badge-needed", "second_badge")}
    assert room.refused(SUPERVISOR, add("nobody's")) == {("unknown-badge", "second_badge")}
    assert room.refused(SUPERVISOR, add(badge(SUPERVISOR))) == {("second-person", "second_badge")}
    assert room.refused(SUPERVISOR, add(badge(AUDITOR))) == {("second-person", "second_badge")}
    assert room.refused(SUPERVISOR, add(badge(OTHER_SUPERVISOR))) == {("same-department", "second_badge")}
    second = ACCOUNTING if role in ("executive", "accounting") else SURVEILLANCE
    answer = room.do(SUPERVISOR, add(badge(second)))
    assert answer["approved_by"] == second


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (AddPerson("Dealer 17", "Again", "pit", ["dealer"]), ("person-exists", "person")),
        (AddPerson("D/1", "Stroke", "pit", ["dealer"]), ("bad-id", "person")),
        (AddPerson("system", "Not a person", "pit", ["dealer"]), ("bad-id", "id")),
        (AddPerson("Dealer 20", "", "pit", ["dealer"]), ("bad-value", "name")),
        (AddPerson("Dealer 20", "Dealer 20", "pit", []), ("bad-value", "roles")),
        (AddPerson("Dealer 20", "Dealer 20", "pit", ["dealer"], badge("Dealer 17")), ("badge-taken", "badge")),
        (AddPerson("Dealer 20", "Dealer 20", "pit", ["dealer"], ""), ("badge-needed", "badge")),
    ],
)
def test_a_person_is_refused(command: AddPerson, fault: tuple[str, str]) -> None:
    assert new_room().refused(EXECUTIVE, command) == {fault}


def test_all_faults_of_a_person_are_told_at_once() -> None:
    command = AddPerson("D/1", "", "pit", [], badge(DEALER))
    assert new_room().refused(EXECUTIVE, command) == {
        ("bad-id", "person"), ("bad-value", "name"), ("bad-value", "roles"), ("badge-taken", "badge"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "actor", [person for person in PEOPLE if person not in (EXECUTIVE, SUPERVISOR, OTHER_SUPERVISOR)]
)
def test_only_executives_and_supervisors_register_people(actor: str) -> None:
    room = new_room()
    assert room.refused(actor, AddPerson("Dealer 20", "Dealer 20", "pit", ["dealer"])) == {("wrong-role", "actor")}
    assert room.refused(actor, ChangePerson("Dealer 18", active=False)) == {("wrong-role", "actor")}


def test_a_new_badge_replaces_the_old_one() -> None:
    room = new_room()
    second = badge(SURVEILLANCE)
    room.do(SUPERVISOR, ChangePerson(DEALER, badge="new badge", second_badge=second))
    assert room.floor.people[DEALER].badges == ("new badge",)
    assert badge(DEALER) not in room.floor.badges
    room.do(SUPERVISOR, AddPerson("Dealer 20", "Dealer 20", "pit", ["dealer"], badge(DEALER), second))


def test_a_badge_of_authority_is_given_by_two_people() -> None:
    room = new_room()
    assert room.refused(SUPERVISOR, ChangePerson(EXECUTIVE, badge="new")) == {("badge-needed", "second_badge")}
    room.do(SUPERVISOR, ChangePerson(EXECUTIVE, badge="new", second_badge=badge(ACCOUNTING)))
    assert room.floor.badges["new"] == EXECUTIVE


def test_nobody_is_the_second_person_of_his_own_badge() -> None:
    command = ChangePerson(SURVEILLANCE, badge="new", second_badge=badge(SURVEILLANCE))
    assert new_room().refused(EXECUTIVE, command) == {("second-person", "second_badge")}


def test_duty_ends_and_returns_with_two_people() -> None:
    room = new_room()
    room.do(EXECUTIVE, ChangePerson(SUPERVISOR, active=False, second_badge=badge(SURVEILLANCE)))
    assert room.refused(SUPERVISOR, ChangePerson(DEALER, active=False)) == {("unknown-person", "actor")}
    assert room.refused(EXECUTIVE, ChangePerson(SUPERVISOR, active=True)) == {("badge-needed", "second_badge")}
    room.do(EXECUTIVE, ChangePerson(SUPERVISOR, active=True, second_badge=badge(SURVEILLANCE)))
    assert room.floor.people[SUPERVISOR].active


def test_nobody_alone_sends_the_others_home() -> None:
    """Whoever could would stop every table, and be needed himself for each way back."""
    room = new_room()
    for person in (DEALER, SURVEILLANCE, ACCOUNTING, EXECUTIVE):
        assert room.refused(SUPERVISOR, ChangePerson(person, active=False)) == {("badge-needed", "second_badge")}
        own = ChangePerson(person, active=False, second_badge=badge(SUPERVISOR))
        assert room.refused(SUPERVISOR, own) == {("second-person", "second_badge")}
        assert room.floor.people[person].active
    of_one_department = ChangePerson(DEALER, active=False, second_badge=badge(OTHER_SUPERVISOR))
    assert room.refused(SUPERVISOR, of_one_department) == {("same-department", "second_badge")}


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (ChangePerson(EXECUTIVE, badge="new"), ("own-change", "person")),
        (ChangePerson(EXECUTIVE, active=False), ("own-change", "person")),
        (ChangePerson("Nobody 1", active=False), ("unknown-person", "person")),
        (ChangePerson(DEALER), ("nothing-to-change", "badge")),
        (ChangePerson(DEALER, badge=badge(SUPERVISOR)), ("badge-taken", "badge")),
        (ChangePerson(DEALER, badge=""), ("badge-needed", "badge")),
    ],
)
def test_a_change_of_a_person_is_refused(command: ChangePerson, fault: tuple[str, str]) -> None:
    assert new_room().refused(EXECUTIVE, command) == {fault}


def test_the_last_who_can_approve_stays() -> None:
    room = new_room()
    room.do(EXECUTIVE, ChangePerson(ACCOUNTING, active=False, second_badge=badge(SURVEILLANCE)))
    last = ChangePerson(EXECUTIVE, active=False, second_badge=badge(SURVEILLANCE))
    assert room.refused(SUPERVISOR, last) == {("last-approver", "active")}


def test_a_dealer_who_goes_off_duty_is_relieved_by_name() -> None:
    room = new_room()
    room.add_table()
    room.open_table()
    answer = room.do(SUPERVISOR, ChangePerson(DEALER, active=False, second_badge=badge(SURVEILLANCE)))
    assert answer["tables_left"] == ["T1"]
    assert "T1" in answer["next"][0]
    assert room.table().dealer is None


NEW_BADGE = ChangePerson(DEALER, badge="a new one", second_badge=badge(SURVEILLANCE))


def test_a_dealer_who_gets_another_badge_deals_no_more_until_it_is_swiped() -> None:
    room = new_room()
    room.add_table()
    room.open_table()
    round_ = room.do(DEALER, StartRound("T1"))["round"]
    answer = room.do(SUPERVISOR, NEW_BADGE)
    assert answer["tables_left"] == ["T1"]
    assert "houseway staff confirm" in answer["next"][0]
    assert "T1" in answer["next"][1]
    assert room.refused(SUPERVISOR, EndRound(round_)) == {("no-dealer", "table")}
    assert room.refused(SUPERVISOR, DealerIn("T1", badge(DEALER))) == {("unknown-badge", "badge")}
    assert room.refused(SUPERVISOR, DealerIn("T1", "a new one")) == {("badge-unconfirmed", "badge")}
    room.do(ACCOUNTING, ConfirmPerson(DEALER, "a new one"))
    room.do(DEALER, DealerIn("T1", "a new one"))
    room.do(DEALER, EndRound(round_))


def test_a_relief_who_gets_another_badge_has_dealt_the_round_all_the_same() -> None:
    room = new_room()
    room.add_table()
    room.open_table()
    round_ = room.do(DEALER, StartRound("T1"))["round"]
    room.do(OTHER_DEALER, DealerIn("T1", badge(OTHER_DEALER)))
    room.do(SUPERVISOR, ChangePerson(OTHER_DEALER, badge="a new one", second_badge=badge(SURVEILLANCE)))
    assert room.floor.rounds[round_].reliefs == (OTHER_DEALER,)


def test_another_badge_for_somebody_else_leaves_the_dealer_where_he_is() -> None:
    room = new_room()
    room.add_table()
    room.open_table()
    answer = room.do(SUPERVISOR, ChangePerson(OTHER_DEALER, badge="a new one", second_badge=badge(SURVEILLANCE)))
    assert answer["tables_left"] == []
    assert [step for step in answer["next"] if "dealer.in" in step] == []
    assert room.table().dealer == DEALER


@given(st.lists(st.tuples(st.sampled_from(sorted(PEOPLE)), st.sampled_from("abcd")), max_size=12))
def test_no_badge_ever_belongs_to_two_people(changes: list[tuple[str, str]]) -> None:
    room = Room()
    room.do(SYSTEM, create(first_people()))
    for person, new in changes:
        second = room.floor.people[ACCOUNTING if person in (SURVEILLANCE, EXECUTIVE) else SURVEILLANCE].badges[0]
        actor = SUPERVISOR if person == EXECUTIVE else EXECUTIVE
        command = ChangePerson(person, badge=new, second_badge=second)
        if room.floor.badges.get(new, person) == person:
            room.do(actor, command)
            room.do(CAGE if person != CAGE else TECHNICIAN, ConfirmPerson(person, new))
        else:
            assert room.refused(actor, command) == {("badge-taken", "badge")}
    owners = [owner for person in room.floor.people.values() for owner in person.badges]
    assert len(owners) == len(set(owners))
    assert room.floor.badges == {c: p.id for p in room.floor.people.values() for c in p.badges}


@pytest.mark.parametrize("role", ["executive", "accounting"])
@pytest.mark.parametrize("second", [TECHNICIAN, CAGE, SURVEILLANCE])
def test_who_cannot_approve_makes_no_approver(role: Role, second: str) -> None:
    room = new_room()
    person = AddPerson("New 1", "New 1", "management", [role], "badge of New 1", badge(second))
    assert room.refused(SUPERVISOR, person) == {("wrong-role", "second_badge")}
    # Nor by taking over the badge of one who is there.
    stolen = ChangePerson(EXECUTIVE, badge="badge of somebody", second_badge=badge(second))
    assert room.refused(SUPERVISOR, stolen) == {("wrong-role", "second_badge")}
    room.do(SUPERVISOR, ChangePerson(EXECUTIVE, badge="a new badge", second_badge=badge(ACCOUNTING)))


def test_the_only_approver_gets_a_new_badge_from_the_others() -> None:
    room = new_room()
    room.do(EXECUTIVE, ChangePerson(ACCOUNTING, active=False, second_badge=badge(SURVEILLANCE)))
    room.do(SUPERVISOR, ChangePerson(EXECUTIVE, badge="a new badge", second_badge=badge(SURVEILLANCE)))
    assert room.floor.badges["a new badge"] == EXECUTIVE


@pytest.mark.parametrize(
    ("department", "roles", "fits"),
    [
        ("outside", ["regulator"], True),
        ("outside", ["player"], True),
        ("outside", ["auditor"], True),
        ("accounting", ["auditor", "accounting"], True),
        ("outside", ["regulator", "auditor"], False),
        ("pit", ["regulator", "dealer"], False),
        ("pit", ["player", "dealer"], False),
        ("outside", ["supervisor"], False),
        ("outside", ["auditor", "accounting"], False),
    ],
)
def test_who_looks_on_or_plays_has_no_other_role(department: Any, roles: list[Role], fits: bool) -> None:
    room = new_room()
    command = AddPerson("New 1", "New 1", department, roles, "new badge", badge(ACCOUNTING))
    if fits:
        room.do(EXECUTIVE, command)
        assert room.floor.people["New 1"].roles == tuple(roles)
        return
    assert room.refused(EXECUTIVE, command) == {("role-misfit", "roles")}
    first = [*two_people(), {**two_people()[1], "id": "X1", "badge": "c", "department": department, "roles": roles}]
    assert Room().refused(SYSTEM, create(first)) == {("role-misfit", "people[2].roles")}


def test_a_change_of_roles_makes_no_misfit() -> None:
    room = new_room()
    for roles in (["regulator", "dealer"], ["player", "dealer"]):
        what = {"change": "roles", "person": DEALER, "roles": roles}
        assert room.refused(ACCOUNTING, Propose(what, "why not")) == {("role-misfit", "what.roles")}


def test_who_practises_signs_in_nowhere() -> None:
    room = new_room()
    room.do(EXECUTIVE, AddPerson("P1", "Player 1", "outside", ["player"], "badge of P1", badge(ACCOUNTING)))
    room.do(TECHNICIAN, AddDevice("desk", "service", "secret of desk", badge=badge(ACCOUNTING)))
    sign_in = SignIn("badge of P1", "session of P1")
    assert room.refused("device:desk", sign_in, "desk") == {("wrong-role", "badge")}
