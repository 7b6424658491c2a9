"""Looking through the cache: what lies there, whether it is whole, and removing what nobody needs.

Only files that the cache itself writes are seen, so that a folder shared with other things is safe.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from houseway import __version__
from houseway.odds.running.cache import JOBS, PART_SUFFIX, TABLE_SUFFIX, TABLES, UNFINISHED, Cache, read_part
from houseway.odds.running.cache_format import DamagedError, OtherFormatError, check_data, read_header

_LEFT_OVER_SECONDS: Final = 3600
"""How old an unfinished file must be before it is taken for one that nobody is writing."""


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """One entry as it lies on the disk."""

    path: Path
    kind: Literal["tables", "job", "unfinished"]
    name: str
    key: Mapping[str, str]
    size: int
    used: float
    """When it was used last, in seconds since 1970."""
    version: str | None = None
    """The version of houseway that wrote it; None where that cannot be read."""
    parts: int | None = None
    """For a job: how many parts are kept."""
    problem: str | None = None
    """Why it cannot be read."""

    @property
    def outdated(self) -> bool:
        """Whether this version of houseway has no use for it."""
        return self.version != __version__

    def to_json(self) -> dict[str, Any]:
        """The entry as the command line prints it."""
        return {
            "path": str(self.path),
            "kind": self.kind,
            "name": self.name,
            "key": dict(self.key),
            "bytes": self.size,
            "used": int(self.used),
            "version": self.version,
            "parts": self.parts,
            "problem": self.problem,
        }

    def remove(self) -> None:
        """Take it off the disk; whoever has it open keeps it."""
        if self.kind == "job":
            shutil.rmtree(self.path, ignore_errors=True)
        else:
            self.path.unlink(missing_ok=True)


def entries(cache: Cache) -> list[CacheEntry]:
    """All entries, the largest first."""
    found = [*_tables(cache.folder / TABLES), *_jobs(cache.folder / JOBS)]
    return sorted(found, key=lambda entry: (-entry.size, str(entry.path)))


def _tables(folder: Path) -> Iterator[CacheEntry]:

    for path in sorted(folder.glob(f"*{UNFINISHED}")):
        status = path.stat()
        yield CacheEntry(path, "unfinished", path.name.rpartition("-")[0], {}, status.st_size, status.st_mtime)
    for path in sorted(folder.glob(f"*{TABLE_SUFFIX}")):
        status = path.stat()
        try:
            header = read_header(path)
        except (DamagedError, OSError, ValueError, KeyError) as error:
            name = path.stem.rpartition("-")[0]
            yield CacheEntry(path, "tables", name, {}, status.st_size, status.st_mtime, problem=str(error))
        else:
            yield CacheEntry(
                path, "tables", header.name, header.key, status.st_size, status.st_mtime, version=header.version
            )


def _jobs(folder: Path) -> Iterator[CacheEntry]:
    for path in sorted(folder.glob("*-*/")):
        files = [file for file in path.iterdir() if file.name.endswith((PART_SUFFIX, UNFINISHED))]
        size = sum(file.stat().st_size for file in files)
        parts = [file for file in files if file.name.endswith(PART_SUFFIX)]
        content = next((content for file in parts if (content := read_part(file)) is not None), None)
        name, used = path.name.rpartition("-")[0], path.stat().st_mtime
        if content is None:
            problem = "none of its parts can be read"
            yield CacheEntry(path, "job", name, {}, size, used, parts=len(parts), problem=problem)
        else:
            key, version = content["key"], content["version"]
            yield CacheEntry(path, "job", content["name"], key, size, used, version=version, parts=len(parts))


def damage(entry: CacheEntry) -> list[str]:
    """What is wrong with an entry when everything in it is compared with its hashes; empty if it is whole."""
    if entry.kind == "unfinished":
        return []
    if entry.kind == "job":
        parts = sorted(entry.path.glob(f"*{PART_SUFFIX}"))
        return [f"{part}: the hash does not fit" for part in parts if read_part(part) is None]
    try:
        check_data(entry.path, read_header(entry.path))
    except OtherFormatError:
        return []
    except (DamagedError, OSError, ValueError, KeyError) as error:
        return [f"{entry.path}: {error}"]
    return []


def prunable(
    cache: Cache, *, now: float, everything: bool = False, unused_seconds: float | None = None
) -> list[CacheEntry]:
    """The entries to remove: all, those not used for so long, or else those that this version cannot use.

    Unfinished files that a running process may still be writing stay in any case.
    """
    chosen = []
    for entry in entries(cache):
        age = now - entry.used
        if entry.kind == "unfinished":
            wanted = age > _LEFT_OVER_SECONDS
        elif unused_seconds is not None:
            wanted = age > unused_seconds
        else:
            wanted = everything or entry.outdated
        if wanted:
            chosen.append(entry)
    return chosen
