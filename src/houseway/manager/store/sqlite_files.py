"""The files of a journal on SQLite: nobody else's, no links, and no rollback journal that SQLite would play back.

A journal is kept with a write-ahead log alone. Whoever puts a `-journal` file beside it has SQLite itself write old or
made-up pages over it at the next start, before anybody looks; whoever may write the file or its log needs no start.
"""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path
from typing import Final

from houseway.errors import Fault
from houseway.manager.store.guarded_files import file_faults
from houseway.manager.store.store_errors import StoreRefusedError

_BESIDE: Final = ("-wal", "-shm")
"""What SQLite puts beside a database that has a write-ahead log."""
_ROLLBACK: Final = "-journal"
_CODE: Final = "database-open"
_MOMENT: Final = 0.2


def check_files(path: Path) -> None:
    """Refuse a database that others may write or exchange, and one with a rollback journal beside it."""
    check_no_rollback(path)
    faults = [fault for each in (path, *(_beside(path, end) for end in _BESIDE)) for fault in file_faults(each, _CODE)]
    faults += _faults_of_folder(path.resolve().parent)
    if faults:
        raise StoreRefusedError(faults)


def check_no_rollback(path: Path) -> None:
    """Refuse a database beside which a rollback journal lies, before SQLite plays it back."""
    found = _beside(path, _ROLLBACK)
    if os.path.lexists(found):
        # There is one for a moment where another process gives a new or restored database its log.
        time.sleep(_MOMENT)
    if os.path.lexists(found):
        message = (
            "a rollback journal lies beside the database, and SQLite would write its pages over what is there. "
            f"Houseway leaves none: keep copies of {path.name} and {found.name} as evidence, move {found.name} away, "
            "and verify the database before it is served (docs/operations.md)"
        )
        raise StoreRefusedError.of(_CODE, str(found), message)


def files_beside(path: Path) -> list[Path]:
    """All that SQLite may keep beside a database, or play back over it."""
    return [_beside(path, end) for end in (*_BESIDE, _ROLLBACK)]


def _beside(path: Path, end: str) -> Path:
    """A file that SQLite keeps beside a database: next to the file itself, wherever a link to it lies."""
    real = path.resolve()
    return real.with_name(f"{real.name}{end}")


def _faults_of_folder(folder: Path) -> list[Fault]:
    """In a folder where everybody may write and remove, any file can be exchanged."""
    try:
        mode = folder.stat().st_mode
    except OSError:
        return []  # told by whoever opens the file
    if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
        return [Fault(_CODE, str(folder), f"everybody may exchange its files: chmod o-w {folder}")]
    return []
