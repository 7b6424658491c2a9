"""What subscribers are told: the states that they want, made of a snapshot, and the messages that carry them.

The hub tells it over the wire, `interface.local_changes` in the manager's own process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import msgspec

from houseway.errors import present
from houseway.manager.core.award_entities import Award
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Device
from houseway.manager.core.link_entities import Link
from houseway.manager.core.records import Event
from houseway.manager.core.roles import LOOKING, PRESENT
from houseway.manager.core.table_entities import Table
from houseway.manager.server.touched import TouchedIds
from houseway.manager.views.answers import AwardMessage, EventMessage, MetersMessage, TableMessage
from houseway.manager.views.jackpot_views import AwardView, MetersView, award_view, meters_view
from houseway.manager.views.table_views import TableView, table_view
from houseway.reading.codes import Codes
from houseway.reading.described import as_described
from houseway.reading.faults import Faults

TOPICS: Final = ("meters", "tables", "awards", "events")
FOR_SERVICES: Final = frozenset({"events"})
"""Topics of which controllers and displays hear nothing."""
READERS: Final = {"meters": PRESENT, "tables": PRESENT, "awards": PRESENT, "events": LOOKING}
"""Roles of which a person needs one who subscribes by name."""


@dataclass(frozen=True, slots=True)
class PushedState:
    """How something is that can be subscribed to."""

    topic: str
    id: str
    view: MetersView | TableView | AwardView | None
    """None for an award that is no more."""
    table: str | None = None
    link: str | None = None

    def message(self, seq: int, at: int) -> MetersMessage | TableMessage | AwardMessage:
        """What subscribers are told of it."""
        if isinstance(self.view, MetersView):
            return MetersMessage(seq=seq, at=at, meters=self.view)
        if isinstance(self.view, TableView):
            return TableMessage(seq=seq, at=at, table=self.view)
        return AwardMessage(seq=seq, at=at, id=self.id, award=self.view)


@dataclass(frozen=True)
class Interests:
    """What a client subscribed to; without tables or links named it is all of them."""

    topics: frozenset[str]
    tables: frozenset[str] | None = None
    links: frozenset[str] | None = None

    def takes(self, state: PushedState) -> bool:
        """Whether a state is for this client."""
        if state.topic not in self.topics:
            return False
        if self.tables is not None and state.table is not None and state.table not in self.tables:
            return False
        return self.links is None or state.link is None or state.link in self.links


def place_of(state: PushedState) -> str | None:
    """Where a state belongs, as subscribers name it: meters to their link, else to its table, if any."""
    return state.link if state.topic == "meters" else state.table


class _Subscription(msgspec.Struct, forbid_unknown_fields=True):
    """What a client subscribes to, beside who it is."""

    subscribe: list[str]
    tables: list[str] | None = None
    links: list[str] | None = None


def read_subscription(message: dict[str, Any], kind: str) -> Interests:
    """What a subscription asks for; InputError with every fault if it names what there is not."""
    faults = Faults(Codes.only("bad-message"))
    read = as_described(message, _Subscription, "", faults, "a subscription")
    topics = [] if read is None else read.subscribe
    for place, topic in enumerate(topics):
        faults.choice(topic, TOPICS, f"subscribe[{place}]", "unknown-topic")
    if read is not None and not topics:
        faults.add("unknown-topic", "subscribe", f"no topic is named: choose from {', '.join(TOPICS)}")
    if FOR_SERVICES.intersection(topics) and kind != "service":
        faults.add("wrong-device", "subscribe", f"single events are not for a {kind}: subscribe as a service")
    faults.refuse_if_any()
    wanted = present(read, "subscription without faults")
    return Interests(frozenset(topics), _named(wanted.tables), _named(wanted.links))


def _named(names: list[str] | None) -> frozenset[str] | None:
    return None if names is None else frozenset(names)


def event_message(event: Event) -> EventMessage:
    """An event without its body; nor with its key, which is its sender's alone."""
    return EventMessage(
        seq=event.seq, at=event.at, kind=event.kind, actor=event.actor, device=event.device, hash=event.hash
    )


@dataclass
class StateList:
    """States as they are now. One that cannot be made is left out, with the reason, and holds up no other."""

    states: list[PushedState] = field(default_factory=list)
    broken: list[tuple[str, Exception]] = field(default_factory=list)
    unwanted: list[tuple[str, str]] = field(default_factory=list)
    """Topics and ids of those that nobody wants to know, and that were not made."""

    def _try_out(self, topic: str, id_: str, make: Callable[[], PushedState]) -> None:
        try:
            self.states.append(make())
        except Exception as error:  # noqa: BLE001 - it is told by whoever tells the states
            self.broken.append((f"{topic} {id_}", error))

    def meters(self, floor: Floor, link: Link) -> None:
        """Add the meters of a link."""
        self._try_out("meters", link.id, lambda: PushedState("meters", link.id, meters_view(floor, link), link=link.id))

    def table(self, floor: Floor, table: Table) -> None:
        """Add a table."""
        self._try_out("tables", table.id, lambda: PushedState("tables", table.id, table_view(floor, table), table.id))

    def award(self, floor: Floor, award: Award) -> None:
        """Add an award."""
        make = partial(_award_state, floor, award)
        self._try_out("awards", award.id, make)

    def gone(self, award: str) -> None:
        """Add that an award is no more."""
        self.states.append(PushedState("awards", award, None))


def _award_state(floor: Floor, award: Award) -> PushedState:
    return PushedState("awards", award.id, award_view(floor, award), award.table, award.link)


def changes(
    floor: Floor, touched: TouchedIds, is_wanted: Callable[[str, str | None], bool]
) -> tuple[StateList, dict[str, Device | None]]:
    """The states that events left behind, as far as anybody wants them (by topic and place), and changed devices."""
    touched.spread(floor)
    made = StateList()
    for id_ in sorted(touched.meters & floor.links.keys()):
        if is_wanted("meters", id_):
            made.meters(floor, floor.links[id_])
        else:
            made.unwanted.append(("meters", id_))
    for id_ in sorted(touched.tables & floor.tables.keys()):
        if is_wanted("tables", id_):
            made.table(floor, floor.tables[id_])
        else:
            made.unwanted.append(("tables", id_))
    for id_ in sorted(touched.awards):
        award = floor.awards.get(id_)
        if not is_wanted("awards", None if award is None else award.table):
            made.unwanted.append(("awards", id_))
        elif award is None:
            made.gone(id_)
        else:
            made.award(floor, award)
    return made, {id_: floor.devices.get(id_) for id_ in touched.devices}


def all_states(floor: Floor, wanted: Interests) -> StateList:
    """Everything that a client wants, as it is."""
    made = StateList()
    for link in _wanted_links(floor, wanted):
        made.meters(floor, link)
    for table in _wanted_tables(floor, wanted):
        made.table(floor, table)
    for award in _wanted_awards(floor, wanted):
        made.award(floor, award)
    return made


def _wanted_links(floor: Floor, wanted: Interests) -> Iterator[Link]:
    for id_, link in sorted(floor.links.items()) if "meters" in wanted.topics else ():
        if wanted.links is None or id_ in wanted.links:
            yield link


def _wanted_tables(floor: Floor, wanted: Interests) -> Iterator[Table]:
    for id_, table in sorted(floor.tables.items()) if "tables" in wanted.topics else ():
        if wanted.tables is None or id_ in wanted.tables:
            yield table


def _wanted_awards(floor: Floor, wanted: Interests) -> Iterator[Award]:
    for _, award in sorted(floor.awards.items()) if "awards" in wanted.topics else ():
        of_links = wanted.links is None or award.link in wanted.links
        if of_links and (wanted.tables is None or award.table in wanted.tables):
            yield award
