"""What reports are made of: the gaming days asked for, the state before and after them, and sums of their transfers.

The state at the beginning and at the end comes from the nearest stored state and the signed events behind it. Between
them money is summed from the transfers alone, or taken from such sums of single days (`store.day_sum_keeping`), so that
both ways must meet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import select

from houseway.amounts import NO_MICROS, Micros
from houseway.errors import InputError
from houseway.manager.core.floor import Floor
from houseway.manager.core.gaming_day import FIRST_DAY, HOUR, LAST_DAY, GamingDay, day_at, gaming_day
from houseway.manager.core.house_entities import Property
from houseway.manager.core.ledger import shown_balance
from houseway.manager.core.records import Event
from houseway.manager.reports.day_totals import BookTotals, RoundTotals, WagerTotals, staff_totals, wager_totals
from houseway.manager.reports.report_base import ReportHead
from houseway.manager.store import schema
from houseway.manager.store.archived_days import (
    RecordedArchive,
    boundary_time,
    check_archive,
    opened_archives,
    recorded_archives,
)
from houseway.manager.store.day_sum_keeping import stretches
from houseway.manager.store.day_summing import events_of_kinds
from houseway.manager.store.day_sums import SeatSums
from houseway.manager.store.event_body import Body
from houseway.manager.store.gaming_days import settings_now, time_of
from houseway.manager.store.journal import Checkpoint
from houseway.manager.store.marks import Mark
from houseway.manager.store.projections import COLUMNS
from houseway.manager.store.reading import View, announced_keys
from houseway.manager.store.trust import Trust

_BODY: Final = msgspec.json.Decoder(Body)


@dataclass(frozen=True)
class DaysRead:
    """Gaming days of a journal, opened for reports; what a report does not ask for is not read."""

    view: View
    first: GamingDay
    last: GamingDay
    before: int
    """The last event before the first day."""
    end: int
    """The last event of the last day; `before` where nothing happened."""
    is_preliminary: bool
    settings: Floor
    """The settings and the property as the journal has them now; nothing else of this floor counts."""
    trust: Trust
    """The keys that must have signed what is read."""

    @cached_property
    def opening(self) -> Floor:
        """The state before the first day."""
        return self.view.state_at(self.before).floor

    @cached_property
    def _closing(self) -> tuple[str, Floor]:
        _, hash_, floor = self.view.state_at(self.end)
        return hash_, floor

    @property
    def closing(self) -> Floor:
        """The state after the last day."""
        return self._closing[1]

    @cached_property
    def moved(self) -> dict[str, dict[str, Micros]]:
        """By account and reason: what the transfers of these days moved, with its sign in the books."""
        return self.books.moved

    @cached_property
    def books(self) -> BookTotals:
        """What the transfers of these days say."""
        return BookTotals(self.view, self.before, self.end, self.last.zone)

    @cached_property
    def wagers(self) -> WagerTotals:
        """The jackpot wagers of these days by link and rate."""
        return wager_totals(self.view, self.before, self.end, self.last.zone, self.opening)

    def rounds(self, counts: Mapping[str, Sequence[int]]) -> RoundTotals:
        """The rounds of these days; `counts` are the events that ended a drop period, by table."""
        return RoundTotals(self.view, self.before, self.end, self.last.zone, counts)

    def seats(self) -> Iterator[SeatSums]:
        """The jackpot wagers of these days by seat and hour, in several parts."""
        for _, _, part in stretches(self.view, SeatSums, self.before, self.end, self.last.zone):
            yield part

    @cached_property
    def staff(self) -> Counter[tuple[str, str]]:
        """How often each person gave each command, by actor and kind."""
        return staff_totals(self.view, self.before, self.end, self.last.zone)

    def moved_by(self, name: str, *reasons: str) -> Micros:
        """What moved on an account for these reasons, as people read it: what is owed rises when it is positive."""
        moved = self.moved.get(name, {})
        return shown_balance(name, sum((moved.get(reason, NO_MICROS) for reason in reasons), NO_MICROS))

    def moved_debit(self, name: str, *reasons: str) -> Micros:
        """What moved on an account for these reasons, a debit positive."""
        return shown_balance(name, self.moved_by(name, *reasons))

    def events(self, *kinds: str) -> Iterator[tuple[Event, Body]]:
        """Events of these kinds in their order, with their bodies."""
        for event in events_of_kinds(self.view, self.before, self.end, kinds):
            yield event, _BODY.decode(event.body)

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """Rows that the events of these days left in a table, in their order."""
        window = 20_000
        for low in range(self.before, self.end, window):
            for row in self.view.window(schema.metadata.tables[table], low, min(low + window, self.end)):
                yield dict(zip(COLUMNS[table], row, strict=True))

    def day_of(self, at: int) -> date:
        """The gaming day of a time."""
        return day_at(self.settings, at)

    def head(self, name: str, title: str, prepared_by: str | None, reviewed_by: str | None) -> ReportHead:
        """The head of a report about these days."""
        owner = self.property
        happened = self.end > self.before
        signature = self._signature()
        return ReportHead(
            report=name,
            title=title,
            property=owner.name,
            licence=owner.licence,
            first_day=self.first.day.isoformat(),
            last_day=self.last.day.isoformat(),
            zone=self.last.zone,
            cut_off_hour=self.first.hour,
            since_at=self.first.since,
            until_at=self.last.until,
            hours=(self.last.until + 1 - self.first.since) // HOUR,
            preliminary=self.is_preliminary,
            first_event=self.before + 1 if happened else None,
            last_event=self.end if happened else None,
            journal=self.view.journal_id(),
            last_hash=self._closing[0],
            checkpoint=signature.seq if signature else None,
            signed_by=signature.key_id if signature else None,
            prepared_by=prepared_by,
            reviewed_by=reviewed_by,
        )

    def _signature(self) -> Checkpoint | None:
        """The checkpoint that covers the last event, refused where the keys have not signed it."""
        table, journal = schema.checkpoints, self.view.journal_id() or ""
        found = self.view.rows(select(table).where(table.c.seq >= self.end).order_by(table.c.seq).limit(1))
        if not found:
            return None
        checkpoint = Checkpoint(*found[0])
        mark = Mark.of(journal, checkpoint)
        if not self.trust.verifies(mark.key_id, mark.signature, mark.text()):
            message = f"event {mark.seq} is not signed by the keys in trust: verify the journal (houseway audit verify)"
            raise InputError.of("journal-damaged", "database", message)
        return checkpoint

    @property
    def property(self) -> Property:
        """The property."""
        return self.settings.properties["property"]


def read_days(view: View, first: date, last: date, now: int, trust: Trust | None = None) -> DaysRead:
    """Open gaming days from one date to another for reports; refused where the journal does not have them whole.

    `now` is the time at which it is asked: a last day that has not ended by then is preliminary. `trust` has the keys
    that must have signed the journal, and the anchor up to which it must reach unless it ends after these days; without
    it those keys count that the journal announces.
    """
    asked = _asked(view, first, last, now, trust)
    if not _begins_here(view, asked.begin.since):
        raise _archived(view, asked.begin, asked.finish, [])
    return _read(view, view, asked, now)


@contextmanager
def opened_days(
    view: View, first: date, last: date, now: int, trust: Trust | None = None, archives: Sequence[Path] = ()
) -> Iterator[DaysRead]:
    """As `read_days`, also for days whose events were archived, from files that are compared with their record."""
    asked = _asked(view, first, last, now, trust)
    if _begins_here(view, asked.begin.since):
        yield _read(view, view, asked, now)
        return
    recorded = recorded_archives(view.state_at(view.bounds()[1]).floor)
    given = [check_archive(path, view.journal_id() or "", recorded) for path in archives]
    wanted = _wanted(recorded, asked.begin, asked.finish)
    files = [each for each in sorted(given, key=lambda each: each.record.first) if each.record in wanted]
    missing = [record for record in wanted if record not in [each.record for each in files]]
    if missing:
        raise _archived(view, asked.begin, asked.finish, missing)
    with opened_archives(view, files, asked.begin.since, asked.finish.until) as source:
        yield _read(view, source, asked, now)


class _DaysAsked(NamedTuple):
    """Gaming days that somebody asks for, which a journal may have."""

    begin: GamingDay
    finish: GamingDay
    floor: Floor
    keys: Trust


def _asked(view: View, first: date, last: date, now: int, trust: Trust | None) -> _DaysAsked:
    """The days, refused where no event of them can be in the journal or in its archives."""
    if last < first:
        raise InputError.of("bad-time", "through", "the last day is before the first: turn --day and --through round")
    floor = settings_now(view)
    if not floor.properties:
        raise InputError.of("no-events", "database", f"{view.name} has no property yet: there is nothing to report")
    for day, path in ((first, "day"), (last, "through")):
        if not FIRST_DAY <= day <= LAST_DAY:
            raise InputError.of("no-events", path, f"no journal has a day in the year {day.year}: {_days_told(view)}")
    begin, finish = gaming_day(floor, first), gaming_day(floor, last)
    lowest, highest = view.bounds()
    oldest, newest = (time_of(view, seq) for seq in (lowest, highest))
    if lowest == 1 and begin.until < oldest and last < day_at(floor, oldest):
        raise InputError.of("no-events", "day", f"the journal begins after that day: {_days_told(view)}")
    if begin.since > max(now, newest):
        raise InputError.of("no-events", "day", f"{first} has not begun yet: {_days_told(view)}")
    if trust is not None and newest <= finish.until:
        trust.refuse_cut_off(highest)
    return _DaysAsked(begin, finish, floor, (trust or Trust()).announced(announced_keys(view)))


def _begins_here(view: View, since: int) -> bool:
    """Whether all events from a time on are in the live tables."""
    lowest, _ = view.bounds()
    return lowest == 1 or view.seq_at(since - 1) >= lowest or boundary_time(view) < since


def _read(view: View, source: View, asked: _DaysAsked, now: int) -> DaysRead:
    """The days, whose events are in `source`: the journal itself, or what was read from archives."""
    begin, finish, floor, keys = asked
    before, end = source.seq_at(begin.since - 1), source.seq_at(finish.until)
    before = max(before, source.bounds()[0] - 1)
    if source is not view:
        keys = keys.announced(announced_keys(source))
    return DaysRead(source, begin, finish, before, max(end, before), finish.until >= now, floor, keys)


def _wanted(recorded: Sequence[RecordedArchive], begin: GamingDay, finish: GamingDay) -> list[RecordedArchive]:
    """The archives in which events of some days lie, or may lie where their times were not told."""
    return [each for each in recorded if (each.until >= begin.since or each.until == 0) and each.since <= finish.until]


def _archived(view: View, begin: GamingDay, finish: GamingDay, missing: Sequence[RecordedArchive]) -> InputError:
    wanted = missing or _wanted(recorded_archives(view.state_at(view.bounds()[1]).floor), begin, finish)
    named = "; ".join(map(str, wanted)) or "the archives"
    message = f"events of {begin.day} lie in files: name with --archive {named}, or {_days_told(view)}"
    return InputError.of("archived", "day", message)


def last_ended_day(view: View, now: int) -> date:
    """The last gaming day with events that has ended; refused on a journal without one."""
    floor = settings_now(view)
    _, highest = view.bounds()
    found = day_at(floor, min(now, time_of(view, highest)))
    if gaming_day(floor, found).until >= now:
        found -= timedelta(days=1)
    return found


def gaming_day_at(view: View, at: int) -> date:
    """The gaming day in which a time lies, by the settings of the property."""
    return day_at(settings_now(view), at)


def gaming_day_of(view: View, day: date) -> GamingDay:
    """The gaming day of a date by the settings of the property."""
    return gaming_day(settings_now(view), day)


def _days_told(view: View) -> str:
    """Which gaming days there are, for somebody who asked for another one."""
    floor = settings_now(view)
    lowest, highest = view.bounds()
    first, last = (day_at(floor, time_of(view, seq)) for seq in (lowest, highest))
    if not _begins_here(view, gaming_day(floor, first).since):
        first += timedelta(days=1)
    if first > last:
        return "no whole gaming day is left in this database"
    return f"name a day from {first} to {last}"
