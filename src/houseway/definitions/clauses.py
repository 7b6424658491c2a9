"""The register of clauses: what every clause of the rule sheets demands, in our own words, under a stable id.

An id is `sheet/section/number`, e.g. `6cfpgp/rules/7.a.i`. The texts lie in the `clauses` of a source, one file a
sheet; a value given for a sheet or a section (document, edition, games, numbered) holds for the clauses below it unless
they say otherwise. A sheet from outside is about games of its own source. docs/clauses.md explains sheets, sections and
kinds.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from houseway.errors import Fault, InputError
from houseway.sources import SHIPPED, Refusal, Source, outside, outside_files, read_text
from houseway.wording import suggestion

OF_THE_GAMES: Final = ("settlement", "deal", "wager", "house-way", "paytable")
"""Kinds of clauses that the pure functions of this package carry out."""
OF_THE_MANAGER: Final = ("control", "link", "paper")
"""Kinds of clauses that the Game Manager carries out."""
TESTABLE_KINDS: Final = (*OF_THE_GAMES, *OF_THE_MANAGER)
"""Kinds of clauses that a program carries out, so that a test can show it."""

KINDS: Final = (*TESTABLE_KINDS, "due", "definition", "information")
DUE_WITH: Final = ("game-manager", "operator")

_INHERITED: Final = ("document", "edition", "games", "numbered")
_SHEET_KEYS: Final = frozenset({"sheet", "document", "edition", "games", "section"})
_SECTION_KEYS: Final = frozenset({"id", "title", "clause", *_INHERITED})
_CLAUSE_KEYS: Final = frozenset({"number", "kind", "text", "due_with", "due_part", *_INHERITED})
_OPTIONAL_TEXTS: Final = ("due_with", "due_part")
_WORD: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_NUMBER: Final = re.compile(rf"{_WORD.pattern}(\.{_WORD.pattern})*")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of a rule sheet."""

    id: str
    sheet: str
    section: str
    number: str
    heading: str
    """The title of the section."""
    text: str
    """What the clause demands, in our own words."""
    document: str
    edition: str
    """The dates of the editions that hold the clause."""
    numbered: bool
    """Whether the sheet prints this number; otherwise it is ours."""
    kind: str
    due_with: str | None
    """Who answers for a clause of the kind `due`, or for the `due_part` of another."""
    due_part: str | None
    """The share of a testable clause that no code carries out."""
    games: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The clause as the command line prints it."""
        return {**asdict(self), "games": list(self.games)}


def clauses() -> tuple[Clause, ...]:
    """All clauses, by sheet, and within a sheet in its order; those of the shipped sheets first."""
    return _register(outside()).clauses


def refused_sheets() -> tuple[Refusal, ...]:
    """The sheets from outside that are not used."""
    return _register(outside()).refused


class _Register(NamedTuple):
    """All clauses, the same by their ids, and the sheets from outside that are not used."""

    clauses: tuple[Clause, ...]
    by_id: Mapping[str, Clause]
    refused: tuple[Refusal, ...]


@cache
def _shipped() -> tuple[Clause, ...]:
    return load_clauses(SHIPPED.folder / "clauses", tuple(SHIPPED.files("definitions")))


@lru_cache(maxsize=8)
def _register(_sources: tuple[Source, ...]) -> _Register:
    """The register with the sound sheets of these sources from outside."""
    files, refused = outside_files("clauses")
    found = list(_shipped())
    faulty = list(refused)
    for stem, (source, path) in files.items():
        reader = _Reader(tuple(source.files("definitions")))
        reader.read_file(path, str(path))
        if reader.faults:
            faulty.append(Refusal(source.name, stem, tuple(reader.faults)))
        else:
            found += reader.clauses.values()
    return _Register(tuple(found), {each.id: each for each in found}, tuple(faulty))


def clause(clause_id: str) -> Clause:
    """The clause of that id; InputError (code `unknown-clause`) if there is none.

    >>> clause("6cfpgp/rules/7.c").text
    'Two comparisons lost: the main wager is lost.'
    """
    register = _register(outside()).by_id
    found = register.get(clause_id)
    if found is None:
        shown = clause_id[:80]
        hint = suggestion(shown, register) if "/" in shown else "ids look like 6cfpgp/rules/7.a.i"
        raise InputError.of("unknown-clause", "clause", f"{shown!r} is no clause of the register: {hint[:200]}")
    return found


def to_json() -> dict[str, Any]:
    """The whole register."""
    return {"clauses": [each.to_json() for each in clauses()]}


def load_clauses(folder: Path, games: tuple[str, ...]) -> tuple[Clause, ...]:
    """Read and check every register file of a folder; InputError (code `bad-clause-file`) with all that is wrong.

    `games` are those that clauses may be about.
    """
    reader = _Reader(games)
    for path in sorted(folder.glob("*.toml")):
        reader.read_file(path, path.name)
    if not reader.clauses:
        reader.blame(str(folder), "no clause was found here: a register needs at least one")
    if reader.faults:
        raise InputError(reader.faults)
    return tuple(reader.clauses.values())


class _Reader:
    """Reads register files and notes everything that is wrong with them."""

    def __init__(self, games: tuple[str, ...]) -> None:
        self.games = games
        self.faults: dict[Fault, None] = {}
        self.clauses: dict[str, Clause] = {}

    def blame(self, place: str, message: str) -> None:
        self.faults[Fault("bad-clause-file", place, message)] = None

    def read_file(self, path: Path, name: str) -> None:
        """Read one sheet; messages call its file `name`."""
        try:
            sheet = tomllib.loads(read_text(path, code="bad-clause-file"))
        except (ValueError, RecursionError) as error:
            # An InputError, too, is a ValueError.
            self.blame(name, f"the file cannot be read as TOML: {error}")
            return
        self._check_keys(sheet, _SHEET_KEYS, name)
        if sheet.get("sheet") != path.stem:
            self.blame(name, f'`sheet` must be "{path.stem}", the name of the file')
        for place, section in self._tables(sheet.get("section"), "section", name):
            self._read_section((path.stem, name), sheet, section, place)

    def _read_section(
        self, of: tuple[str, str], sheet: Mapping[str, Any], section: Mapping[str, Any], place: str
    ) -> None:
        sheet_id, file = of
        self._check_keys(section, _SECTION_KEYS, place)
        name = self._text(section, "id", place)
        if name and not _WORD.fullmatch(name):
            self.blame(place, f"a section's id is lower-case words joined by hyphens, not {name!r}")
        where = f"{file}: {name or place}"
        heading = self._text(section, "title", where)
        above = {key: level[key] for level in (sheet, section) for key in _INHERITED if key in level}
        for clause_place, entry in self._tables(section.get("clause"), "clause", where):
            self._check_keys(entry, _CLAUSE_KEYS, clause_place)
            number = self._text(entry, "number", clause_place)
            if number and not _NUMBER.fullmatch(number):
                self.blame(clause_place, f"a number is lower-case words or digits joined by dots, not {number!r}")
            where_clause = f"{where}/{number}" if number else clause_place
            self._add((sheet_id, name, number, heading), {**above, **entry}, where_clause)

    def _add(self, names: tuple[str, str, str, str], entry: Mapping[str, Any], place: str) -> None:
        sheet, section, number, heading = names
        due_with, due_part = (self._text(entry, key, place) if key in entry else None for key in _OPTIONAL_TEXTS)
        made = Clause(
            id=f"{sheet}/{section}/{number}",
            sheet=sheet,
            section=section,
            number=number,
            heading=heading,
            text=self._text(entry, "text", place),
            document=self._text(entry, "document", place),
            edition=self._text(entry, "edition", place),
            numbered=self._numbered(entry, place),
            kind=self._text(entry, "kind", place),
            due_with=due_with,
            due_part=due_part,
            games=self._games(entry, place),
        )
        self._check_kind(made, place)
        if section and number and made.id in self.clauses:
            self.blame(place, f"{made.id} is registered twice: ids are unique")
        self.clauses[made.id] = made

    def _check_kind(self, made: Clause, place: str) -> None:
        if made.kind and made.kind not in KINDS:
            self.blame(place, f"{made.kind!r} is no kind of clause: {suggestion(made.kind, KINDS)}")
        if made.kind == "due" and made.due_with not in DUE_WITH:
            self.blame(place, f"a clause of the kind due says `due_with`, one of {', '.join(DUE_WITH)}")
        if made.kind != "due" and made.due_with is not None and made.due_part is None:
            self.blame(place, "`due_with` is for clauses of the kind due; describe a share of a clause in `due_part`")
        if made.due_part is not None and made.due_with not in DUE_WITH:
            self.blame(place, f"a clause with a `due_part` says `due_with`, one of {', '.join(DUE_WITH)}")
        if made.kind not in TESTABLE_KINDS and made.due_part is not None:
            self.blame(place, f"`due_part` is for clauses of these kinds: {', '.join(TESTABLE_KINDS)}")
        if made.kind != "information" and not made.games:
            self.blame(place, "`games` names at least one game, unless the clause is information only")

    def _games(self, entry: Mapping[str, Any], place: str) -> tuple[str, ...]:
        games = entry.get("games")
        if not isinstance(games, list) or not all(isinstance(game, str) for game in games):
            self.blame(place, "`games` must be a list of game ids")
            return ()
        for game in games:
            if game not in self.games:
                self.blame(place, f"{game!r} is no game of this source: {suggestion(game, self.games)}")
        return tuple(games)

    def _numbered(self, entry: Mapping[str, Any], place: str) -> bool:
        numbered = entry.get("numbered", True)
        if not isinstance(numbered, bool):
            self.blame(place, "`numbered` must be true or false")
        return bool(numbered)

    def _text(self, entry: Mapping[str, Any], key: str, place: str) -> str:
        value = entry.get(key)
        if isinstance(value, str) and value.strip():
            return value
        self.blame(place, f"`{key}` is missing" if value is None else f"`{key}` must be a text that is not empty")
        return ""

    def _check_keys(self, entry: Mapping[str, Any], known: frozenset[str], place: str) -> None:
        for key in sorted(entry.keys() - known):
            self.blame(place, f"`{key}` is not known here: {suggestion(key, sorted(known))}")

    def _tables(self, value: object, key: str, place: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
        if not isinstance(value, list) or not value:
            self.blame(place, f"there must be at least one [[{key}]]")
            return
        for index, entry in enumerate(value):
            if isinstance(entry, dict):
                yield f"{place} {key}[{index}]", entry
            else:
                self.blame(place, f"{key}[{index}] must be a table")
