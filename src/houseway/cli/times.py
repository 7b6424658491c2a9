"""Dates and times for people: in the time of the place, as the machine has it set (TZ names another one).

A date alone is a whole day of that place, and a time without an offset is its time; what is printed can be typed again.
For programs (`--json`) times stay microseconds since 1970 UTC.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from houseway.api.arguments import Arguments

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DATE_LENGTH: Final = len("2026-01-31")


def read_time(arguments: Arguments, text: str | None, path: str, *, is_end: bool = False) -> int | None:
    """Microseconds since 1970 of a date or time; a date is its first moment, or its last one for the end of a time."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text.strip())
        if is_end and len(text.strip()) == _DATE_LENGTH:
            return first_moment(found.date() + timedelta(days=1)) - 1
        return _micros(found)
    except (ValueError, OverflowError):
        arguments.add("bad-time", path, f"{text[:40]!r} is not a date or time: write 2026-01-31 or 2026-01-31T18:30")
        return None


def read_date(arguments: Arguments, text: str | None, path: str) -> date | None:
    """A date, as gaming days are named."""
    if text is None:
        return None
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        arguments.add("bad-time", path, f"{text[:40]!r} is not a date: write it as 2026-01-31")
        return None


def _micros(moment: datetime) -> int:
    """Microseconds since 1970; without an offset it is the time of the place."""
    aware = moment if moment.tzinfo is not None else moment.astimezone()
    return (aware - _EPOCH) // timedelta(microseconds=1)


def first_moment(day: date) -> int:
    """The first microsecond of a day of the place, which is not always 24 hours long."""
    return _micros(datetime(day.year, day.month, day.day))  # noqa: DTZ001 - the time of the place is what is meant


def _local(micros: int) -> datetime:
    return (_EPOCH + timedelta(microseconds=micros)).astimezone()


def time_text(micros: int | None) -> str:
    """A time for people to the second, in the time of the place with its offset.

    >>> from houseway.cli.times import time_text
    >>> time_text(None)
    '-'
    """
    if micros is None:
        return "-"
    local = _local(micros)
    offset = local.strftime("%z")
    return f"{local:%Y-%m-%d %H:%M:%S}{offset[:3]}:{offset[3:5]}"
