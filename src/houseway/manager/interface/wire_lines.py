"""What both clients of the wire share: the lines that they send, and what the lines that come mean.

A controller speaks with its devices in the same lines.
"""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec

from houseway import __version__
from houseway.errors import Fault
from houseway.manager.commands import Command
from houseway.manager.core.command import AnswerT_co
from houseway.manager.interface.contract import (
    ChangeMessage,
    CommandResult,
    RefusedError,
)
from houseway.manager.interface.requests import command_result
from houseway.manager.server.wire import (
    NEWS_SECONDS,
    PROTOCOL,
    faults_of,
    from_line,
    read_greeting,
    refusal,
    to_line,
)
from houseway.manager.views.answers import MESSAGES, AwardMessage, EventMessage, MetersMessage
from houseway.manager.views.floor_questions import A_co, Question
from houseway.manager.views.health_view import HeartbeatView

__all__ = [
    "NEWS_SECONDS",
    "PING_SECONDS",
    "ChangeBuffer",
    "answer_to",
    "change_of",
    "from_line",
    "heartbeat_of",
    "hello",
    "read_greeting",
    "refusal",
    "refused",
    "result_of",
    "to_line",
]

PING_SECONDS: Final = 10.0
"""How often a client that only listens says that it is there."""

T = TypeVar("T")


def hello(device: str, secret: str) -> bytes:
    """The first line of a connection."""
    software = f"houseway {__version__}"
    return to_line({"hello": {"protocol": PROTOCOL, "device": device, "secret": secret, "software": software}})


def refused(error: object) -> RefusedError:
    """A refusal as it came over the wire."""
    return RefusedError(faults_of(error), retry=isinstance(error, dict) and error.get("retry") is True)


def answer_to(asked: Question[A_co], told: dict[str, Any]) -> A_co:
    """What the manager answered, as the question's own type."""
    kind: type[A_co] = asked.answer  # type: ignore[assignment]
    return _read(told, kind)


def result_of(command: Command[AnswerT_co], told: dict[str, Any]) -> CommandResult[AnswerT_co]:
    """What a command came to."""
    try:
        return command_result(command, told)
    except msgspec.ValidationError as error:
        raise _unreadable(str(error)) from None


def change_of(event: dict[str, Any]) -> ChangeMessage:
    """What the manager tells of a change."""
    kind: Any = MESSAGES.get(str(event.get("topic")))
    if kind is None:
        raise _unreadable(f"the topic {str(event.get('topic'))[:60]!r}")
    message: ChangeMessage = _read(event, kind)
    return message


def heartbeat_of(told: dict[str, Any]) -> HeartbeatView:
    """What the manager says of itself, unasked."""
    return _read(told, HeartbeatView)


def _read(told: dict[str, Any], kind: type[T]) -> T:
    try:
        return msgspec.convert(told, kind)
    except msgspec.ValidationError as error:
        raise _unreadable(str(error)) from None


def _unreadable(what: str) -> RefusedError:
    message = f"this program cannot read what the manager sent ({what}): bring both to the same version"
    return RefusedError([Fault("bad-message", "", message)])


class ChangeBuffer:
    """Changes that nobody has read yet: of every state the newest, and every single event."""

    def __init__(self) -> None:
        """Begin empty."""
        self._waiting: dict[tuple[str, str], ChangeMessage] = {}

    def add(self, change: ChangeMessage) -> None:
        """Keep a change, instead of an older state of the same thing."""
        self._waiting[change.topic, _subject(change)] = change

    def take(self) -> ChangeMessage | None:
        """The oldest that waits."""
        if not self._waiting:
            return None
        return self._waiting.pop(next(iter(self._waiting)))

    def clear(self) -> None:
        """Forget all of them."""
        self._waiting.clear()


def _subject(change: ChangeMessage) -> str:
    if isinstance(change, EventMessage):
        return str(change.seq)
    if isinstance(change, MetersMessage):
        return change.meters.link
    return change.id if isinstance(change, AwardMessage) else change.table.id
