"""Wrong badges from one address: it waits before the manager's own gate closes the service's reader for everybody."""

from __future__ import annotations

import ipaddress
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

from houseway.errors import InputError

MOST_WRONG: Final = 3
"""Wrong badges of one address; the manager closes the reader after its own number, five unless the room sets it."""
WINDOW_SECONDS: Final = 600.0
MOST_ADDRESSES: Final = 10_000
"""Addresses that are remembered; the oldest are forgotten first."""


class Tries:
    """Wrong badges by address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Nobody has tried anything."""
        self._clock = clock
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()

    def check(self, address: str) -> None:
        """Refuse an address from which too many wrong badges came."""
        wrong = self._recent(network_of(address))
        if len(wrong) >= MOST_WRONG:
            minutes = int((wrong[0] + WINDOW_SECONDS - self._clock()) // 60) + 1
            message = f"too many wrong badges came from here: wait {minutes} minutes"
            raise InputError.of("badges-locked", "badge", message)

    def wrong(self, address: str) -> None:
        """A wrong badge came from an address."""
        network = network_of(address)
        recent = self._recent(network)
        recent.append(self._clock())
        self._wrong[network] = recent
        self._wrong.move_to_end(network)
        while len(self._wrong) > MOST_ADDRESSES:
            self._wrong.popitem(last=False)

    def _recent(self, network: str) -> deque[float]:
        recent = self._wrong.get(network, deque())
        while recent and recent[0] <= self._clock() - WINDOW_SECONDS:
            recent.popleft()
        return recent


def network_of(address: str) -> str:
    """An address; of IPv6 the network that one customer has, so that changing the rest gains nothing.

    >>> network_of("10.1.2.3"), network_of("2001:db8::1:2:3:4")
    ('10.1.2.3', '2001:db8::/64')
    """
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ipaddress.ip_network((found, 64), strict=False)) if found.version == 6 else address
