"""PINs at the command line: typed without being shown, when the manager asks; never an option, a variable or a file."""

from __future__ import annotations

import getpass
from typing import TYPE_CHECKING

from houseway.cli.asking import has_terminal
from houseway.cli.manager_where import ManagerLocation, located, reached
from houseway.cli.output import JsonFlag, print_json, print_text
from houseway.cli.times import time_text
from houseway.errors import InputError

if TYPE_CHECKING:
    from houseway.manager.commands import Command
    from houseway.manager.interface.contract import CommandResult, ManagerInterface
    from houseway.manager.interface.field_types import AnswerT_co


def sent(found: ManagerInterface, command: Command[AnswerT_co], actor: str, key: str) -> CommandResult[AnswerT_co]:
    """Have a command carried out; a PIN that is asked for is typed, and the command sent again under its key."""
    from houseway.manager.interface.contract import RefusedError
    from houseway.manager.interface.credentials import with_pin

    try:
        return found.send(command, actor=actor, key=key)
    except RefusedError as error:
        fields = [fault.path.rpartition(".")[2] for fault in error.faults if fault.code == "pin-needed"]
        if not fields:
            raise
        for field in fields:
            command = with_pin(command, field, typed_pin(f"PIN beside {field}: "))
    return found.send(command, actor=actor, key=key)


def typed_pin(prompt: str) -> str:
    """A PIN from the terminal, and from nowhere else."""
    if not has_terminal():
        raise InputError.of("pin-needed", "pin", "a PIN is typed in a terminal: run this in one")
    return getpass.getpass(prompt).strip()


def set_pin(
    *,
    where: ManagerLocation = ManagerLocation(),  # noqa: B008 - frozen
    as_json: JsonFlag = False,
) -> int:
    """Set the PIN that goes with your badge, at a service. Badge and PINs are asked for, and never shown.

    A reader that types the badge and Enter will do. A forgotten PIN is reset by two people (`houseway staff change`
    with `--reset-pin`). Example: `houseway staff pin`
    """
    from houseway.manager.commands.house_commands import SetPin
    from houseway.manager.interface.credentials import badge_with_pin

    where = located(where)
    if where.manager is None:
        message = "PINs are set at a service: name it with --manager, --device and --secret-file, or by houseway desk"
        raise InputError.of("conflicting-options", "manager", message)
    badge = typed_pin("badge: ")
    old = typed_pin("PIN so far (Enter: none): ")
    new = typed_pin("new PIN: ")
    if new != typed_pin("new PIN again: "):
        raise InputError.of("not-confirmed", "pin", "the two differ: nothing was sent")
    command = SetPin(badge_with_pin(badge, old) if old else badge, new)
    with reached(where) as found:
        carried = found.send(command, actor=f"device:{where.device}")
    if as_json:
        print_json({"seq": carried.seq, "at": carried.at, "answer": carried.answer.to_json()})
        return 0
    until = "" if carried.answer.until is None else f", until {time_text(carried.answer.until)}"
    print_text(f"the PIN of {carried.answer.person} is set (event {carried.seq}){until}")
    return 0
