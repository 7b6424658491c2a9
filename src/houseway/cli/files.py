"""Opening what a user names: a file, or `-` for standard input; whatever cannot be read is a fault."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from houseway.errors import InputError


@contextlib.contextmanager
def opened(name: str, path: str) -> Iterator[BinaryIO]:
    """The bytes of a file, or of standard input for `-`."""
    if name == "-":
        if sys.stdin is None:
            raise InputError.of("unreadable-file", path, "standard input is closed: name a file, or pipe a round in")
        yield sys.stdin.buffer
        return
    with contextlib.ExitStack() as stack:
        try:
            stream = stack.enter_context(Path(name).open("rb"))
        except (OSError, ValueError) as error:
            raise unreadable(name, path, error) from error
        yield stream


def unreadable(name: str, path: str, error: Exception) -> InputError:
    """The error for a file that cannot be opened or read."""
    why = "it is not UTF-8 text" if isinstance(error, UnicodeError) else getattr(error, "strerror", None) or str(error)
    return InputError.of("unreadable-file", path, f"{name[:200]} cannot be read: {why}")
