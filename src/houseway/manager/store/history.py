"""What held at any date: people, links with their meters, tables, settings, papers, and the rules in force.

Events carry whole entities, so the state of a date is the nearest stored state before it and the events from there on;
no old code has to run.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import select

from houseway.errors import InputError
from houseway.manager.core import settings
from houseway.manager.core.engine import Engine
from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import FOR_PLAYERS, account
from houseway.manager.core.records import Event
from houseway.manager.store import schema
from houseway.manager.store.event_body import Body
from houseway.manager.store.event_entries import archive_entries
from houseway.manager.store.reading import View

_BODY: Final = msgspec.json.Decoder(Body)
_MONEY: Final = (*FOR_PLAYERS, "seed")


class DatedState(NamedTuple):
    """The state at a time."""

    at: int
    seq: int
    """The last event that counts."""
    hash: str
    floor: Floor
    started: Event | None
    """The last start of a server before, which has the rules in force on record."""

    def section(self, name: str) -> list[dict[str, Any]]:
        """One part of the state as plain data, without fingerprints and secrets."""
        return SECTIONS[name](self.floor, self.at)

    def rules(self) -> dict[str, Any]:
        """The software in force and its fingerprints of rules and pay tables, as its start put them on record."""
        if self.started is None:
            return {}
        do = _BODY.decode(self.started.body).do
        return {
            "seq": self.started.seq,
            "since": self.started.at,
            "version": do["version"],
            "fingerprints": do["fingerprints"],
        }


def as_of(view: View, at: int, archives: Sequence[Path] = ()) -> DatedState:
    """The state at a time: all events up to it; refused if they lie in archives that were not given."""
    seq = view.seq_at(at)
    first, _ = view.bounds()
    if seq == 0 and view.archived_up_to():
        return _as_of_archives(view, at, archives, first)
    state = view.state_at(seq)
    events = schema.events
    starts = select(events).where(events.c.kind == "system.started", events.c.seq <= seq)
    found = view.rows(starts.order_by(events.c.seq.desc()).limit(1))
    started = Event(*found[0]) if found else None
    if started is None:
        for entry in archive_entries(view, archives):
            started = entry.event if entry.event.kind == "system.started" else started
    return DatedState(at, state.seq, state.hash, state.floor, started)


def _as_of_archives(view: View, at: int, archives: Sequence[Path], first: int) -> DatedState:
    """The state at a time before the first event here."""
    engine, started = Engine(), None
    for entry in archive_entries(view, archives):
        event = entry.event
        if event.at > at or event.seq >= first:
            break
        if event.seq != engine.seq + 1:
            message = f"the archive with event {engine.seq + 1} was not given: name all of them with --archive"
            raise InputError.of("archived", "archive", message)
        engine.apply(event)
        started = event if event.kind == "system.started" else started
    if engine.seq == 0:
        message = "the events of that date lie in archives: name their files with --archive"
        raise InputError.of("archived", "date", message)
    return DatedState(at, engine.seq, engine.head, engine.floor, started)


# Sections


def _people(floor: Floor, _: int) -> list[dict[str, Any]]:
    """People with the number of their badges, never the fingerprints."""
    return [{**_plain(person, "badges"), "badges": len(person.badges)} for person in _sorted(floor.people)]


def _links(floor: Floor, _: int) -> list[dict[str, Any]]:
    """Links with their parameters, and the money of each level in micros as people read it."""
    found = []
    for link in _sorted(floor.links):
        money = {level: {kind: floor.held(account(kind, link.id, level)) for kind in _MONEY} for level in link.levels}
        found.append({**_plain(link), "money": money, "paid": floor.held(account("paid", link.id))})
    return found


def _tables(floor: Floor, _: int) -> list[dict[str, Any]]:
    return [_plain(table) for table in _sorted(floor.tables)]


def _settings(floor: Floor, at: int) -> list[dict[str, Any]]:
    """Every setting with the value that held, what it rests on, and all values that the property has entered."""
    return [_setting(floor, name, at) for name in sorted({*settings.DEFINITIONS, *floor.settings})]


def _setting(floor: Floor, name: str, at: int) -> dict[str, Any]:
    entered = floor.settings.get(name)
    values = [] if entered is None else _plain(entered)["values"]
    if name not in settings.DEFINITIONS:  # on record from a version that knew it
        return {"id": name, "value": floor.setting_at(name, at), "basis": None, "default": False, "values": values}
    return {
        "id": name,
        "value": settings.value(floor, name, at),
        "basis": settings.basis(floor, name, at),
        "default": not any(each["since"] <= at for each in values),
        "values": values,
    }


def _papers(floor: Floor, at: int) -> list[dict[str, Any]]:
    """Papers, and whether each was in force."""
    return [
        {**_plain(paper), "in_force": paper.since <= at and (paper.until is None or at <= paper.until)}
        for paper in _sorted(floor.papers)
    ]


SECTIONS: Final[dict[str, Callable[[Floor, int], list[dict[str, Any]]]]] = {
    "people": _people,
    "links": _links,
    "tables": _tables,
    "settings": _settings,
    "papers": _papers,
}
"""What can be looked at as of a date."""


def _sorted(entities: dict[str, Any]) -> list[Any]:
    return [entities[id_] for id_ in sorted(entities)]


def _plain(entity: Any, *left_out: str) -> dict[str, Any]:  # noqa: ANN401 - any entity
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(msgspec.structs.asdict(entity)))
    return {name: value for name, value in found.items() if name not in left_out}
