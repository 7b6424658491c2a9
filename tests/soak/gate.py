"""A gate before every command: closed, the floor falls idle; opened, all tables send at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Gate:
    """Counts commands under way, and holds back new ones while it is closed."""

    def __init__(self) -> None:
        self._open = asyncio.Event()
        self._open.set()
        self._quiet = asyncio.Event()
        self._quiet.set()
        self.under_way = 0
        self.answered = asyncio.Event()
        """Set by the next answer that anybody gets."""

    @asynccontextmanager
    async def passed(self) -> AsyncIterator[None]:
        """Wait until it is open, and count as under way until the command is settled."""
        await self._open.wait()
        self.under_way += 1
        self._quiet.clear()
        try:
            yield
        finally:
            self.under_way -= 1
            if not self.under_way:
                self._quiet.set()

    async def close(self) -> None:
        """Hold new commands back and wait until those under way are settled."""
        self._open.clear()
        async with asyncio.timeout(90):
            await self._quiet.wait()

    def open(self) -> None:
        """Let everybody go."""
        self.answered.clear()
        self._open.set()
