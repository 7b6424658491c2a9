"""What a device's secret alone can say: a short list, none of which moves money, makes a wager or reaches further."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from houseway.manager.commands import Command
from houseway.manager.commands.house_commands import AddDevice, ChangeDeck, DealerIn, RecordIncident, SignIn, SignOut
from houseway.manager.commands.round_commands import (
    DealRound,
    DeclareSeat,
    DoubleDown,
    EndRound,
    SetHand,
    SetSensor,
    StartRound,
)
from houseway.manager.commands.system_commands import WithdrawMessage
from houseway.manager.core.authority import AUTHORITY
from houseway.manager.core.command import kind_of
from tests.manager.floors import (
    ACCOUNTING,
    DEALER,
    OTHER_DEALER,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    Room,
    badge,
    new_room,
    session_of,
)

PAGE = Path(__file__).parents[2] / "docs" / "security.md"
BY_DEVICES = {
    kind_of(command): found
    for command, found in AUTHORITY.items()
    if found.devices and command.__module__.startswith("houseway.")
}
"""What devices may say by themselves; commands of other tests are none of it."""
CONTROLLER, DESK = "device:controller 1", "device:desk"


@pytest.fixture
def room() -> Room:
    """A table with a jackpot, its controller, at which DEALER has swiped in, and a desk where SUPERVISOR is."""
    found = new_room()
    found.add_link()
    found.add_table()
    found.attach("T1", "1", "L1")
    found.do(TECHNICIAN, AddDevice("controller 1", "controller", "secret 1", "T1", badge(ACCOUNTING)))
    found.do(TECHNICIAN, AddDevice("desk", "service", "secret of desk", badge=badge(SURVEILLANCE)))
    found.open_table(dealer=None)
    found.do(CONTROLLER, DealerIn("T1", badge(DEALER), session_of(DEALER)), "controller 1")
    found.do(DESK, SignIn(badge(SUPERVISOR), session_of(SUPERVISOR)), "desk")
    return found


def test_the_list_of_the_threat_model_is_all_that_devices_say_by_themselves() -> None:
    text = PAGE.read_text(encoding="utf-8").split("### What a secret alone can say", 1)[1].split("\n## ", 1)[0]
    listed = {
        (kind, device)
        for device, said in re.findall(r"^\| (controller|service) \| (`[^|]+) \|", text, re.MULTILINE)
        for kind in re.findall(r"`([\w.-]+)`", said)
    }
    allowed = {(kind, device) for kind, found in BY_DEVICES.items() for device in found.devices}
    assert listed == allowed


def test_a_secret_alone_moves_no_money(room: Room) -> None:
    """Every statement that a device makes without a badge, in the middle of an evening."""
    before = dict(room.floor.balances)
    said: list[tuple[str, Command]] = [
        (CONTROLLER, SetSensor("T1", "1", 3, True)),
        (CONTROLLER, WithdrawMessage("T1", "round.end")),
        (CONTROLLER, RecordIncident("malfunction", "T1", "no light", room.now)),
        (DESK, RecordIncident("malfunction", "desk", "no light", room.now)),
        (DESK, SignOut(SUPERVISOR)),
    ]
    for actor, command in said:
        room.do(actor, command, actor.removeprefix("device:"))
    named = {kind_of(command) for _, command in said}
    with_badge = {kind for kind, found in BY_DEVICES.items() if found.badges}
    assert named | with_badge == set(BY_DEVICES)
    assert room.floor.balances == before


def test_a_false_light_takes_no_wager(room: Room) -> None:
    """START GAME repeats what the controller's own sensors report: where that differs, nothing is taken."""
    room.do(CONTROLLER, SetSensor("T1", "1", 3, True), "controller 1")
    for told in ({"1": [2]}, {}):
        assert room.refused(DEALER, StartRound("T1", told), "controller 1") == {("sensors-differ", "sensors")}
    room.do(CONTROLLER, SetSensor("T1", "1", 3, False), "controller 1")
    assert room.do(DEALER, StartRound("T1", {"1": [2]}), "controller 1")["taken"]["1"]["seats"] == [2]


def test_a_secret_alone_works_no_controls(room: Room) -> None:
    """Neither as the device nor as the dealer without the token: no round, no seat, no hand, no raise, no deck."""
    round_ = room.do(DEALER, StartRound("T1", {"1": [2]}), "controller 1")["round"]
    tried: list[Command] = [
        DeclareSeat("T1", 3, True), SetHand(round_, 2, fold=True), SetHand(round_, 2, raised=1_000),
        DoubleDown(round_, 2, 1_000), DealRound(round_), EndRound(round_), ChangeDeck("T1", "deck B", 53),
    ]  # fmt: skip
    for command in tried:
        assert room.refused(CONTROLLER, command, "controller 1") == {("wrong-role", "actor")}
        assert room.refused(DEALER, command, "controller 1", session="guessed" * 4) == {("not-signed-in", "actor")}


def test_a_dealer_brings_no_deck_to_another_s_table(room: Room) -> None:
    room.do(DESK, SignIn(badge(OTHER_DEALER), session_of(OTHER_DEALER)), "desk")
    deck = ChangeDeck("T1", "deck B", 53)
    assert room.refused(OTHER_DEALER, deck, "desk") == {("not-the-dealer", "actor")}
    room.do(DEALER, deck, "controller 1")
