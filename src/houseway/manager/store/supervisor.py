"""Keeps the background work of a process going: nothing beside the commands ends unseen, and no refused row does.

Whatever ends by an exception is logged as CRITICAL, stands in `health` as a fault until the process ends, and begins
again after a pause. A command whose rows the store refused stands there until one of its kind is written. What ends
again and again is hopeless: whoever runs the process hears of it and ends it in order, so that whatever watches over
processes starts another one.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final

from houseway.errors import Fault, StateError

FIRST_PAUSE_SECONDS: Final = 0.1
LONGEST_PAUSE_SECONDS: Final = 5.0
HOPELESS_AFTER: Final = 6
"""So many ends of one task within the time below, and giving up on it."""
HOPELESS_SECONDS: Final = 60.0
SAME_SECONDS: Final = 60.0
"""How long a fault like one that is in the log already is not logged again."""
_SHOWN: Final = 200
"""Characters of what a store says."""
_log: Final = logging.getLogger(__name__)


class Supervisor:
    """The background work of one process, of threads and of the event loop alike."""

    def __init__(self) -> None:
        """Begin with nothing wrong."""
        self._lock = threading.Lock()
        self._faults: dict[str, Fault] = {}
        self._refused: dict[str, Fault] = {}
        self._ends: dict[str, list[float]] = {}
        self._logged: dict[tuple[str, str], float] = {}
        self._on_hopeless: Callable[[str], None] | None = None
        self.hopeless: str | None = None
        """The first task for which there is no hope."""

    def faults(self) -> list[Fault]:
        """What went wrong since the process began, one fault a task, and what cannot be written, one a command."""
        with self._lock:
            return [*self._faults.values(), *self._refused.values()]

    def refused(self, kind: str, error: BaseException) -> None:
        """The store refused the rows of a command: a fault until a command of the kind is written."""
        message = (
            f"the store refused the rows of {kind} ({str(error)[:_SHOWN]}); nothing of it was written: see the log, "
            "verify the database (houseway audit verify) and report it; this goes when such a command is written"
        )
        with self._lock:
            self._refused[kind] = Fault("row-refused", kind, message)

    @property
    def has_refused(self) -> bool:
        """Whether there is a kind of commands whose rows the store has refused."""
        return bool(self._refused)

    def written(self, kind: str) -> None:
        """A command of this kind was written."""
        if self._refused:
            with self._lock:
                self._refused.pop(kind, None)

    def when_hopeless(self, call: Callable[[str], None]) -> None:
        """Call once, from whichever thread, with the name of the first task that cannot be kept going."""
        self._on_hopeless = call

    def met(self, task: str, error: BaseException, what: str = "") -> None:
        """A task met an exception, on its way to ending or at one piece of its work."""
        told = f"{type(error).__name__}{f' at {what}' if what else ''}"
        message = (
            f"the task {task} of the server hit an internal error ({told}): see the log, report it, and start the "
            "server again"
        )
        now, like = time.monotonic(), (task, type(error).__name__)
        with self._lock:
            self._faults[task] = Fault("task-failed", task, message)
            is_new = now - self._logged.get(like, -SAME_SECONDS) >= SAME_SECONDS
            if is_new:
                self._logged[like] = now
        if is_new:
            _log.critical("the task %s hit an internal error: %s", task, told, exc_info=error)

    @contextmanager
    def guarding(self, task: str, what: str = "") -> Iterator[None]:
        """Do one piece of a task's work: an exception in it is seen, and the task goes on with the next piece."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever it is, the other pieces are not to suffer
            self.met(task, error, what)

    async def keep(self, task: str, work: Callable[[], Awaitable[None]]) -> None:
        """Run what never ends by itself, and run it again when it does; until cancelled."""
        while True:
            met: Exception = StateError(f"the task {task} ended by itself")
            try:
                await work()
            except Exception as error:  # noqa: BLE001 - it is told, and the work begins again
                met = error
            await asyncio.sleep(self._ended(task, met))

    def keep_thread(self, task: str, work: Callable[[], None], ending: threading.Event) -> None:
        """Run the work of a thread until it returns, and again when it raises, unless all is ending."""
        while True:
            try:
                work()
            except Exception as error:  # noqa: BLE001 - it is told, and the work begins again
                if ending.wait(self._ended(task, error)):
                    return
            else:
                return

    def _ended(self, task: str, error: Exception) -> float:
        """Note that a task ended; how long to wait before it begins again."""
        self.met(task, error)
        now = time.monotonic()
        with self._lock:
            ends = [at for at in self._ends.get(task, []) if now - at < HOPELESS_SECONDS]
            self._ends[task] = [*ends, now]
            gave_up = len(ends) + 1 >= HOPELESS_AFTER and self.hopeless is None
            if gave_up:
                self.hopeless = task
        if gave_up:
            _log.critical("the task %s ended %d times in a minute: giving up on it", task, len(ends) + 1)
            if self._on_hopeless is not None:
                self._on_hopeless(task)
        return min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * float(2 ** len(ends)))
