"""The controller's connection to the manager: kept up, watched for news, made again by itself."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Final

from houseway.errors import InputError
from houseway.manager.controller import sign
from houseway.manager.controller.controller import AWAY, Controller
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.contract import ManagerAwayError, RefusedError
from houseway.manager.interface.wire_lines import NEWS_SECONDS

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
        access: ManagerAccess,
    ) -> None:
        """Keep where the manager is and how the device proves itself, and read what it has seen of the manager."""
        self._controller = controller
        self._access = access
        self._memory = access.memory()

    async def run(self) -> None:
        """Connect, stay as long as there is news, and connect again, for ever."""
        wait = FIRST_WAIT
        while True:
            client = AsyncManagerClient(
                self._access,
                memory=self._memory,
                on_change=self._controller.changed,
                on_heartbeat=self._controller.heard,
            )
            try:
                await client.connect()
                await self._controller.arrived(client)
                LOG.info("%s: connected to the manager at %s", self._controller.table, self._access.where)
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

    async def _watch(self, client: AsyncManagerClient) -> tuple[str, str]:
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
