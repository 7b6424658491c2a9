"""The house by the documents: people and their badges, devices, the clock, and papers before play.

What the documents and the compliance list ask: a game only with its approval on file, and no single person who gives
authority over money.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from instruments.simulator.checker.chain import ChainEntry
from instruments.simulator.checker.errors import same
from instruments.simulator.checker.papers import LETTER_DAY, LETTER_GAMES, TITLES
from instruments.simulator.checker.rules import CLOCKS, Call, Objection, against_badge, rule
from instruments.simulator.checker.state import HOUR, SIGN_IN_HOURS, Floor, Staff

AUTHORITY: Final = ("supervisor", "executive", "surveillance", "accounting", "technician", "cage")
"""Roles over money or configuration, whose badge counts as a second person's."""
BY_TWO: Final = (*AUTHORITY, "dealer")
"""Roles that one person alone gives to nobody: a dealer too is one of the two people at a jackpot."""


# People


def _judge_property(floor: Floor, _call: Call) -> Iterator[Objection]:
    if floor.property is not None:
        yield Objection("there is a property already")


@rule("property.create")(_judge_property)
def _apply_property(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    floor.property = call["name"]
    for person in call["people"]:
        floor.people[person["id"]] = Staff(
            person["id"], person["department"], frozenset(person["roles"]), person.get("badge")
        )


def _against_taken_card(floor: Floor, call: Call) -> Iterator[Objection]:
    badge = call.get("badge")
    if badge is not None and any(who.badge == badge and who.id != call["person"] for who in floor.people.values()):
        yield Objection("the badge is another person's")


def _against_second(floor: Floor, call: Call, roles: frozenset[str], concerned: str) -> Iterator[Objection]:
    """Such roles are given by two people from two departments, neither of them the person concerned; others may be."""
    if roles & set(BY_TWO) or call.get("second_badge") is not None:
        yield from _against_other_department(floor, call, "second_badge", concerned)


def _against_other_department(
    floor: Floor, call: Call, field: str, concerned: str | None = None
) -> Iterator[Objection]:
    second, actor = floor.person_of_badge(call.get(field)), floor.people.get(call.actor)
    if second is None or actor is None:
        yield Objection("a second person's badge is needed")
    elif second.id == concerned or not second.roles & set(AUTHORITY):
        yield Objection("the second badge must be another person's with authority")
    elif second.department == actor.department:
        yield Objection("the second person must be from another department")


def _judge_add(floor: Floor, call: Call) -> Iterator[Objection]:
    if call["person"] in floor.people:
        yield Objection("there is such a person already")
    if not call["roles"]:
        yield Objection("a person needs a role", certain=False)
    yield from _against_taken_card(floor, call)
    yield from _against_second(floor, call, frozenset(call["roles"]), call["person"])


@rule("person.add", "executive", "supervisor")(_judge_add)
def _apply_add(floor: Floor, call: Call, entry: ChainEntry) -> None:
    by_two = call.get("second_badge") is not None
    floor.people[call["person"]] = Staff(
        call["person"], call["department"], frozenset(call["roles"]), call.get("badge"), by_two=by_two,
        hands=floor.hands_in(call.actor, call.device, call.get("second_badge"), entry.at),
    )  # fmt: skip


def _judge_change(floor: Floor, call: Call) -> Iterator[Objection]:
    person = floor.people.get(call["person"])
    if person is None:
        yield Objection("no such person")
        return
    if call["person"] == call.actor:
        yield Objection("nobody may change their own entry")
    if call.get("badge") is None and call.get("active") is None:
        yield Objection("nothing to change")
    yield from _against_taken_card(floor, call)
    if call.get("badge") is not None or call.get("active") not in (None, person.active):
        yield from _against_second(floor, call, person.roles, person.id)
    if call.get("active") is False:
        yield Objection("the last who can approve must stay", certain=False)
    if call.get("active") is not None and bool(call["active"]) == person.active and call.get("badge") is None:
        yield Objection("nothing to change", certain=False)


@rule("person.change", "executive", "supervisor")(_judge_change)
def _apply_change(floor: Floor, call: Call, entry: ChainEntry) -> None:
    person = floor.people[call["person"]]
    if call.get("badge") is not None:
        person.badge, person.by_two = call["badge"], call.get("second_badge") is not None
        person.has_pin = False
        person.hands |= floor.hands_in(call.actor, call.device, call.get("second_badge"), entry.at)
    if call.get("active") is not None:
        person.active = call["active"]
    left: list[str] = []
    if call.get("badge") is not None or not person.active:
        for device in floor.devices.values():
            device["signed_in"].pop(person.id, None)
        floor.close_proposals(person.id)
        left = sorted(table.id for table in floor.tables.values() if table.dealer == person.id)
    for table in left:
        floor.tables[table].dealer = None
        floor.note(f"a dealer {'got another badge' if person.active else 'went off duty'} while signed in at a table")
    same(left, entry.answer["tables_left"], f"tables at which {person.id} deals no more")


def _judge_confirm(floor: Floor, call: Call) -> Iterator[Objection]:
    person, actor = floor.people.get(call["person"]), floor.people.get(call.actor)
    if person is None or floor.bearer_of_badge(call["badge"]) is not person:
        yield Objection("the badge is not that person's")
        return
    if not person.hands:
        yield Objection("the badge counts already")
    if call.actor == person.id or call.actor in person.hands or (actor is not None and actor.hands):
        yield Objection("who had a hand in a badge confirms it")
    device = floor.devices.get(call.device or "")
    if device is not None and device["registered_by"] & person.hands:
        left = floor.first_shift(device, call.now)
        if left > -CLOCKS:
            message = "a badge is confirmed at the service of those who had a hand in it"
            yield Objection(message, certain=left > CLOCKS)


@rule("person.confirm", *AUTHORITY)(_judge_confirm)
def _apply_confirm(floor: Floor, call: Call, entry: ChainEntry) -> None:
    person = floor.people[call["person"]]
    same(person.hands, frozenset(entry.answer["issued_by"]), f"who had a hand in the badge of {person.id}")
    same(call.actor, entry.answer["confirmed_by"], "who confirmed")
    person.hands = frozenset()
    floor.note("a new badge was confirmed by a third person")


# Devices


def _judge_device(floor: Floor, call: Call) -> Iterator[Objection]:
    if call["device"] in floor.devices:
        yield Objection("there is such a device already")
    if any(each["secret"] == call["secret"] for each in floor.devices.values()):
        yield Objection("the secret is another device's")
    table = call.get("table")
    if call["kind_of"] == "controller":
        if table not in floor.tables:
            yield Objection("a controller stands at a table")
        elif any(
            each["active"] and each["kind_of"] == "controller" and each["table"] == table
            for each in floor.devices.values()
        ):
            yield Objection("the table has its controller already")
    elif table is not None:
        yield Objection("where else devices stand is not laid down", certain=False)
    if call["kind_of"] != "display":
        yield from _against_other_department(floor, call, "badge")


@rule("device.add", "technician", "executive")(_judge_device)
def _apply_device(floor: Floor, call: Call, entry: ChainEntry) -> None:
    shown = None if call["kind_of"] == "display" else call.get("badge")
    floor.devices[call["device"]] = {
        "table": call.get("table"), "active": True, "kind_of": call["kind_of"], "secret": call["secret"],
        "signed_in": {}, "registered_by": floor.hands_in(call.actor, call.device, shown, entry.at),
        "at": entry.at, "shift_over": False,
    }  # fmt: skip
    _end_presence(floor, call["device"])


def _end_presence(floor: Floor, device: str) -> None:
    """Where a controller comes or goes, nobody has shown a badge at it yet, or can any more."""
    found = floor.devices[device]
    table = floor.tables.get(found["table"] or "") if found["kind_of"] == "controller" else None
    if table is not None and table.dealer is not None:
        table.dealer = None
        floor.note("a dealer's table got another controller")


def _judge_retire_device(floor: Floor, call: Call) -> Iterator[Objection]:
    device = floor.devices.get(call["device"])
    if device is None or not device["active"]:
        yield Objection("no such device in use")
    elif device["kind_of"] == "service" and not any(
        each["active"] and each["kind_of"] == "service" for id_, each in floor.devices.items() if id_ != call["device"]
    ):
        # Else one person could leave the others no place to act from.
        yield from _against_other_department(floor, call, "badge")


@rule("device.retire", "technician", "executive")(_judge_retire_device)
def _apply_retire_device(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    floor.devices[call["device"]] |= {"active": False, "signed_in": {}}
    _end_presence(floor, call["device"])


def _judge_sign_in(floor: Floor, call: Call) -> Iterator[Objection]:
    device = floor.devices.get(call.actor.removeprefix("device:"))
    if not call.actor.startswith("device:") or (device is not None and device["kind_of"] != "service"):
        yield Objection("a service reads the badges of those who act there")
    if floor.person_of_badge(call["badge"]) is None:
        yield Objection("the badge is nobody's on duty")


@rule("person.sign-in", device=True)(_judge_sign_in)
def _apply_sign_in(floor: Floor, call: Call, entry: ChainEntry) -> None:
    person = floor.person_of_badge(call["badge"])
    assert person is not None
    floor.devices[call.actor.removeprefix("device:")]["signed_in"][person.id] = (entry.at, call["session"])
    same((person.id, sorted(person.roles)), (entry.answer["person"], sorted(entry.answer["roles"])), "who signed in")


def _judge_pin(floor: Floor, call: Call) -> Iterator[Objection]:
    if not call.actor.startswith("device:"):
        yield Objection("a PIN is set where its bearer's badge is read")
    elif floor.devices.get(call.actor.removeprefix("device:"), {}).get("kind_of") != "service":
        yield Objection("PINs are set at services")
    person = floor.bearer_of_badge(call["badge"])
    if person is None:
        yield Objection("the badge is nobody's on duty")
    elif person.has_pin:
        yield Objection("there is a PIN, which did not come along")


@rule("person.pin", device=True)(_judge_pin)
def _apply_pin(floor: Floor, call: Call, entry: ChainEntry) -> None:
    person = floor.bearer_of_badge(call["badge"])
    assert person is not None
    person.has_pin = True
    same(person.id, entry.answer["person"], "whose PIN was set")


def _left(floor: Floor, call: Call) -> list[str]:
    """The services that a sign-out is about: the one it comes from, else all where the person is."""
    here = call.actor.removeprefix("device:") if call.actor.startswith("device:") else call.device
    return [
        id_
        for id_, device in sorted(floor.devices.items())
        if call["person"] in device["signed_in"] and here in (None, id_)
    ]


def _judge_sign_out(floor: Floor, call: Call) -> Iterator[Objection]:
    if not call.actor.startswith("device:") and call.actor != call["person"]:
        yield Objection("nobody signs another person out")
    if not _left(floor, call):
        yield Objection("the person is not signed in")
    now, hours = call.now, floor.setting("sign_in_hours", call.now, SIGN_IN_HOURS)
    if any(now - floor.devices[id_]["signed_in"][call["person"]][0] >= hours * HOUR for id_ in _left(floor, call)):
        yield Objection("it had ended by itself", certain=False)


@rule("person.sign-out", device=True)(_judge_sign_out)
def _apply_sign_out(floor: Floor, call: Call, entry: ChainEntry) -> None:
    left = _left(floor, call)
    same(left, entry.answer["devices"], f"where {call['person']} was signed in")
    for device in left:
        del floor.devices[device]["signed_in"][call["person"]]


def _sessions_to_end(floor: Floor, call: Call) -> tuple[list[str], list[str]]:
    """The services and the tables where a person has a session that is to end."""
    who, at = call["person"], call.get("device")
    desks = [id_ for id_, each in sorted(floor.devices.items()) if who in each["signed_in"] and at in (None, id_)]
    tables = [
        str(each["table"])
        for id_, each in sorted(floor.devices.items())
        if each["kind_of"] == "controller" and each["active"] and at in (None, id_)
        if floor.tables[each["table"]].dealer == who and floor.tables[each["table"]].session is not None
    ]
    return desks, tables


def _judge_revoke(floor: Floor, call: Call) -> Iterator[Objection]:
    if call["person"] not in floor.people:
        yield Objection("no such person")
        return
    if not call["reason"].strip():
        yield Objection("the record must say why")
    if call.actor != call["person"]:
        if not floor.has_role(call.actor, *AUTHORITY):
            yield Objection("one of the two who end another's session has no authority")
        yield from _against_other_department(floor, call, "badge", call["person"])
    if not any(_sessions_to_end(floor, call)):
        yield Objection("there is no such session")


@rule("session.revoke")(_judge_revoke)
def _apply_revoke(floor: Floor, call: Call, entry: ChainEntry) -> None:
    desks, tables = _sessions_to_end(floor, call)
    for desk in desks:
        del floor.devices[desk]["signed_in"][call["person"]]
    for table in tables:
        floor.tables[table].dealer = floor.tables[table].session = None
    same(tables, entry.answer["tables_left"], f"tables that {call['person']} leaves")
    same(len(desks) + len(tables), len(entry.answer["devices"]), f"sessions of {call['person']} that end")


def _judge_withdraw_message(floor: Floor, call: Call) -> Iterator[Objection]:
    if not call.actor.startswith("device:"):
        yield Objection("a controller takes back its own messages")
        return
    device = floor.devices.get(call.actor.removeprefix("device:"))
    if device is not None and device["table"] != call["table"]:
        yield Objection("the controller of another table")


@rule("message.withdraw", device=True)(_judge_withdraw_message)
def _apply_withdraw_message(floor: Floor, call: Call, entry: ChainEntry) -> None:
    """Its key is used up; nothing else changes."""


# The clock


def _judge_clock(floor: Floor, call: Call) -> Iterator[Objection]:
    roles = ("executive", "supervisor", "surveillance", "accounting", "technician", "cage")
    yield from against_badge(floor, call["badge"], roles)
    yield from against_badge(floor, call["second_badge"], roles)
    if not call["reason"].strip():
        yield Objection("the record must say why")
    yield Objection("who may accept a time, and when, is the room's matter", certain=False)


@rule("system.clock")(_judge_clock)
def _apply_clock(floor: Floor, _call: Call, entry: ChainEntry) -> None:
    """The journal goes on from an earlier time: who signed in at a service by a later one signs in again."""
    for device in floor.devices.values():
        if device["kind_of"] == "service":
            device["signed_in"] = {who: each for who, each in device["signed_in"].items() if each[0] <= entry.at}
    floor.note("two people accepted the clock")


# Papers


def _judge_paper(floor: Floor, call: Call) -> Iterator[Objection]:
    if call["paper"] in floor.papers:
        yield Objection("a paper is entered once")
    if call.get("until") is not None and call["until"] <= call["since"]:
        yield Objection("a paper that ends before it begins")
    if call["register"] == "surveillance-coverage" and not floor.has_role(call.actor, "surveillance"):
        yield Objection("surveillance alone says what it sees")
    if call["register"] == "face-up-permission":
        named = call["fields"].get("games", [])
        if TITLES.get(call["subject"]) not in named:
            yield Objection("the permission does not name the game")
        if call["fields"].get("issued") == LETTER_DAY and not set(named) <= set(LETTER_GAMES):
            yield Objection("the letter does not name the game")
    yield Objection("what a register asks for is not the documents' matter", certain=False)


@rule("paper.record")(_judge_paper)
def _apply_paper(floor: Floor, call: Call, _entry: ChainEntry) -> None:
    floor.papers[call["paper"]] = dict(call.do)


def _judge_incident(_floor: Floor, call: Call) -> Iterator[Objection]:
    if call["known_at"] > call.now:
        yield Objection("it cannot be known before it happened", certain=False)
    yield Objection("which incidents there are is not the documents' matter", certain=False)


@rule("incident.record", device=True)(_judge_incident)
def _apply_incident(floor: Floor, call: Call, entry: ChainEntry) -> None:
    """A record; nothing else changes."""
