"""What was refused at the edge, on record: strangers who greet, devices that act for others; so many a minute, no more.

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
MOST_A_MINUTE: Final = 30


class Attempts:
    """Refusals at the edge of one server."""

    def __init__(self, manager: Manager) -> None:
        """Record them in this manager's journal."""
        self._manager = manager
        self._recent: deque[float] = deque()

    def record(self, device: object, kind: str, error: InputError) -> None:
        """Put a refusal at the edge on record, if there were not too many of late."""
        name = device if isinstance(device, str) and device.isprintable() and 0 < len(device) <= 100 else "unknown"
        LOG.warning("%s: %s refused: %s", name, kind, ", ".join(fault.code for fault in error.faults))
        now = time.monotonic()
        while self._recent and self._recent[0] < now - 60:
            self._recent.popleft()
        if len(self._recent) >= MOST_A_MINUTE:
            return
        self._recent.append(now)
        faults = [fault.to_json() for fault in error.faults]
        attempt = AttemptRefused(f"device:{name}", None, kind, faults)
        self._manager.submit(Envelope(f"server/refused/{secrets.token_hex(8)}", SYSTEM, attempt))
