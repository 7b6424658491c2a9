"""Authority ends when it ends: a proposal with what its proposer was, a sign-in with the clock that it went by."""

from __future__ import annotations

from typing import Any

import pytest

from houseway.manager.commands.house_commands import ChangePerson
from houseway.manager.commands.link_commands import Approve, Propose
from houseway.manager.commands.system_commands import ClockAccepted
from houseway.manager.core.badges import LOCK_MINUTES, MINUTE
from houseway.manager.core.presence import HOUR, signed_in
from houseway.manager.store.deciding import Answer
from tests.manager.floors import ACCOUNTING, EXECUTIVE, OTHER_SUPERVISOR, SUPERVISOR, Room, badge, new_room
from tests.manager.store.acts import Put, do, people
from tests.manager.store.stores import NOON, MemoryStore

SETTING = {"change": "setting", "name": "slip_seconds", "value": 5}
AHEAD = NOON + 30 * 24 * HOUR


@pytest.fixture
def room() -> Room:
    return new_room()


def new_badge(room: Room) -> None:
    room.do(EXECUTIVE, ChangePerson(SUPERVISOR, "another badge", None, badge(ACCOUNTING)))


def off_and_on_duty(room: Room) -> None:
    for active in (False, True):
        room.do(EXECUTIVE, ChangePerson(SUPERVISOR, None, active, badge(ACCOUNTING)))


def lost_role(room: Room) -> None:
    what = {"change": "roles", "person": SUPERVISOR, "roles": ["auditor"]}
    told = room.do(OTHER_SUPERVISOR, Propose(what, "other work"))
    room.do(EXECUTIVE, Approve(told["proposal"], told["check"], badge(ACCOUNTING)))


@pytest.mark.parametrize("change", [new_badge, off_and_on_duty, lost_role])
def test_a_proposal_ends_with_what_its_proposer_was(room: Room, change: Any) -> None:
    told = room.do(SUPERVISOR, Propose(SETTING, "as agreed"))
    other = room.do(OTHER_SUPERVISOR, Propose(SETTING, "as agreed"))
    change(room)
    proposals = room.floor.proposals
    assert proposals[told["proposal"]].status == "lapsed"
    assert f"{SUPERVISOR}, who proposed it" in (proposals[told["proposal"]].lapsed_because or "")
    assert room.refused(EXECUTIVE, Approve(told["proposal"], told["check"], badge(ACCOUNTING))) == {
        ("proposal-closed", "proposal")
    }
    assert proposals[other["proposal"]].status == "open"
    room.do(EXECUTIVE, Approve(other["proposal"], other["check"], badge(ACCOUNTING)))


def test_times_of_a_clock_that_was_ahead_do_not_last() -> None:
    store = MemoryStore()
    writer = store.writer()
    records = {
        "Technician 2": {"since": AHEAD, "session": "a"},
        "Supervisor 1": {"since": NOON, "session": "b"},
    }
    locked = AHEAD + LOCK_MINUTES * MINUTE
    service = {"id": "SVC", "kind": "service", "table": None, "secret": "s", "signed_in": records}
    devices = [service | {"closed": {"reader": locked}}, service | {"id": "C1", "kind": "controller"}]
    store.clock.now = AHEAD
    (_, brought) = writer.carry_out([people(), do("devices", Put([("device", each) for each in devices]))])
    assert isinstance(brought, Answer)
    store.clock.now = now = NOON + HOUR
    accepted = ClockAccepted(now=now, reason="set right", badge="badge-1", second_badge="badge-2")
    (answer,) = writer.carry_out([do("clock", accepted)])
    assert isinstance(answer, Answer)
    floor = writer.latest.floor
    assert sorted(floor.devices["SVC"].signed_in) == ["Supervisor 1"]
    assert sorted(signed_in(floor, floor.devices["SVC"], now)) == ["Supervisor 1"]
    assert floor.devices["SVC"].closed["reader"] == answer.at + LOCK_MINUTES * MINUTE
    assert len(floor.devices["C1"].signed_in) == 2, "a dealer's session does not go by the clock"
