"""A manager in this process, told and asked like one behind a socket: in memory, or on a database with its keys."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Any, Self

import msgspec

from houseway.errors import InputError
from houseway.manager.commands import Command
from houseway.manager.core.command import AnswerT_co
from houseway.manager.core.floor import Floor
from houseway.manager.core.records import Event, SentKey
from houseway.manager.interface.contract import (
    ChangeMessage,
    CommandResult,
    ManagerAwayError,
    RefusedError,
    SignedInPerson,
)
from houseway.manager.interface.local_changes import LocalChanges
from houseway.manager.interface.requests import command_message, command_result, new_key, subscription_message
from houseway.manager.server.asks import answer_ask, reminded, uncovered
from houseway.manager.server.edge import read_command
from houseway.manager.server.event_answers import answer_events
from houseway.manager.server.head_answers import answer_head
from houseway.manager.server.state_messages import Interests, read_subscription
from houseway.manager.server.win_pages import answer_win_page
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.manager import Manager
from houseway.manager.store.store_errors import passes
from houseway.manager.views.answers import KeyAnswer
from houseway.manager.views.floor_questions import (
    A_co,
    EventsQuestion,
    HeadQuestion,
    HealthQuestion,
    KeyQuestion,
    Question,
    WinPageQuestion,
)
from houseway.manager.views.health_view import HealthView
from houseway.manager.views.view_base import FloorView


@contextmanager
def told_as_refusal() -> Iterator[None]:
    """Tell whatever is refused as a server tells it."""
    try:
        yield
    except RefusedError:
        raise
    except InputError as error:
        raise RefusedError(error.faults, retry=passes(error)) from error


class LocalManager:
    """A manager that this program has opened; tokens become fingerprints here too."""

    def __init__(self, manager: Manager, fingerprint: Callable[[str], str]) -> None:
        """Take a manager that is open, and what turns tokens into fingerprints."""
        self._manager = manager
        self._fingerprint = fingerprint
        self._subscription: LocalSubscription | None = None
        self._closed = False

    def send(self, command: Command[AnswerT_co], *, actor: str, key: str | None = None) -> CommandResult[AnswerT_co]:
        """Have a command carried out."""
        self.check_open()
        message = command_message(command, actor, new_key("local") if key is None else key)
        with told_as_refusal():
            answer = self._manager.call(read_command(message, self._fingerprint, None))
        return command_result(command, answer)

    def ask(self, asked: Question[A_co], /) -> A_co:
        """The answer to a question; of one that is answered in pages, a page."""
        self.check_open()
        with told_as_refusal():
            answer: Any = self._answer_to(asked)
        return answer  # type: ignore[no-any-return]

    def _answer_to(self, asked: Question[FloorView]) -> FloorView:
        if isinstance(asked, HealthQuestion):
            return self._manager.last_known(lambda _, floor: own_health(self._manager.health(), floor))
        if isinstance(asked, KeyQuestion):
            event = self._manager.find(SentKey(None, asked.key))
            kind, seq = (None, None) if event is None else (event.kind, event.seq)
            return KeyAnswer(key=asked.key, kind=kind, seq=seq)
        if isinstance(asked, HeadQuestion):
            return answer_head(self._manager.heads, asked)
        if isinstance(asked, EventsQuestion):
            return answer_events(self._manager, asked, wall_micros())
        seq, _, floor = self._manager.seen()
        if isinstance(asked, WinPageQuestion):
            return answer_win_page(self._manager.heads, seq, floor, asked, wall_micros(), may_sign=True)
        return answer_ask(seq, floor, asked, wall_micros())

    def subscribe(
        self, *topics: str, tables: Sequence[str] | None = None, links: Sequence[str] | None = None
    ) -> LocalSubscription:
        """Have changes told from now on; another subscription ends the one before."""
        self.check_open()
        wanted = interests(topics, tables, links)
        if self._subscription is not None:
            self._subscription.close()
        self._subscription = LocalSubscription(self._manager, wanted)
        return self._subscription

    def follow(self, wanted: Interests, heard: Callable[[list[Event]], None]) -> LocalChanges:
        """What becomes of the floor, told to a function from another thread."""
        return LocalChanges(self._manager, wanted, heard)

    def sign_in(self, badge: str) -> SignedInPerson:
        """Tell whose badge this is: whoever holds database and keys acts for anybody, and signs in nowhere."""
        self.check_open()
        kept = self._fingerprint(badge)
        with told_as_refusal():
            floor = self._manager.seen().floor
            person = next((one for one in floor.people.values() if one.active and kept in one.badges), None)
            if person is None:
                raise InputError.of("unknown-badge", "badge", "this is nobody's badge here: give the person one")
        return SignedInPerson(person.id, tuple(person.roles))

    def sign_out(self, person: str) -> None:  # noqa: ARG002 - as the interface has it
        """Nothing is left to end: nobody is signed in at the database itself."""
        self.check_open()

    def close(self) -> None:
        """Close the manager."""
        if self._closed:
            return
        self._closed = True
        if self._subscription is not None:
            self._subscription.close()
        self._manager.close()

    def check_open(self) -> None:
        """Refuse to go on with a manager that was closed."""
        if self._closed:
            raise ManagerAwayError("this manager was closed")

    def __enter__(self) -> Self:
        """Use the manager in a `with`, which closes it."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close."""
        self.close()


class LocalSubscription:
    """Changes of a manager in this process."""

    def __init__(self, manager: Manager, wanted: Interests) -> None:
        """Begin to gather events."""
        self._heard: queue.SimpleQueue[list[Event] | None] = queue.SimpleQueue()
        self._followed = LocalChanges(manager, wanted, self._heard.put)
        self._waiting: deque[ChangeMessage] = deque()
        self._closed = False

    def changes(self, seconds: float | None = None) -> Iterator[ChangeMessage]:
        """What is told; ends after that many seconds, when the subscription is closed or replaced, or never."""
        until = None if seconds is None else time.monotonic() + seconds
        while not self._closed:
            yield from self._unread()
            left = None if until is None else max(0.0, until - time.monotonic())
            try:
                events = self._heard.get(timeout=left)
            except queue.Empty:
                return
            if events is not None:
                self._waiting.extend(self._followed.messages(events))

    def _unread(self) -> Iterator[ChangeMessage]:
        while self._waiting and not self._closed:
            yield self._waiting.popleft()

    def close(self) -> None:
        """Hear no more."""
        self._closed = True
        self._followed.close()
        # Whoever waits in another thread looks again.
        self._heard.put(None)


def interests(topics: Sequence[str], tables: Sequence[str] | None, links: Sequence[str] | None) -> Interests:
    """What a subscription in this process wants."""
    with told_as_refusal():
        return read_subscription(subscription_message(topics, tables, links), "service")


def own_health(known: dict[str, Any], floor: Floor) -> HealthView:
    """How a manager is that no server serves."""
    now = wall_micros()
    told = {"now": now, "uncovered": uncovered(floor, now), "reminders": reminded(floor, now)}
    return msgspec.convert({**known, **told}, HealthView)
