"""What can be asked: one struct a question, which names its arguments and the type of its answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Final, Generic, TypeVar, get_args

import msgspec

from houseway.errors import InputError, present
from houseway.manager.core.roles import LOOKING, PRESENT
from houseway.manager.views.answers import (
    AwardsAnswer,
    DevicesAnswer,
    DraftsAnswer,
    EventsAnswer,
    HeadAnswer,
    IncidentsAnswer,
    KeyAnswer,
    LinkAnswer,
    LinksAnswer,
    MetersAnswer,
    PageView,
    PapersAnswer,
    PeopleAnswer,
    ProposalsAnswer,
    RoundAnswer,
    SessionsAnswer,
    SlipAnswer,
    SlipsAnswer,
    TableAnswer,
    TablesAnswer,
    WinPageAnswer,
)
from houseway.manager.views.health_view import HealthView
from houseway.manager.views.view_base import FloorView
from houseway.reading.codes import Codes
from houseway.reading.described import as_described
from houseway.reading.faults import Faults

A_co = TypeVar("A_co", bound=FloorView, covariant=True)


class Question(
    msgspec.Struct, Generic[A_co], frozen=True, kw_only=True, tag_field="ask", omit_defaults=True,
    forbid_unknown_fields=True,
):  # fmt: skip
    """A question about the floor; `answer` is the type of what comes back."""

    answer: ClassVar[type[FloorView]]
    for_services: ClassVar[bool] = False
    """Whether controllers and displays are refused."""
    readers: ClassVar[tuple[str, ...]] = PRESENT
    """Roles of which a person needs one, where a person asks by name."""


class HealthQuestion(Question[HealthView], frozen=True, kw_only=True, tag="health"):
    """How the manager is."""


class MetersQuestion(Question[MetersAnswer], frozen=True, kw_only=True, tag="meters"):
    """What the signs of a link show, or of all."""

    link: str | None = None


class TableQuestion(Question[TableAnswer], frozen=True, kw_only=True, tag="table"):
    """One table."""

    table: str


class TablesQuestion(Question[TablesAnswer], frozen=True, kw_only=True, tag="tables"):
    """All tables."""


class LinkQuestion(Question[LinkAnswer], frozen=True, kw_only=True, tag="link"):
    """One link."""

    link: str


class LinksQuestion(Question[LinksAnswer], frozen=True, kw_only=True, tag="links"):
    """All links."""


class RoundQuestion(Question[RoundAnswer], frozen=True, kw_only=True, tag="round"):
    """A round in play, on hold, or just ended."""

    round: str


class AwardsQuestion(Question[AwardsAnswer], frozen=True, kw_only=True, tag="awards"):
    """Awards of rounds that are not over and the last ones of others; of a table, a link, or all."""

    table: str | None = None
    link: str | None = None


class PagedQuestion(Question[A_co], frozen=True, kw_only=True):
    """A question that is answered in pages, and only to services; `after` is the `next` of the page before."""

    for_services: ClassVar[bool] = True
    readers: ClassVar[tuple[str, ...]] = LOOKING
    after: str = ""


class PeopleQuestion(PagedQuestion[PeopleAnswer], frozen=True, kw_only=True, tag="people"):
    """Staff."""


class DevicesQuestion(PagedQuestion[DevicesAnswer], frozen=True, kw_only=True, tag="devices"):
    """Controllers, displays and services."""


class SessionsQuestion(PagedQuestion[SessionsAnswer], frozen=True, kw_only=True, tag="sessions"):
    """Sessions that count now: whose badge was read where."""


class PapersQuestion(PagedQuestion[PapersAnswer], frozen=True, kw_only=True, tag="papers"):
    """The papers of a register, or of all."""

    register: str | None = None


class IncidentsQuestion(PagedQuestion[IncidentsAnswer], frozen=True, kw_only=True, tag="incidents"):
    """Incidents whose cause is not declared repaired, or whose report to the commission is not entered."""


class ProposalsQuestion(PagedQuestion[ProposalsAnswer], frozen=True, kw_only=True, tag="proposals"):
    """Changes that wait."""


class SlipsQuestion(PagedQuestion[SlipsAnswer], frozen=True, kw_only=True, tag="slips"):
    """Slips in the order in which they were made; of a table or a kind, or all."""

    table: str | None = None
    kind: str | None = None


class SlipQuestion(Question[SlipAnswer], frozen=True, kw_only=True, tag="slip"):
    """One slip."""

    for_services: ClassVar[bool] = True
    readers: ClassVar[tuple[str, ...]] = LOOKING
    slip: str


class WinPageQuestion(Question[WinPageAnswer], frozen=True, kw_only=True, tag="win-page"):
    """Everything that the paper of a paid award shows, with its proof; read from the journal."""

    for_services: ClassVar[bool] = True
    readers: ClassVar[tuple[str, ...]] = LOOKING
    award: str


class DraftsQuestion(Question[DraftsAnswer], frozen=True, kw_only=True, tag="drafts"):
    """The papers that a table lacks at a time, the last event's without `at`."""

    for_services: ClassVar[bool] = True
    readers: ClassVar[tuple[str, ...]] = LOOKING
    table: str
    at: int | None = None


class KeyQuestion(Question[KeyAnswer], frozen=True, kw_only=True, tag="key"):
    """What whoever asks had carried out under a key."""

    key: str


class HeadQuestion(Question[HeadAnswer], frozen=True, kw_only=True, tag="head"):
    """The newest signed head of the journal, for a witness that has seen one of `old` events."""

    for_services: ClassVar[bool] = True
    readers: ClassVar[tuple[str, ...]] = LOOKING
    old: int = 0


class EventsQuestion(Question[EventsAnswer], frozen=True, kw_only=True, tag="events"):
    """The heads of the events after a number, at most `limit` of them: every single one, however late they are read."""

    for_services: ClassVar[bool] = True
    readers: ClassVar[tuple[str, ...]] = LOOKING
    after: int = 0
    limit: int = 100


_ALL: Final[tuple[type[Question[FloorView]], ...]] = (
    HealthQuestion,
    MetersQuestion,
    TableQuestion,
    TablesQuestion,
    LinkQuestion,
    LinksQuestion,
    RoundQuestion,
    AwardsQuestion,
    PeopleQuestion,
    DevicesQuestion,
    SessionsQuestion,
    PapersQuestion,
    IncidentsQuestion,
    ProposalsQuestion,
    SlipsQuestion,
    SlipQuestion,
    WinPageQuestion,
    DraftsQuestion,
    KeyQuestion,
    HeadQuestion,
    EventsQuestion,
)
for _kind in _ALL:
    # The one place where a question says what it is answered is its base: `Question[TableAnswer]`.
    _kind.answer = get_args(vars(_kind)["__orig_bases__"][0])[0]

QUESTIONS: Final[dict[str, type[Question[FloorView]]]] = {str(kind.__struct_config__.tag): kind for kind in _ALL}
"""Every question by its name."""

ANSWERS: Final[dict[str, type[FloorView]]] = {name: kind.answer for name, kind in QUESTIONS.items()}
"""The type of the answer to each question; those of the protocol alone (`chain`, `seen`) are about the journal."""


def question(what: str, /, **arguments: object) -> Question[FloorView]:
    """A question from its name and arguments; refused where there is none of that name, or it takes other arguments.

    >>> question("table", table="T1")
    TableQuestion(table='T1')
    """
    kind = QUESTIONS.get(what)
    if kind is None:
        there = ", ".join(sorted(QUESTIONS))
        raise InputError.of("unknown-ask", "ask", f"{str(what)[:60]!r} cannot be asked: there are {there}")
    faults = Faults(_CODES)
    asked = as_described({"ask": what, **arguments}, kind, "", faults, what)
    faults.refuse_if_any()
    return present(asked, "question without faults")


_CODES: Final = replace(Codes.only("bad-message"), unknown="unknown-key")


def check_arguments(arguments: Mapping[str, object], taken: Collection[str]) -> None:
    """Refuse arguments that a question of the protocol alone does not take."""
    faults = Faults(_CODES)
    faults.keys(arguments, taken, "")
    faults.refuse_if_any()


def is_last_page(answer: FloorView) -> bool:
    """Whether nothing follows an answer."""
    return not isinstance(answer, PageView) or answer.next is None


def next_page(asked: Question[A_co], answer: FloorView) -> Question[A_co]:
    """The question for the page behind an answer."""
    return msgspec.structs.replace(asked, after=answer.next if isinstance(answer, PageView) else None)


def joined(asked: Question[A_co], pages: Sequence[A_co]) -> A_co:
    """All pages as one answer; the event up to which it holds is the first page's."""
    first = pages[0]
    if len(pages) == 1:
        return first
    name = str(asked.__struct_config__.tag)
    entries = tuple(entry for page in pages for entry in getattr(page, name))
    return msgspec.structs.replace(first, **{name: entries, "next": None})
