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
from houseway.manager.commands.system import AttemptRefused, attempt
from houseway.manager.core.engine import SYSTEM
from houseway.manager.core.texts import on_record
from houseway.manager.store.manager import Manager

LOG: Final = logging.getLogger("houseway.manager.server")
MOST_RECENT: Final = 50
RECENT_SECONDS: Final = 600.0
"""So many attempts in so long are put on record; the same command in the same name from the same device once."""
LONGEST_NAME: Final = 100


class Attempts:
    """Refusals at the edge of one server."""

    def __init__(self, manager: Manager) -> None:
        """Record them in this manager's journal."""
        self._manager = manager
        self._recent: deque[tuple[float, tuple[str | None, ...]]] = deque()

    def record(self, device: object, kind: str, error: InputError) -> None:
        """Put a refusal of a stranger on record, if there were not too many of late."""
        self._record(attempt(f"device:{_word(device, 'unknown')}", None, kind, error))

    def record_command(self, device: str, message: object, error: InputError) -> None:
        """Put on record what a device tried, and in whose name it did; of the message only kind and actor are kept."""
        told = message if isinstance(message, dict) else {}
        do = told.get("do")
        kind = _word(do.get("kind") if isinstance(do, dict) else None, "command")
        actor = _word(told.get("actor"), f"device:{device}")
        self._record(attempt(actor, device, kind, error))

    def _record(self, tried: AttemptRefused) -> None:
        codes = ",".join(str(fault["code"]) for fault in tried.faults)
        by = f"{tried.actor} at {tried.device}" if tried.device else tried.actor
        LOG.warning("%s: %s refused: %s", by, tried.kind_of, codes)
        if not self._is_enough((tried.actor, tried.device, tried.kind_of, codes), time.monotonic()):
            self._manager.submit(Envelope(f"server/refused/{secrets.token_hex(8)}", SYSTEM, tried))

    def _is_enough(self, what: tuple[str | None, ...], now: float) -> bool:
        """Whether this attempt, or many others, went on record a short while ago."""
        while self._recent and self._recent[0][0] < now - RECENT_SECONDS:
            self._recent.popleft()
        if len(self._recent) >= MOST_RECENT or any(what == known for _, known in self._recent):
            return True
        self._recent.append((now, what))
        return False


def _word(value: object, otherwise: str) -> str:
    """A name as a stranger gave it, in the form in which it can stand on record."""
    return on_record(value, LONGEST_NAME) if isinstance(value, str) and value else otherwise
