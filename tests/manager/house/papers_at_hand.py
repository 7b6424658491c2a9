"""A room whose table is to open, and the papers that it needs."""

from __future__ import annotations

from typing import Any

from houseway.manager.commands.house_commands import OpenTable, RecordPaper
from houseway.manager.handlers.papers_in_order import papers_in_order
from tests.manager.floors import EXECUTIVE, OTHER_SUPERVISOR, Room, badge, enters, new_room


def opening(table: str = "T1", float_cents: int = 500_000, swiped: str = OTHER_SUPERVISOR) -> OpenTable:
    return OpenTable(table, float_cents, badge(swiped))


def room_with_jackpot(game: str = "fortune", vocabulary: str = "nexus-2", paytable: str = "FPGPP-WA01") -> Room:
    room = new_room()
    room.add_link("L1", paytable)
    room.add_table("T1", game, vocabulary=vocabulary)
    room.attach("T1", "1", "L1")
    return room


def enter(room: Room, *leaving_out: str, changed: dict[str, dict[str, Any]] | None = None) -> None:
    """Enter the papers that the table lacks, without those of some registers, components or notices, or changed."""
    for command in papers_in_order(room.floor, room.table(), room.now):
        names = {command.register, command.fields.get("component"), command.fields.get("notice")}
        if names & set(leaving_out):
            continue
        fields = dict(command.fields)
        for name, change in (changed or {}).items():
            if name in names:
                fields |= change
        entered = RecordPaper(command.register, command.paper, command.subject, fields, command.since)
        room.do(enters(command), entered)


def post_number_of_games(room: Room) -> None:
    """Post the notice that the approved edition asks for, where it does."""
    for command in papers_in_order(room.floor, room.table(), room.now):
        if command.fields.get("notice") == "separate-games":
            room.do(EXECUTIVE, command)


def codes(answer: dict[str, Any]) -> list[str]:
    return [warning["code"] for warning in answer["warnings"]]
