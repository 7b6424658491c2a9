"""What can be asked: read-only questions about the floor, answered from the state in memory.

Each question is a function of the floor and its own arguments; `ASKS` lists them with who may ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec

from houseway.errors import InputError
from houseway.manager.core.entities import INCIDENTS, is_open_incident
from houseway.manager.core.floor import Floor
from houseway.manager.handlers.papers_in_order import drafts_for
from houseway.manager.handlers.register_list import LAST_TIME
from houseway.manager.server.pages import page
from houseway.manager.views.answers import ANSWERS
from houseway.manager.views.jackpot_views import award_view, link_view, meters_view, recent_awards
from houseway.manager.views.office_views import PaperDraft, device_view, paper_view, person_view, proposal_view
from houseway.manager.views.table_views import round_view, table_view
from houseway.manager.views.view_base import FloorView

Arguments = Mapping[str, Any]
Payload = dict[str, Any]
"""The fields of an answer beside the event up to which it holds; `ANSWERS` says what they are."""
T = TypeVar("T")


@dataclass(frozen=True)
class QuestionKind:
    """A question: its answer, and which kinds of devices may ask it (all, where none is named)."""

    answer: Callable[[Floor, Arguments], Payload]
    arguments: frozenset[str]
    kinds: frozenset[str] = frozenset({"controller", "display", "service"})


def _named(arguments: Arguments, name: str, among: Mapping[str, T], code: str) -> T:
    """The entity that an argument names; a refusal says what there is."""
    wanted = arguments.get(name)
    found = among.get(wanted) if isinstance(wanted, str) else None
    if found is None:
        known = ", ".join(sorted(among)[:20]) or "none yet"
        raise InputError.of(code, name, f"there is no {name} {str(wanted)[:60]!r} here: there are {known}")
    return found


def _meters(floor: Floor, arguments: Arguments) -> Payload:
    if arguments.get("link") is not None:
        return {"meters": (meters_view(floor, _named(arguments, "link", floor.links, "unknown-link")),)}
    return {"meters": tuple(meters_view(floor, link) for _, link in sorted(floor.links.items()))}


def _table(floor: Floor, arguments: Arguments) -> Payload:
    return {"table": table_view(floor, _named(arguments, "table", floor.tables, "unknown-table"))}


def _tables(floor: Floor, _arguments: Arguments) -> Payload:
    return {"tables": tuple(table_view(floor, table) for _, table in sorted(floor.tables.items()))}


def _link(floor: Floor, arguments: Arguments) -> Payload:
    return {"link": link_view(floor, _named(arguments, "link", floor.links, "unknown-link"))}


def _links(floor: Floor, _arguments: Arguments) -> Payload:
    return {"links": tuple(link_view(floor, link) for _, link in sorted(floor.links.items()))}


def _round(floor: Floor, arguments: Arguments) -> Payload:
    return {"round": round_view(floor, _named(arguments, "round", floor.rounds, "unknown-round"))}


def _awards(floor: Floor, arguments: Arguments) -> Payload:
    table, link = arguments.get("table"), arguments.get("link")
    found = [
        award
        for award in floor.awards.values()
        if (table is None or award.table == table) and (link is None or award.link == link)
    ]
    recent = [each for each in recent_awards(floor) if table in (None, each.table) and link in (None, each.link)]
    found.sort(key=lambda award: (award.pressed_at, award.id))
    return {"awards": tuple(award_view(floor, award) for award in found), "recent": tuple(recent)}


def _people(floor: Floor, arguments: Arguments) -> Payload:
    return page("people", floor.people, person_view, arguments)


def _devices(floor: Floor, arguments: Arguments) -> Payload:
    return page("devices", floor.devices, device_view, arguments)


def _papers(floor: Floor, arguments: Arguments) -> Payload:
    register = arguments.get("register")
    if register is not None and (not isinstance(register, str) or register not in floor.register):
        there = ", ".join(sorted(floor.register)) or "none yet"
        raise InputError.of("unknown-register", "register", f"no paper is in that register: there are {there}")
    among = floor.papers if register is None else floor.register[register]
    return page("papers", among, paper_view, arguments)


def _incidents(floor: Floor, arguments: Arguments) -> Payload:
    still_open = {paper.id: paper for paper in floor.papers_of(INCIDENTS) if is_open_incident(paper)}
    return page("incidents", still_open, paper_view, arguments)


def _drafts(floor: Floor, arguments: Arguments) -> Payload:
    table, at = _named(arguments, "table", floor.tables, "unknown-table"), arguments.get("at", floor.last_at)
    if type(at) is not int or not 0 <= at <= LAST_TIME:
        raise InputError.of("bad-message", "at", "a time is a whole number of microseconds since 1970")
    drafts = (msgspec.to_builtins(paper) for paper in drafts_for(floor, table, at))
    return {"drafts": tuple(msgspec.convert(draft, PaperDraft) for draft in drafts)}


def _proposals(floor: Floor, arguments: Arguments) -> Payload:
    by_time = {f"{one.made_at:020d}/{one.id}": one for one in floor.proposals.values()}
    return page("proposals", by_time, proposal_view, arguments)


_SERVICE: Final = frozenset({"service"})
_NO_ARGUMENTS: Final[frozenset[str]] = frozenset()
_PAGED: Final = frozenset({"after"})

ASKS: Final[dict[str, QuestionKind]] = {
    "meters": QuestionKind(_meters, frozenset({"link"})),
    "table": QuestionKind(_table, frozenset({"table"})),
    "tables": QuestionKind(_tables, _NO_ARGUMENTS),
    "link": QuestionKind(_link, frozenset({"link"})),
    "links": QuestionKind(_links, _NO_ARGUMENTS),
    "round": QuestionKind(_round, frozenset({"round"})),
    "awards": QuestionKind(_awards, frozenset({"table", "link"})),
    "people": QuestionKind(_people, _PAGED, _SERVICE),
    "devices": QuestionKind(_devices, _PAGED, _SERVICE),
    "papers": QuestionKind(_papers, _PAGED | {"register"}, _SERVICE),
    "incidents": QuestionKind(_incidents, _PAGED, _SERVICE),
    "drafts": QuestionKind(_drafts, frozenset({"table", "at"}), _SERVICE),
    "proposals": QuestionKind(_proposals, _PAGED, _SERVICE),
}
"""Questions about the floor; `health` and `key` are answered by the server itself."""

OF_THE_SERVER: Final = {
    "health": _NO_ARGUMENTS,
    "key": frozenset({"key"}),
    "chain": frozenset({"seq"}),
    "seen": frozenset({"mark"}),
}
"""Questions that the state of the floor does not answer: how the server is, whether a command was carried out, what the
journal has at a number, and what a mark proves that a client has seen."""


def check_ask(name: object, arguments: Arguments, kind: str) -> None:
    """Refuse a question that does not exist, is not for this kind of device, or comes with foreign arguments."""
    known = ASKS.get(name) if isinstance(name, str) else None
    if not isinstance(name, str) or (known is None and name not in OF_THE_SERVER):
        there = ", ".join(sorted({*ASKS, *OF_THE_SERVER}))
        raise InputError.of("unknown-ask", "ask", f"{str(name)[:60]!r} cannot be asked: there are {there}")
    taken = known.arguments if known else OF_THE_SERVER[name]
    foreign = sorted(set(arguments) - taken)
    if foreign:
        takes = ", ".join(sorted(taken)) or "no argument"
        raise InputError.of("unknown-key", foreign[0], f"{name} takes {takes}, not {', '.join(foreign)[:100]}")
    if known is not None and kind not in known.kinds:
        raise InputError.of("wrong-device", "ask", f"{name} is not for a {kind}: ask as a service")


def answer_ask(seq: int, floor: Floor, name: str, arguments: Arguments, now: int) -> FloorView:
    """The answer to a checked question about the floor as it is after event `seq`."""
    payload = ASKS[name].answer(floor, arguments)
    return ANSWERS[name](seq=seq, at=floor.last_at, now=now, **payload)
