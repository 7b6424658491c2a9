"""The gaming day: from the property's cut-off hour to that hour of the next day, by the clocks of its time zone.

Hour and zone are dated settings of the property. Of a day those count that are in force when the day begins in UTC, as
with every other setting. A day ends where the next one begins, so a day on which clocks change has 23 or 25 hours, and
one on which the cut-off changes is as long as that makes it. An hour that the clocks skip is the one after it; of an
hour that comes twice the first counts.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from houseway.manager.core import settings
from houseway.manager.core.overlay import State

HOUR: Final = 3_600_000_000
"""An hour in microseconds."""
FIRST_DAY: Final = date(1970, 1, 2)
LAST_DAY: Final = date(9998, 12, 30)


class GamingDay(NamedTuple):
    """A gaming day in microseconds since 1970 UTC."""

    day: date
    """The date by which the day is called: that of its beginning."""
    since: int
    until: int
    """The last microsecond of it."""
    zone: str
    hour: int
    """The cut-off hour with which it began."""


def gaming_day(state: State, day: date) -> GamingDay:
    """The gaming day that is called by a date.

    >>> from houseway.manager.core.floor import Floor
    >>> found = gaming_day(Floor(), date(2026, 11, 1))
    >>> found.hour, found.zone, (found.until + 1 - found.since) // HOUR
    (6, 'America/Los_Angeles', 24)
    >>> (gaming_day(Floor(), date(2026, 10, 31)).until + 1 - gaming_day(Floor(), date(2026, 10, 31)).since) // HOUR
    25
    """
    zone, hour = _in_force(state, day)
    since = _cut_off(day, zone, hour)
    after = _cut_off(day + timedelta(days=1), *_in_force(state, day + timedelta(days=1)))
    return GamingDay(day, since, max(since, after) - 1, zone, hour)


def day_at(state: State, at: int) -> date:
    """The gaming day in which a time lies."""
    found = settings.day_of(at) + timedelta(days=1)
    while _cut_off(found, *_in_force(state, found)) > at:
        found -= timedelta(days=1)
    return found


def local_time(at: int, zone: str) -> datetime:
    """A time by the clocks of a zone."""
    return (settings.EPOCH + timedelta(microseconds=at)).astimezone(_zone(zone))


def _in_force(state: State, day: date) -> tuple[str, int]:
    """Zone and cut-off hour of a day."""
    begins = settings.micros_of_day(day)
    return settings.value(state, "time_zone", begins), settings.value(state, "cut_off_hour", begins)


@lru_cache(maxsize=4096)
def _cut_off(day: date, zone: str, hour: int) -> int:
    """The first microsecond of a gaming day."""
    begins = datetime(day.year, day.month, day.day, hour, tzinfo=_zone(zone))
    return (begins - settings.EPOCH) // timedelta(microseconds=1)


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)
