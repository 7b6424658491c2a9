"""What somebody should look at now, beside the state of the manager: closed readers, doubled devices, floods.

An alert is about one thing and stands until its time is over. It is on record as well; here it is in `health`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import msgspec

from houseway.manager.core.badge_lanes import READER
from houseway.manager.core.house_entities import Device
from houseway.manager.core.records import Event

LOCKED_EVENT: Final = "system.locked"
PIN_EVENT: Final = "system.pin"
MOST: Final = 100
"""Alerts that are kept; the oldest goes."""


class _LockedReader(msgspec.Struct):
    device: str
    until: int
    lane: str


class _Body(msgspec.Struct):
    do: _LockedReader


class _TriedPin(msgspec.Struct):
    person: str
    wrong: int
    locked_until: int


class _PinBody(msgspec.Struct):
    answer: _TriedPin


class Alerts:
    """The alerts of one server."""

    def __init__(self) -> None:
        """Begin with none."""
        self._standing: dict[tuple[str, str], dict[str, Any]] = {}

    def note(self, code: str, about: str, message: str, until: int) -> bool:
        """Let an alert stand until a time in microseconds; whether it is a new one."""
        new = (code, about) not in self._standing
        self._standing.pop((code, about), None)
        self._standing[code, about] = {"code": code, "about": about, "message": message, "until": until}
        while len(self._standing) > MOST:
            del self._standing[next(iter(self._standing))]
        return new

    def locked(self, device: str, lane: str, until: int) -> None:
        """A lane of a device's reader takes no badges."""
        about, what = (device, "see who is there") if lane == READER else (f"{device}, {lane}", "see what tries them")
        self.note("badges-locked", about, f"too many wrong badges were shown at {about}: {what}", until)

    def devices(self, devices: Iterable[Device]) -> None:
        """Take over what the journal knows, at the start."""
        for device in devices:
            for lane, until in device.closed.items() if device.active else ():
                self.locked(device.id, lane, until)

    def event(self, event: Event) -> None:
        """Follow what this and other servers wrote."""
        if event.kind == LOCKED_EVENT:
            do = msgspec.json.decode(event.body, type=_Body).do
            self.locked(do.device, do.lane, do.until)
        elif event.kind == PIN_EVENT:
            tried = msgspec.json.decode(event.body, type=_PinBody).answer
            if tried.locked_until > event.at and not tried.wrong:
                message = f"too many wrong PINs were typed beside the badge of {tried.person}: ask whether it was lost"
                self.note("pin-locked", tried.person, message, tried.locked_until)

    def current(self, now: int) -> list[dict[str, Any]]:
        """The alerts that stand."""
        self._standing = {about: alert for about, alert in self._standing.items() if alert["until"] > now}
        return list(self._standing.values())
