"""The jackpot log: every award of the days with what became of it, from the rows that its events left."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar, Final

from sqlalchemy import select

from houseway.amounts import NO_MICROS, Cents, Micros, total
from houseway.manager.reports.day_reading import DaysRead
from houseway.manager.reports.report_base import Report, ReportHead, ReportRow
from houseway.manager.store import schema

_AT_ONCE: Final = 500


class AwardEntry(ReportRow, frozen=True, kw_only=True):
    """What an event did to an award: it was hit, paid, rejected, taken back or backed out."""

    award: str
    """The award's id, which is never used again."""
    status: str
    """`hit`, `paid`, `rejected`, `taken-back` or `backed-out`."""
    at: int
    event: int
    by: str
    """Who acted."""
    link: str
    level: str | None
    """The level that pays; none where the tray pays."""
    table: str | None
    seat: int | None
    hand: str | None
    percent: int | None
    """The share of the level that it wins; none for a fixed pay."""
    cents: Cents
    meter_before_micros: Micros
    meter_after_micros: Micros
    reseeded_micros: Micros
    """The house's money that it drew."""
    reserve_micros: Micros
    """Of the reserve, what went onto the meter behind it."""


class AwardSum(ReportRow, frozen=True, kw_only=True):
    """The awards of a level, or of a link's tray, added up by what became of them."""

    link: str
    level: str | None
    status: str
    awards: int
    cents: Cents


class JackpotLog(Report, frozen=True, kw_only=True):
    """Every award, in the order of the events."""

    entries: tuple[AwardEntry, ...]
    sums: tuple[AwardSum, ...]

    tables: ClassVar[dict[str, str]] = {
        "entries": "Awards in the order of events",
        "sums": "Awards by level and status",
    }


def jackpot_log(days: DaysRead, head: ReportHead) -> JackpotLog:
    """The log of some days."""
    entries = award_entries(days)
    sums: dict[tuple[str, str | None, str], list[AwardEntry]] = {}
    for entry in entries:
        sums.setdefault((entry.link, entry.level, entry.status), []).append(entry)
    ordered = sorted(sums.items(), key=lambda each: (each[0][0], each[0][1] or "", each[0][2]))
    return JackpotLog(
        head=head,
        entries=entries,
        sums=tuple(
            AwardSum(
                link=link,
                level=level,
                status=status,
                awards=len(found),
                cents=total(entry.cents for entry in found),
            )
            for (link, level, status), found in ordered
        ),
    )


def award_entries(days: DaysRead) -> tuple[AwardEntry, ...]:
    """Everything that happened to awards, in the order of the events."""
    rows = list(days.rows("hits"))
    actors = _actors(days, {int(row["seq"]) for row in rows})
    return tuple(_entry(row, actors) for row in rows)


def _entry(row: dict[str, Any], actors: dict[int, str]) -> AwardEntry:
    return AwardEntry(
        award=row["award"],
        status=row["status"],
        at=row["at"],
        event=row["seq"],
        by=actors.get(row["seq"], ""),
        link=row["link"],
        level=row["level"],
        table=row["table"],
        seat=row["seat"],
        hand=row["hand"],
        percent=row["percent"],
        cents=Cents(row["cents"] or 0),
        meter_before_micros=Micros(row["meter_before_micros"] or NO_MICROS),
        meter_after_micros=Micros(row["meter_after_micros"] or NO_MICROS),
        reseeded_micros=Micros(row["seed_drawn_micros"] or NO_MICROS),
        reserve_micros=Micros(row["reserve_drawn_micros"] or NO_MICROS),
    )


def _actors(days: DaysRead, seqs: Iterable[int]) -> dict[int, str]:
    """Who acted, by event."""
    wanted, events, found = sorted(seqs), schema.events, dict[int, str]()
    for place in range(0, len(wanted), _AT_ONCE):
        some = select(events.c.seq, events.c.actor).where(events.c.seq.in_(wanted[place : place + _AT_ONCE]))
        found.update({int(seq): actor for seq, actor in days.view.rows(some)})
    return found
