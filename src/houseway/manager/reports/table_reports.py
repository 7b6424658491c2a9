"""What tables won: the stiff sheet of each table, and the master games report by table, game and drop period.

Chips and counted drops are what the house transfers at a table: float, fill, credit and count. What a tray holds at the
cut-off while its table is open was not counted, and is taken from the books.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar, Final, NamedTuple

from sqlalchemy import select

from houseway.amounts import NO_MICROS, Micros
from houseway.errors import present
from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import MONEY, account, kind_of_account
from houseway.manager.reports.day_reading import DaysRead
from houseway.manager.reports.report_base import Report, ReportHead, ReportRow
from houseway.manager.store import schema
from houseway.manager.store.transfer_sums import transfer_sums
from houseway.odds.distribution import percent_text

SLIPS: Final = ("fill", "credit", "fill-voided", "credit-voided")
CHIPS: Final = ("float", *SLIPS, "count")
"""Reasons for which chips and counted money move between the house and a table."""
WAGERS: Final = ("receipt", "contribution", "reserve", "void", "correction")
"""Reasons for which jackpot wagers and their shares move."""


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


class ChipMove(NamedTuple):
    """A transfer of chips or counted money at a table."""

    seq: int
    at: int
    actor: str
    table: str
    kind: str
    slip: str
    micros: Micros


def chip_moves(days: DaysRead) -> list[ChipMove]:
    """Every float, fill, credit and count of these days, in their order."""
    transfers, events = schema.transfers, schema.events
    found = (
        select(
            transfers.c.seq, events.c.at, events.c.actor, transfers.c.debit, transfers.c.credit, transfers.c.micros,
            transfers.c.reason, transfers.c.subject,
        )
        .join(events, events.c.seq == transfers.c.seq)
        .where(transfers.c.seq > days.before, transfers.c.seq <= days.end, transfers.c.reason.in_(CHIPS))
        .order_by(transfers.c.seq, transfers.c.line)
    )  # fmt: skip
    moves = []
    for seq, at, actor, debit, credit, moved, reason, subject in days.view.rows(found):
        kind, _, table = (credit if debit == "house" else debit).partition("/")
        slip = subject.partition(":")[2] if reason in SLIPS else ""
        moves.append(
            ChipMove(seq, at, actor, table, f"count-{kind}" if reason == "count" else reason, slip, Micros(moved))
        )
    return moves


def hold_of(win: Micros, drop: Micros) -> str | None:
    """The win as a percentage of the drop."""
    return percent_text(Fraction(int(win), int(drop))) if drop > NO_MICROS else None


def stiff_sheet(days: DaysRead, head: ReportHead) -> StiffSheet:
    """The stiff sheet of every table."""
    moves = chip_moves(days)
    sheets = tuple(_sheet(days, table, [each for each in moves if each.table == table]) for table in _tables(days))
    slips = tuple(
        SlipEntry(
            table=move.table,
            at=move.at,
            event=move.seq,
            kind=move.kind,
            slip=move.slip,
            by=move.actor,
            micros=move.micros,
        )
        for move in moves
    )
    return StiffSheet(head=head, sheets=sheets, slips=slips)


def _tables(days: DaysRead) -> list[str]:
    return sorted(days.closing.tables)


def _sum(moves: list[ChipMove], kind: str) -> Micros:
    return Micros(sum(int(move.micros) for move in moves if move.kind == kind))


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
class _DropPeriod:
    """A drop period while it is added up."""

    since: int
    until: int
    tray_before: Micros
    tray_after: Micros
    last: int
    """The event with the count that ends it."""
    moves: list[ChipMove]
    rounds: set[str] = field(default_factory=set)
    voids: set[str] = field(default_factory=set)
    coin_in: Micros = NO_MICROS
    accrued: Micros = NO_MICROS


def master_games(days: DaysRead, head: ReportHead) -> MasterGames:
    """Every table by drop period."""
    moves = chip_moves(days)
    periods = {
        table: _drop_periods(days, table, [move for move in moves if move.table == table]) for table in _tables(days)
    }
    _add_rounds(days, periods)
    _add_wagers(days, periods)
    rows = (
        _period_row(days, table, number, period)
        for table, found in periods.items()
        for number, period in enumerate(found, 1)
    )
    return MasterGames(head=head, periods=tuple(rows))


def _drop_periods(days: DaysRead, table: str, moves: list[ChipMove]) -> list[_DropPeriod]:
    """The drop periods of a table: each ends with a count of its drop, the last one with the cut-off."""
    counts = list(dict.fromkeys((move.seq, move.at) for move in moves if move.kind == "count-drop"))
    tray, begun, since = account("tray", table), days.before, days.first.since
    found: list[_DropPeriod] = []
    held = days.opening.held(tray)
    for seq, at in [*counts, (days.end, days.last.until)]:
        after = _tray_after(days, tray, seq)
        own = [move for move in moves if begun < move.seq <= seq]
        found.append(_DropPeriod(since, at, held, after, seq, own))
        begun, since, held = seq, at + 1, after
    return found


def _tray_after(days: DaysRead, tray: str, seq: int) -> Micros:
    """What a tray held behind an event of these days, by the balance stored with its last transfer."""
    if seq >= days.end:
        return days.closing.held(tray)
    transfers = schema.transfers
    of_tray = (transfers.c.debit == tray) | (transfers.c.credit == tray)
    last = select(transfers).where(of_tray, transfers.c.seq > days.before, transfers.c.seq <= seq)
    rows = days.view.rows(last.order_by(transfers.c.seq.desc(), transfers.c.line.desc()).limit(1))
    if not rows:
        return days.opening.held(tray)
    _, _, debit, _, _, _, _, risen, fallen = rows[0]
    return Micros(risen if debit == tray else fallen)


def _add_rounds(days: DaysRead, periods: dict[str, list[_DropPeriod]]) -> None:
    for row in days.rows("rounds"):
        period = _period_at(periods.get(row["table"], []), row["seq"])
        if period is not None:
            (period.rounds if row["outcome"] in ("ended", "on-paper") else period.voids).add(row["round"])


def _add_wagers(days: DaysRead, periods: dict[str, list[_DropPeriod]]) -> None:
    """Jackpot wagers by drop period: what came into the drop and went again, and what they put aside for players."""
    ends = sorted({period.last for found in periods.values() for period in found})
    for low, high in pairwise([days.before, *ends]):
        for (debit, credit, reason), moved in transfer_sums(days.view, low, high).items():
            for name, sign in ((debit, 1), (credit, -1)):
                kind, _, table = name.partition("/")
                if reason in WAGERS and kind in ("drop", "receipts") and table in periods:
                    period = present(_period_at(periods[table], high), f"drop period of {table}")
                    other = kind_of_account(credit if sign > 0 else debit)
                    if kind == "drop":
                        period.coin_in += moved * sign
                    elif other in MONEY:
                        period.accrued += moved * sign


def _period_at(periods: list[_DropPeriod], seq: int) -> _DropPeriod | None:
    return next((period for period in periods if seq <= period.last), None)


def _period_row(days: DaysRead, table: str, number: int, period: _DropPeriod) -> GamePeriod:
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
        rounds=len(period.rounds),
        voids=len(period.voids - period.rounds),
        drop_micros=drop,
        fills_micros=fills,
        credits_micros=credits_,
        win_micros=win,
        hold=hold_of(win, drop),
        coin_in_micros=period.coin_in,
        accrued_micros=period.accrued,
        idle=not (moves or period.rounds or period.voids or period.coin_in),
    )
