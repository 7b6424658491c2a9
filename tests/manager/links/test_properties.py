"""Whatever is played, proposed, approved and withdrawn in any order: books balance, nothing held falls below zero.

`Room.do` itself holds every step against a second engine that only reads the events, and against the sum of all books.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from houseway.errors import InputError
from houseway.manager.commands.link_commands import RecordDeposit, ResumeLink, StopLink
from houseway.manager.core.ledger import NEVER_OVERDRAWN, kind_of_account, shown_balance
from houseway.manager.core.money import rate
from houseway.manager.handlers.adjustments import REASONS
from tests.manager.floors import ACCOUNTING, CAGE, EXECUTIVE, SUPERVISOR, Room, badge
from tests.manager.links.desk import approve, end, hit, opened, pay, playing_room, propose, start, win, withdraw

HANDS = ("seven-card-straight-flush", "royal-flush-royal-match", "seven-card-straight-flush-joker")
LINKS = ("L1", "L2")
amounts = st.one_of(
    st.integers(-3 * 10**9, 3 * 10**9), st.integers(-2_000_000, 2_000_000), st.sampled_from([-2_500_000_000, -1, 1])
)
rates = st.builds(lambda top, bottom: f"{top}/{bottom}", st.integers(0, 3), st.integers(1, 17))
links = st.sampled_from(LINKS)


def change(name: str, **fields: Any) -> st.SearchStrategy[dict[str, Any]]:
    strategies = {
        key: value if isinstance(value, st.SearchStrategy) else st.just(value) for key, value in fields.items()
    }
    return st.fixed_dictionaries({"change": st.just(name), **strategies})


changes = st.one_of(
    change("level", link=links, level="main", seed=st.integers(0, 400_000), when=st.sampled_from(["idle", "won"])),
    change("level", link=links, level="main", contribution=rates, reserve=rates, drain=st.booleans()),
    change("limit", link=links, level="main", limit=st.none() | st.integers(200_000, 700_000), posted="signs"),
    change("link", link=links, wager=st.sampled_from([50, 100, 137, 500]), drain=st.booleans()),
    change(
        "adjustment", link=links, level="main", code=st.sampled_from(list(REASONS)), micros=amounts, reference="x",
        account=st.sampled_from(["meter", "reserve", "overflow"]), table=st.sampled_from([None, "T1"]),
    ),
    change("back-out", award=st.integers(1, 6).map(lambda n: f"T1-{n}/1"), reference="x", recover_seed=st.booleans()),
    change(
        "retire", link=links, paper="x", recover_seed=st.booleans(),
        to=links.map(lambda link: {"main": {"link": link, "level": "main"}}),
    ),
)  # fmt: skip
Step = tuple[str, Any]
steps: st.SearchStrategy[Step] = st.one_of(
    st.tuples(st.just("change"), changes),
    st.tuples(st.just("change"), changes),
    st.tuples(st.just("start"), st.tuples(st.sampled_from(["T1", "T2"]), st.integers(1, 6))),
    st.tuples(st.just("end"), st.sampled_from(["T1", "T2"])),
    st.tuples(st.just("hit"), st.tuples(st.sampled_from(["T1", "T2"]), st.sampled_from(HANDS))),
    st.tuples(st.just("win"), st.sampled_from(HANDS)),
    st.tuples(st.just("deposit"), st.integers(-300_000, 300_000)),
    st.tuples(st.just("approve"), st.none()),
    st.tuples(st.just("withdraw"), st.none()),
    st.tuples(st.just("stop"), links),
    st.tuples(st.just("resume"), links),
)


class Walk:
    """A room on which steps are tried; a refusal is as good as an acceptance."""

    def __init__(self) -> None:
        self.room: Room = playing_room(levels=None)
        opened(self.room, "L2", "FPGPP-WA07", carried=123)
        self.proposals: list[dict[str, Any]] = []

    def try_step(self, kind: str, what: Any) -> None:
        before = {id_: link.version for id_, link in self.room.floor.links.items()}
        with contextlib.suppress(InputError):
            getattr(self, f"do_{kind}")(what)
        self.check(before)

    def do_change(self, what: dict[str, Any]) -> None:
        self.proposals.append(propose(self.room, **what))
        self.do_approve(None)

    def do_approve(self, _what: None) -> None:
        if self.proposals:
            approve(self.room, self.proposals[-1])

    def do_withdraw(self, _what: None) -> None:
        if self.proposals:
            withdraw(self.room, self.proposals.pop(0))

    def do_start(self, what: tuple[str, int]) -> None:
        start(self.room, what[0], tuple(range(1, what[1] + 1)))

    def do_end(self, table: str) -> None:
        round_ = self.room.table(table).round
        if round_ is not None:
            for award in list(self.room.floor.awards.values()):
                if award.round == round_ and award.status == "hit":
                    pay(self.room, award.id)
            end(self.room, round_)

    def do_hit(self, what: tuple[str, str]) -> None:
        round_ = self.room.table(what[0]).round
        if round_ is not None:
            hit(self.room, round_, 1, what[1])

    def do_win(self, hand: str) -> None:
        win(self.room, hand)

    def do_deposit(self, cents: int) -> None:
        self.room.do(CAGE, RecordDeposit("L1", cents, "slip", badge(ACCOUNTING)))

    def do_stop(self, link: str) -> None:
        self.room.do(SUPERVISOR, StopLink(link, badge(EXECUTIVE), "other", "water"))

    def do_resume(self, link: str) -> None:
        self.room.do(SUPERVISOR, ResumeLink(link, badge(EXECUTIVE), "dry"))

    def check(self, versions_before: dict[str, int]) -> None:
        floor = self.room.floor
        assert sum(floor.balances.values()) == 0
        for name, balance in floor.balances.items():
            kind = kind_of_account(name)
            if kind in NEVER_OVERDRAWN or kind in ("bank", "seed", "paid"):
                assert shown_balance(name, balance) >= 0, name
        for id_, link in floor.links.items():
            assert link.version >= versions_before[id_]
            for level, parameters in link.levels.items():
                figures = floor.levels[f"{id_}/{level}"]
                assert rate(parameters.contribution) + rate(parameters.reserve) <= 1
                assert figures.seeded_micros >= 0
                if link.status == "retired":
                    assert not any(floor.held(f"{kind}/{id_}/{level}") for kind in NEVER_OVERDRAWN)
        waiting = [each for each in floor.proposals.values() if each.status == "approved"]
        for id_, link in floor.links.items():
            if link.status == "draining":
                assert any(each.what.get("link") == id_ and each.what.get("drain") for each in waiting)


@settings(max_examples=60)
@given(st.lists(steps, max_size=25))
def test_books_balance_and_nothing_held_falls_below_zero(walked: list[Step]) -> None:
    walk = Walk()
    for kind, what in walked:
        walk.try_step(kind, what)


@given(changes, st.integers(0, 6))
def test_a_change_moves_a_version_by_one_or_not_at_all(what: dict[str, Any], seats: int) -> None:
    walk = Walk()
    if seats:
        start(walk.room, "T1", tuple(range(1, seats + 1)))
    before = {id_: link.version for id_, link in walk.room.floor.links.items()}
    walk.try_step("change", what)
    moved = {id_: link.version - before[id_] for id_, link in walk.room.floor.links.items()}
    assert sum(moved.values()) in (0, 1)
    if what["change"] in ("adjustment", "back-out"):
        assert sum(moved.values()) == 0


def test_the_steps_reach_what_they_are_for() -> None:
    """A walk by hand through every kind of step: none of them is refused for want of preparation."""
    walk = Walk()
    script: list[Callable[[], None]] = [
        lambda: walk.do_start(("T1", 3)),
        lambda: walk.do_change({"change": "level", "link": "L1", "level": "main", "seed": 300_000, "drain": True}),
        lambda: walk.do_hit(("T1", HANDS[0])),
        lambda: walk.do_end("T1"),
        lambda: walk.do_win(HANDS[1]),
        lambda: walk.do_deposit(100),
        lambda: walk.do_stop("L1"),
        lambda: walk.do_resume("L1"),
        lambda: walk.do_change({"change": "back-out", "award": "T1-1/1", "reference": "x", "recover_seed": False}),
        lambda: walk.do_change(
            {"change": "retire", "link": "L1", "paper": "x", "to": {"main": {"link": "L2", "level": "main"}}}
        ),
    ]
    for step in script:
        before = {id_: link.version for id_, link in walk.room.floor.links.items()}
        step()
        walk.check(before)
    assert walk.room.floor.links["L1"].status == "retired"
