"""The sums of gaming days that have ended, kept beside the rows they are made of, and read for reports.

They are no second truth: every row says which events it sums and the hash of the last, a report makes again what is not
kept, and the audit makes every one again and compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, TypeVar

import msgspec
from sqlalchemy import func, select

from houseway.errors import InputError
from houseway.manager.core.gaming_day import day_at, gaming_day
from houseway.manager.store import schema, urls
from houseway.manager.store.day_summing import sum_books, sum_parts, sum_rounds, sum_staff, sum_wagers
from houseway.manager.store.day_sums import (
    PARTS,
    BookSums,
    Part,
    RoundSums,
    SeatSums,
    StaffSums,
    WagerSums,
    part_bytes,
)
from houseway.manager.store.gaming_days import settings_now, time_of
from houseway.manager.store.reading import View, open_view

AT_ONCE: Final = 50_000
"""Events that are summed at once where nothing is kept, so that any length takes the same memory."""
PartT = TypeVar("PartT", BookSums, RoundSums, SeatSums, StaffSums, WagerSums)


def stretches(view: View, part: type[PartT], before: int, last: int, zone: str) -> Iterator[tuple[int, int, PartT]]:
    """One part of the sums of all events of a range, in stretches that follow on each other: kept ones, else new ones.

    Hours are by the clocks of `zone`; where sums were kept by other clocks they are made again.
    """
    for low, high in _kept_bounds(view, part, before, last):
        found = _kept(view, part, low, high)
        while before < low:
            until = min(low, before + AT_ONCE)
            yield before, until, _summed(view, part, before, until, zone)
            before = until
        if found is None or getattr(found, "zone", zone) != zone:
            found = _summed(view, part, low, high, zone)
        yield low, high, found
        before = high
    while before < last:
        until = min(last, before + AT_ONCE)
        yield before, until, _summed(view, part, before, until, zone)
        before = until


def name_of(part: type[Part]) -> str:
    """Under which name a part is stored."""
    return next(name for name, kind in PARTS.items() if kind is part)


def _kept_bounds(view: View, part: type[Part], before: int, last: int) -> list[tuple[int, int]]:
    """Which stretches of a range are kept; none overlaps another."""
    table, found, place = schema.day_sums, list[tuple[int, int]](), before
    asked = select(table.c.before, table.c.seq).where(
        table.c.part == name_of(part), table.c.before >= before, table.c.seq <= last
    )
    for low, high in view.rows(asked.order_by(table.c.seq)):
        if low >= place:
            found.append((int(low), int(high)))
            place = int(high)
    return found


def _kept(view: View, part: type[PartT], before: int, last: int) -> PartT | None:
    """The sums that are kept of a stretch; None where they cannot be read, or are of another journal's events."""
    table, events = schema.day_sums, schema.events
    rows = view.rows(
        select(table.c.sums, table.c.hash, events.c.hash)
        .join(events, events.c.seq == table.c.seq)
        .where(table.c.seq == last, table.c.part == name_of(part), table.c.before == before)
    )
    if not rows or rows[0][1] != rows[0][2]:
        return None
    try:
        return msgspec.json.decode(bytes(rows[0][0]), type=part)
    except msgspec.MsgspecError:
        return None


def _summed(view: View, part: type[PartT], before: int, last: int, zone: str) -> PartT:
    """One part of the sums of a stretch, made now."""
    makers: dict[type[Part], Callable[[], Part]] = {
        BookSums: lambda: sum_books(view, before, last),
        RoundSums: lambda: sum_rounds(view, before, last, zone, sum_books(view, before, last).chips),
        SeatSums: lambda: sum_wagers(view, before, last, zone)[1],
        StaffSums: lambda: sum_staff(view, before, last),
        WagerSums: lambda: sum_wagers(view, before, last, zone)[0],
    }
    made = makers[part]()
    if not isinstance(made, part):
        raise TypeError(f"{type(made).__name__} are not {part.__name__}")
    return made


class DaySumBook:
    """The kept sums of a journal in a database."""

    def __init__(self, url: str) -> None:
        """Nothing is opened before it is needed."""
        self._url = url if "://" in url else f"sqlite:///{url}"

    def renew(self) -> int:
        """Keep the sums of every gaming day that has ended since the last one; returns how many days were added."""
        added = 0
        while self.add_day():
            added += 1
        return added

    def add_day(self) -> bool:
        """Keep the sums of the next day, if it has ended: then something has happened behind it."""
        with open_view(self._url) as view:
            found = _next_day(view)
            if found is None:
                return False
            before, last, zone = found
            parts = sum_parts(view, before, last, zone)
            event = view.event(last)
        if event is None:
            raise InputError.of("unreadable-database", "database", f"event {last} is not there: verify the journal")
        rows = [(last, name, before, event.hash, part_bytes(part)) for name, part in sorted(parts.items())]
        journal = urls.journal_at(self._url)
        try:
            journal.begin()
            if journal.summed_up_to() > before:
                return True  # another process was quicker
            journal.check_guards()
            journal.keep_sums(rows)
            journal.commit()
        finally:
            journal.rollback()
            journal.close()
        return True


def _next_day(view: View) -> tuple[int, int, str] | None:
    """The next gaming day with events whose sums are not kept and that has ended: its bounds and its time zone."""
    first, newest = view.bounds()
    ((kept,),) = view.rows(select(func.max(schema.day_sums.c.seq)))
    before = max(int(kept or 0), first - 1)
    if before >= newest:
        return None
    floor = settings_now(view)
    if not floor.properties:
        return None
    # After the clock was set back, a time may lie before the day that was reached: such a day has no events left.
    day = gaming_day(floor, day_at(floor, time_of(view, before + 1)))
    last = view.seq_at(day.until)
    while last <= before:
        day = gaming_day(floor, type(day.day).fromordinal(day.day.toordinal() + 1))
        last = view.seq_at(day.until)
    return None if last >= newest else (before, last, day.zone)
