"""docs/reference/room.md is what the command line says of the commands of a room today."""

from __future__ import annotations

from pathlib import Path

from houseway.cli.room_commands import kinds_for_people, place_of
from instruments.room_page import page

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "room.md"


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "renew it: scripts/write-room-page"


def test_every_command_that_a_person_may_give_is_there() -> None:
    text = PAGE.read_text(encoding="utf-8")
    typed = [" ".join(place_of(kind)) for kind in kinds_for_people()]
    assert [words for words in typed if f"### {words}" not in text] == []
