"""How much of the loop's time one device takes with what it sends.

Reading a line costs the loop time that all other devices wait for. It is charged to its device, over all its
connections, and a device that has used more than its share waits with its next line until the others have had theirs.
Looking for garbage falls on whichever line is being read when it is due: it is charged to nobody.
"""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Final

SHARE: Final = 0.25
"""Of the loop's time for one device in the long run."""
ADVANCE: Final = 0.05
"""Seconds of work that a device may be ahead of its share: nobody who works at a table comes near."""


class _CollectorTime(threading.local):
    """How long each thread has spent looking for garbage, in seconds of its own work."""

    spent = 0.0
    _began = 0.0

    def note(self, phase: str, _: dict[str, int]) -> None:
        """Called by the collector, in the thread that it interrupts, when it begins and when it is done."""
        if phase == "start":
            self._began = time.thread_time()
        else:
            self.spent += time.thread_time() - self._began


_collector: Final = _CollectorTime()
gc.callbacks.append(_collector.note)


def own_work() -> float:
    """How much this thread has worked, in seconds, without its search for garbage."""
    return time.thread_time() - _collector.spent


class Pace:
    """What each device owes, and how long it waits for that."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, spent: Callable[[], float] = own_work) -> None:
        """`clock` says how late it is, `spent` how much this thread has worked; waiting for others is not work."""
        self._clock = clock
        self._spent = spent
        self._owed: dict[str, tuple[float, float]] = {}
        """Seconds of work by device, and when that was so: they are worked off at the device's share."""
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    def charged(self, device: str) -> _ChargedWork:
        """Charge what is done within it to a device; nothing there may wait."""
        return _ChargedWork(self, device)

    def spent(self) -> float:
        """How much this thread has worked, in seconds."""
        return self._spent()

    def charge(self, device: str, seconds: float) -> None:
        """Add work to what a device owes."""
        self._owed[device] = (self._owes(device) + seconds, self._clock())

    def seconds(self, device: str) -> float:
        """How long a device waits before its next line is read."""
        return max(0.0, self._owes(device) - ADVANCE) / SHARE

    async def turn(self, device: str) -> None:
        """Wait until a line of a device may be read: one of its connections after the other."""
        turns = self._turns[device]
        if not turns.locked() and self.seconds(device) <= 0:
            return
        async with turns:
            while (seconds := self.seconds(device)) > 0:
                await asyncio.sleep(seconds)

    def _owes(self, device: str) -> float:
        owed, since = self._owed.get(device, (0.0, 0.0))
        return max(0.0, owed - (self._clock() - since) * SHARE)


class _ChargedWork:
    """Work on the lines of one device: made for every one of them, so it costs as little as it can."""

    __slots__ = ("_began", "_device", "_pace")

    def __init__(self, pace: Pace, device: str) -> None:
        self._pace = pace
        self._device = device
        self._began = 0.0

    def __enter__(self) -> None:
        self._began = self._pace.spent()

    def __exit__(self, *_: object) -> None:
        self._pace.charge(self._device, self._pace.spent() - self._began)
