"""Wagers that a pay table decides: the line of a bonus wager, and the envy payments that others' hands bring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from houseway.definitions import ENVY_SUFFIX
from houseway.errors import StateError, present
from houseway.games.looks import Sight, see
from houseway.games.round_model import CheckedSeat, Contest, Hand, Line, lost, named, pushed, won

if TYPE_CHECKING:
    from houseway.definitions import Wager
    from houseway.paytables import PayTable


def bonus_line(contest: Contest, wager: Wager, stake: int, hand: Hand, *, folded: bool = False) -> Line:
    """The line of a bonus wager: the first line of its table, from the top, that the hand it looks at fits."""
    look = wager.look
    if look is None:
        raise StateError(f"an internal error: {wager.name} looks at no hand")
    sight = see(look, contest, hand, folded=folded)
    decided_by = (wager.name, stake, sight)
    line = contest.round.lines.get(decided_by)
    if line is None:
        line = _line_of(wager, stake, sight, contest.round.tables[wager.name])
        line = contest.round.lines[decided_by] = line._replace(clause=contest.round.cited(line.clause))
    return line


def pulled_line(wager: Wager, stake: int, hand: Hand) -> Line:
    """The line of a wager that its player took back."""
    return pushed(wager.name, stake, hand.best_name, wager.clauses.pull)


def _line_of(wager: Wager, stake: int, sight: Sight, table: PayTable) -> Line:
    if sight.tied:
        return named(pushed(wager.name, stake, sight.hand, wager.clauses.push), table.id, "push")
    paid = table.line_for(sight.names) if sight.alive else None
    if paid is None:
        return named(lost(wager.name, stake, sight.hand, wager.clauses.lose), table.id)
    if paid.push:
        return named(pushed(wager.name, stake, paid.hand, wager.clauses.push), table.id, "push")
    pays = present(paid.pays, f"pay of {paid.hand}: a bonus table has no meter")
    line = won(wager.name, stake, stake * pays, paid.hand, wager.clauses.win)
    return named(line, table.id, f"{paid.pays} to 1")


def envies(wager: Wager, stake: int) -> bool:
    """Whether a stake takes part in a wager's envy."""
    return wager.envy_from is not None and stake >= wager.envy_from


def envy_triggers(contest: Contest, wager: Wager) -> list[tuple[int, int, str]]:
    """The seats whose hands bring envy under a wager's table, with the amount and the hand, in order of resolution.

    Whether such a player made the wager too, folded or fouled does not matter. The dealer's hand is not among them,
    nor is a hand dealt to an empty spot.
    """
    table = contest.round.tables[wager.name]
    found = []
    for number in resolution_order(contest):
        amount, hand = envy_of(table, contest.hands[number].names_for(table))
        if amount:
            found.append((number, amount, hand))
    return found


def envy_of(table: PayTable, names: frozenset[str]) -> tuple[int, str]:
    """The envy payment in cents that a hand with these names brings the others (0 for none), and the hand's name."""
    paid = table.line_for(names)
    return (0, "") if paid is None or not paid.envy else (paid.envy, paid.hand)


def envy_lines(contest: Contest, wager: Wager, seat: CheckedSeat, triggers: list[tuple[int, int, str]]) -> list[Line]:
    """The envy payments that a seat's wager earns: one for each qualifying hand of another seat, never for its own."""
    if not envies(wager, seat.wagers[wager.name]):
        return []
    table_id, clause = contest.round.tables[wager.name].id, contest.round.cited(wager.clauses.envy)
    lines = (
        Line(wager.name + ENVY_SUFFIX, "win", 0, amount, hand, clause, "tray", trigger=number)
        for number, amount, hand in triggers
        if number != seat.number
    )
    return [named(line, table_id, "envy") for line in lines]


def resolution_order(contest: Contest) -> list[int]:
    """The occupied seats as the dealer resolves them: from the far right, counter-clockwise, so the highest first."""
    return sorted(contest.hands, reverse=True)
