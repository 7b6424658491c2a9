"""A property on a real database with real play in it, for audits: two tables, a progressive, hits paid and rejected."""

from __future__ import annotations

from hashlib import shake_256
from pathlib import Path
from typing import Any

from houseway.cards.stream import SEED_BYTES_LEAST
from houseway.manager.commands import Envelope
from houseway.manager.commands.house_commands import (
    AttachSensor,
    ChangeDeck,
    CreateProperty,
    CreateTable,
    DealerIn,
    OpenTable,
)
from houseway.manager.commands.link_commands import CreateLink, OpenLink, RecordDeposit
from houseway.manager.commands.round_commands import (
    AddReference,
    DealRound,
    EndRound,
    HitJackpot,
    PayJackpot,
    PressHand,
    RejectJackpot,
    SetHand,
    ShowDealerWay,
    ShowPlayerWay,
    StartRound,
    VoidRound,
)
from houseway.manager.core.command import AnyCommand
from houseway.manager.core.engine import SYSTEM
from houseway.manager.core.floor import Floor
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.handlers.papers_in_order import papers_in_order
from houseway.manager.store.keys import create_keys
from houseway.manager.store.manager import Manager, open_manager
from tests.manager.floors import (
    ACCOUNTING,
    DAY,
    DEALER,
    EXECUTIVE,
    OTHER_DEALER,
    SECOND,
    START,
    SUPERVISOR,
    SURVEILLANCE,
    TECHNICIAN,
    badge,
    enters,
    first_people,
)

FELT, KNOWN = "T1", "T2"
"""A table whose cards lie on the felt, and one whose cards the system deals."""


class House:
    """A manager on a database, with a clock that only moves with the commands, and seeds that are always the same."""

    def __init__(self, url: str, folder: Path, *, snapshot_every: int = 10_000, now: int = START) -> None:
        self.url = url
        self.keys = folder
        self.now = now
        self.count = 0
        self.draws = 0
        self.snapshot_every = snapshot_every
        if not (folder / "signing.pem").exists():
            create_keys(folder)
        self.manager: Manager = self._opened()

    def _opened(self) -> Manager:
        return open_manager(
            self.url, self.keys, clock=lambda: self.now, draw=self._draw, snapshot_every=self.snapshot_every
        )

    def _draw(self, size: int) -> bytes:
        # Which cards are dealt does not depend on how many salts are drawn at once. These cards win little.
        self.draws += size == SEED_BYTES_LEAST
        return shake_256(f"cards b/{self.now}/{self.draws}/{size}".encode()).digest(size)

    def do(self, actor: str, command: AnyCommand, seconds: float = 1) -> dict[str, Any]:
        """Carry a command out, a little later than the one before."""
        self.count += 1
        self.now += int(seconds * SECOND)
        return self.manager.call(Envelope(f"{self.now}-{self.count}", actor, command)).answer

    def close(self) -> None:
        self.manager.close()

    def restart(self) -> None:
        """Stop the manager and start it again."""
        self.manager.close()
        self.manager = self._opened()

    def floor(self) -> Floor:
        """A copy of the state."""
        return self.manager.view(lambda floor: Floor.restored(floor.snapshot()))

    # Setting up

    def set_up(self) -> None:
        """A property with a progressive on two tables, both open."""
        self.do(SYSTEM, CreateProperty("Example Card Room", "commercial", first_people()))
        self.do(TECHNICIAN, CreateTable(FELT, "fortune"))
        self.do(TECHNICIAN, CreateTable(KNOWN, "fortune", cards="known", paytables={"fortune": "FPGP-1"}))
        levels = {"main": LevelParameters(100_000, "1/3", "1/7", executive_from=1_000_000)}
        self.do(EXECUTIVE, CreateLink("L1", "progressive", "FPGPP-WA01", levels))
        self.do(EXECUTIVE, OpenLink("L1", {"main": {"seed": 100_000}}, badge(ACCOUNTING)))
        for table, dealer in ((FELT, DEALER), (KNOWN, OTHER_DEALER)):
            self.do(TECHNICIAN, AttachSensor(table, "1", "L1"))
            self.open_table(table, dealer)

    def pass_days(self, days: int) -> None:
        """Let days pass without play; afterwards the progressive's bank account is made whole, so that it may play."""
        self.now += days * DAY
        self.do(ACCOUNTING, RecordDeposit("L1", 1_000_000, f"slip {self.count}", badge(EXECUTIVE)))

    def open_table(self, table: str, dealer: str) -> None:
        floor = self.floor()
        for command in papers_in_order(floor, floor.tables[table], self.now):
            self.do(enters(command), command)
        self.do(EXECUTIVE, OpenTable(table, 1_000_000, badge(SUPERVISOR)))
        self.do(SUPERVISOR, ChangeDeck(table, f"deck {self.count}", 53))
        self.do(dealer, DealerIn(table, badge(dealer)))

    # Playing

    def start(self, table: str, seats: tuple[int, ...] = (1, 2, 5)) -> str:
        """START GAME; returns the round's id."""
        dealer = DEALER if table == FELT else OTHER_DEALER
        wagers = {str(seat): {"main": 1000, "fortune": 500} for seat in seats} if table == KNOWN else {}
        return str(self.do(dealer, StartRound(table, {"1": list(seats)}, wagers))["round"])

    def play_felt(self, hits: dict[int, str] | None = None, *, reject: bool = False) -> str:
        """A round on the felt, with jackpot hands by seat."""
        round_id = self.start(FELT)
        for seat, hand in (hits or {}).items():
            self.do(DEALER, PressHand(round_id, seat, hand))
        if hits:
            self.do(DEALER, HitJackpot(round_id))
            self.settle(round_id, reject=reject)
        self.do(DEALER, EndRound(round_id))
        return round_id

    def settle(self, round_id: str, *, reject: bool) -> None:
        floor = self.floor()
        awards = [floor.awards[id_] for id_ in floor.rounds[round_id].awards]
        for award in sorted(awards, key=lambda each: -each.seat):
            if reject:
                self.do(SUPERVISOR, RejectJackpot(award.id, badge(EXECUTIVE), "the hand was misread"))
            elif award.status != "paid":
                dealer = DEALER if award.table == FELT else OTHER_DEALER
                if award.cents > 3_000_00:
                    self.do(SURVEILLANCE, AddReference(award.round, award.id, award.hand, award.cents, "cam 4 12:00"))
                self.do(dealer, PayJackpot(award.id, badge(EXECUTIVE)))

    def deal(self) -> str:
        """A round with known cards, dealt and left open."""
        round_id = self.start(KNOWN)
        self.do(OTHER_DEALER, DealRound(round_id))
        return round_id

    def play_known(self) -> str:
        """A whole round with known cards, every hand set the house way."""
        round_id = self.deal()
        for seat in (1, 2):
            self.do(OTHER_DEALER, SetHand(round_id, seat, [0, 1]))
        self.do(OTHER_DEALER, ShowPlayerWay(round_id, 5))
        self.do(OTHER_DEALER, ShowDealerWay(round_id))
        floor = self.floor()
        for place, hand in floor.rounds[round_id].proposed.items():
            sensor, seat = place.split("/")
            self.do(OTHER_DEALER, PressHand(round_id, int(seat), hand, sensor))
        if floor.rounds[round_id].proposed:
            self.do(OTHER_DEALER, HitJackpot(round_id))
            self.settle(round_id, reject=False)
        self.do(OTHER_DEALER, EndRound(round_id))
        return round_id

    def void(self, table: str = FELT) -> str:
        round_id = self.start(table)
        dealer = DEALER if table == FELT else OTHER_DEALER
        self.do(dealer, VoidRound(round_id, badge(SUPERVISOR), "cards on the floor"))
        return round_id
