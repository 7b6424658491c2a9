"""The writing of proofs: hashes and numbers in one form only, so that no second text says the same."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable
from typing import Final

from houseway.errors import InputError
from houseway.proofs.merkle import HASH_BYTES

MOST_LEAVES: Final = 2**53
"""Beyond any journal; numbers up to here are the same in every program."""
LONGEST_PATH: Final = 63
"""Hashes that a path may have."""
_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,15}")


def malformed(what: str, message: str) -> InputError:
    """The refusal of a text that is not written as it must be."""
    return InputError.of("proof-malformed", what, message)


def encoded(data: bytes) -> str:
    """Bytes in base64."""
    return base64.b64encode(data).decode()


def decoded(text: str, what: str) -> bytes:
    """Bytes from base64, which has one form only: padded, and with nothing in the bits that mean nothing."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if not data or encoded(data) != text:
        raise malformed(what, f"{text[:60]!r} is not base64 as it must be written")
    return data


def read_number(text: str, what: str) -> int:
    """A whole number, without zeros before it."""
    if _NUMBER.fullmatch(text) is None or int(text) > MOST_LEAVES:
        raise malformed(what, f"{text[:60]!r} is not a whole number up to 2**53, without zeros before it")
    return int(text)


def read_hash(text: str, what: str) -> bytes:
    """A hash of 32 bytes."""
    found = decoded(text, what)
    if len(found) != HASH_BYTES:
        raise malformed(what, f"a hash has {HASH_BYTES} bytes, this one {len(found)}")
    return found


def read_path(lines: Iterable[str]) -> tuple[bytes, ...]:
    """The hashes of a path, one a line."""
    path = tuple(read_hash(line, "path") for line in lines)
    if len(path) > LONGEST_PATH:
        raise malformed("path", f"a path has at most {LONGEST_PATH} hashes, this one {len(path)}")
    return path


def lined(*lines: str) -> str:
    """Lines as a text, each with its end."""
    return "".join(f"{line}\n" for line in lines)


def split_head(text: str, what: str) -> tuple[list[str], str]:
    """The lines before the first empty one, and the text behind it, where a signed head stands."""
    before, gap, rest = text.partition("\n\n")
    if not gap:
        raise malformed(what, "there is no empty line with a signed head behind it")
    return before.split("\n"), rest
