"""Sessions that are ended from elsewhere: a person's own, or somebody else's by two others.

What a session sends next is refused, also on a connection that stays open: the decision asks for the session each time.
"""

from __future__ import annotations

from houseway.errors import InputError
from houseway.manager.commands.house_answers import RevokeSessionAnswer
from houseway.manager.commands.house_commands import RevokeSession
from houseway.manager.core.engine import Decision, collect, handles, need_role
from houseway.manager.core.house_entities import Device
from houseway.manager.core.presence import is_present
from houseway.manager.core.roles import WITH_AUTHORITY
from houseway.manager.handlers.change_base import text_fault
from houseway.manager.handlers.second_people import second_person
from houseway.manager.handlers.sign_in import leave_controls, sign_out_of


@handles(RevokeSession)
def revoke_session(decision: Decision, command: RevokeSession) -> RevokeSessionAnswer:
    """End the sessions of a person at once, at one device or everywhere."""
    collect(text_fault(command.reason, "reason", "say why"))
    floor, who = decision.floor, command.person
    if who not in floor.people:
        raise InputError.of("unknown-person", "person", f"there is no {who[:60]}: name a registered person")
    second = _approving(decision, command)
    if command.device is not None and command.device not in floor.devices:
        raise InputError.of(
            "unknown-device",
            "device",
            f"there is no device {command.device[:40]}: houseway manager show sessions lists them",
        )
    devices = [
        device
        for id_, device in sorted(floor.devices.items())
        if command.device in (None, id_) and is_present(floor, device, who)
    ]
    if not devices:
        where = command.device or "any device"
        raise InputError.of("not-signed-in", "person", f"{who[:60]} has no session at {where}: nothing to end")
    tables = [_leave(decision, device, who) for device in devices]
    left = tuple(table for table in tables if table is not None)
    return RevokeSessionAnswer(
        person=who,
        devices=tuple(device.id for device in devices),
        tables_left=left,
        approved_by=second,
        next=tuple(f"{who}, or another dealer, swipes in at {table}" for table in left),
    )


def _approving(decision: Decision, command: RevokeSession) -> str | None:
    """The second person where somebody else's session ends; None where it is the actor's own."""
    if command.person == decision.actor:
        return None
    what = f"the session of {command.person[:60]} is ended"
    need_role(decision.floor.people[decision.actor], tuple(sorted(WITH_AUTHORITY)), "actor", "ending others' sessions")
    return second_person(decision, command.badge, "badge", what, command.person).id


def _leave(decision: Decision, device: Device, person: str) -> str | None:
    """End the session at one device; the table that is left, if it is a controller's."""
    if device.kind == "service":
        sign_out_of(decision, person, device.id)
        return None
    table = decision.tables[device.table or ""]
    leave_controls(decision, table)
    return table.id
