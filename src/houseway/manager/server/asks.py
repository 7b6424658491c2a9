"""Answers to questions about the floor, made from a snapshot of it: a function of the floor for each question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

import msgspec

from houseway.errors import Fault, InputError
from houseway.manager.core.floor import Floor
from houseway.manager.core.presence import live_sessions
from houseway.manager.core.slip_entities import SERIES
from houseway.manager.handlers.incidents import unfinished_incidents
from houseway.manager.handlers.papers_in_order import drafts_for
from houseway.manager.handlers.promotions import reminders
from houseway.manager.handlers.register_list import LAST_TIME, REGISTERS
from houseway.manager.handlers.room_choices import uncovered_tables
from houseway.manager.handlers.tables import opening_faults
from houseway.manager.server.pages import page
from houseway.manager.views.floor_questions import (
    A_co,
    AwardsQuestion,
    DevicesQuestion,
    DraftsQuestion,
    IncidentsQuestion,
    LinkQuestion,
    LinksQuestion,
    MetersQuestion,
    PapersQuestion,
    PeopleQuestion,
    ProposalsQuestion,
    Question,
    RoundQuestion,
    SessionsQuestion,
    SlipQuestion,
    SlipsQuestion,
    TableQuestion,
    TablesQuestion,
    check_arguments,
    question,
)
from houseway.manager.views.health_view import FaultView, ReminderView
from houseway.manager.views.jackpot_views import award_view, link_view, meters_view, recent_awards
from houseway.manager.views.office_views import (
    PaperDraft,
    device_view,
    paper_view,
    person_view,
    proposal_view,
    session_view,
)
from houseway.manager.views.slip_views import house_view, people_of, slip_view
from houseway.manager.views.table_views import round_view, table_view
from houseway.manager.views.view_base import FloorView

Payload = dict[str, Any]
"""The fields of an answer beside the event up to which it holds; the question's `answer` says what they are."""
T = TypeVar("T")


def _named(what: str, wanted: str, among: Mapping[str, T], code: str) -> T:
    """The entity that an argument names; a refusal says what there is."""
    found = among.get(wanted)
    if found is None:
        known = ", ".join(sorted(among)[:20]) or "none yet"
        raise InputError.of(code, what, f"there is no {what} {wanted[:60]!r} here: there are {known}")
    return found


def _meters(floor: Floor, asked: MetersQuestion) -> Payload:
    if asked.link is not None:
        return {"meters": (meters_view(floor, _named("link", asked.link, floor.links, "unknown-link")),)}
    return {"meters": tuple(meters_view(floor, link) for _, link in sorted(floor.links.items()))}


def _table(floor: Floor, asked: TableQuestion) -> Payload:
    table = _named("table", asked.table, floor.tables, "unknown-table")
    return {"table": table_view(floor, table), "uncovered": uncovered(floor, floor.last_at).get(table.id, ())}


def _tables(floor: Floor, _asked: TablesQuestion) -> Payload:
    tables = tuple(table_view(floor, table) for _, table in sorted(floor.tables.items()))
    closed = (table for _, table in sorted(floor.tables.items()) if table.status == "closed")
    kept = {table.id: _views(opening_faults(floor, table, floor.last_at)) for table in closed}
    unopened = {table: faults for table, faults in kept.items() if faults}
    return {"tables": tables, "uncovered": uncovered(floor, floor.last_at), "unopened": unopened}


def uncovered(floor: Floor, at: int) -> dict[str, tuple[FaultView, ...]]:
    """Tables with choices of the room that no paper in force covers, and which paper is missing."""
    return {table: _views(faults) for table, faults in uncovered_tables(floor, at).items()}


def _views(faults: Iterable[Fault]) -> tuple[FaultView, ...]:
    return tuple(FaultView(code=fault.code, path=fault.path, message=fault.message) for fault in faults)


def reminded(floor: Floor, at: int) -> tuple[ReminderView, ...]:
    """What must be done by a time that comes near or has passed."""
    return tuple(ReminderView(**each._asdict()) for each in reminders(floor, at))


def _link(floor: Floor, asked: LinkQuestion) -> Payload:
    return {"link": link_view(floor, _named("link", asked.link, floor.links, "unknown-link"))}


def _links(floor: Floor, _asked: LinksQuestion) -> Payload:
    return {"links": tuple(link_view(floor, link) for _, link in sorted(floor.links.items()))}


def _round(floor: Floor, asked: RoundQuestion) -> Payload:
    return {"round": round_view(floor, _named("round", asked.round, floor.rounds, "unknown-round"))}


def _awards(floor: Floor, asked: AwardsQuestion) -> Payload:
    table, link = asked.table, asked.link
    found = [
        award
        for award in floor.awards.values()
        if (table is None or award.table == table) and (link is None or award.link == link)
    ]
    recent = [each for each in recent_awards(floor) if table in (None, each.table) and link in (None, each.link)]
    found.sort(key=lambda award: (award.pressed_at, award.id))
    return {"awards": tuple(award_view(floor, award) for award in found), "recent": tuple(recent)}


def _people(floor: Floor, asked: PeopleQuestion) -> Payload:
    return page("people", floor.people, person_view, asked.after)


def _devices(floor: Floor, asked: DevicesQuestion) -> Payload:
    return page("devices", floor.devices, device_view, asked.after)


def _sessions(floor: Floor, asked: SessionsQuestion) -> Payload:
    live = {f"{one.person}@{one.device.id}": one for one in live_sessions(floor, floor.last_at)}
    return page("sessions", live, session_view, asked.after)


def _papers(floor: Floor, asked: PapersQuestion) -> Payload:
    register = asked.register
    if register is not None and register not in floor.register:
        there = ", ".join(sorted(floor.register)) or "none yet"
        raise InputError.of("unknown-register", "register", f"no paper is in that register: there are {there}")
    among = floor.papers if register is None else floor.register[register]
    return page("papers", among, paper_view, asked.after)


def _incidents(floor: Floor, asked: IncidentsQuestion) -> Payload:
    return page("incidents", unfinished_incidents(floor), paper_view, asked.after)


def _drafts(floor: Floor, asked: DraftsQuestion) -> Payload:
    table = _named("table", asked.table, floor.tables, "unknown-table")
    at = floor.last_at if asked.at is None else asked.at
    if not 0 <= at <= LAST_TIME:
        raise InputError.of("bad-message", "at", "a time is a whole number of microseconds since 1970")
    lacking = drafts_for(floor, table, at)
    return {
        "drafts": tuple(msgspec.convert(msgspec.to_builtins(paper), PaperDraft) for paper in lacking),
        "entered_by": {paper.register: REGISTERS[paper.register].roles for paper in lacking},
    }


def _proposals(floor: Floor, asked: ProposalsQuestion) -> Payload:
    by_time = {f"{one.made_at:020d}/{one.id}": one for one in floor.proposals.values()}
    return page("proposals", by_time, proposal_view, asked.after)


def _slips(floor: Floor, asked: SlipsQuestion) -> Payload:
    if asked.kind is not None and asked.kind not in SERIES:
        raise InputError.of("bad-value", "kind", f"slips are of the kinds {', '.join(SERIES)}")
    if asked.table is not None:
        _named("table", asked.table, floor.tables, "unknown-table")
    among = {
        f"{slip.at:020d}/{slip.id}": slip
        for slip in floor.slips.values()
        if asked.table in (None, slip.table) and asked.kind in (None, slip.kind)
    }
    return page("slips", among, lambda slip: slip_view(floor, slip), asked.after)


def _slip(floor: Floor, asked: SlipQuestion) -> Payload:
    slip = floor.slips.get(asked.slip)
    if slip is None:
        message = f"there is no slip {asked.slip[:60]!r} here: houseway slip list names them"
        raise InputError.of("unknown-slip", "slip", message)
    return {"slip": slip_view(floor, slip), "house": house_view(floor), "people": people_of(floor, slip)}


_ANSWERED: Final[dict[type[Question[FloorView]], Callable[[Floor, Any], Payload]]] = {
    MetersQuestion: _meters,
    TableQuestion: _table,
    TablesQuestion: _tables,
    LinkQuestion: _link,
    LinksQuestion: _links,
    RoundQuestion: _round,
    AwardsQuestion: _awards,
    PeopleQuestion: _people,
    DevicesQuestion: _devices,
    SessionsQuestion: _sessions,
    PapersQuestion: _papers,
    IncidentsQuestion: _incidents,
    DraftsQuestion: _drafts,
    ProposalsQuestion: _proposals,
    SlipsQuestion: _slips,
    SlipQuestion: _slip,
}
"""Questions about the floor; `health` and `key` are answered by whoever has the manager."""

OF_THE_PROTOCOL: Final = {"chain": frozenset({"seq"}), "seen": frozenset({"mark"})}
"""Questions by which a client and a server find out whether they know the same journal, with their arguments."""


def read_ask(name: object, arguments: Mapping[str, Any], kind: str) -> Question[FloorView] | None:
    """The question of a device; None for one of the protocol.

    Refused where it does not exist, is not for this kind of device, or comes with foreign arguments.
    """
    if isinstance(name, str) and name in OF_THE_PROTOCOL:
        check_arguments(arguments, OF_THE_PROTOCOL[name])
        return None
    asked = question(name if isinstance(name, str) else str(name), **arguments)
    check_asker(asked, kind)
    return asked


def check_asker(asked: Question[FloorView], kind: str) -> None:
    """Refuse a question that is not for a kind of device."""
    if asked.for_services and kind != "service":
        name = asked.__struct_config__.tag
        raise InputError.of("wrong-device", "ask", f"{name} is not for a {kind}: ask as a service")


def answer_ask(seq: int, floor: Floor, asked: Question[A_co], now: int) -> A_co:
    """The answer to a question about the floor as it is after event `seq`."""
    payload = _ANSWERED[type(asked)](floor, asked)
    answer: Any = asked.answer(seq=seq, at=floor.last_at, now=now, **payload)
    return answer  # type: ignore[no-any-return]
