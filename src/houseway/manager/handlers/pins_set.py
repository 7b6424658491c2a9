"""PINs on record: set by the bearer of a badge, tried, and reset by two people (`person.change`)."""

from __future__ import annotations

from msgspec.structs import replace

from houseway.errors import InputError
from houseway.manager.commands.house_answers import SetPinAnswer
from houseway.manager.commands.house_commands import SetPin
from houseway.manager.commands.system_answers import PinTriedAnswer
from houseway.manager.commands.system_commands import PinTried
from houseway.manager.core import pins
from houseway.manager.core.engine import Decision, bearer_of_badge, handles
from houseway.manager.core.house_entities import PinRecord
from houseway.manager.core.roles import PRACTISING


@handles(SetPin)
def set_pin(decision: Decision, command: SetPin) -> SetPinAnswer:
    """Keep the PIN that the bearer of a badge has chosen; beside an older one only who gives that as well."""
    if not command.pin.startswith(pins.KIND):
        raise InputError.of(
            "wrong-device", "pin", "a PIN is set at a service of a running server, which keeps its hash alone"
        )
    person = bearer_of_badge(decision, command.badge)
    if PRACTISING.issuperset(person.roles):
        raise InputError.of("wrong-role", "badge", f"{person.id} is {', '.join(person.roles)}, and signs in nowhere")
    if person.pin is not None and "badge" not in decision.envelope.proved:
        raise InputError.of(
            "pin-wrong", "badge", f"{person.id} has a PIN, which goes with the badge; two people reset it"
        )
    if person.pin is None and not pins.may_set_first(decision.floor, person, decision.now):
        message = (
            "the time for setting a first PIN is over: two people open it again (houseway staff change --reset-pin)"
        )
        raise InputError.of("pin-closed", "pin", message)
    decision.people.put(replace(person, pin=PinRecord(command.pin, decision.now), pin_open_until=0))
    days = decision.floor.setting_at(pins.DAYS_SETTING, decision.now)
    return SetPinAnswer(person=person.id, until=decision.now + days * pins.DAY if isinstance(days, int) else None)


@handles(PinTried)
def pin_tried(decision: Decision, command: PinTried) -> PinTriedAnswer:
    """Count a wrong PIN, and lock it after too many; forget them after a right one."""
    person = decision.floor.people.get(command.person)
    if person is None or person.pin is None:
        raise InputError.of("unknown-person", "person", f"{command.person[:60]} has no PIN")
    after = pins.after_try(decision.floor, person.pin, right=command.right, now=decision.now)
    decision.people.put(replace(person, pin=after))
    return PinTriedAnswer(person=person.id, wrong=after.wrong, locked_until=after.locked_until)
