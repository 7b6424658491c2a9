"""docs/compliance.md has every point of the checklist once, and names tests that exist; and points shown here."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import msgspec
import pytest

from houseway.manager.commands.round_commands import RejectJackpot
from houseway.manager.store.event_body import Body
from tests.manager.floors import DEALER, new_room
from tests.manager.pit import Pit, progressive

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "compliance.md").read_text(encoding="utf-8")
POINTS = [*(f"W{n}" for n in range(1, 21)), *(f"C{n}" for n in range(1, 13)), *(f"L{n}" for n in range(1, 7)), "R1"]
HEADING = re.compile(r"^### (\S+) · (.+)$", re.MULTILINE)
NAMED = re.compile(r"`(tests/[\w/.-]+\.py)::(\w+)`")
ANY_TEST = re.compile(r"`(tests/[^`]*)`")


def sections() -> dict[str, str]:
    parts = HEADING.split(PAGE)[1:]
    return {parts[at]: parts[at + 2] for at in range(0, len(parts), 3)}


@cache
def names_in(path: Path) -> frozenset[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def test_every_point_is_there_once_and_in_order() -> None:
    found = [point for point, _ in HEADING.findall(PAGE)]
    assert Counter(found).most_common(1)[0][1] == 1
    assert found == POINTS


def test_the_page_says_first_that_it_is_no_legal_advice() -> None:
    first = PAGE.split("\n\n")[1]
    assert "design checklist and no legal advice" in first


@pytest.mark.parametrize("point", POINTS)
def test_a_point_says_what_it_asks_what_meets_it_and_what_shows_it(point: str) -> None:
    text = sections()[point]
    assert len(text.split("\n- ")[0].strip()) > 20, "what it asks for"
    labels = re.findall(r"^- ([A-Z][a-z ]+):", text, re.MULTILINE)
    assert labels[:2] == ["Met by", "Shown by"]
    assert set(labels[2:]) <= {"Operator", "Missing"}
    assert len(labels) == len(set(labels))
    assert NAMED.search(text), "at least one test"


@pytest.mark.parametrize("point", POINTS)
def test_every_test_that_a_point_names_exists(point: str) -> None:
    text = sections()[point]
    named = NAMED.findall(text)
    assert len(named) == len(ANY_TEST.findall(text)), "every test is named as `path::name`"
    assert len(named) == len(set(named)), "no test is named twice for a point"
    missing = [
        f"{path}::{name}" for path, name in named if not (ROOT / path).is_file() or name not in names_in(ROOT / path)
    ]
    assert missing == []


def test_every_setting_that_the_page_names_is_on_the_list() -> None:
    from houseway.manager.core.settings import DEFINITIONS
    from houseway.manager.handlers.register_list import REGISTERS

    names = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", PAGE))
    assert names - set(DEFINITIONS) == {"rules_hash"}
    registers = set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", PAGE)) - {"funds-seized"}
    assert registers <= set(REGISTERS)


# ---------------------------------------------------------------- points that no other test shows


def test_a_level_keeps_its_meters_and_its_last_25_hits() -> None:
    pit = Pit(progressive(), meters={"L1/main": 10_000_000})
    amounts = []
    for number in range(30):
        round_ = pit.start(1, 2)
        award = pit.hit(round_, 1, "royal-flush")
        amounts.append(award.cents)
        if number == 3:
            pit.do(RejectJackpot(award.id, "badge-S1", "the cards were misread"))
            amounts.pop()
        else:
            pit.pay(award.id)
        pit.end(round_)
    level = pit.floor.levels["L1/main"]
    assert level.wagered_micros == 30 * 2 * 1_000_000
    assert level.hits == len(amounts) == 29
    assert level.won_micros == sum(amounts) * 10_000 == pit.held("paid", "L1")
    assert [hit.cents for hit in level.recent] == amounts[-25:]
    assert all((hit.table, hit.seat, hit.hand, hit.at) for hit in level.recent)


def test_meters_are_what_the_transfers_of_all_events_sum_to() -> None:
    from houseway.manager.commands.round_commands import EndRound, StartRound

    room = new_room()
    room.add_link()
    room.add_table()
    room.attach("T1", "1", "L1")
    room.open_table()
    for seats in ([1], [2, 3], [4, 5, 6]):
        answer = room.do(DEALER, StartRound("T1", {"1": seats}))
        room.do(DEALER, EndRound(answer["round"]))
    sums: Counter[str] = Counter()
    for event in room.events:
        for debit, credit, micros, _, _ in msgspec.json.decode(event.body, type=Body).post:
            sums[debit] += micros
            sums[credit] -= micros
    assert {name: amount for name, amount in sums.items() if amount} == {
        name: amount for name, amount in room.floor.balances.items() if amount
    }
    assert -sums["meter/L1/main"] == 10_000_000_000 + 6 * 200_000
