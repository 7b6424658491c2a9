"""Which gaming days a journal has: by the property's own settings, as they are on record now."""

from __future__ import annotations

from typing import Final

import msgspec
from sqlalchemy import or_, select

from houseway.manager.core.floor import Floor, entity_of
from houseway.manager.store import schema
from houseway.manager.store.event_body import Body
from houseway.manager.store.reading import View

_BODY: Final = msgspec.json.Decoder(Body)


def settings_now(view: View) -> Floor:
    """A floor with the property and its settings as they are on record now.

    A value never begins to hold before it is approved, so what is on record now says how long every past day was.
    """
    stored = view.state_before(view.bounds()[1] + 1)
    body = schema.events.c.body
    told = select(schema.events.c.body).where(schema.events.c.seq > stored.seq)
    told = told.where(or_(body.contains('["setting",'), body.contains('["property",'))).order_by(schema.events.c.seq)
    for (text,) in view.rows(told):
        for kind, id_, value in _BODY.decode(text).put:
            if kind in ("setting", "property"):
                stored.floor.put(kind, id_, entity_of(kind, value))
    return stored.floor


def time_of(view: View, seq: int) -> int:
    """When an event happened; 0 where there is none."""
    found = view.rows(select(schema.events.c.at).where(schema.events.c.seq == seq))
    return int(found[0][0]) if found else 0
