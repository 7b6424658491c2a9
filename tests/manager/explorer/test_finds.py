"""Managers that are wrong on purpose, each in one place: the explorer finds every one of them, by the shortest way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from houseway.errors import Fault, InputError
from houseway.manager.core.award_entities import Award
from houseway.manager.core.engine import Decision, person_of_badge
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Person
from houseway.manager.core.link_entities import Link
from houseway.manager.core.table_entities import Round
from houseway.manager.handlers import awards, common, disputes, house, meters, rounds
from instruments.explorer import SCENARIOS, Exploration
from instruments.explorer.long_mode import outcome

Patch = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class Wrong:
    """A mistake, and the rule that it breaks."""

    name: str
    scenario: str
    depth: int
    rule: str
    make: Patch


def _nothing(*_: Any, **__: Any) -> None:
    return None


def _money_from_nowhere(patch: pytest.MonkeyPatch) -> None:
    transfer = Floor.transfer

    def more(floor: Floor, debit: str, credit: str, micros: int) -> tuple[int, int]:
        floor.balances["house"] = floor.balances.get("house", 0) + credit.startswith("receipts")
        return transfer(floor, debit, credit, micros)

    patch.setattr(Floor, "transfer", more)


def _a_millionth_more(patch: pytest.MonkeyPatch) -> None:
    share = meters.share

    def more(amount: int, of: Any, carried: str) -> tuple[int, str]:
        posted, rest = share(amount, of, carried)
        return posted + 1, rest

    patch.setattr(meters, "share", more)


def _rejected_but_locked(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(awards, "release", _nothing)


def _pressed_over_paid(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(awards, "award_at", _nothing)


def _no_limit(patch: pytest.MonkeyPatch) -> None:
    for module in (meters, awards, rounds):
        patch.setattr(module, "hold_limits", _nothing, raising=False)
    patch.setattr(meters, "room_below_limit", lambda *_: 10**18)


def _never_over(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rounds, "_open_faults", lambda *_: [Fault("award-open", "round", "not yet")])


def _nobody_pays(patch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise InputError.of("second-person", "badge", "somebody else")

    patch.setattr(awards, "_refuse_out_of_order", refuse)


def _dealer_as_second(patch: pytest.MonkeyPatch) -> None:
    def anybody(_decision: Decision, person: Person, _round: Round) -> Person:
        return person

    for module in (common, awards, disputes):
        patch.setattr(module, "not_dealing", anybody)


def _verifier_pays(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(awards, "_refuse_own_reference", _nothing)


def _falls_over(patch: pytest.MonkeyPatch) -> None:
    def fall(_decision: Decision, _link: Link, award: Award, _reason: str) -> None:
        raise AssertionError(award.id)

    patch.setattr(awards, "release", fall)


def _void_keeps_the_reserve(patch: pytest.MonkeyPatch) -> None:
    draw = meters._draw
    kept: Callable[..., int] = lambda books, source, *more: (  # noqa: E731
        0 if source.startswith("reserve") else draw(books, source, *more)
    )
    patch.setattr(meters, "_draw", kept)


def _paid_too_little(patch: pytest.MonkeyPatch) -> None:
    half = awards.micros
    patch.setattr(awards, "micros", lambda cents: half(cents) // 2)


def _handed_out_twice(patch: pytest.MonkeyPatch) -> None:
    transfer = Floor.transfer
    patch.setattr(
        Floor,
        "transfer",
        lambda self, debit, credit, micros: transfer(self, debit, credit, micros * (1 + credit.startswith("paid/"))),
    )


def _one_department_is_enough(patch: pytest.MonkeyPatch) -> None:
    def anybody(decision: Decision, badge: str | None, path: str, *_: Any) -> Person:
        if badge is None:
            raise InputError.of("badge-needed", path, "swipe a badge")
        return person_of_badge(decision, badge, path)

    patch.setattr(house, "second_person", anybody)


def _any_order_of_paying(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(rounds, "choice_faults_in_play", lambda *_: [])


WRONG = (
    Wrong("money from nowhere", "rounds", 1, "zero-sum", _money_from_nowhere),
    Wrong("a millionth too much", "winners", 1, "conservation", _a_millionth_more),
    Wrong("a rejection that unlocks nothing", "controllers", 3, "locked", _rejected_but_locked),
    Wrong("a button over a paid award", "controllers", 6, "double-pay", _pressed_over_paid),
    Wrong("no posted limit", "winners", 2, "limit", _no_limit),
    Wrong("a round without an end", "rounds", 1, "dead-end", _never_over),
    Wrong("a payment for nobody", "controllers", 2, "unpayable", _nobody_pays),
    Wrong("the dealer as second person", "rounds", 3, "dealer-seconds round.void", _dealer_as_second),
    Wrong("surveillance pays what it verified", "surveillance", 4, "verifier-pays", _verifier_pays),
    Wrong("a handler that falls over", "controllers", 3, "crash", _falls_over),
    Wrong("a void that keeps the reserve", "rounds", 2, "conservation", _void_keeps_the_reserve),
    Wrong("twice as much handed out", "controllers", 3, "paid", _handed_out_twice),
    Wrong("two people of one department", "badges", 1, "one-department person.add", _one_department_is_enough),
    Wrong("any order of paying", "choices", 3, "uncovered-choice", _any_order_of_paying),
    Wrong("half the money", "controllers", 3, "locked", _paid_too_little),
)


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong.name.replace(" ", "-"))
def test_a_wrong_manager_is_found(wrong: Wrong, monkeypatch: pytest.MonkeyPatch) -> None:
    search = Exploration(SCENARIOS[wrong.scenario])
    wrong.make(monkeypatch)
    search.run(depth=wrong.depth, until=lambda: wrong.rule in search.findings)
    assert wrong.rule in search.findings, outcome(search)
    assert len(search.findings[wrong.rule].path) <= wrong.depth
