"""Meters, tables and awards as they are now, for any number of watchers: of each the newest.

The manager is followed while somebody looks.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass
from typing import Final

import msgspec

from houseway.manager.http.bell import Bell
from houseway.manager.http.event_feed import AWAY_SECONDS, Connect
from houseway.manager.interface.contract import ChangeMessage, ManagerAwayError, RefusedError
from houseway.manager.views.answers import AwardMessage, MetersMessage, TableMessage

LOG: Final = logging.getLogger("houseway.manager.http")
TOPICS: Final = ("meters", "tables", "awards")
_MANAGER: Final = "manager"
"""Whether the manager is reached: told to everybody."""
IDLE_SECONDS: Final = 60.0
"""How long the manager is followed after the last watcher has gone."""
MOST_CHANGES: Final = 10_000
"""Changes that are kept in order; who is farther behind gets everything as it is."""


class ManagerReach(msgspec.Struct, frozen=True):
    """Whether the manager is reached: while it is not, what was told may be old."""

    reached: bool


@dataclass(frozen=True)
class StateFilter:
    """What a watcher wants to see; without tables or links named it is all of them."""

    topics: frozenset[str] = frozenset(TOPICS)
    tables: frozenset[str] | None = None
    links: frozenset[str] | None = None


@dataclass(frozen=True)
class _State:
    topic: str
    table: str | None
    link: str | None
    text: bytes
    is_over: bool = False

    def is_for(self, wanted: StateFilter) -> bool:
        if self.topic not in wanted.topics:
            return self.topic == _MANAGER
        if wanted.tables is not None and self.table is not None and self.table not in wanted.tables:
            return False
        return wanted.links is None or self.link is None or self.link in wanted.links


class StateBoard:
    """The newest of every state, with the order in which they changed."""

    def __init__(self, connect: Connect) -> None:
        """Follow a manager by a connection of its own while somebody watches."""
        self._connect = connect
        self._states: dict[tuple[str, str], _State] = {}
        self._changed: list[tuple[str, str]] = []
        self._dropped = 0
        self._watchers = 0
        self._following: asyncio.Task[None] | None = None
        self._ending: asyncio.TimerHandle | None = None
        self._bell = Bell()

    @property
    def version(self) -> int:
        """How many changes there were."""
        return self._dropped + len(self._changed)

    # ------------------------------------------------------------ watchers

    def enter(self) -> None:
        """Somebody watches: follow the manager, if nobody does yet."""
        self._watchers += 1
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None
        if self._following is None:
            self._following = asyncio.create_task(self._run())

    def leave(self) -> None:
        """Somebody watches no more."""
        self._watchers -= 1
        if not self._watchers and self._following is not None:
            self._ending = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._stop)

    def _stop(self) -> None:
        self._ending = None
        if self._following is not None:
            self._following.cancel()
            self._following = None
        self._states.clear()
        self._dropped = self.version
        self._changed.clear()

    async def close(self) -> None:
        """Follow no more."""
        following = self._following
        if self._ending is not None:
            self._ending.cancel()
        self._stop()
        if following is not None:
            await asyncio.gather(following, return_exceptions=True)

    async def wait(self, version: int, seconds: float) -> None:
        """Wait for changes beyond a version, or for so many seconds."""
        if self.version <= version or self._bell.is_about_to_ring:
            await self._bell.wait(seconds)

    def text(self, version: int | None, wanted: StateFilter) -> tuple[int, bytes]:
        """What has changed since a version, all of it without one, as messages of an event stream."""
        if version is None or version < self._dropped:
            keys = [key for key, state in self._states.items() if not state.is_over]
        else:
            keys = list(dict.fromkeys(self._changed[version - self._dropped :]))
        found = (self._states[key] for key in keys if key in self._states)
        return self.version, b"".join(state.text for state in found if state.is_for(wanted))

    # ------------------------------------------------------------ following

    async def _run(self) -> None:
        while True:
            with contextlib.suppress(ManagerAwayError, RefusedError):
                await self._follow()
            self._tell_reach(is_reached=False)
            await asyncio.sleep(AWAY_SECONDS)

    async def _follow(self) -> None:
        manager = await self._connect()
        try:
            told = await manager.subscribe(*TOPICS)
            self._tell_reach(is_reached=True)
            async for change in told.changes():
                self._take(change)
        finally:
            with contextlib.suppress(ManagerAwayError):
                await manager.close()

    def _tell_reach(self, *, is_reached: bool) -> None:
        text = b"event: manager\ndata: %s\n\n" % msgspec.json.encode(ManagerReach(is_reached))
        self._keep((_MANAGER, ""), _State(_MANAGER, None, None, text))

    def _take(self, change: ChangeMessage) -> None:
        text = b"event: %s\ndata: %s\n\n" % (change.topic.encode(), msgspec.json.encode(change))
        if isinstance(change, MetersMessage):
            self._keep((change.topic, change.meters.link), _State(change.topic, None, change.meters.link, text))
        elif isinstance(change, TableMessage):
            self._keep((change.topic, change.table.id), _State(change.topic, change.table.id, None, text))
        elif isinstance(change, AwardMessage):
            before = self._states.get((change.topic, change.id))
            award = change.award
            of = award or before
            table, link = (of.table, of.link) if of is not None else (None, None)
            self._keep((change.topic, change.id), _State(change.topic, table, link, text, award is None))

    def _keep(self, key: tuple[str, str], state: _State) -> None:
        self._states[key] = state
        self._changed.append(key)
        if len(self._changed) > MOST_CHANGES:
            gone = MOST_CHANGES // 2
            still = set(self._changed[gone:])
            # An award that is no more is forgotten once nobody can be that far behind.
            for old in self._changed[:gone]:
                if old not in still and (found := self._states.get(old)) is not None and found.is_over:
                    del self._states[old]
            del self._changed[:gone]
            self._dropped += gone
        self._bell.ring()
