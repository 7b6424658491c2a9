"""The folder of a witness: its key, its name, and the file of what it has seen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from houseway.errors import InputError
from houseway.proofs.notes import LOG_KEY, WITNESS_KEY, NoteKey
from houseway.witness.seen_heads import SeenHeads

KEY: Final = "witness.pem"
NAME: Final = "name.txt"
HEADS: Final = "heads.db"


def begin_witness(folder: Path, name: str, logs: Sequence[NoteKey]) -> NoteKey:
    """Make the folder of a new witness, with a fresh key, that watches these logs; returns its key."""
    _check_logs(logs)
    secret = Ed25519PrivateKey.generate()
    key = NoteKey(name, WITNESS_KEY, secret.public_key().public_bytes_raw())
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        pem = secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        for file, content in ((KEY, pem), (NAME, f"{name}\n".encode())):
            handle = os.open(folder / file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
    except FileExistsError:
        message = f"there is a witness in {folder} already, and it is never overwritten: name another folder"
        raise InputError.of("keys-exist", "folder", message) from None
    except OSError as error:
        raise InputError.of("unwritable-file", "folder", f"{folder} cannot be written: {error.strerror}") from None
    seen = SeenHeads(folder / HEADS, create=True)
    try:
        for log in logs:
            seen.watch(log)
    finally:
        seen.close()
    return key


def watch_log(folder: Path, logs: Sequence[NoteKey]) -> None:
    """Watch further logs, or further keys of one."""
    _check_logs(logs)
    if not (folder / HEADS).is_file():
        message = f"there is no witness in {folder}: begin one with houseway witness init"
        raise InputError.of("unreadable-file", "folder", message)
    seen = SeenHeads(folder / HEADS)
    try:
        for log in logs:
            seen.watch(log)
    finally:
        seen.close()


def _check_logs(logs: Sequence[NoteKey]) -> None:
    for log in logs:
        if log.kind != LOG_KEY:
            message = f"the key of {log.name} is a witness's: give the log's, as houseway proof key prints it"
            raise InputError.of("bad-choice", "log", message)
