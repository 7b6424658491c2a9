"""A port for those who watch a server: metrics, health and readiness over HTTP, and nothing else.

It takes little: a few connections, a short request, a few seconds, one answer each. Whoever holds all its places keeps
out other watchers and nobody who plays.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
from typing import Any, Final

import msgspec

from houseway.manager.server.metrics import Metrics
from houseway.manager.server.metrics_text import CONTENT_TYPE, exposition

LOG: Final = logging.getLogger("houseway.manager.server")
MOST_WATCHERS: Final = 16
LONGEST_HEAD: Final = 8_192
SECONDS: Final = 5.0
ABLE: Final = ("serving", "impaired")
"""States in which commands are carried out."""
_JSON: Final = "application/json"
_REASONS: Final = {
    200: "OK",
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    503: "Service Unavailable",
}


class WatchPort:
    """Listens for watchers."""

    def __init__(self, metrics: Metrics) -> None:
        """Nothing is listened to before `open`."""
        self._metrics = metrics
        self._server: asyncio.Server | None = None
        self._serving: set[asyncio.Task[Any]] = set()

    async def open(self, host: str, port: int, tls: ssl.SSLContext | None = None) -> tuple[str, int]:
        """Begin to listen; returns the address."""
        seconds = {"ssl_handshake_timeout": SECONDS} if tls else {}
        self._server = await asyncio.start_server(
            self._connected, host, port, ssl=tls, limit=LONGEST_HEAD, backlog=MOST_WATCHERS, **seconds
        )
        name = self._server.sockets[0].getsockname()
        return str(name[0]), int(name[1])

    async def close(self) -> None:
        """Listen no more, and let go who is there."""
        if self._server is not None:
            self._server.close()
        for task in list(self._serving):
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        if task is None or len(self._serving) >= MOST_WATCHERS:
            writer.transport.abort()
            return
        self._serving.add(task)
        try:
            with contextlib.suppress(OSError, TimeoutError, asyncio.CancelledError):
                async with asyncio.timeout(SECONDS):
                    writer.write(await self._answer(reader))
                    await writer.drain()
                    writer.close()
                    await writer.wait_closed()
        finally:
            self._serving.discard(task)
            writer.transport.abort()

    async def _answer(self, reader: asyncio.StreamReader) -> bytes:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except (asyncio.LimitOverrunError, asyncio.IncompleteReadError):
            return _response(400, b"a request of HTTP/1.1 of at most 8192 bytes\n")
        method, _, rest = head.split(b"\r\n", 1)[0].partition(b" ")
        target, _, version = rest.partition(b" ")
        if not version.startswith(b"HTTP/1."):
            return _response(400, b"a request of HTTP/1.1\n")
        if method not in (b"GET", b"HEAD"):
            return _response(405, b"GET or HEAD\n", extra="Allow: GET, HEAD\r\n")
        found = self._found(target.partition(b"?")[0])
        return found[: found.index(b"\r\n\r\n") + 4] if method == b"HEAD" else found

    def _found(self, path: bytes) -> bytes:
        try:
            if path == b"/metrics":
                return _response(200, exposition(self._metrics.collect()), CONTENT_TYPE)
            if path in (b"/health", b"/ready"):
                health = self._metrics.health()
                is_well = path == b"/health" or health["state"] in ABLE
                return _response(200 if is_well else 503, msgspec.json.encode(health) + b"\n", _JSON)
        except Exception:
            LOG.exception("the watch port hit an internal error")
            return _response(503, b"an internal error: see the log\n")
        return _response(404, b"/metrics, /health or /ready\n")


def _response(status: int, body: bytes, kind: str = "text/plain; charset=utf-8", extra: str = "") -> bytes:
    head = (
        f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        f"Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n{extra}Connection: close\r\n\r\n"
    )
    return head.encode() + body
