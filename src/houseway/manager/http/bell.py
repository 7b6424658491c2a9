"""A bell for many who wait for one thing: at once after a pause, else together with what comes within a tick."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

TICK_SECONDS: Final = 0.025
"""The shortest time between two rings: what comes meanwhile is told together, which spares hundreds of wake-ups."""


class Bell:
    """Rings for all who wait."""

    def __init__(self) -> None:
        """Nobody waits."""
        self._rung = asyncio.Event()
        self._ringing: asyncio.TimerHandle | None = None
        self._may_ring_at = 0.0

    @property
    def is_about_to_ring(self) -> bool:
        """Whether it was rung and has not sounded yet."""
        return self._ringing is not None

    def ring(self) -> None:
        """Wake all who wait, within a tick."""
        if self._ringing is None:
            loop = asyncio.get_running_loop()
            self._ringing = loop.call_at(max(loop.time(), self._may_ring_at), self._sound)

    def _sound(self) -> None:
        self._ringing = None
        self._may_ring_at = asyncio.get_running_loop().time() + TICK_SECONDS
        rung, self._rung = self._rung, asyncio.Event()
        rung.set()

    async def wait(self, seconds: float) -> None:
        """Wait for the next ring, or for so many seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._rung.wait()
