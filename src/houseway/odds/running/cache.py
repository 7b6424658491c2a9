"""The cache: tables that take seconds to build and parts of long jobs, kept between runs in one folder.

An entry's file name carries a hash over its name, its key and the version of the format. The key says everything that
decides the content (the fingerprints of rules and ways), so that a changed rule never meets a stale table. Every file
is checked by its hashes when a process opens it for the first time; a damaged one is told and built again. Files appear
under their name only when they are complete.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from houseway import __version__
from houseway.errors import MissingPartError
from houseway.odds.running import cache_format

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]
"""What a part of a job may return: all that JSON can say, with integers of any size."""

CACHE_VARIABLE: Final = "HOUSEWAY_CACHE"
TABLES: Final = "tables"
JOBS: Final = "jobs"
PARTS_FORMAT: Final = 1
TABLE_SUFFIX: Final = ".table"
PART_SUFFIX: Final = ".json"
UNFINISHED: Final = ".unfinished"

# Files that this process has checked, or written itself: place, inode and size.
_checked: set[tuple[str, int, int]] = set()


def default_folder() -> Path:
    """Where the cache is unless somebody says otherwise."""
    if chosen := os.environ.get(CACHE_VARIABLE):
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The specification of these folders has relative paths ignored.
    return (Path(base) if base.startswith("/") else Path.home() / ".cache") / "houseway"


def entry_name(name: str, key: Mapping[str, str], version: int) -> str:
    """The file or folder name of an entry: its own name and a hash over all that decides its content."""
    told = json.dumps([name, dict(key), version], sort_keys=True)
    return f"{name}-{hashlib.sha256(told.encode()).hexdigest()[:24]}"


class Cache:
    """The folder of kept tables and job parts; `say` is called with a sentence where somebody should know."""

    def __init__(self, folder: Path | None = None, say: Callable[[str], None] | None = None) -> None:
        """Use this folder, or the one that the environment names; it is made when something is kept."""
        self.folder = (default_folder() if folder is None else folder).absolute()
        self._say = say

    def say(self, message: str) -> None:
        """Tell whoever listens."""
        if self._say is not None:
            self._say(message)

    def arrays(self, name: str, key: Mapping[str, str], build: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
        """The arrays of an entry as read-only memory maps; built, checked and kept if they are not there.

        Only one process builds; the others wait for it and read what it wrote.
        """
        path = self.folder / TABLES / (entry_name(name, key, cache_format.FORMAT) + TABLE_SUFFIX)
        found = self._opened(path, lambda _: None)
        if found is not None:
            return found
        with self._locked(path):
            # Another process may have built it meanwhile; damage is told by the one who repairs it.
            found = self._opened(path, self.say)
            if found is not None:
                return found
            for left_over in path.parent.glob(f"{path.name}.*{UNFINISHED}"):
                left_over.unlink(missing_ok=True)
            built = build()
            needed = cache_format.needed_bytes(built)
            with self._written(path, needed) as file:
                cache_format.write_file(file, name, key, built)
            _checked.add(_identity(path))
            return cache_format.map_arrays(path, cache_format.read_header(path))

    def _opened(self, path: Path, say: Callable[[str], None]) -> dict[str, Any] | None:
        """The arrays of a file that is there and whole, else None; damage is told."""
        try:
            header = cache_format.read_header(path)
            if _identity(path) not in _checked:
                cache_format.check_data(path, header)
                _checked.add(_identity(path))
            arrays = cache_format.map_arrays(path, header)
        except FileNotFoundError:
            return None
        except (cache_format.DamagedError, OSError, ValueError, KeyError) as error:
            say(f"the cache file {path} is damaged ({error}): it is built again")
            return None
        _note_use(path)
        return arrays

    # ---------------------------------------------------------------- parts of jobs

    def parts_folder(self, name: str, key: Mapping[str, str]) -> Path:
        """The folder in which a job's finished parts are kept."""
        return self.folder / JOBS / entry_name(name, key, PARTS_FORMAT)

    def keep_part(self, name: str, key: Mapping[str, str], number: int, result: JsonValue) -> None:
        """Keep the result of a finished part."""
        path = self.parts_folder(name, key) / f"{number}{PART_SUFFIX}"
        content = {
            "format": PARTS_FORMAT,
            "version": __version__,
            "name": name,
            "key": dict(key),
            "part": number,
            "result": result,
        }
        text = json.dumps({"hash": _hash_of(content), **content}, sort_keys=True).encode()
        with self._written(path, len(text)) as file:
            file.write(text)

    def kept_parts(self, name: str, key: Mapping[str, str]) -> dict[int, JsonValue]:
        """The results of the parts that are finished, by number; damaged ones are told and left out."""
        kept: dict[int, JsonValue] = {}
        folder = self.parts_folder(name, key)
        for path in sorted(folder.glob(f"*{PART_SUFFIX}")):
            if (content := read_part(path)) is None or content["key"] != dict(key):
                self.say(f"the kept part {path} is damaged: it is computed again")
            else:
                kept[content["part"]] = content["result"]
        if kept:
            _note_use(folder)
        return kept

    def forget_parts(self, name: str, key: Mapping[str, str]) -> None:
        """Remove a job's kept parts."""
        shutil.rmtree(self.parts_folder(name, key), ignore_errors=True)

    # ---------------------------------------------------------------- writing

    @contextlib.contextmanager
    def _written(self, path: Path, needed: int) -> Iterator[Any]:
        """A file that appears under its name when all is written, and leaves nothing behind otherwise."""
        unfinished: Path | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            unfinished = path.with_name(f"{path.name}.{os.getpid()}-{threading.get_ident()}{UNFINISHED}")
            with unfinished.open("w+b") as file:
                yield file
            unfinished.replace(path)
            unfinished = None
        except OSError as error:
            raise self._unusable(error, needed) from error
        finally:
            if unfinished is not None:
                unfinished.unlink(missing_ok=True)

    @contextlib.contextmanager
    def _locked(self, path: Path) -> Iterator[None]:
        """Hold the right to build a file; the lock goes with the process that holds it, however that ends."""
        lock = path.with_suffix(".lock")
        try:
            lock.parent.mkdir(parents=True, exist_ok=True)
            descriptor = _take_lock(lock)
        except OSError as error:
            raise self._unusable(error, 0) from error
        try:
            yield
        finally:
            lock.unlink(missing_ok=True)
            os.close(descriptor)

    def _unusable(self, error: OSError, needed: int) -> MissingPartError:
        amount = f"{needed:,} bytes" if needed else "a file"
        return MissingPartError(
            f"the cache folder {self.folder} could not take {amount} ({error.strerror or error}): free some space "
            f"there (houseway cache prune), or name another folder in {CACHE_VARIABLE}"
        )


def _take_lock(lock: Path) -> int:
    """Wait for the lock; one that was removed while we waited for it is asked for again."""
    while True:
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(descriptor), lock.stat()):
                return descriptor
        os.close(descriptor)


def _identity(path: Path) -> tuple[str, int, int]:
    status = path.stat()
    return str(path), status.st_ino, status.st_size


def _note_use(path: Path) -> None:
    """Let the file's date tell when it was used last; a cache that may only be read keeps its dates."""
    with contextlib.suppress(OSError):
        os.utime(path)


def _hash_of(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def read_part(path: Path) -> dict[str, Any] | None:
    """The content of a kept part, or None if it is damaged."""
    try:
        content = json.loads(path.read_bytes())
        promised = content.pop("hash")
        whole = promised == _hash_of(content) and content["format"] == PARTS_FORMAT and "version" in content
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    return content if whole and path.stem == str(content["part"]) else None
