"""Papers that hold at a time: those of a register, the approvals of a game, what is said of a table's equipment."""

from __future__ import annotations

from typing import Final

from houseway.manager.core import settings
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Paper
from houseway.manager.core.table_entities import Table
from houseway.manager.handlers import equipment

PROPERTY: Final = "property"
"""The subject of a paper about the whole property."""


def holds(paper: Paper, at: int) -> bool:
    """Whether a paper holds at a time: from `since` on, and no longer at `until`."""
    return paper.since <= at and (paper.until is None or at < paper.until)


def papers_held(floor: Floor, register: str, subjects: tuple[str, ...], at: int) -> list[Paper]:
    """The papers of a register about one of these that hold at a time, the oldest first."""
    found = (paper for paper in floor.papers_of(register) if paper.subject in subjects and holds(paper, at))
    return sorted(found, key=lambda paper: (paper.since, paper.id))


def approvals_held(floor: Floor, game_id: str, at: int) -> list[Paper]:
    """The approvals of a game that hold for the property's licence."""
    licence = settings.licence_of(floor)
    return [
        paper for paper in papers_held(floor, "game-approval", (game_id,), at) if paper.fields["licence"] == licence
    ]


def equipment_register(floor: Floor, table: Table, at: int) -> equipment.EquipmentRegister:
    """What the registers say about a table's equipment at a time."""
    return equipment.EquipmentRegister(
        papers_held(floor, "equipment", (table.id,), at),
        papers_held(floor, "equipment", (PROPERTY,), at),
        equipment.approved_parts(papers_held(floor, equipment.APPROVALS, (table.game, PROPERTY), at)),
        tuple(paper.text("edition") for paper in approvals_held(floor, table.game, at)),
    )
