"""One client: its greeting, its requests and answers, and the end of a connection that breaks the rules.

A client can hold up nobody but itself: its requests are read only as fast as they are answered, what it does not read
is bounded, and silence ends the connection.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from houseway.errors import InputError, present
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Device
from houseway.manager.core.roles import PRESENT
from houseway.manager.server.askers import FIELDS, Asker, check_reader, read_asker
from houseway.manager.server.asks import read_ask
from houseway.manager.server.door import GREETING_BYTES, Arrival, GrowingReader
from houseway.manager.server.edge import check_sender, known_device
from houseway.manager.server.mailbox import Mailbox
from houseway.manager.server.sizes import check_size, longest_line
from houseway.manager.server.state_messages import READERS, read_subscription
from houseway.manager.server.wire import (
    HEARTBEAT_SECONDS,
    LONGEST_REQUEST,
    PROTOCOL,
    Greeting,
    from_line,
    read_greeting,
    refusal,
    to_line,
)
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.store_errors import JournalDamagedError, StoreUnavailableError
from houseway.manager.views.view_base import FloorView

if TYPE_CHECKING:
    from houseway.manager.server.server import ReadCommand, Server

LOG: Final = logging.getLogger("houseway.manager.server")

HELLO_SECONDS: Final = 5.0
"""How long a new connection may take to say who it is."""
IDLE_SECONDS: Final = 60.0
"""How long a client may be silent; a ping counts as a word."""
WRITE_SECONDS: Final = 20.0
"""How long a client may leave what was sent to it unread."""
LINGER_SECONDS: Final = 1.0
"""How long a connection that we end stays open for the client to read why."""
REFUSED_SECONDS: Final = 0.25
"""How long a greeting that proves nothing waits for its answer."""
PROBE_SECONDS: Final = 1.5
"""How long a client has to answer when another one comes in its name."""
SUBSCRIBE_SECONDS: Final = 0.25
"""The shortest time between two subscriptions of one client."""
MOST_OUTSTANDING: Final = 64
"""Requests of one client that may wait for their answers; further ones are not read until then."""


class Session:
    """A connection from its first line to its last."""

    def __init__(self, server: Server, reader: GrowingReader, writer: asyncio.StreamWriter, arrival: Arrival) -> None:
        """Nothing is known of the client yet."""
        self._arrival = arrival
        self.address = arrival.address
        self.server = server
        self.mailbox = Mailbox()
        self.device: Device | None = None
        self.peer = str(writer.get_extra_info("peername") or self.address)
        self._reader = reader
        self._writer = writer
        self._outstanding = 0
        self._heard = asyncio.Event()
        """A line has come since it was last asked whether anybody is there."""
        self._longest = GREETING_BYTES
        self._may_subscribe_at = 0.0
        self._asker: Asker | None = None
        """In whose name the client has subscribed; None: in the device's own."""
        self._asker_until: int | None = None
        self._room = asyncio.Event()
        self._room.set()
        self._ending = asyncio.Event()
        self._waiting_since: float | None = None
        """Since when the next line is waited for; None while one is being answered."""
        self._silence: asyncio.TimerHandle | None = None
        self.fell_silent = False
        """Whether the connection ended because nothing was heard or read, and not because the client closed it."""

    # ------------------------------------------------------------ life

    async def run(self) -> None:
        """Serve the client until it goes, breaks a rule, or the server ends."""
        writing = asyncio.create_task(self._write())
        reading = asyncio.create_task(self._read())
        ending = asyncio.create_task(self._ending.wait())
        try:
            await asyncio.wait({reading, ending, writing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if self._silence is not None:
                self._silence.cancel()
            self.server.leave(self)
            if self.device is not None:
                self.server.traffic.left(self.device.id, self.address)
            await self._settle(reading, ending)
            await self._end(writing)

    async def _settle(self, reading: asyncio.Task[None], ending: asyncio.Task[Any]) -> None:
        for task in (reading, ending):
            task.cancel()
        for result in await asyncio.gather(reading, ending, return_exceptions=True):
            if isinstance(result, Exception):
                LOG.error("%s: an internal error ended the connection", self._name(), exc_info=result)

    async def _end(self, writing: asyncio.Task[None]) -> None:
        """Send what still waits, if the client reads it in time, and close."""
        self.mailbox.close()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(2.0):
                await asyncio.shield(writing)
        writing.cancel()
        await asyncio.gather(writing, return_exceptions=True)
        await self._linger()
        self._writer.close()
        with contextlib.suppress(OSError, TimeoutError, asyncio.CancelledError):
            async with asyncio.timeout(2.0):
                await self._writer.wait_closed()

    async def _linger(self) -> None:
        """Read what the client has still sent: closing at once would take from it what it has not read yet."""
        with contextlib.suppress(OSError, TimeoutError, RuntimeError):
            if self._writer.can_write_eof():
                self._writer.write_eof()
                async with asyncio.timeout(LINGER_SECONDS):
                    while await self._reader.read(LONGEST_REQUEST):
                        pass

    def end(self, error: InputError | None = None) -> None:
        """End the connection, after telling the client why."""
        if error is not None and not self.mailbox.closed:
            self.mailbox.answer(to_line(refusal(error, retry=isinstance(error, StoreUnavailableError))))
            LOG.info("%s: connection ended: %s", self._name(), ", ".join(fault.code for fault in error.faults))
            self.server.traffic.ended(self._name(), self.address, error)
        self._ending.set()

    def too_slow(self) -> None:
        """Events had to be left out: the client must begin again."""
        message = "events were not read in time: connect again, and ask for the state"
        self.end(InputError.of("too-slow", "", message))

    def device_changed(self, device: Device | None) -> None:
        """The client's device was changed; one that is retired may not go on."""
        self.device = device
        if device is None or not device.active:
            self.end(InputError.of("wrong-secret", "hello", "this device was retired: register it again to connect"))
        self.end_if_left()

    def _name(self) -> str:
        return self.device.id if self.device else self.peer

    @property
    def outstanding(self) -> int:
        """Requests that wait for their answers."""
        return self._outstanding

    # ------------------------------------------------------------ lines

    async def _write(self) -> None:
        """Send what is in the mailbox, as fast as the client reads."""
        transport = self._writer.transport
        try:
            while data := await self.mailbox.take():
                self._writer.write(data)
                if not transport.get_write_buffer_size() and not transport.is_closing():
                    # All of it went out at once, as it does to every client that reads: there is nothing to wait for.
                    continue
                async with asyncio.timeout(WRITE_SECONDS):
                    await self._writer.drain()
        except TimeoutError:
            self.fell_silent = True
        except ConnectionError:
            return

    async def _read(self) -> None:
        """Read and answer requests, the greeting first."""
        try:
            await self._greet()
            self._look_for_silence()
            while True:
                if not self._room.is_set():
                    await self._room.wait()
                if self.mailbox.is_full:
                    await self.mailbox.has_room()
                line = await self._next_line()
                if not line:
                    return
                # Nothing waits between the turn and the reading: no other connection of the device comes first.
                await self.server.pace.turn(self._name())
                await self._take(line)
                # Lines that have come already are read without waiting: let the others have their turn between them.
                await asyncio.sleep(0)
        except InputError as error:
            self.end(error)
        except (ConnectionError, asyncio.IncompleteReadError):
            return

    async def _first_line(self) -> bytes:
        """The first line, for which nobody waits long; empty at the end of the connection."""
        try:
            async with asyncio.timeout(HELLO_SECONDS):
                return await self._line()
        except TimeoutError:
            self.fell_silent = True
            raise _silent(HELLO_SECONDS) from None

    async def _next_line(self) -> bytes:
        """The next line; empty at the end of the connection. `_look_for_silence` ends one on which nothing comes."""
        self._waiting_since = asyncio.get_running_loop().time()
        try:
            return await self._line()
        finally:
            self._waiting_since = None

    async def _line(self) -> bytes:
        try:
            line = await self._reader.readline()
        except ValueError:
            message = f"a line is at most {self._longest} bytes here: this is not a command of a table"
            raise InputError.of("line-too-long", "", message) from None
        self._heard.set()
        return line

    def _look_for_silence(self) -> None:
        """End the connection if nothing was said for too long; look again when that could next be so.

        One timer for a connection: one for every line would cost each of them more than reading it.
        """
        loop = asyncio.get_running_loop()
        since = loop.time() if self._waiting_since is None else self._waiting_since
        left = since + IDLE_SECONDS - loop.time()
        if left > 0:
            self._silence = loop.call_later(left, self._look_for_silence)
        else:
            self.fell_silent = True
            self.end(_silent(IDLE_SECONDS))

    async def _greet(self) -> None:
        """The first line says which protocol is spoken and proves who speaks."""
        line = await self._first_line()
        message = from_line(line) if line else {}
        if "hello" not in message:
            raise InputError.of("bad-message", "hello", 'the first line says who connects: {"hello": {...}}')
        seq, found, software = await self._proved(message["hello"])
        await self.server.enter(self, found)
        self._longest = longest_line(found.kind)
        self._reader.allow(self._longest)
        self.server.door.proved(self._arrival)
        software = "".join(c if c.isprintable() else "?" for c in software[:80])
        LOG.info("%s: connected from %s with %s", found.id, self.peer, software)
        self.server.traffic.connected(found.id, found.kind, self.address)
        self.mailbox.answer(to_line({"welcome": self._welcome(found, seq)}))

    async def _proved(self, hello: object) -> tuple[int, Device, str]:
        """The device that a greeting proves, with the event up to which that holds; who fails is put on record."""
        device = hello.get("device") if isinstance(hello, dict) else None
        fingerprint, known = self.server.fingerprint, False

        def prove(seq: int, floor: Floor) -> tuple[int, Device]:
            nonlocal known
            known = isinstance(device, str) and device in floor.devices
            return seq, known_device(floor, greeting.device, greeting.secret, fingerprint)

        try:
            greeting = read_greeting(hello, Greeting, "a greeting")
            seq, found = await self.server.last_known(prove)
            self._check_certificate(found.id)
        except InputError as error:
            if not isinstance(error, StoreUnavailableError | JournalDamagedError):
                self.server.attempts.greeting(self.address, device, error, known=known)
                await asyncio.sleep(REFUSED_SECONDS)
            raise
        return seq, found, greeting.software

    def _check_certificate(self, device: str) -> None:
        """Refuse a device that speaks through another one's certificate: a secret alone lets no machine in."""
        shown = self._writer.get_extra_info("peercert")
        if shown and ("commonName", device) not in [pair for row in shown["subject"] for pair in row]:
            message = "the certificate is another device's: connect with the one that was signed for this device"
            raise InputError.of("wrong-certificate", "hello", message)

    def _welcome(self, device: Device, seq: int) -> dict[str, Any]:
        return {
            "protocol": PROTOCOL, "version": self.server.version, "process": self.server.process, "seq": seq,
            "device": {"id": device.id, "kind": device.kind, "table": device.table},
            "now": wall_micros(), "heartbeat_ms": round(HEARTBEAT_SECONDS * 1000),
            "limits": {"line": self._longest, "outstanding": MOST_OUTSTANDING, "idle_ms": round(IDLE_SECONDS * 1000)},
        }  # fmt: skip

    # ------------------------------------------------------------ requests

    async def _take(self, line: bytes) -> None:
        """Answer one request, or begin to: commands are answered when they are written."""
        request: Any = None
        try:
            with self.server.pace.charged(self._name()):
                message = from_line(line)
                request = message.get("id")
                _check_id(request)
                self._check_sender(message)
                check_size(message, len(line))
                is_command = "command" in message
                read = self._read_command(message["command"], request) if is_command else None
            if read is not None:
                await self.server.command(read)
            elif not is_command:
                await self._carry_out(message, request)
        except InputError as error:
            self.mailbox.answer(to_line(refusal(error, request, retry=isinstance(error, StoreUnavailableError))))
        except Exception as error:
            LOG.exception("%s: a request hit an internal error", self._name())
            fault = InputError.of("internal-error", "", f"an internal error ({type(error).__name__}): see the log")
            self.mailbox.answer(to_line(refusal(fault, request)))

    def _check_sender(self, message: dict[str, Any]) -> None:
        """Refuse, and put on record, a command that this kind of device never sends, whatever is in it."""
        if "command" not in message:
            return
        device = present(self.device, "device that has proved itself")
        try:
            check_sender(device, message["command"])
        except InputError as error:
            self.server.attempts.command(device.id, message["command"], error)
            raise

    def _read_command(self, command: object, request: int | str | None) -> ReadCommand | None:
        self._begin()
        return self.server.read(self, command, request)

    async def _carry_out(self, message: dict[str, Any], request: int | str | None) -> None:
        """Answer a request that is no command."""
        device = present(self.device, "device that has proved itself")
        if "ask" in message:
            arguments = {name: value for name, value in message.items() if name not in {"id", "ask", *FIELDS}}
            with self.server.pace.charged(device.id):
                asked = read_ask(message["ask"], arguments, device.kind)
                asker = read_asker(message, self.server.fingerprint)
            if asker is not None:
                await self._check_reader(asker, PRESENT if asked is None else asked.readers, f"asking {message['ask']}")
            answer: FloorView | dict[str, Any]
            if asked is None:
                answer = await self.server.compare(message["ask"], arguments, device.id)
            else:
                answer = await self.server.ask(asked, device.id)
            with self.server.pace.charged(device.id):
                self.mailbox.answer(to_line({"id": request, "answer": answer}))
                self.server.traffic.asked(device.id, self.address, message["ask"])
        elif "subscribe" in message:
            arguments = {name: value for name, value in message.items() if name not in {"id", *FIELDS}}
            with self.server.pace.charged(device.id):
                wanted = read_subscription(arguments, device.kind)
                asker = read_asker(message, self.server.fingerprint)
            until = None
            if asker is not None:
                for topic in sorted(wanted.topics):
                    until = await self._check_reader(asker, READERS[topic], f"subscribing to {topic}")
            await self._wait_to_subscribe()
            self._asker, self._asker_until = asker, until
            self.mailbox.answer(to_line({"id": request, "answer": {"subscribed": sorted(wanted.topics)}}))
            self.server.hub.subscribe(self, wanted)
        elif "ping" in message:
            self.mailbox.answer(to_line({"id": request, "pong": message["ping"]}))
        elif "pong" in message:
            return
        else:
            raise InputError.of("bad-message", "", "a request is a command, an ask, a subscribe or a ping")

    async def _check_reader(self, asker: Asker, roles: Iterable[str], what: str) -> int | None:
        """Refuse, and put on record, a question of somebody who may not ask it; until when the session lasts."""
        device, now = present(self.device, "device that has proved itself"), wall_micros()
        try:
            return await self.server.view(lambda _, floor: check_reader(floor, device.id, asker, roles, what, now))
        except InputError as error:
            if not isinstance(error, StoreUnavailableError | JournalDamagedError):
                self.server.attempts.at_device(device.id, asker.person, "ask", error)
            raise

    def end_if_left(self) -> None:
        """End a connection whose subscription is a person's that has no session here any more."""
        device, until = self.device, self._asker_until
        if self._asker is None or device is None:
            return
        if not self._asker.is_still_at(device) or (until is not None and wall_micros() >= until):
            message = f"the session of {self._asker.person[:60]} at {device.id} has ended: sign in there again"
            self._asker = None
            self.end(InputError.of("not-signed-in", "actor", message))

    async def _wait_to_subscribe(self) -> None:
        """Each subscription brings the whole state of what it names: from one client only so many a second."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self._may_subscribe_at - loop.time()))
        self._may_subscribe_at = loop.time() + SUBSCRIBE_SECONDS

    async def answers(self) -> bool:
        """Whether the client is there: asked, it says something in a moment."""
        self._heard.clear()
        self.mailbox.answer(to_line({"ping": 1}))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PROBE_SECONDS):
                await self._heard.wait()
        return self._heard.is_set() and not self._ending.is_set() and not self.mailbox.closed

    def _begin(self) -> None:
        self._outstanding += 1
        if self._outstanding >= MOST_OUTSTANDING:
            self._room.clear()

    def finish(self, line: bytes) -> None:
        """A command is answered: send the answer and make room for another request."""
        self._outstanding -= 1
        self._room.set()
        self.mailbox.answer(line)


def _silent(seconds: float) -> InputError:
    message = f"nothing was sent for {seconds:g} seconds: send a ping when there is nothing else to send"
    return InputError.of("idle-timeout", "", message)


def _check_id(request: object) -> None:
    if request is not None and (isinstance(request, bool) or not isinstance(request, int | str)):
        raise InputError.of("bad-message", "id", "an id is a number or a text, to find the answer by")
