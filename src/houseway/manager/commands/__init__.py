"""All commands of the manager: one struct each, told apart by `kind`."""

from __future__ import annotations

from typing import Any, Final, Union

import msgspec

from houseway.manager.commands.command_faults import CODES, note_texts, refusal
from houseway.manager.commands.house_commands import HOUSE_COMMANDS
from houseway.manager.commands.link_commands import LINK_COMMANDS
from houseway.manager.commands.permissions import AUTHORITY
from houseway.manager.commands.round_commands import ROUND_COMMANDS, Command
from houseway.manager.commands.system_commands import SYSTEM_COMMANDS
from houseway.manager.core.engine import Envelope
from houseway.reading.faults import Faults

COMMANDS: Final[dict[str, type[Command]]] = {
    str(command.__struct_config__.tag): command
    for command in (*ROUND_COMMANDS, *LINK_COMMANDS, *HOUSE_COMMANDS, *SYSTEM_COMMANDS)
}
_UNION: Final[Any] = Union[tuple(COMMANDS.values())]  # noqa: UP007 - built from the list above


class _Wire(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    key: str
    actor: str
    do: _UNION
    device: str | None = None
    session: str | None = None


_DECODER: Final = msgspec.json.Decoder(_Wire)


def read_envelope(data: bytes | str | dict[str, Any]) -> Envelope:
    """A command from its JSON; InputError names every field that is wrong and what was expected.

    >>> read_envelope('{"key": "k1", "actor": "D1", "do": {"kind": "round.end", "round": "T1-1"}}').do
    EndRound(round='T1-1', override=None, card=None)
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


__all__ = ["AUTHORITY", "COMMANDS", "Command", "Envelope", "read_envelope"]
