"""Slips: the numbers that were used, those left out between them, prints and reprints, and slips that do not count."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from re import compile as pattern
from typing import ClassVar, Final

from houseway.amounts import Cents
from houseway.manager.core.slip_entities import Slip
from houseway.manager.reports.day_reading import DaysRead
from houseway.manager.reports.jackpot_log import award_entries
from houseway.manager.reports.report_base import Report, ReportHead, ReportRow

UNDONE: Final = ("rejected", "taken-back", "backed-out")
"""What becomes of an award that does not count."""
MOST_MISSING: Final = 10_000
"""Single numbers of one series that are listed; a longer gap is another series."""
_NUMBER: Final = pattern(r"(.*?)([0-9]{1,18})")


class NumberedSeries(ReportRow, frozen=True, kw_only=True):
    """A series of slips: numbers behind the same letters."""

    series: str
    """What stands before the number; empty where slips are plain numbers."""
    used: int
    """Slips of the series used in these days."""
    lowest: int
    """The lowest number used in them."""
    highest: int
    unused: int
    """Numbers up to the highest that were never used, from the last one used before these days on."""


class UnusedSlip(ReportRow, frozen=True, kw_only=True):
    """A number that was left out."""

    slip: str
    series: str


class VoidedSlip(ReportRow, frozen=True, kw_only=True):
    """A slip that was voided in these days."""

    slip: str
    kind: str
    """`win`, `fill` or `credit`."""
    at: int
    by: str
    second: str
    table: str
    award: str | None
    cents: Cents
    reason: str
    replaced_by: str | None
    """The slip that counts instead."""


class PrintedSlip(ReportRow, frozen=True, kw_only=True):
    """A print of a slip in these days."""

    slip: str
    copy: str
    """`original` or `duplicate`."""
    reprint: int
    """0 for the first print of the copy; after it the reprints are counted."""
    at: int
    by: str
    reason: str


class UnprintedSlip(ReportRow, frozen=True, kw_only=True):
    """A slip made in these days of which no copy was printed by their end."""

    slip: str
    kind: str
    at: int
    by: str
    table: str
    cents: Cents


class UndoneEntry(ReportRow, frozen=True, kw_only=True):
    """An award that was rejected, taken back or backed out."""

    award: str
    status: str
    at: int
    event: int
    by: str
    link: str
    table: str | None
    cents: Cents


class SlipReport(Report, frozen=True, kw_only=True):
    """Unused, voided, printed and unprinted slips."""

    series: tuple[NumberedSeries, ...]
    unused: tuple[UnusedSlip, ...]
    voided: tuple[VoidedSlip, ...]
    prints: tuple[PrintedSlip, ...]
    unprinted: tuple[UnprintedSlip, ...]
    undone: tuple[UndoneEntry, ...]

    tables: ClassVar[dict[str, str]] = {
        "series": "Series of slips",
        "unused": "Numbers left out",
        "voided": "Voided slips",
        "prints": "Prints and reprints",
        "unprinted": "Slips without a print",
        "undone": "Awards that do not count",
    }


def slip_report(days: DaysRead, head: ReportHead) -> SlipReport:
    """The slips of some days."""
    slips = [days.closing.slips[id_] for id_ in sorted(days.closing.slips)]
    new = [slip for slip in slips if slip.id not in days.opening.slips]
    series, unused = _numbers(new, slips)
    return SlipReport(
        head=head,
        series=series,
        unused=unused,
        voided=tuple(_voided(days, slips)),
        prints=tuple(_prints(days, slips)),
        unprinted=tuple(
            UnprintedSlip(slip=each.id, kind=each.kind, at=each.at, by=each.by, table=each.table, cents=each.cents)
            for each in new
            if not each.prints and each.void is None
        ),
        undone=tuple(_undone(days)),
    )


def _numbers(new: Iterable[Slip], ever: Iterable[Slip]) -> tuple[tuple[NumberedSeries, ...], tuple[UnusedSlip, ...]]:
    known, series, unused = _by_series(ever), [], []
    for name, numbers in sorted(_by_series(new).items()):
        missing = list(_missing(numbers, known[name]))
        series.append(
            NumberedSeries(
                series=name, used=len(numbers), lowest=min(numbers), highest=max(numbers), unused=len(missing)
            )
        )
        unused += [UnusedSlip(slip=f"{name}{number}", series=name) for number in missing[:MOST_MISSING]]
    return tuple(series), tuple(unused)


def _by_series(slips: Iterable[Slip]) -> dict[str, list[int]]:
    """Numbers of slips by what stands before them; slips that do not end in a number are no part of a series."""
    found: dict[str, list[int]] = defaultdict(list)
    for slip in slips:
        match = _NUMBER.fullmatch(slip.id)
        if match is not None:
            found[match[1]].append(int(match[2]))
    return found


def _missing(numbers: list[int], ever: list[int]) -> Iterator[int]:
    """Numbers between the last one used before these and the highest of these that nobody ever used."""
    low, high, used = min(numbers), max(numbers), set(ever)
    before = max((number for number in used if number < low), default=low - 1)
    first = before + 1 if low - before <= MOST_MISSING else low
    yield from (number for number in range(first, min(high, first + MOST_MISSING * 10) + 1) if number not in used)


def _voided(days: DaysRead, slips: Iterable[Slip]) -> Iterator[VoidedSlip]:
    for slip in slips:
        before = days.opening.slips.get(slip.id)
        if slip.void is not None and (before is None or before.void is None):
            yield VoidedSlip(
                slip=slip.id, kind=slip.kind, at=slip.void.at, by=slip.void.by, second=slip.void.second,
                table=slip.table, award=slip.award or None, cents=slip.cents, reason=slip.void.reason,
                replaced_by=slip.void.replaced_by or None,
            )  # fmt: skip


def _prints(days: DaysRead, slips: Iterable[Slip]) -> Iterator[PrintedSlip]:
    for slip in slips:
        before = days.opening.slips.get(slip.id)
        for made in slip.prints[0 if before is None else len(before.prints) :]:
            yield PrintedSlip(
                slip=slip.id, copy=made.copy, reprint=made.reprint, at=made.at, by=made.by, reason=made.reason
            )


def _undone(days: DaysRead) -> Iterator[UndoneEntry]:
    for entry in award_entries(days):
        if entry.status in UNDONE:
            yield UndoneEntry(
                award=entry.award, status=entry.status, at=entry.at, event=entry.event, by=entry.by, link=entry.link,
                table=entry.table, cents=entry.cents,
            )  # fmt: skip
