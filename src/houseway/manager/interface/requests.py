"""Commands and subscriptions as messages, the same in the process and over the wire: keys, fields, answers."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from houseway.manager.commands import AnyCommand, Command, read_fields
from houseway.manager.core.badges import shows_token
from houseway.manager.core.command import AnswerT_co, answer_type
from houseway.manager.core.networks import network_of
from houseway.manager.interface.contract import CommandResult
from houseway.manager.interface.sessions import new_session

__all__ = [
    "command_message",
    "command_of",
    "command_result",
    "network_of",
    "new_key",
    "shows_token",
    "subscription_message",
]

SIGN_IN = "person.sign-in"


def new_key(device: str) -> str:
    """A fresh idempotency key."""
    return f"{device}:{uuid.uuid4()}"


def command_of(fields: Mapping[str, Any]) -> AnyCommand:
    """The command that fields with `kind` among them mean; InputError names all that is wrong with them.

    For those who are given commands as JSON. A sign-in that names no session begins a new one.

    >>> command_of({"kind": "round.end", "round": "T1-1"})
    EndRound(round='T1-1', override=None, badge=None)
    """
    plain: dict[str, Any] = msgspec.to_builtins(fields)
    if plain.get("kind") == SIGN_IN and plain.get("session") is None:
        plain = {**plain, "session": new_session()}
    return read_fields(plain)


def command_message(command: AnyCommand, actor: str, key: str, session: str | None = None) -> dict[str, Any]:
    """A command as it is sent."""
    message = {"key": key, "actor": actor, "do": msgspec.to_builtins(command)}
    return message if session is None else {**message, "session": session}


class _PlainResult(msgspec.Struct, frozen=True):
    """What a manager answers to a command, whichever it was."""

    seq: int
    at: int
    hash: str
    answer: dict[str, Any]
    repeated: bool = False


def command_result(command: Command[AnswerT_co], told: object) -> CommandResult[AnswerT_co]:
    """What a command came to, its answer as its own type; `msgspec.ValidationError` if it is nothing of this kind."""
    plain = msgspec.convert(told, _PlainResult, from_attributes=True)
    answer = msgspec.convert(plain.answer, answer_type(type(command)))
    return CommandResult(plain.seq, plain.at, plain.hash, answer, plain.repeated)


def subscription_message(
    topics: Sequence[str], tables: Sequence[str] | None, links: Sequence[str] | None
) -> dict[str, Any]:
    """A subscription as it is sent."""
    named = {"tables": tables, "links": links}
    return {"subscribe": list(topics), **{name: list(value) for name, value in named.items() if value is not None}}
