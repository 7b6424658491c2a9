"""HTTP beside a server: a process of its own that the server starts, gives its connections, and ends.

Strangers reach HTTP, and tables the server. With a process for each, whatever comes in over HTTP takes none of the
time, the files or the memory of those who play. The process has no way to the server but connections that it asks for,
one end of a pair each, and greets on them like any other device. It ends when the server does, however that ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, Final

from houseway.errors import Fault, InputError, StateError
from houseway.manager.http.http_process import HttpSetup, Ready, serving
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_connection import AsyncManagerConnection
from houseway.manager.interface.contract import AsyncManagerInterface, ManagerAwayError, RefusedError
from houseway.manager.interface.serving import Beside, begin_logs, spare_the_collector
from houseway.manager.interface.sessions import Sessions

LOG: Final = logging.getLogger("houseway.manager.http")
BEGIN_SECONDS: Final = 60.0
END_SECONDS: Final = 20.0
"""How long the process may take to answer what is in hand and to sign people out."""
ASK_SECONDS: Final = 10.0
"""How long the process waits for a connection that it asks for."""
WAITS: Final = (1.0, 2.0, 5.0, 15.0, 30.0)
"""How long the server waits before it starts a process again that has ended by itself."""
NICENESS: Final = 5
"""Tables come first where there are too few processors."""
_ASK: Final = b"c"
_LONGEST_WORD: Final = 65_536

Logs = tuple[str, str | None]
"""The form of the log, and the file of access."""


# ---------------------------------------------------------------- at the server


def beside(setup: HttpSetup, logs: Logs, ready: Ready) -> Beside:
    """The service as it runs beside a server."""

    @contextlib.asynccontextmanager
    async def begun(new_socket: Callable[[], socket.socket]) -> AsyncIterator[None]:
        child = _Child(setup, logs, new_socket)
        await child.begin()
        keeping = asyncio.create_task(_keep(child))
        try:
            ready(setup.host, setup.port)
            yield
        finally:
            keeping.cancel()
            await asyncio.gather(keeping, return_exceptions=True)
            await child.end()

    return begun


async def _keep(child: _Child) -> None:
    """Start the process again whenever it ends by itself."""
    while True:
        why = f"it ended with {await child.ended()}"
        for wait in itertools.chain(WAITS, itertools.repeat(WAITS[-1])):
            LOG.error("the HTTP process does not serve, %s: it is started again in %g seconds", why, wait)
            await child.end()
            await asyncio.sleep(wait)
            try:
                await child.begin()
            except (InputError, StateError, OSError) as error:
                why = str(error)
            else:
                break


class _Child:
    """The process, as the server sees it."""

    def __init__(self, setup: HttpSetup, logs: Logs, new_socket: Callable[[], socket.socket]) -> None:
        """Not begun yet."""
        self._setup = setup
        self._logs = logs
        self._new_socket = new_socket
        self._process: asyncio.subprocess.Process | None = None
        self._life: socket.socket | None = None
        self._asking: socket.socket | None = None
        self._giving: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Start it, and wait until it listens; refused as it says."""
        life, its_life = socket.socketpair()
        asking, its_asking = socket.socketpair()
        self._life, self._asking = life, asking
        try:
            for own in (life, asking):
                own.setblocking(False)
            handles = (its_life.fileno(), its_asking.fileno())
            self._process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", __name__, *map(str, handles), pass_fds=handles, stdin=asyncio.subprocess.DEVNULL
            )
        finally:
            its_life.close()
            its_asking.close()
        self._giving = asyncio.create_task(self._give(asking))
        loop = asyncio.get_running_loop()
        try:
            await loop.sock_sendall(life, json.dumps(_written(self._setup, self._logs)).encode() + b"\n")
            async with asyncio.timeout(BEGIN_SECONDS):
                said = await _word(life)
        except (OSError, TimeoutError):
            said = {}
        if said.get("ready") is not True:
            await self.end()
            faults = [Fault(*each) for each in said.get("faults", ())]
            if faults:
                raise InputError(faults)
            raise StateError(f"the HTTP process did not begin: {said.get('failed', 'see the log')}")

    async def ended(self) -> int:
        """Wait until it has ended; with which code."""
        return 0 if self._process is None else await self._process.wait()

    async def end(self) -> None:
        """End it in order, and by force where it does not."""
        if self._life is not None:
            self._life.close()
            self._life = None
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            try:
                async with asyncio.timeout(END_SECONDS):
                    await process.wait()
            except TimeoutError:
                LOG.warning("the HTTP process does not end: it is killed")
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
        if self._giving is not None:
            self._giving.cancel()
            await asyncio.gather(self._giving, return_exceptions=True)
            self._giving = None
        if self._asking is not None:
            self._asking.close()
            self._asking = None

    async def _give(self, asking: socket.socket) -> None:
        """Give it connections to the server as it asks for them."""
        loop = asyncio.get_running_loop()
        with contextlib.suppress(OSError):
            while asked := await loop.sock_recv(asking, 64):
                for _ in range(asked.count(_ASK)):
                    theirs = self._new_socket()
                    try:
                        socket.send_fds(asking, [_ASK], [theirs.fileno()])
                    finally:
                        theirs.close()


async def _word(life: socket.socket) -> dict[str, Any]:
    """What the process says about its beginning: a line of JSON."""
    loop, line = asyncio.get_running_loop(), b""
    while not line.endswith(b"\n") and len(line) < _LONGEST_WORD:
        more = await loop.sock_recv(life, 4096)
        if not more:
            break
        line += more
    try:
        found = json.loads(line or b"{}")
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _written(setup: HttpSetup, logs: Logs) -> dict[str, Any]:
    """What the process is started with; it goes by a socket, since others read the words of a command."""
    own = {name: str(value) if isinstance(value, Path) else value for name, value in vars(setup).items()}
    return {"setup": own, "logs": logs}


# ---------------------------------------------------------------- in the process


def main(life: int, asking: int) -> None:
    """Serve until the server ends its side of `life`."""
    # Who ends the server ends this process by it, in order: a terminal or a service manager tells both at once.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    asyncio.run(_serve(socket.socket(fileno=life), socket.socket(fileno=asking)))


async def _serve(life: socket.socket, asking: socket.socket) -> None:
    life.setblocking(False)
    asking.settimeout(ASK_SECONDS)
    told = await _word(life)
    own = told["setup"]
    paths = {name: Path(own[name]) for name in ("book", "certificate", "certificate_key") if own[name] is not None}
    setup = HttpSetup(**{**own, "names": tuple(own["names"]), **paths})
    begin_logs(*told["logs"])
    loop = asyncio.get_running_loop()

    def new_socket() -> socket.socket:
        asking.send(_ASK)
        _, handles, _, _ = socket.recv_fds(asking, len(_ASK), 1)
        if not handles:
            raise ConnectionError("the server gives no connection")
        found = socket.socket(fileno=handles[0])
        found.setblocking(False)
        return found

    async def connect(sessions: Sessions) -> AsyncManagerInterface:
        access = ManagerAccess.in_process(new_socket, setup.device, setup.secret)
        return await AsyncManagerConnection(access, sessions=sessions).open()

    async def say(word: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):
            await loop.sock_sendall(life, json.dumps(word).encode() + b"\n")

    try:
        async with serving(setup, connect):
            spare_the_collector()
            await say({"ready": True})
            with contextlib.suppress(OSError):
                await loop.sock_recv(life, 1)
    except (InputError, RefusedError) as error:
        await say({"faults": [[fault.code, fault.path, fault.message] for fault in error.faults]})
    except (ManagerAwayError, OSError) as error:
        await say({"failed": str(error)})


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
