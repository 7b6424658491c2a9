"""Wrong badges by lane, as one server counts them; that a lane is closed is an event, and known after a restart."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator
from typing import Final, NamedTuple

from houseway.manager.core import badges
from houseway.manager.core.badge_lanes import REMEMBERED, Lane
from houseway.manager.core.house_entities import Device

MOST_TRIED: Final = 50
"""Wrong badges of one lane that are known again."""


class ReaderSettings(NamedTuple):
    """What the property has set for its readers, at a time."""

    tries: int
    lock: int
    """Microseconds."""


class _Wrong(NamedTuple):
    at: int
    tried: str


class LaneCount:
    """Wrong badges in one lane of one device."""

    def __init__(self, lane: Lane) -> None:
        """None so far."""
        self.lane = lane
        self._wrong: deque[_Wrong] = deque(maxlen=MOST_TRIED)
        self._closed_until = 0
        self._spent = 0
        """Of an allowance: when all that was spent will have come back."""

    def closed_until(self, device: Device, now: int, lock: int) -> int:
        """Until when no badge is taken; a time that a clock which was ahead has set is forgotten."""
        known, allowance = device.closed.get(self.lane.name, 0), self.lane.allowance
        if allowance is None:
            until = max(known, self._closed_until)
            if until - now > lock:
                self._closed_until, until = 0, known if known - now <= lock else 0
            return until
        if known - now <= allowance.every:
            self._spent = max(self._spent, allowance.spent_at(known))
        if self._spent - now > allowance.at_once * allowance.every:
            self._spent = 0
        return allowance.earliest(self._spent)

    def reserve(self, now: int) -> int:
        """Count a try before anybody looks at its badge, so that no two are made with the last one; what to give
        back where it turns out not to be wrong.
        """
        if self.lane.allowance is None:
            return 0
        self._spent = self.lane.allowance.with_one_more(self._spent, now)
        return self.lane.allowance.every

    def give_back(self, reserved: int) -> None:
        """The badge was right, or nothing that could be guessed, or had been tried before."""
        self._spent -= reserved

    def is_known(self, tried: str, now: int) -> bool:
        """Whether the same was tried lately: shown again it is no other guess."""
        # Times beyond now are of a clock that was ahead.
        while self._wrong and not now - badges.WINDOW <= self._wrong[0].at <= now:
            self._wrong.popleft()
        return any(tried == one.tried for one in self._wrong)

    def wrong(self, tried: str, now: int, settings: ReaderSettings) -> tuple[int, int] | None:
        """A wrong badge was shown: until when the lane is closed by it, and after how many, if it is."""
        self._wrong.append(_Wrong(now, tried))
        allowance, count = self.lane.allowance, len(self._wrong)
        if allowance is None:
            if count < settings.tries:
                return None
            self._wrong.clear()
            self._closed_until = now + settings.lock
            return self._closed_until, count
        until = allowance.earliest(self._spent)
        return (until, count) if until > now else None

    def is_over(self, now: int) -> bool:
        """Whether nothing of it matters any more."""
        latest = max(self._closed_until, self._spent, self._wrong[-1].at if self._wrong else 0)
        return latest < now - REMEMBERED


class LaneCounts:
    """The lanes of all devices: kept while something was tried there lately."""

    def __init__(self) -> None:
        """Nothing was tried."""
        self._counts: dict[tuple[str, str], LaneCount] = {}
        self._turns: dict[tuple[str, str], tuple[asyncio.Lock, int]] = {}

    def of(self, device: str, lane: Lane) -> LaneCount:
        """The count of a lane."""
        found = self._counts.setdefault((device, lane.name), LaneCount(lane))
        # A network may have become known, or have been forgotten, and so have another allowance.
        found.lane = lane
        return found

    def keep(self, device: str, count: LaneCount, now: int) -> None:
        """Keep a count in which something is wrong, and let those go that matter no more."""
        self._counts[device, count.lane.name] = count
        self.tidy(now)

    def tidy(self, now: int) -> None:
        """Forget lanes in which nothing was wrong, or not for long."""
        for name in [name for name, one in self._counts.items() if one.is_over(now)]:
            del self._counts[name]

    @contextlib.asynccontextmanager
    async def turn(self, device: str, lane: Lane) -> AsyncIterator[None]:
        """One badge at a time in each lane."""
        place = (device, lane.name)
        lock, users = self._turns.get(place, (asyncio.Lock(), 0))
        self._turns[place] = (lock, users + 1)
        try:
            async with lock:
                yield
        finally:
            lock, users = self._turns.pop(place)
            if users > 1:
                self._turns[place] = (lock, users - 1)
