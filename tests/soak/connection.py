"""How a table of the endurance run speaks with the manager: as a controller does, through every loss of the answer."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from typing import Any, Final

from houseway.manager.commands.house_commands import ChangeShift
from houseway.manager.controller.outbox import OutboxEntry, OutboxMessage
from houseway.manager.controller.resolve import resolve
from houseway.manager.demo.floorplan import dealer_of
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.contract import CommandResult, ManagerAwayError, RefusedError
from houseway.manager.interface.requests import command_of
from tests.soak.claims import Claim, Claims, Failure, compact
from tests.soak.floor import AT_THE_SERVICE, SERVICE, secret_of, session_of, swipe_of
from tests.soak.gate import Gate

ANSWER_SECONDS: Final = 3.0
STUCK_SECONDS: Final = 90.0
"""A command whose fate is not known after so long is a failure, whatever was killed meanwhile."""


class Voice:
    """A device with its keys: every command is settled, whatever becomes of the servers."""

    def __init__(
        self, device: str, table: str | None, ports: Callable[[], list[int]], claims: Claims, gate: Gate,
        luck: random.Random, name: str | None = None,
    ) -> None:  # fmt: skip
        self.device = device
        self._name = name or device
        """Begins its keys: several may speak from one device."""
        self.table = table
        self.luck = luck
        self._ports = ports
        self._claims = claims
        self._gate = gate
        self._client: AsyncManagerClient | None = None
        self._sessions = {who: session_of(who) for who in AT_THE_SERVICE} if device == SERVICE else {}
        if table is not None:
            self._sessions[dealer_of(table)] = swipe_of(table)
        self._number = 0
        self.last_seq = 0
        self.is_new = True
        """The connection is new: nobody has looked yet whether the table is as it was."""

    async def connected(self) -> AsyncManagerClient:
        """The connection, made again as often as it takes."""
        until = time.monotonic() + STUCK_SECONDS
        while self._client is None or self._client.gone.is_set():
            await self.drop()
            port, secret = self.luck.choice(self._ports()), secret_of(self.device)
            access = ManagerAccess("127.0.0.1", port, self.device, secret, answer_seconds=ANSWER_SECONDS)
            client = AsyncManagerClient(access, sessions=dict(self._sessions))
            try:
                self._client = await client.connect()
                self.is_new = True
            except RefusedError as error:
                if not error.retry:
                    raise Failure(f"{self.device} is refused: {error}") from error
            except ManagerAwayError as error:
                if time.monotonic() > until:
                    raise Failure(f"{self.device} reaches no server in {STUCK_SECONDS:g} seconds: {error}") from error
            if self._client is None:
                await asyncio.sleep(self.luck.uniform(0.03, 0.2))
        return self._client

    async def drop(self) -> None:
        """Give the connection up."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    async def send(self, actor: str, do: dict[str, Any], *, only_fresh: bool = False) -> CommandResult[Any] | None:
        """Have a command carried out once; None if it was refused or taken back."""
        self._number += 1
        key = f"{self._name}:{self._number}"
        message = OutboxMessage(actor, command_of(do))
        async with self._gate.passed():
            if self.luck.random() < 0.02:
                # Tables come and go, so that a server that was started again gets its share of them.
                await self.drop()
            claim = self._claims.sent(key, actor, self.device, do)
            # Now and then the press counts as old: a START GAME that was lost is then taken back, not repeated.
            age = 10.0 if only_fresh and self.luck.random() < 0.2 else 0.0
            entry = OutboxEntry(key, time.time() - age, only_fresh, message)
            carried = await self._settled(entry, claim)
        if carried is not None:
            self.last_seq = max(self.last_seq, carried.seq)
        return carried

    async def _settled(self, entry: OutboxEntry, claim: Claim) -> CommandResult[Any] | None:
        """What became of the command, found out as a controller does."""
        in_doubt, until = False, time.monotonic() + STUCK_SECONDS
        while time.monotonic() < until:
            client = await self.connected()
            try:
                if in_doubt and self.table is not None:
                    return await self._resolved(client, entry, claim)
                carried = await self._command(client, entry)
            except RefusedError as error:
                if not error.retry:
                    self._claims.ended(claim, "refused", str(error))
                    return None
                in_doubt = True
                await self.drop()
                await asyncio.sleep(self.luck.uniform(0.05, 0.2))
            except ManagerAwayError:
                in_doubt = True
                await self.drop()
            else:
                self._gate.answered()
                if in_doubt:
                    self._claims.doubted(there=carried.repeated)
                self._keep(claim, carried, doubt=in_doubt)
                return carried
        raise Failure(f"{entry.key} ({entry.kind}) was not settled in {STUCK_SECONDS:g} seconds")

    async def _resolved(
        self, client: AsyncManagerClient, entry: OutboxEntry, claim: Claim
    ) -> CommandResult[Any] | None:
        assert self.table is not None
        found = await resolve(client, entry, self.device, self.table, time.time() - entry.made_at)
        if found.carried is not None:
            self._claims.doubted(there=found.carried.repeated)
            self._keep(claim, found.carried, doubt=True)
            return found.carried
        self._claims.doubted(there=False)
        self._claims.ended(claim, "refused" if found.refused else "withdrawn", str(found.refused or "taken back"))
        return None

    def _keep(self, claim: Claim, carried: CommandResult[Any], *, doubt: bool) -> None:
        self._claims.answered(claim, carried.seq, carried.at, carried.hash, carried.answer.to_json(), doubt=doubt)

    async def _command(self, client: AsyncManagerClient, entry: OutboxEntry) -> CommandResult[Any]:
        """Send it; now and then twice at once, or again after its answer."""
        chance = self.luck.random()
        if chance < 0.03:
            both = await asyncio.gather(*(entry.sent_to(client) for _ in range(2)), return_exceptions=True)
            failed = [each for each in both if isinstance(each, BaseException)]
            if failed:
                raise failed[0]
            first, second = (each for each in both if isinstance(each, CommandResult))
            _same(entry.key, first, second, repeated=1)
            return first
        carried = await entry.sent_to(client)
        if chance > 0.97:
            try:
                _same(entry.key, carried, await entry.sent_to(client), repeated=None)
                await self._misuse(client, entry)
            except ManagerAwayError:
                await self.drop()
            except RefusedError as error:
                if not error.retry:
                    raise Failure(f"{entry.key} was carried out, and refused when it was repeated: {error}") from error
        return carried

    async def _misuse(self, client: AsyncManagerClient, entry: OutboxEntry) -> None:
        """The key of a command that was carried out does not serve for another one."""
        if self.table is None or self.luck.random() < 0.7:
            return
        other = ChangeShift(self.table, "misused")
        try:
            await client.send(other, actor=entry.message.actor, key=entry.key)
        except RefusedError as error:
            if not error.retry and error.code != "key-reused":
                raise Failure(f"{entry.key} with another command is refused as {error.code}") from error
            return
        raise Failure(f"{entry.key} was taken for another command")

    async def ask(self, what: str, **arguments: Any) -> dict[str, Any] | None:
        """Ask on the connection as it is; None if it is lost."""
        client = await self.connected()
        try:
            return await client.request({"ask": what, **arguments})
        except ManagerAwayError:
            await self.drop()
        except RefusedError as error:
            if not error.retry:
                raise Failure(f"{self.device} asked {what}, and was refused: {error}") from error
            await asyncio.sleep(0.1)
        return None

    async def close(self) -> None:
        """Leave."""
        await self.drop()


def _same(key: str, first: CommandResult[Any], second: CommandResult[Any], *, repeated: int | None) -> None:
    """Two answers to one command are one answer."""
    one, other = ((each.seq, each.at, each.hash, compact(each.answer.to_json())) for each in (first, second))
    if one != other:
        raise Failure(f"{key} was answered twice, as {one} and as {other}")
    if repeated is not None and first.repeated + second.repeated < repeated:
        raise Failure(f"{key} was sent twice, and neither answer says so")
