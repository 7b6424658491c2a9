"""Real servers, real sockets: `houseway manager serve` as a process, and a wire tap that can be cut."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
import sys
import threading
from types import TracebackType
from typing import Any

from houseway.manager.interface.client import ManagerClient
from tests.manager.server.house import House, access, sessions


class Served:
    """A server process; ends with the `with`, however the test ends."""

    def __init__(self, house: House, *options: str, port: int = 0) -> None:
        self.house = house
        arguments = [
            "manager", "serve", house.url, "--keys", str(house.keys), "--listen", f"127.0.0.1:{port}", "--json",
            *options,
        ]  # fmt: skip
        self.log = house.folder / f"server-{len(list(house.folder.glob('server-*.log')))}.log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "houseway", *arguments], stdout=subprocess.PIPE, stderr=log
            )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            self.process.stdout.close()
            self.process.wait(20)
            raise AssertionError(self.log.read_text())
        places = json.loads(line)
        self.port = int(places["listening"]["port"])
        self.watch_port = int(places.get("watched", {}).get("port", 0))
        """Where it tells metrics, if it was started with --watch."""

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def client(self, device: str = "SVC-1", kept: dict[str, str] | None = None, **more: Any) -> ManagerClient:
        """A connection as a device; at SVC-1 with the sessions of all who are signed in there, or with those given."""
        known = sessions(device) if kept is None else kept
        return ManagerClient.connect(access(self.port, device, **more), sessions=known)

    def kill(self) -> None:
        """End it as a power cut does."""
        self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()

    def end(self) -> int:
        """End it in order and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)

    def __enter__(self) -> Served:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()
        if error is not None:
            sys.stderr.write(self.log.read_text())


class Wire:
    """A TCP relay to a server, which a test cuts, holds up, or lets swallow what comes back."""

    def __init__(self, port: int) -> None:
        self.target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.refusing = False
        self.swallow_answers = False
        """What the server says does not arrive."""
        self.swallow_requests = False
        self.heard = bytearray()
        """Everything that the server said."""
        self._pairs: list[tuple[socket.socket, socket.socket]] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self.refusing:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self.target), 2)
                far.settimeout(None)
            except OSError:
                near.close()
                continue
            self._pairs.append((near, far))
            threading.Thread(target=self._pump, args=(near, far, True), daemon=True).start()
            threading.Thread(target=self._pump, args=(far, near, False), daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket, request: bool) -> None:
        try:
            while data := source.recv(65536):
                if not request:
                    self.heard += data
                if not (self.swallow_requests if request else self.swallow_answers) and (
                    not request or self._passes(data)
                ):
                    target.sendall(data)
        except OSError:
            pass
        for one in (source, target):
            with_close(one)

    def _passes(self, data: bytes) -> bool:
        """Whether a request goes on to the server."""
        return True

    def cut(self) -> None:
        """Drop all connections."""
        pairs, self._pairs = self._pairs, []
        for pair in pairs:
            for one in pair:
                with_close(one)

    def close(self) -> None:
        self._listener.close()
        self.cut()


def with_close(one: socket.socket) -> None:
    """Close a socket so that whoever reads it notices."""
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
