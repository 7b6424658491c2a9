"""Events of the manager itself: start, snapshot, refused attempts, the accepted clock, archived rows.

They move no money, and but for a closed reader they change no entity; what they say is the record. Only the manager
gives them, except for the clock, which two people accept together.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from houseway.manager.commands.authority import CLOCK
from houseway.manager.commands.system import (
    AttemptRefused,
    ClockAccepted,
    DeviceLocked,
    RowsArchived,
    RowsRebuilt,
    ServerStarted,
    SnapshotTaken,
)
from houseway.manager.core.engine import Decision, handles, need_role, person_of_card, refuse

LATE: Final = 60_000_000
"""Microseconds by which the time that two people read off may differ from the manager's clock."""


@handles(ServerStarted)
def server_started(decision: Decision, command: ServerStarted) -> None:
    """A process began to serve."""
    decision.answer = {"process": command.process}


@handles(SnapshotTaken)
def snapshot_taken(decision: Decision, command: SnapshotTaken) -> None:
    """The state was stored under its digest."""
    decision.answer = {"digest": command.digest}


@handles(AttemptRefused)
def attempt_refused(decision: Decision, command: AttemptRefused) -> None:
    """Somebody tried what they may not; the refusal itself was the answer."""
    decision.answer = {"refused": command.kind_of}


@handles(DeviceLocked)
def device_locked(decision: Decision, command: DeviceLocked) -> None:
    """Too many wrong badges: the device's reader is closed for a while, and everybody can see it."""
    device = decision.floor.device.get(command.device)
    if device is None:
        raise refuse("unknown-device", "device", f"there is no device {command.device[:40]}")
    decision.put("device", replace(device, locked_until=command.until))
    decision.answer = {"device": device.id, "until": command.until}


@handles(RowsArchived)
def rows_archived(decision: Decision, command: RowsArchived) -> None:
    """Old events lie in a file; what is left begins after them."""
    if not 0 < command.up_to < decision.context.seq:
        raise refuse("out-of-range", "up_to", f"events up to {command.up_to} cannot be archived: name an older event")
    person = decision.floor.person.get(command.by)
    if command.by and (person is None or not person.active):
        raise refuse("unknown-person", "by", f"{command.by!r} is nobody on duty here: name who has the events archived")
    decision.answer = {"up_to": command.up_to, "by": command.by}


@handles(RowsRebuilt)
def rows_rebuilt(decision: Decision, command: RowsRebuilt) -> None:
    """Damaged rows were made anew from the events; the events were right."""
    decision.answer = {"differed": sum(command.tables.values())}


@handles(ClockAccepted)
def clock_accepted(decision: Decision, command: ClockAccepted) -> None:
    """Two people have read the time off the manager and accept that the journal goes on from there."""
    first = person_of_card(decision, command.card)
    second = person_of_card(decision, command.second_card, "second_card")
    need_role(first, CLOCK, "card", "accepting the clock")
    need_role(second, CLOCK, "second_card", "accepting the clock")
    if not command.reason.strip():
        raise refuse("reason-needed", "reason", "say why the clock changed: the reason goes on record")
    if abs(command.now - decision.now) > LATE:
        away = (command.now - decision.now) // 1_000_000
        message = f"the time accepted is {away:+} s off the manager's clock: read it off again and repeat"
        raise refuse("clock-differs", "now", message)
    was = decision.floor.last_at
    decision.answer = {"now": decision.now, "last_event_at": was, "accepted_by": [first.id, second.id]}
