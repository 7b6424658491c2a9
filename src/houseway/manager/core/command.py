"""What every command and every answer have in common.

A command names the type of its answer, as in `class StartRound(Command[StartRoundAnswer], ...)`. Its handler returns
just that, and the type checker holds both to it.
"""

from __future__ import annotations

from typing import Generic, TypeVar, get_args

import msgspec
from msgspec import Struct

from houseway.reading.json_values import JsonObject


class CommandAnswer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a command is answered; a field with a default is left out of the JSON where it holds that."""

    def to_json(self) -> JsonObject:
        """The same as JSON has it."""
        found: JsonObject = msgspec.json.decode(msgspec.json.encode(self))
        return found


AnswerT_co = TypeVar("AnswerT_co", bound=CommandAnswer, covariant=True)


class Command(Struct, Generic[AnswerT_co], frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    """A command is plain data; its `kind` names it on the wire and in the journal."""


AnyCommand = Command[CommandAnswer]
"""A command, whatever it answers."""


def kind_of(command: AnyCommand | type[AnyCommand]) -> str:
    """The kind of a command, as it is named on the wire and in the journal."""
    return str(command.__struct_config__.tag)


def answer_type(command: type[Command[AnswerT_co]]) -> type[AnswerT_co]:
    """The type of what a command is answered."""
    for base in getattr(command, "__orig_bases__", ()):
        for named in get_args(base):
            found: type[AnswerT_co] = named
            return found
    raise TypeError(f"{command.__name__} does not say what it is answered: Command[ITS ANSWER]")
