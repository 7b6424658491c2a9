"""The books of a jackpot round as docs/manager.md shows them, from a round that is played here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from houseway.manager.core.ledger import KINDS, kind_of_account
from houseway.manager.core.money import dollars
from houseway.manager.core.records import Event
from houseway.manager.store.event_body import Body
from tests.manager.pit import Pit

PAGE = Path(__file__).parents[3] / "docs/manager.md"
HEAD = "| command | debit | credit | amount | reason | about |\n|---|---|---|---:|---|---|\n"


def played() -> Pit:
    """Three wagers; seat 5 wins the whole meter, seat 2 a flush that the tray pays."""
    pit = Pit()
    round_ = pit.start(1, 2, 5)
    pit.press(round_, 5, "five-aces")
    award = pit.hit(round_, 2, "straight")
    jackpot = next(each for each in pit.floor.awards.values() if each.seat == 5)
    assert award.status == "paid"
    pit.pay(jackpot.id, "badge-S1")
    pit.end(round_)
    return pit


def rows(event: Event) -> list[str]:
    found = []
    body = msgspec.json.decode(event.body, type=Body)
    for place, (debit, credit, micros, reason, subject) in enumerate(body.post):
        command = f"`{event.kind}`" if place == 0 else ""
        found.append(f"| {command} | {debit} | {credit} | {dollars(micros)} | {reason} | {subject} |\n")
    return found


def table(pit: Pit) -> str:
    return HEAD + "".join(row for event in pit.events for row in rows(event))


def test_the_page_shows_the_books_of_a_round() -> None:
    assert table(played()) in PAGE.read_text(encoding="utf-8"), table(played())


def test_the_books_of_that_round_add_up() -> None:
    pit = played()
    sums: dict[str, int] = {}
    post: list[Any] = [each for event in pit.events for each in msgspec.json.decode(event.body, type=Body).post]
    for debit, credit, micros, _, _ in post:
        sums[debit] = sums.get(debit, 0) + micros
        sums[credit] = sums.get(credit, 0) - micros
    assert sum(sums.values()) == 0
    assert {kind_of_account(name) for name in sums} <= set(KINDS)
    assert sums["locked/L1/main"] == 0
    award = next(each for each in pit.floor.levels["L1/main"].recent if each.percent == 100)
    assert -sums["paid/L1"] == award.cents * 10_000
    assert pit.held("meter", "L1", "main") == 10_000_000_000 + 30_000, "the seed and the reserve"
