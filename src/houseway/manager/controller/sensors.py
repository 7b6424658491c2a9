"""The sensors of a table as its hardware reports them, and what the manager has to be told of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from houseway.errors import InputError


@dataclass
class Sensors:
    """Which wagers lie on the sensors; unknown until the hardware has reported."""

    on: set[tuple[str, int]] = field(default_factory=set)
    """Sensor and seat of every wager that lies there."""
    dark: set[tuple[str, int]] = field(default_factory=set)
    """Wagers that the manager does not take; tried again when something has changed."""
    reported: bool = False
    lost: bool = False
    """The hardware was there and is gone: nobody sees the wagers."""

    def report(self, lit: object) -> None:
        """Take a whole report, by sensor: `{"1": [2, 5]}`."""
        self.on = {(sensor, seat) for sensor, seats in _checked(lit).items() for seat in seats}
        self.reported, self.lost = True, False

    def change(self, sensor: object, seat: object, on: object) -> None:
        """Take a single change."""
        if not isinstance(sensor, str) or not isinstance(seat, int) or not isinstance(on, bool):
            message = 'a change of a sensor is {"sensor": "1", "seat": 3, "on": true}'
            raise InputError.of("bad-message", "sensor", message)
        self.on = self.on | {(sensor, seat)} if on else self.on - {(sensor, seat)}
        self.reported, self.lost = True, False

    def gone(self) -> None:
        """The hardware is gone."""
        self.on, self.dark = set(), set()
        self.lost, self.reported = self.reported or self.lost, False

    def told(self, table: str) -> dict[str, list[int]] | None:
        """The wagers by sensor as START GAME repeats them; None where no hardware reports any."""
        if self.lost:
            message = f"{table}'s sensors do not report: nobody sees the wagers; give them back and play without"
            raise InputError.of("sensors-away", "key", message)
        if not self.reported:
            return None
        lit = self.on - self.dark
        return {
            name: sorted(seat for sensor, seat in lit if sensor == name) for name in sorted({one for one, _ in lit})
        }

    def differences(self, view: dict[str, Any]) -> list[dict[str, Any]]:
        """Commands that bring the manager's sensors in step with the hardware; none while a round is in play."""
        if not self.reported or view["in_play"] or view["status"] != "open":
            return []
        known = {(sensor, seat) for sensor, seats in view["lit"].items() for seat in seats}
        base = {"kind": "sensor.set", "table": view["id"]}
        return [
            {**base, "sensor": sensor, "seat": seat, "lit": (sensor, seat) not in known}
            for sensor, seat in sorted(known ^ (self.on - self.dark))
        ]


def _checked(lit: object) -> dict[str, list[int]]:
    """A report of all sensors, if it is one."""
    if isinstance(lit, dict) and all(isinstance(name, str) for name in lit):
        lists = list(lit.values())
        if all(isinstance(seats, list) and all(type(seat) is int for seat in seats) for seats in lists):
            return lit
    raise InputError.of("bad-message", "sensors", 'a report of all sensors is {"1": [2, 5]}: seats by sensor')
