"""A manager at an address, for asyncio, whose connection is made again by the next request when it was lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from houseway.manager.commands import Command
from houseway.manager.core.command import AnswerT_co
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_client import AsyncManagerClient, AsyncWireSubscription
from houseway.manager.interface.contract import (
    CommandResult,
    ManagerAwayError,
    SignedInPerson,
)
from houseway.manager.interface.sessions import Sessions
from houseway.manager.views.floor_questions import A_co, Question


class AsyncManagerConnection:
    """One `AsyncManagerClient` after the other, with what was seen of the manager and who is signed in."""

    def __init__(self, access: ManagerAccess, *, sessions: Sessions | None = None) -> None:
        """Keep who connects where; `open` does it."""
        self._access = access
        self._memory = access.memory()
        self._sessions: Sessions = sessions if sessions is not None else {}
        self._client: AsyncManagerClient | None = None
        self._connecting = asyncio.Lock()
        self._closed = False

    async def open(self) -> Self:
        """Connect; ManagerAwayError or RefusedError if that fails."""
        await self._connected()
        return self

    async def _connected(self) -> AsyncManagerClient:
        async with self._connecting:
            if self._closed:
                raise ManagerAwayError("this connection was closed")
            if self._client is None or self._client.gone.is_set():
                await self._drop()
                client = AsyncManagerClient(self._access, memory=self._memory, sessions=self._sessions)
                self._client = await client.connect()
            return self._client

    async def _drop(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def send(
        self, command: Command[AnswerT_co], *, actor: str, key: str | None = None
    ) -> CommandResult[AnswerT_co]:
        """Have a command carried out; ManagerAwayError leaves open whether it was."""
        return await (await self._connected()).send(command, actor=actor, key=key)

    async def ask(self, asked: Question[A_co], /, *, actor: str | None = None) -> A_co:
        """The answer to a question; of one that is answered in pages, a page."""
        return await (await self._connected()).ask(asked, actor=actor)

    async def subscribe(
        self, *topics: str, tables: Sequence[str] | None = None, links: Sequence[str] | None = None
    ) -> AsyncWireSubscription:
        """Have changes told from now on; another subscription ends the one before."""
        return await (await self._connected()).subscribe(*topics, tables=tables, links=links)

    async def sign_in(self, badge: str) -> SignedInPerson:
        """Read a person's badge at this service: that person may act from here on."""
        return await (await self._connected()).sign_in(badge)

    async def sign_out(self, person: str) -> None:
        """Let a person leave this service."""
        await (await self._connected()).sign_out(person)

    async def close(self) -> None:
        """Leave."""
        self._closed = True
        await self._drop()

    async def __aenter__(self) -> Self:
        """Use the connection in an `async with`, which closes it."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        await self.close()
