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
    """The hardware has told all wagers since the controller was started, or since it was gone."""
    lost: bool = False
    """The hardware was there and is gone: nobody sees the wagers."""
    without: bool = False
    """There is no hardware: START GAME has told the wagers itself."""

    @property
    def unseen(self) -> str:
        """Why nobody sees the wagers; empty if somebody does."""
        if self.reported or self.without:
            return ""
        return "the sensors do not report" if self.lost else "the sensors have not reported yet"

    def report(self, lit: object) -> None:
        """Take a whole report, by sensor: `{"1": [2, 5]}`."""
        self.on = {(sensor, seat) for sensor, seats in _checked(lit).items() for seat in seats}
        self.reported, self.lost, self.without = True, False, False

    def change(self, sensor: object, seat: object, on: object) -> None:
        """Take a single change of what was reported."""
        if not isinstance(sensor, str) or not isinstance(seat, int) or not isinstance(on, bool):
            message = 'a change of a sensor is {"sensor": "1", "seat": 3, "on": true}'
            raise InputError.of("bad-message", "sensor", message)
        if not self.reported:
            # What else lies there is unknown: a change alone would let the table play on with wagers nobody has seen.
            message = f'{self.unseen or "no sensors report"}: tell all wagers first, {{"sensors": {{"1": [2, 5]}}}}'
            raise InputError.of("sensors-away", "sensor", message)
        self.on = self.on | {(sensor, seat)} if on else self.on - {(sensor, seat)}

    def gone(self) -> None:
        """The hardware is gone."""
        self.on, self.dark = set(), set()
        self.lost, self.reported = self.reported or self.lost, False

    def told_by_start(self) -> None:
        """START GAME has told the wagers itself: so it goes on at a table whose sensors never were there."""
        self.without = not self.reported and not self.lost

    def told(self, table: str) -> dict[str, list[int]]:
        """The wagers by sensor as START GAME repeats them; refused while nobody sees them."""
        if not self.reported:
            why = "do not report" if self.lost else "have not reported yet"
            message = f"{table}'s sensors {why}, so nobody sees the wagers: wait until they have reported all of them"
            raise InputError.of("sensors-away", "key", message)
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
