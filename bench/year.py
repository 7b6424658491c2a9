"""A year of a ten-table floor in a journal: ten million transfers, made by the manager's own decider, quickly.

Commands are decided, chained and signed as a server does it, group by group; only the waiting is left out: a clock is
set instead of passing, and many groups share a commit. Five tables have a wager on one level, five have two sensors on
progressives of three levels. Every gaming day has rounds, small and large wins, voids, corrections, fills, credits and
counts of the drop; every week has deposits.

    python -m bench.year FOLDER [--days 365] [--transfers 10000000]
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from houseway.amounts import Cents, micros
from houseway.errors import InputError
from houseway.manager.commands import Envelope
from houseway.manager.commands.house_commands import AddPerson, CountDrop, CreateTable, FillTray
from houseway.manager.commands.link_commands import CreateLink, RecordDeposit
from houseway.manager.commands.round_commands import (
    AddReference,
    CorrectWager,
    EndRound,
    HitJackpot,
    PayJackpot,
    PressHand,
    StartRound,
    VoidRound,
)
from houseway.manager.core.command import AnyCommand
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.demo.floorplan import (
    ACCOUNTING,
    EXECUTIVE,
    SUPERVISOR,
    SURVEILLANCE,
    FloorPlan,
    dealer_of,
    office,
    set_up,
    token,
)
from houseway.manager.interface.opening import begin
from houseway.manager.store import urls
from houseway.manager.store.deciding import Decider
from houseway.manager.store.keys import create_keys, load_keys
from houseway.manager.store.manager import open_manager
from houseway.manager.store.state import read_state

FIRST_DAY: Final = date(2026, 1, 1)
TRANSFERS: Final = 10_000_000
SINGLE: Final = tuple(f"T{number}" for number in range(1, 6))
DOUBLE: Final = tuple(f"T{number}" for number in range(6, 11))
A_TURN: Final = 5 * 3 + 5 * 14
"""Transfers of a turn, a round at every table."""
OPEN_SECONDS: Final = 18 * 3_600
CAGE: Final = "Cage 1"
GROUPS_A_COMMIT: Final = 200
ZONE: Final = ZoneInfo("America/Los_Angeles")


def micros_at(day: date, hour: int) -> int:
    """An hour of a day by the clocks of the property."""
    return int(datetime(day.year, day.month, day.day, hour, tzinfo=ZONE).timestamp()) * 1_000_000


def plan() -> FloorPlan:
    """Ten tables on three progressives."""
    one = {"main": LevelParameters(100_000, "1/3", "1/7", executive_from=1_000_000)}
    three = {level: LevelParameters(100_000, "1/10", "1/100") for level in ("mega", "major", "minor")}
    links = (
        CreateLink("L1", "progressive", "FPGPP-WA01", one),
        *(CreateLink(f"L{n}", "progressive", "FPGPP-ML2", three) for n in (2, 3)),
    )
    sensors = {name: {"1": "L1"} for name in SINGLE} | {name: {"1": "L2", "2": "L3"} for name in DOUBLE}
    return FloorPlan("A year", links, tuple(CreateTable(name, "fortune") for name in (*SINGLE, *DOUBLE)), sensors)


class Year:
    """The floor while it is played."""

    def __init__(self, folder: Path) -> None:
        """Set the floor up in a new database."""
        self.url, keys = f"sqlite:///{folder / 'house.db'}", folder / "keys"
        create_keys(keys)
        self.now = micros_at(FIRST_DAY, 9)
        with open_manager(self.url, keys, clock=lambda: self.now) as manager:
            room = begin(manager, load_keys(keys).fingerprint, "A year", "commercial", office())
            set_up(plan(), room, self.now)
            room.send(AddPerson(CAGE, CAGE, "cage", ["cage"], token(CAGE), token(SURVEILLANCE)), actor=EXECUTIVE)
            journal_id = manager.journal_id
        self._journal = urls.journal_at(self.url)
        self._journal.begin()
        self._keys = load_keys(keys)
        self.state = read_state(self._journal, self._keys, journal_id)
        self._decider = Decider(lambda: self.now, os.urandom, self._keys, 10_000, journal_id)
        self.sent = self.groups = self.refused = 0

    def badge(self, person: str) -> str:
        """A person's badge as the manager gets it."""
        return self._keys.fingerprint(token(person))

    def group(self, commands: Sequence[tuple[str, AnyCommand]]) -> list[dict[str, Any]]:
        """Carry commands out in one group."""
        envelopes = []
        for actor, command in commands:
            self.sent += 1
            envelopes.append(Envelope(f"year:{self.sent:09d}", actor, command))
        decided = self._decider.decide(self.state, envelopes, {})
        for result in decided.results:
            if isinstance(result, InputError):
                raise result
        self._journal.append(decided.batch)
        self.groups += 1
        if self.groups % GROUPS_A_COMMIT == 0:
            self._journal.commit()
            self._journal.begin()
        return [result.answer for result in decided.results if not isinstance(result, InputError)]

    def do(self, actor: str, command: AnyCommand) -> dict[str, Any]:
        """Carry one command out."""
        return self.group([(actor, command)])[0]

    def close(self) -> None:
        """Write what is left."""
        self._journal.commit()
        self._journal.close()

    def day(self, number: int, turns: int) -> None:
        """A gaming day."""
        day = FIRST_DAY + timedelta(days=number)
        begins = self.now = max(micros_at(day, 10), self.now + 1_000_000)
        if self._decider.turns_day(self.state):
            self._journal.append(self._decider.end_day(self.state).batch)
        if number % 7 == 0:
            self._deposit(number)
        for turn in range(turns):
            self.now = begins + OPEN_SECONDS * 1_000_000 * turn // turns
            self._turn(number, turn)
        self.now += 60_000_000
        self._count(number)

    def _turn(self, number: int, turn: int) -> None:
        """A round at every table."""
        seats = [1, 2, 3, 4, 5, 6][: 2 + (number + turn) % 5]
        starts = [(dealer_of(table), StartRound(table, {"1": seats})) for table in SINGLE]
        starts += [(dealer_of(table), StartRound(table, {"1": seats, "2": seats})) for table in DOUBLE]
        rounds = [str(answer["round"]) for answer in self.group(starts)]
        self.now += 40_000_000
        dealers = [dealer_of(table) for table in (*SINGLE, *DOUBLE)]
        table = (number + turn) % 5
        ended = set()
        if turn % 60 == 7:
            self._win(rounds[table], dealers[table], "seven-card-straight-flush" if turn == 307 else "straight-flush")
        elif turn % 120 == 11:
            self.do(dealers[table], VoidRound(rounds[table], self.badge(SUPERVISOR), "cards on the floor"))
            ended.add(rounds[table])
        elif turn % 90 == 13:
            why = "nobody sits there"
            self.do(dealers[table], CorrectWager(rounds[table], "1", 1, False, why, self.badge(SUPERVISOR)))
        elif turn % 40 == 17:
            full = self.state.engine.floor.held(f"tray/{SINGLE[table]}") > micros(Cents(1_000_000))
            fill = FillTray(SINGLE[table], "credit" if full else "fill", 50_000, self.badge(CAGE))
            self.do(SUPERVISOR, fill)
        self.group(
            [(dealer, EndRound(round_)) for dealer, round_ in zip(dealers, rounds, strict=True) if round_ not in ended]
        )

    def _win(self, round_: str, dealer: str, hand: str) -> None:
        self.do(dealer, PressHand(round_, 2, hand))
        self.do(dealer, HitJackpot(round_))
        floor = self.state.engine.floor
        for award in [floor.awards[id_] for id_ in floor.rounds[round_].awards]:
            if award.status != "paid":
                if award.cents > 3_000_00:
                    seen = AddReference(round_, award.id, award.hand, award.cents, "camera 4")
                    self.do(SURVEILLANCE, seen)
                self.do(dealer, PayJackpot(award.id, self.badge(EXECUTIVE)))

    def _count(self, number: int) -> None:
        for table in (*SINGLE, *DOUBLE):
            held = int(self.state.engine.floor.held(f"drop/{table}")) // 10_000
            self.do(ACCOUNTING, CountDrop(table, held + (number % 3) * 100, self.badge(CAGE)))

    def _deposit(self, number: int) -> None:
        for link in ("L1", "L2", "L3"):
            self.do(ACCOUNTING, RecordDeposit(link, 5_000_000, f"week {number // 7} of {link}", self.badge(EXECUTIVE)))


def make_year(folder: Path, days: int = 365, transfers: int = TRANSFERS) -> str:
    """Make the database in a folder; returns its URL."""
    folder.mkdir(parents=True, exist_ok=True)
    year, turns = Year(folder), max(1, round(transfers / A_TURN / days))
    begun, worked = time.perf_counter(), time.process_time()
    for number in range(days):
        year.day(number, turns)
        if number % 10 == 9:
            spent, cpu = time.perf_counter() - begun, time.process_time() - worked
            print(f"day {number + 1} of {days}: {spent:,.0f} s, processor {cpu:,.0f} s", file=sys.stderr, flush=True)
    year.close()
    return year.url


def run() -> None:
    """Make a year of the floor in a folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--transfers", type=int, default=TRANSFERS)
    chosen = parser.parse_args()
    print(make_year(chosen.folder, chosen.days, chosen.transfers))


if __name__ == "__main__":
    run()
