"""Subscriptions in the manager's own process: the same messages as over the wire, without a connection."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator
from typing import Any, Final

from houseway.manager.core.floor import Floor
from houseway.manager.core.records import Event
from houseway.manager.server.hub import Interests
from houseway.manager.server.views import award_view, meters_view, table_view
from houseway.manager.store.manager import Manager

_WORD: Final = {"meters": "meters", "tables": "table", "awards": "award"}
"""Under which word a message has the state of a topic."""


class Following:
    """What a subscriber is told: first the state as it is, then every state that has become another."""

    def __init__(self, manager: Manager, wanted: Interests) -> None:
        """Begin to gather events; whoever follows is told from `events`."""
        self._manager = manager
        self._wanted = wanted
        self._gathered: queue.SimpleQueue[list[Event]] = queue.SimpleQueue()
        self._told: dict[tuple[str, str], dict[str, Any]] = {}
        self._end = manager.subscribe(self._gathered.put)
        # So that the first call tells how everything stands.
        self._gathered.put([])

    def close(self) -> None:
        """Hear no more."""
        self._end()

    def events(self, seconds: float | None = None) -> Iterator[dict[str, Any]]:
        """The messages as they come; ends after so many seconds, or never."""
        until = None if seconds is None else time.monotonic() + seconds
        while True:
            left = None if until is None else until - time.monotonic()
            if left is not None and left < 0:
                left = 0.0
            try:
                events = self._gathered.get(timeout=left)
            except queue.Empty:
                return
            yield from self._messages(events)

    def _messages(self, events: list[Event]) -> Iterator[dict[str, Any]]:
        if "events" in self._wanted.topics:
            for event in events:
                yield {
                    "topic": "events", "seq": event.seq, "at": event.at, "kind": event.kind, "actor": event.actor,
                    "device": event.device, "key": event.key, "hash": event.hash,
                }  # fmt: skip
        seq, at, states = self._manager.view_at(lambda seq, floor: (seq, floor.last_at, _states(floor, self._wanted)))
        gone = [key for key in self._told if key[0] == "awards" and key not in states]
        for topic, id_ in gone:
            del self._told[topic, id_]
            yield {"topic": topic, "seq": seq, "at": at, "award": {"id": id_, "gone": True}}
        for (topic, id_), view in states.items():
            if self._told.get((topic, id_)) != view:
                self._told[topic, id_] = view
                yield {"topic": topic, "seq": seq, "at": at, _WORD[topic]: view}


def _states(floor: Floor, wanted: Interests) -> dict[tuple[str, str], dict[str, Any]]:
    """Everything that is wanted, as it is."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    if "meters" in wanted.topics:
        found |= {("meters", id_): meters_view(floor, link) for id_, link in sorted(floor.links.items())}
    if "tables" in wanted.topics:
        found |= {
            ("tables", id_): table_view(floor, id_)
            for id_ in sorted(floor.tables)
            if wanted.tables is None or id_ in wanted.tables
        }
    if "awards" in wanted.topics:
        found |= {("awards", award.id): award_view(award) for _, award in sorted(floor.awards.items())}
    return {key: view for key, view in found.items() if wanted.takes(key[0], view)}
