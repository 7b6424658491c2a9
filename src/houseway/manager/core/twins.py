"""The pay table of a link at a table: the link's own, or the twin of it for the table's game.

A twin is an approved table for another game whose lines and exact odds are the same, as the Face Up tables are those of
Fortune. Twins are found by comparing, not from a list, so that a new sheet needs no code here.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

from houseway.errors import InputError
from houseway.games.round_tables import as_read
from houseway.games.table_settings import Reading
from houseway.manager.core.link_entities import Link
from houseway.odds.wagers import counts_for
from houseway.paytables import PayTable, paytable, paytables


def table_paytable(link: Link, game: str) -> PayTable:
    """The pay table that a table of this game uses on the link: the link's own, or its twin for the game."""
    found = paytable_for(link.paytable, game, tuple(sorted(link.readings.items())))
    if found is None:
        raise InputError.of("game-not-linkable", "link", not_linkable(link.paytable, game))
    return found


def not_linkable(table_id: str, game: str) -> str:
    """Why a table of this game cannot join a link of that pay table."""
    own = paytable(table_id)
    return (
        f"{table_id} is for {', '.join(own.games)}, and {game} has no approved table with the same lines and the same "
        f"odds: different games share a link only where winning hand and probability are equal"
    )


@cache
def paytable_for(table_id: str, game: str, readings: tuple[tuple[str, Reading], ...] = ()) -> PayTable | None:
    """The table with this id if it is for the game, else its twin that is; None where there is none.

    >>> paytable_for("FPGPP-WA01", "face-up").id
    'FUPGPP-WA01'
    >>> paytable_for("FPGPP-WA01", "six-card-fortune") is None
    True
    """
    own = as_read(paytable(table_id), dict(readings))
    if game in own.games:
        return own
    twins = (as_read(table, dict(readings)) for table in paytables() if game in table.games and table.approved)
    return next((twin for twin in twins if are_twins(own, own.games[0], twin, game)), None)


def are_twins(first: PayTable, first_game: str, second: PayTable, second_game: str) -> bool:
    """Whether two tables pay the same hands the same, from the same levels, each with exactly the same chance."""
    if not first.is_jackpot or not second.is_jackpot or first.levels != second.levels:
        return False
    if [line.money() for line in first.lines] != [line.money() for line in second.lines]:
        return False
    return line_chances(first, first_game) == line_chances(second, second_game)


def line_chances(table: PayTable, game: str) -> tuple[Fraction, ...]:
    """The exact chance of each line, in the table's order."""
    counts = counts_for(game, table.joker)
    by_line = counts.by_line(table)
    return tuple(Fraction(by_line[line], counts.hands) for line in table.lines)
