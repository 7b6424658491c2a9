"""The gate before every command that shows a badge: one at a time, a wrong one waits, too many close the reader.

The count of wrong badges is this server's; that a reader is closed is an event, so it outlasts a restart and holds at
every server of the journal. What a stranger can do with it is close one reader for some minutes: the round in play goes
on, and whatever needs a badge can be done at a service.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from typing import Any, Final

from houseway.errors import InputError
from houseway.manager.commands.system_commands import DeviceLocked
from houseway.manager.core import badges, settings
from houseway.manager.core.command import kind_of
from houseway.manager.core.engine import SYSTEM, Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.core.gaming_day import local_time
from houseway.manager.core.house_entities import Device
from houseway.manager.server.alerts import Alerts
from houseway.manager.server.attempts import Attempts
from houseway.manager.server.edge import GivenPins
from houseway.manager.server.pin_gate import Pins
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.deciding import RESERVED, is_from_sender, text_fault
from houseway.manager.store.manager import Manager
from houseway.manager.store.writer import Answer

LOG: Final = logging.getLogger("houseway.manager.server")

View = Callable[[Callable[[int, Floor], Any]], Awaitable[Any]]
Apart = Callable[[Callable[[], Any]], Awaitable[Any]]


class Badges:
    """The readers of all devices of one server."""

    def __init__(
        self, manager: Manager, attempts: Attempts, alerts: Alerts, pins: Pins, view: View, apart: Apart
    ) -> None:
        """Commands go to the manager; attempts at a closed reader go on record, and that it is closed to health."""
        self._manager = manager
        self._pins = pins
        self._attempts = attempts
        self._alerts = alerts
        self._view = view
        self._apart = apart
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._wrong: defaultdict[str, deque[tuple[int, str]]] = defaultdict(deque)
        """When a wrong badge was shown, and with which command: one that is sent again counts once."""
        self._closed: dict[str, int] = {}
        """Until when a reader is closed, before the event about it has come round."""
        self._spoilt: defaultdict[str, set[str]] = defaultdict(set)
        """Keys under which another badge was tried at a closed reader: what has them is not answered there again."""

    async def carry_out(self, device: Device, envelope: Envelope, given: GivenPins) -> Answer:
        """Have a command with a badge carried out; InputError as its bearer may hear it."""
        async with self._turns[device.id]:
            now = wall_micros()
            until = max(device.locked_until, await self._closed_until(device.id, now))
            if now < until and not await self._was_carried_out(envelope):
                zone = await self._view(lambda _, floor: settings.value(floor, "time_zone", now))
                # To the next whole minute: whoever comes back then is not too early.
                clock = f"{local_time(until + badges.MINUTE - 1, zone):%H:%M}"
                error = badges.locked(until, now, clock, at_table=device.kind == "controller")
                self._attempts.at_device(device.id, envelope.actor, kind_of(envelope.do), error)
                raise error
            try:
                proved = await self._pins.proved(envelope, given)
                return await asyncio.wrap_future(self._manager.submit(proved))
            except InputError as error:
                guessed = badges.is_wrong_badge(envelope.do, error)
                if guessed or badges.is_refused_badge(error):
                    # Also what is no guess waits: an answer at once would tell that the badge is somebody's.
                    await asyncio.sleep(badges.DELAY_SECONDS)
                if guessed:
                    await self._count(device.id, f"{envelope.key} {envelope.input_hash}")
                raise badges.told(envelope.do, error) from error

    async def _closed_until(self, device: str, now: int) -> int:
        """Until when a reader was closed here; a time that a clock which was ahead has set is forgotten."""
        until = self._closed.get(device, 0)
        if now < until:
            lock = await self._view(lambda _, floor: badges.lock_micros(floor, now))
            if until - now > lock:
                del self._closed[device]
                return 0
        return until

    async def _was_carried_out(self, envelope: Envelope) -> bool:
        """Whether the same command is in the journal: a controller that asks again gets its answer, locked or not."""
        if text_fault(envelope) is not None:
            return False
        event = await self._apart(lambda: self._manager.find(envelope.sent_key))
        if event is None or envelope.key in (spoilt := self._spoilt[f"{envelope.device}"]):
            return False
        if event.input_hash != envelope.input_hash:
            # Else badges could be tried at a closed reader without end: the right one would be answered.
            spoilt.add(envelope.key)
            return False
        return is_from_sender(event, envelope)

    async def _count(self, device: str, tried: str) -> None:
        now, wrong = wall_micros(), self._wrong[device]
        # Times beyond now are of a clock that was ahead.
        while wrong and not now - badges.WINDOW <= wrong[0][0] <= now:
            wrong.popleft()
        if any(tried == known for _, known in wrong):
            return
        wrong.append((now, tried))
        with contextlib.suppress(InputError):
            tries, lock = await self._view(
                lambda _, floor: (badges.tries_allowed(floor, now), badges.lock_micros(floor, now))
            )
            if len(wrong) >= tries:
                await self._close(device, now + lock, len(wrong))

    async def _close(self, device: str, until: int, tries: int) -> None:
        self._wrong.pop(device, None)
        self._spoilt.pop(device, None)
        self._closed[device] = until
        self._alerts.locked(device, until)
        LOG.warning("%s: %d wrong badges, no badge is taken there for a while", device, tries)
        key = f"{RESERVED}locked/{secrets.token_hex(8)}"
        await asyncio.wrap_future(self._manager.submit(Envelope(key, SYSTEM, DeviceLocked(device, until, tries))))
