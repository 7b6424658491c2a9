"""The rows that an event leaves in the ledger's and the search tables, as one pure function of its body.

The writer stores these rows in the event's own transaction, and the audit makes them again from the body: a row that is
missing, altered or too many shows itself by the difference.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple

import msgspec

from houseway.amounts import Micros, total
from houseway.manager.core.ledger import Transfer
from houseway.manager.core.records import Body, Event

TRANSFER_COLUMNS: Final = (
    "seq", "line", "debit", "credit", "micros", "reason", "subject", "debit_balance", "credit_balance",
)  # fmt: skip
ROUND_COLUMNS: Final = (
    "seq", "row_no", "round", "table", "game", "number", "dealer", "started_at", "ended_at", "outcome", "wagered_cents",
    "returned_cents", "held",
)  # fmt: skip
LINE_COLUMNS: Final = (
    "seq", "row_no", "round", "table", "line", "seat", "wager", "hand", "outcome", "stake_cents", "returned_cents",
    "source", "clause", "link", "award",
)  # fmt: skip
HIT_COLUMNS: Final = (
    "seq", "row_no", "award", "link", "level", "table", "round", "seat", "hand", "percent", "cents", "order", "status",
    "at", "meter_before_micros", "meter_after_micros", "seed_drawn_micros", "reserve_drawn_micros",
)  # fmt: skip
COLUMNS: Final[dict[str, tuple[str, ...]]] = {
    "transfers": TRANSFER_COLUMNS,
    "rounds": ROUND_COLUMNS,
    "lines": LINE_COLUMNS,
    "hits": HIT_COLUMNS,
}
"""Columns by table, in the order of the row tuples; the first two are the primary key: event, and number within it."""
TABLE_OF_KIND: Final = {"round": "rounds", "line": "lines", "hit": "hits"}
"""Which table the rows of a kind (`Decision.row`) belong to."""

_COLUMNS_OF_KIND: Final = {kind: COLUMNS[table][2:] for kind, table in TABLE_OF_KIND.items()}
_KNOWN: Final = {kind: frozenset(columns) for kind, columns in _COLUMNS_OF_KIND.items()}
_WITH_TRUTHS: Final = frozenset({"round"})
"""Kinds with a column that is a truth value, which becomes 0 or 1."""
_ALL_OF: Final = {kind: itemgetter(*columns) for kind, columns in _COLUMNS_OF_KIND.items()}
_DECODER: Final = msgspec.json.Decoder(Body)

Row = tuple[Any, ...]
Balances = tuple[Micros, Micros]
"""Of the debited and the credited account."""
LARGEST: Final = 2**63 - 1
"""The largest number in a column, with either sign."""


class Rows(NamedTuple):
    """The rows of one event by table, each a tuple in the order of `COLUMNS`; numbers within an event begin at 1."""

    transfers: list[Row]
    rounds: list[Row]
    lines: list[Row]
    hits: list[Row]


def rows_of(event_or_body: Event | Body, seq: int, balances_after: Sequence[Balances]) -> Rows:
    """The rows of an event, given the balances of both accounts after each transfer (`Engine.apply` returns them).

    Truth values become 0 or 1, and a column that a handler leaves out is null. ValueError for a kind of row or a
    column that there is not, or where balances and transfers differ in number.

    >>> body = Body({"kind": "tray.fill"}, post=[("tray/T1", "house", 5_000_000, "fill", "slip:S1")])
    >>> rows_of(body, 7, [(5_000_000, -5_000_000)]).transfers
    [(7, 1, 'tray/T1', 'house', 5000000, 'fill', 'slip:S1', 5000000, -5000000)]
    """
    body = _DECODER.decode(event_or_body.body) if isinstance(event_or_body, Event) else event_or_body
    rows = search_rows(body.rows, seq)
    return Rows(transfer_rows(body.post, seq, balances_after), rows["round"], rows["line"], rows["hit"])


def transfer_rows(post: Sequence[Transfer], seq: int, balances_after: Sequence[Balances]) -> list[Row]:
    """The ledger's rows of an event's transfers."""
    return [
        (seq, line, *transfer, *after)
        for line, (transfer, after) in enumerate(zip(post, balances_after, strict=True), 1)
    ]


def check_numbers(
    post: Sequence[Transfer], rows: Mapping[str, Sequence[Row]] | None, balances: Mapping[str, int]
) -> None:
    """ValueError if the transfers, a balance after them or a row hold a number that no column takes.

    Found here it costs one command; found by the store it would cost the whole group.
    """
    # No balance moves by more than all transfers of the event together.
    moved = total(micros for _, _, micros, _, _ in post)
    for debit, credit, _, _, _ in post:
        if balances.get(debit, 0) + moved > LARGEST or balances.get(credit, 0) - moved < -LARGEST:
            raise ValueError(f"a transfer from {credit} to {debit} would be beyond 64 bits")
    for kind, some in (rows or {}).items():
        for row in some:
            for value in row:
                if value.__class__ is int and not -LARGEST <= value <= LARGEST:
                    raise ValueError(f"a row of the kind {kind!r} holds a number beyond 64 bits")


def search_rows(rows: Sequence[tuple[str, dict[str, Any]]], seq: int) -> dict[str, list[Row]]:
    """The rows for searching of an event, by kind."""
    found: dict[str, list[Row]] = {"round": [], "line": [], "hit": []}
    for kind, columns in rows:
        if kind not in found:
            raise ValueError(f"there is no table for rows of the kind {kind!r}")
        some = found[kind]
        some.append((seq, len(some) + 1, *_values(kind, columns)))
    return found


def _values(kind: str, columns: Mapping[str, Any]) -> Sequence[Any]:
    """The values of a row in the order of its table's columns."""
    # Rows are made for every wager of every round: those that name all columns, and so no others, take the short way.
    if len(columns) == len(_KNOWN[kind]):
        try:
            values: Sequence[Any] = _ALL_OF[kind](columns)
        except KeyError:
            values = _some_values(kind, columns)
    else:
        values = _some_values(kind, columns)
    if kind in _WITH_TRUTHS:
        return [int(value) if isinstance(value, bool) else value for value in values]
    return values


def _some_values(kind: str, columns: Mapping[str, Any]) -> Sequence[Any]:
    if not columns.keys() <= _KNOWN[kind]:
        unknown = sorted(columns.keys() - _KNOWN[kind])
        raise ValueError(f"rows of the kind {kind!r} have no column {unknown[0]!r}")
    return [columns.get(name) for name in _COLUMNS_OF_KIND[kind]]
