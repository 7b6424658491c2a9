"""From a mistake in the arguments to a fault: unknown command, unknown option, missing argument."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cyclopts import CycloptsError, MissingArgumentError, UnknownCommandError, UnknownOptionError, UnusedCliTokensError

from houseway.errors import Fault
from houseway.reading.places import excerpt
from houseway.wording import suggestion

FAULT_CODES_OF_USAGE: Final[dict[type[CycloptsError], str]] = {
    UnknownCommandError: "unknown-command",
    UnknownOptionError: "unknown-option",
    MissingArgumentError: "missing-argument",
    CycloptsError: "bad-argument",
}
"""The fault code of each kind of mistake; the first kind that fits counts, and all of them are of the last one."""


def fault_of_usage(error: CycloptsError, commands: Sequence[str]) -> Fault:
    """The fault that a mistake in the arguments is told as; its path is the argument, where one is concerned."""
    code = next(code for kind, code in FAULT_CODES_OF_USAGE.items() if isinstance(error, kind))
    chain = " ".join(["houseway", *(error.command_chain or ())])
    message = _message(error, commands)
    path = error.argument.name.lstrip("-").lower() if error.argument is not None else ""
    return Fault(code, path, f"{message} (see {chain} --help)")


def _message(error: CycloptsError, commands: Sequence[str]) -> str:
    if isinstance(error, UnknownCommandError) and error.unused_tokens:
        word = error.unused_tokens[0]
        # Below a command with commands of its own, these are what was meant.
        below = [name for name in error.app or () if not name.startswith("-")] if error.command_chain else []
        return f"{excerpt(word)!r} is not a command: {suggestion(word, below or commands)}"
    if isinstance(error, UnusedCliTokensError):
        return f"one argument too many: {' '.join(error.unused_tokens or ())}"
    return str(error).strip().rstrip(".")
