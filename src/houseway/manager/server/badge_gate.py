"""The gate before every command that shows a badge: one at a time in each lane, a wrong one waits, too many close it.

The count of wrong badges is this server's; that a lane is closed is an event, so it outlasts a restart and holds at
every server of the journal. What a stranger can do with it is close a reader for whoever is not signed in there, or the
sign-in of a service for networks from which nobody has come before: who is signed in shows the badges of second people
as ever (`houseway.manager.core.badge_lanes`).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from houseway.errors import InputError
from houseway.manager.commands.system_commands import DeviceLocked
from houseway.manager.core import badges, settings
from houseway.manager.core.badge_lanes import READER, Lane, lane_of_person, lanes_of_address
from houseway.manager.core.command import kind_of
from houseway.manager.core.engine import SYSTEM, Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.core.gaming_day import local_time
from houseway.manager.core.house_entities import Device
from houseway.manager.core.presence import check_presence
from houseway.manager.server.alerts import Alerts
from houseway.manager.server.attempts import Attempts
from houseway.manager.server.edge import GivenPins
from houseway.manager.server.lane_counts import LaneCount, LaneCounts, ReaderSettings
from houseway.manager.server.pin_gate import Pins
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.deciding import RESERVED, is_from_sender, text_fault
from houseway.manager.store.manager import Manager
from houseway.manager.store.writer import Answer

LOG: Final = logging.getLogger("houseway.manager.server")

View = Callable[[Callable[[int, Floor], Any]], Awaitable[Any]]
Apart = Callable[[Callable[[], Any]], Awaitable[Any]]
MOST_SPOILT: Final = 1_000


class _Place(NamedTuple):
    """Where a badge is shown: the device as the journal has it, the lanes to pass, and what is set for readers."""

    device: Device
    lanes: tuple[Lane, ...]
    settings: ReaderSettings


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
        self._counts = LaneCounts()
        self._spoilt: OrderedDict[tuple[str, str], None] = OrderedDict()
        """Keys under which another badge was tried at a closed reader: what has them is not answered there again."""

    async def carry_out(self, device: Device, envelope: Envelope, given: GivenPins) -> Answer:
        """Have a command with a badge carried out; InputError as its bearer may hear it."""
        lanes = (await self._place(device, envelope)).lanes
        async with self._counts.turn(device.id, lanes[0]):
            # Another badge may have closed a lane, or ended the session, while this one waited.
            place, now = await self._place(device, envelope), wall_micros()
            counts = [self._counts.of(device.id, lane) for lane in place.lanes]
            until = max(count.closed_until(place.device, now, place.settings.lock) for count in counts)
            if now < until and not await self._was_carried_out(envelope):
                zone = await self._view(lambda _, floor: settings.value(floor, "time_zone", now))
                # To the next whole minute: whoever comes back then is not too early.
                clock = f"{local_time(until + badges.MINUTE - 1, zone):%H:%M}"
                error = badges.locked(until, now, clock, at_table=device.kind == "controller")
                self._attempts.at_device(
                    device.id, envelope.actor, kind_of(envelope.do), error, badges.address_of(envelope.do)
                )
                raise error
            reserved = [(count, count.reserve(now)) for count in counts]
            is_wrong = False
            try:
                proved = await self._pins.proved(envelope, given)
                return await asyncio.wrap_future(self._manager.submit(proved))
            except InputError as error:
                is_wrong = badges.is_wrong_badge(envelope.do, error)
                if is_wrong or badges.is_refused_badge(error):
                    # Also what is no guess waits: an answer at once would tell that the badge is somebody's.
                    await asyncio.sleep(badges.DELAY_SECONDS)
                raise badges.told(envelope.do, error) from error
            finally:
                await self._count(place, reserved, _tried(envelope, given, place.lanes), is_wrong=is_wrong)

    async def _place(self, device: Device, envelope: Envelope) -> _Place:
        """Where a badge is shown. A session that does not count makes nobody but whoever is at the reader."""
        now = wall_micros()

        def look(_: int, floor: Floor) -> _Place:
            found = floor.devices.get(device.id, device)
            settings = ReaderSettings(badges.tries_allowed(floor, now), badges.lock_micros(floor, now))
            address = badges.address_of(envelope.do)
            if address and found.kind == "service":
                return _Place(found, lanes_of_address(found, address, now), settings)
            if envelope.actor.startswith("device:"):
                return _Place(found, (Lane(READER),), settings)
            try:
                check_presence(floor, found.id, envelope.actor, envelope.session, now)
            except InputError:
                return _Place(found, (Lane(READER),), settings)
            return _Place(found, (lane_of_person(envelope.actor),), settings)

        place: _Place = await self._view(look)
        return place

    async def _was_carried_out(self, envelope: Envelope) -> bool:
        """Whether the same command is in the journal: a controller that asks again gets its answer, locked or not."""
        if text_fault(envelope) is not None:
            return False
        event = await self._apart(lambda: self._manager.find(envelope.sent_key))
        spoilt = (f"{envelope.device}", envelope.key)
        if event is None or spoilt in self._spoilt:
            return False
        if event.input_hash != envelope.input_hash:
            # Else badges could be tried at a closed reader without end: the right one would be answered.
            self._spoilt[spoilt] = None
            while len(self._spoilt) > MOST_SPOILT:
                self._spoilt.popitem(last=False)
            return False
        return is_from_sender(event, envelope)

    async def _count(self, place: _Place, reserved: list[tuple[LaneCount, int]], tried: str, *, is_wrong: bool) -> None:
        """Count a badge that was wrong, in every lane that it passed; what was not is given back."""
        now = wall_micros()
        # Shown again it is no other guess: it counted in all lanes of the place, or in none.
        if not is_wrong or reserved[0][0].is_known(tried, now):
            for count, amount in reserved:
                count.give_back(amount)
            self._counts.tidy(now)
            return
        for count, _ in reserved:
            closed = count.wrong(tried, now, place.settings)
            self._counts.keep(place.device.id, count, now)
            if closed is not None:
                await self._close(place.device.id, count.lane.name, *closed)

    async def _close(self, device: str, lane: str, until: int, tries: int) -> None:
        self._alerts.locked(device, lane, until)
        LOG.warning("%s, %s: %d wrong badges, no badge is taken there for a while", device, lane, tries)
        key = f"{RESERVED}locked/{secrets.token_hex(8)}"
        closed = Envelope(key, SYSTEM, DeviceLocked(device, until, tries, lane))
        with contextlib.suppress(InputError):
            await asyncio.wrap_future(self._manager.submit(closed))


def _tried(envelope: Envelope, given: GivenPins, lanes: tuple[Lane, ...]) -> str:
    """By what a try is known again: over the network by its badge and PIN, at a reader by its command.

    At a reader somebody stands who sees each refusal; a program over the network asks again with what it has.
    """
    if lanes[0].allowance is None:
        return f"{envelope.key} {envelope.input_hash}"
    return " ".join([str(getattr(envelope.do, "badge", "")), *given.by_field.values()])
