"""How much is played: coin-in and participation by table, seat and hour, and rounds an hour by table and dealer."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import ClassVar, Final

from houseway.amounts import NO_MICROS, Micros
from houseway.manager.reports.day_reading import DaysRead
from houseway.manager.reports.report_base import Report, ReportHead, ReportRow
from houseway.manager.reports.wagers_taken import KINDS, wagers_moved
from houseway.odds.distribution import decimal_text, percent_text

MICROS_A_MINUTE: Final = 60_000_000
LONGEST_PAUSE: Final = 15 * MICROS_A_MINUTE
"""Between rounds that are further apart nobody was dealing: such a pause is no time at play."""


class SeatHour(ReportRow, frozen=True, kw_only=True):
    """The jackpot wagers of a seat in one hour."""

    table: str
    seat: int
    hour: str
    """The hour by the clocks of the property, with their offset from UTC."""
    rounds: int
    """Rounds that began with somebody at the seat."""
    wagers: int
    coin_in_micros: Micros
    returned_micros: Micros
    """Wagers of the seat that were given back in this hour."""
    participation: str | None
    """Rounds with a jackpot wager as a percentage of all rounds of the seat."""


class TableHour(ReportRow, frozen=True, kw_only=True):
    """The jackpot wagers of a table in one hour."""

    table: str
    hour: str
    rounds: int
    wagers: int
    coin_in_micros: Micros
    returned_micros: Micros
    participation: str | None
    """Jackpot wagers as a percentage of the seats that played."""


class CoinIn(Report, frozen=True, kw_only=True):
    """Jackpot wagers by table, seat and hour."""

    hours: tuple[TableHour, ...]
    seats: tuple[SeatHour, ...]

    tables: ClassVar[dict[str, str]] = {"hours": "Coin-in by table and hour", "seats": "Coin-in by seat and hour"}


class DealerPace(ReportRow, frozen=True, kw_only=True):
    """The pace of a dealer at a table."""

    table: str
    dealer: str
    rounds: int
    minutes: int
    """Minutes at play: from START GAME to the next one, pauses of more than 15 minutes left out."""
    an_hour: str | None
    """Rounds an hour at play; none where a single round tells nothing."""


class TablePace(ReportRow, frozen=True, kw_only=True):
    """Rounds of a table in one hour."""

    table: str
    hour: str
    rounds: int


class PaceReport(Report, frozen=True, kw_only=True):
    """Rounds an hour, by table and dealer."""

    dealers: tuple[DealerPace, ...]
    hours: tuple[TablePace, ...]

    tables: ClassVar[dict[str, str]] = {
        "dealers": "Pace by table and dealer",
        "hours": "Rounds by table and hour",
    }


def coin_in(days: DaysRead, head: ReportHead) -> CoinIn:
    """Coin-in and participation of some days."""
    taken, back, wagers, played, with_wager = (Counter[tuple[str, int, str]]() for _ in range(5))
    rounds: Counter[tuple[str, str]] = Counter()
    seen: set[tuple[str, int]] = set()
    for event, body in days.events(*KINDS):
        hour = days.hour_of(event.at)
        if event.kind == "round.start":
            for kind, _, round_ in body.put:
                if kind == "round" and round_ is not None and round_["phase"] == "playing":
                    rounds[round_["table"], hour] += 1
                    for seat in round_.get("occupied", ()):
                        played[round_["table"], seat, hour] += 1
            seen = set()
        for moved in wagers_moved(event, body):
            for seat in moved.seats:
                place = moved.table, seat, hour
                each = int(moved.micros) // len(moved.seats)
                if moved.is_taken:
                    taken[place] += each
                    wagers[place] += 1
                    if event.kind == "round.start" and (moved.round, seat) not in seen:
                        seen.add((moved.round, seat))
                        with_wager[place] += 1
                else:
                    back[place] += each
    places = sorted({*taken, *back, *played})
    seats = tuple(
        SeatHour(
            table=table,
            seat=seat,
            hour=hour,
            rounds=played[table, seat, hour],
            wagers=wagers[table, seat, hour],
            coin_in_micros=Micros(taken[table, seat, hour]),
            returned_micros=Micros(back[table, seat, hour]),
            participation=_share(with_wager[table, seat, hour], played[table, seat, hour]),
        )
        for table, seat, hour in places
    )
    return CoinIn(head=head, hours=_table_hours(seats, rounds, with_wager), seats=seats)


def _share(part: int, of: int) -> str | None:
    return percent_text(Fraction(part, of)) if of else None


def _table_hours(
    seats: tuple[SeatHour, ...], rounds: Counter[tuple[str, str]], with_wager: Counter[tuple[str, int, str]]
) -> tuple[TableHour, ...]:
    found = []
    for table, hour in sorted({(row.table, row.hour) for row in seats} | set(rounds)):
        mine = [row for row in seats if (row.table, row.hour) == (table, hour)]
        made = sum(with_wager[table, row.seat, hour] for row in mine)
        found.append(
            TableHour(
                table=table,
                hour=hour,
                rounds=rounds[table, hour],
                wagers=sum(row.wagers for row in mine),
                coin_in_micros=sum((row.coin_in_micros for row in mine), NO_MICROS),
                returned_micros=sum((row.returned_micros for row in mine), NO_MICROS),
                participation=_share(made, sum(row.rounds for row in mine)),
            )
        )
    return tuple(found)


def pace(days: DaysRead, head: ReportHead) -> PaceReport:
    """The pace of some days, by the starts of the rounds that ended in them."""
    rounds, time, timed, hours = (Counter[tuple[str, str]]() for _ in range(4))
    last: dict[str, tuple[str, int, str]] = {}
    for row in days.rows("rounds"):
        table, round_id, at, dealer = row["table"], row["round"], row["started_at"], row["dealer"] or ""
        before = last.get(table)
        # A round that was opened again has two rows, and was begun once.
        if at is None or (before is not None and before[0] == round_id):
            continue
        rounds[table, dealer] += 1
        hours[table, days.hour_of(at)] += 1
        if before is not None and 0 <= at - before[1] <= LONGEST_PAUSE:
            time[table, before[2]] += at - before[1]
            timed[table, before[2]] += 1
        # One that was set aside ends long after it was begun.
        if before is None or at > before[1]:
            last[table] = round_id, at, dealer
    dealers = tuple(
        DealerPace(
            table=table,
            dealer=dealer,
            rounds=count,
            minutes=time[table, dealer] // MICROS_A_MINUTE,
            an_hour=_an_hour(timed[table, dealer], time[table, dealer]),
        )
        for (table, dealer), count in sorted(rounds.items())
    )
    by_hour = tuple(TablePace(table=table, hour=hour, rounds=count) for (table, hour), count in sorted(hours.items()))
    return PaceReport(head=head, dealers=dealers, hours=by_hour)


def _an_hour(rounds: int, micros: int) -> str | None:
    return decimal_text(Fraction(rounds * 60 * MICROS_A_MINUTE, micros), 4) if micros else None
