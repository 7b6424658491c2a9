"""From a mistake in the arguments to a fault: unknown command, unknown option, missing argument."""

from __future__ import annotations

from typing import Final

from cyclopts import CycloptsError, MissingArgumentError, UnknownCommandError, UnknownOptionError

from houseway.errors import Fault

_CODES: Final[tuple[tuple[type[CycloptsError], str], ...]] = (
    (UnknownCommandError, "unknown-command"),
    (UnknownOptionError, "unknown-option"),
    (MissingArgumentError, "missing-argument"),
)


def fault_of_usage(error: CycloptsError) -> Fault:
    """The fault that a mistake in the arguments is told as; its path is the argument, where one is concerned."""
    code = next((code for kind, code in _CODES if isinstance(error, kind)), "bad-argument")
    chain = " ".join(["houseway", *(error.command_chain or ())])
    message = str(error).strip().rstrip(".")
    path = error.argument.name.lstrip("-").lower() if error.argument is not None else ""
    return Fault(code, path, f"{message}. See {chain} --help")
