"""An event as others take it in: CloudEvents 1.0, the head of the event as its data, its number as its sequence."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final, Literal

import msgspec

from houseway.manager.views.answers import EventMessage

DEFAULT_SOURCE: Final = "urn:houseway:room"
TYPE_PREFIX: Final = "houseway."


class CloudEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event of the journal: its head, without what only its sender and the audit see."""

    specversion: Literal["1.0"] = "1.0"
    id: str
    """The event's number."""
    source: str
    type: str
    """`houseway.` and the kind of the command."""
    time: str
    datacontenttype: Literal["application/json"] = "application/json"
    sequence: str
    """The event's number with leading zeros, so that texts sort as events do."""
    data: EventMessage


def cloud_event(event: EventMessage, source: str) -> CloudEvent:
    """An event of the journal as a CloudEvent."""
    at = datetime.fromtimestamp(event.at // 1_000_000, UTC).replace(microsecond=event.at % 1_000_000)
    return CloudEvent(
        id=str(event.seq),
        source=source,
        type=TYPE_PREFIX + event.kind,
        time=at.isoformat(timespec="microseconds").replace("+00:00", "Z"),
        sequence=f"{event.seq:016d}",
        data=event,
    )


def as_sse(event: CloudEvent) -> bytes:
    """An event as a message of an event stream, with its number for resuming."""
    return b"id: %s\ndata: %s\n\n" % (event.id.encode(), msgspec.json.encode(event))
