"""What reports are made of: the gaming days asked for, the state before and after them, and sums of their transfers.

The state at the beginning and at the end comes from the nearest stored state and the signed events behind it. Between
them money is summed from the transfers alone, so that both ways must meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import Any, Final

import msgspec
from sqlalchemy import or_, select

from houseway.amounts import NO_MICROS, Micros
from houseway.errors import InputError
from houseway.manager.core.floor import Floor, entity_of
from houseway.manager.core.gaming_day import FIRST_DAY, HOUR, LAST_DAY, GamingDay, day_at, gaming_day, local_time
from houseway.manager.core.house_entities import Property
from houseway.manager.core.ledger import shown_balance
from houseway.manager.core.records import Event
from houseway.manager.reports.report_base import ReportHead
from houseway.manager.store import schema
from houseway.manager.store.anchoring import refuse_forked
from houseway.manager.store.event_body import Body
from houseway.manager.store.journal import Checkpoint
from houseway.manager.store.marks import Mark
from houseway.manager.store.projections import COLUMNS
from houseway.manager.store.reading import View, announced_keys
from houseway.manager.store.transfer_sums import by_account, transfer_sums
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
        return by_account(transfer_sums(self.view, self.before, self.end))

    def moved_by(self, name: str, *reasons: str) -> Micros:
        """What moved on an account for these reasons, as people read it: what is owed rises when it is positive."""
        moved = self.moved.get(name, {})
        return shown_balance(name, sum((moved.get(reason, NO_MICROS) for reason in reasons), NO_MICROS))

    def moved_debit(self, name: str, *reasons: str) -> Micros:
        """What moved on an account for these reasons, a debit positive."""
        return shown_balance(name, self.moved_by(name, *reasons))

    def events(self, *kinds: str) -> Iterator[tuple[Event, Body]]:
        """Events of these kinds in their order, with their bodies."""
        for event in self.view.events(self.before, self.end, schema.events.c.kind.in_(kinds)):
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

    def hour_of(self, at: int) -> str:
        """The hour in which a time lies, by the clocks of the property, as in 2026-11-16T18-08:00."""
        return local_time(at, self.last.zone).isoformat(timespec="hours")

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
    that must have signed the journal, and the anchor: it must have grown out of what that saw, and reach as far
    unless it ends after these days. Without it those keys count that the journal announces.
    """
    if last < first:
        raise InputError.of("bad-time", "through", "the last day is before the first: turn --day and --through round")
    floor = _settings_now(view)
    if not floor.properties:
        raise InputError.of("no-events", "database", f"{view.name} has no property yet: there is nothing to report")
    for day, path in ((first, "day"), (last, "through")):
        if not FIRST_DAY <= day <= LAST_DAY:
            raise InputError.of("no-events", path, f"no journal has a day in the year {day.year}: {_days_told(view)}")
    begin, finish = gaming_day(floor, first), gaming_day(floor, last)
    lowest, highest = view.bounds()
    oldest, newest = (_time_of(view, seq) for seq in (lowest, highest))
    if lowest == 1 and begin.until < oldest and last < day_at(floor, oldest):
        raise InputError.of("no-events", "day", f"the journal begins after that day: {_days_told(view)}")
    if begin.since > max(now, newest):
        raise InputError.of("no-events", "day", f"{first} has not begun yet: {_days_told(view)}")
    if trust is not None:
        refuse_forked(view, trust, part=newest > finish.until)
    before, end = view.seq_at(begin.since - 1), view.seq_at(finish.until)
    if before < lowest - 1:
        if lowest > 1:
            message = f"events of {first} lie in an archive, and a report needs all of a day: {_days_told(view)}"
            raise InputError.of("archived", "day", message)
        before = lowest - 1
    keys = (trust or Trust()).announced(announced_keys(view))
    return DaysRead(view, begin, finish, before, max(end, before), finish.until >= now, floor, keys)


def last_ended_day(view: View, now: int) -> date:
    """The last gaming day with events that has ended; refused on a journal without one."""
    floor = _settings_now(view)
    _, highest = view.bounds()
    found = day_at(floor, min(now, _time_of(view, highest)))
    if gaming_day(floor, found).until >= now:
        found -= timedelta(days=1)
    return found


def gaming_day_at(view: View, at: int) -> date:
    """The gaming day in which a time lies, by the settings of the property."""
    return day_at(_settings_now(view), at)


def gaming_day_of(view: View, day: date) -> GamingDay:
    """The gaming day of a date by the settings of the property."""
    return gaming_day(_settings_now(view), day)


def _days_told(view: View) -> str:
    """Which gaming days there are, for somebody who asked for another one."""
    floor = _settings_now(view)
    lowest, highest = view.bounds()
    first, last = (day_at(floor, _time_of(view, seq)) for seq in (lowest, highest))
    if lowest > 1:
        first += timedelta(days=1)
    if first > last:
        return "no whole gaming day is left in this database"
    return f"name a day from {first} to {last}"


def _time_of(view: View, seq: int) -> int:
    event = view.event(seq)
    return 0 if event is None else event.at


def _settings_now(view: View) -> Floor:
    """A floor with the property and its settings as they are on record now.

    A value never begins to hold before it is approved, so what is on record now says how long every past day was.
    """
    stored = view.state_before(view.bounds()[1] + 1)
    body = schema.events.c.body
    told = select(schema.events.c.body).where(schema.events.c.seq > stored.seq)
    told = told.where(or_(body.contains('["setting",'), body.contains('["property",'))).order_by(schema.events.c.seq)
    for (text,) in view.rows(told):
        for kind, id_, value in _BODY.decode(text).put:
            if kind in ("setting", "property"):
                stored.floor.put(kind, id_, entity_of(kind, value))
    return stored.floor
