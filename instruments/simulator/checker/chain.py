"""The journal as an auditor reads it: one chain, each key once, what was acknowledged is there, sums of zero.

The hash is computed here from the journal's published format, not with the manager's own function.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from instruments.simulator.checker.errors import require, same

FIRST_HASH: Final = "0" * 64
NEVER_BELOW_ZERO: Final = ("meter", "reserve", "overflow", "locked")
"""Players' money: the books show it as negative amounts, so a positive balance would be an overdraft."""


@dataclass(frozen=True)
class Entry:
    """An event of the journal, its body as plain data."""

    seq: int
    at: int
    key: str
    input_hash: str
    actor: str
    device: str | None
    kind: str
    text: str
    hash: str
    body: Mapping[str, Any]

    @property
    def do(self) -> Mapping[str, Any]:
        """The command."""
        found: Mapping[str, Any] = self.body["do"]
        return found

    @property
    def post(self) -> dict[str, int]:
        """The postings by account."""
        return dict(self.body.get("post", []))

    @property
    def answer(self) -> Mapping[str, Any]:
        """What the command was answered."""
        found: Mapping[str, Any] = self.body.get("answer", {})
        return found


def canonical(value: object) -> str:
    """JSON with sorted keys, no blanks, UTF-8: the journal's one text of a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass
class Chain:
    """The chain as far as it was read, and the books that follow from it."""

    head: str = FIRST_HASH
    seq: int = 0
    at: int = 0
    by_key: dict[str, Entry] = field(default_factory=dict)
    balances: dict[str, int] = field(default_factory=dict)

    def extend(self, entry: Entry) -> None:
        """Read the next entry: in its place, unaltered, under a new key, balanced."""
        same(self.seq + 1, entry.seq, "the journal's numbers have no gap and no repeat")
        columns = [
            self.head, entry.seq, entry.at, entry.key, entry.input_hash, entry.actor, entry.device, entry.kind,
            entry.text,
        ]  # fmt: skip
        same(hashlib.sha256(canonical(columns).encode()).hexdigest(), entry.hash, f"hash of entry {entry.seq}")
        require(entry.key not in self.by_key, f"key {entry.key} was carried out twice")
        asked = hashlib.sha256(canonical([entry.actor, entry.device, entry.do]).encode()).hexdigest()
        if entry.actor != "system":
            same(asked, entry.input_hash, f"hash of the input of entry {entry.seq}")
        self.head, self.seq, self.at = entry.hash, entry.seq, entry.at
        self.by_key[entry.key] = entry
        self._post(entry)

    def _post(self, entry: Entry) -> None:
        lines = entry.body.get("post", [])
        same(0, sum(amount for _, amount in lines), f"sum of the postings of entry {entry.seq}")
        same(len(lines), len(entry.post), f"accounts of entry {entry.seq} named once each")
        for account, amount in lines:
            require(type(amount) is int and amount != 0, f"entry {entry.seq} posts {amount!r} to {account}")
            balance = self.balances.get(account, 0) + amount
            self.balances[account] = balance
            if account.split("/", 1)[0] in NEVER_BELOW_ZERO:
                require(balance <= 0, f"{account} is overdrawn by entry {entry.seq}", "0 or less", balance)
