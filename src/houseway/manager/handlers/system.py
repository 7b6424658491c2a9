"""Events of the manager itself: start, snapshot, refused attempts, the accepted clock, archived rows.

They move no money, and but for a closed reader, missing events, archives and signing keys they change no entity; what
they say is the record.
Only the manager gives them, except for the clock and a recovery, which take two people.
"""

from __future__ import annotations

import re
from typing import Final

from msgspec.structs import replace

from houseway.errors import Fault, InputError
from houseway.manager.commands.permissions import CLOCK
from houseway.manager.commands.system_answers import (
    AttemptRefusedAnswer,
    ClockAcceptedAnswer,
    DeviceLockedAnswer,
    RecoveryRecordedAnswer,
    RollbackNoticedAnswer,
    RowsArchivedAnswer,
    RowsRebuiltAnswer,
    ServerResumedAnswer,
    ServerStartedAnswer,
    SnapshotTakenAnswer,
)
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
from houseway.manager.core.badge_lanes import longest_closing, with_closed
from houseway.manager.core.engine import Decision, handles, need_role, person_of_badge
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Archive, Person, Property, Recovery, Rollback, SigningKey
from houseway.manager.core.records import signing_key_id
from houseway.wording import suggestion

_HASH: Final = re.compile("[0-9a-f]{64}")
_LAST_EVENT: Final = 2**53
"""No journal comes so far."""
LATE: Final = 60_000_000
"""Microseconds by which the time that two people read off may differ from the manager's clock."""


@handles(ServerStarted)
def server_started(decision: Decision, command: ServerStarted) -> ServerStartedAnswer:
    """A process began to serve; a signing key that it announces takes the place of the one before."""
    public = command.fingerprints.get("signing-key", "")
    if _HASH.fullmatch(public):
        _announce_key(decision, public)
    return ServerStartedAnswer(process=command.process)


def _announce_key(decision: Decision, public: str) -> None:
    seq, known = decision.context.seq, decision.floor.signing_keys
    id_ = signing_key_id(bytes.fromhex(public))
    if id_ in known:
        return
    for key in list(known.values()):
        if key.replaced is None:
            decision.signing_keys.put(replace(key, replaced=seq))
    decision.signing_keys.put(SigningKey(id_, public, seq))


@handles(ServerResumed)
def server_resumed(_decision: Decision, command: ServerResumed) -> ServerResumedAnswer:
    """A process can write again."""
    return ServerResumedAnswer(process=command.process)


@handles(SnapshotTaken)
def snapshot_taken(_decision: Decision, command: SnapshotTaken) -> SnapshotTakenAnswer:
    """The state was stored under its digest."""
    return SnapshotTakenAnswer(digest=command.digest)


@handles(AttemptRefused)
def attempt_refused(_decision: Decision, command: AttemptRefused) -> AttemptRefusedAnswer:
    """Somebody tried what they may not; the refusal itself was the answer."""
    return AttemptRefusedAnswer(refused=command.kind_of)


@handles(DeviceLocked)
def device_locked(decision: Decision, command: DeviceLocked) -> DeviceLockedAnswer:
    """Too many wrong badges: a lane of the device's reader is closed for a while, and everybody can see it."""
    device = decision.floor.devices.get(command.device)
    if device is None:
        raise InputError.of("unknown-device", "device", f"there is no device {command.device[:40]}")
    closed = with_closed(device.closed, command.lane, command.until, decision.now)
    decision.devices.put(replace(device, closed=closed))
    return DeviceLockedAnswer(device=device.id, until=command.until)


@handles(RowsArchived)
def rows_archived(decision: Decision, command: RowsArchived) -> RowsArchivedAnswer:
    """Old events lie in a file; what is left begins after them."""
    seq, last = decision.context.seq, max((each.up_to for each in decision.floor.archives.values()), default=0)
    if not last < command.up_to < seq:
        message = f"events up to {command.up_to} cannot be archived: name one behind event {last}, and before this one"
        raise InputError.of("out-of-range", "up_to", message)
    fault = duty_fault(decision.floor, command.by, "has the events archived") if command.by else None
    if fault is not None:
        raise InputError([fault])
    up_to, times = command.up_to, (command.at, command.next_at)
    decision.archives.put(Archive(str(up_to), up_to, seq, command.file_digest, command.hash, *times))
    return RowsArchivedAnswer(up_to=command.up_to, by=command.by)


def duty_fault(floor: Floor, by: str, what: str) -> Fault | None:
    """What speaks against a person who does something at the machine of the database: nobody on duty has that id.

    It is asked before anything is done, and for the record.
    """
    person = floor.people.get(by)
    if person is not None and person.active:
        return None
    on_duty = [person.id for person in floor.people.values() if person.active]
    message = f"{by[:60]!r} is not on duty here: name the person who {what}; {suggestion(by[:60], on_duty)}"
    return Fault("unknown-person", "by", message)


@handles(RowsRebuilt)
def rows_rebuilt(decision: Decision, command: RowsRebuilt) -> RowsRebuiltAnswer:
    """Damaged rows were made again from the events; the events were right."""
    fault = repair_fault(decision.floor, command.by)
    if fault is not None:
        raise InputError([fault])
    return RowsRebuiltAnswer(differed=sum(command.tables.values()), by=command.by)


def repair_fault(floor: Floor, by: str) -> Fault | None:
    """What speaks against a person who has a journal repaired; one without people takes anybody's name."""
    return duty_fault(floor, by, "has the journal repaired") if floor.people else None


@handles(RollbackNoticed)
def rollback_noticed(decision: Decision, command: RollbackNoticed) -> RollbackNoticedAnswer:
    """A mark proves that events are missing: nothing more is accepted until two people have said which."""
    property_ = _the_property(decision)
    known = property_.rollback
    if known is None or known.seq < command.seq:
        lost = Rollback(command.seq, command.hash, command.at, command.device, decision.now)
        decision.properties.put(replace(property_, rollback=lost))
    return RollbackNoticedAnswer(seq=command.seq, device=command.device)


@handles(RecoveryRecorded)
def recovery_recorded(decision: Decision, command: RecoveryRecorded) -> RecoveryRecordedAnswer:
    """Two people from different departments name the range of events that was lost; then play goes on."""
    property_ = _the_property(decision)
    first, second = _two_who_sign(decision, command.badge, command.second_badge, "a recovery")
    if first.id != decision.actor:
        message = f"this badge is not {decision.actor}'s, who acts: the first of the two shows their own"
        raise InputError.of("unknown-badge", "badge", message)
    if first.department == second.department:
        message = f"{first.id} and {second.id} are both from {first.department}: a recovery needs two departments"
        raise InputError.of("same-department", "second_badge", message)
    if not command.reason.strip():
        raise InputError.of("reason-needed", "reason", "say what happened and who was told: the reason goes on record")
    if not 1 <= command.first <= min(command.last, decision.context.seq) or command.last > _LAST_EVENT:
        message = (
            f"events {command.first} to {command.last} cannot have been lost: the first is the one behind the backup's "
            f"last, at most {decision.context.seq}, and the last one is not before it"
        )
        raise InputError.of("out-of-range", "first", message)
    if not _HASH.fullmatch(command.hash):
        raise InputError.of("bad-value", "hash", "the hash of the last lost event has 64 hexadecimal digits: copy it")
    known = property_.rollback
    if known is not None and not command.first <= known.seq <= command.last:
        message = f"{known.device} has seen event {known.seq}: the range must hold it"
        raise InputError.of("out-of-range", "last", message)
    if known is not None and known.seq == command.last and known.hash != command.hash:
        raise InputError.of("bad-value", "hash", f"the hash of event {known.seq} is {known.hash}: copy it")
    by = decision.actor
    named, proved = (command.first, command.last, command.hash), command.last if known is None else known.seq
    recovery = Recovery(*named, decision.now, by, second.id, command.reason.strip(), proved)
    decision.properties.put(replace(property_, rollback=None, recoveries=(*property_.recoveries, recovery)))
    return RecoveryRecordedAnswer(
        first=command.first,
        last=command.last,
        recovered_by=(
            by,
            second.id,
        ),
    )


def _two_who_sign(decision: Decision, badge: str, second_badge: str, what: str) -> tuple[Person, Person]:
    """Both people of what only two put right; that they are two is checked before."""
    first = person_of_badge(decision, badge)
    second = person_of_badge(decision, second_badge, "second_badge")
    need_role(first, CLOCK, "badge", what)
    need_role(second, CLOCK, "second_badge", what)
    return first, second


def _the_property(decision: Decision) -> Property:
    found: Property | None = next(iter(decision.floor.properties.values()), None)
    if found is None:
        raise InputError.of("no-property", "do", "this journal has no property yet")
    return found


def _bound_times(decision: Decision) -> None:
    """Times of a clock that was ahead last no longer than they would by the right one.

    Who signed in at a service by it signs in again, and a closed reader opens after its usual time from now. A dealer's
    session at a controller ends with the dealer, not by the clock.
    """
    floor, now = decision.floor, decision.now
    for device in list(decision.floor.devices.values()):
        kept = {who: each for who, each in device.signed_in.items() if device.kind != "service" or each.since <= now}
        closed = {lane: min(until, now + longest_closing(floor, lane, now)) for lane, until in device.closed.items()}
        networks = {name: replace(each, at=min(each.at, now)) for name, each in device.networks.items()}
        changed = replace(device, signed_in=kept, closed=closed, networks=networks)
        if changed != device:
            decision.devices.put(changed)


@handles(ClockAccepted)
def clock_accepted(decision: Decision, command: ClockAccepted) -> ClockAcceptedAnswer:
    """Two people have read the time off the manager and accept that the journal goes on from there."""
    first, second = _two_who_sign(decision, command.badge, command.second_badge, "accepting the clock")
    if not command.reason.strip():
        raise InputError.of("reason-needed", "reason", "say why the clock changed: the reason goes on record")
    if abs(command.now - decision.now) > LATE:
        away = (command.now - decision.now) // 1_000_000
        message = f"the time accepted is {away:+} s off the manager's clock: read it off again and repeat"
        raise InputError.of("clock-differs", "now", message)
    was = decision.floor.last_at
    if decision.now < was:
        _bound_times(decision)
    floor = decision.floor
    return ClockAcceptedAnswer(
        now=decision.now,
        last_event_at=was,
        settings_ahead={
            name: value.since
            for name, setting in sorted(floor.settings.items())
            for value in setting.values
            if decision.now < value.since <= was
        },
        papers_ahead={
            id_: paper.since for id_, paper in sorted(floor.papers.items()) if decision.now < paper.since <= was
        },
        accepted_by=(
            first.id,
            second.id,
        ),
    )
