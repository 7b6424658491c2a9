"""Setting a floor up by the same commands that a property gives: people, links, tables, papers, dealers.

Whoever plays on the floor (the demonstration, a benchmark, an endurance run) hands in the manager, wherever it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final, Literal

import msgspec

from houseway.amounts import Cents
from houseway.games import game as game_of
from houseway.manager.commands.house_commands import (
    AddPerson,
    AttachSensor,
    ChangeDeck,
    ConfirmPerson,
    CreateTable,
    DealerIn,
    OpenTable,
    RecordPaper,
)
from houseway.manager.commands.link_commands import CreateLink, OpenLink
from houseway.manager.interface.contract import ManagerInterface
from houseway.manager.interface.field_types import TO_FILL_IN
from houseway.manager.views.floor_questions import DraftsQuestion
from houseway.manager.views.office_views import PaperDraft

EXECUTIVE: Final = "Executive 1"
SUPERVISOR: Final = "Supervisor 1"
SURVEILLANCE: Final = "Surveillance 1"
ACCOUNTING: Final = "Accounting 1"
TECHNICIAN: Final = "Technician 1"
OFFICE: Final = (
    (EXECUTIVE, "management", "executive"),
    (SUPERVISOR, "pit", "supervisor"),
    (SURVEILLANCE, "surveillance", "surveillance"),
    (ACCOUNTING, "accounting", "accounting"),
    (TECHNICIAN, "engineering", "technician"),
)

MAKER: Final = "Example Maker"
REFERENCE: Final = "example, not a real paper"

FLOAT: Final = Cents(1_000_000)
"""The chips that a table opens with, if a plan names no others."""


@dataclass(frozen=True)
class FloorPlan:
    """What is to be set up; `sensors` joins each table's sensors to links."""

    name: str
    links: tuple[CreateLink, ...]
    tables: tuple[CreateTable, ...]
    sensors: dict[str, dict[str, str]]
    carried: dict[str, dict[str, Cents]] = field(default_factory=dict)
    """Players' money that a link opens with beside its seed, by level."""
    float_cents: Cents = FLOAT


def dealer_of(table: str) -> str:
    """The dealer whom the floor plan puts at a table."""
    return f"Dealer {table}"


def token(person: str) -> str:
    """What a person's badge holds in a demonstration; a real badge holds something nobody can guess."""
    return f"badge of {person}"


def office() -> list[dict[str, Any]]:
    """The first people of the property."""
    return [
        {"id": id_, "name": id_, "department": department, "roles": [role], "badge": token(id_)}
        for id_, department, role in OFFICE
    ]


def set_up(plan: FloorPlan, manager: ManagerInterface, now: int) -> None:
    """Carry the whole plan out at a property that has just begun with its `office`.

    Afterwards every table is open with its dealer signed in.
    """
    for link in plan.links:
        manager.send(link, actor=EXECUTIVE)
        opening = OpenLink(
            link.link, _opening(plan, link), token(ACCOUNTING), "players' money of an earlier progressive"
        )
        manager.send(opening, actor=EXECUTIVE)
    for table in plan.tables:
        _open(plan, table, manager, now)


def _opening(plan: FloorPlan, link: CreateLink) -> dict[str, dict[Literal["seed", "carried"], Cents]]:
    """The opening amount of every level: its seed, and what is carried over from an earlier progressive."""
    carried = plan.carried.get(link.link, {})
    found: dict[str, dict[Literal["seed", "carried"], Cents]] = {}
    for level, parameters in link.levels.items():
        found[level] = {"seed": parameters.seed}
        if carried.get(level):
            found[level]["carried"] = carried[level]
    return found


def _open(plan: FloorPlan, table: CreateTable, manager: ManagerInterface, now: int) -> None:
    manager.send(table, actor=TECHNICIAN)
    for sensor, link in plan.sensors.get(table.table, {}).items():
        manager.send(AttachSensor(table.table, sensor, link), actor=TECHNICIAN)
    lacking = manager.ask(DraftsQuestion(table=table.table, at=now))
    for draft in lacking.drafts:
        by_executive = "executive" in lacking.entered_by[draft.register]
        manager.send(_filled_in(draft), actor=EXECUTIVE if by_executive else SURVEILLANCE)
    manager.send(OpenTable(table.table, plan.float_cents, token(SUPERVISOR)), actor=EXECUTIVE)
    manager.send(ChangeDeck(table.table, f"deck of {table.table}", game_of(table.game).deck), actor=SUPERVISOR)
    dealer = dealer_of(table.table)
    hired = AddPerson(dealer, dealer, "pit", ["dealer"], token(dealer), token(SURVEILLANCE))
    manager.send(hired, actor=EXECUTIVE)
    manager.send(ConfirmPerson(dealer, token(dealer)), actor=ACCOUNTING)
    manager.send(DealerIn(table.table, token(dealer)), actor=dealer)


def _filled_in(draft: PaperDraft) -> RecordPaper:
    """A draft as an example of a paper."""
    subject = MAKER if draft.subject == TO_FILL_IN else draft.subject
    open_texts = {name for name, value in draft.fields.items() if value == TO_FILL_IN}
    filled = {name: MAKER if name == "maker" else REFERENCE for name in open_texts}
    fields = msgspec.structs.replace(draft, subject=subject, fields={**draft.fields, **filled})
    return msgspec.convert(fields.to_json(), RecordPaper)
