"""The checker's own parts: what it may know, what it reads off a text, how it follows the chain, how it reports."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

import instruments.simulator.checker
from houseway.manager.commands import COMMANDS
from houseway.paytables import paytable
from instruments.simulator import Simulation
from instruments.simulator.checker import Checker, CheckError
from instruments.simulator.checker.chain import Chain, ChainEntry
from instruments.simulator.checker.papers import printed_tables
from instruments.simulator.checker.rules import RULES
from instruments.simulator.checker.secrecy import Secrecy
from instruments.simulator.coverage import OWN
from instruments.simulator.mishaps import MemoryStore
from instruments.simulator.runner import _entry

MAY_KNOW = ("houseway.cards", "houseway.ranking", "instruments.simulator.checker")
"""Cards and what beats what are not part of the manager; everything else the checker works out for itself."""


def imported(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return {name for name in found if name.startswith(("houseway", "instruments"))}


def test_the_checker_has_never_seen_the_managers_code() -> None:
    folder = Path(instruments.simulator.checker.__file__).parent
    files = sorted(folder.glob("*.py"))
    assert len(files) > 10
    for path in files:
        assert all(name.startswith(MAY_KNOW) for name in imported(path)), path


def test_every_command_that_somebody_can_send_has_a_rule() -> None:
    assert set(RULES) == set(COMMANDS) - OWN


def test_pay_tables_read_twice_say_the_same() -> None:
    for id_, printed in printed_tables().items():
        theirs = {hand: line for line in reversed(paytable(id_).lines) for hand in line.hands}
        ours = {hand: (line.pays, line.percent, line.level, line.envy_cents) for hand, line in printed.buttons.items()}
        assert ours == {hand: (line.pays, line.percent, line.level, line.envy) for hand, line in theirs.items()}, id_


# Secrecy


def test_a_seed_is_found_in_any_text_until_it_is_revealed() -> None:
    secrecy, seed = Secrecy(), bytes(range(32))
    secrecy.drew(seed)
    secrecy.check_seeds("ab" * 32, "a text")
    for text in (seed.hex(), seed.hex().upper(), f'{{"x": "00{seed.hex()}ff"}}'):
        with pytest.raises(CheckError, match="before its reveal"):
            secrecy.check_seeds(text, "a text")
    secrecy.reveal(seed.hex())
    secrecy.check_seeds(seed.hex(), "a text")


def test_cards_are_found_and_ids_of_rules_are_none() -> None:
    assert Secrecy.cards_in('["As", "Jk", "Td"]') == {"As", "Jk", "Td"}
    assert Secrecy.cards_in('{"rule":"6d", "clause": "6cfpgp/rules/6.d", "device": "C-T1"}') == set()
    with pytest.raises(CheckError, match="Kh"):
        Secrecy.check_cards('["As", "Kh"]', {"As"}, "an answer")


# The chain


@pytest.fixture(scope="module")
def journal() -> list[ChainEntry]:
    store = MemoryStore()
    Simulation(5, steps=30, store=store).run()
    return [_entry(event) for event in store.shared.events]


def read(entries: list[ChainEntry]) -> Chain:
    chain = Chain()
    for entry in entries:
        chain.extend(entry)
    return chain


def test_a_journal_is_followed_to_its_end(journal: list[ChainEntry]) -> None:
    chain = read(journal)
    assert chain.head == journal[-1].hash
    assert sum(chain.balances.values()) == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda entry: replace(entry, text=entry.text.replace("true", "false")),
        lambda entry: replace(entry, at=entry.at + 1),
        lambda entry: replace(entry, actor="EX1"),
        lambda entry: replace(entry, seq=entry.seq + 1),
        lambda entry: replace(entry, hash="0" * 64),
        lambda entry: replace(entry, leaf="0" * 64),
        lambda entry: replace(entry, salt="0" * 64),
        lambda entry: replace(entry, salt=entry.salt[:32] + "0" * 32),
        lambda entry: replace(entry, input_hash="0" * 64),
    ],
)
def test_an_altered_entry_is_noticed(journal: list[ChainEntry], change: object) -> None:
    place = next(number for number, entry in enumerate(journal) if entry.kind == "sensor.set")
    with pytest.raises(CheckError):
        read([*journal[:place], change(journal[place]), *journal[place + 1 :]])  # type: ignore[operator]


def test_a_missing_and_a_doubled_entry_are_noticed(journal: list[ChainEntry]) -> None:
    with pytest.raises(CheckError):
        read([*journal[:9], *journal[10:]])
    with pytest.raises(CheckError):
        read([*journal[:10], journal[9], *journal[10:]])


@pytest.mark.parametrize(
    ("transfer", "told"),
    [
        (["house", "meter/L1/main", 0, "malfunction", "change:P1"], "whole number above zero"),
        (["house", "meter/L1/main", -5, "malfunction", "change:P1"], "whole number above zero"),
        (["house", "house", 5, "malfunction", "change:P1"], "two accounts"),
        (["house", "meter/L1/main", 5, "", "change:P1"], "a reason and a subject"),
        (["house", "meter/L1/main", 5, "malfunction", "change"], "a reason and a subject"),
        (["meter/L1/main", "house", 5, "malfunction", "change:P1"], "overdrawn"),
    ],
)
def test_transfers_move_something_and_never_overdraw(
    journal: list[ChainEntry], transfer: list[object], told: str
) -> None:
    entry = replace(journal[0], body={**journal[0].body, "post": [transfer]})
    with pytest.raises(CheckError, match=told):
        Chain()._transfer(entry)


# Errors


def test_an_error_names_the_seed_the_step_and_both_figures() -> None:
    error = CheckError("award T1-1/1", 100, 101)
    error.seed, error.step = 4711, 12
    assert str(error) == "seed 4711, step 12: award T1-1/1; by the documents 100, found 101"


def test_an_entry_that_nobody_asked_for_is_noticed(journal: list[ChainEntry]) -> None:
    with pytest.raises(CheckError, match="asked for"):
        Checker().group([], None, journal[:1])
