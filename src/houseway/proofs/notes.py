"""Signed notes (c2sp.org/signed-note) with Ed25519: a text, an empty line, and one line for each signature.

Two kinds of keys sign here: a log its heads, and a witness with the time at which it saw them
(c2sp.org/tlog-cosignature). Whoever reads a note refuses every signature that is not by a key it was given: a line that
nobody checks could be any line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from houseway.errors import InputError
from houseway.proofs.proof_texts import decoded, encoded, malformed

LOG_KEY: Final = 1
"""The kind of key that signs a text as it stands."""
WITNESS_KEY: Final = 4
"""The kind of key that signs a text together with a time."""
MOST_SIGNATURES: Final = 32
_ID_BYTES: Final = 4
_TIME_BYTES: Final = 8
_SIGNATURE_BYTES: Final = 64
_NAME: Final = re.compile(r"[^\s+]{1,200}")
_SIGNATURE: Final = re.compile(r"— (\S+) (\S+)")
_KEY: Final = re.compile(r"([^\s+]+)\+([0-9a-f]{8})\+(\S+)")
_CONTROL: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")

Sign = Callable[[bytes], bytes]
"""Signs bytes with Ed25519."""


@dataclass(frozen=True)
class NoteKey:
    """A public key with the name under which it signs notes."""

    name: str
    kind: int
    public: bytes

    def __post_init__(self) -> None:
        """Refuse a name that no note can carry."""
        if not is_name(self.name):
            raise malformed("key", f"{self.name[:60]!r} cannot name a key: no blanks, no +, at most 200 characters")

    @property
    def id(self) -> bytes:
        """What a signature names the key by, beside its name."""
        return sha256(f"{self.name}\n".encode() + bytes([self.kind]) + self.public).digest()[:_ID_BYTES]

    @property
    def text(self) -> str:
        """The key as people hand it on."""
        return f"{self.name}+{self.id.hex()}+{encoded(bytes([self.kind]) + self.public)}"

    @classmethod
    def read(cls, text: str) -> NoteKey:
        """A key from its text."""
        found = _KEY.fullmatch(text.strip())
        if found is None:
            raise malformed("key", f"{text[:80]!r} is not a key: it is written NAME+ID+KEY")
        data = decoded(found[3], "key")
        if data[0] not in (LOG_KEY, WITNESS_KEY) or len(data) != 33:
            raise malformed("key", f"the key of {found[1][:60]} is neither a log's nor a witness's Ed25519 key")
        key = cls(found[1], data[0], data[1:])
        if key.id.hex() != found[2]:
            raise malformed("key", f"the key of {found[1][:60]} does not have the id {found[2]}: it was altered")
        return key

    def verifies(self, signature: bytes, text: str) -> bool:
        """Whether a signature of a note is by this key."""
        timed = self.kind == WITNESS_KEY
        if len(signature) != _SIGNATURE_BYTES + (_TIME_BYTES if timed else 0) or (timed and signature[0] > 0x7F):
            return False
        message = timed_message(_time_of(signature), text) if timed else text.encode()
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature[-_SIGNATURE_BYTES:], message)
        except (InvalidSignature, ValueError):
            return False
        return True


class NoteSignature(NamedTuple):
    """One signature of a note, as it stands there."""

    name: str
    key_id: bytes
    signature: bytes

    def line(self) -> str:
        """The signature as a line, without its end."""
        return f"— {self.name} {encoded(self.key_id + self.signature)}"


class Signer(NamedTuple):
    """A key that has signed a note; a witness with the time, in seconds since 1970."""

    key: NoteKey
    at: int | None


class SignedNote(NamedTuple):
    """A text with signatures."""

    text: str
    signatures: tuple[NoteSignature, ...]

    def written(self) -> str:
        """The note as it is handed on."""
        return self.text + "\n" + "".join(f"{signature.line()}\n" for signature in self.signatures)

    def joined(self, others: Iterable[NoteSignature]) -> SignedNote:
        """The note with further signatures."""
        return SignedNote(self.text, (*self.signatures, *(each for each in others if each not in self.signatures)))

    def signers(self, keys: Sequence[NoteKey]) -> list[Signer]:
        """Who has signed; refused unless every signature is by one of the keys, and there is one."""
        found = []
        for name, key_id, signature in self.signatures:
            key = next((key for key in keys if (key.name, key.id) == (name, key_id)), None)
            if key is None:
                message = (
                    f"it is signed as {name[:80]} (key {key_id.hex()}), whose key was not given: give that key, or "
                    "take the line out"
                )
                raise InputError.of("proof-unsigned", "signature", message)
            if not key.verifies(signature, self.text):
                message = f"the signature of {name[:80]} does not fit the text: one of them was altered"
                raise InputError.of("proof-unsigned", "signature", message)
            found.append(Signer(key, _time_of(signature) if key.kind == WITNESS_KEY else None))
        return found


def is_name(text: str) -> bool:
    """Whether a text can name a key, and so a log."""
    return _NAME.fullmatch(text) is not None and _CONTROL.search(text) is None


def read_note(text: str) -> SignedNote:
    """A note from its text, which has one form only."""
    body, gap, signed = text.rpartition("\n\n")
    if not gap or not body or not signed.endswith("\n"):
        raise malformed("note", "a signed note is a text, an empty line, and signatures with an end of line each")
    if _CONTROL.search(text):
        raise malformed("note", "there is a control character in it")
    lines = signed[:-1].split("\n")
    if len(lines) > MOST_SIGNATURES:
        raise malformed("note", f"it has {len(lines)} signatures; {MOST_SIGNATURES} are read")
    signatures = read_signatures(lines)
    return SignedNote(f"{body}\n", signatures)


def read_signatures(lines: Iterable[str]) -> tuple[NoteSignature, ...]:
    """Signatures from their lines."""
    found = list[NoteSignature]()
    for line in lines:
        parts = _SIGNATURE.fullmatch(line)
        if parts is None or not is_name(parts[1]):
            raise malformed("signature", f"{line[:80]!r} is not a signature: it is written — NAME SIGNATURE")
        data = decoded(parts[2], "signature")
        signature = NoteSignature(parts[1], data[:_ID_BYTES], data[_ID_BYTES:])
        if any((each.name, each.key_id) == signature[:2] for each in found):
            raise malformed("signature", f"{parts[1][:80]} has signed twice with the same key")
        found.append(signature)
    return tuple(found)


def sign_note(text: str, key: NoteKey, sign: Sign) -> NoteSignature:
    """The signature of a log on a text."""
    return NoteSignature(key.name, key.id, sign(text.encode()))


def cosign_note(text: str, key: NoteKey, sign: Sign, at: int) -> NoteSignature:
    """The signature of a witness on a text that it saw at a time, in seconds since 1970."""
    return NoteSignature(key.name, key.id, at.to_bytes(_TIME_BYTES, "big") + sign(timed_message(at, text)))


def timed_message(at: int, text: str) -> bytes:
    r"""What a witness signs.

    >>> timed_message(5, "log\n")
    b'cosignature/v1\ntime 5\nlog\n'
    """
    return f"cosignature/v1\ntime {at}\n{text}".encode()


def _time_of(signature: bytes) -> int:
    return int.from_bytes(signature[:_TIME_BYTES], "big")
