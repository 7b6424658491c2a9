"""One HTTP/1.1 connection: requests as h11 reads them, answered one after the other by the application (ASGI).

Time and size of everything that a client sends or leaves unread are bounded here, before the application hears of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import MutableMapping
from email.utils import formatdate
from typing import TYPE_CHECKING, Any, Final, cast
from urllib.parse import unquote_to_bytes

import h11

from houseway.errors import InputError
from houseway.manager.http.error_answers import error_response
from houseway.manager.http.guard import BODY_SECONDS, MOST_BODY

if TYPE_CHECKING:
    from houseway.manager.http.http_server import HttpServer

LOG: Final = logging.getLogger("houseway.manager.http")
MOST_HEAD: Final = 16_384
"""Bytes of the head of a request."""
HEAD_SECONDS: Final = 10.0
"""How long the head of a request may take, from the connection or its first byte."""
IDLE_SECONDS: Final = 60.0
"""How long a caller who is known may leave a connection idle; a stranger's has the time of a head."""
WRITE_SECONDS: Final = 20.0
"""How long a client may leave what was sent to it unread."""
PIECE: Final = 65_536
"""Bytes that are handed to the system at once: what a client does not read is held no further."""


def refusal(code: str, message: str, status: int | None = None) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    """A refusal that the application is not asked for."""
    response = error_response(InputError.of(code, "", message))
    return status or response.status_code, list(response.raw_headers), bytes(response.body)


CROWDED: Final = "too many connections of this caller are open here: end some of them"


class HttpConnection(asyncio.Protocol):
    """A connection from its first byte to its last."""

    def __init__(self, server: HttpServer, address: str, network: str) -> None:
        """Nothing is known of the client yet."""
        self._server = server
        self._address = address
        self.network = network
        self.is_answered = False
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._parser = h11.Connection(h11.SERVER, max_incomplete_event_size=MOST_HEAD)
        self._exchange: Exchange | None = None
        self._task: asyncio.Task[None] | None = None
        self._deadline: asyncio.TimerHandle | None = None
        self._can_write = asyncio.Event()
        self._can_write.set()
        self._is_lost = False
        self.arriving: asyncio.Task[None] | None = None
        """The task that takes the connection in, while it does."""

    # ------------------------------------------------------------ the transport's word

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """A client has come, and with TLS has finished its greeting."""
        self._transport = cast("asyncio.Transport", transport)
        if self.has_gone():
            self._transport.abort()
            return
        self._wait_for_head(HEAD_SECONDS)

    def data_received(self, data: bytes) -> None:
        """Something has come."""
        if self._exchange is None:
            self._wait_for_head(HEAD_SECONDS, again=False)
        try:
            self._parser.receive_data(data)
        except h11.RemoteProtocolError:
            self.turn_away()
            return
        self._advance()

    def eof_received(self) -> None:
        """The client has ended its side: nobody waits for an answer."""

    def connection_lost(self, error: Exception | None) -> None:
        """The connection is over."""
        del error
        self._is_lost = True
        self._cancel_deadline()
        self._server.left(self)
        self._can_write.set()
        if self._task is None:
            self._exchange = None
        elif not self.is_answered:
            # It has not had its turn: whoever waits behind it comes sooner.
            self._task.cancel()
        elif self._exchange is not None:
            self._exchange.wake()

    def pause_writing(self) -> None:
        """The client reads too slowly."""
        self._can_write.clear()

    def resume_writing(self) -> None:
        """The client has read."""
        self._can_write.set()

    def turn_away(self) -> None:
        """End the connection at once."""
        self._is_lost = True
        if self._transport is not None:
            self._transport.abort()
        elif self.arriving is not None:
            # It has not finished its greeting of TLS: its socket must not wait for that.
            self.arriving.cancel()

    def has_gone(self) -> bool:
        """Whether the client is no longer there."""
        return self._is_lost

    def end(self) -> None:
        """End the connection unless a request is being answered, after which it ends."""
        if self._exchange is None:
            self.turn_away()

    # ------------------------------------------------------------ requests

    def _advance(self) -> None:
        """Take what has come as far as it goes."""
        while not self.has_gone():
            try:
                event = self._parser.next_event()
            except h11.RemoteProtocolError as error:
                self._refuse_unread(error)
                return
            if isinstance(event, h11.Request):
                self._begin(event)
            elif isinstance(event, h11.Data) and self._exchange is not None:
                self._exchange.take(bytes(event.data))
                self._look_at_body(self._exchange)
            elif isinstance(event, h11.EndOfMessage) and self._exchange is not None:
                self._exchange.is_whole = True
                self._exchange.wake()
                self._look_at_body(self._exchange)
            elif event is h11.PAUSED:
                # The next request waits until this one is answered, and what follows it in the client.
                self._read(wanted=False)
                return
            else:
                return

    def _begin(self, request: h11.Request) -> None:
        self._cancel_deadline()
        exchange = self._exchange = Exchange(self, self._parser, request)
        values = [value for name, value in request.headers if name == b"authorization"]
        has_place = self._server.show(self, values[0].decode("latin-1") if len(values) == 1 else None)
        if not has_place:
            self._answer_at_once(*refusal("too-many-clients", CROWDED))
            return
        if self._server.entrance.is_known(self):
            self._serve(exchange, paced=False)
        else:
            # Of a stranger the whole request is waited for first: a slow one holds up nothing but its own place.
            self._cancel_deadline()
            self._deadline = self._loop.call_later(BODY_SECONDS, self._body_is_late)

    def _look_at_body(self, exchange: Exchange) -> None:
        """Begin to answer a stranger once all of the request is there, or more than it may be."""
        if self._task is None and not self.has_gone() and (exchange.is_whole or exchange.size > MOST_BODY):
            self._cancel_deadline()
            self._serve(exchange, paced=True)
        elif exchange.size > MOST_BODY:
            self._read(wanted=False)

    def _body_is_late(self) -> None:
        message = f"the body did not arrive within {BODY_SECONDS:g} seconds"
        self._answer_at_once(*refusal("idle-timeout", message))

    def _serve(self, exchange: Exchange, *, paced: bool) -> None:
        self.is_answered = not paced
        self._task = self._loop.create_task(self._answer(exchange, paced=paced))
        self._server.tasks.add(self._task)
        self._task.add_done_callback(self._server.tasks.discard)

    async def _answer(self, exchange: Exchange, *, paced: bool) -> None:
        try:
            if paced:
                await self._server.pace.turn(self.network)
                self.is_answered = True
            if not self.has_gone():
                await self._server.app(
                    exchange.scope(self._address, self._server.name, self._server.scheme),
                    exchange.receive,
                    exchange.send,
                )
        except Exception:
            # The application answers its own faults: what comes here is a fault of this module, or of a part of it.
            LOG.exception("a request ended by an internal error")
        finally:
            self._task, self._exchange, self.is_answered = None, None, False
            if exchange.is_answered and not self.has_gone() and not self._server.is_closing:
                self._next_cycle()
            else:
                self._close()

    def _next_cycle(self) -> None:
        if self._parser.our_state is not h11.DONE or self._parser.their_state is not h11.DONE:
            self._close()
            return
        self._parser.start_next_cycle()
        self._wait_for_head(IDLE_SECONDS if self._server.entrance.is_known(self) else HEAD_SECONDS)
        self._read(wanted=True)
        self._advance()

    def _refuse_unread(self, error: h11.RemoteProtocolError) -> None:
        """What came is not HTTP, or its head is too long."""
        if self._exchange is not None and self._exchange.is_whole:
            # Behind a request that said it was the last: that one is answered.
            self._read(wanted=False)
            return
        if self._exchange is not None or self._parser.our_state is not h11.IDLE:
            self.turn_away()
            return
        is_long = error.error_status_hint == 431
        text = f"the head of a request has at most {MOST_HEAD} bytes here" if is_long else "this is not HTTP/1.1"
        self._answer_at_once(*refusal("line-too-long" if is_long else "bad-message", text, 431 if is_long else 400))

    def _answer_at_once(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        """Answer without the application, and end the connection."""
        self._cancel_deadline()
        with contextlib.suppress(h11.LocalProtocolError):
            head = h11.Response(status_code=status, headers=[*headers, (b"connection", b"close")])
            for event in (head, h11.Data(data=body), h11.EndOfMessage()):
                self.write(self._parser.send(event) or b"")
        self._exchange = None
        self._close()

    # ------------------------------------------------------------ bytes and times

    def write(self, data: bytes) -> None:
        """Hand bytes to the system."""
        if data and not self.has_gone() and self._transport is not None:
            self._transport.write(data)

    async def drain(self) -> None:
        """Wait until the client has read; one that does not is let go."""
        if self._can_write.is_set():
            return
        try:
            async with asyncio.timeout(WRITE_SECONDS):
                await self._can_write.wait()
        except TimeoutError:
            self.turn_away()

    def resume_body(self) -> None:
        """The application has taken what there was of the body."""
        self._read(wanted=True)

    def _read(self, *, wanted: bool) -> None:
        transport = self._transport
        if transport is not None and not transport.is_closing() and transport.is_reading() is not wanted:
            (transport.resume_reading if wanted else transport.pause_reading)()

    def _close(self) -> None:
        """End the connection; what was written is sent, for so long."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.close()
            self._cancel_deadline()
            self._deadline = self._loop.call_later(WRITE_SECONDS, self.turn_away)

    def _wait_for_head(self, seconds: float, *, again: bool = True) -> None:
        """End the connection unless the head of a request is there in time; its first byte begins a time of its own."""
        if not again and self._parser.trailing_data[0]:
            return
        self._cancel_deadline()
        self._deadline = self._loop.call_later(seconds, self.turn_away)

    def _cancel_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class Exchange:
    """A request and its answer, as the application has them."""

    def __init__(self, connection: HttpConnection, parser: h11.Connection, request: h11.Request) -> None:
        """Take the head of a request."""
        self._connection = connection
        self._parser = parser
        self._request = request
        self._body: list[bytes] = []
        self._news = asyncio.Event()
        self._is_told = False
        """Whether the application has been given the whole body."""
        self.size = 0
        self.is_whole = False
        self.is_answered = False

    def take(self, data: bytes) -> None:
        """More of the body has come."""
        self.size += len(data)
        self._body.append(data)
        self.wake()

    def wake(self) -> None:
        """Let the application look again."""
        self._news.set()

    def scope(self, address: str, server: tuple[str, int], scheme: str) -> dict[str, Any]:
        """The request as ASGI describes it."""
        path, _, query = self._request.target.partition(b"?")
        return {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"},
            "http_version": self._request.http_version.decode("ascii"), "scheme": scheme,
            "method": self._request.method.decode("ascii"), "path": _unquoted(path), "raw_path": path,
            "query_string": query, "root_path": "", "headers": list(self._request.headers), "client": (address, 0),
            "server": server,
        }  # fmt: skip

    async def receive(self) -> MutableMapping[str, Any]:
        """The next part of the body; after all of it, that the client has gone."""
        if self._parser.they_are_waiting_for_100_continue and not self._connection.has_gone():
            self._connection.write(self._parser.send(h11.InformationalResponse(status_code=100, headers=[])) or b"")
        while True:
            if self._connection.has_gone():
                return {"type": "http.disconnect"}
            if self._body or (self.is_whole and not self._is_told):
                body, self._body, self._is_told = b"".join(self._body), [], self.is_whole
                if not self.is_whole:
                    self._connection.resume_body()
                return {"type": "http.request", "body": body, "more_body": not self.is_whole}
            self._news.clear()
            await self._news.wait()

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """A part of the answer; nobody hears it where the client has gone."""
        if self._connection.has_gone():
            return
        if message["type"] == "http.response.start":
            headers = [(bytes(name), bytes(value)) for name, value in message["headers"]]
            headers.append((b"date", formatdate(usegmt=True).encode()))
            self._write(h11.Response(status_code=message["status"], headers=headers))
            return
        body = memoryview(message.get("body", b""))
        has_body = self._request.method != b"HEAD"
        for start in range(0, len(body) if has_body else 0, PIECE):
            self._write(h11.Data(data=bytes(body[start : start + PIECE])))
            await self._connection.drain()
            if self._connection.has_gone():
                return
        if not message.get("more_body", False):
            self._write(h11.EndOfMessage())
            self.is_answered = True

    def _write(self, event: h11.Response | h11.Data | h11.EndOfMessage) -> None:
        self._connection.write(self._parser.send(event) or b"")


def _unquoted(path: bytes) -> str:
    """A path as text, as ASGI has it: what is quoted in it is UTF-8, or stands for nothing."""
    return unquote_to_bytes(path).decode("utf-8", "replace")
