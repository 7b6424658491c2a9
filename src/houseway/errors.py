"""What is said when something is refused: a list of faults, each with a code, a place and a sentence.

Every check collects all faults before it refuses, so that the person at the table corrects a slip once and not
five times. A fault's code comes from a closed, documented list (docs/reference/faults.md); its path names the place
in the input (`seats[2].wagers.main`); its message says what is wrong and what to do.
"""

from __future__ import annotations

import signal
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Fault:
    """One reason for a refusal."""

    code: str
    path: str
    message: str

    def to_json(self) -> dict[str, Any]:
        """The fault as the command line prints it."""
        return {"code": self.code, "path": self.path, "message": self.message}

    def __str__(self) -> str:
        """The fault as one line of text."""
        return f"{self.path}: {self.message}" if self.path else self.message


class StateError(RuntimeError):
    """An internal error: something that the rest of the program relies on is not there. Nothing has changed."""


def present(value: T | None, what: str) -> T:
    """A value that must be there at this place; StateError says what is missing, under `python -O` as well."""
    if value is None:
        raise StateError(f"an internal error: there is no {what}")
    return value


class InputError(ValueError):
    """Input was refused; `faults` holds every reason found, in the order of the input."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        """Keep the faults; there is always at least one."""
        self.faults: tuple[Fault, ...] = tuple(faults)
        if not self.faults:
            raise StateError("an InputError names at least one fault")
        super().__init__("; ".join(str(fault) for fault in self.faults))

    @classmethod
    def of(cls, code: str, path: str, message: str) -> InputError:
        """An error with a single fault."""
        return cls([Fault(code, path, message)])

    def to_json(self) -> dict[str, Any]:
        """The error envelope of the command line."""
        return {"error": {"faults": [fault.to_json() for fault in self.faults]}}


class MissingPartError(RuntimeError):
    """Something this machine does not have (a package, a program); the message says how to get it."""


class TerminatedError(KeyboardInterrupt):
    """The process was told to end: it does so like after an interrupt, with its workers and without a trace."""


def terminate(_number: int, _frame: object) -> NoReturn:
    """The handler of SIGTERM: end as after an interrupt, once."""
    # Whoever ends a process often tells it and its group: a second one must not break off the clean-up.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise TerminatedError
