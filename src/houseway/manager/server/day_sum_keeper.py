"""A server keeps the sums of every gaming day once it has ended: reports over long times need not read it again."""

from __future__ import annotations

import logging
import threading
from typing import Final

from houseway.manager.store.day_sum_keeping import DaySumBook
from houseway.manager.store.manager import Manager
from houseway.manager.store.store_errors import StoreUnavailableError

INTERVAL_SECONDS: Final = 600.0
_log: Final = logging.getLogger(__name__)


class DaySumKeeper:
    """Keeps sums in a thread of its own: no command waits for it, and a report makes what is not kept yet."""

    def __init__(self, manager: Manager, book: DaySumBook, seconds: float = INTERVAL_SECONDS) -> None:
        """Begin at once, with the days that have ended since the last run."""
        self._manager = manager
        self._book = book
        self._seconds = seconds
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="houseway-day-sums", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._ending.is_set():
            with self._manager.supervisor.guarding("day sums"):
                self._renew()
            self._ending.wait(self._seconds)

    def _renew(self) -> None:
        try:
            while not self._ending.is_set() and self._book.add_day():
                pass
        except StoreUnavailableError as error:
            _log.warning("no sums of gaming days were kept, the next try will: %s", error)

    def close(self) -> None:
        """End; a day that is being summed is summed again by the next server."""
        self._ending.set()
        self._thread.join()
