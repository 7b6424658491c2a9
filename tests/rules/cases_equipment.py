"""Cases of the equipment that the sheets name: the least versions, the plain monitor, the shuffler."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from houseway.manager.commands.house_commands import RecordPaper
from houseway.manager.handlers import equipment
from houseway.manager.handlers.notices import notices
from tests.manager.floors import EXECUTIVE, Room
from tests.rules.clause_sets import on_each
from tests.rules.harness import replaced, rule
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
TCP_MANAGER = NEXUS_MANAGER._replace(model="Nexus Command Game Manager TCP")
NEXUS_CONTROLLER = Piece("controller", "Nexus Command Table Controller", "2.0.0", "1.9.9", "2.0.1")
SECOND_MANAGER = Piece("game-manager", "Nexus Command Game Manager 2", "2.5.4", "2.5.3", "2.6.0")
SECOND_CONTROLLER = Piece("controller", "Nexus Command Table Controller 2", "2.6.0", "2.5.9", "2.10.0")

MONITOR_PIECE = Piece("display", "monitor", "any", None, None)

SYSTEMS: dict[str, System] = {
    "6cfpgpp/equipment/1": (("six-card-fortune",), "aquarius", AQUARIUS),
    "scpp/equipment/1": (("six-card-poker",), "aquarius", AQUARIUS),
    "6cfpgpp/equipment/2": (
        ("six-card-fortune",),
        "nexus",
        (TCP_MANAGER, NEXUS_CONTROLLER, Piece("display", "ViPS", "1.2.0", "1.1.9", "1.2.1")),
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
            MONITOR_PIECE,
        ),
    ),
}
"""The jackpot systems by clause: games, generation of controls, pieces as printed."""
OTHER_SYSTEMS = ((NEXUS_MANAGER, NEXUS_CONTROLLER), (SECOND_MANAGER, SECOND_CONTROLLER))
"""The two systems of the progressive sheet of 2018."""
EDITION_2018 = "2018-10-18"


def any_version(version: str, part: equipment.EquipmentPart) -> str:
    """Every version is the printed one."""
    del version, part
    return "ok"


ANY_VERSION = replaced(f"{HANDLED}.equipment.version_status", any_version)
NOTHING_NEEDED = replaced(f"{HANDLED}.equipment.system_findings", lambda table, register: (None, []))
ANY_MODEL = replaced(f"{HANDLED}.equipment.EquipmentPart.is_model", lambda part, model: True)


def piece_at_table(room: Room, piece: Piece, version: str) -> None:
    """The piece stands at the table with this version."""
    fields = {"component": piece.component, "model": piece.model, "maker": "Example Maker", "version": version}
    if piece.component == "display":
        fields["networked"] = False  # type: ignore[assignment]
    enter(room, "equipment", "T1", fields)


def equipment_warnings(room: Room, component: str) -> set[str]:
    """What the people of T1, which must open, are warned of about a component."""
    return {code for code, path, _ in opened(room) if path == f"equipment.{component}"}


def table_with(game_id: str, vocabulary: str, pieces: Iterable[Piece], edition: str | None = None) -> Room:
    """A closed table with a jackpot and all its papers, but with these pieces for its jackpot system."""
    room = closed_table(game_id, vocabulary, jackpot=True, without=[*equipment.SYSTEM, "equipment-approval"])
    if edition is not None:
        (old,) = (paper for paper in room.floor.papers.values() if paper.register == "game-approval")
        enter(room, "withdrawal", old.id, {"reason": "another edition"})
        enter(room, "game-approval", game_id, {**old.fields, "edition": edition})
        for notice in notices(room.floor, room.table()):
            if notice.kind == "separate-games":  # printed on the sheets of 2018 to 2021
                enter(room, "notice", "T1", notice.to_json())
    for piece in pieces:
        piece_at_table(room, piece, piece.version)
    return room


def check_system(game_id: str, vocabulary: str, pieces: tuple[Piece, ...], edition: str | None = None) -> None:
    """A table with a jackpot opens with the whole system in the printed versions, and with nothing less or other."""
    for piece in pieces:
        others = list({other.component: other for other in pieces if other.component != piece.component}.values())

        def refused(own: Piece | None, rest: tuple[Piece, ...] = tuple(others)) -> set[tuple[str, str]]:
            return opening(table_with(game_id, vocabulary, [*rest, own] if own else rest, edition))

        place = f"equipment.{piece.component}"
        assert refused(piece) == set()
        assert refused(None) == {("equipment-missing", place)}
        if piece.model != "monitor":
            # A model that no sheet names, and a version that nobody can read.
            assert refused(piece._replace(model="Another Model", version="99.0")) == {("equipment-unknown", place)}
        if piece.older is not None:
            assert refused(piece._replace(version=piece.older)) == {("equipment-outdated", place)}
            assert refused(piece._replace(version="newest")) == {("equipment-unknown", place)}
            # A higher version only where the sheet says so.
            later = piece.later or "99.0"
            wanted = set() if piece.later else {("equipment-unknown", place)}
            assert refused(piece._replace(version=later)) == wanted


@on_each(SYSTEMS, off=(ANY_VERSION, NOTHING_NEEDED, ANY_MODEL))
def the_jackpot_system_has_the_versions_of_the_sheet(system: System) -> None:
    games, vocabulary, pieces = system
    for game_id in games:
        check_system(game_id, vocabulary, pieces)


@rule("fpgpp/general/4", off=(ANY_VERSION, NOTHING_NEEDED, ANY_MODEL))
def either_system_of_the_progressive_sheet_has_its_versions() -> None:
    for game_id in SEVEN_CARD:
        for pieces in OTHER_SYSTEMS:
            check_system(game_id, "nexus-2", (*pieces, MONITOR_PIECE), EDITION_2018)
    # Parts of the two do not go together, and the edition of 2023 has dropped the first.
    first, second = OTHER_SYSTEMS
    for mixed in ((first[0], second[1]), (second[0], first[1])):
        (refusal,) = opening(table_with("fortune", "nexus-2", (*mixed, MONITOR_PIECE), EDITION_2018))
        assert refusal[0] == "equipment-mixed"
    assert {code for code, _ in opening(table_with("fortune", "nexus-2", (*first, MONITOR_PIECE)))} == {
        "equipment-mixed"
    }


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
            for version, refused in (
                (piece.version, set()),
                (piece.later or piece.version, set()),
                (piece.older or "", {"equipment-outdated"}),
                ("unknown", {"equipment-unknown"}),
            ):
                room = closed_table(game_id, vocabulary, without=[piece.component])
                piece_at_table(room, piece, version)
                assert {code for code, _ in opening(room)} == refused
            room = closed_table(game_id, vocabulary, without=[piece.component])
            piece_at_table(room, piece._replace(model="Another Model"), piece.version)
            assert opening(room) == {("equipment-unknown", f"equipment.{piece.component}")}
        # It is optional: a table without it opens.
        assert opening(closed_table(game_id, vocabulary, without=["i-verify"])) == set()


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
        for model, maker, refused in (
            ("i-Deal", "Example Maker", set()),
            ("Home Made", "Example Maker", {"equipment-unknown"}),
            ("i-Deal", "Nobody Licensed", {"maker-unlicensed"}),
        ):
            room = closed_table(game_id, without=["shuffler"])
            fields = {"component": "shuffler", "model": model, "maker": maker, "version": "3.8.024"}
            enter(room, "equipment", "T1", fields)
            assert {code for code, _ in opening(room)} == refused
        assert opening(closed_table(game_id, without=["shuffler"])) == {("equipment-missing", "equipment.shuffler")}
        # By hand from a shoe there is none.
        assert opening(closed_table(game_id, without=["shuffler"], deal_mode="shoe")) == set()
