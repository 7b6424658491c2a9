"""Lanes of a reader: whose wrong badges are counted together, and who waits for them.

Whoever is not signed in at a device shares its reader. A person who is signed in there has a lane of their own for the
badges of second people, which no stranger closes. Sign-ins that a service passes on from the network are counted by the
network that they come from: each has a few tries of its own, and all networks from which nobody has signed in lately
share one small allowance, so that many addresses guess no faster than a few. Networks from which people have signed in
are not part of it: no stranger keeps them out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec.structs import replace

from houseway.manager.core.badges import MINUTE, lock_micros
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Device, KnownNetwork
from houseway.manager.core.networks import network_of

READER: Final = "reader"
"""Whoever is not signed in, at the device itself."""
UNKNOWN_NETWORKS: Final = "unknown networks"
KNOWN_NETWORKS: Final = "known networks"
KNOWN_FOR: Final = 90 * 24 * 60 * MINUTE
"""How long a network is known after somebody has signed in from there."""
MOST_KNOWN: Final = 200
MOST_KNOWN_OF_PERSON: Final = 4
"""Networks that one person's sign-ins make known: nobody pushes the others' out alone."""
MOST_CLOSED: Final = 200
"""Lanes of one device that are remembered as closed."""
REMEMBERED: Final = 24 * 60 * MINUTE
"""How long it is remembered that a lane was closed: after a restart it has not all its tries again."""


class Allowance(NamedTuple):
    """So many wrong badges at once, and then one more whenever some time has passed."""

    at_once: int
    every: int
    """Microseconds."""

    def earliest(self, spent: int) -> int:
        """When the next try is allowed; `spent` is when all that were made will have come back."""
        return spent - (self.at_once - 1) * self.every

    def with_one_more(self, spent: int, now: int) -> int:
        """What is spent with another try."""
        return max(spent, now) + self.every

    def spent_at(self, until: int) -> int:
        """What is spent where the next try is allowed at a time."""
        return until + (self.at_once - 1) * self.every


OF_UNKNOWN_NETWORK: Final = Allowance(3, 10 * MINUTE)
OF_UNKNOWN_NETWORKS: Final = Allowance(20, 30 * MINUTE)
"""Of all networks together from which nobody has signed in: what guessing badges from the network amounts to."""
OF_KNOWN_NETWORK: Final = Allowance(10, 30 * MINUTE)
OF_KNOWN_NETWORKS: Final = Allowance(100, MINUTE)
"""Of all known ones together: only a service whose secret was stolen could name them all, and it guesses no faster than
at a reader."""


class Lane(NamedTuple):
    """A lane: its name on record, and its allowance where it has one; else the property's settings of readers hold."""

    name: str
    allowance: Allowance | None = None


def lane_of_person(person: str) -> Lane:
    """The lane of somebody who is signed in at the device."""
    return Lane(f"person {person}")


def lanes_of_address(device: Device, address: str, now: int) -> tuple[Lane, Lane]:
    """The lanes of a sign-in from an address: its network's own, and that of all networks like it."""
    network = network_of(address)
    if is_known(device, network, now):
        return Lane(f"network {network}", OF_KNOWN_NETWORK), Lane(KNOWN_NETWORKS, OF_KNOWN_NETWORKS)
    return Lane(f"network {network}", OF_UNKNOWN_NETWORK), Lane(UNKNOWN_NETWORKS, OF_UNKNOWN_NETWORKS)


def is_known(device: Device, network: str, now: int) -> bool:
    """Whether somebody has signed in at a device from a network, not too long ago."""
    found = device.networks.get(network)
    return found is not None and now - found.at < KNOWN_FOR


def with_network(device: Device, address: str, person: str, now: int) -> Device:
    """The device once somebody has signed in from an address."""
    network = network_of(address)
    kept = {
        name: found
        for name, found in sorted(device.networks.items(), key=lambda item: (item[1].at, item[0]))
        if name != network and now - found.at < KNOWN_FOR
    }
    own = [name for name, found in kept.items() if found.person == person]
    for name in own[: max(0, len(own) - MOST_KNOWN_OF_PERSON + 1)]:
        del kept[name]
    for name in list(kept)[: max(0, len(kept) - MOST_KNOWN + 1)]:
        del kept[name]
    return replace(device, networks={**kept, network: KnownNetwork(person, now)})


def longest_closing(floor: Floor, lane: str, now: int) -> int:
    """For how long a lane is closed at most, in microseconds; a later time is of a clock that was ahead."""
    if lane in (UNKNOWN_NETWORKS, KNOWN_NETWORKS) or lane.startswith("network "):
        return max(one.every for one in (OF_UNKNOWN_NETWORK, OF_UNKNOWN_NETWORKS, OF_KNOWN_NETWORK, OF_KNOWN_NETWORKS))
    return lock_micros(floor, now)


def with_closed(closed: Mapping[str, int], lane: str, until: int, now: int) -> dict[str, int]:
    """Which lanes are closed, and until when, with another one; those that have been open for long are forgotten."""
    kept = {name: time for name, time in closed.items() if name != lane and now - time < REMEMBERED}
    latest = sorted(kept, key=lambda name: (kept[name], name))[-(MOST_CLOSED - 1) :]
    return {**{name: time for name, time in kept.items() if name in latest}, lane: until}
