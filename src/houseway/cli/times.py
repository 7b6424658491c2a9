"""Reading dates and times: a date alone is a whole day, and without an offset all times are UTC."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from houseway.cli.arguments import Arguments

MICROS_A_DAY: Final = 86_400_000_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DATE_LENGTH: Final = len("2026-01-31")


def read_time(arguments: Arguments, text: str | None, path: str, *, is_end: bool = False) -> int | None:
    """Microseconds since 1970 of a date or time; a date is its first moment, or its last one for the end of a time."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        arguments.add("bad-time", path, f"{text[:40]!r} is no date or time: write 2026-01-31 or 2026-01-31T18:30")
        return None
    aware = found if found.tzinfo is not None else found.replace(tzinfo=UTC)
    micros = (aware - _EPOCH) // timedelta(microseconds=1)
    is_day = len(text.strip()) == _DATE_LENGTH
    return micros + MICROS_A_DAY - 1 if is_end and is_day else micros


def time_text(micros: int | None) -> str:
    """A time for people, in UTC.

    >>> time_text(1_735_732_800_250_000)
    '2025-01-01 12:00:00.250'
    """
    if micros is None:
        return "-"
    return (_EPOCH + timedelta(microseconds=micros)).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
