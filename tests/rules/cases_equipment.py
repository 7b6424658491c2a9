"""Cases of the equipment that the sheets name: the least versions, the plain monitor, the shuffler."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from houseway.manager.commands.house import RecordPaper
from houseway.manager.handlers import equipment
from tests.manager.floors import EXECUTIVE, Room
from tests.rules.clause_sets import on_each
from tests.rules.harness import Switch, replaced, rule
from tests.rules.manager_switches import HANDLED, unchecked
from tests.rules.rooms import closed_table, codes, enter, opened, opening

SEVEN_CARD = ("fortune", "commission-free-fortune", "face-up")


class Piece(NamedTuple):
    """What a sheet prints of a piece; a version just below it, and a later one where the sheet takes later ones."""

    component: str
    model: str
    version: str
    older: str | None
    later: str | None


System = tuple[tuple[str, ...], str, tuple[Piece, ...]]
"""The games of a sheet, a generation of controls, and the pieces that it names for them."""

AQUARIUS = (
    Piece("game-manager", "Game Manager", "6.6 Build 520", "6.6 Build 519", "6.7 Build 1"),
    Piece("controller", "Aquarius Controller", "6.5.6SP", "6.5.5SP", None),
    Piece("coin-spot", "Coin Spot", "6.0", "5.9", None),
    Piece("display", "CHAM2+", "1.66P$", "1.65P$", None),
    Piece("display", "ViPS", "1.2.0", "1.1.9", "1.2.1"),
)
NEXUS_MANAGER = Piece("game-manager", "Nexus Command Game Manager", "1.3.0", "1.2.9", "1.10.0")
NEXUS_CONTROLLER = Piece("controller", "Nexus Command Table Controller", "2.0.0", "1.9.9", "2.0.1")
SECOND_MANAGER = Piece("game-manager", "Nexus Command Game Manager 2", "2.5.4", "2.5.3", "2.6.0")
SECOND_CONTROLLER = Piece("controller", "Nexus Command Table Controller 2", "2.6.0", "2.5.9", "2.10.0")

SYSTEMS: dict[str, System] = {
    "6cfpgpp/equipment/1": (("six-card-fortune",), "aquarius", AQUARIUS),
    "scpp/equipment/1": (("six-card-poker",), "aquarius", AQUARIUS),
    "6cfpgpp/equipment/2": (
        ("six-card-fortune",),
        "nexus",
        (NEXUS_MANAGER, NEXUS_CONTROLLER, Piece("display", "ViPS", "1.2.0", "1.1.9", "1.2.1")),
    ),
    "scpp/equipment/2": (
        ("six-card-poker",),
        "nexus",
        (NEXUS_MANAGER, NEXUS_CONTROLLER._replace(later=None), Piece("display", "ViPS", "1.0.0", None, "2.0")),
    ),
    "fpgpj/equipment/1": (
        SEVEN_CARD,
        "nexus-2",
        (
            SECOND_MANAGER,
            Piece("game-manager", "GM Atlas", "5.4.0", "5.3.9", "5.5"),
            Piece("game-manager", "Nexus Command II", "5.4", "5.3", "5.4.1"),
            SECOND_CONTROLLER,
            Piece("display", "monitor", "any", None, None),
        ),
    ),
}
"""The jackpot systems by clause: games, generation of controls, pieces as printed."""
OTHER_SYSTEMS = {"nexus": (NEXUS_MANAGER, NEXUS_CONTROLLER), "nexus-2": (SECOND_MANAGER, SECOND_CONTROLLER)}
"""The two systems of the progressive sheet of 2018."""


def sheets_with(**changes: Any) -> Switch:
    """The sheets name every piece with other data."""
    sheets = tuple(
        (games, vocabulary, tuple(equipment.Piece(**{**_fields(piece), **changes}) for piece in pieces))
        for games, vocabulary, pieces in equipment._sheets()
    )

    def throw(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(equipment, "_sheets", lambda: sheets)

    return throw


def _fields(piece: equipment.Piece) -> dict[str, Any]:
    names = ("component", "model", "version", "document", "exact", "needed")
    return {name: getattr(piece, name) for name in names}


ANY_VERSION = sheets_with(version="")
ONLY_FLAGGED = sheets_with(needed=False)
ANY_MODEL = replaced(f"{HANDLED}.equipment.finding_of", lambda paper, named: None)


def piece_at_table(room: Room, piece: Piece, version: str) -> None:
    """The piece stands at the table with this version."""
    fields = {"component": piece.component, "model": piece.model, "maker": "Example Maker", "version": version}
    if piece.component == "display":
        fields["networked"] = False  # type: ignore[assignment]
    enter(room, "equipment", "T1", fields)


def equipment_warnings(room: Room, component: str) -> set[str]:
    """What the people of T1, which must open, are warned of about a component."""
    return {code for code, path, _ in opened(room) if path == f"equipment.{component}"}


def check_system(game_id: str, vocabulary: str, pieces: tuple[Piece, ...]) -> None:
    """A table with a jackpot opens with each piece in the printed version, is refused with an older one."""
    for piece in pieces:

        def table(named: Piece = piece) -> Room:
            return closed_table(game_id, vocabulary, jackpot=True, without=[named.component])

        room = table()
        piece_at_table(room, piece, piece.version)
        assert equipment_warnings(room, piece.component) == set()
        if piece.older is not None:
            room = table()
            piece_at_table(room, piece, piece.older)
            assert opening(room) == {("equipment-outdated", f"equipment.{piece.component}")}
        if piece.later is not None:
            room = table()
            piece_at_table(room, piece, piece.later)
            assert equipment_warnings(room, piece.component) == set()
        # A model that the sheet does not name, a version that nobody can read, and a piece that is not registered.
        room = table()
        piece_at_table(room, piece._replace(model="Another Model"), "99.0")
        assert equipment_warnings(room, piece.component) == {"equipment-unknown"}
        assert equipment_warnings(table(), piece.component) == {"equipment-missing"}


@on_each(SYSTEMS, off=(ANY_VERSION, ONLY_FLAGGED, ANY_MODEL))
def the_jackpot_system_has_the_versions_of_the_sheet(system: System) -> None:
    games, vocabulary, pieces = system
    for game_id in games:
        check_system(game_id, vocabulary, pieces)


@rule("fpgpp/general/4", off=(ANY_VERSION, ONLY_FLAGGED, ANY_MODEL))
def either_system_of_the_progressive_sheet_has_its_versions() -> None:
    for game_id in SEVEN_CARD:
        for vocabulary, pieces in OTHER_SYSTEMS.items():
            check_system(game_id, vocabulary, (*pieces, Piece("display", "monitor", "any", None, None)))


# ---------------------------------------------------------------- the sign

MONITOR: dict[str, Any] = {"component": "display", "model": "monitor", "maker": "Example Maker", "version": "any"}


@rule("fpgpp/general/5", "fpgpj/equipment/2", off=unchecked("registers._network_faults"))
def the_sign_is_a_monitor_without_a_network_of_its_own() -> None:
    for game_id in SEVEN_CARD:
        for vocabulary in ("nexus", "nexus-2"):
            room = closed_table(game_id, vocabulary, jackpot=True, without=["display"])
            enter(room, "equipment", "T1", {**MONITOR, "networked": True})
            assert opening(room) == {("display-networked", "equipment.display")}
            room = closed_table(game_id, vocabulary, jackpot=True, without=["display"])
            enter(room, "equipment", "T1", {**MONITOR, "networked": False})
            assert equipment_warnings(room, "display") == set()


@rule("fpgpp/general/5", "fpgpj/equipment/2", off=unchecked("papers._content_faults"))
def whoever_registers_a_sign_says_whether_it_has_a_network() -> None:
    room = closed_table("fortune")
    paper = RecordPaper("equipment", "sign-1", "T1", MONITOR, room.now)
    assert codes(room, EXECUTIVE, paper) == {"missing-key"}


# ---------------------------------------------------------------- optional pieces

I_VERIFY = Piece("i-verify", "i-Verify", "1.0.017", "1.0.016", "1.1")
I_DEAL = Piece("shuffler", "i-Deal", "3.8.024", "3.8.023", "3.9")
NXP = Piece("shuffler", "i-Deal Plus NXP", "1.0.114", "1.0.113", "1.1")
OPTIONAL: dict[str, System] = {
    "6cfpgp/equipment/1": (("six-card-fortune",), "nexus", (I_VERIFY, I_DEAL)),
    "6cfpgpp/equipment/3": (("six-card-fortune",), "aquarius", (I_VERIFY, I_DEAL)),
    "cffpgp/general/5": (("commission-free-fortune",), "nexus-2", (I_VERIFY, I_DEAL)),
    "fpgp/general/5": (("fortune", "commission-free-fortune"), "nexus-2", (I_VERIFY, I_DEAL, NXP)),
    "fpgpj/equipment/3": (SEVEN_CARD, "nexus-2", (I_VERIFY, I_DEAL, NXP)),
    "fpgpp/general/7": (SEVEN_CARD, "nexus", (I_VERIFY, I_DEAL)),
}
"""The optional table display with its shuffler by clause."""


@on_each(OPTIONAL, off=(ANY_VERSION, ANY_MODEL))
def the_optional_display_runs_the_versions_of_the_sheet(system: System) -> None:
    games, vocabulary, pieces = system
    for game_id in games:
        for piece in pieces:
            for version, warnings in (
                (piece.version, set()),
                (piece.later or piece.version, set()),
                (piece.older or "", {"equipment-outdated"}),
                ("unknown", {"equipment-unknown"}),
            ):
                room = closed_table(game_id, vocabulary, without=[piece.component])
                piece_at_table(room, piece, version)
                assert equipment_warnings(room, piece.component) == warnings
        # It is optional: a table without it opens and nobody is warned.
        room = closed_table(game_id, vocabulary, without=["i-verify", "shuffler"])
        assert equipment_warnings(room, "i-verify") == set()


# ---------------------------------------------------------------- the shuffler

SHUFFLERS = {
    "fpgp/general/4": ("fortune", "commission-free-fortune"),
    "cffpgp/general/4": ("commission-free-fortune",),
    "fpgpp/general/6": SEVEN_CARD,
    "pgd/general/3": ("fortune",),
}


@on_each(SHUFFLERS, off=(ANY_MODEL, unchecked("registers._maker_faults")))
def a_shuffler_is_an_approved_model_of_a_licensed_maker(games: tuple[str, ...]) -> None:
    for game_id in games:
        for model, maker, warnings in (
            ("i-Deal", "Example Maker", set()),
            ("Home Made", "Example Maker", {"equipment-unknown"}),
            ("i-Deal", "Nobody Licensed", {"maker-unlicensed"}),
        ):
            room = closed_table(game_id, without=["shuffler"])
            fields = {"component": "shuffler", "model": model, "maker": maker, "version": "3.8.024"}
            enter(room, "equipment", "T1", fields)
            assert {code for code, _, _ in opened(room)} == warnings
