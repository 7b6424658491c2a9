"""Equipment at a table held against the versions that the rule sheets name: older, unknown and missing pieces.

The least versions are data (`data/equipment.toml`), by sheet and generation of controls. What the jackpot rules say the
system "will use" is a hard rule; everything else that is older or unknown is flagged.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import zip_longest
from typing import Final, Literal

from houseway.errors import Fault
from houseway.manager.core.entities import Paper, Table

COMPONENTS: Final = (
    "game-manager", "controller", "coin-spot", "display", "shuffler", "i-verify", "layout", "other",
)  # fmt: skip
Status = Literal["ok", "older", "not-named", "unknown-version", "unknown-model", "missing"]


@dataclass(frozen=True, slots=True)
class Piece:
    """What a sheet says about one piece of equipment."""

    component: str
    model: str
    version: str
    document: str
    exact: bool = False
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """A piece at a table, or one that should be there, and how it stands to the sheet."""

    component: str
    model: str
    version: str
    status: Status
    wanted: str
    document: str
    needed: bool
    paper: str | None = None

    @property
    def is_hard(self) -> bool:
        """Whether the sheet's own rule refuses it: an older part of the jackpot system."""
        return self.needed and self.status == "older"

    def fault(self) -> Fault:
        """The finding as a fault or warning for people."""
        path = f"equipment.{self.component}"
        if self.status == "missing":
            return Fault("equipment-missing", path, f"no {self.component} is on the register: {self.wanted} is named")
        what = f"{self.model} {self.version}".strip()
        if self.status == "older":
            message = f"{what} is older than {self.wanted}, which the sheet asks for ({self.document}): update it"
            return Fault("equipment-outdated", path, message)
        message = f"{what} is not what the sheet names, {self.wanted} ({self.document}): have it confirmed"
        return Fault("equipment-unknown", path, message)


@cache
def _sheets() -> tuple[tuple[frozenset[str], str, tuple[Piece, ...]], ...]:
    text = (files("houseway.manager.handlers") / "data" / "equipment.toml").read_text(encoding="utf-8")
    return tuple(
        (
            frozenset(sheet["games"]),
            sheet["vocabulary"],
            tuple(Piece(document=sheet["document"], **piece) for piece in sheet["pieces"]),
        )
        for sheet in tomllib.loads(text)["sheet"]
    )


def pieces_named(game: str, vocabulary: str) -> tuple[Piece, ...]:
    """What the sheets of a game name for a generation of controls, optional pieces included.

    >>> [piece.version for piece in pieces_named("six-card-fortune", "nexus") if piece.component == "controller"]
    ['2.0.0']
    """
    return tuple(
        piece
        for games, generation, pieces in _sheets()
        if game in games and vocabulary in (generation.split() or [vocabulary])
        for piece in pieces
    )


def version_key(text: str) -> tuple[int, ...] | None:
    """The numbers of a version in their order, None where there are none.

    >>> version_key("v6.6 Build 520"), version_key("1.66P$"), version_key("unknown")
    ((6, 6, 520), (1, 66), None)
    """
    numbers = re.findall(r"\d+", text)
    return tuple(map(int, numbers)) if numbers and len(text) <= 100 else None


def version_status(version: str, piece: Piece) -> Status:
    """How a version stands to what a sheet names.

    >>> named = Piece("controller", "Nexus Command Table Controller 2", "2.6.0", "the sheet")
    >>> version_status("2.10", named), version_status("2.5.9", named), version_status("?", named)
    ('ok', 'older', 'unknown-version')
    """
    if not piece.version:
        return "ok"
    found, least = version_key(version), version_key(piece.version)
    if found is None or least is None:
        return "unknown-version"
    pairs = list(zip_longest(found, least, fillvalue=0))
    if [mine for mine, _ in pairs] < [named for _, named in pairs]:
        return "older"
    return "not-named" if piece.exact and _plain(version) != _plain(piece.version) else "ok"


def _plain(version: str) -> str:
    return version.strip().lower().removeprefix("v").strip()


def finding_of(paper: Paper, named: Iterable[Piece]) -> Finding | None:
    """How a registered piece stands to the sheets; None where they name no such component."""
    fields = paper.fields
    same = [piece for piece in named if piece.component == fields["component"]]
    if not same:
        return None
    model, version = fields["model"], fields["version"]
    piece = next((each for each in same if each.model.lower() == model.lower()), None)
    if piece is None:
        wanted = " or ".join(_wanted(each) for each in same)
        return Finding(
            same[0].component, model, version, "unknown-model", wanted, same[0].document, same[0].needed, paper.id
        )
    status = version_status(version, piece)
    return Finding(piece.component, model, version, status, _wanted(piece), piece.document, piece.needed, paper.id)


def findings(table: Table, papers: Iterable[Paper]) -> list[Finding]:
    """All that is not as the sheets name it, of the pieces at a table; `papers` are those that hold for it."""
    has_jackpot = bool(table.sensors)
    named = [piece for piece in pieces_named(table.game, table.vocabulary) if has_jackpot or not piece.needed]
    held = list(papers)
    found = [finding for paper in held if (finding := finding_of(paper, named)) and finding.status != "ok"]
    there = {paper.fields["component"] for paper in held}
    for component in dict.fromkeys(piece.component for piece in named if piece.needed):
        if component not in there:
            same = [piece for piece in named if piece.component == component]
            wanted = " or ".join(_wanted(each) for each in same)
            found.append(Finding(component, "", "", "missing", wanted, same[0].document, True))
    return found


def _wanted(piece: Piece) -> str:
    if not piece.version:
        return piece.model
    return f"{piece.model} {piece.version}" + ("" if piece.exact else " or higher")
