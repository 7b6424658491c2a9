"""Controllers, displays and services: a controller at one table, a table with one controller, a secret for each."""

from __future__ import annotations

import pytest

from houseway.manager.commands.house_commands import (
    AddDevice,
    AddPerson,
    ChangeDeck,
    CloseTable,
    ConfirmPerson,
    CreateProperty,
    CreateTable,
    DealerIn,
    OpenTable,
    RetireDevice,
    SignIn,
)
from houseway.manager.core.engine import SYSTEM
from tests.manager.floors import (
    ACCOUNTING,
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


@pytest.fixture
def room() -> Room:
    found = new_room()
    found.add_table("T1")
    found.add_table("T2")
    return found


def test_a_controller_is_bound_to_its_table(room: Room) -> None:
    room.do(TECHNICIAN, AddDevice("controller 1", "controller", "secret 1", "T1", badge(ACCOUNTING)))
    assert room.floor.devices["controller 1"].table == "T1"


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (AddDevice("c", "controller", "s"), ("table-needed", "table")),
        (AddDevice("c", "controller", "s", "T9"), ("unknown-table", "table")),
        (AddDevice("c", "controller", "s", "T2"), ("controller-there", "table")),
        (AddDevice("c", "controller", "", "T1"), ("bad-value", "secret")),
        (AddDevice("c", "controller", "secret 2", "T1"), ("secret-taken", "secret")),
        (AddDevice("c:1", "controller", "s", "T1"), ("bad-id", "device")),
        (AddDevice("controller 2", "controller", "s", "T1"), ("device-exists", "device")),
        (AddDevice("c", "service", "s", "T1"), ("bad-value", "table")),
    ],
)
def test_a_device_is_refused(room: Room, command: AddDevice, fault: tuple[str, str]) -> None:
    room.do(TECHNICIAN, AddDevice("controller 2", "controller", "secret 2", "T2", badge(ACCOUNTING)))
    assert room.refused(TECHNICIAN, command) == {fault}


def test_a_retired_controller_makes_room_for_another(room: Room) -> None:
    room.do(TECHNICIAN, AddDevice("controller 1", "controller", "secret 1", "T1", badge(ACCOUNTING)))
    answer = room.do(EXECUTIVE, RetireDevice("controller 1"))
    assert "T1" in answer["next"][0]
    assert not room.floor.devices["controller 1"].active
    # Neither its id nor its secret is used again.
    assert room.refused(TECHNICIAN, AddDevice("controller 1", "controller", "secret 1", "T1")) == {
        ("device-exists", "device"), ("secret-taken", "secret"),
    }  # fmt: skip
    room.do(TECHNICIAN, AddDevice("controller 1b", "controller", "secret 1b", "T1", badge(ACCOUNTING)))


def test_displays_and_services_need_no_table(room: Room) -> None:
    room.do(TECHNICIAN, AddDevice("sign 1", "display", "s1"))
    room.do(TECHNICIAN, AddDevice("sign 2", "display", "s2", "T1"))
    room.do(TECHNICIAN, AddDevice("sign 3", "display", "s3", "T1"))
    room.do(TECHNICIAN, AddDevice("reports", "service", "s4", badge=badge(SURVEILLANCE)))
    assert room.do(TECHNICIAN, RetireDevice("sign 2"))["approved_by"] is None


@pytest.mark.parametrize(
    ("actor", "swiped", "fault"),
    [
        (TECHNICIAN, None, "badge-needed"),
        (EXECUTIVE, None, "badge-needed"),
        (TECHNICIAN, "nobody's", "unknown-badge"),
        (TECHNICIAN, badge(TECHNICIAN), "second-person"),
        (TECHNICIAN, badge(DEALER), "second-person"),
        (TECHNICIAN, "badge of Technician 2", "same-department"),
    ],
)
def test_nobody_alone_registers_a_service(room: Room, actor: str, swiped: str | None, fault: str) -> None:
    colleague = ("Technician 2", "Technician 2", "engineering", ["technician"], "badge of Technician 2")
    room.do(EXECUTIVE, AddPerson(*colleague, badge(SURVEILLANCE)))
    room.do(ACCOUNTING, ConfirmPerson("Technician 2", "badge of Technician 2"))
    assert room.refused(actor, AddDevice("desk", "service", "s", badge=swiped)) == {(fault, "badge")}
    assert room.do(actor, AddDevice("desk", "service", "s", badge=badge(SUPERVISOR)))["approved_by"] == SUPERVISOR


def test_nobody_alone_locks_the_house_out_of_its_registers() -> None:
    """One executive, no technician: whatever the executive retires alone, the others bring back from the last desk."""
    room = Room()
    first = [person for person in first_people() if person["id"] in (EXECUTIVE, SUPERVISOR, ACCOUNTING, SURVEILLANCE)]
    room.do(SYSTEM, CreateProperty("Small Card Room", "commercial", first))
    room.do(SUPERVISOR, CreateTable("T1", "fortune"))
    for id_, kind, table in (("desk", "service", None), ("desk 2", "service", None), ("c1", "controller", "T1")):
        room.do(EXECUTIVE, AddDevice(id_, kind, f"secret of {id_}", table, badge(ACCOUNTING)))  # type: ignore[arg-type]
    room.now += 12 * HOUR
    for person in (SUPERVISOR, ACCOUNTING):
        room.do("device:desk", SignIn(badge(person), session_of(person)), "desk")

    for device in ("c1", "desk 2"):
        room.do(EXECUTIVE, RetireDevice(device))
    assert room.refused(EXECUTIVE, RetireDevice("desk")) == {("badge-needed", "badge")}
    assert room.refused(EXECUTIVE, RetireDevice("desk", badge(EXECUTIVE))) == {("second-person", "badge")}

    new = AddPerson("T9", "T 9", "engineering", ["technician"], "the badge of T9", badge(SURVEILLANCE))
    room.do(SUPERVISOR, new, "desk")
    room.do(ACCOUNTING, ConfirmPerson("T9", "the badge of T9"), "desk")
    room.do("device:desk", SignIn("the badge of T9", session_of("T9")), "desk")
    room.do("T9", AddDevice("c2", "controller", "secret of c2", "T1", badge(SUPERVISOR)), "desk")
    assert room.floor.devices["c2"].active
    # Two people may: a desk that was stolen goes though it is the last.
    answer = room.do("T9", RetireDevice("desk", badge(SUPERVISOR)), "desk")
    assert answer["approved_by"] == SUPERVISOR
    assert "(houseway device add)" in answer["next"][0]


@pytest.mark.parametrize(
    ("more", "needed"),
    [
        ((), ["E1", "A1"]),
        ((("V1", "surveillance", "surveillance"),), ["E1"]),
        ((("T1", "engineering", "technician"),), []),
        ((("S1", "pit", "supervisor"),), []),
        ((("S1", "accounting", "supervisor"),), ["E1"]),
    ],
)
def test_the_beginning_says_whom_a_property_needs(more: tuple[tuple[str, str, str], ...], needed: list[str]) -> None:
    people = (("E1", "management", "executive"), ("A1", "accounting", "accounting"), *more)
    first = [
        {"id": id_, "name": id_, "department": department, "roles": [role], "badge": f"badge of {id_}"}
        for id_, department, role in people
    ]
    steps = Room().do(SYSTEM, CreateProperty("Small Card Room", "commercial", first))["next"]
    assert [step.partition("without ")[2].partition(" ")[0] for step in steps if "without" in step] == needed


def test_retiring_is_refused_for_unknown_and_retired_devices(room: Room) -> None:
    assert room.refused(TECHNICIAN, RetireDevice("nothing")) == {("unknown-device", "device")}
    room.do(TECHNICIAN, AddDevice("sign 1", "display", "s1"))
    room.do(TECHNICIAN, RetireDevice("sign 1"))
    assert room.refused(TECHNICIAN, RetireDevice("sign 1")) == {("device-retired", "device")}


@pytest.mark.parametrize("actor", [DEALER, SUPERVISOR, CAGE])
def test_only_technicians_and_executives_register_devices(room: Room, actor: str) -> None:
    assert room.refused(actor, AddDevice("sign 1", "display", "s1")) == {("wrong-role", "actor")}
    assert room.refused(actor, RetireDevice("sign 1")) == {("wrong-role", "actor")}


def test_a_controller_speaks_for_no_other_table(room: Room) -> None:
    room.do(TECHNICIAN, AddDevice("controller 1", "controller", "secret 1", "T1", badge(ACCOUNTING)))
    room.put_papers_in_order("T2")
    opening = OpenTable("T2", 0, badge(OTHER_SUPERVISOR))
    # Not even for the dealer who is signed in at its own table.
    room.open_table("T1", dealer=None)
    room.do("device:controller 1", DealerIn("T1", badge(DEALER), session_of(DEALER)), "controller 1")
    assert room.refused(DEALER, opening, device="controller 1") == {("wrong-device", "table")}
    room.do(SUPERVISOR, opening)
    for actor, command in (
        ("device:controller 1", DealerIn("T2", badge(DEALER), session_of(DEALER))),
        (DEALER, ChangeDeck("T2", "deck", 53)),
        (DEALER, CloseTable("T2", 0, 0, badge(OTHER_SUPERVISOR))),
    ):
        assert room.refused(actor, command, device="controller 1") == {("wrong-device", "table")}


def test_a_dealer_signs_in_at_the_controller_itself(room: Room) -> None:
    room.do(TECHNICIAN, AddDevice("controller 1", "controller", "secret 1", "T1", badge(ACCOUNTING)))
    room.open_table("T1", dealer=None)
    room.do("device:controller 1", DealerIn("T1", badge(DEALER), session_of(DEALER)), device="controller 1")
    assert room.table().dealer == DEALER
