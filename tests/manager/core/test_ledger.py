"""The ledger: what a transfer is, which transfers no books take, and what becomes of commands that would break them."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import houseway
from houseway.errors import InputError
from houseway.manager.commands.round_commands import HitJackpot, PressHand, StartRound
from houseway.manager.core.ledger import (
    KINDS,
    RULES,
    AccountError,
    AmountError,
    Books,
    LedgerError,
    OverdraftError,
    Reason,
    ReasonError,
    SubjectError,
    SubjectKind,
    UnbalancedError,
    check_balanced,
    check_transfer,
)
from houseway.manager.handlers import awards, meters
from houseway.manager.store.reconcile import COLUMNS
from tests.manager.pit import Pit

JOURNAL = Path(__file__).parents[3] / "docs/reference/journal.md"
FINE: tuple[Any, ...] = ("meter/L1/main", "locked/L1/main", 5, "award", "award:T1-1/1")

BROKEN: list[tuple[type[LedgerError], tuple[Any, ...], str]] = [
    (AmountError, (*FINE[:2], 0, *FINE[3:]), "above zero"),
    (AmountError, (*FINE[:2], -5, *FINE[3:]), "above zero"),
    (AmountError, (*FINE[:2], 5.0, *FINE[3:]), "above zero"),
    (AmountError, (*FINE[:2], True, *FINE[3:]), "above zero"),
    (AccountError, ("metre/L1/main", *FINE[1:]), "no account 'metre/L1/main'"),
    (AccountError, ("meter/L1", *FINE[1:]), "meter/LINK/LEVEL"),
    (AccountError, ("meter/L1/", *FINE[1:]), "meter/LINK/LEVEL"),
    (AccountError, (FINE[0], "house/T1", *FINE[2:]), "no account 'house/T1'"),
    (ReasonError, (*FINE[:3], "gift", FINE[4]), "list of reasons"),
    (ReasonError, (*FINE[:3], "payment", FINE[4]), "payment moves nothing"),
    (ReasonError, (FINE[1], FINE[0], *FINE[2:]), "award moves nothing"),
    (ReasonError, (FINE[0], "locked/L1/minor", *FINE[2:]), "different owners"),
    (ReasonError, (FINE[0], "locked/L2/main", *FINE[2:]), "different owners"),
    (ReasonError, ("receipts/T1", "tray/T2", 5, "payment", FINE[4]), "different owners"),
    (ReasonError, ("bank/L1", "bank/L1", 5, "retirement", "change:P1"), "or are one"),
    (SubjectError, (*FINE[:4], "round:T1-1"), "about one award"),
    (SubjectError, (*FINE[:4], "award:"), "about one award"),
    (SubjectError, (*FINE[:4], "T1-1/1"), "about one award"),
    (OverdraftError, (*FINE[:2], 6, *FINE[3:]), r"meter/L1/main would be overdrawn by \$0\.000001"),
]


@pytest.mark.parametrize(("error", "transfer", "told"), BROKEN)
def test_a_transfer_that_breaks_a_guard_is_refused(error: type[LedgerError], transfer: Any, told: str) -> None:
    books = Books({"meter/L1/main": -5, "house": 5})
    with pytest.raises(error, match=told) as caught:
        books.transfer(*transfer)
    assert type(caught.value) is error
    assert books.transfers == []
    assert books.held("meter/L1/main") == 5


def test_a_transfer_that_breaks_none_moves_the_money() -> None:
    books = Books({"meter/L1/main": -5, "house": 5})
    books.transfer(*FINE)
    books.transfer_any("seed/L1/main", "meter/L1/main", 0, "reseed", FINE[4])
    assert books.transfers == [FINE]
    assert (books.held("meter/L1/main"), books.held("locked/L1/main")) == (0, 5)


@pytest.mark.parametrize("kind", ["meter", "reserve", "overflow", "locked"])
def test_players_money_is_never_overdrawn_not_even_for_a_moment(kind: str) -> None:
    books, other = Books({}), {"locked": "paid/L1", "meter": "seed/L1/main"}.get(kind, "meter/L1/main")
    reason = {"locked": "payment", "meter": "reseed-returned"}.get(kind, "release")
    with pytest.raises(OverdraftError):
        books.transfer(f"{kind}/L1/main", other, 1, reason, "award:A")  # type: ignore[arg-type]


def test_balances_that_do_not_sum_to_zero_are_refused() -> None:
    check_balanced({"house": 5, "meter/L1/main": -5})
    with pytest.raises(UnbalancedError, match=r"\$0\.000001"):
        check_balanced({"house": 6, "meter/L1/main": -5})


def test_every_guard_has_a_code_of_its_own() -> None:
    guards = LedgerError.__subclasses__()
    assert len({error.code for error in guards}) == len(guards)
    assert {error for error, _, _ in BROKEN} | {UnbalancedError} == set(guards)


def test_the_list_of_reasons_is_closed_and_written_down() -> None:
    assert list(RULES) == list(get_args(Reason))
    for name, rule in RULES.items():
        assert rule.subject in get_args(SubjectKind), name
        assert rule.between, name
        assert {kind for pair in rule.between for kind in pair} <= set(KINDS), name
    told = re.findall(r"^\| `([a-z-]+)` \| (.*?) \| (.*?) \| `([a-z]+)` \|$", JOURNAL.read_text("utf-8"), re.MULTILINE)
    moves = {
        name: ", ".join(sorted(f"{credit} to {debit}" for debit, credit in rule.between))
        for name, rule in RULES.items()
    }
    assert told == [(name, rule.meaning, moves[name], rule.subject) for name, rule in RULES.items()]


def test_every_reason_that_moves_a_meter_is_in_one_column_of_the_reconciliation() -> None:
    columns = [reason for reasons in COLUMNS.values() for reason in reasons]
    moving = {name for name, rule in RULES.items() if any("meter" in pair for pair in rule.between)}
    assert sorted(columns) == sorted(moving)


def test_an_award_and_the_reseed_behind_it_are_two_transfers() -> None:
    pit = Pit()
    round_ = pit.start(3)
    pit.press(round_, 3, "five-aces")
    pit.do(HitJackpot(round_))
    (award,) = pit.floor.awards
    post = [transfer for transfer in _transfers(pit) if transfer[4] == f"award:{award}"]
    meter, locked, seed = (f"{kind}/L1/main" for kind in ("meter", "locked", "seed"))
    assert post == [
        (meter, locked, pit.floor.awards[award].cents * 10_000, "award", f"award:{award}"),
        (seed, meter, 10_000_000_000, "reseed", f"award:{award}"),
        ("reserve/L1/main", meter, 10_000, "release", f"award:{award}"),
    ]


def _transfers(pit: Pit) -> list[tuple[Any, ...]]:
    return [tuple(each) for each in msgspec.json.decode(pit.events[-1].body).get("post", [])]


def test_handlers_stop_at_a_guard_and_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pit = Pit()
    round_ = pit.start(3)
    pit.do(PressHand(round_, 3, "five-aces"))
    before = pit.floor.text()
    monkeypatch.setattr(meters, "awardable", lambda *_: 10**15)
    with pytest.raises(OverdraftError):
        pit.do(HitJackpot(round_))
    assert pit.floor.text() == before


def test_the_edge_names_the_guard_that_a_command_would_have_broken() -> None:
    """In production: the command is refused with the guard's code, and nothing is written."""
    from houseway.manager.store.deciding import Answer
    from tests.manager.store.acts import Move, do, people
    from tests.manager.store.stores import MemoryStore

    store = MemoryStore()
    writer = store.writer()
    group = [people(), *(do(f"k{micros}", Move("tray/T1", "house", micros)) for micros in (-5, 5))]
    _, refused, taken = writer.carry_out(group)
    assert isinstance(refused, InputError)
    assert [fault.code for fault in refused.faults] == ["ledger-amount"]
    assert "changed nothing" in str(refused)
    assert isinstance(taken, Answer)
    assert [row.micros for row in store.transfers()] == [5]


@pytest.mark.parametrize("transfer", [transfer for _, transfer, _ in BROKEN if transfer[2] != 6])
def test_a_journal_with_such_a_transfer_is_not_followed(transfer: Any) -> None:
    with pytest.raises(LedgerError):
        check_transfer(*transfer)


def test_no_assert_guards_anything_in_the_manager_and_the_games() -> None:
    """`python -O` leaves asserts out. The simulator's checker is a test instrument, which nobody runs so."""
    source = Path(houseway.__file__).parent
    found = [
        f"{path.relative_to(source)}:{node.lineno}"
        for package in ("manager", "games")
        for path in sorted((source / package).rglob("*.py"))
        if "simulator" not in path.parts
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Assert)
    ]
    assert found == []


def test_handlers_of_awards_use_the_one_share() -> None:
    from houseway.games import jackpots, shares

    assert meters.win is jackpots.win is shares.win
    assert awards.share_of is jackpots.share_of is shares.share_of


def test_start_takes_wagers_and_shares_apart() -> None:
    pit = Pit()
    pit.do(StartRound("T1", {"1": [2, 3]}))
    assert [(debit, credit, micros, reason) for debit, credit, micros, reason, _ in _transfers(pit)] == [
        ("drop/T1", "receipts/T1", 2_000_000, "receipt"),
        ("receipts/T1", "meter/L1/main", 400_000, "contribution"),
        ("receipts/T1", "reserve/L1/main", 20_000, "reserve"),
    ]
