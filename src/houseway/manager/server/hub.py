"""From events to displays: whoever subscribed gets the new state of what an event touched, each with its number.

One task does all of it in order, so that a subscriber begins with the state as it is and never sees an older one later.
States are made once for all who want them. A state that came out as it was is not sent again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, Protocol

import msgspec

from houseway.errors import InputError
from houseway.manager.core.entities import Device
from houseway.manager.core.floor import Floor
from houseway.manager.core.records import Event
from houseway.manager.server.mailbox import Mailbox
from houseway.manager.server.touched import TouchedIds
from houseway.manager.server.views import award_view, meters_view, table_view
from houseway.manager.server.wire import to_line
from houseway.manager.store.store_errors import JournalDamagedError, StoreUnavailableError
from houseway.manager.store.supervisor import Supervisor

TOPICS: Final = ("meters", "tables", "awards", "events")
RETRY_SECONDS: Final = 0.25
WELCOME_SECONDS: Final = 0.05
"""How long newcomers are told the whole state before the others hear what is new."""
PACE_SECONDS: Final = 0.02
"""The shortest time between two rounds of telling: on a busy floor many events make one new state."""


@dataclass(frozen=True)
class Interests:
    """What a client subscribed to; without tables or links named it is all of them."""

    topics: frozenset[str]
    tables: frozenset[str] | None = None
    links: frozenset[str] | None = None

    def takes(self, topic: str, view: dict[str, Any]) -> bool:
        """Whether a state is for this client."""
        if topic not in self.topics:
            return False
        table = view.get("table") if topic == "awards" else view.get("id") if topic == "tables" else None
        link = view.get("link")
        if self.tables is not None and table is not None and table not in self.tables:
            return False
        return self.links is None or link is None or topic == "tables" or link in self.links


def read_subscription(message: dict[str, Any], kind: str) -> Interests:
    """What a subscription asks for; InputError if it names what there is not."""
    topics = _names(message, "subscribe") or frozenset()
    unknown = sorted(topics - set(TOPICS))
    if unknown or not topics:
        what = f"{unknown[0][:60]!r} is no topic" if unknown else "no topic is named"
        raise InputError.of("unknown-topic", "subscribe", f"{what}: choose from {', '.join(TOPICS)}")
    if "events" in topics and kind != "service":
        raise InputError.of("wrong-device", "subscribe", f"single events are not for a {kind}: subscribe as a service")
    return Interests(topics, _names(message, "tables"), _names(message, "links"))


def _names(message: dict[str, Any], field_: str) -> frozenset[str] | None:
    value = message.get(field_)
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise InputError.of("bad-message", field_, "list the names as texts")
    return frozenset(value)


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


@dataclass
class _State:
    topic: str
    id: str
    view: dict[str, Any]


@dataclass
class _MadeStates:
    """States as they are now. One that cannot be made is left out, with the reason, and holds up no other."""

    states: list[_State] = field(default_factory=list)
    broken: list[tuple[str, Exception]] = field(default_factory=list)

    def try_out(self, topic: str, id_: str, make: Callable[[], dict[str, Any]]) -> None:
        try:
            self.states.append(_State(topic, id_, make()))
        except Exception as error:  # noqa: BLE001 - it is told by the hub
            self.broken.append((f"{topic} {id_}", error))


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
    clients: dict[Subscriber, tuple[str, Interests | None]] = field(default_factory=dict)
    """Clients with their device, and what they want."""
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
            except Exception as error:  # noqa: BLE001 - nobody can say what it changed, so all is told anew
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
                client.end(InputError.of("internal-error", "subscribe", "a fault of the program: see the log"))
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
        takers |= {client: 0 for client, (_, wanted) in self.clients.items() if wanted and "events" in wanted.topics}
        for event in events if takers else ():
            line = to_line({"event": {"topic": "events", **_header(event)}})
            for client, since in takers.items():
                if event.seq > since and not client.mailbox.event(line):
                    client.too_slow()

    async def _tell_changes(self) -> None:
        touched = self._touched
        seq, at, made, devices = await self.view(lambda seq, floor: _changes(seq, floor, touched))
        self._touched = TouchedIds()
        for client, (device, _) in list(self.clients.items()):
            if device in devices:
                with self.supervisor.guarding("hub", f"device {device}"):
                    client.device_changed(devices[device])
        self._tell_broken(made)
        for state in made.states:
            with self.supervisor.guarding("hub", f"{state.topic} {state.id}"):
                self._send(seq, at, state)

    def _tell_broken(self, made: _MadeStates) -> None:
        for what, error in made.broken:
            self.supervisor.met("hub", error, what)

    def _send(self, seq: int, at: int, state: _State) -> None:
        """Send a state to all who want it, unless it is what they have already."""
        body = msgspec.json.encode(state.view)
        if self._last.get((state.topic, state.id)) == body:
            return
        self._last[state.topic, state.id] = body
        if state.view.get("gone"):
            del self._last[state.topic, state.id]
        line = _line(seq, at, state)
        for client, (_, wanted) in self.clients.items():
            if wanted is not None and wanted.takes(state.topic, state.view):
                client.mailbox.state(state.topic, state.id, line)

    async def _welcome(self, client: Subscriber, wanted: Interests) -> None:
        if client not in self.clients:
            return
        seq, at, made = await self.view(lambda seq, floor: (seq, floor.last_at, _states(floor, wanted)))
        self._tell_broken(made)
        if client not in self.clients:
            return
        self.clients[client] = (self.clients[client][0], wanted)
        for state in made.states:
            client.mailbox.state(state.topic, state.id, _line(seq, at, state))


def _header(event: Event) -> dict[str, Any]:
    """An event without its body; nor with its key, which is its sender's alone."""
    return {
        "seq": event.seq, "at": event.at, "kind": event.kind, "actor": event.actor, "device": event.device,
        "hash": event.hash,
    }  # fmt: skip


_FIELD: Final = {"meters": "meters", "tables": "table", "awards": "award"}


def _line(seq: int, at: int, state: _State) -> bytes:
    return to_line({"event": {"topic": state.topic, "seq": seq, "at": at, _FIELD[state.topic]: state.view}})


def _changes(seq: int, floor: Floor, touched: TouchedIds) -> tuple[int, int, _MadeStates, dict[str, Any]]:
    """The states that events left behind."""
    touched.spread(floor)
    made = _MadeStates()
    for id_ in sorted(touched.meters & floor.links.keys()):
        made.try_out("meters", id_, partial(meters_view, floor, floor.links[id_]))
    for id_ in sorted(touched.tables & floor.tables.keys()):
        made.try_out("tables", id_, partial(table_view, floor, id_))
    for id_ in sorted(touched.awards):
        award = floor.awards.get(id_)
        made.try_out("awards", id_, partial(award_view, award) if award else partial(dict, id=id_, gone=True))
    return seq, floor.last_at, made, {id_: floor.devices.get(id_) for id_ in touched.devices}


def _states(floor: Floor, wanted: Interests) -> _MadeStates:
    """Everything that a client wants, as it is."""
    links = [link for id_, link in sorted(floor.links.items()) if wanted.links is None or id_ in wanted.links]
    tables = [id_ for id_ in sorted(floor.tables) if wanted.tables is None or id_ in wanted.tables]
    awards = [
        award
        for _, award in sorted(floor.awards.items())
        if (wanted.links is None or award.link in wanted.links)
        and (wanted.tables is None or award.table in wanted.tables)
    ]
    made = _MadeStates()
    for link in links if "meters" in wanted.topics else ():
        made.try_out("meters", link.id, partial(meters_view, floor, link))
    for id_ in tables if "tables" in wanted.topics else ():
        made.try_out("tables", id_, partial(table_view, floor, id_))
    for award in awards if "awards" in wanted.topics else ():
        made.try_out("awards", award.id, partial(award_view, award))
    return made
