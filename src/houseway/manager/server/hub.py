"""From events to displays: whoever subscribed gets the new state of what an event touched, each with its number.

One task does all of it in order, so that a subscriber begins with the state as it is and never sees an older one later.
States are made once for all who want them. A state that came out as it was is not sent again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

import msgspec

from houseway.errors import InputError
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Device
from houseway.manager.core.records import Event
from houseway.manager.server.audience import Audience
from houseway.manager.server.mailbox import Mailbox
from houseway.manager.server.state_messages import Interests, PushedState, StateList, all_states, changes, event_message
from houseway.manager.server.touched import TouchedIds
from houseway.manager.server.wire import to_line
from houseway.manager.store.store_errors import JournalDamagedError, StoreUnavailableError
from houseway.manager.store.supervisor import Supervisor

RETRY_SECONDS: Final = 0.25
WELCOME_SECONDS: Final = 0.05
"""How long newcomers are told the whole state before the others hear what is new."""
PACE_SECONDS: Final = 0.02
"""The shortest time between two rounds of telling: on a busy floor many events make one new state."""


class Subscriber(Protocol):
    """A client with a mailbox that can be told that its device changed, or that it does not keep up."""

    mailbox: Mailbox

    def device_changed(self, device: Device | None) -> None:
        """Its device was changed or retired."""

    def too_slow(self) -> None:
        """Events had to be left out: end the connection."""

    def end(self, error: InputError | None = None) -> None:
        """End the connection, after telling the client why."""


Views = Callable[[Callable[[int, Floor], Any]], Awaitable[Any]]
"""Calls a function with the state and its number, and returns what it returned."""


@dataclass(frozen=True, slots=True)
class _JoiningClient:
    """A client that waits for the state as it is."""

    wanted: Interests
    since: int
    """The last event that was there when it asked: the single ones after it are its own, also before the state."""


@dataclass
class Hub:
    """All clients and what they want."""

    view: Views
    supervisor: Supervisor
    clients: Audience[Subscriber] = field(default_factory=Audience)
    _events: list[Event] = field(default_factory=list)
    _joining: dict[Subscriber, _JoiningClient] = field(default_factory=dict)
    """Who waits for the state as it is: each client once, with what it asked for last."""
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _last: dict[tuple[str, str], bytes] = field(default_factory=dict)
    _touched: TouchedIds = field(default_factory=TouchedIds)

    def events(self, events: Iterable[Event]) -> None:
        """Take events to tell of; from the event loop only."""
        self._events.extend(events)
        self._wake.set()

    def subscribe(self, client: Subscriber, wanted: Interests) -> None:
        """Begin to tell a client: first the state as it is, then every change."""
        self._joining[client] = _JoiningClient(wanted, self._events[-1].seq if self._events else 0)
        self._wake.set()

    async def run(self) -> None:
        """Tell of everything, for ever."""
        self._wake.set()  # there may be something left of a run before
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self.tell()
                await asyncio.sleep(PACE_SECONDS)
            except (StoreUnavailableError, JournalDamagedError):
                # The store is away and so is the state; the heartbeat says so, and it is told when it is back.
                await asyncio.sleep(RETRY_SECONDS)
                self._wake.set()

    async def tell(self) -> None:
        """Tell of everything that has come in by now."""
        events, self._events = self._events, []
        for event in events:
            try:
                self._touched.note(event)
            except Exception as error:  # noqa: BLE001 - nobody can say what it changed, so all is told again
                self.supervisor.met("hub", error, f"event {event.seq}")
                self._touched.everything = True
                self._touched.awards.update(id_ for topic, id_ in self._last if topic == "awards")
        if events:
            with self.supervisor.guarding("hub", "single events"):
                self._tell_single(events)
        if self._touched:
            await self._tell_changes()
        await self._welcome_some()

    async def _welcome_some(self) -> None:
        """Tell newcomers the state as it is, for a moment: what happens on the floor does not wait for all of them."""
        loop = asyncio.get_running_loop()
        until = loop.time() + WELCOME_SECONDS
        while self._joining and loop.time() < until:
            client, joining = next(iter(self._joining.items()))
            try:
                await self._welcome(client, joining.wanted)
            except (StoreUnavailableError, JournalDamagedError):
                raise
            except Exception as error:  # noqa: BLE001 - the others are told, and this one may come again
                self.supervisor.met("hub", error, "a subscription")
                client.end(InputError.of("internal-error", "subscribe", "an internal error: see the log"))
            if self._joining.get(client) is joining:
                del self._joining[client]
        if self._joining:
            self._wake.set()

    def _tell_single(self, events: list[Event]) -> None:
        takers = {
            client: joining.since
            for client, joining in self._joining.items()
            if "events" in joining.wanted.topics and client in self.clients
        }
        takers |= dict.fromkeys(self.clients.takers_of_all("events"), 0)
        for event in events if takers else ():
            line = to_line({"event": event_message(event)})
            for client, since in takers.items():
                if event.seq > since and not client.mailbox.event(line):
                    client.too_slow()

    async def _tell_changes(self) -> None:
        touched, is_wanted = self._touched, self.clients.is_wanted
        seq, at, (made, devices) = await self.view(
            lambda seq, floor: (seq, floor.last_at, changes(floor, touched, is_wanted))
        )
        self._touched = TouchedIds()
        for client, device in self.clients.devices() if devices else ():
            if device in devices:
                with self.supervisor.guarding("hub", f"device {device}"):
                    client.device_changed(devices[device])
        self._tell_broken(made)
        for place in made.unwanted:
            # Whoever subscribes next gets the state of then: whatever follows is new to them.
            self._last.pop(place, None)
        for state in made.states:
            with self.supervisor.guarding("hub", f"{state.topic} {state.id}"):
                self._send(seq, at, state)

    def _tell_broken(self, made: StateList) -> None:
        for what, error in made.broken:
            self.supervisor.met("hub", error, what)

    def _send(self, seq: int, at: int, state: PushedState) -> None:
        """Send a state to all who want it, unless it is what they have already."""
        body = msgspec.json.encode(state.view)
        if self._last.get((state.topic, state.id)) == body:
            return
        self._last[state.topic, state.id] = body
        if state.view is None:
            del self._last[state.topic, state.id]
        line = to_line({"event": state.message(seq, at)})
        for client in self.clients.takers(state):
            client.mailbox.state(state.topic, state.id, line)

    async def _welcome(self, client: Subscriber, wanted: Interests) -> None:
        if client not in self.clients:
            return
        seq, at, made = await self.view(lambda seq, floor: (seq, floor.last_at, all_states(floor, wanted)))
        self._tell_broken(made)
        if client not in self.clients:
            return
        self.clients.subscribe(client, wanted)
        for state in made.states:
            client.mailbox.state(state.topic, state.id, to_line({"event": state.message(seq, at)}))
