"""Who is connected and wants to be told what: found by what changed, not by asking every client.

On a floor of two hundred tables each table's controls want their own table, and every sign the meters of a link. So a
state that changed is offered to those who named it and to those who want all of its kind, and a state that nobody
wants need not be made at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Generic, TypeVar

from houseway.manager.server.state_messages import Interests, PushedState, place_of

ClientT = TypeVar("ClientT")
_ALL: Final = None
"""Stands for every place, where a client has named none."""


class Audience(Generic[ClientT]):
    """Clients with their device, and what they want; used from the event loop, `is_wanted` from any thread."""

    def __init__(self) -> None:
        """Begin with nobody."""
        self._clients: dict[ClientT, tuple[str, Interests | None]] = {}
        self._wanting: dict[str, dict[str | None, dict[ClientT, Interests]]] = {}
        """By topic and place, with what else they have named."""

    def enter(self, client: ClientT, device: str) -> None:
        """A client is there, and wants nothing yet."""
        self.leave(client)
        self._clients[client] = (device, None)

    def leave(self, client: ClientT) -> None:
        """A client is gone."""
        _, wanted = self._clients.pop(client, ("", None))
        if wanted is not None:
            self._forget(client, wanted)

    def subscribe(self, client: ClientT, wanted: Interests) -> None:
        """Tell a client that is there of what it wants now, and of nothing else."""
        device, before = self._clients[client]
        if before is not None:
            self._forget(client, before)
        self._clients[client] = (device, wanted)
        for topic in wanted.topics:
            places = self._wanting.setdefault(topic, {})
            for place in _places(wanted, topic):
                places.setdefault(place, {})[client] = wanted

    def _forget(self, client: ClientT, wanted: Interests) -> None:
        for topic in wanted.topics:
            places = self._wanting[topic]
            for place in _places(wanted, topic):
                del places[place][client]
                if not places[place]:
                    del places[place]

    def is_wanted(self, topic: str, place: str | None) -> bool:
        """Whether anybody may want a state of a place."""
        places = self._wanting.get(topic, {})
        return bool(places) if place is None else place in places or _ALL in places

    def takers(self, state: PushedState) -> Iterator[ClientT]:
        """Those who want a state."""
        places, place = self._wanting.get(state.topic, {}), place_of(state)
        found: dict[ClientT, Interests] = {}
        for named in places if place is None else (_ALL, place):
            found |= places.get(named, {})
        return (client for client, wanted in found.items() if wanted.takes(state))

    def takers_of_all(self, topic: str) -> Iterator[ClientT]:
        """Those who want every message of a topic."""
        return iter((*self._wanting.get(topic, {}).get(_ALL, {}),))

    def devices(self) -> Iterator[tuple[ClientT, str]]:
        """Every client with its device."""
        return iter([(client, device) for client, (device, _) in self._clients.items()])

    def wanted_by(self, client: ClientT) -> Interests | None:
        """What a client is told of; None for nothing."""
        return self._clients.get(client, ("", None))[1]

    def __contains__(self, client: object) -> bool:
        """Whether a client is there."""
        return client in self._clients

    def __iter__(self) -> Iterator[ClientT]:
        """All clients."""
        return iter(self._clients)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._clients)


def _places(wanted: Interests, topic: str) -> tuple[str | None, ...]:
    """The places under which a client is found: single events belong to no place."""
    named = {"meters": wanted.links, "tables": wanted.tables, "awards": wanted.tables}.get(topic)
    return (_ALL,) if named is None else (*named,)
