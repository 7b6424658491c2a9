"""A pit in memory for tests of rounds: people, links and tables put straight onto a floor, and a way to command it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

import houseway.manager.handlers  # noqa: F401 - registers every handler
from houseway.errors import InputError
from houseway.manager.commands.round_commands import (
    AddReference,
    EndRound,
    HitJackpot,
    PayJackpot,
    PressHand,
    StartRound,
)
from houseway.manager.core.award_entities import Award
from houseway.manager.core.command import AnyCommand
from houseway.manager.core.engine import Engine, Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Paper, Person
from houseway.manager.core.ledger import account, check_balanced
from houseway.manager.core.link_entities import LevelParameters, Link
from houseway.manager.core.records import Event
from houseway.manager.core.signs import displayed
from houseway.manager.core.table_entities import Round, Table
from houseway.manager.handlers.room_choices import choices_of, rules_hash
from tests.manager.answers import plain_answer

START_OF_TIME = 1_750_000_000_000_000
SECOND = 1_000_000
PEOPLE = (
    Person("D1", "Dealer 1", "pit", ("dealer",), ("badge-D1",)),
    Person("D2", "Dealer 2", "pit", ("dealer",), ("badge-D2",)),
    Person("S1", "Supervisor 1", "pit", ("supervisor",), ("badge-S1",)),
    Person("S2", "Supervisor 2", "pit", ("supervisor",), ("badge-S2",)),
    Person("E1", "Executive 1", "management", ("executive",), ("badge-E1",)),
    Person("V1", "Surveillance 1", "surveillance", ("surveillance",), ("badge-V1",)),
    Person("A1", "Accounting 1", "accounting", ("accounting",), ("badge-A1",)),
)


def progressive(id_: str = "L1", paytable: str = "6CFPGPP-2", **changes: Any) -> Link:
    """An open progressive: a fifth of each dollar to the meter and a hundredth to the reserve."""
    levels = changes.pop("levels", None) or {
        "main": LevelParameters(1_000_000, "1/5", "1/100", executive_from=1_500_000)
    }
    link = Link(
        id_,
        "progressive",
        paytable,
        100,
        1,
        "tray",
        levels,
        {},
        "at-payment",
        "at-start",
        "seat-order",
        "open",
        1,
        funded_at=START_OF_TIME,
    )
    return msgspec.structs.replace(link, **changes)


def house_jackpot(id_: str = "H1", paytable: str = "6CFPGPP-2", prize: int = 500_000) -> Link:
    """An open house jackpot with one posted prize."""
    return Link(
        id_, "house", paytable, 100, 1, "tray", {}, {"main": prize}, "at-payment", "at-start", "seat-order", "open", 1
    )


def table_of(id_: str = "T1", game: str = "six-card-fortune", **changes: Any) -> Table:
    """An open table with a dealer, its first sensor on L1."""
    table = Table(
        id_, game, 6, {"1": "L1"}, "nexus-2", "felt", None, {}, {}, status="open", dealer="D1" if id_ == "T1" else "D2"
    )
    return msgspec.structs.replace(table, **changes)


def put_papers(floor: Floor, at: int = 0) -> None:
    """The papers that allow what stands on the tables and no sheet offers, and those that cover the room's choices."""
    for game in {table.game for table in floor.tables.values()}:
        fields = {"allows": ["jackpots", "house-jackpots"], "reference": "letter"}
        floor.put("paper", f"JA-{game}", Paper(f"JA-{game}", "jackpot-approval", game, fields, 0, None, "E1"))
    for table in floor.tables.values():
        chosen = choices_of(floor, table, at)
        fields = {"reference": "letter", "hash": rules_hash(table.game, chosen), "choices": chosen}
        id_ = f"IC-{table.game}-{fields['hash']}"
        floor.put("paper", id_, Paper(id_, "internal-controls", table.game, fields, 0, None, "E1"))


class Pit:
    """An engine with a clock of its own; every command must leave the books balanced, every refusal all unchanged."""

    def __init__(self, *links: Link, tables: Iterable[Table] = (), meters: dict[str, int] | None = None) -> None:
        self.engine = Engine()
        self.now = START_OF_TIME
        self.events: list[Event] = []
        self.count = 0
        for person in PEOPLE:
            self.floor.put("person", person.id, person)
        for link in links or (progressive(),):
            self.floor.put("link", link.id, link)
        for table in tuple(tables) or (table_of(),):
            self.floor.put("table", table.id, table)
        put_papers(self.floor, self.now)
        for name, cents in ({"L1/main": 1_000_000} if meters is None else meters).items():
            self.floor.transfer("house", f"meter/{name}", cents * 10_000)

    @property
    def floor(self) -> Floor:
        return self.engine.floor

    def do(self, command: AnyCommand, actor: str | None = None, seconds: float = 1) -> dict[str, Any]:
        """Carry a command out and return its answer; by default the dealer of its table acts."""
        self.now += int(seconds * SECOND)
        self.count += 1
        envelope = Envelope(f"key-{self.count}", actor or self._dealer(command), command)
        decision = self.engine.decide(envelope, self.now, lambda size: bytes(range(size)))
        event = self.engine.record(decision)
        self.engine.apply_decision(decision, event)
        check_balanced(self.engine.floor.balances)
        self.events.append(event)
        return plain_answer(decision)

    def _dealer(self, command: AnyCommand) -> str:
        for id_, table in self.floor.tables.items():
            for field in ("table", "round", "award"):
                named = getattr(command, field, None)
                if isinstance(named, str) and (named == id_ or named.startswith(f"{id_}-")):
                    return table.dealer or "D1"
        return "D1"

    def refused(self, command: AnyCommand, actor: str | None = None, seconds: float = 0) -> set[str]:
        """The codes with which a command is refused; nothing may have changed."""
        before = msgspec.json.encode(self.floor.snapshot())
        try:
            self.do(command, actor, seconds)
        except InputError as error:
            assert msgspec.json.encode(self.floor.snapshot()) == before
            return {fault.code for fault in error.faults}
        return set()

    # ------------------------------------------------------------ what dealers do

    def start(self, *seats: int, table: str = "T1", sensor: str = "1") -> str:
        """START GAME with these seats lit; the round's id."""
        return str(self.do(StartRound(table, sensors={sensor: list(seats)} if seats else {}))["round"])

    def press(self, round_: str, seat: int, hand: str, **more: Any) -> str:
        """Press a hand button; the award's id."""
        return str(self.do(PressHand(round_, seat, hand, **more))["award"])

    def hit(self, round_: str, seat: int, hand: str, **more: Any) -> Award:
        """Press and HIT JACKPOT; the award as it is locked."""
        award = self.press(round_, seat, hand, **more)
        self.do(HitJackpot(round_))
        return self.floor.awards[award]

    def verify(self, award: str, reference: str = "cam-1", by: str = "V1") -> None:
        """Surveillance puts its reference for an award on record."""
        found = self.floor.awards[award]
        self.do(AddReference(found.round, award, found.hand, found.cents, reference), actor=by, seconds=0)

    def pay(self, award: str, badge: str = "badge-E1", reference: str = "cam-1") -> dict[str, Any]:
        """PAY JACKPOT with a badge, once surveillance has verified it."""
        if award in self.floor.awards and self.floor.rounds[self.floor.awards[award].round].phase == "playing":
            self.verify(award, reference)
        return self.do(PayJackpot(award, badge))

    def end(self, round_: str) -> dict[str, Any]:
        """END GAME."""
        return self.do(EndRound(round_))

    # ------------------------------------------------------------ what auditors see

    def held(self, *name: str) -> int:
        """A balance as people read it, in micros."""
        return self.floor.held(account(*name))

    def sign(self, link: str = "L1", level: str = "main") -> int:
        """What the sign shows, in micros."""
        return displayed(self.floor, self.floor.links[link])[level]

    def round(self, id_: str) -> Round:
        """A round that is still known."""
        return self.floor.rounds[id_]

    def rows(self, kind: str) -> list[dict[str, Any]]:
        """The search rows of a kind that all events have written."""
        bodies = (msgspec.json.decode(event.body) for event in self.events)
        return [columns for body in bodies for row_kind, columns in body.get("rows", ()) if row_kind == kind]
