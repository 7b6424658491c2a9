"""The gate for PINs: those that came with badges are compared before a command goes to the writer.

Every wrong one is an event, and so is the lock after too many: guessing does not begin again with a restart, or at
another device or server. A PIN is tried by one at a time for each person. While nothing can be written, as before two
people have accepted the clock, wrong ones are counted here.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from houseway.errors import InputError
from houseway.manager.commands.house_commands import SetPin
from houseway.manager.commands.system_commands import PinTried
from houseway.manager.core import pins
from houseway.manager.core.badges import address_of
from houseway.manager.core.command import kind_of
from houseway.manager.core.engine import SYSTEM, Envelope
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import PinRecord
from houseway.manager.server.attempts import Attempts
from houseway.manager.server.edge import Fingerprint, GivenPins
from houseway.manager.server.pin_hashing import SALT_BYTES, PinHasher
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.deciding import RESERVED
from houseway.manager.store.manager import Manager

View = Callable[[Callable[[int, Floor], Any]], Awaitable[Any]]
_SALT: Final = "salt of a PIN"


class _KeptPin(NamedTuple):
    """What is on record about the PIN that belongs to a badge."""

    person: str
    pin: PinRecord | None
    is_locked: bool
    has_ended: bool


class Pins:
    """Compares PINs for one server."""

    def __init__(self, manager: Manager, attempts: Attempts, view: View, fingerprint: Fingerprint) -> None:
        """Tries go on record by this manager."""
        self._manager = manager
        self._attempts = attempts
        self._view = view
        self._fingerprint = fingerprint
        self._hasher = PinHasher()
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._unwritten: defaultdict[str, list[float]] = defaultdict(list)
        """By person: when wrong PINs came that could not be put on record, in seconds that no clock's hands change."""

    async def proved(self, envelope: Envelope, given: GivenPins) -> Envelope:
        """The command with the badges whose PINs are right; InputError where one is wrong, locked or has ended."""
        for field, pin in given.by_field.items():
            badge = getattr(envelope.do, field, None)
            if isinstance(badge, str):
                await self._prove(envelope, field, badge, pin)
                envelope = replace(envelope, proved=envelope.proved | {field})
        if isinstance(envelope.do, SetPin):
            envelope = await self._with_hash(envelope, envelope.do, given)
        return envelope

    def close(self) -> None:
        """Let the thread go."""
        self._hasher.close()

    async def _prove(self, envelope: Envelope, field: str, badge: str, pin: str) -> None:
        found = await self._kept(badge)
        async with self._turns[found.person]:
            # Another one may have tried meanwhile.
            found = await self._kept(badge)
            kept = found.pin
            usable = None if kept is None or found.is_locked else kept.hash
            right = await self._hasher.is_right(usable, pin)
            if kept is not None and not found.is_locked and (not right or kept.wrong):
                await self._keep_in_mind(PinTried(found.person, right))
        if not right:
            code = "pin-locked" if found.is_locked else "pin-wrong"
            message = f"the PIN of {found.person or 'nobody'} is {'locked' if found.is_locked else 'another one'}"
            self._refuse(envelope, InputError.of(code, field, message))
        if found.has_ended and not isinstance(envelope.do, SetPin):
            message = "this PIN has ended: set another one (houseway staff pin), which asks for this one"
            self._refuse(envelope, InputError.of("pin-ended", field, message))

    def _refuse(self, envelope: Envelope, error: InputError) -> None:
        address = address_of(envelope.do)
        self._attempts.at_device(envelope.device or "", envelope.actor, kind_of(envelope.do), error, address)
        raise error

    async def _kept(self, badge: str) -> _KeptPin:
        now = wall_micros()

        def look(_: int, floor: Floor) -> _KeptPin:
            person = floor.people.get(floor.badges.get(badge, ""))
            pin = person.pin if person is not None and person.active else None
            if person is None or pin is None:
                return _KeptPin("" if person is None else person.id, None, False, False)
            is_locked = pins.is_locked(floor, pin, now) or self._is_locked_here(floor, person.id, now)
            return _KeptPin(person.id, pin, is_locked, pins.has_ended(floor, pin, now))

        found: _KeptPin = await self._view(look)
        return found

    async def _keep_in_mind(self, tried: PinTried) -> None:
        """Put a try on record; one that cannot be counts all the same, and is refused with the usual words."""
        key = f"{RESERVED}pin/{secrets.token_hex(8)}"
        try:
            await asyncio.wrap_future(self._manager.submit(Envelope(key, SYSTEM, tried)))
        except InputError:
            if not tried.right:
                self._unwritten[tried.person].append(time.monotonic())
        else:
            self._unwritten.pop(tried.person, None)

    def _is_locked_here(self, floor: Floor, person: str, now: int) -> bool:
        """Whether too many wrong PINs came lately that could not be put on record."""
        tries = self._unwritten.get(person, ())
        lasts = 60 * floor.number_at(pins.LOCK_SETTING, now, pins.LOCK_MINUTES)
        lately = sum(time.monotonic() - at < lasts for at in tries)
        return lately >= floor.number_at(pins.TRIES_SETTING, now, pins.TRIES)

    async def _with_hash(self, envelope: Envelope, do: SetPin, given: GivenPins) -> Envelope:
        """A new PIN as it is kept; refused where it is too short, or the one that it replaces."""
        now = wall_micros()
        least = await self._view(lambda _, floor: floor.number_at(pins.DIGITS_SETTING, now, pins.DIGITS))
        if given.new_digits < least:
            message = f"a PIN has at least {least} digits here: choose a longer one"
            raise InputError.of("weak-token", "do.pin", message)
        if do.pin in given.by_field.values():
            raise InputError.of("nothing-to-change", "do.pin", "this is the PIN that you have: choose another one")
        # The same for the same command, so that one that is sent again is known; it says nothing about the PIN.
        salt = bytes.fromhex(self._fingerprint(f"{_SALT} {envelope.device} {envelope.key}"))[:SALT_BYTES]
        return replace(envelope, do=replace(do, pin=await self._hasher.made(do.pin, salt)))
