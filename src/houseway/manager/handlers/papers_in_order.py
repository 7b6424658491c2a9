"""The papers that a table still lacks, drafted in full: for demonstrations and tests, and as a pattern for a real room.

Every value that only the outside world can know (submission numbers, references, makers) says so. An executive may
enter all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from houseway.manager.commands.house import RecordPaper
from houseway.manager.core.entities import Table
from houseway.manager.core.floor import Floor
from houseway.manager.handlers import equipment, settings
from houseway.manager.handlers.notices import notice_faults, notices
from houseway.manager.handlers.register_list import SEEN
from houseway.manager.handlers.registers import PROPERTY, approval_faults, papers_held, rules_hash

MAKER: Final = "Example Maker"
REFERENCE: Final = "example, not a real paper"
DAY: Final = "2023-06-14"


def papers_in_order(floor: Floor, table: Table, at: int) -> list[RecordPaper]:
    """The commands that put everything on file which the table lacks at a time, from that time on."""
    return [
        RecordPaper(register, _free_id(floor, f"{register}-{subject}-{number}"), subject, fields, at)
        for number, (register, subject, fields) in enumerate(_drafts(floor, table, at), 1)
    ]


def _free_id(floor: Floor, wanted: str) -> str:
    """The id, with a further number where it is on file."""
    free, number = wanted.replace(" ", "-"), 1
    while free in floor.paper:
        number += 1
        free = f"{wanted.replace(' ', '-')}-{number}"
    return free


def _drafts(floor: Floor, table: Table, at: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    licence = settings.licence_of(floor)
    contents: dict[str, dict[str, Any]] = {
        "game-approval": {
            "submission": REFERENCE, "edition": DAY, "hash": rules_hash(table.game), "licence": licence,
        },
        "internal-controls": {"reference": REFERENCE, "approved_on": DAY},
        "agency-approval": {"agency": REFERENCE, "reference": REFERENCE},
        "state-concurrence": {"reference": REFERENCE},
        "supplemental-information": {"reference": REFERENCE, "submitted_on": DAY},
    }  # fmt: skip
    for fault in approval_faults(floor, table.game, at):
        yield fault.path, table.game, contents[fault.path]
    yield from _equipment(floor, table, at)
    if not papers_held(floor, "maker-licence", (MAKER,), at):
        papers = (("state", "certificate"), ("tribe", "licence")) if licence == "tribal" else (("state", "licence"),)
        for issuer, document in papers:
            covers = ["layout", "equipment"]
            fields = {"number": REFERENCE, "issuer": issuer, "document": document, "covers": covers}
            yield "maker-licence", MAKER, fields
    if not papers_held(floor, "surveillance-coverage", (table.id,), at):
        yield "surveillance-coverage", table.id, {"sees": list(SEEN), "reference": REFERENCE}
    lacking = {fault.path.removeprefix("notices.") for fault in notice_faults(floor, table, at)}
    for notice in notices(floor, table, at):
        if notice.kind in lacking:
            yield "notice", table.id, {"notice": notice.kind, "text": notice.text, "shows": notice.shows}


def _equipment(floor: Floor, table: Table, at: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """One piece of each component that the sheets name for the table, in the least version that they allow."""
    there = {p.fields["component"] for p in papers_held(floor, "equipment", (table.id, PROPERTY), at)}
    for piece in equipment.pieces_named(table.game, table.vocabulary):
        if piece.component in there or (piece.needed and not table.sensors):
            continue
        there.add(piece.component)
        fields: dict[str, Any] = {
            "component": piece.component, "model": piece.model, "maker": MAKER, "version": piece.version or "none",
        }  # fmt: skip
        if piece.component == "display":
            fields["networked"] = False
        yield "equipment", table.id, fields
