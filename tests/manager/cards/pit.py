"""A pit with one table, played command by command on the real engine; events and decisions are kept to look at."""

from __future__ import annotations

from hashlib import sha256, shake_256
from typing import Any

import msgspec

import houseway.manager.handlers  # noqa: F401 - registers the handlers
from houseway.cards.modes import shuffler_mode
from houseway.cards.shuffler import Deal, deal
from houseway.cards.stream import SEED_BYTES_LEAST
from houseway.errors import InputError
from houseway.games import game as game_of
from houseway.houseways.evaluate import ReferenceEvaluator
from houseway.manager.commands.round_commands import (
    DealRound,
    EndRound,
    SetHand,
    ShowDealerWay,
    ShowPlayerWay,
    StartRound,
)
from houseway.manager.core.command import AnyCommand
from houseway.manager.core.engine import Context, Decision, Engine, Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Device, Person, SignInRecord
from houseway.manager.core.link_entities import LevelParameters, Link
from houseway.manager.core.records import Event
from houseway.manager.core.table_entities import Round, Table
from houseway.manager.handlers.cards import dealt_from, prepare_next
from houseway.paytables import paytable
from houseway.ranking.reference import PAI_GOW, STANDARD
from tests.manager.answers import plain_answer
from tests.manager.pit import put_papers

GAMES: dict[str, dict[str, Any]] = {
    "six-card-fortune": {"paytables": {"fortune": "6CFPGP-1"}, "jackpot": "6CFPGPP-2"},
    "fortune": {"paytables": {"fortune": "FPGP-1", "paigowd": "PGD-01"}, "jackpot": "FPGPP-WA01"},
    "commission-free-fortune": {"paytables": {"fortune": "FPGP-2"}, "jackpot": "FPGPP-WA01"},
    "face-up": {"paytables": {}, "jackpot": "FPGPP-WA01"},
    "six-card-poker": {"paytables": {"aces_up": "SCP-01", "bad_beat": "TWBB-001"}, "jackpot": "SIXCPP-02"},
}
WAGERS: dict[str, dict[str, int]] = {
    "six-card-fortune": {"main": 1000, "fortune": 500, "insurance": 500},
    "fortune": {"main": 1000, "fortune": 500, "paigowd": 500},
    "commission-free-fortune": {"main": 1000, "fortune": 500, "tiger9": 500},
    "face-up": {"main": 1000},
    "six-card-poker": {"ante": 1000, "aces_up": 500, "bad_beat": 500},
}
SECOND = 1_000_000


class Source:
    """A source of seeds that the test can foresee: given ones first, then a stream of its own."""

    def __init__(self, name: str, given: list[bytes] | None = None) -> None:
        self.name = name
        self.given = list(given or ())
        self.drawn: list[bytes] = []

    def __call__(self, size: int) -> bytes:
        if size != SEED_BYTES_LEAST:
            # Salts of events' leaves, drawn one or many at a time.
            return shake_256(f"{self.name}/salt".encode()).digest(size)
        made = sha256(f"{self.name}/{len(self.drawn)}".encode()).digest()[:size]
        seed = self.given.pop(0) if self.given else made
        self.drawn.append(seed)
        return seed


SESSION = "the fingerprint of a session"
"""In which the dealer has swiped in at the controller."""


class Pit:
    """One table with its dealer and supervisor; `seeds` are drawn first, the first of them when the table opens."""

    def __init__(
        self,
        game: str = "fortune",
        *,
        cards: str = "known",
        seeds: list[bytes] | None = None,
        name: str = "pit",
        settings: dict[str, Any] | None = None,
        opened: bool = True,
        **table: object,
    ) -> None:
        self.game = game
        self.draw = Source(name, seeds)
        self.engine = Engine()
        self.now = SECOND
        self.events: list[Event] = []
        self.decisions: list[Decision] = []
        self.keys = 0
        self._people(self.engine.floor)
        self._link(self.engine.floor, "L1", GAMES[game]["jackpot"])
        seats = 7 if game == "six-card-poker" else 6
        made = Table(
            "T1", game, seats, {"1": "L1"}, "nexus-2", cards, None, GAMES[game]["paytables"], settings or {},
            status="open", dealer="D1",
        )  # fmt: skip
        made = msgspec.structs.replace(made, **table)
        self.engine.floor.put("table", "T1", made)
        put_papers(self.engine.floor)
        if opened:
            self.open_table()

    def _people(self, floor: Floor) -> None:
        for id_, department, roles in (
            ("D1", "pit", ("dealer",)),
            ("D2", "pit", ("dealer",)),
            ("S1", "pit", ("supervisor",)),
            ("E1", "management", ("executive",)),
            ("V1", "surveillance", ("surveillance",)),
        ):
            floor.put("person", id_, Person(id_, f"Person {id_}", department, roles, (f"badge-{id_}",)))  # type: ignore[arg-type]
        floor.put("device", "C1", Device("C1", "controller", "T1", "x", signed_in={"D1": SignInRecord(0, SESSION)}))
        floor.put("device", "C2", Device("C2", "controller", "T2", "x"))

    def _link(self, floor: Floor, id_: str, table: str) -> None:
        levels = {level: LevelParameters(100_000, "1/5") for level in paytable(table).levels}
        link = Link(
            id_, "progressive", table, 100, 1, "tray", levels, {}, "at-payment", "at-start", "seat-order", "open", 1,
            fixed_supervisor_from=1,
        )  # fmt: skip
        floor.put("link", id_, link)
        for level in levels:
            floor.transfer(f"seed/{id_}/{level}", f"meter/{id_}/{level}", 10**9)

    def open_table(self) -> None:
        """What opening the table does for its cards."""
        decision = self.decision_of("S1", StartRound("T1"))
        decision.tables.put(prepare_next(decision, self.table))
        self.engine.apply_decision(decision, self.engine.record(decision))

    def decision_of(self, actor: str, command: AnyCommand) -> Decision:
        """A decision with nothing in it yet."""
        return Decision(
            self.engine.floor,
            Envelope("k", actor, command),
            Context(self.now, self.draw, self.engine.secrets, self.engine.seq + 1),
        )

    @property
    def table(self) -> Table:
        return self.engine.floor.tables["T1"]

    @property
    def round(self) -> Round:
        return self.engine.floor.rounds[self.table.round or self.table.last_round or ""]

    @property
    def cards(self) -> Deal:
        """What was really dealt: what a spy would like to know."""
        return dealt_from(self.round, self.engine.secrets[self.round.id])

    def do(self, command: AnyCommand, actor: str = "D1", device: str | None = None) -> dict[str, Any]:
        """Carry a command out and return its answer."""
        self.now += SECOND
        self.keys += 1
        envelope = Envelope(f"k{self.keys}", actor, command, device, session=None if device is None else SESSION)
        decision = self.engine.decide(envelope, self.now, self.draw)
        event = self.engine.record(decision)
        self.engine.apply_decision(decision, event)
        self.events.append(event)
        self.decisions.append(decision)
        return plain_answer(decision)

    def refused(self, command: AnyCommand, actor: str = "D1") -> list[str]:
        """The fault codes with which a command is refused; the state stays as it was."""
        before = msgspec.json.encode(self.engine.floor.snapshot()), dict(self.engine.secrets)
        try:
            self.engine.decide(Envelope("refused", actor, command), self.now, self.draw)
        except InputError as error:
            assert (msgspec.json.encode(self.engine.floor.snapshot()), dict(self.engine.secrets)) == before
            self.faults = error.faults
            return [fault.code for fault in error.faults]
        return []

    def start(
        self, *seats: int, sensor: tuple[int, ...] = (), occupied: tuple[int, ...] | None = None, **wagers: int
    ) -> str:
        """START GAME with the usual wagers (or these) at some seats, sensor 1 lit, other seats declared; its id."""
        told = {str(seat): dict(wagers or WAGERS[self.game]) for seat in seats}
        declared = None if occupied is None else list(occupied)
        return str(self.do(StartRound("T1", {"1": list(sensor)} if sensor else {}, told, declared))["round"])

    def deal(self, *entropy: str) -> dict[str, Any]:
        return self.do(DealRound(self.round.id, list(entropy)))

    def set(self, *seats: int, **how: object) -> None:
        """These seats set their hands: the last cards of the packet low, unless told otherwise."""
        low = {"six-card-fortune": [5], "six-card-poker": None}.get(self.game, [5, 6])
        for seat in seats:
            how = how or ({} if self.table.cards == "felt" else {"low": low})
            self.do(SetHand(self.round.id, seat, **how))

    def show(self, seat: int | None = None) -> dict[str, Any]:
        """Show a seat's hand the house way, or the dealer's."""
        return self.do(ShowDealerWay(self.round.id) if seat is None else ShowPlayerWay(self.round.id, seat))

    def end(self) -> dict[str, Any]:
        return self.do(EndRound(self.round.id))


SEATS = (1, 2, 5)
"""Seats of the rounds whose seed was looked for."""


def winning_seed(game: str, hand: str, seat: int) -> bytes:
    """A seed that gives one of `SEATS` this hand on the jackpot's pay table, and the others nothing that it pays."""
    mode, source = shuffler_mode(game_of(game).shuffler_mode), Source(f"{game} {hand} {seat}")
    for _ in range(20_000):
        seed = source(32)
        dealt = deal(mode, seed, seats=SEATS).players
        if all(jackpot_hand(game, dealt[each]) == (hand if each == seat else None) for each in SEATS):
            return seed
    raise AssertionError(f"no {hand} in 20,000 deals")


def jackpot_hand(game: str, cards: tuple[int, ...]) -> str | None:
    """The line of the jackpot's pay table that cards win, by the readable reference."""
    names = ReferenceEvaluator().names_fitted(cards, STANDARD if game == "six-card-poker" else PAI_GOW)
    line = paytable(GAMES[game]["jackpot"]).line_for(names)
    return None if line is None else line.hand
