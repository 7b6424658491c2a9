"""What goes wrong with a store, told apart by what helps: try again, repair, or look at the command.

They carry faults like every refusal, so that one error envelope serves them all, but none is about what was asked:
`StoreUnavailableError` passes and the same command may be sent again under its key, `JournalDamagedError` and
`StoreRefusedError` stay until somebody has repaired the cause (docs/operations.md), and `UnexpectedError` is a fault of
the program for one command, which changed nothing.
"""

from __future__ import annotations

from typing import Final

from houseway.errors import Fault, InputError
from houseway.manager.core.ledger import LedgerError

SAFE_TO_REPEAT: Final = "repeating the command under the same key is safe"


class StoreUnavailableError(InputError):
    """The store cannot be written now: nothing is acknowledged, and repeating under the same key is safe."""

    def __init__(self, what: str, *, in_doubt: bool = False) -> None:
        """Say what happened; `in_doubt` if the commit may have gone through all the same."""
        self.reason = what
        self.in_doubt = in_doubt
        ends = "whether it was written is not known yet" if in_doubt else "nothing was written"
        super().__init__([Fault("store-unavailable", "", f"{what}; {ends}, and {SAFE_TO_REPEAT}")])


class JournalDamagedError(InputError):
    """The journal is not what was written: the manager does not serve until it is repaired."""

    def __init__(self, row: str, what: str) -> None:
        """Name the row and what is wrong with it."""
        self.row = row
        super().__init__(
            [Fault("journal-damaged", row, f"{what}: nothing is accepted until this is repaired (docs/operations.md)")]
        )


class StoreRefusedError(InputError):
    """A store that must not be used as it is: too new, too old, another journal's, or with other keys."""


class UnexpectedError(InputError):
    """An internal error while one command was carried out; nothing of it was written."""

    def __init__(self, kind: str, cause: BaseException) -> None:
        """Name the command and the fault; the cause is kept for the log."""
        super().__init__(
            [
                Fault(
                    "internal-error",
                    "do",
                    f"{kind} hit an internal error ({type(cause).__name__}) and changed nothing: report it",
                )
            ]
        )
        self.__cause__ = cause


class BooksRefusedError(InputError):
    """A command would have broken a guard of the ledger, which is an internal error; nothing of it was written."""

    def __init__(self, kind: str, cause: LedgerError) -> None:
        """Name the command and the guard; the cause is kept for the log."""
        message = f"{kind} would have broken the books and changed nothing: {cause}; report it"
        super().__init__([Fault(cause.code, "do", message)])
        self.__cause__ = cause


def passes(error: InputError) -> bool:
    """Whether nothing is wrong with the command: the store is away, or play is stopped, and it may be sent again."""
    return isinstance(error, StoreUnavailableError) or any(fault.code == "history-lost" for fault in error.faults)


class StateTornError(RuntimeError):
    """An internal error while the state followed an event: the state must be read again."""


class GroupFaultError(RuntimeError):
    """A group of commands could not be decided or written because of one of them; nothing was written."""


class RowRefusedError(RuntimeError):
    """The store refused a row that was handed to it: a fault of the command that made it, not of the store."""
