"""Every clause that can be tested has a case, every case passes, and none passes with its rule switched off."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from houseway.definitions.clauses import clauses
from houseway.manager.core.ledger import LedgerError
from tests.rules.harness import CASES, Case, Switch

for module in sorted(Path(__file__).parent.glob("cases_*.py")):
    import_module(f"tests.rules.{module.stem}")

TESTABLE_KINDS = {"settlement", "deal", "wager", "house-way", "paytable", "control", "link", "paper"}


SWITCHED_CASES = [
    pytest.param(case, switch, id=f"{case.id}-{number}")
    for case in CASES
    for number, switch in enumerate(case.switches, 1)
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_clause_holds(case: Case) -> None:
    case.check()


@pytest.mark.parametrize(("case", "switch"), SWITCHED_CASES)
def test_the_case_fails_when_its_rule_is_switched_off(
    case: Case, switch: Switch, monkeypatch: pytest.MonkeyPatch
) -> None:
    switch(monkeypatch)
    # Without the rule the case fails by itself, or the ledger refuses a transfer that the rule would have prevented.
    with pytest.raises((AssertionError, LedgerError)):
        case.check()


def test_every_testable_clause_has_a_case() -> None:
    testable = {clause.id for clause in clauses() if clause.kind in TESTABLE_KINDS}
    assert testable - {case.clause for case in CASES} == set()


def test_every_case_belongs_to_a_clause_of_the_register() -> None:
    assert {case.clause for case in CASES} - {clause.id for clause in clauses()} == set()


def test_every_other_clause_is_due_or_states_no_rule() -> None:
    for clause in clauses():
        if clause.kind not in TESTABLE_KINDS:
            assert clause.kind in {"due", "definition", "information"}
            assert (clause.kind == "due") == (clause.due_with is not None), clause.id
            assert clause.due_part is None, clause.id
