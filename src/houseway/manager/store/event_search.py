"""Finding events again by kind, actor, person, device and time."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import or_, select

from houseway.manager.core.records import Event, canonical
from houseway.manager.store import schema
from houseway.manager.store.event_entries import (
    BODIES,
    ROWS_AT_ONCE,
    EventEntry,
    badge_holders,
    event_of_row,
    old_entries,
    with_people,
)
from houseway.manager.store.people import BadgeHolders
from houseway.manager.store.projections import Rows
from houseway.manager.store.reading import View


@dataclass(frozen=True)
class EventQuery:
    """What an event must fulfil to be found; None: anything."""

    kind: str | None = None
    """A kind, or the beginning of kinds up to a dot, as in `round.`"""
    actor: str | None = None
    person: str | None = None
    """Who acted, or took part in another way: by a badge, as the second person, or by proposing what took effect."""
    device: str | None = None
    since: int | None = None
    until: int | None = None
    limit: int = 100


def find_events(view: View, query: EventQuery, archives: Sequence[Path] = ()) -> list[EventEntry]:
    """Events that fit, the latest first."""
    holders = badge_holders(view, archives)
    found = list(islice(_live_events(view, query, holders), query.limit))
    if len(found) < query.limit:
        fitting = (
            entry
            for old in old_entries(view, archives)
            for entry in with_people([old], holders)
            if _event_fits(entry.event, query) and _has_part(entry, query.person)
        )
        found += reversed(deque(fitting, maxlen=query.limit - len(found)))
    return found


def _live_events(view: View, query: EventQuery, holders: BadgeHolders) -> Iterator[EventEntry]:
    """Events of the live tables that fit, the latest first."""
    events, below = schema.events, None
    statement = select(events).where(*_event_conditions(query, holders)).order_by(events.c.seq.desc())
    statement = statement.limit(min(query.limit, ROWS_AT_ONCE))
    while True:
        rows = view.rows(statement if below is None else statement.where(events.c.seq < below))
        entries = [
            EventEntry(event, BODIES.decode(event.body), Rows([], [], [], [])) for event in map(event_of_row, rows)
        ]
        yield from (entry for entry in with_people(entries, holders) if _has_part(entry, query.person))
        if len(rows) < min(query.limit, ROWS_AT_ONCE):
            return
        below = rows[-1][0]


def _event_conditions(query: EventQuery, holders: BadgeHolders) -> list[Any]:
    events = schema.events
    conditions: list[Any] = [
        column == value
        for column, value in ((events.c.actor, query.actor), (events.c.device, query.device))
        if value is not None
    ]
    if query.kind is not None:
        is_prefix = query.kind.endswith(".")
        conditions.append(
            events.c.kind.startswith(query.kind, autoescape=True) if is_prefix else events.c.kind == query.kind
        )
    if query.person is not None:
        # Whoever took part stands in the body with their id or a badge; `_has_part` then looks where.
        texts = [canonical(query.person).decode(), *holders.badges_of(query.person)]
        named = (events.c.body.contains(text, autoescape=True) for text in texts)
        conditions.append(or_(events.c.actor == query.person, *named))
    if query.since is not None:
        conditions.append(events.c.at >= query.since)
    if query.until is not None:
        conditions.append(events.c.at <= query.until)
    return conditions


def _has_part(entry: EventEntry, person: str | None) -> bool:
    return person is None or person == entry.event.actor or any(part.person == person for part in entry.parts)


def _event_fits(event: Event, query: EventQuery) -> bool:
    kind = query.kind
    return (
        (kind is None or event.kind == kind or (kind.endswith(".") and event.kind.startswith(kind)))
        and query.actor in (None, event.actor)
        and query.device in (None, event.device)
        and (query.since is None or event.at >= query.since)
        and (query.until is None or event.at <= query.until)
    )
