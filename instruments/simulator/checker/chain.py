"""The journal as an auditor reads it: one chain, each key of a sender once, what was acknowledged, transfers in order.

Leaf and hash are computed here from the journal's published format, not with the manager's own functions.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from instruments.simulator.checker.errors import require, same

FIRST_HASH: Final = "0" * 64
NEVER_BELOW_ZERO: Final = ("meter", "reserve", "overflow", "locked", "promotion")
"""Players' money: the books show it as negative amounts, so a positive balance would be an overdraft."""


Sent = tuple[str | None, str]
"""A key as it counts: with the device that sent it, or without one."""


@dataclass(frozen=True)
class ChainEntry:
    """An event of the journal, its body as plain data."""

    seq: int
    at: int
    key: str
    input_hash: str
    actor: str
    device: str | None
    kind: str
    text: str
    salt: str
    leaf: str
    hash: str
    body: Mapping[str, Any]

    @property
    def sent(self) -> Sent:
        """The key with its sender."""
        return self.device, self.key

    @property
    def do(self) -> Mapping[str, Any]:
        """The command."""
        found: Mapping[str, Any] = self.body["do"]
        return found

    @property
    def transfers(self) -> list[Sequence[Any]]:
        """Debit, credit, micros, reason and subject of each transfer, in their order."""
        found: list[Sequence[Any]] = self.body.get("post", [])
        return found

    @property
    def moved(self) -> dict[str, int]:
        """By account: by how much the transfers have moved it, where they have."""
        found: dict[str, int] = {}
        for debit, credit, micros, _, _ in self.transfers:
            found[debit] = found.get(debit, 0) + micros
            found[credit] = found.get(credit, 0) - micros
        return {account: amount for account, amount in found.items() if amount}

    @property
    def answer(self) -> Mapping[str, Any]:
        """What the command was answered."""
        found: Mapping[str, Any] = self.body.get("answer", {})
        return found


def canonical(value: object) -> str:
    """JSON with sorted keys, no blanks, UTF-8: the journal's one text of a value."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def leaf_of(entry: ChainEntry) -> str:
    """The leaf of an entry: what its page shows behind a zero byte, and the rest of it blinded."""
    salt, blind = entry.salt[:32], entry.salt[32:]
    columns = canonical([entry.key, entry.input_hash, entry.actor, entry.device])
    rest = hashlib.sha256(b"\x02" + f"{blind}{columns}{entry.text}".encode()).hexdigest()
    hits = [row for kind, row in entry.body.get("rows", []) if kind == "hit"]
    page = [salt, entry.seq, entry.at, entry.kind, entry.transfers, hits, rest]
    return hashlib.sha256(b"\x00" + canonical(page).encode()).hexdigest()


@dataclass
class Chain:
    """The chain as far as it was read, and the books that follow from it."""

    head: str = FIRST_HASH
    seq: int = 0
    at: int = 0
    by_key: dict[Sent, ChainEntry] = field(default_factory=dict)
    balances: dict[str, int] = field(default_factory=dict)

    def extend(self, entry: ChainEntry) -> None:
        """Read the next entry: in its place, unaltered, under a new key, balanced."""
        same(self.seq + 1, entry.seq, "the journal's numbers have no gap and no repeat")
        leaf = leaf_of(entry)
        same(leaf, entry.leaf, f"leaf of entry {entry.seq}")
        chained = hashlib.sha256(canonical([self.head, leaf]).encode()).hexdigest()
        same(chained, entry.hash, f"hash of entry {entry.seq}")
        require(entry.sent not in self.by_key, f"key {entry.key} of {entry.device} was carried out twice")
        asked = hashlib.sha256(canonical([entry.actor, entry.device, entry.do]).encode()).hexdigest()
        if entry.actor != "system":
            same(asked, entry.input_hash, f"hash of the input of entry {entry.seq}")
        self.head, self.seq, self.at = entry.hash, entry.seq, entry.at
        self.by_key[entry.sent] = entry
        self._transfer(entry)

    def _transfer(self, entry: ChainEntry) -> None:
        for debit, credit, micros, reason, subject in entry.transfers:
            told = f"entry {entry.seq} transfers {micros!r} from {credit} to {debit}"
            require(type(micros) is int and micros > 0, told, "a whole number above zero", micros)
            require(debit != credit, told, "two accounts", debit)
            require(
                bool(reason) and all(subject.partition(":")[::2]), told, "a reason and a subject", (reason, subject)
            )
            self.balances[debit] = self.balances.get(debit, 0) + micros
            self.balances[credit] = self.balances.get(credit, 0) - micros
            if debit.split("/", 1)[0] in NEVER_BELOW_ZERO:
                balance = self.balances[debit]
                require(balance <= 0, f"{debit} is overdrawn by entry {entry.seq}", "0 or less", balance)
