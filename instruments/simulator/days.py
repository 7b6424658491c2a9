"""Gaming days of a ten-table floor, one after the other, from a seed: a stretch of time with everything in it.

The room opens in the afternoon of every day and plays into the night, past the hour at which clocks change. Beside what
its people do by themselves, every day has a count of the drop, deposits that keep the progressives playing, and a fill
or a credit; some days have a malfunction.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final
from zoneinfo import ZoneInfo

from instruments.simulator.agents import Agent
from instruments.simulator.network import SECOND
from instruments.simulator.plan import Plan, badge, large_plan
from instruments.simulator.runner import Simulation

TABLES: Final = 10
ZONE: Final = ZoneInfo("America/Los_Angeles")
OPENS: Final = 15
"""The hour at which a day begins to be played, by the clocks of the property."""
CENTS: Final = 10_000


def moment(day: date, hour: int) -> int:
    """An hour of a day by the clocks of the property, in microseconds."""
    return int(datetime(day.year, day.month, day.day, hour, tzinfo=ZONE).timestamp()) * 10**6


@dataclass
class FloorDays(Simulation):
    """A floor that plays for some gaming days, `steps` turns in each."""

    first: date = date(2026, 10, 15)
    days: int = 31

    def __post_init__(self) -> None:
        """Begin an hour before the first day is played."""
        self.start = moment(self.first, OPENS - 1)
        super().__post_init__()

    def planned(self) -> Plan:
        """Ten tables."""
        return large_plan(self.rng, TABLES)

    def play(self) -> None:
        """Play the days, and let everything in flight arrive."""
        for number in range(self.days):
            day = self.first + timedelta(days=number)
            self.now = max(self.now, moment(day, OPENS))
            self._office_hours(number)
            for step in range(self.steps):
                self.step = number * self.steps + step + 1
                self.pass_time()
                agent: Agent = self.office if self.rng.random() < 0.2 else self.rng.choice(self.tables)
                agent.act(self.now)
                self._deliver()
            self._count()
        for _ in range(40):
            self.now += 5 * SECOND
            self._deliver()
            if self.wires.next_arrival is None:
                break

    def pass_time(self) -> None:
        """Mostly moments, now and then a pause: a day of some hundred turns lasts half a day."""
        self.now += self.rng.choice((400_000, SECOND, 2 * SECOND, 9 * SECOND))
        if self.rng.random() < 0.3:
            self.now += self.rng.randrange(60, 20 * 60) * SECOND

    def _office_hours(self, number: int) -> None:
        """What a room does every day, whatever else happens."""
        floor = self.writers[0].engine.floor
        for id_, link in sorted(floor.links.items()):
            if link.kind == "progressive" and link.status != "retired":
                deposit = {"link": id_, "cents": 1_000_000, "paper": f"day {number} of {id_}", "badge": badge("EX1")}
                self._try("AC1", {"kind": "link.deposit", **deposit})
        table = f"T{number % TABLES + 1}"
        fill = {"table": table, "direction": "fill", "cents": 20_000 + number, "badge": badge("CA1")}
        self._try("SU1", {"kind": "tray.fill", **fill})
        if number % 7 == 2:
            broken = {"code": "meter-wrong", "device": table, "text": "the sign is off", "known_at": self.now}
            self._try("TE1", {"kind": "incident.record", **broken})

    def _count(self) -> None:
        floor = self.writers[0].engine.floor
        for table in sorted(floor.tables):
            cents = int(floor.held(f"drop/{table}")) // CENTS + self.rng.choice((0, 0, 0, 100))
            self._try("AC1", {"kind": "drop.count", "table": table, "cents": cents, "badge": badge("CA1")})

    def _try(self, actor: str, do: dict[str, Any]) -> None:
        """Let somebody do something at the machine of the database; whether it may be done the checker says too."""
        self.carry_out(0, [self.message("day", actor, do)])
