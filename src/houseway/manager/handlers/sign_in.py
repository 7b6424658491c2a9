"""People at devices: a badge is read at a service or at a controller, and its person may act from there until it ends.

At a service until the sign-out or for so many hours; at a controller until another dealer comes.

Cards and duty end it too: whoever goes off duty or gets another badge is signed out everywhere, and deals no more until
the new badge is swiped at the table.
"""

from __future__ import annotations

from msgspec.structs import replace

from houseway.errors import InputError
from houseway.manager.commands.house_answers import SignInAnswer, SignOutAnswer
from houseway.manager.commands.house_commands import SignIn, SignOut
from houseway.manager.core import settings
from houseway.manager.core.authority import controllers_of
from houseway.manager.core.badge_lanes import with_network
from houseway.manager.core.engine import Decision, handles, person_of_badge
from houseway.manager.core.house_entities import Device, SignInRecord
from houseway.manager.core.presence import HOUR, SIGN_IN_SETTING, signed_in
from houseway.manager.core.roles import PRACTISING, SUPERVISING
from houseway.manager.core.table_entities import Table


@handles(SignIn)
def sign_in(decision: Decision, command: SignIn) -> SignInAnswer:
    """A badge is read at a service: a session begins; read again, another one does and the old one ends."""
    device = decision.floor.devices[decision.actor.removeprefix("device:")]
    person = person_of_badge(decision, command.badge)
    if PRACTISING.issuperset(person.roles):
        message = f"{person.id} is {', '.join(person.roles)}: who practises signs in nowhere"
        raise InputError.of("wrong-role", "badge", message)
    present = {
        **signed_in(decision.floor, device, decision.now),
        person.id: SignInRecord(decision.now, command.session),
    }
    after = replace(device, signed_in=present)
    decision.devices.put(with_network(after, command.address, person.id, decision.now) if command.address else after)
    hours: int = settings.value(decision.floor, SIGN_IN_SETTING, decision.now)
    return SignInAnswer(
        device=device.id,
        person=person.id,
        department=person.department,
        roles=tuple(person.roles),
        until=decision.now + hours * HOUR,
    )


@handles(SignOut)
def sign_out(decision: Decision, command: SignOut) -> SignOutAnswer:
    """A person leaves the service, or all of them where it is said at the machine of the database."""
    own = _own_device(decision)
    if own is None and decision.actor != command.person:
        message = f"{command.person[:60]} must sign out personally, or the service does it: others take people off duty"
        raise InputError.of("wrong-role", "actor", message)
    at = decision.envelope.device if own is None else own.id
    left = sign_out_of(decision, command.person, at)
    if not left:
        where = at or "any service"
        raise InputError.of(
            "not-signed-in", "person", f"{command.person[:60]} is not signed in at {where}: nothing to end"
        )
    return SignOutAnswer(person=command.person, devices=tuple(left))


def _own_device(decision: Decision) -> Device | None:
    """The device that acts by itself, if one does."""
    if not decision.actor.startswith("device:"):
        return None
    return decision.floor.devices[decision.actor.removeprefix("device:")]


def sign_out_of(decision: Decision, person: str, at: str | None = None) -> list[str]:
    """End a person's sign-ins, all of them or the one at a service; the services that were left."""
    left = [
        device
        for id_, device in sorted(decision.floor.devices.items())
        if device.kind == "service" and person in device.signed_in and at in (None, id_)
    ]
    for device in left:
        present = {id_: found for id_, found in device.signed_in.items() if id_ != person}
        decision.devices.put(replace(device, signed_in=present))
    return [device.id for device in left]


def end_dealing(decision: Decision, person: str) -> list[str]:
    """Sign a dealer out of the table, a round in play there waits for a relief; the tables that were left."""
    left = [table for _, table in sorted(decision.floor.tables.items()) if table.dealer == person]
    for table in left:
        leave_controls(decision, table)
    return [table.id for table in left]


def end_presence_at(decision: Decision, device: Device) -> list[str]:
    """Sign the dealer out of a table whose controller comes or goes: a badge that was read at another one says nothing
    about who stands at this one. What is to be done next.
    """
    table: Table | None = decision.tables.get(device.table or "") if device.kind == "controller" else None
    if table is None or table.dealer is None:
        return []
    leave_controls(decision, table)
    return [f"{table.dealer}, or another dealer, swipes in at {table.id}"]


def leave_controls(decision: Decision, table: Table) -> Table:
    """Let the dealer leave: nobody deals there, no session at its controller counts. The table as it is then."""
    keep_dealer_in_mind(decision, table)
    empty = replace(table, dealer=None)
    decision.tables.put(empty)
    begin_session(decision, table.id, {})
    return empty


def take_controls(decision: Decision, table: Table, dealer: str, session: str | None) -> None:
    """Let a dealer take a table over; a session begins at its controller where the badge was read there."""
    keep_dealer_in_mind(decision, table)
    decision.tables.put(replace(table, dealer=dealer))
    begin_session(decision, table.id, {} if session is None else {dealer: SignInRecord(decision.now, session)})


def begin_session(decision: Decision, table: str, present: dict[str, SignInRecord]) -> None:
    """Put who is present at a table's controller in place of who was."""
    for id_, each in sorted(decision.floor.devices.items()):
        controller: Device | None = decision.devices.get(id_) if each.table == table else None
        if controller is not None and controller.kind == "controller":
            there = present if controller.active else {}
            if controller.signed_in != there:
                decision.devices.put(replace(controller, signed_in=there))


def session_of_swipe(decision: Decision, table: str, session: str | None) -> str | None:
    """The session that a dealer's swipe begins: one at the table's own controller must, one at a service must not.

    A service that could begin one would choose the token by which somebody else then acts at the controller.
    """
    device = decision.floor.devices.get(decision.envelope.device or "")
    if device is not None and device.kind == "controller":
        if session is None:
            message = "a controller draws a token for every swipe, and gives it along: the dealer's commands carry it"
            raise InputError.of("bad-message", "session", message)
    elif device is not None and session is not None:
        message = f"{device.id} is not a controller: the dealer swipes at {table}'s own, or here without a session"
        raise InputError.of("wrong-device", "session", message)
    if session is not None and not any(each.active for each in controllers_of(decision.floor, table)):
        message = f"{table} has no controller where a session could begin: leave it out"
        raise InputError.of("unknown-device", "session", message)
    return session


def is_let_in(decision: Decision, table: Table) -> bool:
    """Whether a dealer comes by a service to a table that has a controller of its own, or a round in play.

    A dealer has one table, and shows by the swipe at its controller to stand there. A badge that is read anywhere
    else shows nothing of the kind, so a second person answers for it.
    """
    device = decision.floor.devices.get(decision.envelope.device or "")
    if device is None or device.kind != "service":
        return False
    return table.round is not None or any(each.active for each in controllers_of(decision.floor, table.id))


def need_supervisor_elsewhere(decision: Decision, table: Table) -> None:
    """Refuse a dealer who takes a table over alone, from a service; a supervisor signed in there may let one in."""
    person = decision.floor.people.get(decision.actor)
    if person is not None and is_let_in(decision, table) and not set(SUPERVISING) & set(person.roles):
        message = (
            f"a dealer takes {table.id} over by a swipe at its controller; from {decision.envelope.device} "
            "a supervisor who is signed in there lets the dealer in, with the dealer's badge"
        )
        raise InputError.of("second-person", "actor", message)


def keep_dealer_in_mind(decision: Decision, table: Table) -> None:
    """Let the round in play remember who leaves it: whoever dealt a round is not its second person afterwards."""
    round_ = decision.rounds.get(table.round or "")
    if round_ is not None and table.dealer not in (None, round_.dealer, *round_.reliefs):
        decision.rounds.put(replace(round_, reliefs=(*round_.reliefs, table.dealer)))
