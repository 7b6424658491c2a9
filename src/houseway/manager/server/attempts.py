"""What was refused at the edge, on record: strangers who greet, devices that act for others; each once, not too many.

The journal is not for strangers to fill: beyond the limit only the log counts them.
"""

from __future__ import annotations

import logging
import secrets
import time
from collections import deque
from typing import Final

from houseway.errors import InputError
from houseway.manager.commands import Envelope
from houseway.manager.commands.system import AttemptRefused
from houseway.manager.core.engine import SYSTEM
from houseway.manager.store.manager import Manager

LOG: Final = logging.getLogger("houseway.manager.server")
MOST_RECENT: Final = 50
RECENT_SECONDS: Final = 600.0
"""So many attempts in so long are put on record, and the same one of the same device once."""


class Attempts:
    """Refusals at the edge of one server."""

    def __init__(self, manager: Manager) -> None:
        """Record them in this manager's journal."""
        self._manager = manager
        self._recent: deque[tuple[float, str]] = deque()

    def record(self, device: object, kind: str, error: InputError) -> None:
        """Put a refusal at the edge on record, if there were not too many of late."""
        name = device if isinstance(device, str) and device.isprintable() and 0 < len(device) <= 100 else "unknown"
        LOG.warning("%s: %s refused: %s", name, kind, ", ".join(fault.code for fault in error.faults))
        codes = ",".join(fault.code for fault in error.faults)
        if self._is_enough(f"{name}/{kind}/{codes}", time.monotonic()):
            return
        faults = [fault.to_json() for fault in error.faults]
        attempt = AttemptRefused(f"device:{name}", None, kind, faults)
        self._manager.submit(Envelope(f"server/refused/{secrets.token_hex(8)}", SYSTEM, attempt))

    def _is_enough(self, what: str, now: float) -> bool:
        """Whether this attempt, or many others, went on record a short while ago."""
        while self._recent and self._recent[0][0] < now - RECENT_SECONDS:
            self._recent.popleft()
        if len(self._recent) >= MOST_RECENT or any(what == known for _, known in self._recent):
            return True
        self._recent.append((now, what))
        return False
