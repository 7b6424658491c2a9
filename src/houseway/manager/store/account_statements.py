"""The statement of an account: each transfer with its event, its reason and the balance after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import ColumnElement, or_, select

from houseway.amounts import Micros
from houseway.errors import InputError
from houseway.manager.core.ledger import KINDS, kind_of_account
from houseway.manager.core.records import Event
from houseway.manager.store import schema
from houseway.manager.store.event_body import Body
from houseway.manager.store.event_entries import BODIES, ROWS_AT_ONCE, old_entries
from houseway.manager.store.projections import Row
from houseway.manager.store.reading import View


class AccountLine(NamedTuple):
    """A transfer of an account with what it rests on."""

    seq: int
    at: int
    kind: str
    actor: str
    about: str
    """What the command was about: a round, an award, a link, a proposal."""
    reason: str
    subject: str
    micros: Micros
    """With the sign that it has in the books of this account."""
    balance: Micros
    against: str
    """The account on the other side."""


class Statement(NamedTuple):
    """An account over a time: what it held before, every transfer, and what it held then."""

    account: str
    opening: Micros
    lines: list[AccountLine]
    closing: Micros
    is_cut: bool
    """Whether there are more transfers than were asked for."""


def account_statement(
    view: View,
    account: str,
    since: int | None = None,
    until: int | None = None,
    limit: int = 1_000,
    archives: Sequence[Path] = (),
) -> Statement:
    """Every transfer of an account in a time; refused if there is no such account."""
    if kind_of_account(account) not in KINDS:
        message = f"{account[:60]!r} is not an account: they begin with {', '.join(KINDS)}, as in meter/L1/main"
        raise InputError.of("unknown-account", "account", message)
    lines: list[AccountLine] = []
    opening: Micros | None = None
    for line in _account_lines(view, account, since, archives):
        if since is not None and line.at < since:
            opening = line.balance
            continue
        if until is not None and line.at > until:
            break
        if opening is None:
            opening = line.balance - line.micros
        if len(lines) == limit:
            return Statement(account, opening, lines, lines[-1].balance, is_cut=True)
        lines.append(line)
    if opening is None:
        opening = _untouched(view, account)
    return Statement(account, opening, lines, lines[-1].balance if lines else opening, is_cut=False)


def _untouched(view: View, account: str) -> Micros:
    """The balance of an account without transfers in the rows here: what it had when older rows were archived."""
    balances = view.state_before(view.bounds()[0] + 1).floor.balances
    if account not in balances:
        message = f"nothing ever moved on {account[:60]!r}: houseway audit as-of links lists links and levels"
        raise InputError.of("unknown-account", "account", message)
    return balances[account]


def _account_lines(view: View, account: str, since: int | None, archives: Sequence[Path]) -> Iterator[AccountLine]:
    """The transfers of an account in order, at least from the last ones before `since` on."""
    transfers, low = schema.transfers, 0
    if since is not None:
        before = select(transfers.c.seq).where(_is_of(account), transfers.c.seq <= view.seq_at(since - 1))
        newest = view.rows(before.order_by(transfers.c.seq.desc()).limit(1))
        low = newest[0][0] - 1 if newest else 0
    if not low:
        for entry in old_entries(view, archives):
            for row in entry.rows.transfers:
                if account in (row[2], row[3]):
                    yield _line(entry.event, entry.body, account, row)
    while True:
        found, high = _transfers_of(view, account, low)
        events = {event.seq: event for event in _events_of(view, sorted({row[0] for row in found}))}
        for row in found:
            event = events[row[0]]
            yield _line(event, BODIES.decode(event.body), account, row)
        if high is None:
            return
        low = high


def _transfers_of(view: View, account: str, low: int) -> tuple[list[Row], int | None]:
    """Some of an account's transfers behind an event, of whole events, and up to which event; None: that was all."""
    transfers = schema.transfers
    mine = select(transfers).where(_is_of(account), transfers.c.seq > low)
    rows = view.rows(mine.order_by(transfers.c.seq, transfers.c.line).limit(ROWS_AT_ONCE))
    if len(rows) < ROWS_AT_ONCE:
        return rows, None
    # Of an event that may have been cut off nothing is taken yet.
    high = rows[-1][0] - 1
    return [row for row in rows if row[0] <= high], high


def _is_of(account: str) -> ColumnElement[bool]:
    """Whether a transfer moves an account: rows are read in their order until there are enough, by no index."""
    return or_(schema.transfers.c.debit == account, schema.transfers.c.credit == account)


def _events_of(view: View, seqs: Sequence[int]) -> list[Event]:
    events = schema.events
    return [Event(*row) for row in view.rows(select(events).where(events.c.seq.in_(seqs)))] if seqs else []


def _line(event: Event, body: Body, account: str, row: Row) -> AccountLine:
    _, _, debit, credit, micros, reason, subject, risen, fallen = row
    mine = (micros, risen, credit) if account == debit else (-micros, fallen, debit)
    return AccountLine(event.seq, event.at, event.kind, event.actor, _about(body), reason, subject, *mine)


def _about(body: Body) -> str:
    """What a command is about, in a word or two."""
    do = body.do if isinstance(body.do, dict) else {}
    for name in ("award", "round", "proposal", "link", "table", "slip"):
        found = body.answer.get(name, do.get(name))
        if isinstance(found, str):
            reason = do.get("reason") or do.get("note")
            return f"{found}: {reason}" if isinstance(reason, str) and reason else found
    return ""
