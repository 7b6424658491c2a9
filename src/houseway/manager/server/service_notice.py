"""What a service manager is told of a server: that clients may connect, that it lives, that it ends.

systemd hands over a socket in NOTIFY_SOCKET; without one nobody is told anything.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from typing import Final

_SHARE: Final = 0.4
"""Of the time that the watchdog allows between two signs of life."""


def tell(state: str) -> None:
    """Tell the service manager something, such as READY=1; nothing happens where there is none."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.connect("\0" + address[1:] if address.startswith("@") else address)
        told.sendall(state.encode())


async def show_life() -> None:
    """Say regularly that the event loop turns, if the service manager wants to hear it; until cancelled."""
    allowed = os.environ.get("WATCHDOG_USEC", "")
    if not allowed.isascii() or not allowed.isdigit() or int(allowed) == 0:
        return
    while True:
        tell("WATCHDOG=1")
        await asyncio.sleep(int(allowed) / 1_000_000 * _SHARE)
