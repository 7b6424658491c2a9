"""The floor as it was at any time: the nearest stored state before it, and the events from there on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from sqlalchemy import select

from houseway.errors import InputError
from houseway.manager.core.engine import Engine
from houseway.manager.core.entities import Level, Link
from houseway.manager.core.floor import Floor
from houseway.manager.core.ledger import account
from houseway.manager.core.records import Body, Event
from houseway.manager.store import schema
from houseway.manager.store.export import JournalFile, open_journal_file
from houseway.manager.store.reading import Boundary, View

SECTIONS: Final = ("people", "links", "tables", "settings", "papers")
"""What can be looked at as of a date."""

_BODY: Final = msgspec.json.Decoder(Body)


def state_at(view: View, seq: int) -> Boundary:
    """The state behind an event; refused if it was archived away."""
    stored = view.state_before(seq + 1)
    if stored.seq < view.archived_up_to() and view.bounds()[0] > stored.seq + 1:
        message = f"event {seq} lies in an archive: name the file with --archive"
        raise InputError.of("archived", "database", message)
    engine = Engine(stored.floor, stored.seq, stored.hash)
    for event in view.events(stored.seq, seq):
        engine.apply(event)
    return Boundary(engine.seq, engine.head, engine.floor)
