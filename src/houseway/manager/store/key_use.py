"""Whether somebody works with a key folder: a manager holds it for as long as it is open.

A signing key that is replaced under a running server would be announced by the next start of any other process, and the
server would stop in the middle of play. So a new one is drawn only while nobody holds the folder. The operating system
lets go of what a dead process held. Copies of the folder on other machines are not seen.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from houseway.manager.store.store_errors import StoreRefusedError


def hold_keys(folder: Path) -> Callable[[], None]:
    """Hold a key folder beside others who do; returns what lets it go. Refused while a new key is being drawn."""
    try:
        handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return lambda: None  # whoever loads the keys says what is wrong with the folder
    if not _is_locked(handle, fcntl.LOCK_SH):
        os.close(handle)
        message = "a new signing key is being drawn there: start again when that is done"
        raise StoreRefusedError.of("keys-in-use", str(folder), message)
    left = [handle]

    def let_go() -> None:
        while left:
            os.close(left.pop())

    return let_go


@contextmanager
def alone_with_keys(folder: Path) -> Iterator[None]:
    """Have a key folder to oneself; refused while a manager holds it."""
    handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if not _is_locked(handle, fcntl.LOCK_EX):
            message = "a server or a command of the manager works with these keys: end it, then draw the new key"
            raise StoreRefusedError.of("keys-in-use", str(folder), message)
        yield
    finally:
        os.close(handle)


def _is_locked(handle: int, how: int) -> bool:
    """Whether the lock was given; where folders cannot be locked, nobody is kept out."""
    try:
        fcntl.flock(handle, how | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
