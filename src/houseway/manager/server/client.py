"""Talking to a manager from Python: `ManagerClient` for programs that do one thing after the other.

    with ManagerClient.connect("127.0.0.1:7300", "SVC-1", secret) as manager:
        person = manager.sign_in(card)["person"]
        started = manager.command({"kind": "round.start", "table": "T1"}, actor=person)
        print(started.answer["round"], manager.ask("table", table="T1")["table"]["round"])
        manager.subscribe("meters", links=["L1"])
        for event in manager.events(seconds=10):
            print(event["seq"], event["meters"]["levels"])

A command that was not answered may have been carried out: repeat it under the same key, which is what `retry_for` does,
and it happens once. `houseway.manager.server.aclient` is the same for asyncio.
"""

from __future__ import annotations

import secrets
import socket
import ssl
import time
import uuid
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self
from urllib.parse import urlsplit

import msgspec

from houseway import __version__
from houseway.errors import InputError
from houseway.manager.server.client_memory import Memory
from houseway.manager.server.wire import LONGEST_ANSWER, PROTOCOL, faults_of, from_line, to_line

DEFAULT_PORT: Final = 7300
PING_SECONDS: Final = 10.0
"""How often a client that only listens says that it is there."""
STALE_SECONDS: Final = 30.0
"""A connection that was not used for so long is made again before a request."""


class ManagerAwayError(ConnectionError):
    """The manager cannot be reached, or went away before it answered."""


class RefusedError(InputError):
    """The manager refused; `retry` says that the same command may go through later, under the same key."""

    def __init__(self, error: object) -> None:
        """Take the refusal as it came over the wire."""
        super().__init__(faults_of(error))
        self.retry = isinstance(error, dict) and error.get("retry") is True

    @property
    def code(self) -> str:
        """The first fault's code."""
        return self.faults[0].code


class CommandResult(msgspec.Struct, frozen=True):
    """A command that was carried out: its place in the journal, and its answer."""

    seq: int
    at: int
    hash: str
    answer: dict[str, Any]
    repeated: bool = False


def read_address(text: str, path: str = "manager") -> tuple[str, int]:
    """Host and port of an address such as 127.0.0.1:7300, [::1]:7300 or localhost.

    >>> read_address("[::1]:7400"), read_address("pit.example")
    (('::1', 7400), ('pit.example', 7300))
    """
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port if parts.port is not None else DEFAULT_PORT
    except ValueError:
        host, port, parts = None, 0, None
    if parts is None or not host or parts.netloc != text or "@" in text:
        raise InputError.of("bad-address", path, f"{text[:80]!r} is no address: write host:port, as in 127.0.0.1:7300")
    return host, port


def hello(device: str, secret: str) -> bytes:
    """The first line of a connection."""
    software = f"houseway {__version__}"
    return to_line({"hello": {"protocol": PROTOCOL, "device": device, "secret": secret, "software": software}})


def new_session() -> str:
    """A fresh token for a sign-in or a dealer's swipe: 192 bits that nobody guesses."""
    return secrets.token_urlsafe(24)


class Sessions(Protocol):
    """The tokens of those who signed in at a service, or swiped in at a controller, by person; a dict is one."""

    def get(self, person: str, /) -> str | None:
        """The token of a person's sign-in, if it was made here."""

    def __setitem__(self, person: str, token: str, /) -> None:
        """Keep the token of a sign-in."""

    def pop(self, person: str, default: None, /) -> str | None:
        """Forget the token of a sign-in that has ended."""


def with_session(message: dict[str, Any], sessions: Sessions) -> dict[str, Any]:
    """A command with the token of its actor's session; a sign-in that names no session begins a new one.

    So does a dealer's swipe that a controller tells by itself; at a service a swipe begins none.
    """
    do = message["do"]
    if is_card_read(message) and do.get("session") is None:
        message = {**message, "do": {**do, "session": new_session()}}
    known = sessions.get(message["actor"])
    return message if known is None or "session" in message else {**message, "session": known}


def is_card_read(message: dict[str, Any]) -> bool:
    """Whether a device says by itself that a card was read there, which begins a session."""
    return message["do"].get("kind") in ("person.sign-in", "dealer.in") and message["actor"].startswith("device:")


def keep_session(message: dict[str, Any], answer: dict[str, Any], sessions: Sessions) -> None:
    """Keep the token of a sign-in or a swipe that was carried out, and forget the one of a sign-out."""
    kind = message["do"].get("kind")
    if is_card_read(message):
        sessions[answer["person" if kind == "person.sign-in" else "dealer"]] = message["do"]["session"]
    elif kind == "person.sign-out":
        sessions.pop(answer["person"], None)


def new_key(device: str) -> str:
    """A fresh idempotency key."""
    return f"{device}:{uuid.uuid4()}"


def tls_client(ca: str | Path | None) -> ssl.SSLContext | None:
    """What a client needs to trust a server; None without TLS."""
    if ca is None:
        return None
    try:
        return ssl.create_default_context(cafile=ca)
    except OSError as error:
        raise InputError.of("unreadable-file", "tls-ca", f"{str(ca)[:200]} holds no certificate: {error}") from None


class ManagerClient:
    """A connection to a manager; not for several threads at once."""

    def __init__(
        self,
        host: str,
        port: int,
        device: str,
        secret: str,
        *,
        tls: ssl.SSLContext | None = None,
        timeout: float = 10.0,
        memory: Memory | None = None,
        recall: bool = True,
        sessions: Sessions | None = None,
    ) -> None:
        """Keep who connects where; `open` does it.

        `sessions` holds the tokens of those who signed in at this service, by person, and is filled by every sign-in.
        Hand the same to the next client of your program, and keep it as secret as a badge.
        `memory` keeps what was seen of the manager, for the life of this client without one; `recall` False works with
        a manager that lacks it, as whoever mends that must.
        """
        self._memory = memory or Memory()
        self._recall = recall
        self._sessions: Sessions = sessions if sessions is not None else {}
        self._where = (host, port)
        self._device = device
        self._secret = secret
        self._tls = tls
        self._timeout = timeout
        self._socket: socket.socket | None = None
        self._read = b""
        self._pushes: deque[dict[str, Any]] = deque()
        self._requests = 0
        self._sent_at = 0.0
        self._subscribed = False
        self.welcome: dict[str, Any] = {}
        """What the manager said at the greeting."""

    @classmethod
    def connect(
        cls,
        address: str,
        device: str,
        secret: str,
        *,
        tls: ssl.SSLContext | None = None,
        timeout: float = 10.0,
        memory: Memory | None = None,
        recall: bool = True,
        sessions: Sessions | None = None,
    ) -> Self:
        """Connect to host:port and say who is there; ManagerAwayError or RefusedError if that fails."""
        client = cls(
            *read_address(address), device, secret, tls=tls, timeout=timeout, memory=memory, recall=recall,
            sessions=sessions,
        )  # fmt: skip
        client.open()
        return client

    def open(self) -> None:
        """Connect, or connect again, and greet."""
        self.close()
        try:
            raw = socket.create_connection(self._where, self._timeout)
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket = self._tls.wrap_socket(raw, server_hostname=self._where[0]) if self._tls else raw
        except OSError as error:
            where = f"{self._where[0]}:{self._where[1]}"
            raise ManagerAwayError(f"no manager answers at {where}: {error}") from error
        self._send(hello(self._device, self._secret))
        first = self._receive(time.monotonic() + self._timeout)
        if "welcome" not in first:
            self.close()
            raise RefusedError(first.get("error"))
        self.welcome = first["welcome"]
        if self._recall:
            self._check_past()

    def _check_past(self) -> None:
        """Refuse a manager that lacks what was seen before, and show it the proof."""
        if self._memory.agrees(self._request(self._memory.question())):
            return
        proof = self._memory.proof()
        judged = None if proof is None else self._request(proof)["judged"]
        if self._memory.accepts(judged):
            return
        self.close()
        raise RefusedError(self._memory.refusal(judged))

    def close(self) -> None:
        """Leave; pushes that were not read are gone."""
        self._memory.flush()
        if self._socket is not None:
            self._socket.close()
        self._socket, self._read, self._subscribed = None, b"", False
        self._pushes.clear()

    def __enter__(self) -> Self:
        """Use the connection in a `with`, which closes it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    # ------------------------------------------------------------ requests

    def command(
        self, do: dict[str, Any] | msgspec.Struct, *, actor: str, key: str | None = None, retry_for: float = 0.0
    ) -> CommandResult:
        """Have a command carried out, once, however often it has to be sent.

        RefusedError says why it was not. Without an answer in time it is ManagerAwayError, and the command may or may
        not have been carried out: give `retry_for` seconds to repeat it under its key, or do so yourself.
        """
        key = key or new_key(self._device)
        message = with_session({"key": key, "actor": actor, "do": msgspec.to_builtins(do)}, self._sessions)
        until = time.monotonic() + retry_for
        while True:
            try:
                if self._socket is None:
                    self.open()
                carried = msgspec.convert(self._request({"command": message}), CommandResult)
            except RefusedError as error:
                if not error.retry or time.monotonic() >= until:
                    raise
            except ManagerAwayError:
                self.close()
                if time.monotonic() >= until:
                    raise
            else:
                self._memory.answer(carried.seq, carried.hash, carried.at)
                keep_session(message, carried.answer, self._sessions)
                return carried
            time.sleep(0.05)

    def ask(self, what: str, **arguments: object) -> dict[str, Any]:
        """Ask a question, such as `ask("table", table="T1")`."""
        return self._request({"ask": what, **arguments})

    def sign_in(self, card: str, *, retry_for: float = 0.0) -> dict[str, Any]:
        """Read a person's card at this service: `person` in the answer may act here from now on, with its `roles`.

        Only through this client, or another one with the same `sessions`: the token of the sign-in goes with every
        command of the person. It lasts until the sign-out, the next sign-in of the same person at this service, or for
        the hours that the property has set.
        """
        do = {"kind": "person.sign-in", "card": card}
        return self.command(do, actor=f"device:{self._device}", retry_for=retry_for).answer

    def sign_out(self, person: str, *, retry_for: float = 0.0) -> None:
        """Let a person leave this service."""
        do = {"kind": "person.sign-out", "person": person}
        self.command(do, actor=f"device:{self._device}", retry_for=retry_for)

    def subscribe(self, *topics: str, tables: list[str] | None = None, links: list[str] | None = None) -> None:
        """Have changes told from now on, beginning with the state as it is; `events` gives them."""
        named = {"tables": tables, "links": links}
        self._subscribed = True
        self._request(
            {"subscribe": list(topics), **{name: value for name, value in named.items() if value is not None}}
        )

    def events(self, seconds: float | None = None) -> Iterator[dict[str, Any]]:
        """The changes as they come; ends after so many seconds, or never."""
        until = None if seconds is None else time.monotonic() + seconds
        while True:
            while self._pushes:
                yield self._pushes.popleft()
            if time.monotonic() - self._sent_at > PING_SECONDS:
                self._send(to_line({"ping": 1}))
            try:
                self._keep(self._receive(min(until or float("inf"), time.monotonic() + self._timeout)))
            except TimeoutError:
                if until is not None and time.monotonic() >= until:
                    return
                raise ManagerAwayError(f"no word from the manager for {self._timeout:g} seconds") from None

    def _request(self, message: dict[str, Any]) -> dict[str, Any]:
        if time.monotonic() - self._sent_at > STALE_SECONDS and not self._subscribed:
            # Silent for so long, the server may have let us go: better to greet again than to send into the void.
            self.open()
        self._requests += 1
        self._send(to_line({"id": self._requests, **message}))
        until = time.monotonic() + self._timeout
        while True:
            try:
                answer = self._receive(until)
            except TimeoutError:
                self.close()
                raise ManagerAwayError(f"no answer from the manager in {self._timeout:g} seconds") from None
            if answer.get("id") == self._requests:
                if "error" in answer:
                    raise RefusedError(answer["error"])
                return dict(answer["answer"])
            self._keep(answer)

    def _keep(self, message: dict[str, Any]) -> None:
        """Keep a push until somebody wants it; an error for no request ends the connection."""
        if "event" in message:
            self._pushes.append(message["event"])
        elif "heartbeat" in message:
            self._memory.hear(message["heartbeat"])
        elif "ping" in message:
            self._send(to_line({"pong": message["ping"]}))
        elif "error" in message and "id" not in message:
            self.close()
            raise ManagerAwayError(str(RefusedError(message["error"])))

    # ------------------------------------------------------------ lines

    def _send(self, line: bytes) -> None:
        if self._socket is None:
            raise ManagerAwayError("not connected: open the connection first")
        try:
            self._socket.settimeout(self._timeout)
            self._socket.sendall(line)
            self._sent_at = time.monotonic()
        except OSError as error:
            self.close()
            raise ManagerAwayError(f"the manager went away: {error}") from error

    def _receive(self, until: float) -> dict[str, Any]:
        """The next line; TimeoutError when the time is over."""
        while b"\n" not in self._read:
            if self._socket is None:
                raise ManagerAwayError("not connected: open the connection first")
            left = until - time.monotonic()
            if left <= 0:
                raise TimeoutError
            self._socket.settimeout(min(left, 3600.0))
            try:
                data = self._socket.recv(65536)
            except TimeoutError:
                raise
            except OSError as error:
                self.close()
                raise ManagerAwayError(f"the manager went away: {error}") from error
            if not data or len(self._read) > LONGEST_ANSWER:
                self.close()
                raise ManagerAwayError("the manager closed the connection")
            self._read += data
        line, _, self._read = self._read.partition(b"\n")
        return from_line(line)
