"""Who connects to a manager, and where: one value for both clients, the command line and the controller."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from houseway.manager.interface.address import read_address, tls_client
from houseway.manager.interface.client_memory import Memory


@dataclass(frozen=True)
class ManagerAccess:
    """A device, how it proves itself, and the server that it connects to."""

    host: str
    port: int
    device: str
    secret: str = field(repr=False)
    tls: ssl.SSLContext | None = field(default=None, repr=False)
    """What to trust there; None: no TLS."""
    seen_file: Path | None = None
    """Where it is kept what was seen of the manager; None: for the life of the program."""
    recall: bool = True
    """Whether a manager that lacks what was seen is refused; whoever mends the loss must work with it."""
    answer_seconds: float = 10.0
    """How long to wait for an answer, or for any news."""
    greeting_seconds: float | None = None
    """How long to wait until the connection stands; as for an answer by default."""
    within: Callable[[], socket.socket] | None = field(default=None, repr=False)
    """What makes a socket to a server in this process, which needs no address; only for asyncio."""

    @classmethod
    def at(
        cls,
        address: str,
        device: str,
        secret: str,
        *,
        tls_ca: str | Path | None = None,
        device_cert: str | Path | None = None,
        device_key: str | Path | None = None,
        seen_file: Path | None = None,
        recall: bool = True,
        answer_seconds: float = 10.0,
        greeting_seconds: float | None = None,
    ) -> Self:
        """The access to a server at HOST:PORT; with TLS where `tls_ca` holds the certificate to trust.

        `device_cert` and `device_key` are for a server that asks devices for certificates.
        """
        host, port = read_address(address)
        tls = tls_client(tls_ca, device_cert, device_key)
        return cls(host, port, device, secret, tls, seen_file, recall, answer_seconds, greeting_seconds)

    @classmethod
    def in_process(cls, new_socket: Callable[[], socket.socket], device: str, secret: str) -> Self:
        """The access to a server in this process: a device like any other, without a port between."""
        return cls("this process", 0, device, secret, within=new_socket)

    @property
    def where(self) -> str:
        """The address in words."""
        return f"{self.host}:{self.port}"

    @property
    def actor(self) -> str:
        """The device as it acts for itself."""
        return f"device:{self.device}"

    @property
    def connecting_seconds(self) -> float:
        """How long to wait until the connection stands."""
        return self.answer_seconds if self.greeting_seconds is None else self.greeting_seconds

    def memory(self) -> Memory:
        """What was seen of the manager, as its file has it; `InputError` if the file is nothing of this kind."""
        return Memory(self.seen_file)
