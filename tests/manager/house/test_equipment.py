"""Versions of equipment against what the sheets name, and the list of what is flagged."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from houseway.definitions import games
from houseway.games import game_ids
from houseway.manager.handlers import equipment
from houseway.manager.handlers.equipment import (
    EquipmentPart,
    sheet_of,
    sheets,
    sheets_for,
    systems_for,
    version_key,
    version_status,
)

NAMED = [
    ("six-card-fortune", "aquarius", "game-manager", "Game Manager", "6.6 Build 520", True),
    ("six-card-fortune", "aquarius", "controller", "Aquarius Controller", "6.5.6SP", False),
    ("six-card-fortune", "aquarius", "coin-spot", "Coin Spot", "6.0", False),
    ("six-card-fortune", "aquarius", "display", "CHAM2+", "1.66P$", False),
    ("six-card-fortune", "aquarius", "display", "ViPS", "1.2.0", True),
    ("six-card-fortune", "nexus", "game-manager", "Nexus Command Game Manager TCP", "1.3.0", True),
    ("six-card-fortune", "nexus", "controller", "Nexus Command Table Controller", "2.0.0", True),
    ("six-card-fortune", "nexus", "i-verify", "i-Verify", "1.0.017", True),
    ("six-card-fortune", "nexus", "shuffler", "i-Deal", "3.8.024", True),
    ("six-card-poker", "nexus", "controller", "Nexus Command Table Controller", "2.0.0", False),
    ("six-card-poker", "nexus", "shuffler", "ACE", "", False),
    ("fortune", "nexus-2", "game-manager", "Nexus Command Game Manager 2", "2.5.4", True),
    ("fortune", "nexus-2", "game-manager", "GM Atlas", "5.4.0", True),
    ("fortune", "nexus-2", "game-manager", "Nexus Command II", "5.4", True),
    ("fortune", "nexus-2", "controller", "Nexus Command Table Controller 2", "2.6.0", True),
    ("fortune", "nexus-2", "shuffler", "i-Deal Plus NXP", "1.0.114", True),
    ("fortune", "nexus-2", "display", "", "", False),
]


def named(game: str, vocabulary: str) -> list[EquipmentPart]:
    optional = [part for sheet in sheets_for(game) for part in sheet.optional]
    return [part for system in systems_for(game, vocabulary) for part in system.parts] + optional


@pytest.mark.parametrize(("game", "vocabulary", "component", "model", "version", "or_higher"), NAMED)
def test_the_parts_are_those_of_the_sheets(
    game: str, vocabulary: str, component: str, model: str, version: str, or_higher: bool
) -> None:
    found = [(p.component, p.model, p.version, p.or_higher) for p in named(game, vocabulary)]
    assert (component, model, version, or_higher) in found


def test_a_generation_that_a_game_s_sheets_do_not_name_has_no_system() -> None:
    for game in ("fortune", "commission-free-fortune", "face-up"):
        assert systems_for(game, "aquarius") == ()
    for game in ("six-card-fortune", "six-card-poker"):
        assert systems_for(game, "nexus-2") == ()


def test_the_newest_edition_has_dropped_the_first_system_of_the_fortune_games() -> None:
    def managers(edition: str) -> set[str]:
        systems = systems_for("fortune", "nexus-2", [edition])
        return {part.model for system in systems for part in system.parts if part.component == "game-manager"}

    assert managers("2018-10-18") == {"Nexus Command Game Manager", "Nexus Command Game Manager 2"}
    assert managers("2023-06-14") == {"Nexus Command Game Manager 2", "GM Atlas", "Nexus Command II"}
    # An approval rests on the newest sheet that is not later, one older than all sheets on the oldest.
    assert managers("2030-01-01") == managers("2023-06-14")
    assert managers("2023-06-13") == managers("2001-01-01") == managers("2018-10-18")


def test_every_part_is_of_a_known_component_and_names_its_document() -> None:
    documents = {edition.document for played in games() for edition in played.editions}
    assert all(any(sheet.document.startswith(document) for sheet in sheets()) for document in documents)
    assert all(sheet.systems and sheet.optional for sheet in sheets()), "a sheet that an edition names is not listed"
    for played in games():
        for edition in played.editions:
            worked = {controls for system in sheet_of(edition).systems for controls in system.controls}
            assert worked == {each.name for each in edition.controls}, edition.document
    for game, vocabulary in product(game_ids(), ("aquarius", "nexus", "nexus-2")):
        for part in named(game, vocabulary):
            assert part.component in equipment.COMPONENTS
            assert part.document
            assert part.version == "" or version_status(part.version, part) == "ok"


@pytest.mark.parametrize(
    ("version", "printed", "exact", "status"),
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
        ("unknown since 2024", "1.2.0", False, "unknown-version"),
        ("2.6.0-rc1", "2.6.0", False, "unknown-version"),
        ("3 beta", "2.6.0", False, "unknown-version"),
        ("3.0b1", "2.6.0", False, "unknown-version"),
        ("2.6.0-rc1", "v2.6.0-RC1", True, "ok"),
        ("v 2.6.1", "2.6.0", False, "ok"),
        ("1.67P$", "1.66P$", False, "ok"),
        ("1" * 200, "1.2.0", False, "unknown-version"),
        ("anything", "", False, "ok"),
    ],
)
def test_versions_are_compared_as_numbers(version: str, printed: str, exact: bool, status: str) -> None:
    assert version_status(version, EquipmentPart("controller", "x", printed, "sheet", or_higher=not exact)) == status


@given(st.lists(st.integers(0, 30), min_size=1, max_size=4), st.lists(st.integers(0, 30), min_size=1, max_size=4))
def test_a_version_is_older_exactly_if_its_numbers_are_lower(mine: list[int], printed: list[int]) -> None:
    def padded(numbers: list[int]) -> list[int]:
        return numbers + [0] * (4 - len(numbers))

    part = EquipmentPart("controller", "x", ".".join(map(str, printed)), "sheet", or_higher=True)
    status = version_status(".".join(map(str, mine)), part)
    assert status == ("older" if padded(mine) < padded(printed) else "ok")


@given(st.text(max_size=30))
def test_any_text_has_a_status(version: str) -> None:
    status = version_status(version, EquipmentPart("controller", "x", "2.6.0", "sheet", or_higher=True))
    assert (status == "unknown-version") == (version_key(version) is None)
