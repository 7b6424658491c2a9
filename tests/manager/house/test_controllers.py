"""Controllers and services come by two people, nobody is present at a new one, and who registered it does not pay.

The attack: one executive retires a table's controller, registers one of their own, acts as the dealer who is still
signed in, and pays the jackpot with their own badge.
"""

from __future__ import annotations

import msgspec
import pytest

from houseway.manager.commands import Command
from houseway.manager.commands.house_commands import (
    AddDevice,
    CloseTable,
    DealerIn,
    FillTray,
    OpenTable,
    RetireDevice,
    SignIn,
)
from houseway.manager.commands.round_commands import (
    CorrectWager,
    DecideRound,
    EndRound,
    HitJackpot,
    HoldRound,
    PayJackpot,
    PressHand,
    RejectJackpot,
    ReopenRound,
    StartRound,
    VoidRound,
)
from houseway.manager.core.house_entities import Person
from tests.manager.floors import (
    ACCOUNTING,
    CAGE,
    DEALER,
    EXECUTIVE,
    HOUR,
    OTHER_DEALER,
    OTHER_SUPERVISOR,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Room,
    badge,
    new_room,
    session_of,
)

OLD, NEW = "controller 1", "controller 2"
HAND = "seven-card-straight-flush"


@pytest.fixture
def room() -> Room:
    """An open table with a jackpot, its controller registered by others, and a dealer who swiped in at it."""
    found = new_room()
    found.add_link(seed=100_000)
    found.add_table("T1")
    found.attach("T1", "1", "L1")
    found.do(TECHNICIAN, AddDevice(OLD, "controller", "secret 1", "T1", badge(ACCOUNTING)))
    found.open_table("T1", dealer=None)
    found.do(f"device:{OLD}", DealerIn("T1", badge(DEALER), session_of(DEALER)), OLD)
    return found


def replace_controller(room: Room, second: str = ACCOUNTING) -> None:
    """The executive brings a controller of his own, with somebody's help."""
    room.do(EXECUTIVE, RetireDevice(OLD))
    room.do(EXECUTIVE, AddDevice(NEW, "controller", "secret 2", "T1", badge(second)))


def hit(room: Room, device: str) -> str:
    """A jackpot that is locked, all of it said by a controller in the dealer's name."""
    round_ = room.do(DEALER, StartRound("T1", sensors={"1": [2]}), device)["round"]
    award = room.do(DEALER, PressHand(round_, 2, HAND), device)["award"]
    room.do(DEALER, HitJackpot(round_), device)
    return str(award)


@pytest.mark.parametrize("actor", [EXECUTIVE, TECHNICIAN])
@pytest.mark.parametrize(
    ("swiped", "fault"),
    [(None, "badge-needed"), (badge(DEALER), "second-person"), ("nobody's", "unknown-badge")],
)
def test_nobody_alone_registers_a_controller(room: Room, actor: str, swiped: str | None, fault: str) -> None:
    room.do(actor, RetireDevice(OLD))
    assert room.refused(actor, AddDevice(NEW, "controller", "s", "T1", swiped)) == {(fault, "badge")}
    assert room.refused(actor, AddDevice(NEW, "controller", "s", "T1", badge(actor))) == {("second-person", "badge")}


def test_a_controller_is_registered_by_two_departments(room: Room) -> None:
    room.floor.put("person", "E2", Person("E2", "E2", "management", ("executive",), ("badge of E2",)))
    room.follower.floor.put("person", "E2", room.floor.people["E2"])
    room.do(EXECUTIVE, RetireDevice(OLD))
    again = AddDevice(NEW, "controller", "s", "T1", "badge of E2")
    assert room.refused(EXECUTIVE, again) == {("same-department", "badge")}


def test_nobody_is_present_at_a_new_controller(room: Room) -> None:
    answer = room.do(TECHNICIAN, RetireDevice(OLD))
    assert room.table().dealer is None
    assert any("swipes in at T1" in step for step in answer["next"])
    room.do(TECHNICIAN, AddDevice(NEW, "controller", "secret 2", "T1", badge(ACCOUNTING)))
    assert room.refused(DEALER, StartRound("T1", sensors={"1": [2]}), NEW) == {("not-signed-in", "actor")}


def test_a_badge_that_was_read_elsewhere_does_not_count_at_a_new_controller(room: Room) -> None:
    room.do(TECHNICIAN, RetireDevice(OLD))
    room.do(DEALER, DealerIn("T1", badge(DEALER)))
    room.do(TECHNICIAN, AddDevice(NEW, "controller", "secret 2", "T1", badge(ACCOUNTING)))
    assert room.refused(DEALER, StartRound("T1", sensors={"1": [2]}), NEW) == {("not-signed-in", "actor")}


def test_a_round_remembers_the_dealer_whose_controller_went(room: Room) -> None:
    round_ = room.do(DEALER, StartRound("T1", sensors={"1": [2]}), OLD)["round"]
    room.do(OTHER_DEALER, DealerIn("T1", badge(OTHER_DEALER)))
    room.do(TECHNICIAN, RetireDevice(OLD))
    assert room.floor.rounds[round_].reliefs == (OTHER_DEALER,)


def commands_of(round_: str, award: str, badge: str) -> list[Command]:
    """Everything about a round and its award for which a second person's badge is asked."""
    return [
        PayJackpot(award, badge),
        RejectJackpot(award, badge, "mistake"),
        VoidRound(round_, badge, "misdeal"),
        HoldRound(round_, badge, "dispute"),
        CorrectWager(round_, "1", 3, True, "the chip lay beside", badge),
        EndRound(round_, "the player left", badge),
        PressHand(round_, 2, HAND, override="misread", badge=badge),
    ]


@pytest.mark.parametrize("second", [ACCOUNTING, SUPERVISOR])
def test_who_registered_a_controller_is_no_second_person_at_it(room: Room, second: str) -> None:
    replace_controller(room, second)
    room.do(f"device:{NEW}", DealerIn("T1", badge(DEALER), session_of(DEALER)), NEW)
    award = hit(room, NEW)
    barred = [EXECUTIVE] if second == ACCOUNTING else [EXECUTIVE, SUPERVISOR]
    for person in barred:
        for command in commands_of(award.partition("/")[0], award, badge(person)):
            # Neither at the controller nor at the machine itself.
            for device in (NEW, None):
                assert room.refused(DEALER, command, device) == {("own-device", "badge")}
        fill = FillTray("T1", "fill", 10_000, badge(person), "slip-1")
        assert room.refused(DEALER, fill, NEW) == {("own-device", "badge")}
    assert room.do(DEALER, PayJackpot(award, badge(OTHER_SUPERVISOR)), NEW)["paid_by"] == OTHER_SUPERVISOR


def test_the_bar_ends_when_the_table_is_closed_and_counted(room: Room) -> None:
    replace_controller(room)
    room.do(f"device:{NEW}", DealerIn("T1", badge(DEALER), session_of(DEALER)), NEW)
    close = CloseTable("T1", 1_000_000, 0, badge(EXECUTIVE))
    # Not by the very controller, in the dealer's name; two people at a desk may.
    assert room.refused(DEALER, close, NEW) == {("own-device", "badge")}
    room.do(CAGE, close)
    room.do(EXECUTIVE, OpenTable("T1", 1_000_000, badge(SUPERVISOR)))
    room.do(f"device:{NEW}", DealerIn("T1", badge(DEALER), session_of(DEALER)), NEW)
    award = hit(room, NEW)
    assert room.do(DEALER, PayJackpot(award, badge(EXECUTIVE)), NEW)["paid_by"] == EXECUTIVE


def test_the_bar_outlasts_the_controller(room: Room) -> None:
    replace_controller(room)
    room.do(f"device:{NEW}", DealerIn("T1", badge(DEALER), session_of(DEALER)), NEW)
    award = hit(room, NEW)
    # What the controller said in the dealer's name is still there when it is gone, and under the next one.
    room.do(EXECUTIVE, RetireDevice(NEW))
    assert room.refused(SUPERVISOR, PayJackpot(award, badge(EXECUTIVE))) == {("own-device", "badge")}
    room.do(TECHNICIAN, AddDevice("controller 3", "controller", "secret 3", "T1", badge(ACCOUNTING)))
    room.do("device:controller 3", DealerIn("T1", badge(DEALER), session_of(DEALER)), "controller 3")
    assert room.refused(DEALER, PayJackpot(award, badge(EXECUTIVE)), "controller 3") == {("own-device", "badge")}
    room.do(DEALER, PayJackpot(award, badge(SUPERVISOR)), "controller 3")
    room.do(DEALER, EndRound(award.partition("/")[0]), "controller 3")
    room.do(CAGE, CloseTable("T1", 1_000_000, 0, badge(SUPERVISOR)))
    assert all(room.floor.devices[each].shift_over for each in (OLD, NEW, "controller 3"))


def test_the_bar_holds_for_a_round_that_is_reopened_or_decided(room: Room) -> None:
    replace_controller(room)
    room.do(f"device:{NEW}", DealerIn("T1", badge(DEALER), session_of(DEALER)), NEW)
    round_ = room.do(DEALER, StartRound("T1", sensors={"1": [2]}), NEW)["round"]
    room.do(DEALER, EndRound(round_), NEW)
    assert room.refused(DEALER, ReopenRound("T1", badge(EXECUTIVE), "missed")) == {("own-device", "badge")}
    round_ = room.do(DEALER, StartRound("T1", sensors={"1": [2]}), NEW)["round"]
    room.do(DEALER, HoldRound(round_, badge(SUPERVISOR), "dispute"), NEW)
    decided = DecideRound(round_, badge(EXECUTIVE), "void", "the film was seen", "film 3")
    assert room.refused(SUPERVISOR, decided) == {("own-device", "badge")}


def test_who_registered_a_service_is_no_second_person_to_a_round_there_for_a_shift(room: Room) -> None:
    room.do(EXECUTIVE, AddDevice("desk", "service", "secret 3", badge=badge(CAGE)))
    room.do("device:desk", SignIn(badge(SUPERVISOR), session_of(SUPERVISOR)), "desk")
    round_ = room.do(DEALER, StartRound("T1", sensors={"1": [2]}), OLD)["round"]
    void = VoidRound(round_, badge(EXECUTIVE), "misdeal")
    assert room.refused(SUPERVISOR, void, "desk") == {("own-device", "badge")}
    room.now += 12 * HOUR
    room.do("device:desk", SignIn(badge(SUPERVISOR), session_of(SUPERVISOR)), "desk")
    room.do(SUPERVISOR, void, "desk")


def test_a_device_that_is_registered_at_a_new_service_is_also_that_of_who_registered_the_service(room: Room) -> None:
    room.do(EXECUTIVE, AddDevice("desk", "service", "secret 3", badge=badge(CAGE)))
    room.do("device:desk", SignIn(badge(TECHNICIAN), session_of(TECHNICIAN)), "desk")
    eye = AddDevice("eye", "service", "secret 4", badge=badge(CAGE))
    assert room.refused(TECHNICIAN, eye, "desk") == {("own-device", "badge")}
    room.do(TECHNICIAN, msgspec.structs.replace(eye, badge=badge(ACCOUNTING)), "desk")
    # Whoever has the desk in hand may have chosen the secret.
    assert room.floor.devices["eye"].registered_by == (TECHNICIAN, ACCOUNTING, EXECUTIVE, CAGE)
    room.now += 12 * HOUR
    room.do("device:desk", SignIn(badge(TECHNICIAN), session_of(TECHNICIAN)), "desk")
    room.do(TECHNICIAN, AddDevice("ear", "service", "secret 5", badge=badge(CAGE)), "desk")
    assert room.floor.devices["ear"].registered_by == (TECHNICIAN, CAGE)


def test_a_display_is_registered_by_one_and_ends_nobody_s_presence(room: Room) -> None:
    room.do(TECHNICIAN, AddDevice("sign 1", "display", "secret 5", "T1"))
    room.do(TECHNICIAN, RetireDevice("sign 1"))
    assert room.table().dealer == DEALER
    assert room.refused(DEALER, StartRound("T1"), "sign 1") == {("unknown-device", "device")}


def test_surveillance_does_not_verify_at_a_controller_that_it_helped_to_register(room: Room) -> None:
    from houseway.manager.commands.round_commands import AddReference

    replace_controller(room, SURVEILLANCE)
    room.do(f"device:{NEW}", DealerIn("T1", badge(DEALER), session_of(DEALER)), NEW)
    award = hit(room, NEW)
    seen = AddReference(award.partition("/")[0], award, HAND, room.floor.awards[award].cents, "camera 1")
    assert room.refused(SURVEILLANCE, seen) == {("own-device", "actor")}
