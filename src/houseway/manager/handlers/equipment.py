"""Equipment at a table checked against the approved jackpot systems and models: what is older, other, mixed or missing.

What the sheets name is data (`data/equipment.toml`), by sheet; which sheet holds for a game on a day, and with which
controls, its definition says. A jackpot system is approved as a whole: all
its parts are on the register at the printed version, a higher one only where the sheet says so, and parts of two
systems do not go together. A paper of the register `equipment-approval` names what may stand in for a printed part.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from typing import Final, Literal

from msgspec import Struct, convert

from houseway.definitions import Edition, game, games
from houseway.errors import Fault
from houseway.manager.core.house_entities import Paper
from houseway.manager.core.table_entities import Table

COMPONENTS: Final = (
    "game-manager", "controller", "coin-spot", "display", "shuffler", "i-verify", "layout", "other",
)  # fmt: skip
SYSTEM: Final = ("game-manager", "controller", "coin-spot", "display")
"""Components of a jackpot system."""
LEAST_SYSTEM: Final = ("game-manager", "controller", "display")
"""What every sheet names of one: a system that papers alone approve has these."""
MONITOR: Final = "monitor"
"""What a draft calls a display of any model."""
APPROVALS: Final = "equipment-approval"
Status = Literal["ok", "older", "not-named", "unknown-version", "unknown-model", "mixed", "missing"]


@dataclass(frozen=True, slots=True)
class EquipmentPart:
    """A piece of equipment as a sheet, or a paper, approves it."""

    component: str
    model: str
    version: str
    document: str
    or_higher: bool = False
    any_maker: bool = False

    @property
    def wanted(self) -> str:
        """The part in words."""
        words = [self.model or f"a plain {MONITOR}", self.version, "or higher" if self.or_higher else ""]
        return " ".join(word for word in words if word)

    def is_model(self, model: str) -> bool:
        """Whether a model is this one; "Software" behind the name of a printed model says nothing."""
        return not self.model or _plain_model(self.model) == _plain_model(model)


@dataclass(frozen=True, slots=True)
class System:
    """An approved jackpot system."""

    document: str
    controls: frozenset[str]
    parts: tuple[EquipmentPart, ...]

    @property
    def components(self) -> tuple[str, ...]:
        """Its components, each once."""
        return tuple(dict.fromkeys(part.component for part in self.parts))


@dataclass(frozen=True, slots=True)
class Sheet:
    """What one edition of a sheet says about equipment."""

    document: str
    systems: tuple[System, ...]
    optional: tuple[EquipmentPart, ...]


@dataclass(frozen=True, slots=True)
class EquipmentFinding:
    """A piece at a table, or one that should be there, and how it stands to what is approved."""

    component: str
    model: str
    version: str
    status: Status
    wanted: str
    document: str
    paper: str | None = None

    def fault(self) -> Fault:
        """The finding for people."""
        path = f"equipment.{self.component}"
        if self.status == "missing":
            message = (
                f"the register of equipment has no {self.component} for this table: {self.document} names "
                f"{self.wanted}; enter the piece that is there"
            )
            return Fault("equipment-missing", path, message)
        what = f"{self.model} {self.version}".strip()
        if self.status == "older":
            message = f"{what} is older than {self.wanted}, which {self.document} asks for: update it"
            return Fault("equipment-outdated", path, message)
        if self.status == "mixed":
            message = f"{what} belongs to another jackpot system than the rest: {self.document} names {self.wanted}"
            return Fault("equipment-mixed", path, message)
        message = (
            f"{what} is not what {self.document} names, {self.wanted}: replace it, or enter the approval that names "
            f"it ({APPROVALS})"
        )
        return Fault("equipment-unknown", path, message)


# ---------------------------------------------------------------- the sheets


class _ListedPart(Struct, frozen=True, forbid_unknown_fields=True):
    component: str
    model: str
    version: str
    or_higher: bool = False
    any_maker: bool = False


class _ListedParts(Struct, frozen=True, forbid_unknown_fields=True):
    parts: tuple[_ListedPart, ...]
    controls: tuple[str, ...] | None = None


class _ListedSheet(Struct, frozen=True, forbid_unknown_fields=True):
    """A sheet as the file lists it."""

    document: str
    system: tuple[_ListedParts, ...] = ()
    optional: tuple[_ListedParts, ...] = ()


@cache
def _listed() -> dict[str, _ListedSheet]:
    """What the file says, by the name of the sheet."""
    text = (files("houseway.manager.handlers") / "data" / "equipment.toml").read_text(encoding="utf-8")
    listed = convert(tomllib.loads(text)["sheet"], tuple[_ListedSheet, ...])
    return {sheet.document: sheet for sheet in listed}


@cache
def sheet_of(edition: Edition) -> Sheet:
    """What an edition says about equipment; nothing where its sheet is not listed."""
    document = edition.document + (f" of {edition.date}" if edition.date else "")
    listed = _listed().get(edition.document, _ListedSheet(edition.document))

    def parts(of: _ListedParts) -> tuple[EquipmentPart, ...]:
        return tuple(
            EquipmentPart(part.component, part.model, part.version, document, part.or_higher, part.any_maker)
            for part in of.parts
        )

    every = [each.name for each in edition.controls]
    return Sheet(
        document,
        tuple(
            System(document, frozenset(every if each.controls is None else each.controls), parts(each))
            for each in listed.system
        ),
        tuple(part for each in listed.optional for part in parts(each)),
    )


def sheets() -> tuple[Sheet, ...]:
    """The sheets of all editions of all games, each once, the oldest first."""
    editions = sorted((edition for played in games() for edition in played.editions), key=lambda each: each.date)
    return tuple(dict.fromkeys(map(sheet_of, editions)))


def sheets_for(game_id: str, editions: Iterable[str] = ()) -> tuple[Sheet, ...]:
    """The sheets of a game that approvals of these editions rest on: for each the newest that is not later.

    Without an edition it is the newest sheet; an approval older than all sheets rests on the oldest.

    >>> [sheet.document for sheet in sheets_for("fortune", ["2019-01-01"])]
    ['Fortune Pai Gow Poker, submission 2174 of 2018-10-18']
    >>> [sheet.document for sheet in sheets_for("fortune")]
    ['Fortune Pai Gow Poker, submission 3119 of 2023-06-14']
    """
    played = game(game_id)
    found = [played.edition_on(day) or played.editions[0] for day in editions]
    return tuple(dict.fromkeys(map(sheet_of, found or [played.newest_edition])))


def systems_for(game_id: str, controls: str, editions: Iterable[str] = ()) -> tuple[System, ...]:
    """The jackpot systems that are approved for a game and a generation of controls."""
    return tuple(
        system for sheet in sheets_for(game_id, editions) for system in sheet.systems if controls in system.controls
    )


def approved_parts(papers: Iterable[Paper]) -> tuple[EquipmentPart, ...]:
    """What papers of the register of approved equipment name."""
    return tuple(
        EquipmentPart(
            paper.text("component"),
            paper.text("model"),
            paper.text("version"),
            paper.id,
            bool(paper.fields.get("or_higher")),
        )
        for paper in papers
    )


# ---------------------------------------------------------------- versions


_VERSION: Final = re.compile(r"v?\s*[0-9]+(\.[0-9]+)*(\s+build\s+[0-9]+|\s?sp|\s?p\$)?", re.IGNORECASE | re.ASCII)
"""A version as the sheets print it: numbers and dots, then a build, SP or P$. Any other word may mean that it is an
earlier one, as rc and beta do."""


def version_key(text: str) -> tuple[int, ...] | None:
    """The numbers of a version in their order; None for what is not written as the sheets print versions.

    >>> version_key("v6.6 Build 520"), version_key("1.66P$"), version_key("2.6.0-rc1")
    ((6, 6, 520), (1, 66), None)
    """
    found = _VERSION.fullmatch(text.strip()) if len(text) <= 100 else None
    return None if found is None else tuple(map(int, re.findall(r"[0-9]+", found[0])))


def version_status(version: str, part: EquipmentPart) -> Status:
    """How a version stands to the approved one.

    >>> named = EquipmentPart("controller", "Nexus Command Table Controller 2", "2.6.0", "the sheet", or_higher=True)
    >>> version_status("2.10", named), version_status("2.5.9", named), version_status("?", named)
    ('ok', 'older', 'unknown-version')
    """
    if not part.version or _plain(version) == _plain(part.version):
        return "ok"
    found, least = version_key(version), version_key(part.version)
    if found is None or least is None:
        return "unknown-version"
    pairs = list(zip_longest(found, least, fillvalue=0))
    if [mine for mine, _ in pairs] < [named for _, named in pairs]:
        return "older"
    return "ok" if part.or_higher else "not-named"


def _plain(version: str) -> str:
    return version.strip().lower().removeprefix("v").strip()


def _plain_model(model: str) -> str:
    return " ".join(model.lower().split()).removesuffix(" software")


# ---------------------------------------------------------------- a table


@dataclass(frozen=True, slots=True)
class EquipmentRegister:
    """What the registers say about a table's equipment at a time."""

    own: Sequence[Paper]
    """Pieces at the table itself."""
    shared: Sequence[Paper]
    """Pieces of the whole property: they count where the table has none of its own."""
    approved: tuple[EquipmentPart, ...] = ()
    """What approval papers name for the game."""
    editions: tuple[str, ...] = ()
    """Editions of the game's approvals in force."""

    def with_piece(self, paper: Paper, *, at_table: bool) -> EquipmentRegister:
        """The same with one piece more."""
        if at_table:
            return replace(self, own=[*self.own, paper])
        return replace(self, shared=[*self.shared, paper])

    def pieces(self, component: str) -> list[Paper]:
        """The pieces of a component that the table uses."""
        own = [paper for paper in self.own if paper.fields["component"] == component]
        return own or [paper for paper in self.shared if paper.fields["component"] == component]

    def used(self) -> list[Paper]:
        """All pieces that the table uses."""
        components = dict.fromkeys(paper.text("component") for paper in (*self.own, *self.shared))
        return [paper for component in components for paper in self.pieces(component)]


def findings(table: Table, register: EquipmentRegister, *, with_system: bool = False) -> list[EquipmentFinding]:
    """All that keeps a table closed for its equipment: the jackpot system, the shuffler, optional pieces.

    A table without a jackpot needs no jackpot system; `with_system` judges its parts all the same.
    """
    found = system_findings(table, register)[1] if table.sensors or with_system else []
    optional = tuple(part for sheet in sheets_for(table.game, register.editions) for part in sheet.optional)
    for component in dict.fromkeys(part.component for part in optional):
        named = [part for part in (*optional, *register.approved) if part.component == component]
        needed = component == "shuffler" and table.deal_mode == "shuffler"
        if needed or register.pieces(component):
            found += _component(component, named, register, ())
    return found


def system_findings(table: Table, register: EquipmentRegister) -> tuple[System | None, list[EquipmentFinding]]:
    """The approved system that the table's pieces come nearest to, and what is wrong with them by it; the newest first.

    None where neither a sheet nor papers approve any for these controls.
    """
    systems = systems_for(table.game, table.vocabulary, register.editions) or _by_papers(table, register.approved)
    if not systems:
        wanted = f"no sheet on file names the jackpot system of {table.vocabulary} controls for {table.game}"
        document = f"enter the approval of each part ({APPROVALS}): {', '.join(LEAST_SYSTEM)}"
        return None, [EquipmentFinding("system", "", "", "missing", wanted, document)]
    judged = [(system, _by_system(system, table, register)) for system in reversed(systems)]
    return min(judged, key=lambda each: len(each[1]))


def approved_by_papers(table: Table, register: EquipmentRegister) -> bool:
    """Whether papers alone approve a whole jackpot system for the table's controls."""
    return bool(_by_papers(table, register.approved))


def _by_papers(table: Table, approved: tuple[EquipmentPart, ...]) -> tuple[System, ...]:
    """The system that approval papers alone name, where no sheet does."""
    parts = tuple(part for part in approved if part.component in SYSTEM)
    if any(all(part.component != component for part in parts) for component in LEAST_SYSTEM):
        return ()
    return (System("the approvals on file", frozenset({table.vocabulary}), parts),)


def _by_system(system: System, table: Table, register: EquipmentRegister) -> list[EquipmentFinding]:
    others = tuple(
        part
        for edition in game(table.game).editions
        for other in sheet_of(edition).systems
        if other != system
        for part in other.parts
    )
    found = []
    for component in system.components:
        named = [part for part in (*system.parts, *register.approved) if part.component == component]
        found += _component(component, named, register, others)
    known = {*system.components, *(part.component for part in register.approved)}
    for paper in register.own:
        component = paper.text("component")
        if component in SYSTEM and component not in known:
            wanted = f"no {component}"
            found.append(_finding(paper, "mixed", wanted, system.document))
    return found


def _component(
    component: str, named: Sequence[EquipmentPart], register: EquipmentRegister, of_others: Sequence[EquipmentPart]
) -> list[EquipmentFinding]:
    """What is wrong with the pieces of one component; those of the whole property count if one of them fits."""
    pieces = register.pieces(component)
    wanted = " or ".join(part.wanted for part in named)
    if not pieces:
        return [EquipmentFinding(component, "", "", "missing", wanted, named[0].document)]
    judged = [_judged(paper, named, of_others, wanted) for paper in pieces]
    wrong = [finding for finding in judged if finding.status != "ok"]
    is_own = any(paper in register.own for paper in pieces)
    return wrong if is_own or len(wrong) == len(judged) else []


def _judged(
    paper: Paper, named: Sequence[EquipmentPart], of_others: Sequence[EquipmentPart], wanted: str
) -> EquipmentFinding:
    """A piece against the parts that are named for its component: the best of what it is."""
    model, version = paper.text("model"), paper.text("version")
    same = [part for part in named if part.is_model(model)]
    if not same:
        component = paper.text("component")
        mixed = any(part.component == component and part.model and part.is_model(model) for part in of_others)
        return _finding(paper, "mixed" if mixed else "unknown-model", wanted, named[0].document)
    order: tuple[Status, ...] = ("ok", "older", "not-named", "unknown-version")
    statuses = {version_status(version, part): part for part in reversed(same)}
    status = next(each for each in order if each in statuses)
    return _finding(paper, status, statuses[status].wanted, statuses[status].document)


def _finding(paper: Paper, status: Status, wanted: str, document: str) -> EquipmentFinding:
    component, model, version = paper.text("component"), paper.text("model"), paper.text("version")
    return EquipmentFinding(component, model, version, status, wanted, document, paper.id)


def any_maker(table: Table, register: EquipmentRegister, component: str) -> bool:
    """Whether the sheet lets the operator provide a component, so that its maker need not be licensed."""
    system = system_findings(table, register)[0] if table.sensors else None
    return system is not None and any(part.component == component and part.any_maker for part in system.parts)
