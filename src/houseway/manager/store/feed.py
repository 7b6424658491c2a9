"""How a process hears that another one has written: PostgreSQL notifies, SQLite is asked many times a second.

A feed only wakes the manager, which then reads the new events itself: a wake-up too many costs one small query, and one
that was lost with a connection is made good when the feed is back.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol

from houseway.errors import InputError
from houseway.manager.store.sqlite import SqliteJournal
from houseway.manager.store.supervisor import Supervisor

POLL_SECONDS: Final = 0.02
_LISTEN_SECONDS: Final = 0.2
_RETRY_SECONDS: Final = 0.5
_log: Final = logging.getLogger(__name__)


class Feed(Protocol):
    """Something that calls `wake` when there may be news."""

    def start(self, wake: Callable[[], None], supervisor: Supervisor) -> None:
        """Begin to watch."""

    def close(self) -> None:
        """Stop watching."""


class _WatchingThread:
    """A thread that watches until it is told to stop, and goes on after every fault."""

    def __init__(self) -> None:
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self, wake: Callable[[], None], supervisor: Supervisor) -> None:
        """Begin to watch."""
        work = ("feed", lambda: self._run(wake), self._stopping)
        self._thread = threading.Thread(target=supervisor.keep_thread, args=work, name="houseway-feed", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop watching."""
        self._stopping.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self, wake: Callable[[], None]) -> None:
        while not self._stopping.is_set():
            try:
                self._watch(wake)
            except InputError as error:
                _log.warning("the feed was interrupted: %s", error)
                self._stopping.wait(_RETRY_SECONDS)

    def _watch(self, wake: Callable[[], None]) -> None:
        raise NotImplementedError


class SqliteFeed(_WatchingThread):
    """Asks SQLite on a connection of its own whether another connection has written."""

    def __init__(self, path: Path, seconds: float = POLL_SECONDS) -> None:
        """Watch a file, so often."""
        super().__init__()
        self._path = path
        self._seconds = seconds

    def _watch(self, wake: Callable[[], None]) -> None:
        journal = SqliteJournal(self._path)
        try:
            known = journal.data_version()
            wake()
            while not self._stopping.wait(self._seconds):
                if (found := journal.data_version()) != known:
                    known = found
                    wake()
        finally:
            journal.close()


class PostgresFeed(_WatchingThread):
    """Listens on a connection of its own; what this process has written itself does not wake it."""

    def __init__(self, info: str, own_backend: Callable[[], int]) -> None:
        """Listen on a database; `own_backend` is the number of the connection that this process writes with."""
        super().__init__()
        self._info = info
        self._own_backend = own_backend

    def _watch(self, wake: Callable[[], None]) -> None:
        from houseway.manager.store import postgres

        with postgres.translating(), postgres.connect(self._info) as connection:
            connection.execute(f"LISTEN {postgres.CHANNEL}")
            wake()
            while not self._stopping.is_set():
                for heard in connection.notifies(timeout=_LISTEN_SECONDS):
                    if heard.pid != self._own_backend():
                        wake()
