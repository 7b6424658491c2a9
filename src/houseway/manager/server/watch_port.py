"""A port for those who watch a server: metrics, health and readiness over HTTP, and nothing else.

It takes little: a few connections, a short request, a few seconds, one answer each. Whoever holds its places makes room
for the next, as at the door of the devices, and however many ask, metrics are put together a few times a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
import time
from typing import Final

import msgspec

from houseway.manager.server.door import Arrival, Door, GrowingReader
from houseway.manager.server.metrics import Metrics
from houseway.manager.server.metrics_text import CONTENT_TYPE, exposition
from houseway.manager.store.supervisor import Supervisor

LOG: Final = logging.getLogger("houseway.manager.server")
MOST_WATCHERS: Final = 32
MOST_OF_NETWORK: Final = 16
TOLD_SECONDS: Final = 0.2
"""How long the same is told again."""
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

    def __init__(self, metrics: Metrics, supervisor: Supervisor | None = None) -> None:
        """Nothing is listened to before `open`."""
        self._metrics = metrics
        kept = Supervisor() if supervisor is None else supervisor
        self._door = Door(self._connected, self._crowded, kept, most=MOST_WATCHERS, most_of_network=MOST_OF_NETWORK)
        self._told: tuple[float, bytes] | None = None
        """The metrics as they were told last, and when."""

    async def open(self, host: str, port: int, tls: ssl.SSLContext | None = None) -> tuple[str, int]:
        """Begin to listen; returns the address."""
        return await self._door.open(host, port, tls)

    async def close(self) -> None:
        """Listen no more, and let go who is there."""
        self._door.close()
        await self._door.wait()

    @property
    def watchers(self) -> int:
        """Who is here."""
        return self._door.strangers

    def _crowded(self, network: str) -> None:
        LOG.debug("a watcher from %s made room for another", network)

    async def _connected(self, reader: GrowingReader, writer: asyncio.StreamWriter, _: Arrival) -> None:
        reader.allow(LONGEST_HEAD)
        try:
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(SECONDS):
                    writer.write(await self._answer(reader))
                    await writer.drain()
                    writer.close()
                    await writer.wait_closed()
        finally:
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
                return self._lately()
            if path in (b"/health", b"/ready"):
                health = self._metrics.health()
                is_well = path == b"/health" or health["state"] in ABLE
                return _response(200 if is_well else 503, msgspec.json.encode(health) + b"\n", _JSON)
        except Exception:
            LOG.exception("the watch port hit an internal error")
            return _response(503, b"an internal error: see the log\n")
        return _response(404, b"/metrics, /health or /ready\n")

    def _lately(self) -> bytes:
        """The metrics, put together only so often: the loop that does it is that of the tables."""
        now = time.monotonic()
        if self._told is None or now - self._told[0] >= TOLD_SECONDS:
            self._told = (now, _response(200, exposition(self._metrics.collect()), CONTENT_TYPE))
        return self._told[1]


def _response(status: int, body: bytes, kind: str = "text/plain; charset=utf-8", extra: str = "") -> bytes:
    head = (
        f"HTTP/1.1 {status} {_REASONS[status]}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        f"Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n{extra}Connection: close\r\n\r\n"
    )
    return head.encode() + body
