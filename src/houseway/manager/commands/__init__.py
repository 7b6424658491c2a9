"""All commands of the manager: one struct each, told apart by `kind`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, TypeAlias, Union

import msgspec

from houseway.manager.commands.command_faults import CODES, note_texts, refusal, refusal_of_fields
from houseway.manager.commands.house_commands import HOUSE_COMMANDS
from houseway.manager.commands.link_commands import LINK_COMMANDS
from houseway.manager.commands.permissions import AUTHORITY
from houseway.manager.commands.round_commands import ROUND_COMMANDS
from houseway.manager.commands.slip_commands import SLIP_COMMANDS
from houseway.manager.commands.system_commands import SYSTEM_COMMANDS
from houseway.manager.core.command import AnyCommand, Command, CommandAnswer, answer_type, kind_of
from houseway.manager.core.engine import Envelope
from houseway.reading.faults import Faults

COMMANDS: Final[dict[str, type[AnyCommand]]] = {
    kind_of(command): command
    for command in (*ROUND_COMMANDS, *LINK_COMMANDS, *HOUSE_COMMANDS, *SLIP_COMMANDS, *SYSTEM_COMMANDS)
}
COMMAND_ANSWERS: Final[dict[str, type[CommandAnswer]]] = {
    kind: answer_type(command) for kind, command in COMMANDS.items()
}
"""The type of what each command is answered, by its kind."""

if TYPE_CHECKING:
    SentCommand: TypeAlias = AnyCommand
else:
    SentCommand = Union[tuple(COMMANDS.values())]  # noqa: UP007 - built from the list above


class _Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: str
    actor: str
    do: SentCommand
    device: str | None = None
    session: str | None = None


_DECODER: Final = msgspec.json.Decoder(_Wire)


def read_envelope(data: bytes | str | dict[str, object]) -> Envelope:
    """A command from its JSON; InputError names every field that is wrong and what was expected.

    >>> read_envelope('{"key": "k1", "actor": "D1", "do": {"kind": "round.end", "round": "T1-1"}}').do
    EndRound(round='T1-1', override=None, badge=None)
    """
    try:
        wire = msgspec.convert(data, _Wire) if isinstance(data, dict) else _DECODER.decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise refusal(error, data, _Wire, COMMANDS) from None
    plain = data if isinstance(data, dict) else msgspec.json.decode(data)
    faults = Faults(CODES)
    note_texts(faults, wire.key, plain["do"])
    faults.refuse_if_any()
    return Envelope(wire.key, wire.actor, wire.do, wire.device, wire.session)


def read_fields(fields: Mapping[str, object]) -> AnyCommand:
    """A command from its fields, with `kind` among them; InputError names every field that is wrong.

    >>> read_fields({"kind": "round.end", "round": "T1-1"})
    EndRound(round='T1-1', override=None, badge=None)
    """
    try:
        return msgspec.convert(fields, SentCommand)
    except (msgspec.ValidationError, RecursionError) as error:
        raise refusal_of_fields(error, fields, SentCommand, COMMANDS) from None


__all__ = [
    "AUTHORITY",
    "COMMANDS",
    "COMMAND_ANSWERS",
    "AnyCommand",
    "Command",
    "Envelope",
    "SentCommand",
    "kind_of",
    "read_envelope",
    "read_fields",
]
