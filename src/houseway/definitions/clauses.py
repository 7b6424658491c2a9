"""The register of clauses: what every clause of the rule sheets demands, in our own words, under a stable id.

An id is `sheet/section/number`, e.g. `6cfpgp/rules/7.a.i`. The texts lie in the `clauses` of a source, one file a
sheet; a value given for a sheet or a section (document, edition, games, numbered) holds for the clauses below it unless
they say otherwise. A sheet from outside is about games of its own source. docs/clauses.md explains sheets, sections and
kinds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from houseway.errors import InputError
from houseway.reading.codes import Codes
from houseway.reading.faults import Faults
from houseway.reading.fields import Fields
from houseway.reading.places import Place, excerpt
from houseway.reading.toml_files import FileFaults, parse_toml, read_text
from houseway.sources import SHIPPED, Refusal, Source, outside, outside_files
from houseway.wording import suggestion

OF_THE_GAMES: Final = ("settlement", "deal", "wager", "house-way", "paytable")
"""Kinds of clauses that the pure functions of this package carry out."""
OF_THE_MANAGER: Final = ("control", "link", "paper")
"""Kinds of clauses that the Game Manager carries out."""
TESTABLE_KINDS: Final = (*OF_THE_GAMES, *OF_THE_MANAGER)
"""Kinds of clauses that a program carries out, so that a test can show it."""

KINDS: Final = (*TESTABLE_KINDS, "due", "definition", "information")
DUE_WITH: Final = ("game-manager", "operator")

MAX_CLAUSE: Final = 4000
"""The longest text of a clause."""
_CODE: Final = "bad-clause-file"
_CODES: Final = Codes.only("bad-clause-file")
_INHERITED: Final = ("document", "edition", "games", "numbered")
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
        try:
            found += read_sheet(path, str(path), tuple(source.files("definitions")))
        except InputError as error:
            faulty.append(Refusal(source.name, stem, error.faults))
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
        raise InputError.of("unknown-clause", "clause", f"{shown!r} is not a clause of the register: {hint[:200]}")
    return found


def to_json() -> dict[str, Any]:
    """The whole register."""
    return {"clauses": [each.to_json() for each in clauses()]}


def load_clauses(folder: Path, games: tuple[str, ...]) -> tuple[Clause, ...]:
    """Read and check every register file of a folder; InputError (code `bad-clause-file`) with all that is wrong.

    `games` are those that clauses may be about.
    """
    faults = Faults(_CODES)
    found: list[Clause] = []
    for path in sorted(folder.glob("*.toml")):
        found += faults.read(partial(read_sheet, path, path.name, games)) or ()
    if not found and not faults.any:
        faults.add(_CODE, str(folder), "no clause was found here: a register needs at least one")
    faults.refuse_if_any()
    return tuple(found)


def read_sheet(path: Path, name: str, games: tuple[str, ...]) -> tuple[Clause, ...]:
    """The clauses of one sheet, whose file messages call `name`; InputError with all that is wrong.

    `games` are those that its clauses may be about.
    """
    text = read_text(path, code=_CODE, name=name)
    values = parse_toml(text, code=_CODE, name=name)
    sheet = _Sheet(path.stem, games, FileFaults(_CODES, name, text))
    sheet.read(values)
    sheet.faults.refuse_if_any()
    return tuple(sheet.clauses.values())


class _Sheet:
    """One sheet while it is read."""

    def __init__(self, sheet_id: str, games: tuple[str, ...], faults: FileFaults) -> None:
        self.id = sheet_id
        self.games = games
        self.faults = faults
        self.clauses: dict[str, Clause] = {}

    def read(self, values: Mapping[str, object]) -> None:
        sheet = Fields(values, Place("the sheet"), self.faults)
        sheet.only(("sheet", "section"), ("document", "edition", "games"))
        name = sheet.text("sheet")
        if name is not None and name != self.id:
            sheet.fault(_CODE, "sheet", f'`sheet` must be "{self.id}", the name of the file')
        for section in self._tables(sheet, "section"):
            self._section(sheet, section)

    def _section(self, sheet: Fields, section: Fields) -> None:
        section.only(("id", "title", "clause"), _INHERITED)
        section_id, heading = section.text("id"), section.text("title")
        if section_id is not None and not _WORD.fullmatch(section_id):
            message = f"a section's id is lower-case words joined by hyphens, not {excerpt(section_id)!r}"
            section.fault(_CODE, "id", message)
        above = {key: level.values[key] for level in (sheet, section) for key in _INHERITED if key in level.values}
        for entry in self._tables(section, "clause"):
            number = entry.text("number")
            if number is not None and not _NUMBER.fullmatch(number):
                message = f"a number is lower-case words or digits joined by dots, not {excerpt(number)!r}"
                entry.fault(_CODE, "number", message)
            place = entry.place.called(f"clause {section_id}/{number}") if section_id and number else entry.place
            whole = Fields({**above, **entry.values}, place, self.faults)
            made = self._clause(whole, section_id or "", number or "", heading or "")
            if section_id and number and made.id in self.clauses:
                whole.fault(_CODE, "number", f"{made.id} is registered twice: ids are unique")
            self.clauses[made.id] = made

    def _clause(self, fields: Fields, section: str, number: str, heading: str) -> Clause:
        """A clause, whose fields are its own and those that it has from above."""
        fields.only(("number", "kind", "text", "document", "edition", "games"), ("numbered", "due_with", "due_part"))
        kind, due_with, due_part = fields.word("kind", KINDS), fields.text("due_with"), fields.text("due_part")
        games = fields.words("games", self.games)
        if kind is not None:
            self._check_kind(fields, kind, due_with, due_part)
        if kind != "information" and fields.values.get("games") == []:
            fields.fault(_CODE, "games", "`games` names at least one game, unless the clause is information only")
        return Clause(
            id=f"{self.id}/{section}/{number}",
            sheet=self.id,
            section=section,
            number=number,
            heading=heading,
            text=fields.text("text", MAX_CLAUSE) or "",
            document=fields.text("document") or "",
            edition=fields.text("edition") or "",
            numbered=fields.flag("numbered") is not False,
            kind=kind or "",
            due_with=due_with,
            due_part=due_part,
            games=games,
        )

    def _check_kind(self, fields: Fields, kind: str, due_with: str | None, due_part: str | None) -> None:
        def blame(message: str) -> None:
            fields.fault(_CODE, "kind", f"{fields.name}: {message}")

        if kind == "due" and due_with not in DUE_WITH:
            blame(f"a clause of the kind due says `due_with`, one of {', '.join(DUE_WITH)}")
        if kind != "due" and due_with is not None and due_part is None:
            blame("`due_with` is for clauses of the kind due; describe a share of a clause in `due_part`")
        if due_part is not None and due_with not in DUE_WITH:
            blame(f"a clause with a `due_part` says `due_with`, one of {', '.join(DUE_WITH)}")
        if kind not in TESTABLE_KINDS and due_part is not None:
            blame(f"`due_part` is for clauses of these kinds: {', '.join(TESTABLE_KINDS)}")

    def _tables(self, fields: Fields, key: str) -> list[Fields]:
        tables = fields.tables(key, key)
        if fields.values.get(key) == []:
            fields.fault(_CODE, key, f"there must be at least one [[{key}]]")
        return tables
