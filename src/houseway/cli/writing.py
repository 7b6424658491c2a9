"""Writing a file that a user names: all of it or nothing, whatever goes wrong."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from houseway.errors import InputError, MissingPartError

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


Content = str | bytes | Iterable[str] | Iterable[bytes]
"""What a file holds: a text, which is written in UTF-8, or bytes; whole or in pieces."""


def write_whole(name: str, content: Content, path: str) -> None:
    """Write a file in one step, so that no reader ever finds half of it; `path` is the option's name for faults.

    What comes in pieces is never held as a whole.

    A name that cannot be written to is an InputError, a disk without room a MissingPartError; either way what was there
    before stays as it was.
    """
    target, parts = Path(name), _encoded(content)
    try:
        if target.exists() and not target.is_file():
            # A device or a pipe, such as /dev/stdout, has no place to put a finished file into.
            with target.open("wb") as file:
                file.writelines(parts)
            return
        _write_beside(target, parts)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        if isinstance(problem, OSError) and problem.errno in _NO_ROOM:
            size = f"{len(content):,} bytes" if isinstance(content, str | bytes) else "more room"
            message = f"{name[:200]} needs {size}: {reason}; make room, or name a file elsewhere"
            raise MissingPartError(message) from None
        raise InputError.of("unwritable-file", path, f"{name[:200]} cannot be written: {reason}") from None


def put_out(content: str | bytes) -> None:
    """Write to standard output: bytes as they are, where they lead into a file or a pipe."""
    if isinstance(content, str):
        sys.stdout.write(content)
    elif sys.stdout.isatty():
        raise InputError.of("missing-argument", "out", "this is no text for a terminal: name a file for it")
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)


def check_writable(name: str, path: str) -> None:
    """Refuse a name that cannot be written to, before something is done that only its file shows."""
    target = Path(name)
    there = target if target.exists() else target.parent
    if target.is_dir() or not there.exists() or not os.access(there, os.W_OK):
        raise InputError.of("unwritable-file", path, f"{name[:200]} cannot be written: name a file that can be")


def _encoded(content: Content) -> Iterable[bytes]:
    whole = [content] if isinstance(content, str | bytes) else content
    return (part.encode() if isinstance(part, str) else part for part in whole)


def _write_beside(target: Path, parts: Iterable[bytes]) -> None:
    """Write to a file beside the target and then give it the target's name."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        with beside.open("xb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
