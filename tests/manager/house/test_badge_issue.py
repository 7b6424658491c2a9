"""A role with authority asks for a badge that two people issued, however the role comes to its bearer."""

from __future__ import annotations

import pytest

from houseway.errors import InputError
from houseway.manager.commands.house_commands import AddPerson, ChangePerson, DealerIn
from houseway.manager.commands.link_commands import Approve, Propose
from houseway.manager.core.roles import BY_TWO
from tests.manager.floors import (
    ACCOUNTING,
    AUDITOR,
    DEALER,
    EXECUTIVE,
    SUPERVISOR,
    SURVEILLANCE,
    Room,
    badge,
    new_room,
)

NEW = "New 1"


@pytest.fixture
def room() -> Room:
    """A room with an auditor to whom one person alone gave a badge."""
    found = new_room()
    found.do(EXECUTIVE, AddPerson(NEW, NEW, "accounting", ["auditor"], "badge by one"))
    return found


def proposal(room: Room, roles: list[str], person: str = NEW) -> tuple[str, str]:
    told = room.do(EXECUTIVE, Propose({"change": "roles", "person": person, "roles": roles}, "as agreed"))
    return told["proposal"], told["content_hash"]


def faults(room: Room, roles: list[str]) -> set[tuple[str, str]]:
    """Why a change of roles cannot even be proposed."""
    return room.refused(EXECUTIVE, Propose({"change": "roles", "person": NEW, "roles": roles}, "as agreed"))


@pytest.mark.parametrize("role", sorted(BY_TWO))
def test_a_badge_by_one_gains_no_authority(room: Room, role: str) -> None:
    assert room.floor.people[NEW].issued_by == (EXECUTIVE,)
    assert faults(room, ["auditor", role]) == {("badge-by-one", "what.person")}


def test_two_people_issue_another_badge_first(room: Room) -> None:
    room.do(EXECUTIVE, ChangePerson(NEW, "badge by two", None, badge(SURVEILLANCE)))
    assert room.floor.people[NEW].issued_by == (EXECUTIVE, SURVEILLANCE)
    room.do(ACCOUNTING, Approve(*proposal(room, ["supervisor"]), badge(ACCOUNTING)))
    assert room.floor.people[NEW].roles == ("supervisor",)


def test_a_badge_by_two_from_the_beginning_will_do() -> None:
    room = new_room()
    added = AddPerson(NEW, NEW, "accounting", ["auditor"], "badge", badge(SURVEILLANCE))
    assert room.do(EXECUTIVE, added)["approved_by"] == SURVEILLANCE
    room.do(ACCOUNTING, Approve(*proposal(room, ["dealer"]), badge(ACCOUNTING)))


@pytest.mark.parametrize(
    ("second", "fault"),
    [(badge(EXECUTIVE), "second-person"), (badge(DEALER), "second-person"), ("nobody's", "unknown-badge")],
)
def test_a_second_badge_counts_only_as_a_second_person_s(room: Room, second: str, fault: str) -> None:
    assert room.refused(EXECUTIVE, ChangePerson(NEW, "another", None, second)) == {(fault, "second_badge")}


def test_a_badge_that_one_person_replaces_before_the_approval_stops_it(room: Room) -> None:
    room.do(EXECUTIVE, ChangePerson(NEW, "badge by two", None, badge(SURVEILLANCE)))
    id_, bound = proposal(room, ["supervisor"])
    room.do(SUPERVISOR, ChangePerson(NEW, "my own badge"))
    approval = Approve(id_, bound, badge(ACCOUNTING))
    assert room.refused(ACCOUNTING, approval) == {("badge-by-one", "what.person")}


def test_a_role_without_a_badge_waits_for_one_by_two() -> None:
    room = new_room()
    room.do(EXECUTIVE, AddPerson(NEW, NEW, "accounting", ["auditor"]))
    room.do(ACCOUNTING, Approve(*proposal(room, ["supervisor"]), badge(ACCOUNTING)))
    assert room.refused(EXECUTIVE, ChangePerson(NEW, "badge by one")) == {("badge-needed", "second_badge")}


def test_the_first_people_s_badges_came_with_the_journal(room: Room) -> None:
    id_, bound = proposal(room, ["auditor", "cage"], AUDITOR)
    room.do(SURVEILLANCE, Approve(id_, bound, badge(ACCOUNTING)))
    assert room.floor.people[AUDITOR].roles == ("auditor", "cage")


def test_what_is_wrong_is_said_with_the_way_out(room: Room) -> None:
    with pytest.raises(InputError, match="have two people from different departments issue another one first"):
        proposal(room, ["supervisor"])


def test_who_is_a_dealer_no_more_deals_no_more() -> None:
    room = new_room()
    room.add_table("T1")
    room.open_table("T1", dealer=None)
    room.do(DEALER, DealerIn("T1", badge(DEALER)))
    room.do(ACCOUNTING, Approve(*proposal(room, ["supervisor"], DEALER), badge(ACCOUNTING)))
    assert room.table().dealer is None
