"""All events of the manager in order, each once: followed as they come, caught up after a break, kept for late readers.

Nobody has a queue of their own. Every reader has a number, and reads on from there: from what is kept here, and what is
older from the journal. So a slow reader costs no memory and misses nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from houseway.errors import InputError
from houseway.manager.http.bell import Bell
from houseway.manager.http.cloud_events import as_sse, cloud_event
from houseway.manager.interface.contract import AsyncManagerInterface, ManagerAwayError, RefusedError
from houseway.manager.views.answers import EventMessage
from houseway.manager.views.floor_questions import EventsQuestion, HealthQuestion

LOG: Final = logging.getLogger("houseway.manager.http")
KEPT: Final = 20_000
"""Events that are kept here at least, once so many have come."""
AT_ONCE: Final = 500
"""Events that a reader gets at once."""
AWAY_SECONDS: Final = 0.5
"""How long to wait before the manager is tried again."""

Connect = Callable[[], Awaitable[AsyncManagerInterface]]


class EventFeed:
    """The newest events, and those who wait for the next."""

    def __init__(self, connect: Connect, source: str) -> None:
        """Follow a manager by a connection of its own, once `run` is called."""
        self._connect = connect
        self._source = source
        self._events: list[EventMessage] = []
        self._texts: list[bytes] = []
        self.head = 0
        """The number of the newest event; 0 before the manager was reached."""
        self.reached = asyncio.Event()
        self.listeners: list[Callable[[EventMessage], None]] = []
        self._joined: dict[int, tuple[int, bytes]] = {}
        self._bell = Bell()
        self._manager: AsyncManagerInterface | None = None

    # ------------------------------------------------------------ following

    async def run(self) -> None:
        """Follow for ever; a manager that goes away is tried again, and what it wrote meanwhile is caught up."""
        while True:
            try:
                await self._follow()
            except (ManagerAwayError, RefusedError) as error:
                LOG.warning("the feed of events is interrupted: %s", error)
            self.reached.clear()
            await asyncio.sleep(AWAY_SECONDS)

    async def _follow(self) -> None:
        manager = await self._connect()
        try:
            self._manager = manager
            told = await manager.subscribe("events")
            if not self.head:
                self.head = (await manager.ask(HealthQuestion())).seq
            await self._catch_up(manager)
            self.reached.set()
            async for change in told.changes():
                if isinstance(change, EventMessage) and not self._take(change):
                    await self._catch_up(manager)
        finally:
            self._manager = None
            with contextlib.suppress(ManagerAwayError):
                await manager.close()

    async def _catch_up(self, manager: AsyncManagerInterface) -> None:
        """Read what was written since the last event that came."""
        while True:
            try:
                page = await manager.ask(EventsQuestion(after=self.head, limit=AT_ONCE))
            except RefusedError as error:
                if error.code != "archived":
                    raise
                # Away for so long that the next events were archived: those who need them are told when they ask.
                self.head = (await manager.ask(HealthQuestion())).seq
                self._events, self._texts = [], []
                return
            for event in page.events:
                self._take(event)
            if page.next is None:
                return

    def _take(self, event: EventMessage) -> bool:
        """Take the next event in; False if one is missing before it."""
        if event.seq <= self.head:
            return True
        if event.seq != self.head + 1:
            return False
        self._events.append(event)
        self._texts.append(as_sse(cloud_event(event, self._source)))
        self.head = event.seq
        if len(self._events) > 2 * KEPT:
            del self._events[:KEPT], self._texts[:KEPT]
        for listener in self.listeners:
            listener(event)
        self._joined.clear()
        self._bell.ring()
        return True

    # ------------------------------------------------------------ reading

    async def wait(self, after: int, seconds: float) -> None:
        """Wait until there are events after a number, or for so many seconds."""
        if self.head <= after or self._bell.is_about_to_ring:
            await self._bell.wait(seconds)

    async def events(self, after: int, limit: int = AT_ONCE) -> list[EventMessage]:
        """The next events after a number; none where there are none yet."""
        at = self._index(after)
        if at is not None:
            return self._events[at : at + limit]
        return list(await self._asked(after, limit))

    async def text(self, after: int) -> tuple[int, bytes]:
        """The next events after a number as messages of an event stream, and the number of the last of them."""
        if after >= self.head:
            return after, b""
        at = self._index(after)
        if at is None:
            older = await self._asked(after, AT_ONCE)
            texts = [as_sse(cloud_event(event, self._source)) for event in older]
            return (older[-1].seq if older else after), b"".join(texts)
        found = self._joined.get(after)
        if found is None:
            texts = self._texts[at : at + AT_ONCE]
            found = self._joined[after] = (after + len(texts), b"".join(texts))
        return found

    def _index(self, after: int) -> int | None:
        """Where the event after a number is kept; None where it is not."""
        first = self.head - len(self._events) + 1
        return after + 1 - first if after + 1 >= first else None

    async def _asked(self, after: int, limit: int) -> tuple[EventMessage, ...]:
        manager = self._manager
        if manager is None:
            raise ManagerAwayError("the manager cannot be reached now")
        found = (await manager.ask(EventsQuestion(after=after, limit=limit))).events
        if found and found[0].seq != after + 1:
            raise InputError.of("internal-error", "", f"event {after + 1} is missing")
        return found
