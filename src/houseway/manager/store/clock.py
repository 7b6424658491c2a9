"""The wall clock, watched: it must run as the machine's own steady counter does.

A clock that is set by hand, or that a time server sets with a jump, would put events at times that never were. A
difference of more than five seconds against the steady counter pauses the manager, until the clock is right again or
two people accept the new time.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from houseway.errors import Fault, InputError

LARGEST_JUMP: Final = 5_000_000
"""Microseconds that the wall clock may gain or lose against the steady counter between two readings."""


class ClockJumpedError(InputError):
    """The wall clock was set while the manager ran."""

    def __init__(self, now: int, by: int) -> None:
        """Keep the wall clock's time and how far it jumped, in microseconds."""
        self.now = now
        way = "forward" if by > 0 else "back"
        super().__init__(
            [
                Fault(
                    "clock-jumped",
                    "",
                    f"the clock jumped {way} by {abs(by) / 1e6:.1f} s: set it right, or have two people accept the "
                    "time (houseway system clock); nothing is accepted until then",
                )
            ]
        )


def wall_micros() -> int:
    """Microseconds since 1970 UTC by the wall clock."""
    return time.time_ns() // 1000


def steady_micros() -> int:
    """Microseconds of a counter that nobody can set; on Linux it also counts while the machine sleeps."""
    source = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime_ns(source) // 1000


class WatchedClock:
    """The time in microseconds, or `ClockJumpedError`."""

    def __init__(self, wall: Callable[[], int] = wall_micros, steady: Callable[[], int] = steady_micros) -> None:
        """Begin with the clocks as they stand."""
        self._wall = wall
        self._steady = steady
        self._offset = wall() - steady()

    def __call__(self) -> int:
        """The wall clock's time; small steps of a time server are followed."""
        now = self._wall()
        offset = now - self._steady()
        by = offset - self._offset
        if abs(by) > LARGEST_JUMP:
            raise ClockJumpedError(now, by)
        self._offset = offset
        return now

    def accept(self) -> None:
        """Two people have accepted the time as it is."""
        self._offset = self._wall() - self._steady()
