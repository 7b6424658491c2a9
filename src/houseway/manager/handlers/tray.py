"""Whether a tray holds what it is to pay: a warning for the table, since the books do not see the other wagers."""

from __future__ import annotations

from houseway.amounts import NO_MICROS, Cents, micros, whole_cents
from houseway.manager.commands.house_answers import FaultNote
from houseway.manager.core.engine import Decision
from houseway.manager.core.ledger import account
from houseway.manager.core.money import cents_text


def tray_warnings(decision: Decision, table: str, cents: Cents, what: str) -> tuple[FaultNote, ...]:
    """A note where something costs more than the tray has by the books; what to do comes first.

    It stands in nobody's way: what the other wagers have won is in the tray too, and only a count sees it.
    """
    tray = max(NO_MICROS, decision.books.balance(account("tray", table)))
    if micros(cents) <= tray:
        return ()
    message = (
        f"{what} is {cents_text(cents)}, and the tray of {table} has {cents_text(whole_cents(tray))} by the books: "
        "have it filled first (houseway table fill) unless enough chips lie there"
    )
    return (FaultNote("tray-short", "tray", message),)
