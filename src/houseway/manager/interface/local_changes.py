"""What a subscription in the manager's own process tells: the same messages as over the wire, without a connection."""

from __future__ import annotations

from collections.abc import Callable

from houseway.manager.core.records import Event
from houseway.manager.interface.contract import ChangeMessage
from houseway.manager.server.state_messages import Interests, PushedState, all_states, event_message
from houseway.manager.store.manager import Manager


class LocalChanges:
    """First the state as it is, then every state that has become another."""

    def __init__(self, manager: Manager, wanted: Interests, heard: Callable[[list[Event]], None]) -> None:
        """Have a function told of events, from another thread; `messages` says what they mean."""
        self._manager = manager
        self._wanted = wanted
        self._told: dict[tuple[str, str], PushedState] = {}
        self._end = manager.subscribe(heard)
        # So that it is told how everything stands.
        heard([])

    def close(self) -> None:
        """Hear no more."""
        self._end()

    def messages(self, events: list[Event]) -> list[ChangeMessage]:
        """What to tell after some events: each of them, and the states that are others now."""
        told: list[ChangeMessage] = []
        if "events" in self._wanted.topics:
            told += [event_message(event) for event in events]
        seq, _, floor = self._manager.seen()
        made = all_states(floor, self._wanted)
        for what, error in made.broken:
            self._manager.supervisor.met("subscription", error, what)
        states = {(state.topic, state.id): state for state in made.states}
        for topic, id_ in [key for key in self._told if key[0] == "awards" and key not in states]:
            del self._told[topic, id_]
            told.append(PushedState(topic, id_, None).message(seq, floor.last_at))
        for key, state in states.items():
            if self._told.get(key) != state:
                self._told[key] = state
                told.append(state.message(seq, floor.last_at))
        return told
