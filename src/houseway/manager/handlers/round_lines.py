"""The lines of a round: what every jackpot wager and every envy payment came to, each under the clause it rests on.

The clause is that of the edition under which the table was opened, in its section for the controls of the table: sheets
that know two generations of controls print the rules of play once for each. A wager that the reading of the joker alone
has lost cites the note on the joker. A voided round rests on no clause: its wagers simply go back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import cache
from typing import Any, Literal

from houseway.definitions import ENVY_SUFFIX, Edition, Game
from houseway.games import game
from houseway.manager.core.engine import Decision
from houseway.manager.core.entities import Award, Round, Table
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


def jackpot_lines(
    table: Table, round_: Round, awards: Iterable[Award], by_joker: Collection[tuple[str, int]] = ()
) -> list[dict[str, Any]]:
    """A line for every jackpot wager: its award, or lost; `by_joker` are sensor and seat of those lost by the joker."""
    won = {(award.sensor, award.seat): award for award in awards if award.wagered}
    lines = []
    for taken in round_.taken:
        name = wager_on(table, taken.sensor)
        for seat in taken.seats:
            award = won.get((taken.sensor, seat))
            lost_by_joker = award is None and (taken.sensor, seat) in by_joker
            clause = jackpot_clause(table, "joker" if lost_by_joker else _what(award))
            if award is None:
                lines.append(_line(seat, name, None, "lose", taken.wager, 0, clause=clause, link=taken.link))
            else:
                lines.append(
                    _line(seat, name, award.hand, "win", taken.wager, award.cents, award.source, award, clause)
                )
    return lines


def _what(award: Award | None) -> Cited:
    if award is None:
        return "lose"
    if award.source == "house":
        return "house"
    return "fixed" if award.percent is None else "win"


def envy_lines(table: Table, round_: Round, awards: Iterable[Award]) -> list[dict[str, Any]]:
    """A line for every other seat with the wager on the same sensor, once for each hand that brings it envy."""
    lines = []
    for award in awards:
        for taken in round_.taken:
            if award.envy and taken.sensor == award.sensor:
                name = wager_on(table, taken.sensor)
                clause = jackpot_clause(table, "envy")
                lines += [
                    _line(seat, name + ENVY_SUFFIX, award.hand, "win", 0, award.envy, "tray", award, clause)
                    for seat in taken.seats
                    if seat != award.seat
                ]
    return lines


def returned_lines(table: Table, round_: Round) -> list[dict[str, Any]]:
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
    seat: int, wager: str, hand: str | None, outcome: str, stake: int, returned: int, source: str | None = None,
    award: Award | None = None, clause: str | None = None, link: str | None = None,
) -> dict[str, Any]:  # fmt: skip
    return {
        "seat": seat, "wager": wager, "hand": hand, "outcome": outcome, "stake_cents": stake,
        "returned_cents": returned, "source": source, "clause": clause,
        "link": award.link if award else link, "award": award.id if award else None,
    }  # fmt: skip


def record_round(decision: Decision, round_: Round, lines: list[dict[str, Any]], outcome: str) -> None:
    """Write the rows by which a round is found again."""
    decision.row(
        "round",
        round=round_.id, table=round_.table, game=round_.game, number=round_.number, dealer=round_.dealer,
        started_at=round_.started_at, ended_at=decision.now, outcome=outcome,
        wagered_cents=sum(line["stake_cents"] for line in lines),
        returned_cents=sum(line["returned_cents"] for line in lines),
        held=round_.hold is not None,
    )  # fmt: skip
    place = {"round": round_.id, "table": round_.table}
    decision.rows += [("line", {**place, "line": number, **line}) for number, line in enumerate(lines, start=1)]
