"""Streams of events and states: server-sent events that end with their caller's session and wait for no slow reader."""

from __future__ import annotations

import asyncio
import contextlib
from abc import ABC, abstractmethod
from collections.abc import MutableMapping
from typing import Any, Final

import msgspec
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from houseway.errors import InputError
from houseway.manager.http.callers import Caller
from houseway.manager.http.error_answers import refusal_of
from houseway.manager.http.service import HttpService
from houseway.manager.http.state_board import StateFilter
from houseway.manager.interface.contract import ManagerAwayError

STILL_HERE_SECONDS: Final = 10.0
"""How often a stream says that it is there, when there is nothing else to say."""
READ_SECONDS: Final = 20.0
"""How long a reader may leave what was sent to it unread."""
AHEAD_SECONDS: Final = 2.0
"""How long a reader that has seen a newer event than the feed waits for the feed to follow."""
_BEGIN: Final = b"retry: 1000\n\n"
_STILL_HERE: Final = b": still here\n\n"


class StreamEnd(msgspec.Struct, frozen=True):
    """Why the service ends a stream: a code of docs/reference/faults.md."""

    code: str


class EventStream(Response, ABC):
    """A response that goes on until its reader leaves, its caller may look no more, or its time is over."""

    media_type = "text/event-stream"

    def __init__(self, service: HttpService, caller: Caller) -> None:
        """Stream to a caller."""
        super().__init__(None, 200, {"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self.service = service
        self._caller = caller

    @abstractmethod
    async def next_text(self) -> bytes:
        """What has come since the last time; nothing where nothing has."""

    @abstractmethod
    async def wait(self, seconds: float) -> None:
        """Wait until something may have come."""

    def begin(self) -> None:
        """Begin to stream."""

    def end(self) -> None:
        """The stream is over."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until it ends."""
        del scope
        with self.service.streaming(self._caller):
            self.begin()
            leaving = asyncio.create_task(_left(receive))
            try:
                await self._sent(send, {"type": "http.response.start", "status": 200, "headers": self.raw_headers})
                await self._sent(send, _body(_BEGIN))
                await self._go_on(send, leaving)
            except (TimeoutError, OSError):
                return
            finally:
                leaving.cancel()
                self.end()
            with contextlib.suppress(TimeoutError, OSError):
                await self._sent(send, {"type": "http.response.body", "body": b"", "more_body": False})

    async def _go_on(self, send: Send, leaving: asyncio.Task[None]) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + self.service.settings.stream_seconds
        checked_at, quiet_since = loop.time(), loop.time()
        while not leaving.done() and not self.service.closing.is_set() and loop.time() < until:
            try:
                text = await self.next_text()
            except (ManagerAwayError, InputError) as error:
                (fault, *_), _ = refusal_of(error)
                await self._sent(send, _ended(fault.code))
                return
            if text:
                await self._sent(send, _body(text))
                quiet_since = loop.time()
            elif loop.time() - quiet_since >= STILL_HERE_SECONDS:
                await self._sent(send, _body(_STILL_HERE))
                quiet_since = loop.time()
            else:
                await self._rest(leaving, min(1.0, max(until - loop.time(), 0.0)))
            if loop.time() - checked_at >= 1.0 or self._caller.signed_in is not None:
                checked_at = loop.time()
                if not self.service.is_current(self._caller):
                    await self._sent(send, _ended("not-signed-in"))
                    return

    async def _rest(self, leaving: asyncio.Task[None], seconds: float) -> None:
        if not leaving.done():
            await self.wait(seconds)

    @staticmethod
    async def _sent(send: Send, message: MutableMapping[str, Any]) -> None:
        async with asyncio.timeout(READ_SECONDS):
            await send(message)


class EventsStream(EventStream):
    """Every event after a number."""

    def __init__(self, service: HttpService, caller: Caller, after: int) -> None:
        """Begin behind event `after`."""
        super().__init__(service, caller)
        self._after = after

    async def next_text(self) -> bytes:
        """The next events."""
        self._after, text = await self.service.feed.text(self._after)
        return text

    async def wait(self, seconds: float) -> None:
        """Wait for the next event."""
        await self.service.feed.wait(self._after, seconds)


class StatesStream(EventStream):
    """Meters, tables and awards as they are, then whatever changes."""

    def __init__(self, service: HttpService, caller: Caller, wanted: StateFilter) -> None:
        """Begin with everything that is wanted."""
        super().__init__(service, caller)
        self._wanted = wanted
        self._version: int | None = None

    def begin(self) -> None:
        """Watch the board."""
        self.service.board.enter()

    def end(self) -> None:
        """Watch no more."""
        self.service.board.leave()

    async def next_text(self) -> bytes:
        """What has changed."""
        self._version, text = self.service.board.text(self._version, self._wanted)
        return text

    async def wait(self, seconds: float) -> None:
        """Wait for the next change."""
        await self.service.board.wait(self._version or 0, seconds)


async def check_known(service: HttpService, after: int) -> None:
    """Refuse to go on behind an event that the manager does not have: another journal is served, or an old copy."""
    loop = asyncio.get_running_loop()
    until = loop.time() + AHEAD_SECONDS
    while after > service.feed.head and loop.time() < until:
        await service.feed.wait(service.feed.head, until - loop.time())
    if after > service.feed.head:
        message = f"event {after} is not there, the last one is {service.feed.head}: look which journal is served"
        raise InputError.of("no-events", "after", message)


async def _left(receive: Receive) -> None:
    """Wait until the reader has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _ended(code: str) -> dict[str, Any]:
    return _body(b"event: ended\ndata: %s\n\n" % msgspec.json.encode(StreamEnd(code)))


def _body(text: bytes) -> dict[str, Any]:
    return {"type": "http.response.body", "body": text, "more_body": True}
