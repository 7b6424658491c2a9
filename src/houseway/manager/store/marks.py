"""Marks: signed notes of how far a journal had come, kept wherever the journal is not.

A mark is a checkpoint of the journal with the journal's id, which is signed with it. The key folder's anchor is one, an
auditor copies one off the machine, and every client keeps the highest that it has seen. Whoever presents a mark with a
valid signature that the journal does not have proves that the journal went back: only the property's key can have
signed it.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec

from houseway.manager.core.records import canonical
from houseway.manager.store.journal import Checkpoint, signed_text
from houseway.manager.store.store_errors import StoreRefusedError

T = TypeVar("T")
ANCHOR: Final = "anchor.json"
_LONGEST: Final = 10_000


class Mark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far a journal had come: the last event's number and hash, as its checkpoint signs them."""

    journal: str
    seq: int
    hash: str
    first: int
    """The first event of the group that was signed together."""
    at: int
    key_id: str
    signature: str

    @classmethod
    def of(cls, journal: str, checkpoint: Checkpoint) -> Mark:
        """The mark that a checkpoint makes."""
        return cls(
            journal, checkpoint.seq, checkpoint.hash, checkpoint.first, checkpoint.at, checkpoint.key_id,
            checkpoint.signature,
        )  # fmt: skip

    def text(self) -> bytes:
        """What was signed."""
        return signed_text(self.journal, self.first, self.seq, self.hash, self.at)

    def to_json(self) -> dict[str, Any]:
        """The mark as it goes over the wire and into files."""
        return msgspec.structs.asdict(self)


def mark_from(value: object) -> Mark | None:
    """A mark from plain data; None if it is none."""
    try:
        return msgspec.convert(value, Mark)
    except msgspec.ValidationError:
        return None


def read_mark(path: Path) -> Mark | None:
    """The mark in a file, None if there is no file; refused if the file holds no mark."""
    return read_as(Mark, path)


def read_as(kind: type[T], path: Path) -> T | None:
    """What a file of marks holds, None if there is no file; refused if it holds something else."""
    try:
        with path.open("rb") as file:
            text = file.read(_LONGEST)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StoreRefusedError.of("unreadable-file", str(path), f"it cannot be read: {error.strerror}") from None
    try:
        return msgspec.json.decode(text, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError):
        message = "it holds no mark of a journal: verify the journal with another one, then remove this file"
        raise StoreRefusedError.of("anchor-damaged", str(path), message) from None


def write_mark(path: Path, mark: Mark) -> None:
    """Keep a mark; the file is whole at every moment, and lasts."""
    write_whole(path, canonical(mark) + b"\n")


def write_whole(path: Path, text: bytes) -> None:
    """Put a text into a file in place of what it held: whole at every moment, and on the disk."""
    part = path.with_name(f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def read_anchor(folder: Path) -> Mark | None:
    """The anchor of a key folder, or None if none was ever written."""
    return read_mark(folder / ANCHOR)


def write_anchor(folder: Path, mark: Mark) -> None:
    """Note in the key folder how far the journal has come."""
    write_mark(folder / ANCHOR, mark)
