"""Who stands at a device: the dealer who swiped in at a table, and whoever signed in at a service with a badge.

A device proves itself with its secret, and that says nothing about the person in front of it. So the name that a
command gives as its actor counts only where that person's badge was read at the very device. That is not enough either,
since others may know the device's secret: every badge that is read, a dealer's at a controller and anybody's at a
service, begins a session with a token of its own, and a command counts only with the token of its actor's session.
Somebody at the machine of the database itself, with its keys, comes without a device and is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from hmac import compare_digest
from typing import Final, NamedTuple

from houseway.errors import InputError
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Device, SignInRecord

SIGN_IN_SETTING: Final = "sign_in_hours"
"""The property's setting: for so many hours a badge that was read at a service counts."""
SIGN_IN_HOURS: Final = 12
"""What holds where the property has entered nothing."""
HOUR: Final = 3_600_000_000
MOST_NAMED: Final = 5
"""People whom a refusal names."""


def signed_in(floor: Floor, device: Device, now: int) -> dict[str, SignInRecord]:
    """The people who are signed in at a service, since when and in which session."""
    hours = floor.number_at(SIGN_IN_SETTING, now, SIGN_IN_HOURS)
    return {person: found for person, found in device.signed_in.items() if now - found.since < hours * HOUR}


class LiveSession(NamedTuple):
    """A session that counts: whose it is, where it was begun and until when it lasts by itself."""

    person: str
    device: Device
    since: int
    until: int | None


def live_sessions(floor: Floor, now: int) -> Iterator[LiveSession]:
    """All sessions that count at a time."""
    lasts = floor.number_at(SIGN_IN_SETTING, now, SIGN_IN_HOURS) * HOUR
    for device in floor.devices.values():
        for person, found in device.signed_in.items():
            until = None if device.kind == "controller" else found.since + lasts
            if is_present(floor, device, person) and (until is None or now < until):
                yield LiveSession(person, device, found.since, until)


def is_present(floor: Floor, device: Device, person: str) -> bool:
    """Whether a person has a session at a device: signed in at a service, or dealing at a controller's table."""
    if not device.active:
        return False
    if device.kind == "controller":
        table = floor.tables.get(device.table or "")
        return person in device.signed_in and table is not None and table.dealer == person
    return person in device.signed_in


def check_presence(floor: Floor, device_id: str, actor: str, session: str | None, now: int) -> None:
    """Refuse a command whose actor has not shown a badge at the device that sends it, in the session that it names."""
    device = floor.devices.get(device_id)
    if device is None or not device.active:
        message = f"{device_id[:60]} is not registered here as a device: register it (houseway device add)"
        raise InputError.of("unknown-device", "device", message)
    if device.kind == "display":
        raise InputError.of("wrong-device", "device", f"{device.id} is a display: it may ask, not command")
    if device.kind == "controller":
        _check_dealer(floor, device, actor, session)
    else:
        _check_signed_in(floor, device, actor, session, now)


def _check_dealer(floor: Floor, device: Device, actor: str, session: str | None) -> None:
    """At a controller acts the dealer of its table, in the session that the swipe there began."""
    table = floor.tables.get(device.table or "")
    dealer = table.dealer if table else None
    if actor != dealer:
        who = f"{dealer} is" if dealer else "nobody is"
        message = (
            f"{actor[:60]} is not signed in at {device.table}, {who}: whoever deals swipes a dealer's badge first; "
            "others give their badge with the command, or act at a service"
        )
        raise InputError.of("not-signed-in", "actor", message)
    if not is_in_session(device, actor, session):
        message = (
            f"{actor[:60]} deals at {device.table}, but this command does not come from the session that a swipe at "
            f"{device.id} began: swipe the dealer's badge there again, the round in play goes on"
        )
        raise InputError.of("not-signed-in", "actor", message)


def _check_signed_in(floor: Floor, device: Device, actor: str, session: str | None, now: int) -> None:
    """At a service acts who has signed in there, in the session of that sign-in."""
    present = signed_in(floor, device, now)
    if actor not in present:
        named = sorted(present)[:MOST_NAMED]
        more = f" and {len(present) - len(named)} more" if len(present) > len(named) else ""
        who = f"{', '.join(named)}{more} only" if present else "nobody is"
        message = (
            f"{actor[:60]} is not signed in at {device.id} ({who}): sign in there by badge first "
            "(houseway staff sign-in)"
        )
        raise InputError.of("not-signed-in", "actor", message)
    if not is_in_session(device, actor, session):
        message = (
            f"{actor[:60]} is signed in at {device.id} in another session, and this command does not come from there: "
            "sign in by badge (houseway staff sign-in), which ends that one, and send the token of the session along"
        )
        raise InputError.of("not-signed-in", "actor", message)


def is_in_session(device: Device, person: str, session: str | None) -> bool:
    """Whether a command comes from the session in which a person's badge was read at a device; takes the same time
    whatever is sent.
    """
    kept = device.signed_in.get(person)
    return kept is not None and compare_digest(kept.session.encode(), (session or "").encode())
