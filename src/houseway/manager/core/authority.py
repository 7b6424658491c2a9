"""Who may give a command at all, and whose badge goes with it: checked for every command before its handler runs.

`AUTHORITY` says it for each command, once; what is not in it nobody may. Handlers add what depends on the state: who
deals the round, which role an amount asks for. That a second person is a second person does not depend on anything, so
no handler asks for it: `check_second_people` does, for every badge that the table calls a second person's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from houseway.errors import InputError
from houseway.manager.core.command import AnyCommand, kind_of
from houseway.manager.core.confirmation import check_badge_counts
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Device, Person
from houseway.manager.core.presence import HOUR, SIGN_IN_HOURS, SIGN_IN_SETTING, check_presence

if TYPE_CHECKING:
    from houseway.manager.core.engine import Envelope

SYSTEM: Final = "system"
"""The actor of what the manager does by itself: start, snapshot, self-check."""
BADGE_FIELDS: Final = frozenset({"badge", "second_badge"})
"""Fields of commands that hold the fingerprint of somebody's badge."""

BadgeUse = Literal["second", "first", "own", "new", "confirmed"]
"""What a badge in a command stands for: a second person beside who acts; the first of two who sign, who may be the
actor; whoever comes by it, and so becomes present; a badge that is handed to somebody; or one that its bearer shows to
who acts, and that counts from then on."""


@dataclass(frozen=True)
class Authority:
    """Who may give one command."""

    roles: frozenset[str] = frozenset()
    """Roles of which a person needs one."""
    devices: frozenset[str] = frozenset()
    """Kinds of devices that may say it by themselves (`device:ID`), for what no person does."""
    manager: bool = False
    """Whether the manager itself may."""
    badges: Mapping[str, BadgeUse] = field(default_factory=dict)
    """Every field with a badge, and what it stands for."""
    beside: Literal["actor", "proposer"] = "actor"
    """Whom the second person must be another one than: who acts, or who proposed what is approved."""
    of_round: bool = False
    """Whether it decides something about a round or its awards, at whatever device."""
    of_house: bool = False
    """Whether it makes a person, a device, a change or a payment of the office: it rests on the service where it is
    done."""
    actor_is_second: bool = False
    """Whether who acts is the second person to what others did before, as surveillance is."""

    always: bool = False
    """Whether it is taken also while events are known to be missing, as by those who put that right."""

    @property
    def is_for_manager_only(self) -> bool:
        """Whether neither a person nor a device may ever give it."""
        return not self.roles and not self.devices


AUTHORITY: Final[dict[type[AnyCommand], Authority]] = {}
"""The table, by command (`houseway.manager.commands.permissions` fills it in)."""


def refuse_manager_only(command: AnyCommand, authority: Authority) -> None:
    """Refuse from anybody what only the manager itself does and records."""
    if authority.is_for_manager_only:
        message = f"{kind_of(command)} is done and recorded by the manager itself: nobody can send it"
        raise InputError.of("wrong-role", "actor", message)


# ---------------------------------------------------------------- who acts


def check_actor(floor: Floor, envelope: Envelope, authority: Authority, now: int) -> None:
    """Refuse a command whose actor is unknown, has shown no badge at its device, or may not ask for it."""
    actor = envelope.actor
    if actor == SYSTEM:
        if authority.manager and envelope.device is None:
            return
        raise InputError.of("wrong-role", "actor", "a person must do this: name who acts")
    refuse_manager_only(envelope.do, authority)
    if actor.startswith("device:"):
        _check_device(floor, envelope, authority)
        return
    person = floor.people.get(actor)
    if person is None or not person.active:
        raise InputError.of("unknown-person", "actor", f"{actor} is not on duty here: name a registered person")
    if envelope.device is not None:
        check_presence(floor, envelope.device, actor, envelope.session, now)
    check_badge_counts(floor, person, "actor", now)
    if not authority.roles:
        wanted = " or a ".join(sorted(authority.devices))
        message = f"only a {wanted} sends {kind_of(envelope.do)}, as device:ID: no person does"
        raise InputError.of("wrong-role", "actor", message)
    if authority.roles.isdisjoint(person.roles):
        need_role(person, tuple(sorted(authority.roles)), "actor", kind_of(envelope.do))


def _check_device(floor: Floor, envelope: Envelope, authority: Authority) -> None:
    """A device speaks only for itself, and says only what its kind may."""
    actor = envelope.actor
    if envelope.device is not None and actor != f"device:{envelope.device}":
        message = f"{envelope.device} cannot act as {actor[:60]}: only as itself"
        raise InputError.of("wrong-device", "actor", message)
    device = floor.devices.get(actor.removeprefix("device:"))
    if device is None or not device.active or not authority.devices:
        raise InputError.of("wrong-role", "actor", f"{actor} may not do this: a person must, named by id")
    if device.kind not in authority.devices:
        wanted = " or a ".join(sorted(authority.devices))
        message = f"{device.id} is a {device.kind}: only a {wanted} sends {kind_of(envelope.do)}"
        raise InputError.of("wrong-device", "actor", message)


def need_role(person: Person, roles: tuple[str, ...], path: str, what: str) -> None:
    """Refuse unless the person has one of the roles."""
    if not set(person.roles) & set(roles):
        wanted = " or ".join(roles)
        raise InputError.of("wrong-role", path, f"{what} needs {wanted}; {person.id} is {', '.join(person.roles)}")


# ---------------------------------------------------------------- the second person


def check_second_people(floor: Floor, envelope: Envelope, authority: Authority, now: int) -> None:
    """Refuse a command whose second badge is not a second person's.

    A badge that is nobody's is the handler's matter: it knows whether one is needed at all.
    """
    seconds = [
        (name, person)
        for name, use in authority.badges.items()
        if use == "second" and (person := _holder(floor, getattr(envelope.do, name))) is not None
    ]
    if not seconds and not authority.actor_is_second:
        return
    first, vouching = _first_people(floor, envelope, authority), _vouching(floor, envelope, authority, now)
    if authority.actor_is_second:
        refuse_registrar(floor.people[envelope.actor], vouching, "actor")
    for name, person in seconds:
        refuse_own_badge(person, first, name)
        refuse_registrar(person, vouching, name)


def _first_people(floor: Floor, envelope: Envelope, authority: Authority) -> frozenset[str]:
    """Those beside whom the second person is asked for."""
    do = envelope.do
    if authority.beside == "proposer":
        proposal = floor.proposals.get(getattr(do, "proposal", ""))
        return frozenset() if proposal is None else frozenset({proposal.by})
    signed = [_holder(floor, getattr(do, name)) for name, use in authority.badges.items() if use == "first"]
    return frozenset({envelope.actor, *(person.id for person in signed if person is not None)})


def _holder(floor: Floor, badge: str | None) -> Person | None:
    return None if badge is None else floor.people.get(floor.badges.get(badge, ""))


def refuse_own_badge(person: Person, first: frozenset[str], path: str) -> None:
    """Nobody is their own second person, by any command."""
    if person.id in first:
        message = f"this badge is {person.id}'s own, who is the first person here: a second person's is needed"
        raise InputError.of("second-person", path, message)


# ---------------------------------------------------------------- who registered the device


def _vouching(floor: Floor, envelope: Envelope, authority: Authority, now: int) -> list[Device]:
    """The devices in their first shift on whose word it rests that the first person is there: the one that sends, the
    table's controllers, the one where the change was proposed.

    Controllers that were retired count too: what one of them has said, a pressed button or a hit, is still there. A
    service does not vouch for somebody who opens, fills, counts or closes a table: the two are at the chips.
    """
    sender = floor.devices.get(envelope.device or "")
    found = [] if sender is None else [sender]
    if authority.of_round:
        found += controllers_of(floor, table_of(envelope.do))
    elif not authority.of_house:
        found = [each for each in found if each.kind == "controller"]
    new = [each for each in found if in_first_shift(floor, each, now)]
    proposal = floor.proposals.get(getattr(envelope.do, "proposal", "")) if authority.beside == "proposer" else None
    there = None if proposal is None else floor.devices.get(proposal.device or "")
    if proposal is not None and there is not None and in_first_shift(floor, there, proposal.made_at):
        new.append(there)
    return new


def controllers_of(floor: Floor, table: str | None) -> list[Device]:
    """The controllers that stand at a table or have stood there."""
    return [each for each in floor.devices.values() if each.table == table and each.kind == "controller"]


def table_of(command: object) -> str | None:
    """The table that a command is about, by its own word or by the id of its round or award; None where it has none.

    A round is T1-7, an award of it T1-7/2: the ids say whose they are, also when the round is over.
    """
    table = getattr(command, "table", None)
    round_id = getattr(command, "round", None) or getattr(command, "award", "").partition("/")[0]
    return str(table) if table is not None else round_id.rpartition("-")[0] or None


def refuse_registrar(person: Person, devices: Iterable[Device], path: str) -> None:
    """Who took part in registering a device cannot be the second person to what rests on its word, in its first shift.

    Whoever knows its secret, or has set it up, could let it speak for the first person, and be both.
    """
    for device in devices:
        if person.id in device.registered_by:
            until = "the table is closed and counted" if device.kind == "controller" else "its first shift is over"
            message = (
                f"{person.id} took part in registering {device.id}: another person's badge is needed until {until}"
            )
            raise InputError.of("own-device", path, message)


def who_had_a_hand(floor: Floor, envelope: Envelope, second: str | None, now: int) -> tuple[str, ...]:
    """Who may have made what a command makes: who acts, the second person, and who could let the device speak."""
    sender = floor.devices.get(envelope.device or "")
    behind = sender.registered_by if sender is not None and in_first_shift(floor, sender, now) else ()
    return tuple(dict.fromkeys(each for each in (envelope.actor, second, *behind) if each is not None))


def in_first_shift(floor: Floor, device: Device, now: int) -> bool:
    """Whether a device is in the shift of its registration.

    A controller until its table is closed and counted, which two people do; a service for as long as a sign-in lasts.
    """
    if device.kind == "controller":
        return not device.shift_over
    return now - device.registered_at < floor.number_at(SIGN_IN_SETTING, now, SIGN_IN_HOURS) * HOUR


# ---------------------------------------------------------------- who issued the badge


def is_issued_by_two(person: Person) -> bool:
    """Whether a badge may carry a role with authority: two people issued it, or it came with the journal."""
    return SYSTEM in person.issued_by or len(set(person.issued_by)) > 1
