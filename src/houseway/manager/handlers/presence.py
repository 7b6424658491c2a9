"""People at a service: a card is read there, and its person may act until the sign-out or for so many hours.

Cards and duty end it too: whoever goes off duty or gets another card is signed out everywhere, and deals no more until
the new card is swiped at the table.
"""

from __future__ import annotations

from msgspec.structs import replace

from houseway.manager.commands.house import SignIn, SignOut
from houseway.manager.core.engine import Decision, handles, person_of_card, refuse
from houseway.manager.core.entities import Device, Round, SignedIn, Table
from houseway.manager.core.presence import HOUR, SIGN_IN_SETTING, signed_in
from houseway.manager.handlers import settings


@handles(SignIn)
def sign_in(decision: Decision, command: SignIn) -> None:
    """A card is read at a service: a session begins; read again, another one does and the old one ends."""
    device = decision.floor.device[decision.actor.removeprefix("device:")]
    person = person_of_card(decision, command.card)
    present = {**signed_in(decision.floor, device, decision.now), person.id: SignedIn(decision.now, command.session)}
    decision.put("device", replace(device, signed_in=present))
    hours: int = settings.value(decision.floor, SIGN_IN_SETTING, decision.now)
    decision.answer = {
        "device": device.id,
        "person": person.id,
        "department": person.department,
        "roles": list(person.roles),
        "until": decision.now + hours * HOUR,
    }


@handles(SignOut)
def sign_out(decision: Decision, command: SignOut) -> None:
    """A person leaves the service, or all of them where it is said at the machine of the database."""
    own = _own_device(decision)
    if own is None and decision.actor != command.person:
        message = f"{command.person[:60]} signs out by itself, or the service does: others take people off duty"
        raise refuse("wrong-role", "actor", message)
    at = decision.envelope.device if own is None else own.id
    left = sign_out_of(decision, command.person, at)
    if not left:
        where = at or "any service"
        raise refuse("not-signed-in", "person", f"{command.person[:60]} is not signed in at {where}: nothing to end")
    decision.answer = {"person": command.person, "devices": left}


def _own_device(decision: Decision) -> Device | None:
    """The device that acts by itself, if one does."""
    if not decision.actor.startswith("device:"):
        return None
    return decision.floor.device[decision.actor.removeprefix("device:")]


def sign_out_of(decision: Decision, person: str, at: str | None = None) -> list[str]:
    """End a person's sign-ins, all of them or the one at a device; the devices that were left."""
    left = [
        device
        for id_, device in sorted(decision.floor.device.items())
        if person in device.signed_in and at in (None, id_)
    ]
    for device in left:
        present = {id_: found for id_, found in device.signed_in.items() if id_ != person}
        decision.put("device", replace(device, signed_in=present))
    return [device.id for device in left]


def end_dealing(decision: Decision, person: str) -> list[str]:
    """Sign a dealer out of the table, a round in play there waits for a relief; the tables that were left."""
    left = [table for _, table in sorted(decision.floor.table.items()) if table.dealer == person]
    for table in left:
        keep_dealer_in_mind(decision, table)
        decision.put("table", replace(table, dealer=None))
    return [table.id for table in left]


def end_presence_at(decision: Decision, device: Device) -> list[str]:
    """Sign the dealer out of a table whose controller comes or goes: a badge that was read at another one says nothing
    about who stands at this one. What is to be done next.
    """
    table: Table | None = decision.get("table", device.table or "") if device.kind == "controller" else None
    if table is None or table.dealer is None:
        return []
    keep_dealer_in_mind(decision, table)
    decision.put("table", replace(table, dealer=None))
    return [f"{table.dealer}, or another dealer, swipes in at {table.id} (dealer.in)"]


def keep_dealer_in_mind(decision: Decision, table: Table) -> None:
    """Let the round in play remember who leaves it: whoever dealt a round is not its second person afterwards."""
    round_: Round | None = decision.get("round", table.round or "")
    if round_ is not None and table.dealer not in (None, round_.dealer, *round_.reliefs):
        decision.put("round", replace(round_, reliefs=(*round_.reliefs, table.dealer)))
