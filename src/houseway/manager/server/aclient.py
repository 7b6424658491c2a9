"""Talking to a manager from asyncio: requests in flight side by side, pushes to a function, news by the clock."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import Callable
from typing import Any, Self

import msgspec

from houseway.errors import InputError
from houseway.manager.server.client import (
    PING_SECONDS,
    CommandResult,
    ManagerAwayError,
    RefusedError,
    Sessions,
    hello,
    keep_session,
    new_key,
    with_session,
)
from houseway.manager.server.client_memory import Memory
from houseway.manager.server.wire import LONGEST_ANSWER, from_line, to_line


class AsyncClient:
    """A connection to a manager; when it is gone it stays gone: make a new one."""

    def __init__(
        self,
        on_push: Callable[[dict[str, Any]], None] | None = None,
        memory: Memory | None = None,
        sessions: Sessions | None = None,
    ) -> None:
        """`on_push` gets every event that was subscribed to, and every heartbeat.

        `memory` is what was seen of the manager: one that lacks it is refused. `sessions` holds the tokens of those who
        signed in at this service, by person; hand them to the next client when this one is gone.
        """
        self._memory = memory or Memory()
        self._sessions: Sessions = sessions if sessions is not None else {}
        self._on_push = on_push or (lambda _message: None)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._requests = 0
        self._tasks: list[asyncio.Task[None]] = []
        self._writer: asyncio.StreamWriter | None = None
        self.gone = asyncio.Event()
        """Set when the connection has ended."""
        self.news_at = 0.0
        """Loop time of the last line that came."""
        self.welcome: dict[str, Any] = {}
        self._device = ""

    async def connect(
        self, host: str, port: int, device: str, secret: str, *, tls: ssl.SSLContext | None = None, seconds: float = 4.0
    ) -> Self:
        """Connect and greet; ManagerAwayError or RefusedError if that fails."""
        self._device = device
        try:
            async with asyncio.timeout(seconds):
                reader, self._writer = await asyncio.open_connection(host, port, ssl=tls, limit=LONGEST_ANSWER)
                self._writer.write(hello(device, secret))
                first = from_line(await reader.readuntil(b"\n"))
        except (OSError, EOFError, InputError) as error:
            await self.close()
            raise ManagerAwayError(
                f"no manager answers at {host}:{port}: {str(error) or 'no answer in time'}"
            ) from error
        except asyncio.CancelledError:
            if self._writer is not None:
                self._writer.close()
            raise
        if "welcome" not in first:
            await self.close()
            raise RefusedError(first.get("error"))
        self.welcome = first["welcome"]
        self.news_at = asyncio.get_running_loop().time()
        self._tasks = [asyncio.create_task(self._read(reader)), asyncio.create_task(self._ping())]
        try:
            await self._check_past(seconds)
        except BaseException:
            await self.close()
            raise
        return self

    async def _check_past(self, seconds: float) -> None:
        """Refuse a manager that lacks what was seen before, and show it the proof."""
        memory = self._memory
        answer = await self.request(memory.question(), seconds)
        if await asyncio.to_thread(memory.agrees, answer):
            return
        proof = memory.proof()
        judged = None if proof is None else (await self.request(proof, seconds))["judged"]
        if not memory.accepts(judged):
            raise RefusedError(memory.refusal(judged))

    async def close(self) -> None:
        """Leave."""
        self.gone.set()
        # First, without waiting for anything: whoever is cancelled while leaving must not leave a socket behind.
        if self._writer is not None:
            self._writer.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._drop_waiting()
        self._memory.flush()
        if self._writer is not None:
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(1.0):
                    await self._writer.wait_closed()

    # ------------------------------------------------------------ requests

    async def command(self, message: dict[str, Any], seconds: float = 10.0) -> CommandResult:
        """Have a command (key, actor, do) carried out; ManagerAwayError leaves open whether it was."""
        message = with_session(message, self._sessions)
        carried = msgspec.convert(await self.request({"command": message}, seconds), CommandResult)
        self._memory.answer(carried.seq, carried.hash, carried.at)
        keep_session(message, carried.answer, self._sessions)
        return carried

    async def sign_in(self, card: str, seconds: float = 10.0) -> dict[str, Any]:
        """Read a person's card at this service: `person` in the answer may act from here on, with its `roles`."""
        return await self._by_itself({"kind": "person.sign-in", "card": card}, seconds)

    async def sign_out(self, person: str, seconds: float = 10.0) -> None:
        """Let a person leave this service."""
        await self._by_itself({"kind": "person.sign-out", "person": person}, seconds)

    async def _by_itself(self, do: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Have something carried out that the device does, not a person."""
        message = {"key": new_key(self._device), "actor": f"device:{self._device}", "do": do}
        return (await self.command(message, seconds)).answer

    async def ask(self, what: str, seconds: float = 5.0, **arguments: object) -> dict[str, Any]:
        """Ask a question."""
        return await self.request({"ask": what, **arguments}, seconds)

    async def request(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        """Send any request and wait for its answer."""
        if self._writer is None or self.gone.is_set():
            raise ManagerAwayError("the connection to the manager is gone")
        self._requests += 1
        number = self._requests
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        try:
            self._writer.write(to_line({"id": number, **message}))
            async with asyncio.timeout(seconds):
                answer = await future
        except TimeoutError:
            raise ManagerAwayError(f"no answer from the manager in {seconds:g} seconds") from None
        except OSError as error:
            raise ManagerAwayError(f"the manager went away: {error}") from error
        finally:
            self._waiting.pop(number, None)
        if "error" in answer:
            raise RefusedError(answer["error"])
        return dict(answer["answer"])

    # ------------------------------------------------------------ lines

    async def _read(self, reader: asyncio.StreamReader) -> None:
        """Hand out every line that comes, until none does."""
        loop = asyncio.get_running_loop()
        try:
            while line := await reader.readline():
                self.news_at = loop.time()
                self._hand_out(from_line(line))
        except (OSError, ValueError):
            pass
        finally:
            self.gone.set()
            self._drop_waiting()

    def _hand_out(self, message: dict[str, Any]) -> None:
        future = self._waiting.get(message.get("id", 0))
        if future is not None and not future.done() and "pong" not in message:
            future.set_result(message)
        elif "ping" in message and self._writer is not None:
            # The manager asks whether anybody is here: another one has come in this device's name.
            with contextlib.suppress(OSError):
                self._writer.write(to_line({"pong": message["ping"]}))
        elif "heartbeat" in message:
            self._memory.hear(message["heartbeat"])
            self._on_push(message)
        elif "event" in message or ("error" in message and "id" not in message):
            self._on_push(message)

    def _drop_waiting(self) -> None:
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(ManagerAwayError("the manager went away before it answered"))
                # Whoever waited may be gone by now.
                future.exception()

    async def _ping(self) -> None:
        while not self.gone.is_set():
            await asyncio.sleep(PING_SECONDS)
            if self._writer is not None:
                with contextlib.suppress(OSError):
                    self._writer.write(to_line({"ping": 1}))
