"""A manager at an address: `ManagerClient` for programs that do one thing after the other.

    with ManagerClient.connect(ManagerAccess.at("127.0.0.1:7300", "SVC-1", secret)) as manager:
        person = manager.sign_in(badge).person
        started = manager.send(StartRound("T1"), actor=person)
        print(started.answer.round, manager.ask(TableQuestion(table="T1")).table.round)
        for change in manager.subscribe("meters", links=["L1"]).changes(seconds=10):
            print(change.seq, change.meters.levels)

A command that was not answered may have been carried out: repeat it under the same key, which is what `retry_for` does,
and it happens once. A connection that was lost is made again by the next request.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Final, Self

from msgspec import to_builtins

from houseway.manager.commands import Command
from houseway.manager.commands.house_commands import SignIn, SignOut
from houseway.manager.core.command import AnswerT_co
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.contract import (
    ChangeMessage,
    CommandResult,
    ManagerAwayError,
    RefusedError,
    SignedInPerson,
)
from houseway.manager.interface.requests import command_message, new_key, subscription_message
from houseway.manager.interface.sessions import Sessions, keep_session, new_session, with_session
from houseway.manager.interface.wire_lines import (
    PING_SECONDS,
    ChangeBuffer,
    answer_to,
    change_of,
    hello,
    refused,
    result_of,
)
from houseway.manager.server.wire import LONGEST_ANSWER, from_line, to_line
from houseway.manager.views.floor_questions import A_co, Question

STALE_SECONDS: Final = 30.0
"""A connection that was not used for so long is made again before a request."""


class ManagerClient:
    """A connection to a manager; not for several threads at once."""

    def __init__(self, access: ManagerAccess, *, sessions: Sessions | None = None) -> None:
        """Keep who connects where; `open` does it.

        `sessions` holds the tokens of those who signed in at this service, by person, and is filled by every sign-in.
        Hand the same to the next client of your program, and keep it as secret as a badge.
        """
        self._access = access
        self._memory = access.memory()
        self._sessions: Sessions = sessions if sessions is not None else {}
        self._socket: socket.socket | None = None
        self._read = b""
        self._closed = False
        self._requests = 0
        self._sent_at = 0.0
        self._subscription: WireSubscription | None = None
        self.welcome: dict[str, Any] = {}
        """What the manager said at the greeting."""

    @classmethod
    def connect(cls, access: ManagerAccess, *, sessions: Sessions | None = None) -> Self:
        """Connect and say who is there; ManagerAwayError or RefusedError if that fails."""
        client = cls(access, sessions=sessions)
        client.open()
        return client

    def open(self) -> None:
        """Connect, or connect again, and greet."""
        self._drop()
        self._closed = False
        access, seconds = self._access, self._access.connecting_seconds
        try:
            raw = socket.create_connection((access.host, access.port), seconds)
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket = access.tls.wrap_socket(raw, server_hostname=access.host) if access.tls else raw
        except OSError as error:
            raise ManagerAwayError(f"no manager answers at {access.where}: {error}") from error
        self._send(hello(access.device, access.secret))
        try:
            first = self._receive(time.monotonic() + seconds)
        except TimeoutError:
            self._drop()
            raise ManagerAwayError(f"no greeting from the manager in {seconds:g} seconds") from None
        if "welcome" not in first:
            self._drop()
            raise refused(first.get("error"))
        self.welcome = first["welcome"]
        if access.recall:
            self._check_past()

    def _check_past(self) -> None:
        """Refuse a manager that lacks what was seen before, and show it the proof."""
        if self._memory.agrees(self._exchange(self._memory.question())):
            return
        proof = self._memory.proof()
        judged = None if proof is None else self._exchange(proof)["judged"]
        if self._memory.accepts(judged):
            return
        self._drop()
        raise refused(self._memory.refusal(judged))

    def close(self) -> None:
        """Leave; changes that were not read are gone."""
        self._closed = True
        if self._subscription is not None:
            self._subscription.close()
        self._drop()

    def _drop(self) -> None:
        """Give the connection up; the next request makes another one."""
        self._memory.flush()
        if self._socket is not None:
            self._socket.close()
        self._socket, self._read = None, b""
        if self._subscription is not None:
            self._subscription.is_lost = True
            self._subscription = None

    def __enter__(self) -> Self:
        """Use the connection in a `with`, which closes it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()

    # ------------------------------------------------------------ requests

    def send(
        self,
        command: Command[AnswerT_co],
        *,
        actor: str,
        key: str | None = None,
        session: str | None = None,
        retry_for: float = 0.0,
    ) -> CommandResult[AnswerT_co]:
        """Have a command carried out, once, however often it has to be sent.

        Without an answer in time it is ManagerAwayError, and the command may or may not have been carried out: give
        `retry_for` seconds to repeat it under its key, or do so yourself. `session` is the token of the actor's
        session, where it is not among those of this client.
        """
        key = new_key(self._access.device) if key is None else key
        message = with_session(command_message(command, actor, key, session), self._sessions)
        until = time.monotonic() + retry_for
        while True:
            try:
                carried = result_of(command, self.request({"command": message}))
            except RefusedError as error:
                if not error.retry or time.monotonic() >= until:
                    raise
            except ManagerAwayError:
                self._drop()
                if self._closed or time.monotonic() >= until:
                    raise
            else:
                self._memory.answer(carried.seq, carried.hash, carried.at)
                keep_session(message, carried.answer, self._sessions)
                return carried
            time.sleep(0.05)

    def ask(self, asked: Question[A_co], /) -> A_co:
        """The answer to a question; of one that is answered in pages, a page."""
        return answer_to(asked, self.request(to_builtins(asked)))

    def sign_in(self, badge: str, *, retry_for: float = 0.0) -> SignedInPerson:
        """Read a person's badge at this service: that person may act here from now on.

        Only through this client, or another one with the same `sessions`: the token of the sign-in goes with every
        command of the person. It lasts until the sign-out, the next sign-in of the same person at this service, or for
        the hours that the property has set.
        """
        signed_in = self.send(SignIn(badge, new_session()), actor=self._access.actor, retry_for=retry_for).answer
        return SignedInPerson(signed_in.person, signed_in.roles)

    def sign_out(self, person: str, *, retry_for: float = 0.0) -> None:
        """Let a person leave this service."""
        self.send(SignOut(person), actor=self._access.actor, retry_for=retry_for)

    def subscribe(
        self, *topics: str, tables: Sequence[str] | None = None, links: Sequence[str] | None = None
    ) -> WireSubscription:
        """Have changes told from now on; another subscription ends the one before."""
        self.request(subscription_message(topics, tables, links))
        if self._subscription is not None:
            self._subscription.close()
        self._subscription = WireSubscription(self, frozenset(topics))
        return self._subscription

    def left(self, subscription: WireSubscription) -> None:
        """Nobody reads a subscription any more."""
        if self._subscription is subscription:
            self._subscription = None

    def wait(self, until: float | None) -> bool:
        """Take in the next line, whatever it is; False when the time is over."""
        if time.monotonic() - self._sent_at > PING_SECONDS:
            self._send(to_line({"ping": 1}))
        try:
            self._keep(self._receive(min(until or float("inf"), time.monotonic() + self._access.answer_seconds)))
        except TimeoutError:
            if until is not None and time.monotonic() >= until:
                return False
            self._drop()
            raise ManagerAwayError(f"no word from the manager for {self._access.answer_seconds:g} seconds") from None
        return True

    def request(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send any request of the protocol and wait for its answer; connects if need be."""
        if self._closed:
            raise ManagerAwayError("this connection was closed")
        is_stale = time.monotonic() - self._sent_at > STALE_SECONDS and self._subscription is None
        if self._socket is None or is_stale:
            # Silent for so long, the server may have let us go: better to greet again than to send into the void.
            self.open()
        return self._exchange(message)

    def _exchange(self, message: dict[str, Any]) -> dict[str, Any]:
        self._requests += 1
        self._send(to_line({"id": self._requests, **message}))
        until = time.monotonic() + self._access.answer_seconds
        while True:
            try:
                answer = self._receive(until)
            except TimeoutError:
                self._drop()
                raise ManagerAwayError(
                    f"no answer from the manager in {self._access.answer_seconds:g} seconds"
                ) from None
            if answer.get("id") == self._requests:
                if "error" in answer:
                    raise refused(answer["error"])
                return dict(answer["answer"])
            self._keep(answer)

    def _keep(self, message: dict[str, Any]) -> None:
        """Keep a push until somebody wants it; an error for no request ends the connection."""
        if "event" in message:
            if self._subscription is not None:
                self._subscription.hear(change_of(message["event"]))
        elif "heartbeat" in message:
            self._memory.hear(message["heartbeat"])
        elif "ping" in message:
            self._send(to_line({"pong": message["ping"]}))
        elif "error" in message and "id" not in message:
            self._drop()
            raise ManagerAwayError(str(refused(message["error"])))

    # ------------------------------------------------------------ lines

    def _send(self, line: bytes) -> None:
        if self._socket is None:
            raise ManagerAwayError("not connected: open the connection first")
        try:
            self._socket.settimeout(self._access.answer_seconds)
            self._socket.sendall(line)
            self._sent_at = time.monotonic()
        except OSError as error:
            self._drop()
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
                self._drop()
                raise ManagerAwayError(f"the manager went away: {error}") from error
            if not data or len(self._read) > LONGEST_ANSWER:
                self._drop()
                raise ManagerAwayError("the manager closed the connection")
            self._read += data
        line, _, self._read = self._read.partition(b"\n")
        return from_line(line)


class WireSubscription:
    """Changes that a server tells, read while somebody waits for them or for an answer."""

    def __init__(self, client: ManagerClient, topics: frozenset[str]) -> None:
        """Hear what the client hears of these topics."""
        self._client = client
        self._topics = topics
        self._waiting = ChangeBuffer()
        self._closed = False
        self.is_lost = False
        """The connection is gone, and the subscription with it."""

    def hear(self, change: ChangeMessage) -> None:
        """Take a change in; one of the subscription before may still be on its way."""
        if change.topic in self._topics:
            self._waiting.add(change)

    def changes(self, seconds: float | None = None) -> Iterator[ChangeMessage]:
        """What is told; ends after that many seconds, when the subscription is closed or replaced, or never."""
        until = None if seconds is None else time.monotonic() + seconds
        while not self._closed:
            change = self._waiting.take()
            if change is not None:
                yield change
            elif self.is_lost:
                raise ManagerAwayError("the connection was lost, and the subscription with it: subscribe again")
            elif not self._client.wait(until):
                return

    def close(self) -> None:
        """Hear no more."""
        self._closed = True
        self._waiting.clear()
        self._client.left(self)
