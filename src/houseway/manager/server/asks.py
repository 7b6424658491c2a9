"""What can be asked: read-only questions about the floor, answered from the state in memory.

Each question is a function of the floor and its own arguments; `ASKS` lists them with who may ask.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec

from houseway.errors import InputError
from houseway.manager.core.floor import Floor
from houseway.manager.handlers.papers_in_order import drafts_for
from houseway.manager.handlers.register_list import LAST_TIME
from houseway.manager.server.pages import page
from houseway.manager.server.views import (
    device_view,
    link_view,
    meters_view,
    person_view,
    proposal_view,
    recent_view,
    round_view,
    table_view,
    waiting_award_view,
)

Arguments = Mapping[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class QuestionKind:
    """A question: its answer, and which kinds of devices may ask it (all, where none is named)."""

    answer: Callable[[Floor, Arguments], dict[str, Any]]
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


def _meters(floor: Floor, arguments: Arguments) -> dict[str, Any]:
    if arguments.get("link") is not None:
        return {"meters": [meters_view(floor, _named(arguments, "link", floor.links, "unknown-link"))]}
    return {"meters": [meters_view(floor, link) for _, link in sorted(floor.links.items())]}


def _table(floor: Floor, arguments: Arguments) -> dict[str, Any]:
    return {"table": table_view(floor, _named(arguments, "table", floor.tables, "unknown-table").id)}


def _tables(floor: Floor, _arguments: Arguments) -> dict[str, Any]:
    return {"tables": [table_view(floor, id_) for id_ in sorted(floor.tables)]}


def _link(floor: Floor, arguments: Arguments) -> dict[str, Any]:
    return {"link": link_view(floor, _named(arguments, "link", floor.links, "unknown-link"))}


def _links(floor: Floor, _arguments: Arguments) -> dict[str, Any]:
    return {"links": [link_view(floor, link) for _, link in sorted(floor.links.items())]}


def _round(floor: Floor, arguments: Arguments) -> dict[str, Any]:
    return {"round": round_view(floor, _named(arguments, "round", floor.rounds, "unknown-round"))}


def _awards(floor: Floor, arguments: Arguments) -> dict[str, Any]:
    table, link = arguments.get("table"), arguments.get("link")
    found = [
        award
        for award in floor.awards.values()
        if (table is None or award.table == table) and (link is None or award.link == link)
    ]
    recent = [each for each in recent_view(floor) if table in (None, each["table"]) and link in (None, each["link"])]
    found.sort(key=lambda award: (award.pressed_at, award.id))
    return {"awards": [waiting_award_view(floor, award) for award in found], "recent": recent}


def _people(floor: Floor, arguments: Arguments) -> dict[str, Any]:
    return page("people", floor.people, person_view, arguments)


def _devices(floor: Floor, arguments: Arguments) -> dict[str, Any]:
    return page("devices", floor.devices, device_view, arguments)


def _papers(floor: Floor, arguments: Arguments) -> dict[str, Any]:
    register = arguments.get("register")
    if register is not None and (not isinstance(register, str) or register not in floor.register):
        there = ", ".join(sorted(floor.register)) or "none yet"
        raise InputError.of("unknown-register", "register", f"no paper is in that register: there are {there}")
    among = floor.papers if register is None else floor.register[register]
    return page("papers", among, lambda paper: dict(msgspec.to_builtins(paper)), arguments)


def _drafts(floor: Floor, arguments: Arguments) -> dict[str, Any]:
    table, at = _named(arguments, "table", floor.tables, "unknown-table"), arguments.get("at", floor.last_at)
    if type(at) is not int or not 0 <= at <= LAST_TIME:
        raise InputError.of("bad-message", "at", "a time is a whole number of microseconds since 1970")
    return {"drafts": [dict(msgspec.to_builtins(paper)) for paper in drafts_for(floor, table, at)]}


def _proposals(floor: Floor, arguments: Arguments) -> dict[str, Any]:
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


def answer_ask(floor: Floor, name: str, arguments: Arguments) -> dict[str, Any]:
    """The answer to a checked question about the floor."""
    return ASKS[name].answer(floor, arguments)
