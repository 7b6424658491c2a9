"""A socket without manners: for what no client of ours would send."""

from __future__ import annotations

import json
import socket
from types import TracebackType
from typing import Any

from houseway.manager.server.wire import PROTOCOL
from tests.manager.server.house import secret


class Raw:
    """A connection line by line."""

    def __init__(self, port: int, seconds: float = 10.0, source: str = "127.0.0.1") -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), seconds, (source, 0))
        self.file = self.socket.makefile("rb")

    def send(self, message: Any) -> None:
        data = message if isinstance(message, bytes) else json.dumps(message).encode() + b"\n"
        self.socket.sendall(data)

    def read(self) -> dict[str, Any]:
        """The next line; empty when the connection is over."""
        try:
            line = self.file.readline()
        except ConnectionResetError:
            return {}
        return json.loads(line) if line else {}

    def hello(self, device: str = "SVC-1", **more: Any) -> dict[str, Any]:
        """Greet as a device."""
        self.send(
            {"hello": {"protocol": PROTOCOL, "device": device, "secret": secret(device), "software": "test", **more}}
        )
        return self.read()

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a request and read up to its answer."""
        self.send({"id": "?", **message})
        while True:
            answer = self.read()
            if answer.get("id") == "?" or not answer:
                return answer

    def __enter__(self) -> Raw:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.file.close()
        self.socket.close()


def codes(message: dict[str, Any]) -> list[str]:
    """The fault codes of a refusal."""
    return [fault["code"] for fault in message["error"]["faults"]]
