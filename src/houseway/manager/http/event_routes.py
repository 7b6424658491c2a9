"""Routes of what happens: events by their numbers, as a stream, and the states of meters, tables and awards."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from houseway.errors import Fault, InputError
from houseway.manager.http.callers import Caller
from houseway.manager.http.cloud_events import CloudEvent, cloud_event
from houseway.manager.http.event_streams import EventsStream, StatesStream, StreamEnd, check_known
from houseway.manager.http.question_routes import argument_parameters, asked_by
from houseway.manager.http.route_base import (
    JSON,
    Parameter,
    Route,
    Schema,
    giving,
    known_caller,
    ref,
    single_arguments,
    told,
    whole_number,
)
from houseway.manager.http.service import HttpService
from houseway.manager.http.state_board import TOPICS, ManagerReach, StateFilter
from houseway.manager.interface.contract import ManagerAwayError
from houseway.manager.views.answers import AwardMessage, MetersMessage, TableMessage
from houseway.manager.views.floor_questions import QUESTIONS, EventsQuestion, LinksQuestion, TablesQuestion
from houseway.wording import suggestion

SSE: Final = "text/event-stream"
LAST_ID: Final = "Last-Event-ID"
MOST_NAMES: Final = 200
NUMBER: Final = {"type": "integer", "minimum": 0}
AFTER: Final = Parameter("after", NUMBER, "The number of the last event that you have.", example=812)


class EventsPage(msgspec.Struct, frozen=True, kw_only=True):
    """Events after a number, in order and without a gap."""

    events: tuple[CloudEvent, ...]
    first: int
    """The oldest event that is not archived."""
    next: int | None
    """Asked again with this as `after`, the events behind them come; null when there are none yet."""
    seq: int
    """The last event of the journal."""


def event_routes(service: HttpService) -> list[Route]:
    """The routes of events and states."""

    async def events(request: Request) -> Response:
        caller = known_caller(service, request)
        caller.check_ask(EventsQuestion)
        page = await service.ask(asked_by(EventsQuestion, request), caller)
        found = tuple(cloud_event(event, service.settings.source) for event in page.events)
        return told(EventsPage(events=found, first=page.first, next=page.next, seq=page.seq))

    async def events_stream(request: Request) -> Response:
        caller = known_caller(service, request)
        caller.check_ask(EventsQuestion)
        found = single_arguments(request, frozenset({"after"}))
        # Both must be right, also where only one of them counts.
        numbers = {LAST_ID: request.headers.get(LAST_ID), "after": found.get("after")}
        given = [event_number(name, text) for name, text in numbers.items() if text is not None]
        after = given[0] if given else service.feed.head
        await check_known(service, after)
        return EventsStream(service, caller, after)

    async def states_stream(request: Request) -> Response:
        caller = known_caller(service, request)
        found = single_arguments(request, frozenset({"topics", "tables", "links"}))
        topics = _names(found, "topics") or frozenset(TOPICS)
        for topic in sorted(topics):
            if topic not in TOPICS:
                message = f"{topic[:60]!r} is not a topic of states: choose from {', '.join(TOPICS)}"
                raise InputError.of("unknown-topic", "topics", message)
            caller.check_ask(QUESTIONS[topic])
        wanted = StateFilter(topics, _names(found, "tables"), _names(found, "links"))
        await _check_there(service, caller, wanted)
        return StatesStream(service, caller, wanted)

    last_id = Parameter(LAST_ID, NUMBER, "As `after`: what a browser sends when it resumes.", where="header")
    filters = tuple(Parameter(name, _listed(name), text, is_list=True) for name, text in _STATE_ARGUMENTS.items())
    return [
        giving(
            EventsPage, "GET", "/v1/events", "ask_events", "events", events, _EVENTS,
            parameters=argument_parameters(EventsQuestion), refusals=(410,),
        ),
        Route(
            "GET", "/v1/events/stream", "stream_events", "events", events_stream, _EVENT_STREAM,
            parameters=(AFTER, last_id), refusals=(409,), **_streaming("EventsStream", CloudEvent, StreamEnd),
        ),
        Route(
            "GET", "/v1/states/stream", "stream_states", "events", states_stream, _STATE_STREAM, parameters=filters,
            refusals=(404,),
            **_streaming("StatesStream", MetersMessage, TableMessage, AwardMessage, ManagerReach, StreamEnd),
        ),
    ]  # fmt: skip


def _streaming(name: str, *kinds: type) -> dict[str, Any]:
    """What a stream gives: messages whose data is JSON of one of these types."""
    text = {"type": "string"}
    listed = [ref(kind) for kind in kinds]
    data = {"type": "string", "contentMediaType": JSON, "contentSchema": {"anyOf": listed}}
    schema: Schema = {
        "title": f"{name}Message",
        "type": "object",
        "properties": {"id": text, "event": text, "data": data},
        "required": ["data"],
    }
    return {"gives": schema, "types": kinds, "content": SSE}


def event_number(name: str, text: str) -> int:
    """An argument that is the number of an event, or 0 for none."""
    number = whole_number(name, text)
    if number < 0:
        raise InputError.of("bad-message", name, "name the number of the last event that you have")
    return number


def _listed(name: str) -> Schema:
    """Names with commas between them, as they are described."""
    item: Schema = {"type": "string", "minLength": 1}
    if name == "topics":
        item |= {"enum": list(TOPICS)}
    return {"type": "array", "items": item, "minItems": 1, "maxItems": MOST_NAMES}


def _names(found: dict[str, str], name: str) -> frozenset[str] | None:
    """Names that an argument lists with commas between them."""
    if name not in found:
        return None
    listed = found[name].split(",")
    if not all(listed) or len(listed) > MOST_NAMES:
        raise InputError.of("bad-message", name, f"name 1 to {MOST_NAMES} of them, with commas between")
    return frozenset(listed)


async def _check_there(service: HttpService, caller: Caller, wanted: StateFilter) -> None:
    """Refuse a table or a link that there is not: a stream of it would be silent for ever, and nobody would know why.

    While the manager is away nobody can tell, and the stream says that it is.
    """
    with contextlib.suppress(ManagerAwayError):
        if wanted.tables is not None:
            known = [table.id for table in (await service.ask(TablesQuestion(), caller)).tables]
            _refuse_unknown("unknown-table", "table", wanted.tables, known)
        if wanted.links is not None:
            known = [link.id for link in (await service.ask(LinksQuestion(), caller)).links]
            _refuse_unknown("unknown-link", "link", wanted.links, known)


def _refuse_unknown(code: str, kind: str, wanted: frozenset[str], known: Sequence[str]) -> None:
    faults = [
        Fault(code, f"{kind}s", f"there is no {kind} {name[:60]!r}: {suggestion(name[:60], known)}")
        for name in sorted(wanted.difference(known))
    ]
    if faults:
        raise InputError(faults)


_STATE_ARGUMENTS: Final = {
    "topics": "Which states, with commas between: meters, tables, awards. All without it.",
    "tables": "Only of these tables, with commas between.",
    "links": "Only of these links, with commas between.",
}
_EVENTS: Final = """Events after a number, as CloudEvents.

Every event is there once, in order and without a gap. Ask again with `next` as `after`."""
_EVENT_STREAM: Final = """Every event as it is written, as server-sent events.

Each message is a CloudEvent, and its id the number of the event. A reader that comes back with `Last-Event-ID` or
`after` gets everything behind that number first; without either it begins now. `event: ended` with a code comes before
an end that the service decides on."""
_STATE_STREAM: Final = """Meters, tables and awards as they are, then whatever changes, as server-sent events.

The name of each message is its topic. A slow reader gets the newest of each state and may miss those between.
`event: manager` says whether the manager is reached: while it is not, what was told may be old."""
