"""Where somebody comes from: addresses, of which one machine may have many, as the network that they belong to."""

from __future__ import annotations

import ipaddress


def network_of(address: str) -> str:
    """Where an address belongs: of IPv6 the network, of which one machine has all the addresses it likes.

    >>> network_of("192.0.2.7"), network_of("2001:db8::1:2:3"), network_of("::ffff:192.0.2.7"), network_of("a socket")
    ('192.0.2.7', '2001:db8::/64', '192.0.2.7', 'a socket')
    """
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))
