"""How much is played: coin-in and participation by table, seat and hour, and rounds an hour by table and dealer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import ClassVar, Final

from houseway.amounts import Micros
from houseway.manager.reports.day_reading import DaysRead
from houseway.manager.reports.report_base import Report, ReportHead, ReportRow
from houseway.manager.store.day_sums import SeatHourSums
from houseway.odds.distribution import decimal_text, percent_text

MICROS_A_MINUTE: Final = 60_000_000


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
    sums: dict[tuple[str, int, str], SeatHourSums] = {}
    rounds: Counter[tuple[str, str]] = Counter()
    for part in days.seats():
        for row in part.seats:
            key = row.table, row.seat, row.hour
            known = sums.get(key)
            # An hour lies in two days where the cut-off does not fall on a full hour, or a day was summed in parts.
            sums[key] = row if known is None else _added(known, row)
        for table, hour, count in part.rounds:
            rounds[table, hour] += count
    seats = tuple(_seat_hour(sums[key]) for key in sorted(sums))
    return CoinIn(head=head, hours=_table_hours(sums.values(), rounds), seats=seats)


def _added(one: SeatHourSums, other: SeatHourSums) -> SeatHourSums:
    return SeatHourSums(
        one.table, one.seat, one.hour, one.rounds + other.rounds, one.wagers + other.wagers, one.taken + other.taken,
        one.returned + other.returned, one.with_wager + other.with_wager,
    )  # fmt: skip


def _seat_hour(row: SeatHourSums) -> SeatHour:
    return SeatHour(
        table=row.table,
        seat=row.seat,
        hour=row.hour,
        rounds=row.rounds,
        wagers=row.wagers,
        coin_in_micros=Micros(row.taken),
        returned_micros=Micros(row.returned),
        participation=_share(row.with_wager, row.rounds),
    )


@lru_cache(maxsize=1 << 14)
def _share(part: int, of: int) -> str | None:
    return percent_text(Fraction(part, of)) if of else None


def _table_hours(seats: Iterable[SeatHourSums], rounds: Counter[tuple[str, str]]) -> tuple[TableHour, ...]:
    sums: dict[tuple[str, str], SeatHourSums] = {(table, hour): SeatHourSums(table, 0, hour) for table, hour in rounds}
    for row in seats:
        known = sums.setdefault((row.table, row.hour), SeatHourSums(row.table, 0, row.hour))
        known.rounds += row.rounds
        known.wagers += row.wagers
        known.taken += row.taken
        known.returned += row.returned
        known.with_wager += row.with_wager
    return tuple(
        TableHour(
            table=table,
            hour=hour,
            rounds=rounds[table, hour],
            wagers=row.wagers,
            coin_in_micros=Micros(row.taken),
            returned_micros=Micros(row.returned),
            participation=_share(row.with_wager, row.rounds),
        )
        for (table, hour), row in sorted(sums.items())
    )


def pace(days: DaysRead, head: ReportHead) -> PaceReport:
    """The pace of some days, by the starts of the rounds that ended in them."""
    totals = days.rounds({})
    dealers = tuple(
        DealerPace(
            table=table,
            dealer=dealer,
            rounds=found.rounds,
            minutes=found.micros // MICROS_A_MINUTE,
            an_hour=_an_hour(found.timed, found.micros),
        )
        for (table, dealer), found in sorted(totals.dealers.items())
        if found.rounds
    )
    hours = tuple(
        TablePace(table=table, hour=hour, rounds=count) for (table, hour), count in sorted(totals.hours.items())
    )
    return PaceReport(head=head, dealers=dealers, hours=hours)


def _an_hour(rounds: int, micros: int) -> str | None:
    return decimal_text(Fraction(rounds * 60 * MICROS_A_MINUTE, micros), 4) if micros else None
