"""The table's devices: JSON lines over standard input and output, a Unix socket, or a TCP port of this machine.

Every device may send what it has (keys, cards, sensors) and is told everything that a table shows. docs/reference/
protocol.md describes the lines. A Unix socket is its user's own; a port is open to every program of the machine, and to
every web page in a browser there, so whoever connects to one first shows a token.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import logging
import os
import re
import stat
from collections.abc import Awaitable, Callable
from hmac import compare_digest
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal, get_args

import msgspec

from houseway.errors import InputError, present
from houseway.manager.interface.address import read_address
from houseway.manager.interface.wire_lines import from_line, read_greeting, refusal, to_line

LOG: Final = logging.getLogger("houseway.manager.controller")
LONGEST_LINE: Final = 64 * 1024
MOST_WAITING: Final = 1024 * 1024
"""Bytes that may wait for a device; one that reads nothing is let go."""
MOST_DEVICES: Final = 32
"""Devices of one table; no table has so many."""
MOST_UNPROVED: Final = 16
"""Connections that have not shown the token yet; the oldest makes room for a new one."""
HELLO_SECONDS: Final = 5.0
"""How long a connection may take to show it."""
_HTTP: Final = re.compile(rb"[A-Z]{3,10} \S+ HTTP/\d")
Part = Literal["keypad", "sensors", "reader", "shuffler", "sign"]
PARTS: Final[tuple[str, ...]] = get_args(Part)

Handle = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


class ConnectedDevice:
    """One connected device."""

    def __init__(self, reader: asyncio.StreamReader, out: asyncio.WriteTransport | BinaryIO) -> None:
        """Begin with a connection; which parts it is it says itself."""
        self.reader = reader
        self.parts: set[str] = set()
        self._out = out

    def tell(self, message: dict[str, Any]) -> None:
        """Send a line; a device that does not read is let go."""
        if not isinstance(self._out, asyncio.WriteTransport):
            # A plain file, which takes everything at once.
            self._out.write(to_line(message))
        elif self._out.get_write_buffer_size() > MOST_WAITING:
            self._out.abort()
        elif not self._out.is_closing():
            self._out.write(to_line(message))

    def close(self) -> None:
        """Let the device go."""
        with contextlib.suppress(OSError):
            self._out.close()


class Devices:
    """All devices of the table."""

    def __init__(self) -> None:
        """No device is there yet."""
        self._handle: Handle
        self._greeting: Callable[[], list[dict[str, Any]]]
        self._on_gone: Callable[[set[str]], None]
        self._devices: set[ConnectedDevice] = set()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.address: str | None = None
        self.stdio_ended = asyncio.Event()
        """Set when standard input is over, which ends a controller that is driven by it."""
        self._token: str | None = None
        self._unproved: dict[ConnectedDevice, None] = {}

    def serve(
        self, handle: Handle, greeting: Callable[[], list[dict[str, Any]]], on_gone: Callable[[set[str]], None]
    ) -> None:
        """`handle` answers a message, `greeting` is what a new device is told, `on_gone` hears which parts went."""
        self._handle, self._greeting, self._on_gone = handle, greeting, on_gone

    def tell(self, message: dict[str, Any]) -> None:
        """Tell every device."""
        for device in list(self._devices):
            device.tell(message)

    async def open(self, where: str, token: str | None = None) -> None:
        """Begin to listen: `stdio`, `unix:PATH` or `tcp:HOST:PORT`, the last only for those who show the token."""
        kind, _, rest = where.partition(":")
        self._token = token
        try:
            if where == "stdio":
                self._keep(asyncio.create_task(self._serve_stdio(await _stdio())))
            elif kind == "unix" and rest:
                self._server = await self._unix(Path(rest))
                self.address = where
            elif kind == "tcp" and rest:
                self._server = await self._tcp(*read_address(rest, "devices"))
            else:
                message = f"{where[:80]!r}: devices are at stdio, unix:PATH or tcp:HOST:PORT"
                raise InputError.of("bad-address", "devices", message)
        except OSError as error:
            message = f"devices cannot be served at {where[:120]}: {error.strerror or error}"
            raise InputError.of("bad-address", "devices", message) from None

    async def _tcp(self, host: str, port: int) -> asyncio.Server:
        """A port of this machine; with 0 a free one."""
        _only_this_machine(host)
        if not self._token:
            message = "any program and any web page of this machine can reach a port: name a file with a token for it"
            raise InputError.of("token-missing", "devices-token", message)
        server = await asyncio.start_server(self._connected, host, port, limit=LONGEST_LINE)
        self.address = f"tcp:{host}:{server.sockets[0].getsockname()[1]}"
        return server

    async def _unix(self, path: Path) -> asyncio.Server:
        """A socket that only this user may use; one left behind by a process that was killed is replaced."""
        if path.is_socket():
            path.unlink()
        server = await asyncio.start_unix_server(self._connected, path, limit=LONGEST_LINE, start_serving=False)
        path.chmod(0o600)
        await server.start_serving()
        return server

    async def close(self) -> None:
        """Let all devices go."""
        if self._server is not None:
            self._server.close()
        for device in [*self._devices, *self._unproved]:
            device.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve_stdio(self, device: ConnectedDevice) -> None:
        await self._serve(device)
        self.stdio_ended.set()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._keep(present(asyncio.current_task(), "task of its own for a connection"))
        # Cancelled at the end; asyncio before Python 3.12 reports a connection that is cancelled as a fault.
        with contextlib.suppress(asyncio.CancelledError):
            device = ConnectedDevice(reader, writer.transport)
            if self._token is None or await self._is_proved(device, self._token):
                await self._serve(device)
            device.close()

    async def _is_proved(self, device: ConnectedDevice, token: str) -> bool:
        """Whether the first line of a device shows the token; before that it is told nothing."""
        while len(self._unproved) >= MOST_UNPROVED:
            oldest = next(iter(self._unproved))
            del self._unproved[oldest]
            oldest.close()
        self._unproved[device] = None
        request: Any = None
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                message = from_line(await device.reader.readline())
            request, hello = message.pop("id", None), message.get("hello")
            _check_token(hello, token)
            answer = _hello(device, hello)
        except InputError as error:
            LOG.warning("a connection to the devices' port was refused: %s", error)
            # A web page that sends a form is not answered: its first line is not a message at all.
            if error.faults[0].code != "bad-message" or request is not None:
                device.tell(refusal(error, request))
            return False
        except (OSError, ValueError, TimeoutError):
            return False
        finally:
            self._unproved.pop(device, None)
        device.tell({"id": request, "done": answer} if request is not None else {"done": answer})
        return True

    async def _serve(self, device: ConnectedDevice) -> None:
        """Answer a device's lines until it goes."""
        if len(self._devices) >= MOST_DEVICES:
            message = f"{MOST_DEVICES} devices are connected: a table has no more"
            device.tell(refusal(InputError.of("too-many-clients", "", message)))
            device.close()
            return
        self._devices.add(device)
        for line in self._greeting():
            device.tell(line)
        try:
            while request := await device.reader.readline():
                if _HTTP.search(request):
                    LOG.warning("a web browser spoke to the devices' port, and was let go")
                    break
                device.tell(await self._answer(device, request))
        except ValueError:
            message = f"a line is at most {LONGEST_LINE} bytes"
            device.tell(refusal(InputError.of("line-too-long", "", message)))
        except OSError:
            pass
        finally:
            self._devices.discard(device)
            others = {part for other in self._devices for part in other.parts}
            self._on_gone(device.parts - others)
            device.close()

    async def _answer(self, device: ConnectedDevice, line: bytes) -> dict[str, Any]:
        request: Any = None
        try:
            typed = _typed_by_reader(device, line)
            message = from_line(line) if typed is None else {"typed": typed}
            request = message.pop("id", None)
            if "hello" in message:
                answer = _hello(device, message["hello"])
            else:
                answer = await self._handle(message)
        except InputError as error:
            return refusal(error, request)
        return {"id": request, "done": answer} if request is not None else {"done": answer}


def _typed_by_reader(device: ConnectedDevice, line: bytes) -> str | None:
    """What a reader has typed that works like a keyboard: the badge and Enter; None for a message.

    Only of a device that has said to be a reader: nothing else may end up as a badge.
    """
    text = line.strip()
    if "reader" not in device.parts or text.startswith(b"{") or not text:
        return None
    try:
        return text.decode()
    except UnicodeDecodeError:
        return None


async def _stdio() -> ConnectedDevice:
    """The device behind standard input and output; of both a copy, since a transport closes what it is given."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LONGEST_LINE)
    try:
        source, target = os.fdopen(os.dup(0), "rb", 0), os.fdopen(os.dup(1), "wb", 0)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), source)
    except (OSError, ValueError) as error:
        message = f"standard input is not a pipe or terminal ({error}): devices connect at unix:PATH otherwise"
        raise InputError.of("bad-address", "devices", message) from None
    if stat.S_ISREG(os.fstat(1).st_mode):
        return ConnectedDevice(reader, target)
    transport, _ = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, target)
    return ConnectedDevice(reader, transport)


class DeviceGreeting(msgspec.Struct, frozen=True):
    """What a device says of itself, under `hello`."""

    protocol: int
    parts: list[Part] = []
    token: str | None = None
    """What lies in the controller's --devices-token file; shown at a port."""


def _hello(device: ConnectedDevice, hello: object) -> dict[str, Any]:
    """A device says which parts it is; when the sensors go, the controller must know that they are gone."""
    device.parts = {*read_greeting(hello, DeviceGreeting, "a device's greeting").parts}
    return {"parts": sorted(device.parts)}


def _check_token(hello: object, token: str) -> None:
    """Refuse a device that does not show the token; how much of it is right, the time does not tell.

    Nothing else of its greeting is looked at before.
    """
    shown = hello.get("token") if isinstance(hello, dict) else None
    if not isinstance(hello, dict):
        raise InputError.of("bad-message", "hello", 'the first line is {"hello": {"protocol": 1, "token": "..."}}')
    if not isinstance(shown, str) or not compare_digest(shown.encode(), token.encode()):
        message = "the first line must show the token that lies in the controller's --devices-token file"
        raise InputError.of("wrong-secret", "hello.token", message)


def _only_this_machine(host: str) -> None:
    """Keys and cards travel without protection here: only devices of the controller's own machine may connect."""
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(host).is_loopback:
            return
    if host != "localhost":
        message = f"{host} is not this machine: devices connect at 127.0.0.1 or a Unix socket, behind the controller"
        raise InputError.of("bad-address", "devices", message)
