"""What a controller says about its own messages: one that was never answered shall not be carried out any more."""

from __future__ import annotations

from houseway.errors import InputError
from houseway.manager.commands.system_answers import WithdrawMessageAnswer
from houseway.manager.commands.system_commands import WithdrawMessage
from houseway.manager.core.engine import Decision, handles


@handles(WithdrawMessage)
def withdraw_message(decision: Decision, command: WithdrawMessage) -> WithdrawMessageAnswer:
    """Use up the key of a command that was never carried out; the record says which one it was."""
    device = decision.floor.devices[decision.actor.removeprefix("device:")]
    if device.table != command.table:
        message = f"{device.id} speaks for table {device.table}, not for {command.table}"
        raise InputError.of("wrong-device", "table", message)
    return WithdrawMessageAnswer(table=command.table, withdrawn=command.kind_of)
