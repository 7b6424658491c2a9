"""The sensors of a table as its hardware reports them, and what the manager has to be told of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

import msgspec

from houseway.errors import InputError, present
from houseway.manager.commands.round_commands import SetSensor
from houseway.manager.views.table_views import TableView
from houseway.reading.codes import Codes
from houseway.reading.described import as_described
from houseway.reading.faults import Faults

_Read = TypeVar("_Read")


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

    def report(self, lit: dict[str, list[int]]) -> None:
        """Take a whole report, by sensor: `{"1": [2, 5]}`."""
        self.on = {(sensor, seat) for sensor, seats in lit.items() for seat in seats}
        self.reported, self.lost, self.without = True, False, False

    def change(self, sensor: str, seat: int, on: bool) -> None:
        """Take a single change of what was reported."""
        if not self.reported:
            # What else lies there is unknown: a change alone would let the table play on with wagers nobody has seen.
            message = f'{self.unseen or "no sensors report"}: report all wagers first, {{"sensors": {{"1": [2, 5]}}}}'
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

    def differences(self, view: TableView) -> list[SetSensor]:
        """Commands that bring the manager's sensors in step with the hardware; none while a round is in play."""
        if not self.reported or view.in_play or view.status != "open":
            return []
        known = {(sensor, seat) for sensor, seats in view.lit.items() for seat in seats}
        return [
            SetSensor(view.id, sensor, seat, lit=(sensor, seat) not in known)
            for sensor, seat in sorted(known ^ (self.on - self.dark))
        ]


class SensorChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A wager was laid on a sensor, or lifted."""

    seat: int
    on: bool
    sensor: str = "1"


def read_report(value: object) -> dict[str, list[int]]:
    """A report of all sensors, seats by sensor, as a device sends it; InputError with every fault."""
    return _read(value, dict[str, list[int]], "sensors", "a report of all sensors")


def read_change(value: object) -> SensorChange:
    """A change of one sensor as a device sends it; InputError with every fault."""
    return _read(value, SensorChange, "sensor", "a change of a sensor")


def _read(value: object, kind: type[_Read], place: str, called: str) -> _Read:
    faults = Faults(Codes.only("bad-message"))
    found = as_described(value, kind, place, faults, called)
    faults.refuse_if_any()
    return present(found, "message without faults")
