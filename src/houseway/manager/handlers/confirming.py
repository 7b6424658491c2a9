"""Confirming people: a third person sees the bearer show a new badge, and from then on it counts."""

from __future__ import annotations

from msgspec.structs import replace

from houseway.errors import InputError
from houseway.manager.commands.house_answers import ConfirmPersonAnswer
from houseway.manager.commands.house_commands import ConfirmPerson
from houseway.manager.core.authority import in_first_shift, who_had_a_hand
from houseway.manager.core.confirmation import how, is_third, needs_confirmation
from houseway.manager.core.engine import Decision, bearer_of_badge, handles
from houseway.manager.core.house_entities import Person
from houseway.manager.core.pins import open_until


@handles(ConfirmPerson)
def confirm_person(decision: Decision, command: ConfirmPerson) -> ConfirmPersonAnswer:
    """Let a badge count that a third person has seen its bearer show."""
    floor = decision.floor
    person = floor.people.get(command.person)
    if person is None:
        raise InputError.of("unknown-person", "person", f"there is no {command.person[:60]}: register the person first")
    if bearer_of_badge(decision, command.badge).id != person.id:
        raise InputError.of("unknown-badge", "badge", f"this badge is not {person.id}'s: the bearer shows their own")
    if not person.unconfirmed:
        raise InputError.of("nothing-to-change", "person", f"{person.id} is confirmed: the badge counts already")
    if not is_third(floor.people[decision.actor], person):
        message = f"{decision.actor} cannot confirm {person.id}: {how(floor, person)}"
        raise InputError.of("second-person", "actor", message)
    _refuse_own_device(decision, person)
    decision.people.put(replace(person, unconfirmed=(), confirmed_by=decision.actor))
    return ConfirmPersonAnswer(person=person.id, issued_by=person.unconfirmed, confirmed_by=decision.actor)


def _refuse_own_device(decision: Decision, person: Person) -> None:
    """Nobody is confirmed at a device that one of those who issued the badge registered: it could speak for the third
    person.
    """
    device = decision.floor.devices.get(decision.envelope.device or "")
    if device is None or not in_first_shift(decision.floor, device, decision.now):
        return
    both = [each for each in device.registered_by if each in person.unconfirmed]
    if both:
        message = (
            f"{' and '.join(both)} had a hand in {person.id}'s badge and took part in registering {device.id}: confirm "
            f"{person.id} elsewhere, or when the first shift of {device.id} is over"
        )
        raise InputError.of("own-device", "actor", message)


def unconfirmed(decision: Decision, person: Person, second: str | None) -> Person:
    """A person whose badge or PIN somebody had a hand in: it counts again once a third person has confirmed it."""
    hands = who_had_a_hand(decision.floor, decision.envelope, second, decision.now)
    both = tuple(dict.fromkeys((*person.unconfirmed, *hands)))
    return replace(
        person,
        unconfirmed=both,
        confirmed_by=None,
        issued_at=decision.now,
        pin_open_until=open_until(decision.floor, decision.now) if person.badges else 0,
    )


def steps_to_confirm(decision: Decision, person: Person) -> list[str]:
    """What is to be done before a new badge counts."""
    if not person.badges or not needs_confirmation(person):
        return []
    return [f"{person.id}'s badge counts once it is confirmed: {how(decision.floor, person)}"]
