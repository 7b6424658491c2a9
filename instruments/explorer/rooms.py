"""The room that is explored: two tables of two seats, one link with two levels, people with mixed roles, a desk.

It is set up by the manager's own commands, so every state that an exploration begins with is one that can be reached.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Final, NamedTuple

import msgspec

from houseway.amounts import Cents
from houseway.manager.commands.house_commands import (
    AddDevice,
    AttachSensor,
    ChangeDeck,
    CreateProperty,
    CreateTable,
    DealerIn,
    OpenTable,
    SignIn,
)
from houseway.manager.commands.link_commands import CreateLink, OpenLink
from houseway.manager.core.command import AnyCommand
from houseway.manager.core.engine import SYSTEM, Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.core.records import digest
from houseway.manager.handlers.papers_in_order import papers_in_order
from houseway.manager.handlers.register_list import REGISTERS
from houseway.reading.json_values import JsonObject
from instruments.explorer.books import held_for
from instruments.explorer.history import Custody, History
from instruments.explorer.states import State

START: Final = 1_767_268_800_000_000
"""January 1, 2026, noon UTC, in microseconds."""
DAY: Final = 86_400_000_000
TABLES: Final = ("T1", "T2")
CONTROLLERS: Final = {"T1": "C1", "T2": "C2"}
DESK: Final = "DESK"
OWN: Final = "OWN"
OTHER_SERVICE: Final = "OWN2"
"""Services that may be registered beside the desk."""
LINK: Final = "L1"
OTHER_LINK: Final = "L2"
PAYTABLE: Final = "6CFPGPP-3"
GAME: Final = "six-card-fortune"
SHARE: Final = "five-aces"
"""A hand that wins a whole level, more than surveillance lets pass unseen, and brings envy to the others."""
SMALL_SHARE: Final = "royal-flush"
"""A hand that wins the other level, for which a supervisor's badge is enough."""
FIXED: Final = "straight-flush"
"""A hand with a fixed pay that takes a supervisor's badge."""


class Member(NamedTuple):
    """Somebody of the staff."""

    id: str
    department: str
    roles: tuple[str, ...]


STAFF: Final = (
    Member("EX", "management", ("executive",)),
    Member("AC", "accounting", ("accounting",)),
    Member("SU", "pit", ("supervisor",)),
    Member("D1", "pit", ("dealer",)),
    Member("D2", "pit", ("dealer",)),
    Member("DS", "pit", ("dealer", "supervisor")),
    Member("VS", "surveillance", ("surveillance", "supervisor")),
    Member("TE", "engineering", ("technician",)),
    Member("AU", "accounting", ("auditor",)),
)
NEWCOMERS: Final = ("NX",)
"""People who may be registered on the way."""
EVERYBODY: Final = (*(member.id for member in STAFF), *NEWCOMERS)
FLOAT: Final = Cents(1_000_000)
LEVELS: Final = {
    "five_aces": LevelParameters(Cents(350_000), "1/3", "1/30", executive_from=Cents(350_050)),
    "royal_flush": LevelParameters(Cents(50_000), "1/7", "1/100", limit=Cents(50_030)),
}
"""Odd rates, a limit that a few wagers reach, and an executive's badge from the second wager on."""


def badge(person: str, number: int = 1) -> str:
    """The fingerprint of a person's badge."""
    return digest(f"badge {number} of {person}".encode())


def secret(device: str) -> str:
    """The fingerprint of a device's secret."""
    return digest(f"secret of {device}".encode())


def session(person: str) -> str:
    """The fingerprint of a person's session, at the desk or at the controls of a table."""
    return digest(f"session of {person}".encode())


def sent(actor: str, command: Any, device: str | None = None) -> Envelope:  # noqa: ANN401 - a command
    """A command from a device, in the session of who acts there."""
    return Envelope("", actor, command, device, None if device is None else session(actor))


def swipe(table: str, dealer: str, controller: str) -> Envelope:
    """A dealer's badge is read at a controller, which draws a session for it."""
    return sent(f"device:{controller}", DealerIn(table, badge(dealer), session(dealer)), controller)


class _FloorSetup:
    """A floor on the way to its first state; what is done here is done at the machine of the database."""

    def __init__(self) -> None:
        # The desk comes a day before everything else: its first shift is over.
        self.now = START - DAY
        self.state = State(Floor(), 0, self.now, History(Custody(EVERYBODY, {})))

    def do(self, actor: str, command: AnyCommand, device: str | None = None) -> dict[str, Any]:
        return self.send(sent(actor, command, device))

    def send(self, envelope: Envelope) -> dict[str, Any]:
        decision = replace(self.state, now=self.now).decide(envelope)
        floor, seq = self.state.after(decision)
        self.state = State(floor, seq, self.now, self.state.history)
        answer: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(decision.answer or {}))
        return answer


def open_room(*, vocabulary: str = "nexus-2", links: int = 1, **link: Any) -> State:  # noqa: ANN401 - as CreateLink takes them
    """The room with its tables open and its dealers swiped in, everybody else signed in at the desk."""
    room = _FloorSetup()
    people: list[JsonObject] = [
        {"id": m.id, "name": f"Person {m.id}", "department": m.department, "roles": list(m.roles), "badge": badge(m.id)}
        for m in STAFF
    ]
    room.do(SYSTEM, CreateProperty("Explored Card Room", "commercial", people))
    room.do("TE", AddDevice(DESK, "service", secret(DESK), badge=badge("AC")))
    room.now = START
    for id_ in (LINK, OTHER_LINK)[:links]:
        levels: dict[str, LevelParameters] = link.get("levels", LEVELS)
        options = {name: value for name, value in link.items() if name != "levels"}
        room.do("AC", CreateLink(id_, "progressive", PAYTABLE, levels, fixed_supervisor_from=Cents(5_000), **options))
        opening: dict[str, Any] = {name: {"seed": level.seed} for name, level in levels.items()}
        room.do("AC", OpenLink(id_, opening, badge("EX")))
    for table, dealer in zip(TABLES, ("D1", "D2"), strict=True):
        _open_table(room, table, dealer, vocabulary)
    for member in STAFF:
        if member.roles != ("dealer",):
            room.do(f"device:{DESK}", SignIn(badge(member.id), session(member.id)), DESK)
    return _with_history(room.state)


def _open_table(room: _FloorSetup, table: str, dealer: str, vocabulary: str) -> None:
    controller = CONTROLLERS[table]
    room.do("TE", CreateTable(table, GAME, vocabulary=vocabulary, seats=2))  # type: ignore[arg-type]
    room.do("TE", AttachSensor(table, "1", LINK))
    for paper in papers_in_order(room.state.floor, room.state.floor.tables[table], START):
        room.do("EX" if "executive" in REGISTERS[paper.register].roles else "VS", paper)
    room.do("TE", AddDevice(controller, "controller", secret(controller), table, badge("AC")))
    room.do("EX", OpenTable(table, FLOAT, badge("SU")))
    room.do("SU", ChangeDeck(table, f"deck of {table}", 53))
    room.send(swipe(table, dealer, controller))


def _with_history(state: State) -> State:
    """The state with a history that trusts all of the set-up: two people gave every badge and every device."""
    floor, bits = state.floor, {person: 1 << number for number, person in enumerate(EVERYBODY)}
    read = {(DESK, person): bits[person] for person in floor.devices[DESK].signed_in}
    read |= {
        (CONTROLLERS[table.id], table.dealer): bits[table.dealer] for table in floor.tables.values() if table.dealer
    }
    custody = Custody(
        EVERYBODY, {badge(member.id): bits[member.id] for member in STAFF}, dict.fromkeys(floor.devices, 0), read=read,
        sessions={(device, person): session(person) for device, person in read},
    )  # fmt: skip
    owed: dict[str, Fraction] = {link: held_for(floor, link) for link in floor.links}
    return State(floor, state.seq, state.now, History(custody, owed=owed))
