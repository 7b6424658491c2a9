"""Names in searches: people by id or by name, and what a search asked for that nobody here knows."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import select

from houseway.errors import InputError
from houseway.manager.commands import COMMANDS
from houseway.manager.store import schema
from houseway.manager.store.event_search import EventQuery
from houseway.manager.store.ids_on_record import NewestState
from houseway.manager.store.reading import View
from houseway.manager.store.round_search import RoundQuery
from houseway.paytables import paytables
from houseway.reading.typed_ids import known_id
from houseway.wording import did_you_mean

_LONGEST: Final = 60
"""Characters of an unknown name that a note repeats."""


def person_called(newest: NewestState, text: str | None) -> str | None:
    """The id of the person with that id or name, in any case; a text that is nobody's stays as it is."""
    if text is None:
        return None
    people = newest.floor.people
    found = known_id(text, people, "person")
    if found in people:
        return found
    called = sorted(person.id for person in people.values() if person.name.casefold() == text.casefold())
    if len(called) > 1:
        raise InputError.of(
            "unknown-person",
            "person",
            f"{len(called)} people are called {text[:_LONGEST]!r}: give an id, {', '.join(called)}",
        )
    return called[0] if called else text


def unknown_names(newest: NewestState, query: RoundQuery) -> list[str]:
    """Notes on a search for rounds that found nothing: tables, dealers and hands that nobody here knows."""
    floor, view = newest.floor, newest.view
    return _notes(
        ("table", query.table, {*floor.tables, *_on_record(view, schema.rounds.c.table)}),
        ("person", query.dealer, {*floor.people, *_on_record(view, schema.rounds.c.dealer)}),
        ("hand", query.hand, {*_paid_hands(), *_on_record(view, schema.lines.c.hand)}),
    )


def unknown_event_names(newest: NewestState, query: EventQuery) -> list[str]:
    """Notes on a search for events that found nothing: people, devices and kinds that nobody here knows."""
    floor, view = newest.floor, newest.view
    devices = {f"device:{device}" for device in floor.devices}
    actors = {*floor.people, *devices, "system", *_on_record(view, schema.events.c.actor)}
    kinds = {*COMMANDS, *(f"{kind.partition('.')[0]}." for kind in COMMANDS)}
    return _notes(
        ("kind of event", query.kind, kinds),
        ("actor", query.actor, actors),
        ("person", query.person, set(floor.people)),
        ("device", query.device, {*floor.devices, *_on_record(view, schema.events.c.device)}),
    )


def _notes(*asked: tuple[str, str | None, set[str]]) -> list[str]:
    otherwise = "check how it is written"
    return [
        f"there is no {what} {name[:_LONGEST]!r} here: {did_you_mean(name[:_LONGEST], sorted(known)) or otherwise}"
        for what, name, known in asked
        if name is not None and name not in known
    ]


def _on_record(view: View, column: Any) -> list[str]:  # noqa: ANN401 - a column
    return [name for (name,) in view.rows(select(column).distinct()) if name is not None]


def _paid_hands() -> set[str]:
    """The hands that any pay table names, whether or not somebody has had them."""
    return {hand for table in paytables() for line in table.lines for hand in line.hands}
