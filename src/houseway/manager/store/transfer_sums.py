"""Sums over the transfers of a range of events, told apart by accounts and reason: what books and reports are made of.

Transfers have no index but their place, so a range is read once from end to end. SQLite sorts rows to group them, which
is quickest in small windows of events; PostgreSQL hashes them and takes large ones.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from sqlalchemy import func, select

from houseway.amounts import NO_MICROS, Micros
from houseway.manager.store import schema
from houseway.manager.store.reading import View

AT_ONCE: Final = {True: 1_000, False: 1_000_000}
"""Events whose transfers are summed by one statement, by whether the database is SQLite."""

Moved = dict[tuple[str, str, str], Micros]
"""Sums by debit, credit and reason."""


def transfer_sums(view: View, before: int, last: int) -> Moved:
    """The sums of the transfers of events beyond `before` up to `last`."""
    table, found, step = schema.transfers, Counter[tuple[str, str, str]](), AT_ONCE[view.is_sqlite]
    sums = select(table.c.debit, table.c.credit, table.c.reason, func.sum(table.c.micros))
    for low in range(before, last, step):
        window = sums.where(table.c.seq > low, table.c.seq <= min(low + step, last))
        for debit, credit, reason, moved in view.rows(window.group_by(table.c.debit, table.c.credit, table.c.reason)):
            found[debit, credit, reason] += int(moved)
    return {key: Micros(moved) for key, moved in found.items()}


def by_account(sums: Moved) -> dict[str, dict[str, Micros]]:
    """By account and reason: what moved, with its sign in the books."""
    found: dict[str, dict[str, Micros]] = {}
    for (debit, credit, reason), moved in sums.items():
        for name, signed in ((debit, moved), (credit, -moved)):
            reasons = found.setdefault(name, {})
            reasons[reason] = reasons.get(reason, NO_MICROS) + signed
    return found
