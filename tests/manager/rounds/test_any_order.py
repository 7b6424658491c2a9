"""Any order of presses at two tables of one link: the books balance and money held for players is never overdrawn."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from houseway.errors import InputError
from houseway.manager.commands.round_commands import (
    AddReference,
    CorrectWager,
    DecideRound,
    EndRound,
    HitJackpot,
    HoldRound,
    PayJackpot,
    PressHand,
    RejectJackpot,
    ReopenRound,
    StartRound,
    VoidRound,
)
from houseway.manager.core.command import AnyCommand
from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import NEVER_OVERDRAWN, kind_of_account
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.core.records import canonical
from houseway.manager.core.signs import displayed
from tests.manager.pit import Pit, progressive, table_of

HANDS = ("five-aces", "royal-flush", "straight-flush", "four-of-a-kind", "full-house")
SEATS = st.integers(1, 6)
TABLES = st.sampled_from(("T1", "T2"))
SHARES = st.fractions(0, "1/3", max_denominator=50).map(str)


class AnyOrder(RuleBasedStateMachine):
    """Dealers and supervisors who do anything at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.pit = Pit()

    @initialize(
        contribution=SHARES,
        reserve=SHARES,
        seed=st.integers(0, 50_000),
        meter=st.integers(0, 500_000),
        limit=st.none() | st.integers(500_000, 500_300),
        falls=st.sampled_from(("at-payment", "at-hit")),
        shows=st.sampled_from(("at-start", "at-end")),
        fixed=st.sampled_from(("tray", "meter")),
        order=st.sampled_from(("seat-order", "full-to-each")),
    )
    def open_the_link(self, contribution: str, reserve: str, meter: int, limit: int | None, **more: Any) -> None:
        link = progressive(
            levels={"main": LevelParameters(more["seed"], contribution, reserve, limit)},
            display_falls=more["falls"],
            shows_contributions=more["shows"],
            fixed_pays=more["fixed"],
            order=more["order"],
        )
        self.pit = Pit(link, tables=[table_of(), table_of("T2")], meters={"L1/main": meter})

    def attempt(self, command: AnyCommand, actor: str | None = None) -> None:
        """Carried out, or refused with every entity and balance as before."""
        before = canonical(self.pit.floor.snapshot())
        try:
            self.pit.do(command, actor)
        except InputError:
            assert canonical(self.pit.floor.snapshot()) == before

    def round_at(self, table: str) -> str:
        return self.pit.floor.tables[table].round or f"{table}-1"

    def awards_at(self, table: str) -> list[str]:
        return sorted(id_ for id_, award in self.pit.floor.awards.items() if award.table == table) or ["none"]

    @rule(table=TABLES, seats=st.lists(SEATS, unique=True))
    def start(self, table: str, seats: list[int]) -> None:
        self.attempt(StartRound(table, sensors={"1": seats} if seats else {}))

    @rule(table=TABLES, seat=SEATS, hand=st.sampled_from(HANDS))
    def press(self, table: str, seat: int, hand: str) -> None:
        self.attempt(PressHand(self.round_at(table), seat, hand))

    @rule(table=TABLES, from_tray=st.booleans())
    def hit(self, table: str, from_tray: bool) -> None:
        self.attempt(HitJackpot(self.round_at(table), "tray" if from_tray else None))

    @rule(table=TABLES, pick=st.integers(0, 9), badge=st.sampled_from(("badge-S1", "badge-E1", "badge-D1")))
    def pay(self, table: str, pick: int, badge: str) -> None:
        awards = self.awards_at(table)
        award = self.pit.floor.awards.get(awards[pick % len(awards)])
        if award is not None:
            self.attempt(AddReference(award.round, award.id, award.hand, award.cents, "cam"), "V1")
        self.attempt(PayJackpot(awards[pick % len(awards)], badge))

    @rule(table=TABLES, pick=st.integers(0, 9))
    def reject(self, table: str, pick: int) -> None:
        awards = self.awards_at(table)
        self.attempt(RejectJackpot(awards[pick % len(awards)], "badge-S1", "did not stand"))

    @rule(table=TABLES, seat=SEATS, made=st.booleans())
    def correct(self, table: str, seat: int, made: bool) -> None:
        self.attempt(CorrectWager(self.round_at(table), "1", seat, made, "slip", "badge-S1"))

    @rule(table=TABLES)
    def end(self, table: str) -> None:
        self.attempt(EndRound(self.round_at(table)))

    @rule(table=TABLES)
    def void(self, table: str) -> None:
        self.attempt(VoidRound(self.round_at(table), "badge-S1", "misdeal"))

    @rule(table=TABLES)
    def reopen(self, table: str) -> None:
        self.attempt(ReopenRound(table, "badge-S1", "missed a winner"))

    @rule(table=TABLES)
    def hold(self, table: str) -> None:
        self.attempt(HoldRound(self.round_at(table), "badge-S1", "dispute"))

    @rule(pick=st.integers(0, 9), decision=st.sampled_from(("resume", "void")))
    def decide(self, pick: int, decision: Any) -> None:
        held = sorted(id_ for id_, round_ in self.pit.floor.rounds.items() if round_.phase == "held") or ["none"]
        self.attempt(DecideRound(held[pick % len(held)], "badge-E1", decision, "decided", "case"), "S1")

    @invariant()
    def books_are_sound(self) -> None:
        floor = self.pit.floor
        assert sum(floor.balances.values()) == 0
        for name, balance in floor.balances.items():
            assert kind_of_account(name) not in NEVER_OVERDRAWN or balance <= 0, name
        locked = sum(a.cents for a in floor.awards.values() if a.status == "hit" and a.source == "meter")
        assert self.pit.held("locked", "L1", "main") == locked * 10_000
        assert all(amount >= 0 for amount in displayed(floor, floor.links["L1"]).values())

    @invariant()
    def the_state_is_what_it_says(self) -> None:
        """A state that is written down and read back is the same."""
        snapshot = self.pit.floor.snapshot()
        import msgspec

        assert canonical(Floor.restored(msgspec.json.decode(canonical(snapshot))).snapshot()) == canonical(snapshot)


TestAnyOrder = AnyOrder.TestCase
TestAnyOrder.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
