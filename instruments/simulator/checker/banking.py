"""Players who bank, by the sheets of the seven-card games: where internal controls offer it, and set the house way."""

from __future__ import annotations

from collections.abc import Iterator

from instruments.simulator.checker.chain import ChainEntry
from instruments.simulator.checker.errors import same
from instruments.simulator.checker.rounds import against_dealer, against_seats
from instruments.simulator.checker.rules import CONTROLS, Call, Objection, rule
from instruments.simulator.checker.state import Floor


def _judge_bank(floor: Floor, call: Call) -> Iterator[Objection]:
    table = floor.tables.get(call["table"])
    if table is None:
        yield Objection("no such table")
        return
    if table.status != "open":
        yield Objection("the table is closed")
    if table.round is not None:
        yield Objection("a round is in play")
    yield from against_dealer(floor, call, table)
    seat = call.get("seat")
    if seat is None:
        if table.banker is None:
            yield Objection("nobody banks")
        return
    yield from against_seats(table, [seat])
    if not floor.offers_banking(table, call.now):
        yield Objection("no player banks here")


@rule("seat.bank", *CONTROLS)(_judge_bank)
def _apply_bank(floor: Floor, call: Call, entry: ChainEntry) -> None:
    table = floor.tables[call["table"]]
    table.banker = call.get("seat")
    same(table.banker, entry.answer["banker"], f"who banks at {table.id}")
    floor.note("nobody banks any more" if table.banker is None else "a player was declared to bank")
