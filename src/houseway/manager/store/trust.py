"""Whom an audit believes: public keys that check signatures, the anchor, witnesses, and the key that opens seeds.

Signatures prove something only with a public key from elsewhere: the key folder, or a file that was put aside when the
journal began. Without one the keys that the journal itself announces are used, which finds careless changes but not a
forger who has made a whole journal again; the report says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key

from houseway.errors import InputError
from houseway.manager.store.keys import key_id_of, load_keys
from houseway.manager.store.marks import Mark, read_anchor, read_mark
from houseway.manager.store.store_errors import StoreRefusedError

_WITNESS: Final = re.compile(r"([1-9][0-9]{0,17}):([0-9a-f]{16,64})")


Unseal = Callable[[str, int, str, bytes], bytes]
"""From name, number, commitment and ciphertext to the seed; InputError if it is not the one of that deal."""


class Witness(NamedTuple):
    """Somebody saw this event: its number, and its hash or the first 16 or more digits of it."""

    seq: int
    hash: str
    source: str = "witness"


@dataclass(frozen=True)
class Trust:
    """What is believed, and where it comes from."""

    public: Mapping[str, Ed25519PublicKey] = field(default_factory=dict)
    """Keys by id."""
    unseal: Unseal | None = field(default=None, repr=False)
    """Opens a sealed seed, where the key folder was given."""
    anchors: tuple[Mark, ...] = ()
    """Marks of how far the journal had come: the key folder's, and those that were copied off the machine."""
    is_given: bool = False
    """Whether the keys come from outside the journal."""

    def verifies(self, key_id: str, signature: str, text: bytes) -> bool | None:
        """Whether a signature fits; None if the key is not known."""
        key = self.public.get(key_id)
        if key is None:
            return None
        try:
            key.verify(bytes.fromhex(signature), text)
        except (InvalidSignature, ValueError):
            return False
        return True

    def announced(self, keys: Mapping[str, str]) -> Trust:
        """The same where keys were given, else trust in the keys (hexadecimal, by id) that a journal announces."""
        if self.is_given:
            return self
        found = {}
        for digits in keys.values():
            key = read_hex_key(digits)
            if key is not None:
                found[key_id_of(key)] = key
        return Trust(found, self.unseal, self.anchors)

    def hex_keys(self) -> dict[str, str]:
        """The public keys in hexadecimal digits by id."""
        return {id_: key.public_bytes(Encoding.Raw, PublicFormat.Raw).hex() for id_, key in self.public.items()}


def trust_in(folder: Path | None = None, public_files: Iterable[Path] = (), anchor_files: Iterable[Path] = ()) -> Trust:
    """Trust in a key folder, with its anchor and its sealing key, or in files with public keys, or in nothing given.

    Anchors in files of their own count as well; with keys they must be signed by one of them.
    """
    anchors = [_read_anchor(path) for path in anchor_files]
    if folder is not None:
        keys = load_keys(folder)
        own = read_anchor(folder)
        trust = Trust(keys.trusted, keys.unseal, (*([] if own is None else [own]), *anchors), is_given=True)
    else:
        found = {key_id_of(key): key for key in map(_read_public, public_files)}
        trust = Trust(found, anchors=tuple(anchors), is_given=bool(found))
    for anchor in anchors if trust.is_given else ():
        if not trust.verifies(anchor.key_id, anchor.signature, anchor.text()):
            message = f"the anchor of event {anchor.seq} is not signed by the given keys: it was altered or is foreign"
            raise StoreRefusedError.of("anchor-damaged", "anchor", message)
    return trust


def _read_anchor(path: Path) -> Mark:
    found = read_mark(path)
    if found is None:
        raise InputError.of("unreadable-file", "anchor", f"{path} is not there: name a file that audit anchor wrote")
    return found


def read_hex_key(digits: str) -> Ed25519PublicKey | None:
    """A public key from its hexadecimal digits, or None if they are none."""
    try:
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(digits))
    except ValueError:
        return None


def _read_public(path: Path) -> Ed25519PublicKey:
    """A public key from a PEM file, or from one with its hexadecimal digits."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError.of("unreadable-file", "public-key", f"{path} cannot be read: {error.strerror}") from None
    try:
        key = load_pem_public_key(data)
    except ValueError:
        key = None
    found = key if isinstance(key, Ed25519PublicKey) else read_hex_key(data.decode("ascii", "replace").strip())
    if found is None:
        raise InputError.of("keys-damaged", "public-key", f"{path} holds no Ed25519 public key: name the *.pub file")
    return found


def read_witness(text: str) -> Witness:
    """A witness from SEQ:HASH, as receipts print it.

    >>> read_witness("17:00aa00aa00aa00aa").seq
    17
    """
    found = _WITNESS.fullmatch(text.strip().lower())
    if found is None:
        message = f"{text[:100]!r} is not a receipt: write SEQ:HASH with at least 16 hexadecimal digits"
        raise InputError.of("bad-witness", "witness", message)
    return Witness(int(found[1]), found[2])
