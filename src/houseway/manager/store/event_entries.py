"""Events with their bodies, their rows and the people who took part, from the live tables and from archives.

Archives have no tables: their events are read one after the other, and the same rows are made of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from houseway.amounts import NO_MICROS, Micros
from houseway.errors import InputError
from houseway.manager.core.authority import BADGE_FIELDS
from houseway.manager.core.floor import Floor
from houseway.manager.core.records import Event
from houseway.manager.store import schema
from houseway.manager.store.archive_reading import in_order, open_archive
from houseway.manager.store.event_body import Body
from houseway.manager.store.export import DamagedLineError
from houseway.manager.store.people import BadgeHolders, PersonPart, parts_of, reference_of
from houseway.manager.store.projections import Row, Rows, rows_of
from houseway.manager.store.reading import View

HIDDEN: Final = BADGE_FIELDS | {"secret", "session", "pin", "people"}
"""Fields of commands with fingerprints of badges, secrets and sessions: nobody needs them to read a journal.

Playing cards (`cards`) are none of them: what was typed for the display is what surveillance compares with the felt.
"""

BODIES: Final = msgspec.json.Decoder(Body)


class EventEntry(NamedTuple):
    """An event with its body and the rows made of it."""

    event: Event
    body: Body
    rows: Rows
    parts: tuple[PersonPart, ...] = ()
    """Who took part in it, beside its actor."""

    def to_json(self) -> dict[str, Any]:
        """The event as searches show it."""
        event = self.event
        return {
            "seq": event.seq,
            "at": event.at,
            "kind": event.kind,
            "actor": event.actor,
            "device": event.device,
            "key": event.key,
            "do": shown_command(self.body.do),
            "people": [part.to_json() for part in self.parts],
            "reference": reference_of(self.body),
            "hash": event.hash,
        }


def shown_command(do: Any) -> Any:  # noqa: ANN401 - any command as plain data
    """A command without fingerprints."""
    if not isinstance(do, dict):
        return do
    return {name: value for name, value in do.items() if name not in HIDDEN}


def archive_entries(view: View, paths: Sequence[Path]) -> Iterator[EventEntry]:
    """All events of archives, in order; those that two files share come once."""
    seen = 0
    for path in in_order(view, paths):
        with open_archive(view, path) as file:
            balances: dict[str, Micros] = {}
            try:
                for item in file.items():
                    if isinstance(item, Floor):
                        balances = dict(item.balances)
                    elif isinstance(item, Event):
                        entry = _entry(item, balances)
                        if item.seq > seen:
                            seen = item.seq
                            yield entry
            except (DamagedLineError, msgspec.DecodeError, ValueError) as error:
                message = f"{path}, line {file.line}: {error}; verify the file before you search it"
                raise InputError.of("unreadable-file", "archive", message) from None


def _entry(event: Event, balances: dict[str, Micros]) -> EventEntry:
    body = BODIES.decode(event.body)
    after = []
    for debit, credit, micros, _, _ in body.post:
        balances[debit] = balances.get(debit, NO_MICROS) + micros
        balances[credit] = balances.get(credit, NO_MICROS) - micros
        after.append((balances[debit], balances[credit]))
    return EventEntry(event, body, rows_of(body, event.seq, after))


def old_entries(view: View, archives: Sequence[Path]) -> Iterator[EventEntry]:
    """Events of archives that are no longer in the live tables."""
    if archives:
        first = view.bounds()[0]
        yield from (entry for entry in archive_entries(view, archives) if entry.event.seq < first)


def with_people(entries: Sequence[EventEntry], holders: BadgeHolders) -> list[EventEntry]:
    """The entries with those who took part in each."""
    return [entry._replace(parts=parts_of(entry.event.seq, entry.body, holders)) for entry in entries]


def badge_holders(view: View, archives: Sequence[Path]) -> BadgeHolders:
    """Whose each badge was, as far as the events here and in the given archives tell."""
    holders = BadgeHolders()
    for entry in old_entries(view, archives):
        holders.follow(entry.event.seq, entry.body)
    archived = view.archived_up_to()
    if archived:
        start = view.state_before(archived + 1)
        holders.restored(start.seq, start.floor)
    for event in view.events(0, None, schema.events.c.body.contains('["person",')):
        holders.follow(event.seq, BODIES.decode(event.body))
    return holders


ROWS_AT_ONCE: Final = 500
"""Far more than the transfers of one event."""


def event_of_row(row: Row) -> Event:
    """The event that a row of the table holds."""
    return Event(*row)
