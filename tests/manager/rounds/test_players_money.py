"""Players' money in any interplay of two tables, two sensors and several levels: who put it in, and who took it out.

All that a link holds for players is what they have contributed, what it was opened with and what the house has seeded,
less what was paid; beside that the house may only bear what a void could no longer find.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from houseway.definitions import Game, defined_as, game
from houseway.errors import InputError
from houseway.manager.commands.link_commands import Approve, Propose
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
from houseway.manager.core.award_entities import Award
from houseway.manager.core.command import AnyCommand
from houseway.manager.core.ledger import NEVER_OVERDRAWN, kind_of_account
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.core.money import rate
from houseway.manager.core.signs import displayed
from tests.manager.pit import Pit, progressive, put_papers, table_of

LINKS = {"1": "L1", "2": "L2"}
LEVELS = {"L1": ("main",), "L2": ("five_aces", "royal_flush")}
HANDS = ("five-aces", "five-aces", "royal-flush", "straight-flush", "full-house")
SEATS = st.integers(1, 4)
TABLES = st.sampled_from(("T1", "T2"))
SENSORS = st.sampled_from(("1", "1", "2"))
LINK = st.sampled_from(("L1", "L1", "L2"))
DOLLAR = 1_000_000
CHANGES = st.sampled_from(
    [
        *({"change": "limit", "limit": above, "posted": "signs"} for above in (None, 1, 30, 1_000)),
        *({"change": "level", "seed": seed, "when": when} for seed in (0, 100, 30_000) for when in ("idle", "won")),
        *({"change": "link", "order": order} for order in ("seat-order", "full-to-each")),
        *({"change": "link", "fixed_pays": source} for source in ("tray", "meter")),
        *(
            {"change": "adjustment", "code": code, "micros": micros, "reference": "slip"}
            for code, micros in (("recover-seed", -DOLLAR), ("recover-seed", -200 * DOLLAR), ("seed-added", DOLLAR))
        ),
    ]
)
BEARING = (VoidRound, DecideRound, CorrectWager)
"""What may find a contribution gone that it must give back."""


def _with_two_sensors(game_id: str) -> Game:
    """The game with a second jackpot wager, so that two links with several levels and envy meet at one table."""
    played = game(game_id)
    (jackpot,) = played.jackpots
    return replace(played, wagers=(*played.wagers, replace(jackpot, name="progressive2", table_wager=jackpot.name)))


class PlayersMoney(RuleBasedStateMachine):
    """Dealers, supervisors and an office who do anything at any time."""

    def __init__(self) -> None:
        super().__init__()
        self.rules = ExitStack()
        self.rules.enter_context(defined_as(_with_two_sensors("six-card-fortune")))
        self.pit = Pit()
        self.opened: dict[str, int] = {}
        self.borne: dict[str, int] = {}

    def teardown(self) -> None:
        self.rules.close()

    @initialize(
        seed=st.sampled_from((0, 20_000)),
        meter=st.sampled_from((0, 50_000)),
        room=st.none() | st.sampled_from((0, 20, 200, 5_000)),
        reserve=st.sampled_from(("0", "1/100")),
        falls=st.sampled_from(("at-payment", "at-hit")),
        shows=st.sampled_from(("at-start", "at-end")),
        fixed=st.sampled_from(("tray", "meter")),
        order=st.sampled_from(("seat-order", "full-to-each")),
    )
    def open_the_links(self, seed: int, meter: int, room: int | None, reserve: str, **more: str) -> None:
        # Shares of a dollar in whole millionths: the exact sum leaves no remainder.
        limit = None if room is None else max(30_000, meter) + room
        level = LevelParameters(seed, "1/5", reserve, limit)
        common: dict[str, Any] = {
            "display_falls": more["falls"], "shows_contributions": more["shows"], "fixed_pays": more["fixed"],
            "order": more["order"], "fixed_supervisor_from": 2_000,
        }  # fmt: skip
        links = [
            progressive("L1", "6CFPGPP-2", levels={"main": level}, **common),
            progressive("L2", "6CFPGPP-3", levels=dict.fromkeys(LEVELS["L2"], level), **common),
        ]
        tables = [table_of("T1", sensors=LINKS), table_of("T2", sensors=LINKS)]
        meters = {f"{link}/{level}": meter for link, levels in LEVELS.items() for level in levels}
        self.pit = Pit(*links, tables=tables, meters=meters)
        self.opened = {link: meter * 10_000 * len(levels) for link, levels in LEVELS.items()}
        self.borne = dict.fromkeys(LEVELS, 0)

    # ------------------------------------------------------------ what people do

    def attempt(self, command: AnyCommand, actor: str | None = None) -> dict[str, Any] | None:
        """Carried out or refused; what was locked and is won from elsewhere since must stand either way."""
        standing = self._standing()
        try:
            answer = self.pit.do(command, actor)
        except InputError:
            return None
        for award in standing:
            now = self.pit.floor.awards.get(award.id)
            assert now is None or (now.cents, now.locked_as) == (award.cents, award.locked_as), award.id
        for link in LEVELS:
            borne = self._borne(link)
            assert borne >= self.borne[link], f"{link}: players lost {self.borne[link] - borne}"
            assert borne == self.borne[link] or isinstance(command, BEARING), f"the house paid {borne} for nothing"
            self.borne[link] = borne
        return answer

    def _standing(self) -> list[Award]:
        """Locked awards after which another round has locked one on the same level."""
        locked = [each for each in self.pit.floor.awards.values() if each.status == "hit" and each.source == "meter"]
        won = [each for each in self.pit.floor.awards.values() if each.status != "pressed" and each.source == "meter"]
        return [
            each
            for each in locked
            if any(
                other.round != each.round
                and (other.link, other.level) == (each.link, each.level)
                and other.locked_as > max(a.locked_as for a in locked if (a.round, a.level) == (each.round, each.level))
                for other in won
            )
        ]

    def _borne(self, link: str) -> int:
        """What the players of a link have beyond their own contributions, the opening and the seeds."""
        pit = self.pit
        held = sum(pit.held(kind, link, level) for kind in NEVER_OVERDRAWN for level in LEVELS[link])
        seeds = sum(pit.floor.balances.get(f"seed/{link}/{level}", 0) for level in LEVELS[link])
        return held + pit.held("paid", link) - seeds - self.opened[link] - self._contributed(link)

    def _contributed(self, link: str) -> int:
        """The exact share of all wagers that count: levels keep the sum of those."""
        total = 0
        for level in LEVELS[link]:
            parameters = self.pit.floor.links[link].levels[level]
            figures = self.pit.floor.levels.get(f"{link}/{level}")
            share = rate(parameters.contribution) + rate(parameters.reserve)
            total += int(share * (figures.wagered_micros if figures else 0))
        return total

    def round_at(self, table: str) -> str:
        return self.pit.floor.tables[table].round or f"{table}-1"

    def award_at(self, table: str, pick: int) -> str:
        awards = sorted(id_ for id_, award in self.pit.floor.awards.items() if award.table == table) or ["none"]
        return awards[pick % len(awards)]

    def playing(self, table: str, seats: set[int]) -> str:
        """The round of a table; one is begun where none is in play."""
        if self.pit.floor.tables[table].round is None:
            put_papers(self.pit.floor, self.pit.now)
            self.attempt(StartRound(table, sensors={"1": sorted(seats), "2": sorted(seats)}))
        return self.round_at(table)

    @rule(table=TABLES, seats=st.sets(SEATS, min_size=1))
    def start(self, table: str, seats: set[int]) -> None:
        self.playing(table, seats)

    @rule(table=TABLES, sensor=SENSORS, seat=SEATS, other=SEATS, hand=st.sampled_from(HANDS), at_once=st.booleans())
    def win(self, table: str, sensor: str, seat: int, other: int, hand: str, at_once: bool) -> None:
        round_ = self.playing(table, {seat, other})
        self.attempt(PressHand(round_, seat, hand, sensor=sensor))
        if at_once:
            self.attempt(HitJackpot(round_, "tray"))

    @rule(table=TABLES, from_tray=st.booleans())
    def hit(self, table: str, from_tray: bool) -> None:
        self.attempt(HitJackpot(self.round_at(table), "tray" if from_tray else None))

    @rule(table=TABLES, pick=st.integers(0, 9), all_of_them=st.booleans())
    def pay(self, table: str, pick: int, all_of_them: bool) -> None:
        """One award, or all of them from the far right and END GAME."""
        awards = sorted((each for each in self.pit.floor.awards.values() if each.table == table), key=lambda a: -a.seat)
        for award in awards if all_of_them else awards[pick : pick + 1]:
            self.attempt(AddReference(award.round, award.id, award.hand, award.cents, "cam"), "V1")
            self.attempt(PayJackpot(award.id, "badge-E1"))
        if all_of_them:
            self.attempt(EndRound(self.round_at(table)))

    @rule(table=TABLES, pick=st.integers(0, 3))
    def reject(self, table: str, pick: int) -> None:
        self.attempt(RejectJackpot(self.award_at(table, pick), "badge-S1", "did not stand"))

    @rule(table=TABLES, sensor=SENSORS, seat=SEATS)
    def correct(self, table: str, sensor: str, seat: int) -> None:
        before, round_ = dict(self.borne), self.pit.floor.rounds.get(self.round_at(table))
        taken = {each.sensor: each.seats for each in round_.taken} if round_ else {}
        made = seat not in taken.get(sensor, ())
        self.attempt(CorrectWager(self.round_at(table), sensor, seat, made, "slip", "badge-S1"))
        assert not made or self.borne == before, "a wager that was missed costs the house nothing"

    @rule(table=TABLES)
    def end(self, table: str) -> None:
        self.attempt(EndRound(self.round_at(table)))

    @rule(table=TABLES, trouble=st.sampled_from(("void", "hold", "reopen", "resume", "decide void")))
    def trouble(self, table: str, trouble: str) -> None:
        held = [id_ for id_, round_ in self.pit.floor.rounds.items() if round_.phase == "held"]
        if trouble == "void":
            self.attempt(VoidRound(self.round_at(table), "badge-S1", "misdeal"))
        elif trouble == "hold":
            self.attempt(HoldRound(self.round_at(table), "badge-S1", "dispute"))
        elif trouble == "reopen":
            self.attempt(ReopenRound(table, "badge-S1", "missed a winner"))
        elif held:
            decision: Any = "resume" if trouble == "resume" else "void"
            self.attempt(DecideRound(held[0], "badge-E1", decision, "decided", "case"), "S1")

    # ------------------------------------------------------------ what two people do

    def two_people(self, **what: Any) -> None:
        told = self.attempt(Propose(what, "as agreed"), "A1")
        if told is not None:
            self.attempt(Approve(told["proposal"], told["content_hash"], "badge-E1"), "E1")

    @rule(pick=st.integers(0, 3), recover_seed=st.booleans(), times=st.integers(1, 2))
    def back_out(self, pick: int, recover_seed: bool, times: int) -> None:
        paid = sorted(hit.award for level in self.pit.floor.levels.values() for hit in level.recent)
        for award in paid[pick : pick + 1] * times:
            self.two_people(change="back-out", award=award, reference="incident", recover_seed=recover_seed)

    @rule(link=LINK, pick=st.integers(0, 1), change=CHANGES)
    def change(self, link: str, pick: int, change: dict[str, Any]) -> None:
        what = {"link": link, **change}
        if change["change"] != "link":
            what["level"] = LEVELS[link][pick % len(LEVELS[link])]
        if change["change"] == "limit" and change["limit"] is not None:
            shown = displayed(self.pit.floor, self.pit.floor.links[link])[what["level"]]
            what["limit"] = -(-shown // 10_000) + change["limit"]
        self.two_people(**what)

    # ------------------------------------------------------------ what must hold

    @invariant()
    def nothing_is_overdrawn(self) -> None:
        floor = self.pit.floor
        assert sum(floor.balances.values()) == 0
        for name, balance in floor.balances.items():
            kind = kind_of_account(name)
            assert kind not in NEVER_OVERDRAWN or balance <= 0, name
            assert kind != "seed" or balance >= 0, f"{name}: the house took back more than it had advanced"

    @invariant()
    def locked_is_what_awards_say(self) -> None:
        locked = [each for each in self.pit.floor.awards.values() if each.status == "hit" and each.source == "meter"]
        for link, levels in LEVELS.items():
            for level in levels:
                cents = sum(each.cents for each in locked if (each.link, each.level) == (link, level))
                assert self.pit.held("locked", link, level) == cents * 10_000

    @invariant()
    def posted_limits_hold(self) -> None:
        for id_ in LEVELS:
            link = self.pit.floor.links.get(id_)
            for level, shown in displayed(self.pit.floor, link).items() if link else ():
                limit = link.levels[level].limit if link else None
                if limit is not None:
                    assert max(shown, self.pit.held("meter", id_, level)) <= limit * 10_000

    @invariant()
    def drops_hold_the_wagers_that_count(self) -> None:
        dropped = sum(self.pit.held("drop", table) for table in ("T1", "T2"))
        counted = sum(
            self.pit.floor.levels[f"{link}/{levels[0]}"].wagered_micros
            for link, levels in LEVELS.items()
            if f"{link}/{levels[0]}" in self.pit.floor.levels
        )
        assert dropped == counted


TestPlayersMoney = PlayersMoney.TestCase
TestPlayersMoney.settings = settings(max_examples=120, stateful_step_count=50, deadline=None)
