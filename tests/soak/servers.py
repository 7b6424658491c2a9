"""Real `houseway manager serve` processes that are killed and started again, always at the same port."""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import os
import random
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, Final

from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.contract import ManagerAwayError, RefusedError
from tests.soak.claims import Failure
from tests.soak.floor import SERVICE, secret_of

START_SECONDS: Final = 180.0
"""A start takes about a second; machines that do much else at the same time take longer."""
BAD_WORDS: Final = ("Traceback", "CRITICAL", "internal error", "journal-damaged", "internal-error")


_reserved: list[IO[str]] = []


def free_port() -> int:
    """A port that nobody else gets while the server is down.

    It lies below those that outgoing connections take, and other runs on this machine keep off it as long as we live.
    """
    folder = Path(tempfile.gettempdir()) / f"houseway-soak-ports-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    while True:
        port = random.SystemRandom().randrange(15_000, 32_000)
        mark = (folder / str(port)).open("w")
        try:
            fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
            with socket.socket() as trial:
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                trial.bind(("127.0.0.1", port))
        except OSError:
            mark.close()
            continue
        _reserved.append(mark)
        return port


def release_ports() -> None:
    """Let others have the ports."""
    while _reserved:
        mark = _reserved.pop()
        Path(mark.name).unlink(missing_ok=True)
        mark.close()


class Slot:
    """A place for a server process: one port, one log, one process at a time."""

    def __init__(
        self, number: int, url: str, keys: Path, folder: Path, *, program: str = "houseway", own_session: bool = False
    ) -> None:
        self.number = number
        self._own_session = own_session
        self.port = free_port()
        self.log = folder / f"server-{number}.log"
        self._command = [
            sys.executable, "-m", program, "manager", "serve", url, "--keys", str(keys),
            "--listen", f"127.0.0.1:{self.port}", "--json",
        ]  # fmt: skip
        self.process: asyncio.subprocess.Process | None = None
        self.is_up = False
        self.doomed = False
        """Somebody is about to kill it."""
        self.start_seconds = 1.5
        """How long the last start took."""
        self.slowest_start = 0.0

    @property
    def pid(self) -> int:
        """The process that runs, or ran last."""
        assert self.process is not None
        return self.process.pid

    async def spawn(self) -> None:
        """Start the process, without waiting for it."""
        assert self.process is None or self.process.returncode is not None
        self.doomed = False
        with self.log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *self._command, stdout=asyncio.subprocess.PIPE, stderr=log,
                env={**os.environ, "PYTHONFAULTHANDLER": "1"}, start_new_session=self._own_session,
            )  # fmt: skip

    async def listening(self) -> bool:
        """Wait until the process says that clients may connect; false if it ended instead."""
        assert self.process is not None
        assert self.process.stdout is not None
        begun = time.monotonic()
        try:
            async with asyncio.timeout(START_SECONDS):
                line = await self.process.stdout.readline()
        except TimeoutError:
            # Where every thread stands goes to the log.
            self.send(signal.SIGABRT)
            await self.process.wait()
            raise Failure(
                f"server {self.number} did not listen within {START_SECONDS:g} seconds: {self.tail()}"
            ) from None
        if b"listening" not in line:
            await self.process.wait()
            with self.log.open("ab") as log:
                log.write(line)
            return False
        if json.loads(line)["listening"]["port"] != self.port:
            raise Failure(f"server {self.number} listens elsewhere: {line!r}")
        self.start_seconds = time.monotonic() - begun
        self.slowest_start = max(self.slowest_start, self.start_seconds)
        self.is_up = True
        return True

    async def start(self) -> None:
        """Start the process; it must come up."""
        await self.spawn()
        if not await self.listening():
            raise Failure(f"server {self.number} does not start: {self.tail()}")

    async def kill(self) -> None:
        """SIGKILL, and wait until it is gone."""
        self.is_up = False
        if self.process is not None and self.process.returncode is None:
            self.kill_now()
            await self.process.wait()

    def kill_now(self) -> None:
        """SIGKILL from any thread."""
        self.send(signal.SIGKILL)

    def send(self, number: signal.Signals) -> None:
        """Send a signal, if there is somebody to get it."""
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            return

    def check_alive(self) -> None:
        """A server ends when it is told to, and at no other time."""
        ended = self.process is not None and self.process.returncode is not None
        if ended and self.is_up and not self.doomed:
            raise Failure(f"server {self.number} ended by itself: {self.tail()}")

    async def serving(self) -> None:
        """Wait until it serves, by itself, whatever has become of its database meanwhile."""
        until, state = time.monotonic() + START_SECONDS, "away"
        while time.monotonic() < until:
            client = AsyncManagerClient(ManagerAccess("127.0.0.1", self.port, SERVICE, secret_of(SERVICE)))
            with contextlib.suppress(ManagerAwayError, RefusedError):
                await client.connect()
                state = (await client.request({"ask": "health"}))["state"]
            await client.close()
            if state == "serving":
                return
            await asyncio.sleep(0.1)
        raise Failure(f"server {self.number} does not serve again within {START_SECONDS:g} seconds: it is {state}")

    async def end(self) -> None:
        """Let it end in order."""
        if self.process is None or self.process.returncode is not None:
            return
        self.is_up = False
        self.process.terminate()
        async with asyncio.timeout(30):
            code = await self.process.wait()
        if code != 0:
            raise Failure(f"server {self.number} ended with {code}: {self.tail()}")

    def tail(self) -> str:
        """The end of its log."""
        return self.log.read_text(errors="replace")[-1_500:]

    def check_log(self) -> None:
        """Nothing in its log may speak of an internal error or of a damaged journal."""
        for line in self.log.read_text(errors="replace").splitlines():
            if any(word in line for word in BAD_WORDS):
                raise Failure(f"server {self.number} logged: {line}")
