"""The controller's connection to the manager: kept up, watched for news, made again by itself."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
from typing import Final

from houseway.errors import InputError
from houseway.manager.controller import sign
from houseway.manager.controller.controller import AWAY, Controller
from houseway.manager.server.aclient import AsyncClient
from houseway.manager.server.client import ManagerAwayError, RefusedError
from houseway.manager.server.client_memory import Memory
from houseway.manager.server.wire import NEWS_SECONDS

LOG: Final = logging.getLogger("houseway.manager.controller")
FIRST_WAIT: Final = 0.1
LONGEST_WAIT: Final = 2.0
REFUSED_WAIT: Final = 3.0
"""Seconds until a manager that refused the device is asked again: somebody has to register or update it."""


class ManagerLink:
    """The way to the manager."""

    def __init__(
        self,
        controller: Controller,
        address: tuple[str, int],
        secret: str,
        tls: ssl.SSLContext | None = None,
        memory: Memory | None = None,
    ) -> None:
        """Keep where the manager is, how the device proves itself, and what it has seen of the manager."""
        self._memory = memory or Memory()
        self._controller = controller
        self._address = address
        self._secret = secret
        self._tls = tls

    async def run(self) -> None:
        """Connect, stay as long as there is news, and connect again, for ever."""
        wait = FIRST_WAIT
        while True:
            client = AsyncClient(self._controller.pushed, self._memory)
            try:
                await client.connect(*self._address, self._controller.device, self._secret, tls=self._tls)
                await self._controller.arrived(client)
                LOG.info("%s: connected to the manager at %s:%s", self._controller.table, *self._address)
                wait = FIRST_WAIT
                self._controller.left(*await self._watch(client))
            except RefusedError as error:
                self._controller.left(sign.PAUSED if error.retry else sign.REFUSED, sign.in_words(error))
                wait = LONGEST_WAIT if error.retry else REFUSED_WAIT
            except ManagerAwayError as error:
                self._controller.left(sign.LINK_LOST, AWAY, str(error))
            except InputError as error:
                # The outbox cannot be read or written: nothing is sent until it can.
                self._controller.left(sign.PAUSED, sign.in_words(error))
                wait = LONGEST_WAIT
            finally:
                await client.close()
            await asyncio.sleep(wait)
            wait = min(wait * 2, LONGEST_WAIT)

    async def _watch(self, client: AsyncClient) -> tuple[str, str]:
        """Stay until the connection is gone or brings no news; says which, for the sign."""
        loop = asyncio.get_running_loop()
        while not client.gone.is_set():
            left = client.news_at + NEWS_SECONDS - loop.time()
            if left <= 0:
                return sign.NO_NEWS, f"no news from the manager for {NEWS_SECONDS:g} seconds"
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(min(left, 0.5)):
                    await client.gone.wait()
        return sign.LINK_LOST, "the link to the manager is lost"
