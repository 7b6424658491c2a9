"""Events of the manager itself: start, snapshot, refused attempts, the accepted clock, archived rows.

They move no money, and but for a closed reader and missing events they change no entity; what they say is the record.
Only the manager gives them, except for the clock and a recovery, which take two people.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from houseway.errors import Fault, InputError
from houseway.manager.commands.permissions import CLOCK
from houseway.manager.commands.system_commands import (
    AttemptRefused,
    ClockAccepted,
    DeviceLocked,
    RecoveryRecorded,
    RollbackNoticed,
    RowsArchived,
    RowsRebuilt,
    ServerResumed,
    ServerStarted,
    SnapshotTaken,
)
from houseway.manager.core.engine import Decision, handles, need_role, person_of_card, refuse
from houseway.manager.core.entities import Property, Recovery, Rollback
from houseway.manager.core.floor import Floor
from houseway.manager.handlers.links import second_person

_HASH: Final = re.compile("[0-9a-f]{64}")
_LAST_EVENT: Final = 2**53
"""No journal comes so far."""
LATE: Final = 60_000_000
"""Microseconds by which the time that two people read off may differ from the manager's clock."""


@handles(ServerStarted)
def server_started(decision: Decision, command: ServerStarted) -> None:
    """A process began to serve."""
    decision.answer = {"process": command.process}


@handles(ServerResumed)
def server_resumed(decision: Decision, command: ServerResumed) -> None:
    """A process can write again."""
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
    device = decision.floor.devices.get(command.device)
    if device is None:
        raise refuse("unknown-device", "device", f"there is no device {command.device[:40]}")
    decision.devices.put(replace(device, locked_until=command.until))
    decision.answer = {"device": device.id, "until": command.until}


@handles(RowsArchived)
def rows_archived(decision: Decision, command: RowsArchived) -> None:
    """Old events lie in a file; what is left begins after them."""
    if not 0 < command.up_to < decision.context.seq:
        raise refuse("out-of-range", "up_to", f"events up to {command.up_to} cannot be archived: name an older event")
    fault = archiving_fault(decision.floor, command.by) if command.by else None
    if fault is not None:
        raise InputError([fault])
    decision.answer = {"up_to": command.up_to, "by": command.by}


def archiving_fault(floor: Floor, by: str) -> Fault | None:
    """What speaks against a person who has events archived; asked before a file is written, and for the record."""
    person = floor.people.get(by)
    if person is not None and person.active:
        return None
    return Fault("unknown-person", "by", f"{by[:60]!r} is nobody on duty here: name who has the events archived")


@handles(RowsRebuilt)
def rows_rebuilt(decision: Decision, command: RowsRebuilt) -> None:
    """Damaged rows were made again from the events; the events were right."""
    decision.answer = {"differed": sum(command.tables.values())}


@handles(RollbackNoticed)
def rollback_noticed(decision: Decision, command: RollbackNoticed) -> None:
    """A mark proves that events are missing: nothing more is accepted until two people have said which."""
    property_ = _the_property(decision)
    known = property_.rollback
    if known is None or known.seq < command.seq:
        lost = Rollback(command.seq, command.hash, command.at, command.device, decision.now)
        decision.properties.put(replace(property_, rollback=lost))
    decision.answer = {"seq": command.seq, "device": command.device}


@handles(RecoveryRecorded)
def recovery_recorded(decision: Decision, command: RecoveryRecorded) -> None:
    """Two people of different departments name the range of events that was lost; then play goes on."""
    property_ = _the_property(decision)
    second = second_person(decision, command.card, "a recovery", other_department=True, roles=CLOCK)
    if not command.reason.strip():
        raise refuse("reason-needed", "reason", "say what happened and who was told: the reason goes on record")
    if not 1 <= command.first <= min(command.last, decision.context.seq) or command.last > _LAST_EVENT:
        message = (
            f"events {command.first} to {command.last} cannot have been lost: the first is the one behind the backup's "
            f"last, at most {decision.context.seq}, and the last one is not before it"
        )
        raise refuse("out-of-range", "first", message)
    if not _HASH.fullmatch(command.hash):
        raise refuse("bad-value", "hash", "the hash of the last lost event has 64 hexadecimal digits: copy it")
    known = property_.rollback
    if known is not None and not command.first <= known.seq <= command.last:
        message = f"{known.device} has seen event {known.seq}: the range must hold it"
        raise refuse("out-of-range", "last", message)
    if known is not None and known.seq == command.last and known.hash != command.hash:
        raise refuse("bad-value", "hash", f"the hash of event {known.seq} is {known.hash}: copy it")
    by = decision.actor
    recovery = Recovery(command.first, command.last, command.hash, decision.now, by, second.id, command.reason.strip())
    decision.properties.put(replace(property_, rollback=None, recoveries=(*property_.recoveries, recovery)))
    decision.answer = {"first": command.first, "last": command.last, "recovered_by": [by, second.id]}


def _the_property(decision: Decision) -> Property:
    found: Property | None = next(iter(decision.floor.properties.values()), None)
    if found is None:
        raise refuse("no-property", "do", "this journal has no property yet")
    return found


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
