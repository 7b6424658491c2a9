"""The journal's record: one event a command, its canonical text, its leaf, and the hash that chains it to the last.

The body is the canonical JSON of all that the command did. The leaf covers every column, the hash the leaf and the hash
before: whoever changes, drops, adds or moves a record breaks the chain at that record. A leaf is also what a Merkle
tree over the journal needs (RFC 6962). It is salted, and built so that whoever holds the printed page of a win and its
salt can work it out, and nobody can guess from it what no page shows (docs/reference/journal.md has the format).

>>> canonical({"b": 1, "a": [True, None]})
b'{"a":[true,null],"b":1}'
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Final, NamedTuple

import msgspec

from houseway.manager.core.ledger import Transfer

GENESIS: Final = "0" * 64
"""The hash before the first event."""
SALT_BYTES: Final = 16
"""Random bytes that salt the leaf of an event; as many again blind what no page shows of it."""
_HALF: Final = 2 * SALT_BYTES
"""Hexadecimal digits of the salt of a leaf; those of the blinding follow."""
_LEAF: Final = b"\x00"
"""Before the data of a leaf, as RFC 6962 has it: no inner node of a tree can pass for a leaf."""
_REST: Final = b"\x02"

Scalar = bool | int | str | None
Columns = Mapping[str, object]
"""A row for searching: scalar values by the name of their column."""

canonical: Final[Callable[[object], bytes]] = msgspec.json.Encoder(order="sorted").encode
"""The one JSON text of a value: keys sorted, no spaces, UTF-8. The encoder's own method, since every event needs
several."""


def digest(data: bytes) -> str:
    """The hash that is used throughout, in hexadecimal."""
    return sha256(data).hexdigest()


def short_hash(content: str) -> str:
    """The short form of a hash, for people who compare what they see: twelve digits in groups of four.

    >>> short_hash("3f2a91c407be" + 52 * "0")
    '3f2a-91c4-07be'
    """
    return "-".join(content[place : place + 4] for place in (0, 4, 8))


class SaltSource:
    """Salts for events, as many hexadecimal digits each as `Event.salt` has; drawn many at a time.

    A draw is a call of the operating system, whatever its length.
    """

    __slots__ = ("_at_once", "_draw", "_drawn", "_used")

    def __init__(self, draw: Callable[[int], bytes], at_once: int = 64) -> None:
        """Draw so many salts at once."""
        self._draw = draw
        self._at_once = at_once
        self._drawn = ""
        self._used = 0

    def next_salt(self) -> str:
        """A salt that no event has."""
        begin = self._used
        if begin >= len(self._drawn):
            # Half a salt more than needed: what is as long as a seed stays known as one.
            self._drawn = self._draw((2 * self._at_once + 1) * SALT_BYTES)[SALT_BYTES:].hex()
            begin = 0
        self._used = end = begin + 2 * _HALF
        return self._drawn[begin:end]


class SentKey(NamedTuple):
    """An idempotency key as it counts: with the device that sent it, so that no device uses up another's keys.

    What comes without a device, at the machine of the database and from the manager itself, has keys of its own.
    """

    device: str | None
    key: str


class Event(msgspec.Struct, frozen=True):
    """One record of the journal, as it is stored."""

    seq: int
    at: int
    """Microseconds since 1970 UTC."""
    key: str
    """The command's idempotency key: once in the journal for each device that sends."""
    input_hash: str
    actor: str
    device: str | None
    kind: str
    body: str
    """Canonical JSON of a `DecidedBody`."""
    salt: str
    """The salt of the leaf and the blinding of the rest, in hexadecimal digits; both are drawn for this event."""
    leaf: str
    """The hash of all columns before it: `leaf_hash` of its `Page`."""
    hash: str

    @property
    def sent_key(self) -> SentKey:
        """The key with its sender: once in the journal."""
        return SentKey(self.device, self.key)

    def page(self) -> Page:
        """What can be printed of the event; of a body that cannot be read nothing is shown."""
        try:
            shown = _SHOWN.decode(self.body)
        except (ValueError, RecursionError):
            shown = _PageParts()
        rest = rest_hash(self.salt, self.key, self.input_hash, self.actor, self.device, self.body.encode())
        return page_of(self.salt, self.seq, self.at, self.kind, shown.post, shown.rows, rest)

    def chained(self, previous: str) -> Event:
        """The event with the leaf and the hash that it must have, given the hash before."""
        leaf = leaf_hash(self.page())
        return msgspec.structs.replace(self, leaf=leaf, hash=chain_hash(previous, leaf))

    def follows(self, previous: str) -> bool:
        """Whether leaf and hash fit the columns and the hash before."""
        return self == self.chained(previous)


class _PageParts(msgspec.Struct):
    """The parts of a body that a page shows."""

    post: list[Transfer] = []
    rows: list[tuple[str, Columns]] = []


_SHOWN: Final = msgspec.json.Decoder(_PageParts)


class Page(NamedTuple):
    """What a printed page shows of an event: its leaf can be worked out from this alone."""

    salt: str
    """The first half of the event's salt."""
    seq: int
    at: int
    kind: str
    post: list[Transfer]
    """Its transfers."""
    hits: list[Columns]
    """Its rows of awards: who won what from which level."""
    rest: str
    """Covers the other columns and the whole body, blinded by the half of the salt that no page shows."""


def page_of(
    salt: str, seq: int, at: int, kind: str, post: list[Transfer], rows: list[tuple[str, Columns]], rest: str
) -> Page:
    """The page of an event."""
    hits = [columns for name, columns in rows if name == "hit"] if rows else []
    return Page(salt[:_HALF], seq, at, kind, post, hits, rest)


def rest_hash(salt: str, key: str, input_hash: str, actor: str, device: str | None, body: bytes) -> str:
    """SHA-256 of all of an event that a page does not show, behind the blinding half of its salt."""
    blind = salt[_HALF:].encode()
    return sha256(b"".join((_REST, blind, canonical([key, input_hash, actor, device]), body))).hexdigest()


def leaf_hash(page: Page) -> str:
    """The leaf of an event: SHA-256 of a zero byte and the canonical JSON list of what its page shows."""
    return sha256(_LEAF + canonical(page)).hexdigest()


def chain_hash(previous: str, leaf: str) -> str:
    """The hash of an event: SHA-256 of the canonical JSON list of the hash before and its leaf."""
    return sha256(canonical([previous, leaf])).hexdigest()


def signing_key_id(public: bytes) -> str:
    """The id under which checkpoints name a key, from the 32 bytes of an Ed25519 public key."""
    return sha256(public).hexdigest()[:16]
