"""The journal's record: one event a command, its canonical text, and the hash that chains it to the one before.

The body is the canonical JSON of all that the command did; the hash covers every column. Whoever changes, drops, adds
or moves a record breaks the chain at that record (docs/reference/journal.md has the format for other programs).
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

import msgspec

GENESIS: Final = "0" * 64
"""The hash before the first event."""

_ENCODER: Final = msgspec.json.Encoder(order="sorted")


def canonical(value: Any) -> bytes:
    """The one JSON text of a value: keys sorted, no spaces, UTF-8.

    >>> canonical({"b": 1, "a": [True, None]})
    b'{"a":[true,null],"b":1}'
    """
    return _ENCODER.encode(value)


def digest(data: bytes) -> str:
    """The hash that is used throughout, in hexadecimal."""
    return sha256(data).hexdigest()


class Event(msgspec.Struct, frozen=True):
    """One record of the journal, as it is stored."""

    seq: int
    at: int
    """Microseconds since 1970 UTC."""
    key: str
    """The command's idempotency key: once in the journal."""
    input_hash: str
    actor: str
    device: str | None
    kind: str
    body: str
    """Canonical JSON: see `Body`."""
    hash: str

    def recomputed(self, previous: str) -> str:
        """What the hash must be, given the one before."""
        return chain_hash(
            previous, self.seq, self.at, self.key, self.input_hash, self.actor, self.device, self.kind, self.body
        )


class Body(msgspec.Struct, omit_defaults=True):
    """What an event holds."""

    do: Any
    """The command as it was carried out (cards of people as fingerprints, never in clear)."""
    put: list[tuple[str, str, Any]] = []
    """Entities after the event: kind, id, and the whole entity, or null where it is gone."""
    post: list[tuple[str, int]] = []
    """Postings: account and millionths; they sum to zero."""
    rows: list[tuple[str, dict[str, Any]]] = []
    """Rows for searching: kind (`round`, `line`, `hit`) and columns."""
    answer: dict[str, Any] = {}
    """What the command was answered, and is answered again when it is repeated."""
    sender: str = ""
    """By what the command's sender is known again: a hash over its key and its session, empty where it had none."""


def chain_hash(
    previous: str, seq: int, at: int, key: str, input_hash: str, actor: str, device: str | None, kind: str, body: str
) -> str:
    """The hash of an event: SHA-256 of its columns as a canonical JSON list behind the hash before."""
    return digest(canonical([previous, seq, at, key, input_hash, actor, device, kind, body]))
