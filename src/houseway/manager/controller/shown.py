"""Tells the devices of a table what changed: sign, lights, display, cards that lie open; each only when it is new."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Tell = Callable[[dict[str, Any]], None]


class DeviceAnnouncer:
    """What the devices were last told; a device that joins is told all of it."""

    def __init__(self, tell: Tell) -> None:
        """`tell` sends a message to every device."""
        self._tell = tell
        self._last: dict[str, Any] = {}

    def show(self, what: str, value: object) -> None:
        """Tell the devices, unless they know."""
        if what not in self._last or self._last[what] != value:
            self._last[what] = value
            self._tell({what: value})

    def everything(self) -> list[dict[str, Any]]:
        """All that a device must know when it joins."""
        return [{what: value} for what, value in self._last.items()]
