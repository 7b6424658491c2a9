"""The manager's keys: what signs the chain, what seals the seeds, and what turns badges into fingerprints.

They lie in a folder of their own, readable by the manager's user alone, never in the database or its backups: whoever
has the database cannot sign a forged chain, open a seed or try out badge numbers. Next to them lies the anchor, a note
of how far the journal had come, so that cutting off its end is noticed.
"""

from __future__ import annotations

import hmac
import os
import secrets
import stat
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from houseway.cards.stream import commitment
from houseway.errors import Fault, InputError
from houseway.manager.core.records import canonical, signing_key_id
from houseway.manager.store.guarded_files import change_faults, file_faults
from houseway.manager.store.key_use import alone_with_keys
from houseway.manager.store.store_errors import JournalDamagedError, StoreRefusedError

SIGNING: Final = "signing.pem"
SEALING: Final = "sealing.key"
PEPPER: Final = "pepper.key"
SECRET_FILES: Final = (SIGNING, SEALING, PEPPER)
_NONCE_BYTES: Final = 12
_OPEN_CODE: Final = "keys-open"


@dataclass(frozen=True, repr=False)
class Keys:
    """Loaded keys. Nothing of them is ever shown: not in a representation, a log or an answer."""

    folder: Path
    signing: Ed25519PrivateKey
    sealing: AESGCM
    pepper: bytes
    key_id: str
    trusted: dict[str, Ed25519PublicKey] = field(default_factory=dict)
    """Public keys by id whose checkpoints count: the folder's own, and retired ones kept as *.pub."""

    @property
    def public(self) -> str:
        """The public key that checks this journal's signatures, in hexadecimal."""
        return _raw(self.signing.public_key()).hex()

    def sign(self, text: bytes) -> str:
        """A signature in hexadecimal."""
        return self.signing.sign(text).hex()

    def verifies(self, key_id: str, signature: str, text: bytes) -> bool:
        """Whether a signature is by a key that counts."""
        key = self.trusted.get(key_id)
        if key is None:
            return False
        try:
            key.verify(bytes.fromhex(signature), text)
        except (InvalidSignature, ValueError):
            return False
        return True

    def seal(self, name: str, number: int, seed: bytes) -> bytes:
        """A seed sealed for one deal, by name, number and commitment: a nonce and the ciphertext."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self.sealing.encrypt(nonce, seed, sealed_for(name, number, commitment(seed)))

    def unseal(self, name: str, number: int, published: str, sealed: bytes) -> bytes:
        """The seed; `JournalDamagedError` if it was altered, was sealed for another deal or with another key."""
        try:
            seed = self.sealing.decrypt(
                sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], sealed_for(name, number, published)
            )
        except (InvalidTag, ValueError):
            seed = None
        if seed is None or commitment(seed) != published:
            message = f"the sealed seed is not the one of shuffle {number} with the commitment {published[:64]}"
            raise JournalDamagedError(f"secrets[{name}]", message)
        return seed

    def fingerprint(self, token: str) -> str:
        """What is kept of a badge or a device's secret: it tells tokens apart and gives none away."""
        return hmac.new(self.pepper, token.encode(), sha256).hexdigest()

    def check_value(self) -> str:
        """A value by which the journal recognises the pepper and the sealing key, and which gives neither away."""
        sealed = self.sealing.encrypt(bytes(_NONCE_BYTES), b"", b"houseway check value")
        return hmac.new(self.pepper, b"houseway check value" + sealed, sha256).hexdigest()[:32]


def sealed_for(name: str, number: int, published: str) -> bytes:
    """What a seal authenticates beside the seed: whose it is, its number at the table, and what was published of it.

    >>> sealed_for("next:T1", 7, "ab")
    b'["next:T1",7,"ab"]'
    """
    return canonical([name, number, published])


def create_keys(folder: Path) -> Keys:
    """Draw fresh keys into a folder, which must not hold any yet."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    there = [name for name in SECRET_FILES if (folder / name).exists()]
    if there:
        raise StoreRefusedError.of(
            "keys-exist",
            str(folder / there[0]),
            "there are keys already, and they are never overwritten: name another folder",
        )
    signing = Ed25519PrivateKey.generate()
    _write_new(folder / SIGNING, _private_pem(signing))
    _write_new(folder / SEALING, secrets.token_hex(32).encode() + b"\n")
    _write_new(folder / PEPPER, secrets.token_hex(32).encode() + b"\n")
    _keep_public(folder, signing.public_key())
    _sync_folder(folder)
    return load_keys(folder)


def renew_signing_key(folder: Path) -> Keys:
    """Draw another signing key in place of the one that is there, or that was lost; all public keys stay.

    The start of a server announces it; from then on the old one signs nothing more. Whoever is interrupted has the old
    one still. Refused while a manager works with the folder.
    """
    if not folder.is_dir():
        load_keys(folder)  # says what is missing
    with alone_with_keys(folder):
        return _renewed(folder)


def _renewed(folder: Path) -> Keys:
    beside = folder / f".{SIGNING}.new"
    if (folder / SIGNING).exists():
        _keep_public(folder, load_keys(folder).signing.public_key())
    else:
        faults = [fault for name in (SEALING, PEPPER) for fault in _faults_of(folder / name)]
        if faults or _writers_of(folder):
            raise StoreRefusedError([*faults, *_writers_of(folder)])
    fresh = Ed25519PrivateKey.generate()
    beside.unlink(missing_ok=True)
    _write_new(beside, _private_pem(fresh))
    _keep_public(folder, fresh.public_key())
    beside.replace(folder / SIGNING)
    _sync_folder(folder)
    return load_keys(folder)


def _private_pem(key: Ed25519PrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def _keep_public(folder: Path, key: Ed25519PublicKey) -> None:
    """Keep a public key in its file, unless it is kept already."""
    path = folder / f"{key_id_of(key)}.pub"
    if not path.exists():
        _write_new(path, key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))


def load_keys(folder: Path) -> Keys:
    """The keys of a folder; every file that is missing, damaged or open to others is named."""
    faults = [fault for name in SECRET_FILES for fault in _faults_of(folder / name)]
    faults += _writers_of(folder)
    faults += [fault for path in sorted(folder.glob("*.pub")) for fault in file_faults(path, _OPEN_CODE)]
    if faults:
        raise StoreRefusedError(faults)
    try:
        signing = load_pem_private_key((folder / SIGNING).read_bytes(), password=None)
    except (ValueError, TypeError):
        signing = None
    if not isinstance(signing, Ed25519PrivateKey):
        raise _damaged(folder / SIGNING, "it holds no Ed25519 key")
    trusted = {key_id_of(key): key for key in [signing.public_key(), *map(_public, sorted(folder.glob("*.pub")))]}
    sealing = AESGCM(_hex_key(folder / SEALING))
    return Keys(folder, signing, sealing, _hex_key(folder / PEPPER), key_id_of(signing.public_key()), trusted)


def key_id_of(key: Ed25519PublicKey) -> str:
    """The id under which checkpoints name a key."""
    return signing_key_id(_raw(key))


def _raw(key: Ed25519PublicKey) -> bytes:
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def _public(path: Path) -> Ed25519PublicKey:
    try:
        key = load_pem_public_key(path.read_bytes())
    except ValueError:
        key = None
    if not isinstance(key, Ed25519PublicKey):
        raise _damaged(path, "it holds no Ed25519 public key")
    return key


def _hex_key(path: Path) -> bytes:
    try:
        found = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except ValueError:
        found = b""
    if len(found) != 32:
        raise _damaged(path, "it must hold 64 hexadecimal digits")
    return found


def _damaged(path: Path, what: str) -> InputError:
    return StoreRefusedError.of("keys-damaged", str(path), f"{what}: put the file back from the backup of the keys")


def _faults_of(path: Path) -> list[Fault]:
    """What keeps a secret file from being used."""
    try:
        mode = path.lstat().st_mode
        readable = os.access(path, os.R_OK)
    except OSError:
        message = f"{path.name} is not there: name the folder of the keys, or create keys for a new journal"
        return [Fault("keys-missing", str(path), message)]
    if stat.S_ISREG(mode) and mode & (stat.S_IRWXG | stat.S_IRWXO):
        return [Fault(_OPEN_CODE, str(path), f"others may read or change it: chmod 600 {path}")]
    if not readable:
        return [Fault("keys-missing", str(path), "this user may not read it: run the manager as the owner of the keys")]
    return file_faults(path, _OPEN_CODE)


def _writers_of(path: Path) -> list[Fault]:
    """Whether others may put a public key into the folder, whose signatures would then count."""
    try:
        return change_faults(path, path.stat(), _OPEN_CODE)
    except OSError:
        return []  # told of the secret files


def _write_new(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read, and make it last."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
