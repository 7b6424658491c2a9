"""Versions of equipment against what the sheets name, and the list of what is flagged."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.games import game_ids
from houseway.manager.handlers import equipment
from houseway.manager.handlers.equipment import Piece, pieces_named, version_key, version_status

NAMED = [
    ("six-card-fortune", "aquarius", "game-manager", "Game Manager", "6.6 Build 520", False),
    ("six-card-fortune", "aquarius", "controller", "Aquarius Controller", "6.5.6SP", True),
    ("six-card-fortune", "aquarius", "coin-spot", "Coin Spot", "6.0", True),
    ("six-card-fortune", "aquarius", "display", "CHAM2+", "1.66P$", True),
    ("six-card-fortune", "aquarius", "display", "ViPS", "1.2.0", False),
    ("six-card-fortune", "nexus", "game-manager", "Nexus Command Game Manager", "1.3.0", False),
    ("six-card-fortune", "nexus", "controller", "Nexus Command Table Controller", "2.0.0", False),
    ("six-card-fortune", "nexus", "i-verify", "i-Verify", "1.0.017", False),
    ("six-card-fortune", "nexus", "shuffler", "i-Deal", "3.8.024", False),
    ("six-card-poker", "nexus", "controller", "Nexus Command Table Controller", "2.0.0", True),
    ("six-card-poker", "nexus", "shuffler", "ACE", "", False),
    ("fortune", "nexus-2", "game-manager", "Nexus Command Game Manager 2", "2.5.4", False),
    ("fortune", "nexus-2", "game-manager", "GM Atlas", "5.4.0", False),
    ("fortune", "nexus-2", "game-manager", "Nexus Command II", "5.4", False),
    ("fortune", "nexus-2", "controller", "Nexus Command Table Controller 2", "2.6.0", False),
    ("fortune", "nexus-2", "shuffler", "i-Deal Plus NXP", "1.0.114", False),
    ("fortune", "nexus-2", "display", "monitor", "", False),
]


@pytest.mark.parametrize(("game", "vocabulary", "component", "model", "version", "exact"), NAMED)
def test_the_least_versions_are_those_of_the_sheets(
    game: str, vocabulary: str, component: str, model: str, version: str, exact: bool
) -> None:
    found = [(p.component, p.model, p.version, p.exact) for p in pieces_named(game, vocabulary)]
    assert (component, model, version, exact) in found


def test_the_first_generation_is_named_for_no_seven_card_game() -> None:
    for game in ("fortune", "commission-free-fortune", "face-up"):
        assert not any(piece.needed for piece in pieces_named(game, "aquarius"))


def test_every_piece_is_of_a_known_component_and_names_its_document() -> None:
    for game, vocabulary in product(game_ids(), ("aquarius", "nexus", "nexus-2")):
        for piece in pieces_named(game, vocabulary):
            assert piece.component in equipment.COMPONENTS
            assert piece.document
            assert piece.version == "" or version_status(piece.version, piece) == "ok"


@pytest.mark.parametrize(
    ("version", "named", "exact", "status"),
    [
        ("6.6 Build 520", "6.6 Build 520", False, "ok"),
        ("v6.6 build 519", "6.6 Build 520", False, "older"),
        ("6.7", "6.6 Build 520", False, "ok"),
        ("6.6", "6.6 Build 520", False, "older"),
        ("1.0.17", "1.0.017", False, "ok"),
        ("1.0.16", "1.0.017", False, "older"),
        ("1.0.114", "1.0.017", False, "ok"),
        ("2.10.0", "2.6.0", False, "ok"),
        ("V6.5.6sp", "6.5.6SP", True, "ok"),
        ("6.5.6", "6.5.6SP", True, "not-named"),
        ("6.5.7SP", "6.5.6SP", True, "not-named"),
        ("6.5.5SP", "6.5.6SP", True, "older"),
        ("", "1.2.0", False, "unknown-version"),
        ("latest", "1.2.0", False, "unknown-version"),
        ("1" * 200, "1.2.0", False, "unknown-version"),
        ("anything", "", False, "ok"),
    ],
)
def test_versions_are_compared_as_numbers(version: str, named: str, exact: bool, status: str) -> None:
    assert version_status(version, Piece("controller", "x", named, "sheet", exact)) == status


@given(st.lists(st.integers(0, 30), min_size=1, max_size=4), st.lists(st.integers(0, 30), min_size=1, max_size=4))
def test_a_version_is_older_exactly_if_its_numbers_are_lower(mine: list[int], named: list[int]) -> None:
    def padded(numbers: list[int]) -> list[int]:
        return numbers + [0] * (4 - len(numbers))

    piece = Piece("controller", "x", ".".join(map(str, named)), "sheet")
    status = version_status(".".join(map(str, mine)), piece)
    assert status == ("older" if padded(mine) < padded(named) else "ok")


@given(st.text(max_size=30))
def test_any_text_has_a_status(version: str) -> None:
    status = version_status(version, Piece("controller", "x", "2.6.0", "sheet"))
    assert (status == "unknown-version") == (version_key(version) is None)
