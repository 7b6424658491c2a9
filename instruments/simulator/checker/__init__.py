"""The independent checker: a second book-keeper who knows the documents and has never seen the manager's code.

It sees what an outsider sees: the commands as they were sent, the answers and refusals that came back, the entries
of the journal, and what the signs show. For every command it says beforehand whether it may be carried out, keeps books
of its own, and compares: a command that went through although the documents forbid it, one that was refused although
nothing speaks against it, a transfer that its own books do not explain, an answer with another amount, a key that was
carried out twice, a card that was told too early. `CheckError` names both figures.
"""

from __future__ import annotations

from instruments.simulator.checker.checking import Checker, Reply
from instruments.simulator.checker.errors import CheckError
from instruments.simulator.checker.rules import Call

__all__ = ["Call", "CheckError", "Checker", "Reply"]
