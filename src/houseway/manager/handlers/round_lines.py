"""The lines of a round: what every jackpot wager and every envy payment came to, each under the clause it rests on.

The clause is that of the edition under which the table was opened, in its section for the controls of the table: sheets
that know two generations of controls print the rules of play once for each. A wager that the reading of the joker alone
has lost cites the note on the joker. A voided round rests on no clause: its wagers simply go back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from typing import Literal

from houseway.amounts import NO_CENTS, Cents, total
from houseway.definitions import ENVY_SUFFIX, Edition, Game
from houseway.games import game
from houseway.manager.core.award_entities import Award
from houseway.manager.core.engine import Decision
from houseway.manager.core.records import Columns
from houseway.manager.core.table_entities import LostWagers, Round, RoundLine, Table
from houseway.manager.handlers.table_editions import edition_played

Cited = Literal["win", "fixed", "house", "lose", "envy", "joker"]


def wager_on(table: Table, sensor: str) -> str:
    """The name of the jackpot wager that is made on a sensor: the game has one for each, in their order."""
    return game(table.game).jackpots[int(sensor) - 1].name


def jackpot_clause(table: Table, what: Cited) -> str:
    """The clause of a table's game on which a line of a jackpot wager rests; both sensors follow the same rules."""
    return _clause(game(table.game), edition_played(table), table.vocabulary, what)


@cache
def _clause(played: Game, edition: Edition, controls: str, what: Cited) -> str:
    return played.cited(str(getattr(played.jackpots[0].clauses, what)), edition, controls)


def lost_wagers(table: Table, round_: Round) -> list[LostWagers]:
    """All jackpot wagers of a round in which none has won, and none was lost by the joker alone."""
    clause = jackpot_clause(table, "lose") if round_.taken else ""
    return [
        {
            "seats": taken.seats, "wager": wager_on(table, taken.sensor), "stake_cents": taken.wager, "clause": clause,
            "link": taken.link,
        }
        for taken in round_.taken
    ]  # fmt: skip


def jackpot_lines(
    table: Table, round_: Round, awards: Iterable[Award], by_joker: Collection[tuple[str, int]]
) -> list[RoundLine]:
    """A line for every jackpot wager: its award, or lost; `by_joker` are sensor and seat of those lost by the joker."""
    won = {(award.sensor, award.seat): award for award in awards if award.wagered}
    lines: list[RoundLine] = []
    lost = jackpot_clause(table, "lose") if round_.taken else ""
    for taken in round_.taken:
        name = wager_on(table, taken.sensor)
        for seat in taken.seats:
            award = won.get((taken.sensor, seat))
            if award is None:
                clause = jackpot_clause(table, "joker") if (taken.sensor, seat) in by_joker else lost
                lines.append(_line(seat, name, None, "lose", taken.wager, NO_CENTS, clause=clause, link=taken.link))
            else:
                clause = clause_of_award(table, award)
                lines.append(
                    _line(seat, name, award.hand, "win", taken.wager, award.cents, award.source, award, clause)
                )
    return lines


def clause_of_award(table: Table, award: Award) -> str:
    """The clause on which an award rests."""
    return jackpot_clause(table, _what(award))


def _what(award: Award) -> Cited:
    if award.source == "house":
        return "house"
    return "fixed" if award.percent is None else "win"


def envy_lines(table: Table, round_: Round, awards: Iterable[Award]) -> list[RoundLine]:
    """A line for every other seat with the wager on the same sensor, once for each hand that brings it envy."""
    lines = []
    for award in awards:
        for taken in round_.taken:
            if award.envy and taken.sensor == award.sensor:
                name = wager_on(table, taken.sensor)
                clause = jackpot_clause(table, "envy")
                lines += [
                    _line(seat, name + ENVY_SUFFIX, award.hand, "win", NO_CENTS, award.envy, "tray", award, clause)
                    for seat in taken.seats
                    if seat != award.seat
                ]
    return lines


def returned_lines(table: Table, round_: Round) -> list[RoundLine]:
    """The lines of a voided round: every jackpot wager and every other wager goes back."""
    jackpots = [
        _line(seat, wager_on(table, taken.sensor), None, "push", taken.wager, taken.wager, link=taken.link)
        for taken in round_.taken
        for seat in taken.seats
    ]
    others = [
        _line(int(seat), name, None, "push", cents, cents)
        for seat, made in round_.wagers.items()
        for name, cents in made.items()
    ]
    return jackpots + others


def _line(
    seat: int, wager: str, hand: str | None, outcome: str, stake: Cents, returned: Cents, source: str | None = None,
    award: Award | None = None, clause: str | None = None, link: str | None = None,
) -> RoundLine:  # fmt: skip
    line: RoundLine = {
        "seat": seat, "wager": wager, "outcome": outcome, "stake_cents": stake, "returned_cents": returned,
    }  # fmt: skip
    if award is not None:
        link, line["award"] = award.link, award.id
    if hand is not None:
        line["hand"] = hand
    if source is not None:
        line["source"] = source
    if clause is not None:
        line["clause"] = clause
    if link is not None:
        line["link"] = link
    return line


def record_round(
    decision: Decision, round_: Round, lines: list[RoundLine], outcome: str, lost: Iterable[LostWagers] = ()
) -> None:
    """Write the rows by which a round is found again; the wagers that are lost alike come before all other lines."""
    id_, table = round_.id, round_.table
    ended_at = decision.now if round_.paper is None or outcome != "on-paper" else round_.paper.ended_at
    wagered = total([line["stake_cents"] for line in lines])
    number, told = 1, list[tuple[str, Columns]]()
    for alike in lost:
        told.append(("lost", {"round": id_, "table": table, "line": number, **alike}))
        number += len(alike["seats"])
        wagered += alike["stake_cents"] * len(alike["seats"])
    decision.row(
        "round",
        round=id_, table=table, game=round_.game, number=round_.number, dealer=round_.dealer,
        started_at=round_.started_at, ended_at=ended_at, outcome=outcome, wagered_cents=wagered,
        returned_cents=total([line["returned_cents"] for line in lines]),
        held=round_.hold is not None,
    )  # fmt: skip
    decision.rows += told
    decision.rows += [
        ("line", {"round": id_, "table": table, "line": place, **line}) for place, line in enumerate(lines, number)
    ]
