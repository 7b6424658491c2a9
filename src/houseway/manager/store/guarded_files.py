"""Files that nobody else may change: plain files of this user, without links behind which another can be put."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

from houseway.errors import Fault

OTHERS_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH


def file_faults(path: Path, code: str) -> list[Fault]:
    """What lets others change a file, or put another in its place; nothing of one that is not there."""
    try:
        found = path.lstat()
    except OSError:
        return []
    if not stat.S_ISREG(found.st_mode):
        what = "a link" if stat.S_ISLNK(found.st_mode) else "no plain file"
        return [Fault(code, str(path), f"it is {what}, behind which others can put another: name the file itself")]
    return change_faults(path, found, code)


def change_faults(path: Path, found: os.stat_result, code: str) -> list[Fault]:
    """Whether somebody else owns a file or a folder, or may write it."""
    if found.st_uid not in (os.geteuid(), 0):
        return [Fault(code, str(path), f"it belongs to the user {found.st_uid}: run as its owner, or chown it")]
    if found.st_mode & OTHERS_WRITE:
        return [Fault(code, str(path), f"others may change it: chmod go-w {path}, and look what lies there")]
    return []
