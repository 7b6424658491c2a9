"""Where games come from: those that ship, packages that are installed beside Houseway, and folders that are named.

A source is a folder of TOML files in four parts: `definitions` (one file a game), `clauses` (one a rule sheet),
`paytables` (one a table) and `ways` (one a house way). A package names its source by an entry point of the group
`houseway.games`; a user names folders in the environment variable `HOUSEWAY_GAMES`. Of a package nothing but these
files is read: none of its code is run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from houseway.errors import Fault, InputError

GROUP: Final = "houseway.games"
"""The entry points by which packages name their games."""
VARIABLE: Final = "HOUSEWAY_GAMES"
"""The environment variable that names folders of games, as PATH names folders of programs."""
PARTS: Final = ("definitions", "clauses", "paytables", "ways")
"""The folders of a source; the first is there in every one."""


@dataclass(frozen=True, slots=True)
class Source:
    """A folder of files that belong together; a part that it does not have is an empty one."""

    name: str
    """What messages call it."""
    folder: Path

    def files(self, part: str) -> dict[str, Path]:
        """The files of one part by their stems, sorted."""
        return {file.stem: file for file in sorted((self.folder / part).glob("*.toml"))}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something from outside that is not used, and why; everything else is used as if it were not there."""

    source: str
    name: str
    """The id of the game, sheet, pay table or house way; empty for a whole source."""
    faults: tuple[Fault, ...]

    def to_json(self) -> dict[str, Any]:
        """The refusal as `houseway games --json` prints it."""
        return {"source": self.source, "id": self.name, "faults": [fault.to_json() for fault in self.faults]}

    def error(self) -> InputError:
        """The refusal as an error, for somebody who asks for what was refused."""
        return InputError(self.faults)


SHIPPED: Final = Source("Houseway", Path(__file__).parent / "rules")
"""The games that ship."""


def outside() -> tuple[Source, ...]:
    """The sources beside the shipped one: installed packages, then the folders that were named."""
    return _outside()[0]


def refused_sources() -> tuple[Refusal, ...]:
    """The packages and folders that say that they hold games and do not."""
    return _outside()[1]


def add_folder(folder: str | Path) -> Source:
    """Add a folder's games to this process and those that it starts; InputError if it is not a folder of games."""
    path = Path(folder).absolute()
    found = _folder(path)
    if isinstance(found, Refusal):
        raise found.error()
    named = _named()
    if str(path) not in named:
        # Worker processes take the environment over, and then play the same games.
        os.environ[VARIABLE] = os.pathsep.join([*named, str(path)])
    return found


def outside_files(part: str) -> tuple[dict[str, tuple[Source, Path]], tuple[Refusal, ...]]:
    """The files of one part of all sources from outside, by their stems, and those that bear an id twice.

    An id of a shipped file stays what ships. Of two files from outside neither is used: which one would be depends on
    the machine.
    """
    shipped = SHIPPED.files(part)
    every: dict[str, list[tuple[Source, Path]]] = {}
    for source in outside():
        for stem, path in source.files(part).items():
            every.setdefault(stem, []).append((source, path))
    found: dict[str, tuple[Source, Path]] = {}
    refused: list[Refusal] = []
    for stem, homes in every.items():
        if stem not in shipped and len(homes) == 1:
            found[stem] = homes[0]
            continue
        for source, path in homes:
            others = [f"{other.name} ({there})" for other, there in homes if there != path]
            elsewhere = [SHIPPED.name] * (stem in shipped) + others
            message = f"{stem} is also in {' and '.join(elsewhere)}: give it another id, or take one of them away"
            refused.append(Refusal(source.name, stem, (Fault("duplicate-id", str(path), message),)))
    return found, tuple(refused)


def _named() -> tuple[str, ...]:
    return tuple(word for word in os.environ.get(VARIABLE, "").split(os.pathsep) if word)


def _outside() -> tuple[tuple[Source, ...], tuple[Refusal, ...]]:
    return _found(_named(), tuple(sys.path))


@lru_cache(maxsize=8)
def _found(named: tuple[str, ...], path: tuple[str, ...]) -> tuple[tuple[Source, ...], tuple[Refusal, ...]]:
    found = [*_packages(path), *(_folder(Path(word).absolute()) for word in dict.fromkeys(named))]
    # A folder that is both installed and named is one source.
    sources = tuple({each.folder: each for each in reversed(found) if isinstance(each, Source)}.values())[::-1]
    return sources, tuple(each for each in found if isinstance(each, Refusal))


def _folder(folder: Path, name: str = "") -> Source | Refusal:
    """The source in a folder, or why there is none."""
    name = name or f"the folder {folder}"
    if not (folder / PARTS[0]).is_dir():
        message = (
            f"{name} holds no games: put the definition of each into a folder `{PARTS[0]}` in it, "
            f"beside `{'`, `'.join(PARTS[1:])}`"
        )
        return Refusal(name, "", (Fault("games-folder", str(folder), message),))
    return Source(name, folder)


def _packages(path: tuple[str, ...]) -> Iterator[Source | Refusal]:
    """What installed packages name, by the names of their entry points."""
    if not any(map(_has_games, path)):
        return
    # Slow to import, and most machines have no games but the shipped ones.
    from importlib.metadata import entry_points
    from importlib.util import find_spec

    for entry in sorted(entry_points(group=GROUP), key=lambda entry: (entry.name, entry.value)):
        name = f"the package {entry.module.partition('.')[0]}"
        try:
            spec = find_spec(entry.module)
        except (ImportError, ValueError):
            spec = None
        where = list(spec.submodule_search_locations or ()) if spec is not None else []
        if not where:
            message = f"the entry point {entry.name} of {GROUP} names {entry.value}, which is not a package in a folder"
            yield Refusal(name, "", (Fault("games-folder", entry.name, message),))
            continue
        yield _folder(Path(where[0], *filter(None, entry.attr.split("."))), name)


def _has_games(folder: str) -> bool:
    """Whether some package in a folder of packages names games: a quick look, to spare most runs the slow one."""
    mark = GROUP.encode()
    try:
        with os.scandir(folder or ".") as entries:
            packages = [entry.path for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))]
    except OSError:
        # Not there, or an archive, whose packages have no folder to read.
        return False
    for package in packages:
        try:
            if mark in Path(package, "entry_points.txt").read_bytes():
                return True
        except OSError:
            continue
    return False
