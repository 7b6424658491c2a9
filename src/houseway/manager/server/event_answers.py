"""The heads of single events, for whoever must not miss one: after a number, in order, however late they are read."""

from __future__ import annotations

from typing import Final

from houseway.errors import InputError
from houseway.manager.server.state_messages import event_message
from houseway.manager.store.manager import Manager
from houseway.manager.views.answers import EventsAnswer
from houseway.manager.views.floor_questions import EventsQuestion

MOST_EVENTS: Final = 1_000
"""Events of one answer."""
_LAST_EVENT: Final = 2**53


def answer_events(manager: Manager, asked: EventsQuestion, now: int) -> EventsAnswer:
    """The events after a number; refused where the next one was archived, so that nobody takes a gap for the truth."""
    if not 0 <= asked.after < _LAST_EVENT:
        raise InputError.of("bad-message", "after", "name the number of the last event that you have, or 0 for none")
    if not 1 <= asked.limit <= MOST_EVENTS:
        raise InputError.of("bad-message", "limit", f"an answer has 1 to {MOST_EVENTS} events")
    # The floor first: events that come meanwhile belong to the next answer.
    seen = manager.seen()
    first, found = manager.events_after(asked.after, asked.limit)
    if asked.after + 1 < first:
        message = f"events before {first} are archived: begin after {first - 1}, and read older ones in their archive"
        raise InputError.of("archived", "after", message)
    events = tuple(event_message(event) for event in found if event.seq <= seen.seq)
    more = bool(events) and events[-1].seq < seen.seq
    return EventsAnswer(
        seq=seen.seq, at=seen.floor.last_at, now=now, events=events, first=first, next=events[-1].seq if more else None
    )
