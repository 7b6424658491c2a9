"""The property, its people and its devices: who is who, which badge is whose, which controller stands at which table.

Nobody changes their own entry, no badge belongs to two people, and whoever gets a part in money or configuration gets
it from two people from different departments, a dealer as well, who is one of the two at a jackpot: else one person
could invent the second. Controllers and services, from which people act, are registered by two people too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec.structs import replace

from houseway.errors import Fault, InputError
from houseway.manager.commands.house_answers import (
    AddDeviceAnswer,
    AddPersonAnswer,
    ChangePersonAnswer,
    CreatePropertyAnswer,
    RetireDeviceAnswer,
)
from houseway.manager.commands.house_commands import AddDevice, AddPerson, ChangePerson, CreateProperty, RetireDevice
from houseway.manager.core import settings
from houseway.manager.core.authority import who_had_a_hand
from houseway.manager.core.confirmation import badge_counts
from houseway.manager.core.engine import SYSTEM, Decision, collect, handles
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Device, Person, Property
from houseway.manager.core.pins import open_until
from houseway.manager.core.roles import (
    APPROVING,
    BY_TWO,
    OFFICE,
    ROLES,
    SUPERVISING,
    WITH_AUTHORITY,
    Department,
    Role,
    misfit,
)
from houseway.manager.core.texts import alike
from houseway.manager.handlers.change_base import close_proposals
from houseway.manager.handlers.confirming import steps_to_confirm, unconfirmed
from houseway.manager.handlers.papers import check_id
from houseway.manager.handlers.second_people import second_person
from houseway.manager.handlers.sign_in import end_dealing, end_presence_at, sign_out_of
from houseway.reading.codes import Codes
from houseway.reading.described import as_described
from houseway.reading.faults import Faults
from houseway.reading.json_values import JsonObject

REGISTERING: Final = frozenset({*SUPERVISING, "technician"})
"""Roles that register devices, or people who may, with a second person."""
MOST_FIRST_PEOPLE: Final = 50
_PERSON: Final = Codes.only("bad-value")


class _FirstPerson(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    name: str
    department: Department
    roles: list[Role]
    badge: str


# ---------------------------------------------------------------- the property


@handles(CreateProperty)
def create_property(decision: Decision, command: CreateProperty) -> CreatePropertyAnswer:
    """Begin: the property and its first people, who between them can carry out what needs two."""
    if decision.floor.properties:
        message = "this journal has its property already: another property needs a journal of its own"
        raise InputError.of("property-exists", "", message)
    faults = Faults()
    if not command.name.strip() or len(command.name) > 200:
        faults.add("bad-value", "name", "give the property a name of 1 to 200 characters")
    people = _first_people(command.people, faults)
    faults.refuse_if_any()
    _check_first_people(people)
    decision.properties.put(Property("property", command.name, command.licence, decision.now))
    for person in people:
        decision.people.put(replace(person, pin_open_until=open_until(decision.floor, decision.now)))
    return CreatePropertyAnswer(
        property=command.name,
        people=tuple(person.id for person in people),
        next=(
            *_needed_people(people),
            "enter the approvals and papers (houseway papers enter)",
            "set up tables and links",
        ),
    )


def _first_people(listed: list[JsonObject], faults: Faults) -> list[Person]:
    """The first people, as far as they can be read."""
    if not 2 <= len(listed) <= MOST_FIRST_PEOPLE:
        faults.add("two-people", "people", f"name two people to begin with, and at most {MOST_FIRST_PEOPLE}")
        return []
    people = []
    for index, item in enumerate(listed):
        path = f"people[{index}]"
        own = Faults(_PERSON)
        read = as_described(item, _FirstPerson, path, own, "a person")
        faults.note_all(own.found())
        if read is None:
            continue
        _check_person(faults, read.id, read.name, read.roles, read.department, path)
        if not read.badge:
            faults.add("badge-needed", f"{path}.badge", "the first people need a badge each")
        roles = tuple(dict.fromkeys(read.roles))
        people.append(Person(read.id, read.name, read.department, roles, (read.badge,), issued_by=(SYSTEM,)))
    return people


def _check_person(faults: Faults, id_: str, name: str, roles: list[Role], department: str, path: str) -> None:
    """Id, name, department and roles of a person."""
    prefix = f"{path}." if path else ""
    check_id(faults, id_, f"{prefix}{'id' if path else 'person'}")
    if id_ == SYSTEM:
        faults.add("bad-id", f"{prefix}id", f"{SYSTEM} is what the manager does by itself: choose another id")
    if not name.strip() or len(name) > 200:
        faults.add("bad-value", f"{prefix}name", "give a name of 1 to 200 characters")
    if not roles:
        faults.add("bad-value", f"{prefix}roles", f"give at least one role of {', '.join(ROLES)}")
    why = misfit(roles, department)
    if why is not None:
        faults.add("role-misfit", f"{prefix}roles", why)


def _check_first_people(people: list[Person]) -> None:
    """They must be different people with different badges, of two departments, one of them an executive."""
    faults = []
    ids = [person.id for person in people]
    if any(alike(ids[:place], id_) for place, id_ in enumerate(ids)):
        faults.append(Fault("person-exists", "people", "two people have the same id, but for case and blanks"))
    if len({badge for person in people for badge in person.badges}) < len(people):
        faults.append(Fault("badge-taken", "people", "two people have the same badge: give each one of their own"))
    if not _can_approve(people):
        message = (
            "two of them, of different departments, must be supervisor, executive or accounting, and one an executive: "
            "they approve what the others propose"
        )
        faults.append(Fault("two-people", "people", message))
    collect(faults)


def _needed_people(people: list[Person]) -> list[str]:
    """Whom the property needs besides, so that it can do without any single one of its people."""
    return [
        f"register another person with authority: without {person.id} the others could register neither people nor "
        "devices, which takes a supervisor or executive, or a technician, and a second one from another department"
        for person in people
        if not _can_register([other for other in people if other.id != person.id])
    ]


def _can_register(people: list[Person]) -> bool:
    """Whether these people can register devices, or first the person who may: two from different departments."""
    first = [person for person in people if REGISTERING & set(person.roles)]
    second = [person for person in people if WITH_AUTHORITY & set(person.roles)]
    return any(one.department != other.department for one in first for other in second)


def _can_approve(people: Iterable[Person]) -> bool:
    """Whether these people can still carry out what needs two from different departments."""
    able = [person for person in people if person.active and person.badges and set(OFFICE) & set(person.roles)]
    departments = {person.department for person in able}
    return len(departments) >= 2 and any("executive" in person.roles for person in able)


# ---------------------------------------------------------------- people


@handles(AddPerson)
def add_person(decision: Decision, command: AddPerson) -> AddPersonAnswer:
    """Register a member of staff; every role but the auditor's is given by two people."""
    floor, faults = decision.floor, Faults()
    _check_person(faults, command.person, command.name, command.roles, command.department, "")
    taken = alike(floor.people, command.person)
    if taken is not None:
        message = f"{taken} is registered already: change that person, or choose another id"
        faults.add("person-exists", "person", message)
    collect(settings.found_in(faults) + _badge_faults(floor, command.badge, command.person))
    roles = tuple(dict.fromkeys(command.roles))
    second = second_of_other_department(decision, command.second_badge, roles, command.person, "given")
    badges = (command.badge,) if command.badge else ()
    issued_by = issuers(decision, second) if badges else ()
    new = Person(command.person, command.name, command.department, roles, badges, issued_by=issued_by)
    person = unconfirmed(decision, new, second)
    decision.people.put(person)
    steps = [] if badges else [f"give {command.person} a badge (houseway staff change) before the first shift"]
    return AddPersonAnswer(
        person=command.person, approved_by=second, next=(*steps, *steps_to_confirm(decision, person))
    )


@handles(ChangePerson)
def change_person(decision: Decision, command: ChangePerson) -> ChangePersonAnswer:
    """A new badge, or on and off duty; never by the person concerned."""
    floor = decision.floor
    person = floor.people.get(command.person)
    if person is None:
        raise InputError.of("unknown-person", "person", f"there is no {command.person}: register the person first")
    if person.id == decision.actor:
        raise InputError.of("own-change", "person", "nobody may change their own badges or duty: another person must")
    if command.badge is None and command.active is None and not command.reset_pin:
        message = "give a new badge, say whether the person is on duty, or have the PIN reset"
        raise InputError.of("nothing-to-change", "badge", message)
    collect(_badge_faults(floor, command.badge, person.id))
    changed = replace(
        person,
        badges=(command.badge,) if command.badge else person.badges,
        active=person.active if command.active is None else command.active,
    )
    gives_token = command.badge is not None or command.reset_pin
    if gives_token:
        # Whoever has the old badge may have set the PIN that goes with it.
        changed = replace(changed, pin=None)
    # Off duty too: whoever could send everybody home alone would stop the floor, with nobody left to call them back.
    by_two = gives_token or changed.active != person.active
    second_badge = command.second_badge if by_two else None
    second = second_of_other_department(decision, second_badge, person.roles if by_two else (), person.id, "changed")
    if command.reset_pin and second is None:
        second = second_person(decision, command.second_badge, "second_badge", "a PIN is reset", person.id).id
    if command.badge is not None:
        changed = replace(changed, issued_by=issuers(decision, second))
    if gives_token:
        changed = unconfirmed(decision, changed, second)
    able = [each for each in floor.people.values() if badge_counts(floor, each, decision.now)]
    if not changed.active and _can_approve(able) and not _can_approve(each for each in able if each.id != person.id):
        message = f"without {person.id} nobody could approve anything any more: register a successor first"
        raise InputError.of("last-approver", "active", message)
    decision.people.put(changed)
    tables: list[str] = []
    if gives_token or not changed.active:
        sign_out_of(decision, person.id)
    if command.badge is not None or not changed.active:
        what = "has a new badge" if changed.active else "is no longer on duty"
        close_proposals(decision, person.id, f"{person.id}, who proposed it, {what}: let somebody propose it again")
        tables = end_dealing(decision, person.id)
    who = f"{person.id} with the new badge, or another dealer," if changed.active else "another dealer"
    return ChangePersonAnswer(
        person=person.id,
        active=changed.active,
        approved_by=second,
        tables_left=tuple(tables),
        next=(
            *(steps_to_confirm(decision, changed) if gives_token else ()),
            *(f"{who} swipes in at {table}" for table in tables),
        ),
    )


def _badge_faults(floor: Floor, badge: str | None, person: str) -> list[Fault]:
    """A badge belongs to one person, for good."""
    if badge is None:
        return []
    if not badge:
        return [Fault("badge-needed", "badge", "the badge could not be read: swipe it again")]
    owner = floor.badges.get(badge)
    if owner is not None and owner != person:
        return [Fault("badge-taken", "badge", f"this badge belongs to {owner}: no badge belongs to two people")]
    return []


def second_of_other_department(
    decision: Decision, badge: str | None, roles: Iterable[str], concerned: str, what: str
) -> str | None:
    """The second person, from another department, where roles are given by two; None where none is needed or given.

    `what` says what is done to them: given, or changed (badge or duty).
    """
    given = sorted(BY_TWO & set(roles))
    if not given and badge is None:
        return None
    second = second_person(decision, badge, "second_badge", f"{', '.join(given) or 'a badge'} is {what}", concerned)
    _check_approver(decision, given, (decision.floor.people[decision.actor], second), concerned)
    return second.id


def issuers(decision: Decision, second: str | None) -> tuple[str, ...]:
    """Who issues a badge: the actor, and the second person where there is one."""
    return (decision.actor,) if second is None else (decision.actor, second)


def _check_approver(decision: Decision, given: list[str], two: tuple[Person, Person], concerned: str) -> None:
    """Who can approve changes is made only by one who can; else two others could make themselves an approver.

    Where the person concerned is the only one on duty, the others help out.
    """
    floor = decision.floor
    on_duty = [each for each in floor.people.values() if each.active and badge_counts(floor, each, decision.now)]
    others = [each for each in on_duty if each.id != concerned]
    able = [each for each in others if set(APPROVING) & set(each.roles)]
    if set(APPROVING) & set(given) and able and not any(each in able for each in two):
        wanted = " or ".join(sorted(APPROVING))
        message = f"{', '.join(given)} is given only with {wanted} as one of the two people: call one of them"
        raise InputError.of("wrong-role", "second_badge", message)


# ---------------------------------------------------------------- devices


@handles(AddDevice)
def add_device(decision: Decision, command: AddDevice) -> AddDeviceAnswer:
    """Register a device under its own secret; a controller for one table, and a table for one controller.

    Nobody is present at a controller that has just come: whoever deals swipes in at it.
    """
    floor, faults = decision.floor, Faults()
    check_id(faults, command.device, "device")
    taken = alike(floor.devices, command.device)
    if taken is not None:
        message = f"{taken} was registered before: a device keeps its id, choose another one"
        faults.add("device-exists", "device", message)
    if not command.secret:
        faults.add("bad-value", "secret", "a device proves itself with a secret: give one")
    elif any(device.secret == command.secret for device in floor.devices.values()):
        faults.add("secret-taken", "secret", "another device has this secret: every device has its own")
    _check_place(faults, floor, command)
    faults.refuse_if_any()
    second = registering_second(decision, command)
    by = who_had_a_hand(floor, decision.envelope, None if second is None else second.id, decision.now)
    device = Device(
        command.device, command.kind_of, command.table, command.secret, registered_by=by, registered_at=decision.now
    )
    decision.devices.put(device)
    return AddDeviceAnswer(
        device=command.device,
        table=command.table,
        approved_by=second.id if second else None,
        next=tuple(end_presence_at(decision, device)),
    )


def registering_second(decision: Decision, command: AddDevice) -> Person | None:
    """The second person, from another department, who stands for a device from which people act; None for a display."""
    if command.kind_of == "display":
        return None
    return second_person(decision, command.badge, "badge", f"a {command.kind_of} is registered")


def _check_place(faults: Faults, floor: Floor, command: AddDevice) -> None:
    """Where a device stands: a controller at a table of its own, a display anywhere, a service nowhere."""
    if command.kind_of == "controller" and command.table is None:
        faults.add("table-needed", "table", "a controller belongs to one table: name it")
    if command.kind_of == "service" and command.table is not None:
        faults.add("bad-value", "table", "a service belongs to no table: leave it out")
    if command.table is None:
        return
    if command.table not in floor.tables:
        faults.add("unknown-table", "table", f"there is no table {command.table[:40]}: set it up first")
    for device in floor.devices.values():
        both = device.kind == command.kind_of == "controller"
        if both and device.active and device.table == command.table:
            message = f"{device.id} is the controller of {command.table}: retire it first, a table has one identity"
            faults.add("controller-there", "table", message)


@handles(RetireDevice)
def retire_device(decision: Decision, command: RetireDevice) -> RetireDeviceAnswer:
    """Let a device go: it can no longer connect, nobody is present at it, and its id is not used again."""
    device = decision.floor.devices.get(command.device)
    if device is None:
        raise InputError.of("unknown-device", "device", f"there is no device {command.device[:40]}")
    if not device.active:
        raise InputError.of("device-retired", "device", f"{device.id} is retired already")
    second = retiring_second(decision, device, command)
    decision.devices.put(replace(device, active=False, signed_in={}))
    steps = (
        [f"{device.table} takes no wagers until a new controller is registered"] if device.kind == "controller" else []
    )
    if second is not None:
        steps = ["two people register another service, on the machine of the database (houseway device add)"]
    return RetireDeviceAnswer(
        device=device.id,
        approved_by=second.id if second else None,
        next=(
            *steps,
            *end_presence_at(decision, device),
        ),
    )


def retiring_second(decision: Decision, device: Device, command: RetireDevice) -> Person | None:
    """The second person with whom the last service goes; None where one person is enough.

    A stolen device must go at once. But whoever alone could take away every service would leave the others no place
    from which to bring new devices, or people who may.
    """
    others = (each for each in decision.floor.devices.values() if each.kind == "service" and each.active)
    if device.kind != "service" or any(each.id != device.id for each in others):
        return None
    what = f"{device.id} is the last service: register another first, then retire this one; or it is retired"
    return second_person(decision, command.badge, "badge", what)
