"""Writing a file that a user names: all of it or nothing, whatever goes wrong."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path
from typing import Final

from houseway.errors import InputError, MissingPartError

_NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT, errno.EIO)


def write_whole(name: str, text: str, path: str) -> None:
    """Write a text file in one step, so that no reader ever finds half of it; `path` is the option's name for faults.

    A name that cannot be written to is an InputError, a disk without room a MissingPartError; either way what was there
    before stays as it was.
    """
    target = Path(name)
    try:
        if target.exists() and not target.is_file():
            # A device or a pipe, such as /dev/stdout, has no place to put a finished file into.
            target.write_text(text, encoding="utf-8")
            return
        _write_beside(target, text)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        if isinstance(problem, OSError) and problem.errno in _NO_ROOM:
            size = len(text.encode())
            message = f"{name[:200]} needs {size:,} bytes: {reason}; make room, or name a file elsewhere"
            raise MissingPartError(message) from None
        raise InputError.of("unwritable-file", path, f"{name[:200]} cannot be written: {reason}") from None


def _write_beside(target: Path, text: str) -> None:
    """Write to a file beside the target and then give it the target's name."""
    beside = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        with beside.open("x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise
