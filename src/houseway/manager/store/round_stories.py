"""The whole story of one round: every event that speaks of it, during the round and long after."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from sqlalchemy import false, select

from houseway.errors import InputError
from houseway.manager.core.records import Event
from houseway.manager.store import schema
from houseway.manager.store.event_entries import BODIES, EventEntry, badge_holders, old_entries, with_people
from houseway.manager.store.projections import COLUMNS, Rows
from houseway.manager.store.reading import View
from houseway.manager.store.round_search import _DIGITS

LATER_KINDS: Final = ("change.propose", "change.approve", "change.withdraw", "round.decide", "incident.record")
"""Commands that may speak of a round long after it."""


def round_story(view: View, round_id: str, archives: Sequence[Path] = ()) -> list[EventEntry]:
    """Every event of a round in order: its commands, payments and corrections; refused if there is no such round."""
    entries = [entry for entry in old_entries(view, archives) if _speaks_of(entry, round_id)]
    entries += [entry for entry in _live_entries(view, round_id) if _speaks_of(entry, round_id)]
    if not entries:
        message = f"there is no round {round_id[:60]!r} here: look for it with houseway audit rounds"
        hint = "" if archives or not view.archived_up_to() else "; older ones lie in archives, which --archive names"
        raise InputError.of("unknown-round", "round", message + hint)
    return with_people(entries, badge_holders(view, archives))


def _live_entries(view: View, round_id: str) -> Iterator[EventEntry]:
    """Events that may speak of a round: those between its start and its last row, and later decisions about it."""
    events = schema.events
    mentions = events.c.body.contains(f'"{round_id}', autoescape=True)
    first, last = _span(view, round_id)
    for event in view.events(first - 1, last, mentions):
        yield _stored_entry(view, event)
    if last is not None:
        for event in view.events(last, None, events.c.kind.in_(LATER_KINDS), mentions):
            yield _stored_entry(view, event)


def _span(view: View, round_id: str) -> tuple[int, int | None]:
    """The first and the last event of a round, as far as rows tell; an open one reaches to the end."""
    rounds, hits, events = schema.rounds, schema.hits, schema.events
    # An id is that of the table with the number of the round there, by which rows are found.
    table, _, number = round_id.rpartition("-")
    is_id = number.isdecimal() and len(number) < _DIGITS
    mine = (rounds.c.table == table, rounds.c.number == int(number)) if is_id else (false(),)
    ended = view.rows(select(rounds.c.seq, rounds.c.started_at).where(*mine, rounds.c.round == round_id))
    hit = view.rows(select(hits.c.seq).where(hits.c.round == round_id)) if ended else []
    if ended:
        started_at, last = ended[0][1], max(seq for seq, *_ in [*ended, *hit])
    else:
        open_round = view.state_at(view.bounds()[1]).floor.rounds.get(round_id)
        if open_round is None:
            return 1, 0
        started_at, last = open_round.started_at, None
    start = view.rows(select(events.c.seq).where(events.c.at == started_at, events.c.kind == "round.start").limit(1))
    return (start[0][0] if start else 1), last


def _stored_entry(view: View, event: Event) -> EventEntry:
    """An event of the live tables with its rows as they are stored."""
    body = BODIES.decode(event.body)
    stored = [view.window(schema.metadata.tables[name], event.seq - 1, event.seq) for name in COLUMNS]
    return EventEntry(event, body, Rows(*stored))


def _speaks_of(entry: EventEntry, round_id: str) -> bool:
    """Whether an event belongs to a round: its command, its rows, or what it changed say so."""
    do, prefix = entry.body.do, f"{round_id}/"
    texts = list(_texts(do if isinstance(do, dict) else {}))
    if round_id in texts or any(text.startswith(prefix) for text in texts):
        return True
    if any(columns.get("round") == round_id for _, columns in entry.body.rows):
        return True
    # The next round's start clears the former one away, which is not part of its story.
    return any(
        value is not None and ((kind == "round" and id_ == round_id) or (kind == "award" and id_.startswith(prefix)))
        for kind, id_, value in entry.body.put
    )


def _texts(value: Any) -> Iterator[str]:  # noqa: ANN401 - plain data
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
