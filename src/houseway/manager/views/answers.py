"""What each question is answered, and what each subscription tells: the whole of what others see, by name."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from houseway.manager.views.health_view import HealthView
from houseway.manager.views.jackpot_views import AwardView, LinkView, MetersView, RecentAward
from houseway.manager.views.office_views import DeviceView, PaperDraft, PaperView, PersonView, ProposalView
from houseway.manager.views.table_views import RoundView, TableView
from houseway.manager.views.view_base import FloorView


class AnswerView(FloorView, frozen=True, kw_only=True):
    """Up to which event an answer holds, the time of that event, and the time by the manager's clock."""

    seq: int
    at: int
    now: int


class MetersAnswer(AnswerView, frozen=True, kw_only=True):
    """`meters`: of one link, or of all."""

    meters: tuple[MetersView, ...]


class TableAnswer(AnswerView, frozen=True, kw_only=True):
    """`table`: one table."""

    table: TableView


class TablesAnswer(AnswerView, frozen=True, kw_only=True):
    """`tables`: all tables."""

    tables: tuple[TableView, ...]


class LinkAnswer(AnswerView, frozen=True, kw_only=True):
    """`link`: one link."""

    link: LinkView


class LinksAnswer(AnswerView, frozen=True, kw_only=True):
    """`links`: all links."""

    links: tuple[LinkView, ...]


class RoundAnswer(AnswerView, frozen=True, kw_only=True):
    """`round`: a round in play, on hold, or just ended."""

    round: RoundView


class AwardsAnswer(AnswerView, frozen=True, kw_only=True):
    """`awards`: those of rounds that are not over, and the last ones of others."""

    awards: tuple[AwardView, ...]
    recent: tuple[RecentAward, ...]


class PageView(AnswerView, frozen=True, kw_only=True):
    """A page of an answer; asked again with `next` as `after`, the next one comes. Null on the last page."""

    next: str | None = None


class PeopleAnswer(PageView, frozen=True, kw_only=True):
    """`people`: staff."""

    people: tuple[PersonView, ...]


class DevicesAnswer(PageView, frozen=True, kw_only=True):
    """`devices`: controllers, displays and services."""

    devices: tuple[DeviceView, ...]


class PapersAnswer(PageView, frozen=True, kw_only=True):
    """`papers`: the registers, also of papers that hold no more."""

    papers: tuple[PaperView, ...]


class IncidentsAnswer(PageView, frozen=True, kw_only=True):
    """`incidents`: those whose cause was not yet declared repaired."""

    incidents: tuple[PaperView, ...]


class ProposalsAnswer(PageView, frozen=True, kw_only=True):
    """`proposals`: changes that wait."""

    proposals: tuple[ProposalView, ...]


class DraftsAnswer(AnswerView, frozen=True, kw_only=True):
    """`drafts`: the papers that a table lacks."""

    drafts: tuple[PaperDraft, ...]


class KeyAnswer(FloorView, frozen=True, kw_only=True):
    """`key`: what a device had carried out under a key; nulls for nothing."""

    key: str
    kind: str | None
    seq: int | None


ANSWERS: Final[dict[str, type[FloorView]]] = {
    "health": HealthView,
    "meters": MetersAnswer,
    "table": TableAnswer,
    "tables": TablesAnswer,
    "link": LinkAnswer,
    "links": LinksAnswer,
    "round": RoundAnswer,
    "awards": AwardsAnswer,
    "people": PeopleAnswer,
    "devices": DevicesAnswer,
    "papers": PapersAnswer,
    "incidents": IncidentsAnswer,
    "proposals": ProposalsAnswer,
    "drafts": DraftsAnswer,
    "key": KeyAnswer,
}
"""The type of the answer to each question about the floor; `chain` and `seen` are about the journal (`marks`)."""


class StateMessage(FloorView, frozen=True, kw_only=True):
    """A state that a subscription tells, with the number and the time of the last event in it."""

    seq: int
    at: int


class MetersMessage(StateMessage, frozen=True, kw_only=True):
    """The meters of a link have changed."""

    topic: Literal["meters"] = "meters"
    meters: MetersView


class TableMessage(StateMessage, frozen=True, kw_only=True):
    """A table has changed."""

    topic: Literal["tables"] = "tables"
    table: TableView


class AwardMessage(StateMessage, frozen=True, kw_only=True):
    """An award has changed; null: it is no more."""

    topic: Literal["awards"] = "awards"
    id: str
    award: AwardView | None


class EventMessage(FloorView, frozen=True, kw_only=True):
    """The head of a single event; its key is its sender's alone."""

    topic: Literal["events"] = "events"
    seq: int
    at: int
    kind: str
    actor: str
    device: str | None
    hash: str


MESSAGES: Final[dict[str, type[FloorView]]] = {
    "meters": MetersMessage,
    "tables": TableMessage,
    "awards": AwardMessage,
    "events": EventMessage,
}
"""What is told of each topic."""


def schema() -> dict[str, Any]:
    """The JSON schema of every answer and every message, with the views in them under `$defs`."""
    named = {f"ask {name}": kind for name, kind in ANSWERS.items()}
    named |= {f"subscribe {name}": kind for name, kind in MESSAGES.items()}
    schemas, defined = msgspec.json.schema_components(named.values(), ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What a Houseway Game Manager answers and tells",
        "answers": {name: schemas[place] for place, name in enumerate(ANSWERS)},
        "messages": {name: schemas[len(ANSWERS) + place] for place, name in enumerate(MESSAGES)},
        "$defs": defined,
    }
