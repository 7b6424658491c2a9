"""The property, its people and their cards: two people, two departments, one card each, nobody changes himself."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.manager.commands.house_commands import AddPerson, ChangePerson, CreateProperty, DealerIn
from houseway.manager.commands.round_commands import EndRound, StartRound
from houseway.manager.core.engine import SYSTEM
from houseway.manager.core.entities import Role
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
    card,
    first_people,
    new_room,
)


def two_people(**changes: object) -> list[dict[str, Any]]:
    first = {"id": "E1", "name": "Executive 1", "department": "management", "roles": ["executive"], "card": "a"}
    second = {"id": "S1", "name": "Supervisor 1", "department": "pit", "roles": ["supervisor"], "card": "b"}
    return [first, {**second, **changes}]


def create(people: list[dict[str, Any]], name: str = "Example Card Room") -> CreateProperty:
    return CreateProperty(name, "commercial", people)


def test_a_property_begins_with_two_people_of_different_departments() -> None:
    room = Room()
    answer = room.do(SYSTEM, create(two_people()))
    assert answer["people"] == ["E1", "S1"]
    assert room.floor.properties["property"].licence == "commercial"
    assert room.floor.properties["property"].opened_at == room.now
    assert room.floor.cards == {"a": "E1", "b": "S1"}


@pytest.mark.parametrize(
    ("people", "fault"),
    [
        (two_people()[:1], ("two-people", "people")),
        ([], ("two-people", "people")),
        (two_people(department="management"), ("two-people", "people")),
        (two_people(roles=["dealer"]), ("two-people", "people")),
        (two_people(roles=["technician"], department="engineering"), ("two-people", "people")),
        ([{**two_people()[0], "roles": ["accounting"]}, two_people()[1]], ("two-people", "people")),
        (two_people(card="a"), ("card-taken", "people")),
        (two_people(card=""), ("card-needed", "people[1].card")),
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
    answer = room.do(SUPERVISOR, AddPerson("Auditor 2", "Auditor 2", "accounting", ["auditor"], "new card"))
    assert answer == {"person": "Auditor 2", "approved_by": None, "next": []}
    assert room.floor.cards["new card"] == "Auditor 2"


def test_nobody_alone_makes_a_dealer_who_would_be_the_second_person_at_a_jackpot() -> None:
    room = new_room()
    invented = AddPerson("Dealer 20", "Dealer 20", "pit", ["dealer"], "a card of my own")
    assert room.refused(SUPERVISOR, invented) == {("card-needed", "second_card")}
    taken_over = ChangePerson(DEALER, card="a card of my own")
    assert room.refused(SUPERVISOR, taken_over) == {("card-needed", "second_card")}
    room.do(SUPERVISOR, ChangePerson(DEALER, active=False, second_card=card(SURVEILLANCE)))
    for second, found in ((None, "card-needed"), (card(OTHER_SUPERVISOR), "same-department")):
        command = ChangePerson(DEALER, active=True, second_card=second)
        assert room.refused(SUPERVISOR, command) == {(found, "second_card")}
    assert room.refused(SUPERVISOR, ChangePerson(DEALER, active=True, second_card=card(OTHER_DEALER))) == {
        ("second-person", "second_card")
    }
    room.do(SUPERVISOR, ChangePerson(DEALER, active=True, second_card=card(SURVEILLANCE)))
    assert room.floor.people[DEALER].active


def test_a_person_without_a_card_is_told_to_get_one() -> None:
    command = AddPerson("Dealer 20", "Dealer 20", "pit", ["dealer"], second_card=card(SURVEILLANCE))
    answer = new_room().do(SUPERVISOR, command)
    assert "person.change" in answer["next"][0]


@pytest.mark.parametrize(
    "role", ["supervisor", "executive", "surveillance", "cage", "accounting", "technician", "dealer"]
)  # fmt: skip
def test_authority_is_given_by_two_people_of_different_departments(role: Role) -> None:
    room = new_room()

    def add(second: str | None) -> AddPerson:
        return AddPerson("New 1", "New 1", "pit", [role], "new card", second)

    assert room.refused(SUPERVISOR, add(None)) == {("card-needed", "second_card")}
    assert room.refused(SUPERVISOR, add("nobody's")) == {("unknown-card", "second_card")}
    assert room.refused(SUPERVISOR, add(card(SUPERVISOR))) == {("second-person", "second_card")}
    assert room.refused(SUPERVISOR, add(card(AUDITOR))) == {("second-person", "second_card")}
    assert room.refused(SUPERVISOR, add(card(OTHER_SUPERVISOR))) == {("same-department", "second_card")}
    second = ACCOUNTING if role in ("executive", "accounting") else SURVEILLANCE
    answer = room.do(SUPERVISOR, add(card(second)))
    assert answer["approved_by"] == second


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (AddPerson("Dealer 17", "Again", "pit", ["dealer"]), ("person-exists", "person")),
        (AddPerson("D/1", "Stroke", "pit", ["dealer"]), ("bad-id", "person")),
        (AddPerson("system", "Not a person", "pit", ["dealer"]), ("bad-id", "id")),
        (AddPerson("Dealer 20", "", "pit", ["dealer"]), ("bad-value", "name")),
        (AddPerson("Dealer 20", "Dealer 20", "pit", []), ("bad-value", "roles")),
        (AddPerson("Dealer 20", "Dealer 20", "pit", ["dealer"], card("Dealer 17")), ("card-taken", "card")),
        (AddPerson("Dealer 20", "Dealer 20", "pit", ["dealer"], ""), ("card-needed", "card")),
    ],
)
def test_a_person_is_refused(command: AddPerson, fault: tuple[str, str]) -> None:
    assert new_room().refused(EXECUTIVE, command) == {fault}


def test_all_faults_of_a_person_are_told_at_once() -> None:
    command = AddPerson("D/1", "", "pit", [], card(DEALER))
    assert new_room().refused(EXECUTIVE, command) == {
        ("bad-id", "person"), ("bad-value", "name"), ("bad-value", "roles"), ("card-taken", "card"),
    }  # fmt: skip


@pytest.mark.parametrize(
    "actor", [person for person in PEOPLE if person not in (EXECUTIVE, SUPERVISOR, OTHER_SUPERVISOR)]
)
def test_only_executives_and_supervisors_register_people(actor: str) -> None:
    room = new_room()
    assert room.refused(actor, AddPerson("Dealer 20", "Dealer 20", "pit", ["dealer"])) == {("wrong-role", "actor")}
    assert room.refused(actor, ChangePerson("Dealer 18", active=False)) == {("wrong-role", "actor")}


def test_a_new_card_replaces_the_old_one() -> None:
    room = new_room()
    second = card(SURVEILLANCE)
    room.do(SUPERVISOR, ChangePerson(DEALER, card="new card", second_card=second))
    assert room.floor.people[DEALER].cards == ("new card",)
    assert card(DEALER) not in room.floor.cards
    room.do(SUPERVISOR, AddPerson("Dealer 20", "Dealer 20", "pit", ["dealer"], card(DEALER), second))


def test_a_card_of_authority_is_given_by_two_people() -> None:
    room = new_room()
    assert room.refused(SUPERVISOR, ChangePerson(EXECUTIVE, card="new")) == {("card-needed", "second_card")}
    room.do(SUPERVISOR, ChangePerson(EXECUTIVE, card="new", second_card=card(ACCOUNTING)))
    assert room.floor.cards["new"] == EXECUTIVE


def test_nobody_is_the_second_person_of_his_own_card() -> None:
    command = ChangePerson(SURVEILLANCE, card="new", second_card=card(SURVEILLANCE))
    assert new_room().refused(EXECUTIVE, command) == {("second-person", "second_card")}


def test_duty_ends_and_returns_with_two_people() -> None:
    room = new_room()
    room.do(EXECUTIVE, ChangePerson(SUPERVISOR, active=False, second_card=card(SURVEILLANCE)))
    assert room.refused(SUPERVISOR, ChangePerson(DEALER, active=False)) == {("unknown-person", "actor")}
    assert room.refused(EXECUTIVE, ChangePerson(SUPERVISOR, active=True)) == {("card-needed", "second_card")}
    room.do(EXECUTIVE, ChangePerson(SUPERVISOR, active=True, second_card=card(SURVEILLANCE)))
    assert room.floor.people[SUPERVISOR].active


def test_nobody_alone_sends_the_others_home() -> None:
    """Whoever could would stop every table, and be needed himself for each way back."""
    room = new_room()
    for person in (DEALER, SURVEILLANCE, ACCOUNTING, EXECUTIVE):
        assert room.refused(SUPERVISOR, ChangePerson(person, active=False)) == {("card-needed", "second_card")}
        own = ChangePerson(person, active=False, second_card=card(SUPERVISOR))
        assert room.refused(SUPERVISOR, own) == {("second-person", "second_card")}
        assert room.floor.people[person].active
    of_one_department = ChangePerson(DEALER, active=False, second_card=card(OTHER_SUPERVISOR))
    assert room.refused(SUPERVISOR, of_one_department) == {("same-department", "second_card")}


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (ChangePerson(EXECUTIVE, card="new"), ("own-change", "person")),
        (ChangePerson(EXECUTIVE, active=False), ("own-change", "person")),
        (ChangePerson("Nobody 1", active=False), ("unknown-person", "person")),
        (ChangePerson(DEALER), ("nothing-to-change", "card")),
        (ChangePerson(DEALER, card=card(SUPERVISOR)), ("card-taken", "card")),
        (ChangePerson(DEALER, card=""), ("card-needed", "card")),
    ],
)
def test_a_change_of_a_person_is_refused(command: ChangePerson, fault: tuple[str, str]) -> None:
    assert new_room().refused(EXECUTIVE, command) == {fault}


def test_the_last_who_can_approve_stays() -> None:
    room = new_room()
    room.do(EXECUTIVE, ChangePerson(ACCOUNTING, active=False, second_card=card(SURVEILLANCE)))
    last = ChangePerson(EXECUTIVE, active=False, second_card=card(SURVEILLANCE))
    assert room.refused(SUPERVISOR, last) == {("last-approver", "active")}


def test_a_dealer_who_goes_off_duty_is_relieved_by_name() -> None:
    room = new_room()
    room.add_table()
    room.open_table()
    answer = room.do(SUPERVISOR, ChangePerson(DEALER, active=False, second_card=card(SURVEILLANCE)))
    assert answer["tables_left"] == ["T1"]
    assert "T1" in answer["next"][0]
    assert room.table().dealer is None


NEW_CARD = ChangePerson(DEALER, card="a new one", second_card=card(SURVEILLANCE))


def test_a_dealer_who_gets_another_card_deals_no_more_until_it_is_swiped() -> None:
    room = new_room()
    room.add_table()
    room.open_table()
    round_ = room.do(DEALER, StartRound("T1"))["round"]
    answer = room.do(SUPERVISOR, NEW_CARD)
    assert answer["tables_left"] == ["T1"]
    assert "T1" in answer["next"][0]
    assert room.refused(DEALER, EndRound(round_)) == {("no-dealer", "table")}
    assert room.refused(DEALER, DealerIn("T1", card(DEALER))) == {("unknown-card", "card")}
    room.do(DEALER, DealerIn("T1", "a new one"))
    room.do(DEALER, EndRound(round_))


def test_a_relief_who_gets_another_card_has_dealt_the_round_all_the_same() -> None:
    room = new_room()
    room.add_table()
    room.open_table()
    round_ = room.do(DEALER, StartRound("T1"))["round"]
    room.do(OTHER_DEALER, DealerIn("T1", card(OTHER_DEALER)))
    room.do(SUPERVISOR, ChangePerson(OTHER_DEALER, card="a new one", second_card=card(SURVEILLANCE)))
    assert room.floor.rounds[round_].reliefs == (OTHER_DEALER,)


def test_another_card_for_somebody_else_leaves_the_dealer_where_he_is() -> None:
    room = new_room()
    room.add_table()
    room.open_table()
    answer = room.do(SUPERVISOR, ChangePerson(OTHER_DEALER, card="a new one", second_card=card(SURVEILLANCE)))
    assert (answer["tables_left"], answer["next"]) == ([], [])
    assert room.table().dealer == DEALER


@given(st.lists(st.tuples(st.sampled_from(sorted(PEOPLE)), st.sampled_from("abcd")), max_size=12))
def test_no_card_ever_belongs_to_two_people(changes: list[tuple[str, str]]) -> None:
    room = Room()
    room.do(SYSTEM, create(first_people()))
    for person, new in changes:
        second = room.floor.people[ACCOUNTING if person in (SURVEILLANCE, EXECUTIVE) else SURVEILLANCE].cards[0]
        actor = SUPERVISOR if person == EXECUTIVE else EXECUTIVE
        command = ChangePerson(person, card=new, second_card=second)
        if room.floor.cards.get(new, person) == person:
            room.do(actor, command)
        else:
            assert room.refused(actor, command) == {("card-taken", "card")}
    owners = [owner for person in room.floor.people.values() for owner in person.cards]
    assert len(owners) == len(set(owners))
    assert room.floor.cards == {c: p.id for p in room.floor.people.values() for c in p.cards}


@pytest.mark.parametrize("role", ["executive", "accounting"])
@pytest.mark.parametrize("second", [TECHNICIAN, CAGE, SURVEILLANCE])
def test_who_cannot_approve_makes_no_approver(role: Role, second: str) -> None:
    room = new_room()
    person = AddPerson("New 1", "New 1", "management", [role], "card of New 1", card(second))
    assert room.refused(SUPERVISOR, person) == {("wrong-role", "second_card")}
    # Nor by taking over the card of one who is there.
    stolen = ChangePerson(EXECUTIVE, card="card of somebody", second_card=card(second))
    assert room.refused(SUPERVISOR, stolen) == {("wrong-role", "second_card")}
    room.do(SUPERVISOR, ChangePerson(EXECUTIVE, card="a new card", second_card=card(ACCOUNTING)))


def test_the_only_approver_gets_a_new_card_from_the_others() -> None:
    room = new_room()
    room.do(EXECUTIVE, ChangePerson(ACCOUNTING, active=False, second_card=card(SURVEILLANCE)))
    room.do(SUPERVISOR, ChangePerson(EXECUTIVE, card="a new card", second_card=card(SURVEILLANCE)))
    assert room.floor.cards["a new card"] == EXECUTIVE
