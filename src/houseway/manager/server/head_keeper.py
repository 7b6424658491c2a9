"""A server signs heads of its journal: soon after every payment of an award, and at intervals while there is play."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Final

from houseway.manager.core.records import Event
from houseway.manager.store.head_making import HeadBook
from houseway.manager.store.manager import Manager
from houseway.manager.store.store_errors import StoreUnavailableError

INTERVAL_SECONDS: Final = 60.0
SETTLE_SECONDS: Final = 1.0
"""How long payments gather after the first one: they share a head."""
_log: Final = logging.getLogger(__name__)


class HeadKeeper:
    """Makes heads in a thread of its own: no command waits for it."""

    def __init__(self, manager: Manager, book: HeadBook, seconds: float = INTERVAL_SECONDS) -> None:
        """Begin at once, with the head of the journal as it is."""
        self._manager = manager
        self._book = book
        self._seconds = seconds
        self._paid = threading.Event()
        self._ending = threading.Event()
        self._last = 0
        self._leave: Callable[[], None] = manager.subscribe(self._heard)
        self._thread = threading.Thread(target=self._run, name="houseway-heads", daemon=True)
        self._thread.start()

    def _heard(self, events: list[Event]) -> None:
        if any(is_payment(event) for event in events):
            self._paid.set()

    def _run(self) -> None:
        while not self._ending.is_set():
            with self._manager.supervisor.guarding("heads"):
                self._renew()
            if self._paid.wait(self._seconds) and not self._ending.is_set():
                self._ending.wait(SETTLE_SECONDS)
                self._paid.clear()

    def _renew(self) -> None:
        if self._manager.last_known(lambda seq, _: seq) == self._last:
            return
        try:
            signed = self._book.renew()
        except StoreUnavailableError as error:
            _log.warning("no head was made, the next one will be: %s", error)
        else:
            self._last = 0 if signed is None else signed.head.size

    @property
    def newest(self) -> int:
        """How many events the newest head covers that was made or found here."""
        return self._last

    def close(self) -> None:
        """Make a last head of what was played, and end."""
        self._leave()
        self._ending.set()
        self._paid.set()
        self._thread.join()
        with self._manager.supervisor.guarding("heads"):
            self._renew()


def is_payment(event: Event) -> bool:
    """Whether an award was paid by an event."""
    # Looked for in the text first: most events are none, and reading a body takes its time.
    return '"status":"paid"' in event.body and any(hit.get("status") == "paid" for hit in event.page().hits)
