"""Events told to addresses that the operator has named: signed, tried again for days, then put aside for a person.

As Standard Webhooks 1.0 has it: `webhook-id`, `webhook-timestamp` and `webhook-signature` (`v1`, HMAC-SHA256). Letters
are written down before anything is sent, so none is lost with the process; one that does not arrive holds up no other.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import http.client
import logging
import ssl
import time
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Final
from urllib.parse import urlsplit

import msgspec

from houseway import __version__
from houseway.errors import InputError
from houseway.manager.http.cloud_events import cloud_event
from houseway.manager.http.event_feed import EventFeed
from houseway.manager.http.own_book import Letter, OwnBook, Webhook
from houseway.manager.interface.contract import ManagerAwayError, RefusedError

LOG: Final = logging.getLogger("houseway.manager.http")
WAITS: Final = (5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""Seconds before each further try; after the last one, three days and a half later, the letter is dead."""
SEND_SECONDS: Final = 10.0
LOOK_SECONDS: Final = 2.0
"""How often the file is looked into for webhooks that were added, removed or resumed."""
AT_ONCE: Final = 100
GONE: Final = 410


def signature(secret: bytes, letter_id: str, timestamp: int, body: bytes) -> str:
    """The signature of a letter, as its `webhook-signature` has it."""
    signed = b"%s.%d.%s" % (letter_id.encode(), timestamp, body)
    return "v1," + base64.b64encode(hmac.new(secret, signed, hashlib.sha256).digest()).decode()


def check_address(url: str) -> None:
    """Refuse an address to which no letter is sent: only TLS, or this machine itself."""
    parts = urlsplit(url)
    try:
        parts.port  # noqa: B018 - looked at, so that a wrong one is refused here
    except ValueError:
        parts = urlsplit("")
    is_here = parts.hostname in ("localhost", "127.0.0.1", "::1")
    if parts.hostname is None or not (parts.scheme == "https" or (parts.scheme == "http" and is_here)):
        message = f"{url[:80]!r} is not an address for letters: write https://HOST/PATH (http only to this machine)"
        raise InputError.of("bad-address", "url", message)


def post(url: str, body: bytes, headers: dict[str, str]) -> int:
    """Send a letter; the status of the answer. No redirect is followed: letters go where they were meant to go."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    connection: http.client.HTTPConnection
    if parts.scheme == "https":
        context = ssl.create_default_context()
        connection = http.client.HTTPSConnection(host, parts.port, timeout=SEND_SECONDS, context=context)
    else:
        connection = http.client.HTTPConnection(host, parts.port, timeout=SEND_SECONDS)
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, body, headers)
        with connection.getresponse() as answer:
            return answer.status
    finally:
        connection.close()


class WebhookSender:
    """Writes letters as events come, and sends them."""

    def __init__(
        self,
        book: OwnBook,
        feed: EventFeed,
        source: str,
        *,
        send: Callable[[str, bytes, dict[str, str]], int] = post,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """Tell what a feed tells to the webhooks of a book."""
        self._book = book
        self._feed = feed
        self._source = source
        self._send = send
        self._clock = clock

    async def run(self) -> None:
        """Work for every webhook, also those that are added meanwhile."""
        await self._feed.reached.wait()
        tasks: dict[str, asyncio.Task[None]] = {}
        try:
            while True:
                wanted = {one.name for one in self._book.webhooks() if one.stopped is None}
                for name in wanted - tasks.keys():
                    tasks[name] = asyncio.create_task(self._serve(name))
                for name in [name for name in tasks if name not in wanted]:
                    tasks.pop(name).cancel()
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)

    async def _serve(self, name: str) -> None:
        """Write and send the letters of one webhook, until it is stopped or removed."""
        while True:
            found = {one.name: one for one in self._book.webhooks()}.get(name)
            if found is None or found.stopped is not None:
                return
            try:
                wrote = await self._write(found)
                sent = await self._send_due(found)
            except (ManagerAwayError, RefusedError, InputError) as error:
                LOG.warning("webhook %s waits: %s", name, error)
                await asyncio.sleep(LOOK_SECONDS)
                continue
            if not wrote and not sent:
                await self._feed.wait(found.told, self._pause(name))

    def _pause(self, name: str) -> float:
        due = self._book.next_due(name)
        return LOOK_SECONDS if due is None else min(max(due - self._clock(), 0.01), LOOK_SECONDS)

    async def _write(self, webhook: Webhook) -> bool:
        """Write the letters of the next events; False where there are none yet."""
        try:
            events = await self._feed.events(webhook.told)
        except RefusedError as error:
            if error.code != "archived":
                raise
            self._book.stop(webhook.name, str(error)[:200])
            return True
        if not events:
            return False
        letters = [
            (event.seq, msgspec.json.encode(cloud_event(event, self._source)))
            for event in events
            if any(fnmatchcase(event.kind, kind) for kind in webhook.kinds)
        ]
        self._book.write_letters(webhook.name, events[-1].seq, letters)
        return True

    async def _send_due(self, webhook: Webhook) -> bool:
        """Send what is due; False where nothing is."""
        letters = self._book.due(webhook.name, self._clock(), AT_ONCE)
        if letters:
            secret = self._book.signing_secret(webhook.name)
            for letter in letters:
                if not await self._deliver(webhook, letter, secret):
                    break
        return bool(letters)

    async def _deliver(self, webhook: Webhook, letter: Letter, secret: bytes) -> bool:
        """Send a letter and note what became of it; False if nothing more is to be sent now."""
        timestamp, letter_id = int(self._clock()), f"{webhook.name}.{letter.seq}"
        headers = {
            "Content-Type": "application/cloudevents+json",
            "User-Agent": f"houseway/{__version__}",
            "webhook-id": letter_id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signature(secret, letter_id, timestamp, letter.body),
        }
        problem = ""
        status = 0
        try:
            status = await asyncio.to_thread(self._send, webhook.url, letter.body, headers)
        except (OSError, http.client.HTTPException, ValueError) as error:
            problem = f"{type(error).__name__}: {error}"
        if 200 <= status < 300:
            self._book.delivered(letter)
            return True
        if status == GONE:
            self._book.failed(letter, "answered 410, Gone", None)
            self._book.stop(webhook.name, "the address answered 410, Gone: it wants no more letters")
            LOG.warning("webhook %s is stopped: the address answered 410", webhook.name)
            return False
        wait = WAITS[letter.tries] if letter.tries < len(WAITS) else None
        self._book.failed(letter, problem or f"answered {status}", None if wait is None else self._clock() + wait)
        if wait is None:
            LOG.warning("webhook %s: the letter of event %d is dead", webhook.name, letter.seq)
        return True
