"""What commands of a table check alike: whose table it is, how it stands, the second person, amounts."""

from __future__ import annotations

from houseway.amounts import Cents
from houseway.errors import Fault, InputError
from houseway.manager.core.engine import Decision, need_role, person_of_badge
from houseway.manager.core.house_entities import Person
from houseway.manager.core.money import LARGEST_CENTS, cents_text
from houseway.manager.core.table_entities import Table
from houseway.manager.handlers.common import the_table


def own_table(decision: Decision, table: str) -> None:
    """Refuse a controller that speaks for another table than its own."""
    device = decision.floor.devices.get(decision.envelope.device or "")
    if device is not None and device.kind == "controller" and device.table != table:
        message = f"{device.id} is the controller of {device.table}: it cannot act for {table[:40]}"
        raise InputError.of("wrong-device", "table", message)


def the_open_table(decision: Decision, table_id: str) -> Table:
    """The table, which must be open."""
    table = the_table(decision, table_id)
    if table.status != "open":
        raise InputError.of("table-closed", "table", f"{table.id} is closed: a supervisor opens it first")
    return table


def table_between_rounds(decision: Decision, table_id: str) -> Table:
    """The table, at which no round may be in play."""
    table = the_table(decision, table_id)
    if table.round is not None:
        raise InputError.of("round-in-play", "table", f"{table.round} is in play at {table.id}: press END GAME first")
    return table


def second_person_of(decision: Decision, badge: str, roles: tuple[str, ...], what: str) -> Person:
    """A second person with one of the roles."""
    person = person_of_badge(decision, badge)
    need_role(person, roles, "badge", what)
    return person


def amount_faults(cents: Cents, path: str, least: Cents) -> list[Fault]:
    """Whether an amount is within the bounds of its place."""
    if least <= cents <= LARGEST_CENTS:
        return []
    least_text, most_text = cents_text(least), cents_text(LARGEST_CENTS)
    message = f"an amount here is {least_text} to {most_text}, written in cents, not {cents_text(cents)}"
    return [Fault("bad-amount", path, message)]


def messages_of(faults: list[Fault]) -> list[str]:
    """What faults say."""
    return [fault.message for fault in faults]


def deck_faults(table: Table) -> list[Fault]:
    """Why no round begins: after a misdeal nobody has counted a whole deck down."""
    due = table.deck_due
    if due is None:
        return []
    message = (
        f"{due.round} was a misdeal ({due.cause.replace('-', ' ')}): count a whole deck down and record it "
        "(houseway table deck) before the next round"
    )
    return [Fault("deck-due", "table", message)]
