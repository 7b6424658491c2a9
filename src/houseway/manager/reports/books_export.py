"""The books of some days for plain-text accounting: beancount and hledger, to the millionth.

Every event with transfers is a transaction. The accounts begin with their balances before the first day and end with
assertions of those after the last, so that the program that reads the file checks the sums by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final, Literal

from sqlalchemy import select

from houseway.amounts import NO_MICROS
from houseway.manager.core.ledger import KINDS
from houseway.manager.reports.csv_page import decimal
from houseway.manager.reports.day_reading import DaysRead
from houseway.manager.store import schema

Dialect = Literal["beancount", "hledger"]
DIALECTS: Final[tuple[Dialect, ...]] = ("beancount", "hledger")
CURRENCY: Final = "USD"
ROOTS: Final[dict[str, str]] = {
    "tray": "Assets", "drop": "Assets", "bank": "Assets", "house": "Assets", "seed": "Assets",
    "meter": "Liabilities", "reserve": "Liabilities", "overflow": "Liabilities", "locked": "Liabilities",
    "promotion": "Liabilities", "paid": "Liabilities", "receipts": "Income", "prizes": "Expenses",
    "variance": "Expenses",
}  # fmt: skip
"""Where plain-text accounting looks for each kind of account."""
_WINDOW: Final = 10_000


def book_account(name: str) -> str:
    """The name of an account as both programs take it: a letter or digit first, and no signs but hyphens.

    >>> book_account("meter/L1/main"), book_account("tray/T 1-b"), book_account("house")
    ('Liabilities:Meter:L1:Main', 'Assets:Tray:T-201--b', 'Assets:House')
    """
    kind, *parts = name.split("/")
    return ":".join([ROOTS[kind], *map(_component, (kind, *parts))])


def _component(text: str) -> str:
    """Ids differ by more than case, so the capital takes nothing away; other signs are told by their number."""
    written = "".join(
        sign if sign.isascii() and sign.isalnum() else "--" if sign == "-" else f"-{ord(sign):x}" for sign in text
    )
    return written[:1].upper() + written[1:]


def book_lines(days: DaysRead, dialect: Dialect) -> Iterator[str]:
    """The whole file, piece by piece."""
    names = sorted({*days.opening.balances, *days.closing.balances})
    yield from _head(days, dialect, names)
    opening = [(name, days.opening.balances.get(name, NO_MICROS), "") for name in names]
    if any(amount for _, amount, _ in opening):
        begins = days.first.day.isoformat()
        yield _transaction(dialect, begins, "balances before", None, [each for each in opening if each[1]])
    for seq, at, kind, postings in _events(days):
        # After a clock was set back, times may lie before the day that was reached.
        day = min(max(days.day_of(at), days.first.day), days.last.day)
        yield _transaction(dialect, day.isoformat(), kind, seq, postings)
    yield from _assertions(days, dialect, names)


def _head(days: DaysRead, dialect: Dialect, names: list[str]) -> Iterator[str]:
    title = f"{days.property.name}, gaming days {days.first.day} to {days.last.day}"
    if dialect == "hledger":
        yield f"; {_plain(title)}\ncommodity 1,000.000000 {CURRENCY}\n"
        yield "".join(f"account {book_account(name)}\n" for name in names) + "\n"
        return
    yield f'option "title" "{_plain(title)}"\noption "operating_currency" "{CURRENCY}"\n'
    yield f"{days.first.day} commodity {CURRENCY}\n"
    yield "".join(f"{days.first.day} open {book_account(name)} {CURRENCY}\n" for name in names) + "\n"


def _events(days: DaysRead) -> Iterator[tuple[int, int, str, list[tuple[str, int, str]]]]:
    """Events with their transfers as postings: account, amount with its sign, and why."""
    events, transfers = schema.events, schema.transfers
    columns = select(
        transfers.c.seq, events.c.at, events.c.kind, transfers.c.debit, transfers.c.credit, transfers.c.micros,
        transfers.c.reason, transfers.c.subject,
    ).join(events, events.c.seq == transfers.c.seq)  # fmt: skip
    for low in range(days.before, days.end, _WINDOW):
        within = columns.where(transfers.c.seq > low, transfers.c.seq <= min(low + _WINDOW, days.end))
        rows = days.view.rows(within.order_by(transfers.c.seq, transfers.c.line))
        for (seq, at, kind), found in groupby(rows, key=lambda row: row[:3]):
            postings = []
            for *_, debit, credit, micros, reason, subject in found:
                why = f"{reason} {subject}"
                postings += [(debit, micros, why), (credit, -micros, why)]
            yield seq, at, kind, postings


def _transaction(dialect: Dialect, day: str, what: str, seq: int | None, postings: list[tuple[str, int, str]]) -> str:
    about = "" if seq is None else f"event {seq}"
    if dialect == "beancount":
        lines = [f'{day} * "{_plain(what)}" "{about}"']
        for name, micros, why in postings:
            lines.append(f"  {book_account(name)}  {decimal(micros, 6)} {CURRENCY}")
            lines += [f'    why: "{_plain(why)}"'] if why else []
    else:
        lines = [f"{day} * {f'({seq}) ' if seq is not None else ''}{_plain(what)}"]
        for name, micros, why in postings:
            note = f"  ; {_plain(why)}" if why else ""
            lines.append(f"    {book_account(name)}  {decimal(micros, 6)} {CURRENCY}{note}")
    return "\n".join(lines) + "\n\n"


def _assertions(days: DaysRead, dialect: Dialect, names: list[str]) -> Iterator[str]:
    """What every account must hold after the last day."""
    balances = [(book_account(name), decimal(days.closing.balances.get(name, NO_MICROS), 6)) for name in names]
    if dialect == "beancount":
        day = days.last.day.fromordinal(days.last.day.toordinal() + 1)
        yield "".join(f"{day} balance {name}  {amount} ~ 0.0000001 {CURRENCY}\n" for name, amount in balances)
        return
    lines = (f"    {name}  0.000000 {CURRENCY} = {amount} {CURRENCY}\n" for name, amount in balances)
    yield f"{days.last.day} * balances after\n" + "".join(lines)


def _plain(text: str) -> str:
    """A text that ends no string and no line of either program."""
    return "".join(sign if sign.isprintable() and sign not in '"\\;' else " " for sign in text)


def _check_roots() -> None:
    if ROOTS.keys() != set(KINDS):
        raise KeyError(f"accounts without a place in the export: {ROOTS.keys() ^ set(KINDS)}")


_check_roots()
