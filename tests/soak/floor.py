"""The floor of the endurance run: odd rates, near limits, several levels, both kinds of links, all kinds of tables."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from houseway.manager.commands import Envelope
from houseway.manager.commands.house_commands import AddDevice, CreateTable, DealerIn, SignIn
from houseway.manager.commands.link_commands import CreateLink
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.demo.floorplan import (
    ACCOUNTING,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    FloorPlan,
    dealer_of,
    office,
    set_up,
    token,
)
from houseway.manager.interface.opening import begin
from houseway.manager.store.keys import create_keys, load_keys
from houseway.manager.store.manager import open_manager
from houseway.manager.store.writer import Answer

SERVICE: Final = "SVC-1"
"""A device that may ask everything, and command for whoever is signed in there."""
AT_THE_SERVICE: Final = (SUPERVISOR, ACCOUNTING, SURVEILLANCE)

LINKS: Final = (
    CreateLink(
        "L1", "progressive", "6CFPGPP-2",
        {"main": LevelParameters(200_000, "1/3", "1/13", executive_from=150_000)}, fixed_supervisor_from=2_000,
    ),
    CreateLink(
        "L2", "progressive", "FPGPP-ML2",
        {
            "mega": LevelParameters(300_000, "2/7", "1/30", executive_from=200_000),
            "major": LevelParameters(100_000, "1/7"),
            "minor": LevelParameters(50_000, "1/9", "1/64"),
        },
        wager=200, fixed_supervisor_from=1_000, display_falls="at-hit",
    ),
    # Its limit is reached within the first minutes: from then on contributions go to the overflow.
    CreateLink(
        "L3", "progressive", "FPGPP-WA01", {"main": LevelParameters(50_000, "2/9", "1/100", limit=62_400)},
        shows_contributions="at-end",
    ),
    CreateLink("H1", "house", "FPGPP-WA03", prizes={"main": 400_001}),
)  # fmt: skip
CARRIED: Final = {"L1": {"main": 123_457}, "L2": {"mega": 98_765}}

KINDS: Final[tuple[dict[str, Any], ...]] = (
    {"game": "six-card-fortune", "cards": "felt", "sensors": {"1": "L1"}},
    {"game": "fortune", "cards": "felt", "sensors": {"1": "L2", "2": "L3"}},
    {"game": "fortune", "cards": "known", "sensors": {"1": "L2"}},
    {"game": "six-card-fortune", "cards": "known", "sensors": {"1": "L1"}},
    {"game": "fortune", "cards": "felt", "sensors": {"1": "H1"}},
    {"game": "fortune", "cards": "felt", "sensors": {"1": "L3"}},
)
"""Tables that speak with the manager directly, in turn."""
CONTROLS: Final[tuple[dict[str, Any], ...]] = (
    {"game": "six-card-fortune", "vocabulary": "nexus-2", "sensors": {"1": "L1"}, "devices": "unix"},
    {"game": "six-card-fortune", "vocabulary": "aquarius", "sensors": {"1": "L1"}, "devices": "stdio"},
    {"game": "fortune", "vocabulary": "nexus", "sensors": {"1": "L2"}, "devices": "tcp"},
)
"""Tables with a controller process of their own."""


@dataclass(frozen=True)
class TablePlan:
    """A table as it is played."""

    id: str
    game: str
    sensors: dict[str, str]
    cards: str = "felt"
    vocabulary: str = "nexus-2"
    devices: str | None = None
    """Where the devices of its controller are; None where there is no controller process."""


def tables(direct: int, controlled: int) -> list[TablePlan]:
    """So many tables that speak for themselves, and so many with a controller."""
    found = [TablePlan(f"T{number + 1}", **KINDS[number % len(KINDS)]) for number in range(direct)]
    return found + [TablePlan(f"K{number + 1}", **CONTROLS[number % len(CONTROLS)]) for number in range(controlled)]


def device_of(table: str) -> str:
    """The device that speaks for a table."""
    return f"C-{table}"


def secret_of(device: str) -> str:
    """The device's secret."""
    return f"secret of {device}"


def session_of(person: str) -> str:
    """The token of the session in which a person is signed in at the service: one for all that speak from there."""
    return f"drawn for the session of {person}"


def swipe_of(table: str) -> str:
    """The token that a table's controller drew when its dealer swiped in."""
    return f"drawn for the swipe at {table}"


Heard = Callable[[str, str, dict[str, Any], Answer], None]


def build(url: str, keys: Path, planned: list[TablePlan]) -> list[tuple[Envelope, Answer]]:
    """Set the floor up in this process, on an empty database; returns what was commanded and answered."""
    create_keys(keys)
    fingerprint = load_keys(keys).fingerprint
    done: list[tuple[Envelope, Answer]] = []
    plan = FloorPlan(
        "Endurance Card Room", LINKS,
        tuple(CreateTable(table.id, table.game, table.vocabulary, table.cards) for table in planned),  # type: ignore[arg-type]
        {table.id: table.sensors for table in planned}, CARRIED, float_cents=100_000_000,
    )  # fmt: skip
    with open_manager(url, keys) as manager:
        call = manager.call

        def recorded(envelope: Envelope, timeout: float | None = 60.0) -> Answer:
            done.append((envelope, call(envelope, timeout)))
            return done[-1][1]

        manager.call = recorded  # type: ignore[method-assign]

        def send(actor: str, command: Any) -> dict[str, Any]:
            return manager.call(Envelope(f"setup:{len(done) + 1}", actor, command)).answer

        set_up(plan, begin(manager, fingerprint, plan.name, "commercial", office()), time.time_ns() // 1_000)
        second = fingerprint(token(ACCOUNTING))
        for table in planned:
            device = device_of(table.id)
            send(TECHNICIAN, AddDevice(device, "controller", fingerprint(secret_of(device)), table.id, second))
            badge, session = fingerprint(token(dealer_of(table.id))), fingerprint(swipe_of(table.id))
            send(f"device:{device}", DealerIn(table.id, badge, session))
        send(TECHNICIAN, AddDevice(SERVICE, "service", fingerprint(secret_of(SERVICE)), badge=second))
        for person in AT_THE_SERVICE:
            send(f"device:{SERVICE}", SignIn(fingerprint(token(person)), fingerprint(session_of(person))))
    return done
