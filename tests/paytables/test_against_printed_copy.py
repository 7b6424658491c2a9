"""Every figure of every shipped table against a second copy that was typed from the sheets independently."""

from __future__ import annotations

import pytest

from houseway.paytables import PayLine, paytable, paytable_ids, paytables
from tests.paytables.printed_copy import PRINTED


def pay_of(line: PayLine) -> int | str | None:
    """A line's pay as the second copy writes it: 50, "push", "10% main"."""
    if line.push:
        return "push"
    return line.pays if line.percent is None else f"{line.percent}% {line.level}"


def test_both_copies_hold_the_same_tables() -> None:
    assert set(PRINTED) == set(paytable_ids())
    assert len(PRINTED) == 36


@pytest.mark.parametrize("table_id", paytable_ids())
def test_every_figure_agrees(table_id: str) -> None:
    table, copy = paytable(table_id), PRINTED[table_id]
    ours = [(line.hand, pay_of(line), line.envy) for line in table.lines]
    theirs = [
        (hand, pay, None if envy_dollars is None else envy_dollars * 100) for hand, pay, envy_dollars in copy["lines"]
    ]
    assert ours == theirs
    assert table.unit == copy["unit"]
    assert {found.figure: found.percent_text for found in table.printed} == copy["printed"]


def test_the_sheets_print_39_figures() -> None:
    assert sum(len(table.printed) for table in paytables()) == 39
    assert sum(len(copy["printed"]) for copy in PRINTED.values()) == 39
