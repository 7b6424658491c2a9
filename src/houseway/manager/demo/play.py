"""A small floor that plays by itself: rounds at every table, meters that climb, a jackpot hit, verified and paid.

Four tables on two progressives. Three are dealt by the system's own shuffler with honest cards; at the fourth the cards
lie on the felt, and there a player finds the best hand of the pay table, because honest cards would keep an audience
waiting for years. Everything else is the production path: the same commands, checks, ledger and audit chain.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from houseway.amounts import Cents
from houseway.manager.commands import Command
from houseway.manager.commands.house_commands import CreateTable
from houseway.manager.commands.link_commands import CreateLink
from houseway.manager.commands.round_answers import AwardState, PayJackpotAnswer, ShowDealerWayAnswer
from houseway.manager.commands.round_commands import (
    AddReference,
    DealRound,
    EndRound,
    HitJackpot,
    PayJackpot,
    PressHand,
    SetHand,
    ShowDealerWay,
    StartRound,
)
from houseway.manager.demo.floorplan import (
    EXECUTIVE,
    SUPERVISOR,
    SURVEILLANCE,
    FloorPlan,
    dealer_of,
    set_up,
    token,
)
from houseway.manager.interface.contract import ManagerInterface
from houseway.manager.interface.field_types import AnswerT_co, LevelParameters
from houseway.manager.views.floor_questions import MetersQuestion, TableQuestion
from houseway.manager.views.jackpot_views import displayed_by_link
from houseway.ranking.hand_names import hand_title
from houseway.wording import dollars

FELT: Final = "T1"
"""The table whose cards the system does not know."""
MEANWHILE: Final = ("T2", "T3", "T4")
"""Tables that play a round each while the jackpot is verified."""
DOLLAR: Final = Cents(100)
PLAN: Final = FloorPlan(
    "Demonstration Card Room",
    (
        CreateLink(
            "Fortune", "progressive", "FPGPP-WA01",
            {"main": LevelParameters(DOLLAR * 10_000, "1/4", "1/100", executive_from=DOLLAR * 10_000)},
            fixed_supervisor_from=DOLLAR * 50,
        ),
        CreateLink(
            "Six", "progressive", "6CFPGPP-2",
            {"main": LevelParameters(DOLLAR * 5_000, "1/5", "1/50", executive_from=DOLLAR * 10_000)},
            fixed_supervisor_from=DOLLAR * 50,
        ),
    ),
    (
        CreateTable(FELT, "fortune"),
        CreateTable("T2", "face-up", cards="known"),
        CreateTable("T3", "six-card-fortune", cards="known"),
        CreateTable("T4", "commission-free-fortune", cards="known"),
    ),
    {FELT: {"1": "Fortune"}, "T2": {"1": "Fortune"}, "T3": {"1": "Six"}, "T4": {"1": "Fortune"}},
    {"Fortune": {"main": Cents(1_480_225)}, "Six": {"main": Cents(212_318)}},
)  # fmt: skip


@dataclass(frozen=True)
class Scene:
    """Something that happened on the floor, for whoever watches."""

    kind: str
    """setup, cards, round, win, hit, waiting, paid."""
    table: str
    text: str
    facts: dict[str, Any]


@dataclass
class Takings:
    """What a table took in and gave back, in cents."""

    game: str
    rounds: int = 0
    drop: int = 0
    """The main wagers, where the system knows them."""
    win: int = 0
    """What the house kept of them."""
    coins: int = 0
    """The jackpot wagers."""
    awards: int = 0
    """What they were paid, from meter, tray and envy."""


class DemoFloor:
    """The floor with its dealers and players, all of whose choices come from one seed (the cards do not)."""

    def __init__(self, manager: ManagerInterface, seed: int) -> None:
        """Play at a property that has just begun with its `office`."""
        self._manager = manager
        self._random = random.Random(seed)  # noqa: S311 - players' whims; cards come from the shuffler
        self.takings = {table.table: Takings(table.game) for table in PLAN.tables}

    def _do(self, actor: str, command: Command[AnswerT_co]) -> AnswerT_co:
        """Carry out a command under a fresh key."""
        return self._manager.send(command, actor=actor).answer

    def meters(self) -> dict[str, dict[str, int]]:
        """What the signs show now, in micros by link and level."""
        return displayed_by_link(self._manager.ask(MetersQuestion()).meters)

    def open(self) -> Scene:
        """Set the floor up."""
        answer = self._manager.ask(MetersQuestion())
        set_up(PLAN, self._manager, answer.now)
        tables = ", ".join(f"{table.table} {table.game}" for table in PLAN.tables)
        return Scene("setup", "", f"{PLAN.name} opens: {tables}", {})

    def dealer(self, table: str) -> str:
        """The person who deals at a table."""
        return dealer_of(table)

    def badge(self, person: str) -> str:
        """What a person's badge holds here."""
        return token(person)

    def play(self, rounds: int) -> Iterator[Scene]:
        """Play that many rounds at tables in turn; about two thirds through, the jackpot is hit at the felt table."""
        tables = [table.table for table in PLAN.tables]
        jackpot_at = max(1, rounds * 2 // 3)
        meanwhile = MEANWHILE[: rounds - jackpot_at]
        for number in range(1, rounds + 1 - len(meanwhile)):
            if number == jackpot_at:
                yield from self._jackpot(meanwhile)
            else:
                yield from self._round(tables[number % len(tables)])

    def _seats(self, table: str) -> list[int]:
        seats = self._manager.ask(TableQuestion(table=table)).table.seats
        return sorted(self._random.sample(range(1, seats + 1), self._random.randint(2, seats)))

    def _start(self, table: str, seats: list[int]) -> str:
        wagers = {} if table == FELT else {str(seat): {"main": DOLLAR * 25} for seat in seats}
        answer = self._do(dealer_of(table), StartRound(table, sensors={"1": seats}, wagers=wagers))
        self.takings[table].coins += sum(int(taken.cents) for taken in answer.taken.values())
        return answer.round

    def _round(self, table: str) -> Iterator[Scene]:
        """One round: dealt and settled by the system where it knows the cards."""
        seats = self._seats(table)
        round_, dealer = self._start(table, seats), dealer_of(table)
        if table != FELT:
            self._do(dealer, DealRound(round_))
            for seat in seats:
                self._do(dealer, SetHand(round_, seat, house_way=True))
            shown = self._do(dealer, ShowDealerWay(round_))
            yield self._cards(table, shown)
            for place, hand in (shown.proposed or {}).items():
                yield from self._win(table, round_, int(place.split("/")[1]), hand)
        ended = self._do(dealer, EndRound(round_))
        self.takings[table].rounds += 1
        facts = {"round": round_, "wagers": len(seats), "envy": msgspec.to_builtins(ended.envy)}
        yield Scene("round", table, f"{round_} with {len(seats)} jackpot wagers", facts)

    def _cards(self, table: str, shown: ShowDealerWayAnswer) -> Scene:
        """The hands as they lie open, and what became of the main wagers."""
        seats = shown.seats or ()
        lines = [line for seat in seats for line in seat.lines if line.wager == "main"]
        takings = self.takings[table]
        takings.drop += sum(int(line.stake) for line in lines)
        takings.win += sum(int(line.stake) - int(line.returned) for line in lines)
        facts = {"dealer": msgspec.to_builtins(shown.dealer), "seats": msgspec.to_builtins(seats)}
        return Scene("cards", table, shown.round, facts)

    def _win(self, table: str, round_: str, seat: int, hand: str) -> Iterator[Scene]:
        """A winner: the proposed button, the hit, the badge that the amount asks for."""
        dealer = dealer_of(table)
        award = self._do(dealer, PressHand(round_, seat, hand)).award
        told = next(each for each in self._do(dealer, HitJackpot(round_)).awards if each.award == award)
        yield self._told(told, "the dealer") if told.status == "paid" else self._pay(dealer, told, "win")

    def _told(self, paid: AwardState | PayJackpotAnswer, who: str, kind: str = "win") -> Scene:
        amount, table = dollars(paid.cents), paid.award.split("-")[0]
        self.takings[table].awards += paid.cents
        text = f"seat {paid.seat} {hand_title(paid.hand)}: {amount} paid by {who}"
        return Scene(kind, table, text, {"award": paid.award, "cents": paid.cents})

    def _pay(self, dealer: str, told: AwardState, kind: str) -> Scene:
        person = EXECUTIVE if told.badge_role == "executive" else SUPERVISOR
        if told.reference_needed:
            round_ = told.award.rpartition("/")[0]
            seen = AddReference(round_, told.award, told.hand, told.cents, f"{SURVEILLANCE}, camera 4")
            self._do(SURVEILLANCE, seen)
        paid = self._do(dealer, PayJackpot(told.award, token(person)))
        return self._told(paid, f"{person}'s badge", kind)

    def _jackpot(self, meanwhile: tuple[str, ...]) -> Iterator[Scene]:
        """The best hand of the table at the felt table: locked, verified while others play on, paid."""
        seats, dealer = self._seats(FELT), dealer_of(FELT)
        round_, seat = self._start(FELT, seats), seats[0]
        self._do(dealer, PressHand(round_, seat, "seven-card-straight-flush"))
        (told,) = self._do(dealer, HitJackpot(round_)).awards
        text = (
            f"seat {seat} {hand_title(told.hand)}: {dollars(told.cents)} locked, needs the "
            f"{told.badge_role}'s badge and surveillance's reference"
        )
        yield Scene("hit", FELT, text, {"award": told.award, "cents": told.cents, "badge_role": told.badge_role})
        for table in meanwhile:
            yield Scene("waiting", table, "plays on while the award is verified", {})
            yield from self._round(table)
        yield self._pay(dealer, told, "paid")
        self._do(dealer, EndRound(round_))
        self.takings[FELT].rounds += 1
