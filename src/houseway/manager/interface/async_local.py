"""A manager in this process, or a database that is only read, for asyncio: a thread waits for disks, not the loop."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from types import TracebackType
from typing import Self

from houseway.manager.commands import Command
from houseway.manager.core.command import AnswerT_co
from houseway.manager.core.records import Event
from houseway.manager.interface.contract import (
    AsyncSubscription,
    ChangeMessage,
    CommandResult,
    SignedInPerson,
)
from houseway.manager.interface.local import LocalManager, interests
from houseway.manager.interface.resting import RestingManager
from houseway.manager.server.state_messages import Interests
from houseway.manager.views.floor_questions import A_co, Question


class AsyncLocalManager:
    """A `LocalManager` or a `RestingManager` that holds no event loop up."""

    def __init__(self, manager: LocalManager | RestingManager) -> None:
        """Take one that is open."""
        self._manager = manager
        self._subscription: AsyncLocalSubscription | None = None

    async def send(
        self, command: Command[AnswerT_co], *, actor: str, key: str | None = None
    ) -> CommandResult[AnswerT_co]:
        """Have a command carried out."""
        return await asyncio.to_thread(self._manager.send, command, actor=actor, key=key)

    async def ask(self, asked: Question[A_co], /, *, actor: str | None = None) -> A_co:  # noqa: ARG002 - who holds it asks all
        """The answer to a question; of one that is answered in pages, a page."""
        return await asyncio.to_thread(self._manager.ask, asked)

    async def subscribe(
        self, *topics: str, tables: Sequence[str] | None = None, links: Sequence[str] | None = None
    ) -> AsyncSubscription:
        """Have changes told from now on; another subscription ends the one before."""
        if isinstance(self._manager, RestingManager):
            self._manager.subscribe(*topics, tables=tables, links=links)
        self._manager.check_open()
        wanted = interests(topics, tables, links)
        if self._subscription is not None:
            await self._subscription.close()
        self._subscription = AsyncLocalSubscription(self._manager, wanted)
        return self._subscription

    async def sign_in(self, badge: str) -> SignedInPerson:
        """Tell whose badge this is."""
        return await asyncio.to_thread(self._manager.sign_in, badge)

    async def sign_out(self, person: str) -> None:
        """Nothing is left to end: nobody is signed in at the database itself."""
        self._manager.sign_out(person)

    async def close(self) -> None:
        """Close the manager."""
        if self._subscription is not None:
            await self._subscription.close()
        await asyncio.to_thread(self._manager.close)

    async def __aenter__(self) -> Self:
        """Use it in an `async with`, which closes it."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        await self.close()


class AsyncLocalSubscription:
    """Changes of a manager in this process, for asyncio."""

    def __init__(self, manager: LocalManager, wanted: Interests) -> None:
        """Begin to gather events; only within an event loop."""
        self._loop = asyncio.get_running_loop()
        self._heard: asyncio.Queue[list[Event] | None] = asyncio.Queue()
        self._waiting: list[ChangeMessage] = []
        self._closed = False
        self._followed = manager.follow(wanted, self._hear)

    def _hear(self, events: list[Event] | None) -> None:
        """Called by the manager's thread."""
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            self._loop.call_soon_threadsafe(self._heard.put_nowait, events)

    async def changes(self, seconds: float | None = None) -> AsyncIterator[ChangeMessage]:
        """What is told; ends after that many seconds, when the subscription is closed or replaced, or never."""
        until = None if seconds is None else self._loop.time() + seconds
        while not self._closed:
            while self._waiting and not self._closed:
                yield self._waiting.pop(0)
            try:
                async with asyncio.timeout_at(until):
                    events = await self._heard.get()
            except TimeoutError:
                return
            if events is not None and not self._closed:
                self._waiting = await asyncio.to_thread(self._followed.messages, events)

    async def close(self) -> None:
        """Hear no more."""
        self._closed = True
        self._followed.close()
        self._heard.put_nowait(None)
