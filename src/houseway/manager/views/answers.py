"""What each question is answered, and what each subscription tells."""

from __future__ import annotations

from typing import Final, Literal

from houseway.manager.views.health_view import FaultView
from houseway.manager.views.jackpot_views import AwardView, LinkView, MetersView, RecentAward
from houseway.manager.views.office_views import DeviceView, PaperDraft, PaperView, PersonView, ProposalView, SessionView
from houseway.manager.views.slip_views import HouseView, SlipView
from houseway.manager.views.table_views import RoundView, TableView
from houseway.manager.views.view_base import FloorView
from houseway.manager.views.win_page_view import WinPageView


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
    uncovered: tuple[FaultView, ...]
    """Choices of the room that no paper in force covers: it begins no round until one does."""


class TablesAnswer(AnswerView, frozen=True, kw_only=True):
    """`tables`: all tables."""

    tables: tuple[TableView, ...]
    uncovered: dict[str, tuple[FaultView, ...]]
    """Tables with choices of the room that no paper in force covers: they begin no round until one does."""
    unopened: dict[str, tuple[FaultView, ...]]
    """By closed table: what keeps it from opening."""


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
    """`incidents`: those whose cause is not declared repaired, or whose report to the commission is not entered."""

    incidents: tuple[PaperView, ...]


class SessionsAnswer(PageView, frozen=True, kw_only=True):
    """`sessions`: those that count now."""

    sessions: tuple[SessionView, ...]


class ProposalsAnswer(PageView, frozen=True, kw_only=True):
    """`proposals`: changes that wait."""

    proposals: tuple[ProposalView, ...]


class SlipsAnswer(PageView, frozen=True, kw_only=True):
    """`slips`: numbered papers, the oldest first."""

    slips: tuple[SlipView, ...]


class SlipAnswer(AnswerView, frozen=True, kw_only=True):
    """`slip`: one slip, and whose paper it is."""

    slip: SlipView
    house: HouseView
    people: dict[str, str]
    """Names of those who are named on it by their ids."""


class WinPageAnswer(AnswerView, frozen=True, kw_only=True):
    """`win-page`: everything that the paper of an award shows."""

    page: WinPageView


class DraftsAnswer(AnswerView, frozen=True, kw_only=True):
    """`drafts`: the papers that a table lacks."""

    drafts: tuple[PaperDraft, ...]
    entered_by: dict[str, tuple[str, ...]]
    """By register: the roles that enter its papers."""


class KeyAnswer(FloorView, frozen=True, kw_only=True):
    """`key`: what a device had carried out under a key; nulls for nothing."""

    key: str
    kind: str | None
    seq: int | None


class HeadAnswer(FloorView, frozen=True, kw_only=True):
    """`head`: the newest signed head of the journal, and the path that proves its growth from an older size."""

    head: str | None
    """A signed note (docs/reference/proofs.md); null before the first one was made."""
    old: int
    path: tuple[str, ...]
    """Hashes in base64; none where the head has fewer events than `old`."""


class EventsAnswer(AnswerView, frozen=True, kw_only=True):
    """`events`: the heads of events after a number, in order."""

    events: tuple[EventMessage, ...]
    first: int
    """The oldest event that is not archived."""
    next: int | None
    """Asked again with this as `after`, the events behind them come; null when there are none yet."""


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
