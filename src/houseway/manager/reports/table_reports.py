"""What tables won: the stiff sheet of each table, and the master games report by table, game and drop period.

Chips and counted drops are what the house transfers at a table: float, fill, credit and count. What a tray holds at the
cut-off while its table is open was not counted, and is taken from the books.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from houseway.amounts import NO_MICROS, Micros
from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import account
from houseway.manager.reports.day_reading import DaysRead
from houseway.manager.reports.day_totals import DropPeriod, RoundsPlayed
from houseway.manager.reports.report_base import Report, ReportHead, ReportRow
from houseway.manager.store.day_sums import ChipMove
from houseway.odds.distribution import percent_text


class TableSheet(ReportRow, frozen=True, kw_only=True):
    """What a table began with, what came and went, and what was left."""

    table: str
    game: str
    opener_micros: Micros
    """The float, or what the tray held at the cut-off before."""
    fills_micros: Micros
    credits_micros: Micros
    drop_micros: Micros
    """Drop that was counted in these days."""
    closer_micros: Micros
    """What was counted out of the tray, or what it holds at the cut-off."""
    win_micros: Micros
    """Closer, credits and drop less opener and fills."""
    hold: str | None
    """The win as a percentage of the drop; none without one."""
    fill_slips: int
    credit_slips: int
    variance_micros: Micros
    """What counts found over (positive) or short: other wagers won and lost, and mistakes."""
    counted: bool
    """Whether the table was counted out at the end; else the closer is what the books say."""


class SlipEntry(ReportRow, frozen=True, kw_only=True):
    """A fill, a credit, a float or a count at a table."""

    table: str
    at: int
    event: int
    kind: str
    """`float`, `fill`, `credit`, `fill-voided`, `credit-voided`, `count-tray` or `count-drop`."""
    slip: str
    """The number of the slip; empty for floats and counts."""
    by: str
    micros: Micros


class StiffSheet(Report, frozen=True, kw_only=True):
    """Opener, fills, credits, drop, closer, win and hold of each table."""

    sheets: tuple[TableSheet, ...]
    slips: tuple[SlipEntry, ...]

    tables: ClassVar[dict[str, str]] = {"sheets": "Tables", "slips": "Floats, fills, credits and counts"}


class GamePeriod(ReportRow, frozen=True, kw_only=True):
    """A table and its game from one count of the drop to the next, or to the cut-off."""

    table: str
    game: str
    period: int
    """The number of the drop period within these days, from 1 on."""
    shift: str | None
    """The shift on record at the table at the end."""
    since_at: int
    until_at: int
    rounds: int
    """Rounds that ended, void ones left out."""
    voids: int
    drop_micros: Micros
    fills_micros: Micros
    credits_micros: Micros
    win_micros: Micros
    hold: str | None
    coin_in_micros: Micros
    """Jackpot wagers taken, less those given back."""
    accrued_micros: Micros
    """What they put aside for players, less what was given back: no win of the house."""
    idle: bool
    """Whether nothing was played, moved or counted."""


class MasterGames(Report, frozen=True, kw_only=True):
    """Every table with its game, by drop period, on idle days too."""

    periods: tuple[GamePeriod, ...]

    tables: ClassVar[dict[str, str]] = {"periods": "Tables by drop period"}


def hold_of(win: Micros, drop: Micros) -> str | None:
    """The win as a percentage of the drop."""
    return percent_text(Fraction(int(win), int(drop))) if drop > NO_MICROS else None


def stiff_sheet(days: DaysRead, head: ReportHead) -> StiffSheet:
    """The stiff sheet of every table."""
    moves = days.books.chips
    sheets = tuple(_sheet(days, table, [each for each in moves if each.table == table]) for table in _tables(days))
    slips = tuple(
        SlipEntry(
            table=move.table,
            at=move.at,
            event=move.seq,
            kind=move.kind,
            slip=move.slip,
            by=move.actor,
            micros=Micros(move.micros),
        )
        for move in moves
    )
    return StiffSheet(head=head, sheets=sheets, slips=slips)


def _tables(days: DaysRead) -> list[str]:
    return sorted(days.closing.tables)


def _sum(moves: list[ChipMove], kind: str) -> Micros:
    return Micros(sum(move.micros for move in moves if move.kind == kind))


def _net(moves: list[ChipMove], kind: str) -> Micros:
    """Fills or credits, without those that were voided."""
    return _sum(moves, kind) - _sum(moves, f"{kind}-voided")


def _sheet(days: DaysRead, table: str, moves: list[ChipMove]) -> TableSheet:
    tray = account("tray", table)
    left = days.closing.held(tray)
    opener = days.opening.held(tray) + _sum(moves, "float")
    closer = left + _sum(moves, "count-tray")
    fills, credits_, drop = _net(moves, "fill"), _net(moves, "credit"), _sum(moves, "count-drop")
    win = closer + credits_ + drop - opener - fills
    return TableSheet(
        table=table,
        game=days.closing.tables[table].game,
        opener_micros=opener,
        fills_micros=fills,
        credits_micros=credits_,
        drop_micros=drop,
        closer_micros=closer,
        win_micros=win,
        hold=hold_of(win, drop),
        fill_slips=sum(move.kind == "fill" for move in moves),
        credit_slips=sum(move.kind == "credit" for move in moves),
        variance_micros=-days.moved_debit(account("variance", table), "variance"),
        counted=days.closing.tables[table].status == "closed",
    )


@dataclass
class _GameSums:
    """A drop period of a table, with what it is made of."""

    since: int
    until: int
    tray_before: Micros
    tray_after: Micros
    moves: list[ChipMove]
    money: DropPeriod
    played: RoundsPlayed


def master_games(days: DaysRead, head: ReportHead) -> MasterGames:
    """Every table by drop period."""
    by_table: dict[str, list[ChipMove]] = {table: [] for table in _tables(days)}
    for move in days.books.chips:
        if move.table in by_table:
            by_table[move.table].append(move)
    counts = {
        table: list(dict.fromkeys(move.seq for move in moves if move.kind == "count-drop"))
        for table, moves in by_table.items()
    }
    played = days.rounds(counts).played
    rows = (
        _period_row(days, table, number, period)
        for table, moves in by_table.items()
        for number, period in enumerate(_drop_periods(days, table, moves, played), 1)
    )
    return MasterGames(head=head, periods=tuple(rows))


def _drop_periods(
    days: DaysRead, table: str, moves: list[ChipMove], played: Mapping[tuple[str, int], RoundsPlayed]
) -> Iterator[_GameSums]:
    """The drop periods of a table: each ends with a count of its drop, the last one with the cut-off."""
    tray, since = account("tray", table), days.first.since
    held, times, place = days.opening.held(tray), {move.seq: move.at for move in moves}, 0
    for number, money in enumerate(days.books.periods(table)):
        is_last = money.count == 0
        until = days.last.until if is_last else times[money.count]
        after = days.closing.held(tray) if is_last else held if money.tray is None else Micros(money.tray)
        own = []
        while place < len(moves) and (is_last or moves[place].seq <= money.count):
            own.append(moves[place])
            place += 1
        yield _GameSums(since, until, held, after, own, money, played.get((table, number), RoundsPlayed()))
        since, held = until + 1, after


def _period_row(days: DaysRead, table: str, number: int, period: _GameSums) -> GamePeriod:
    closing: Floor = days.closing
    moves = period.moves
    fills, credits_, drop = _net(moves, "fill"), _net(moves, "credit"), _sum(moves, "count-drop")
    opener = period.tray_before + _sum(moves, "float")
    win = period.tray_after + _sum(moves, "count-tray") + credits_ + drop - opener - fills
    return GamePeriod(
        table=table,
        game=closing.tables[table].game,
        period=number,
        shift=closing.tables[table].shift,
        since_at=period.since,
        until_at=period.until,
        rounds=period.played.rounds,
        voids=period.played.voids,
        drop_micros=drop,
        fills_micros=fills,
        credits_micros=credits_,
        win_micros=win,
        hold=hold_of(win, drop),
        coin_in_micros=Micros(period.money.coin_in),
        accrued_micros=Micros(period.money.accrued),
        idle=not (moves or period.played.rounds or period.played.voids or period.money.coin_in),
    )
