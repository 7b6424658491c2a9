"""Subscriptions in the manager's own process: the same messages as over the wire, without a connection."""

from __future__ import annotations

import queue
import time
from collections.abc import Iterator

from houseway.manager.core.records import Event
from houseway.manager.server.state_messages import Interests, PushedState, all_states, event_message
from houseway.manager.store.manager import Manager
from houseway.manager.views.view_base import FloorView


class Following:
    """What a subscriber is told: first the state as it is, then every state that has become another."""

    def __init__(self, manager: Manager, wanted: Interests) -> None:
        """Begin to gather events; whoever follows is told from `events`."""
        self._manager = manager
        self._wanted = wanted
        self._gathered: queue.SimpleQueue[list[Event]] = queue.SimpleQueue()
        self._told: dict[tuple[str, str], PushedState] = {}
        self._end = manager.subscribe(self._gathered.put)
        # So that the first call tells how everything stands.
        self._gathered.put([])

    def close(self) -> None:
        """Hear no more."""
        self._end()

    def events(self, seconds: float | None = None) -> Iterator[FloorView]:
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

    def _messages(self, events: list[Event]) -> Iterator[FloorView]:
        if "events" in self._wanted.topics:
            yield from (event_message(event) for event in events)
        seq, _, floor = self._manager.seen()
        made = all_states(floor, self._wanted)
        for what, error in made.broken:
            self._manager.supervisor.met("following", error, what)
        states = {(state.topic, state.id): state for state in made.states}
        for topic, id_ in [key for key in self._told if key[0] == "awards" and key not in states]:
            del self._told[topic, id_]
            yield PushedState(topic, id_, None).message(seq, floor.last_at)
        for key, state in states.items():
            if self._told.get(key) != state:
                self._told[key] = state
                yield state.message(seq, floor.last_at)
