"""Sending a command that a person typed: shown before it is sent, with the badges that it asks for, and its answer."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from houseway.cli.answer_text import answer_lines
from houseway.cli.asking import confirm, has_terminal
from houseway.cli.manager_pins import sent
from houseway.cli.manager_tokens import VARIABLES, asked_token, new_secret_in, new_token
from houseway.cli.manager_where import ManagerLocation, speaking
from houseway.cli.output import print_json, print_problem, print_text, printable
from houseway.cli.words import read_as, words
from houseway.errors import InputError
from houseway.manager.commands import AUTHORITY, COMMANDS
from houseway.manager.interface.requests import command_of
from houseway.reading.field_words import field_words

if TYPE_CHECKING:
    from houseway.manager.commands import AnyCommand
    from houseway.manager.interface.contract import CommandResult, ManagerInterface
    from houseway.manager.interface.field_types import CommandAnswer

_ASKED_FOR: Final = {
    "second": "badge of a second person, not of who acts",
    "first": "badge of the first of two people",
    "own": "badge of the person who comes",
    "confirmed": "badge of the person who is confirmed, shown by its bearer",
    "new": "the new badge, which nobody has (Enter draws one)",
}
"""Whose badge is wanted, by what it stands for."""


class Sending:
    """How a command is to be sent: where, by whom, and whether somebody is asked first."""

    def __init__(
        self, where: ManagerLocation, *, actor: str | None, sign_in: str | None, yes: bool, as_json: bool
    ) -> None:
        """Keep it; nothing is reached yet."""
        self.where = where
        self.actor = actor
        self.sign_in = sign_in
        self.yes = yes
        self.as_json = as_json

    def send(self, do: dict[str, Any], *, new_badge: bool = False, new_secret: str | None = None) -> int:
        """Show a command, have it confirmed, send it, and print its answer."""
        kind = str(do["kind"])
        with contextlib.ExitStack() as stack:
            recall = kind != "system.recovery"
            found, person, ids = stack.enter_context(speaking(self.where, self.actor, self.sign_in, recall=recall))
            do = ids.in_command(do)
            self._show(do, person)
            filled = self._with_badges(do, COMMANDS[kind], new_badge=new_badge)
            if new_secret is not None:
                filled["secret"] = stack.enter_context(new_secret_in(new_secret))
            if filled == do and has_terminal() and not self.yes:
                # Whoever gives a badge has confirmed by it.
                confirm("send it?")
            carried = self._carried_out(found, filled, person)
        self._tell(carried)
        return 0

    def _show(self, do: Mapping[str, Any], person: str) -> None:
        """Say what is about to be sent, before anybody gives a badge for it."""
        if self.as_json or not has_terminal():
            return
        print_text(printable(f"{do['kind']} by {person}"))
        for name, value in do.items():
            if name != "kind":
                print_text(printable(f"  {name.replace('_', ' ')}: {words(value, read_as(dict(do), name))}"))

    def _with_badges(self, do: dict[str, Any], command: type[AnyCommand], *, new_badge: bool) -> dict[str, Any]:
        """The command with every badge that it always has; others where they are at hand, or are asked for later."""
        badges, told, filled = AUTHORITY[command].badges, field_words(command), dict(do)
        required = {field for field in command.__struct_fields__ if field in _required(command)}
        for field, use in badges.items():
            if use == "new":
                if new_badge:
                    filled[field] = self._new_badge(field, f"{_ASKED_FOR[use]}: ")
            elif field in required or os.environ.get(VARIABLES[field]):
                filled[field] = asked_token(field, f"{_whose(use, told.get(field, ''))}: ")
        return filled

    def _new_badge(self, field: str, prompt: str) -> str:
        """A badge to hand out; one is drawn, and told once, where none is given."""
        with contextlib.suppress(InputError):
            return asked_token(field, prompt)
        badge = new_token()
        print_problem(f"a badge was drawn, and is shown once: {badge}")
        return badge

    def _carried_out(self, found: ManagerInterface, do: dict[str, Any], person: str) -> CommandResult[CommandAnswer]:
        """What the command came to; a badge that it turns out to need is asked for, and it is sent again."""
        key = f"cli:{new_token()}"
        command = COMMANDS[str(do["kind"])]
        badges, told = AUTHORITY[command].badges, field_words(command)
        try:
            return sent(found, command_of(do), person, key)
        except InputError as error:
            fields = {fault.path.rpartition(".")[2] for fault in error.faults if fault.code == "badge-needed"}
            wanted = [field for field in badges if field in fields and field not in do]
            if len(wanted) < len(error.faults):
                raise
            for fault in error.faults:
                print_problem(fault.message)
        asked = {field: asked_token(field, f"{_whose(badges[field], told.get(field, ''))}: ") for field in wanted}
        return sent(found, command_of({**do, **asked}), person, key)

    def _tell(self, carried: CommandResult[CommandAnswer]) -> None:
        if self.as_json:
            print_json({"seq": carried.seq, "at": carried.at, "hash": carried.hash, "answer": carried.answer.to_json(),
                        "repeated": carried.repeated})  # fmt: skip
            return
        print_text(f"done (event {carried.seq})", *map(printable, answer_lines(carried.answer.to_json())))


def _required(command: type[AnyCommand]) -> frozenset[str]:
    fields, defaults = command.__struct_fields__, command.__struct_defaults__
    return frozenset(fields[: len(fields) - len(defaults)])


def _whose(use: str, told: str) -> str:
    """Whose badge is asked for, as the command's own words say it where they do."""
    return f"badge {told[0].lower()}{told[1:].rstrip('.')}" if told.startswith("Of ") else _ASKED_FOR[use]
