"""Games from outside sources on a floor: approved by the hash of their own files, which stands on every record."""

from __future__ import annotations

from pathlib import Path

import pytest

from houseway import sources
from houseway.manager.commands.house_commands import OpenTable
from houseway.manager.commands.round_commands import EndRound, StartRound
from houseway.manager.handlers.room_choices import rules_hash
from tests.definitions.test_outside import GAME, own, write
from tests.manager.floors import DEALER, OTHER_SUPERVISOR, SUPERVISOR, Room, badge, new_room

METER = ("fixed_pays_from_meter = true", "fixed_pays_from_meter = false")
"""A fact of the definition that somebody changes in its file."""


def room_with_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    monkeypatch.setenv(sources.VARIABLE, str(folder))
    room = new_room()
    room.add_table("T1", "own-poker", vocabulary="nexus")
    return room


def test_a_game_from_outside_needs_an_approval_of_its_own_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = rules_hash("six-card-poker")
    room = room_with_it(write(tmp_path / "games"), monkeypatch)
    opening = OpenTable("T1", 500_000, badge(OTHER_SUPERVISOR))
    assert ("no-approval", "game-approval") in room.refused(SUPERVISOR, opening)
    room.put_papers_in_order()
    room.do(SUPERVISOR, opening)
    assert room.table().rules == rules_hash("own-poker") != shipped == rules_hash("six-card-poker")


def test_a_definition_that_changes_after_the_opening_ends_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = room_with_it(write(tmp_path / "games"), monkeypatch)
    room.open_table()
    room.do(DEALER, StartRound("T1"))
    room.do(DEALER, EndRound("T1-1"))
    before = room.table().rules
    assert METER[0] in own(GAME)
    # Another folder stands for the same one after a start of the program: files are read once.
    changed = write(tmp_path / "changed", **{"definitions/own-poker": own(GAME).replace(*METER)})
    monkeypatch.setenv(sources.VARIABLE, str(changed))
    assert rules_hash("own-poker") != before
    assert room.refused(DEALER, StartRound("T1")) == {("approval-differs", "game-approval")}
    assert room.table().rules == room.floor.rounds["T1-1"].rules == before
