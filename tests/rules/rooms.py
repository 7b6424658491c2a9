"""Words for cases about links and papers: commands that are carried out or refused, links, tables, their opening."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from houseway.errors import InputError
from houseway.manager.commands.house_commands import AttachSensor, OpenTable, RecordPaper
from houseway.manager.commands.link_commands import Approve, CreateLink, OpenLink, Propose
from houseway.manager.core.link_entities import LevelParameters, Link
from houseway.manager.handlers.papers_in_order import papers_in_order
from houseway.paytables import paytable
from tests.manager.floors import ACCOUNTING, EXECUTIVE, SUPERVISOR, TECHNICIAN, Room, badge, enters, new_room

JACKPOT_TABLES = {
    "six-card-fortune": "6CFPGPP-2",
    "six-card-poker": "SIXCPP-02",
    "fortune": "FPGPP-WA01",
    "commission-free-fortune": "FPGPP-WA07",
    "face-up": "FUPGPP-03",
}
"""A jackpot pay table for each game."""


def codes(room: Room, actor: str, command: Any) -> set[str]:
    """The codes with which a command is refused; empty if it was carried out."""
    try:
        room.do(actor, command)
    except InputError as error:
        return {fault.code for fault in error.faults}
    return set()


def done(room: Room, actor: str, command: Any) -> dict[str, Any]:
    """A command that must be carried out."""
    try:
        return room.do(actor, command)
    except InputError as error:
        raise AssertionError(f"{command}: {error}") from error


def levels_of(table_id: str, **more: Any) -> dict[str, LevelParameters]:
    """The levels of a pay table, with a seed of $3,000 and a tenth of each wager."""
    return {level: LevelParameters(300_000, "1/10", "1/100", **more) for level in paytable(table_id).levels}


def draw_up(room: Room, link: str, table_id: str, kind: str = "progressive") -> Link:
    """A link in play: a progressive opened at its seeds, or a house jackpot with a prize of $5,000 for each level."""
    levels = levels_of(table_id)
    if kind == "progressive":
        done(room, ACCOUNTING, CreateLink(link, "progressive", table_id, levels))
        opening: dict[str, Any] = {level: {"seed": 300_000} for level in levels}
    else:
        done(room, ACCOUNTING, CreateLink(link, "house", table_id, prizes=dict.fromkeys(levels, 500_000)))
        opening = {}
    done(room, ACCOUNTING, OpenLink(link, opening, badge(EXECUTIVE)))
    return room.floor.links[link]


def two_people(room: Room, what: dict[str, Any]) -> set[str] | dict[str, Any]:
    """A change by two people: its answer, or the codes of its refusal."""
    try:
        proposed = room.do(ACCOUNTING, Propose(what, "case"))
        return room.do(ACCOUNTING, Approve(proposed["proposal"], proposed["content_hash"], badge(EXECUTIVE)))
    except InputError as error:
        return {fault.code for fault in error.faults}


# ---------------------------------------------------------------- a table and its papers


def closed_table(
    game_id: str, vocabulary: str = "nexus-2", licence: str = "commercial", at: int | None = None, *,
    jackpot: bool = False, without: Iterable[str] = (), **table: Any,
) -> Room:  # fmt: skip
    """A room with one closed table T1 and all its papers, but for registers, notices and components to leave out."""
    room = new_room(licence)
    room.now = room.now if at is None else at
    try:
        room.add_table("T1", game_id, vocabulary=vocabulary, **table)
    except InputError as error:
        raise AssertionError(f"{game_id} with {vocabulary} controls: {error}") from error
    if jackpot:
        draw_up(room, "L1", JACKPOT_TABLES[game_id])
        done(room, TECHNICIAN, AttachSensor("T1", "1", "L1"))
    for command in papers_in_order(room.floor, room.table(), room.now):
        named = {command.register, command.fields.get("notice"), command.fields.get("component")}
        if not named & set(without):
            done(room, enters(command), command)
    return room


def enter(room: Room, register: str, subject: str, fields: dict[str, Any], **more: Any) -> str:
    """Enter a paper; its id."""
    paper = f"paper-{len(room.floor.papers) + 1}"
    done(room, EXECUTIVE, RecordPaper(register, paper, subject, fields, more.pop("since", room.now), **more))
    return paper


def opening(room: Room) -> set[tuple[str, str]]:
    """Why T1 may not open: codes and places. Empty if it was opened."""
    try:
        room.do(EXECUTIVE, OpenTable("T1", 100_000, badge(SUPERVISOR)))
    except InputError as error:
        return {(fault.code, fault.path) for fault in error.faults}
    return set()


def opened(room: Room) -> list[tuple[str, str, str]]:
    """T1 must open: what its people are warned of, as codes, places and messages."""
    answer = done(room, EXECUTIVE, OpenTable("T1", 100_000, badge(SUPERVISOR)))
    return [(each["code"], each["path"], each["message"]) for each in answer["warnings"]]
