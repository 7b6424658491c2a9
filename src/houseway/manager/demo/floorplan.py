"""Setting a floor up by the same commands that a property gives: people, links, tables, papers, dealers.

Whoever plays on the floor (the demonstration, a benchmark, an endurance run) hands in how commands are sent, so that
the same floor is set up in memory, through a manager in this process, or over the wire.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from houseway.amounts import Cents
from houseway.games import game as game_of
from houseway.manager.commands import Command
from houseway.manager.commands.house_commands import (
    AddPerson,
    AttachSensor,
    ChangeDeck,
    CreateProperty,
    CreateTable,
    DealerIn,
    OpenTable,
)
from houseway.manager.commands.link_commands import CreateLink, OpenLink
from houseway.manager.core.engine import SYSTEM
from houseway.manager.core.floor import Floor
from houseway.manager.handlers.papers_in_order import papers_in_order

EXECUTIVE: Final = "Executive 1"
SUPERVISOR: Final = "Supervisor 1"
SURVEILLANCE: Final = "Surveillance 1"
ACCOUNTING: Final = "Accounting 1"
TECHNICIAN: Final = "Technician 1"
OFFICE: Final = (
    (EXECUTIVE, "management", "executive"),
    (SUPERVISOR, "pit", "supervisor"),
    (SURVEILLANCE, "surveillance", "surveillance"),
    (ACCOUNTING, "accounting", "accounting"),
    (TECHNICIAN, "engineering", "technician"),
)

Send = Callable[[str, Command], dict[str, Any]]
"""Carry a command out for an actor and return its answer."""

FLOAT: Final = Cents(1_000_000)
"""The chips that a table opens with, if a plan names no others."""


@dataclass(frozen=True)
class FloorPlan:
    """What is to be set up; `sensors` joins each table's sensors to links."""

    name: str
    links: tuple[CreateLink, ...]
    tables: tuple[CreateTable, ...]
    sensors: dict[str, dict[str, str]]
    carried: dict[str, dict[str, Cents]] = field(default_factory=dict)
    """Players' money that a link opens with beside its seed, by level."""
    float_cents: Cents = FLOAT


def dealer_of(table: str) -> str:
    """The dealer whom the floor plan puts at a table."""
    return f"Dealer {table}"


def token(person: str) -> str:
    """What a person's card holds in a demonstration; a real card holds something nobody can guess."""
    return f"card of {person}"


def set_up(
    plan: FloorPlan, send: Send, floor: Callable[[], Floor], now: int, fingerprint: Callable[[str], str]
) -> None:
    """Carry the whole plan out on an empty journal: afterwards every table is open with its dealer signed in.

    `fingerprint` turns a card's content into what the manager keeps of it.
    """
    office = [
        {"id": id_, "name": id_, "department": department, "roles": [role], "card": fingerprint(token(id_))}
        for id_, department, role in OFFICE
    ]
    send(SYSTEM, CreateProperty(plan.name, "commercial", office))
    second = fingerprint(token(ACCOUNTING))
    for link in plan.links:
        send(EXECUTIVE, link)
        send(EXECUTIVE, OpenLink(link.link, _opening(plan, link), second, "players' money of an earlier progressive"))
    for table in plan.tables:
        _open(plan, table, send, floor, now, fingerprint)


def _opening(plan: FloorPlan, link: CreateLink) -> dict[str, dict[Literal["seed", "carried"], Cents]]:
    """The opening amount of every level: its seed, and what is carried over from an earlier progressive."""
    carried = plan.carried.get(link.link, {})
    found: dict[str, dict[Literal["seed", "carried"], Cents]] = {}
    for level, parameters in link.levels.items():
        found[level] = {"seed": parameters.seed}
        if carried.get(level):
            found[level]["carried"] = carried[level]
    return found


def _open(
    plan: FloorPlan, table: CreateTable, send: Send, floor: Callable[[], Floor], now: int,
    fingerprint: Callable[[str], str],
) -> None:  # fmt: skip
    send(TECHNICIAN, table)
    for sensor, link in plan.sensors.get(table.table, {}).items():
        send(TECHNICIAN, AttachSensor(table.table, sensor, link))
    for paper in papers_in_order(floor(), floor().tables[table.table], now):
        send(EXECUTIVE, paper)
    send(EXECUTIVE, OpenTable(table.table, plan.float_cents, fingerprint(token(SUPERVISOR))))
    send(SUPERVISOR, ChangeDeck(table.table, f"deck of {table.table}", game_of(table.game).deck))
    dealer = dealer_of(table.table)
    second = fingerprint(token(SURVEILLANCE))
    send(EXECUTIVE, AddPerson(dealer, dealer, "pit", ["dealer"], fingerprint(token(dealer)), second))
    send(dealer, DealerIn(table.table, fingerprint(token(dealer))))
