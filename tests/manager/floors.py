"""A small property for tests: people with badges, papers in order, tables and links, driven through the real engine.

Every accepted command is also written as an event and read back by a second engine, so that each test checks by the way
that the state is what the journal says, that books balance, and that events chain.
"""

from __future__ import annotations

from typing import Any

import pytest

import houseway.manager.handlers  # noqa: F401 - registers every handler
from houseway.errors import InputError
from houseway.games import game as game_of
from houseway.manager.commands import Command, Envelope
from houseway.manager.commands.house_commands import (
    AttachSensor,
    ChangeDeck,
    CreateProperty,
    CreateTable,
    DealerIn,
    OpenTable,
    RecordPaper,
)
from houseway.manager.commands.link_commands import CreateLink, OpenLink
from houseway.manager.core.engine import SYSTEM, Engine
from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import check_balanced
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.core.records import Event, canonical
from houseway.manager.core.table_entities import Table
from houseway.manager.handlers.papers_in_order import papers_in_order
from houseway.manager.handlers.register_list import REGISTERS
from tests.manager.answers import plain_answer

START = 1_735_732_800_000_000
"""January 1, 2025, noon UTC, in microseconds."""
SECOND = 1_000_000
HOUR = 3_600 * SECOND
DAY = 24 * HOUR

PEOPLE: dict[str, tuple[str, tuple[str, ...]]] = {
    "Executive 1": ("management", ("executive",)),
    "Supervisor 3": ("pit", ("supervisor",)),
    "Supervisor 4": ("pit", ("supervisor",)),
    "Dealer 17": ("pit", ("dealer",)),
    "Dealer 18": ("pit", ("dealer",)),
    "Surveillance 1": ("surveillance", ("surveillance",)),
    "Cage 1": ("cage", ("cage",)),
    "Accounting 1": ("accounting", ("accounting",)),
    "Technician 1": ("engineering", ("technician",)),
    "Auditor 1": ("accounting", ("auditor",)),
}
EXECUTIVE, SUPERVISOR, OTHER_SUPERVISOR = "Executive 1", "Supervisor 3", "Supervisor 4"
DEALER, OTHER_DEALER, SURVEILLANCE = "Dealer 17", "Dealer 18", "Surveillance 1"
CAGE, ACCOUNTING, TECHNICIAN, AUDITOR = "Cage 1", "Accounting 1", "Technician 1", "Auditor 1"


def badge(person: str) -> str:
    """The fingerprint of a person's badge."""
    return f"badge of {person}"


def session_of(person: str) -> str:
    """The fingerprint of the session in which a person signs in."""
    return f"session of {person}"


def enters(paper: RecordPaper) -> str:
    """Who enters a paper: the executive, but for what surveillance alone declares."""
    return EXECUTIVE if "executive" in REGISTERS[paper.register].roles else SURVEILLANCE


def first_people() -> list[dict[str, Any]]:
    """All people of the property, as `property.create` takes them."""
    return [
        {"id": id_, "name": id_, "department": department, "roles": list(roles), "badge": badge(id_)}
        for id_, (department, roles) in PEOPLE.items()
    ]


class Room:
    """An engine with its journal, a clock that only the test moves, and a second engine that follows by the events."""

    def __init__(self) -> None:
        self.engine = Engine()
        self.follower = Engine()
        self.events: list[Event] = []
        self.now = START
        self.draws = 0

    @property
    def floor(self) -> Floor:
        """The state."""
        return self.engine.floor

    def draw(self, count: int) -> bytes:
        """Bytes that differ from draw to draw and are the same in every run."""
        self.draws += 1
        return (self.draws.to_bytes(4, "big") * count)[:count]

    def do(self, actor: str, command: Command, device: str | None = None, session: str | None = None) -> dict[str, Any]:
        """Carry a command out and return its answer; in the session that the actor has, unless another one is given."""
        envelope = Envelope(f"key-{len(self.events) + 1}", actor, command, device, session or session_of(actor))
        decision = self.engine.decide(envelope, self.now, self.draw)
        event = self.engine.record(decision)
        self.engine.apply_decision(decision, event)
        self.follower.secrets = dict(self.engine.secrets)
        self.follower.apply(event)
        self.events.append(event)
        assert event.follows(self.events[-2].hash if len(self.events) > 1 else "0" * 64)
        check_balanced(self.engine.floor.balances)
        assert canonical(self.follower.floor.snapshot()) == canonical(self.floor.snapshot())
        return plain_answer(decision)

    def refused(
        self, actor: str, command: Command, device: str | None = None, session: str | None = None
    ) -> set[tuple[str, str]]:
        """The codes and places for which a command is refused; the state must not change."""
        before = canonical(self.floor.snapshot())
        with pytest.raises(InputError) as caught:
            self.engine.decide(
                Envelope("refused", actor, command, device, session or session_of(actor)), self.now, self.draw
            )
        assert canonical(self.floor.snapshot()) == before
        return {(fault.code, fault.path) for fault in caught.value.faults}

    def balance(self, account: str) -> int:
        """The balance of an account in millionths, with its sign in the books."""
        return self.floor.balances.get(account, 0)

    def table(self, table: str = "T1") -> Table:
        """A table as it stands."""
        return self.floor.tables[table]

    def add_table(self, table: str = "T1", game: str = "fortune", **more: object) -> Table:
        """Set a table up."""
        self.do(TECHNICIAN, CreateTable(table, game, **more))
        return self.table(table)

    def put_papers_in_order(self, table: str = "T1") -> None:
        """Enter every paper that the table lacks."""
        for command in papers_in_order(self.floor, self.table(table), self.now):
            self.do(enters(command), command)

    def open_table(self, table: str = "T1", float_cents: int = 1_000_000, dealer: str | None = DEALER) -> Table:
        """Put the papers in order, open the table, bring a counted deck, and sign a dealer in."""
        self.put_papers_in_order(table)
        self.do(EXECUTIVE, OpenTable(table, float_cents, badge(SUPERVISOR)))
        size = game_of(self.table(table).game).deck
        self.do(SUPERVISOR, ChangeDeck(table, f"deck {len(self.events)}", size))
        if dealer is not None:
            self.do(dealer, DealerIn(table, badge(dealer)))
        return self.table(table)

    def add_link(
        self, link: str = "L1", paytable: str = "FPGPP-WA01", seed: int = 1_000_000, share: str = "1/5"
    ) -> None:
        """Draw up and open a progressive with one level."""
        levels = {"main": LevelParameters(seed, share)}
        self.do(EXECUTIVE, CreateLink(link, "progressive", paytable, levels))
        self.do(EXECUTIVE, OpenLink(link, {"main": {"seed": seed}}, badge(ACCOUNTING)))

    def add_house_jackpot(self, link: str = "H1", paytable: str = "FPGPP-WA07", prize: int = 500_000) -> None:
        """Draw up and open a house jackpot with one prize."""
        self.do(EXECUTIVE, CreateLink(link, "house", paytable, prizes={"main": prize}))
        self.do(EXECUTIVE, OpenLink(link, {}, badge(ACCOUNTING)))

    def attach(self, table: str, sensor: str, link: str) -> None:
        """Join a sensor to a link."""
        self.do(TECHNICIAN, AttachSensor(table, sensor, link))


def new_room(licence: str = "commercial") -> Room:
    """A property with all its people and nothing else."""
    room = Room()
    room.do(SYSTEM, CreateProperty("Example Card Room", licence, first_people()))  # type: ignore[arg-type]
    return room
