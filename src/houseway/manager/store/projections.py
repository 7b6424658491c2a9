"""The rows that an event leaves in the ledger's and the search tables, as one pure function of its body.

The writer stores these rows in the event's own transaction, and the audit makes them again from the body: a row that is
missing, altered or too many shows itself by the difference. A line of a round gets a row where somebody looks for it,
by its hand or by what it returned; most wagers are lost, and stand in the event of the round's end alone, those that
are lost alike in one entry of the kind `lost`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple

import msgspec

from houseway.amounts import Micros, total
from houseway.manager.core.ledger import Transfer
from houseway.manager.core.records import Event
from houseway.manager.store.event_body import Body

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
_LOST: Final = frozenset({"round", "table", "line", "seats", "wager", "stake_cents", "clause", "link"})
"""What is told of wagers that are lost alike: of each the columns of a line, with all seats in place of one, and the
number of the first line."""
_WHOLE: Final = frozenset({int})
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

    Truth values become 0 or 1, and a column that a handler leaves out is null; a lost line has no row. ValueError for a
    kind of row or a column that there is not, or where balances and transfers differ in number.

    >>> body = Body({"kind": "tray.fill"}, post=[("tray/T1", "house", 5_000_000, "fill", "slip:S1")])
    >>> rows_of(body, 7, [(5_000_000, -5_000_000)]).transfers
    [(7, 1, 'tray/T1', 'house', 5000000, 'fill', 'slip:S1', 5000000, -5000000)]
    """
    body = _DECODER.decode(event_or_body.body) if isinstance(event_or_body, Event) else event_or_body
    rows = search_rows(body.rows, seq)
    return Rows(transfer_rows(body.post, seq, balances_after), rows["round"], rows["line"], rows["hit"])


def transfer_rows(post: Sequence[Transfer], seq: int, balances_after: Sequence[Balances]) -> list[Row]:
    """The ledger's rows of an event's transfers."""
    if len(post) != len(balances_after):
        raise ValueError(f"{len(post)} transfers with {len(balances_after)} pairs of balances")
    return [(seq, line, *transfer, *balances_after[line - 1]) for line, transfer in enumerate(post, 1)]


def check_numbers(
    post: Sequence[Transfer], rows: Mapping[str, Sequence[Row]] | None, balances: Mapping[str, int]
) -> None:
    """ValueError if the transfers, a balance after them or a row hold a number that no column takes.

    Found here it costs one command; found by the store it would cost the whole group.
    """
    if post:
        # No balance moves by more than all transfers of the event together.
        moved, held = total([micros for _, _, micros, _, _ in post]), balances.get
        for debit, credit, _, _, _ in post:
            if held(debit, 0) + moved > LARGEST or held(credit, 0) - moved < -LARGEST:
                raise ValueError(f"a transfer from {credit} to {debit} would be beyond 64 bits")
    for kind, some in rows.items() if rows else ():
        for row in some:
            numbers = [value for value in row if value.__class__ is int]
            if max(numbers) > LARGEST or min(numbers) < -LARGEST:
                raise ValueError(f"a row of the kind {kind!r} holds a number beyond 64 bits")


def search_rows(rows: Sequence[tuple[str, Mapping[str, object]]], seq: int) -> dict[str, list[Row]]:
    """The rows for searching of an event, by kind."""
    found: dict[str, list[Row]] = {"round": [], "line": [], "hit": []}
    for kind, columns in rows:
        if kind == "lost":
            _check_lost(columns)
            continue
        if kind == "line" and not is_looked_for(columns):
            _check_columns(kind, columns)
            continue
        if kind not in found:
            raise ValueError(f"there is no table for rows of the kind {kind!r}")
        some = found[kind]
        some.append((seq, len(some) + 1, *_values(kind, columns)))
    return found


def is_looked_for(line: Mapping[str, Any]) -> bool:
    """Whether a line is found by itself: by its hand, or by an amount that it returned."""
    return line.get("hand") is not None or bool(line.get("returned_cents"))


def lines_of(body: Body, round_id: str) -> list[dict[str, Any]]:
    """All lines of a round as the event of its end has them, lost ones too; a column that is not given is null."""
    columns, lines = _COLUMNS_OF_KIND["line"], list[Mapping[str, Any]]()
    for kind, told in body.rows:
        if kind in ("line", "lost") and told.get("round") == round_id:
            lines += [told] if kind == "line" else _lines_lost(told)
    return [{name: line.get(name) for name in columns} for line in lines]


def _lines_lost(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The lines of wagers that are lost alike."""
    return [
        {**told, "line": number, "seat": seat, "outcome": "lose", "returned_cents": 0}
        for number, seat in enumerate(told["seats"], told["line"])
    ]


def _check_lost(told: Mapping[str, Any]) -> None:
    """ValueError unless lines can be told of wagers that are lost alike."""
    if told.keys() != _LOST:
        raise ValueError(f"lost wagers are told by {', '.join(sorted(_LOST))}, not by {', '.join(sorted(told))[:200]}")
    if not _WHOLE.issuperset(map(type, (told["line"], told["stake_cents"], *told["seats"]))):
        raise ValueError("line, stake and seats of lost wagers must be whole numbers")


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
        return [int(value) if value.__class__ is bool else value for value in values]
    return values


def _some_values(kind: str, columns: Mapping[str, Any]) -> Sequence[Any]:
    _check_columns(kind, columns)
    return [columns.get(name) for name in _COLUMNS_OF_KIND[kind]]


def _check_columns(kind: str, columns: Mapping[str, Any]) -> None:
    if not _KNOWN[kind].issuperset(columns):
        unknown = sorted(columns.keys() - _KNOWN[kind])
        raise ValueError(f"rows of the kind {kind!r} have no column {unknown[0]!r}")
