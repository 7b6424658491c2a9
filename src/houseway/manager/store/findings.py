"""What an audit finds: which row of which table, what is wrong with it, and how many there are beyond those listed."""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import msgspec

LISTED: Final = 200
"""Findings that are kept in full unless told otherwise; all are counted."""

PROBLEMS: Final[dict[str, str]] = {
    "altered": "a row that differs from what the event says, or an event that differs from its hash",
    "missing": "a row that must be there and is not",
    "extra": "a row that no event accounts for",
    "chain-broken": "an event that does not follow on the one before it as that one stands here",
    "not-signed-so": "events that are not the ones that a checkpoint signed",
    "unsigned": "events behind the last checkpoint, or a journal without its checkpoints",
    "bad-signature": "a checkpoint whose signature does not fit",
    "unknown-key": "a checkpoint signed with a key that is not the given one, or that the journal never announced",
    "key-not-in-force": "a checkpoint signed with a key that was replaced before, or that no start has announced",
    "key-unaccounted": "a given key that the journal never announces, or whose place among the keys lies in archives",
    "wrong-keys": "a journal of which no signature is by the given keys: they are another's, or it was made again",
    "not-canonical": "a body that is not in canonical form",
    "input-differs": "an event whose input hash does not fit its command, actor and device",
    "unreadable": "something that cannot be read at all",
    "bad-transfer": "a transfer that no ledger takes: its amount, its accounts, its reason or its subject",
    "unbalanced": "balances that do not sum to zero",
    "overdrawn": "an account of players' money below zero",
    "key-repeated": "an event under a key that its sender had used before: a command was carried out twice",
    "time-went-back": "an event before the one it follows, without two people having set the clock",
    "state-differs": "a recorded digest of the whole state that the events do not lead to",
    "wrong-secret": "a sealed seed that does not open, or is not that of its deal: another commitment or number",
    "wrong-deal": "a deal that is not the one published for it, or a revealed seed that does not fit its commitment",
    "seed-used-twice": "a commitment, and so a seed, that was published or dealt before",
    "left-over": "something that should have been removed, such as the sealed seed of a round that is over",
    "cut-off": "a journal that ends before the anchor file or a witness says",
    "witness-differs": "an event that is not the one that the anchor file or a witness saw",
    "unprotected": "a table whose guard against changes is missing or altered",
    "damaged-store": "what the database itself reports about its file",
    "wrong-archive": "an archive file that is not the one recorded when the events were moved",
}
"""The closed list of problems, each with its meaning."""


class AuditFinding(msgspec.Struct, frozen=True):
    """One thing that is wrong."""

    table: str
    """A table of the store; or `file` (the row is a line), `anchor`, `witness`, `trigger`, `store`."""
    row: str
    """The key of the row: an event's number, or number and line as in `17/2`; `17-20` for a range."""
    problem: str
    """One of `PROBLEMS`."""
    message: str
    file: str | None = None
    """The archive or exported file in which it was found, else the database."""

    def to_json(self) -> dict[str, Any]:
        """The finding as the command line prints it."""
        return msgspec.structs.asdict(self)

    def __str__(self) -> str:
        """The finding as one line of text."""
        place = f"{self.file}: " if self.file else ""
        return f"{place}{self.table} {self.row}: {self.message} [{self.problem}]"


class AuditFindings:
    """Findings in the order in which they came up; beyond `listed` they are only counted."""

    def __init__(self, listed: int = LISTED) -> None:
        """Begin with none."""
        self._listed = listed
        self.items: list[AuditFinding] = []
        self.count = 0
        self.by_table: Counter[str] = Counter()
        self.file: str | None = None
        """The file that is being looked at, if it is one."""

    def note(self, table: str, row: object, problem: str, message: str) -> None:
        """Note that something is wrong."""
        if problem not in PROBLEMS:
            raise KeyError(f"{problem!r} is not on the list of problems")
        self.count += 1
        self.by_table[table] += 1
        if len(self.items) < self._listed:
            self.items.append(AuditFinding(table, str(row), problem, message, self.file))

    def __bool__(self) -> bool:
        """Whether anything was found."""
        return self.count > 0


def span(first: int, last: int) -> str:
    """A range of event numbers as a row key.

    >>> span(3, 3), span(3, 5)
    ('3', '3-5')
    """
    return str(first) if first == last else f"{first}-{last}"
