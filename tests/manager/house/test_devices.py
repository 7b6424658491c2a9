"""Controllers, displays and services: a controller at one table, a table with one controller, a secret for each."""

from __future__ import annotations

import pytest

from houseway.manager.commands.house import (
    AddDevice,
    AddPerson,
    ChangeDeck,
    CloseTable,
    DealerIn,
    OpenTable,
    RetireDevice,
)
from tests.manager.floors import (
    ACCOUNTING,
    CAGE,
    DEALER,
    EXECUTIVE,
    OTHER_SUPERVISOR,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Room,
    card,
    new_room,
)


@pytest.fixture
def room() -> Room:
    found = new_room()
    found.add_table("T1")
    found.add_table("T2")
    return found


def test_a_controller_is_bound_to_its_table(room: Room) -> None:
    room.do(TECHNICIAN, AddDevice("controller 1", "controller", "secret 1", "T1", card(ACCOUNTING)))
    assert room.floor.device["controller 1"].table == "T1"


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
    room.do(TECHNICIAN, AddDevice("controller 2", "controller", "secret 2", "T2", card(ACCOUNTING)))
    assert room.refused(TECHNICIAN, command) == {fault}


def test_a_retired_controller_makes_room_for_another(room: Room) -> None:
    room.do(TECHNICIAN, AddDevice("controller 1", "controller", "secret 1", "T1", card(ACCOUNTING)))
    answer = room.do(EXECUTIVE, RetireDevice("controller 1"))
    assert "T1" in answer["next"][0]
    assert not room.floor.device["controller 1"].active
    # Neither its id nor its secret is used again.
    assert room.refused(TECHNICIAN, AddDevice("controller 1", "controller", "secret 1", "T1")) == {
        ("device-exists", "device"), ("secret-taken", "secret"),
    }  # fmt: skip
    room.do(TECHNICIAN, AddDevice("controller 1b", "controller", "secret 1b", "T1", card(ACCOUNTING)))


def test_displays_and_services_need_no_table(room: Room) -> None:
    room.do(TECHNICIAN, AddDevice("sign 1", "display", "s1"))
    room.do(TECHNICIAN, AddDevice("sign 2", "display", "s2", "T1"))
    room.do(TECHNICIAN, AddDevice("sign 3", "display", "s3", "T1"))
    room.do(TECHNICIAN, AddDevice("reports", "service", "s4", card=card(SURVEILLANCE)))
    assert room.do(TECHNICIAN, RetireDevice("sign 2")) == {"device": "sign 2", "next": []}


@pytest.mark.parametrize(
    ("actor", "swiped", "fault"),
    [
        (TECHNICIAN, None, "card-needed"),
        (EXECUTIVE, None, "card-needed"),
        (TECHNICIAN, "nobody's", "unknown-card"),
        (TECHNICIAN, card(TECHNICIAN), "second-person"),
        (TECHNICIAN, card(DEALER), "second-person"),
        (TECHNICIAN, "card of Technician 2", "same-department"),
    ],
)
def test_nobody_alone_registers_a_service(room: Room, actor: str, swiped: str | None, fault: str) -> None:
    colleague = ("Technician 2", "Technician 2", "engineering", ["technician"], "card of Technician 2")
    room.do(EXECUTIVE, AddPerson(*colleague, card(SURVEILLANCE)))
    assert room.refused(actor, AddDevice("desk", "service", "s", card=swiped)) == {(fault, "card")}
    assert room.do(actor, AddDevice("desk", "service", "s", card=card(SUPERVISOR)))["approved_by"] == SUPERVISOR


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
    room.do(TECHNICIAN, AddDevice("controller 1", "controller", "secret 1", "T1", card(ACCOUNTING)))
    room.put_papers_in_order("T2")
    opening = OpenTable("T2", 0, card(OTHER_SUPERVISOR))
    # Not even for the dealer who is signed in at its own table.
    room.open_table("T1")
    assert room.refused(DEALER, opening, device="controller 1") == {("wrong-device", "table")}
    room.do(SUPERVISOR, opening)
    for actor, command in (
        ("device:controller 1", DealerIn("T2", card(DEALER))),
        (DEALER, ChangeDeck("T2", "deck", 53)),
        (DEALER, CloseTable("T2", 0, 0, card(OTHER_SUPERVISOR))),
    ):
        assert room.refused(actor, command, device="controller 1") == {("wrong-device", "table")}


def test_a_dealer_signs_in_at_the_controller_itself(room: Room) -> None:
    room.do(TECHNICIAN, AddDevice("controller 1", "controller", "secret 1", "T1", card(ACCOUNTING)))
    room.open_table("T1", dealer=None)
    room.do("device:controller 1", DealerIn("T1", card(DEALER)), device="controller 1")
    assert room.table().dealer == DEALER
