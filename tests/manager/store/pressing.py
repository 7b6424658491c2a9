"""A process of its own that presses buttons on a journal, for tests: `python -m tests.manager.store.pressing JSON`.

It opens a manager and lets several threads send commands, each again under its key until it is answered. Every
acknowledged key is printed at once. With `die_at` the process kills itself, without warning, at that step of writing
the command `last`.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from houseway.manager.store.journal import Batch
from houseway.manager.store.manager import Manager, open_manager
from houseway.manager.store.store_errors import StoreUnavailableError
from tests.manager.store.acts import moved


def main(url: str, keys: str, name: str, threads: int, presses: int, die_at: str | None = None) -> None:
    with open_manager(url, keys, create=False, snapshot_every=40) as manager:
        if die_at is not None:
            die(manager, die_at)
        pressing = [
            threading.Thread(target=press, args=(manager, f"{name}-{n}", presses, printed)) for n in range(threads)
        ]
        for thread in pressing:
            thread.start()
        for thread in pressing:
            thread.join()
        if die_at is not None:
            manager.call(moved("last"))


def printed(key: str) -> None:
    """One write, so that lines of several threads do not run into each other."""
    os.write(1, f"{key}\n".encode())


def press(manager: Manager, name: str, presses: int, acknowledge: Callable[[str], None]) -> None:
    rng = random.Random(name)
    for number in range(presses):
        key = f"{name}-{number}"
        while True:
            try:
                # An odd amount that follows from the key, so that a lost or doubled one shows.
                manager.call(moved(key, amount(key)))
                break
            except StoreUnavailableError:
                time.sleep(0.05 * rng.random())
        acknowledge(key)
        if rng.random() < 0.1:
            manager.call(moved(key, amount(key)))


def amount(key: str) -> int:
    return random.Random(f"amount of {key}").randrange(1, 10_000_000)


def die(manager: Manager, step: str) -> None:
    """Kill this process at a step of writing the command `last`."""
    journal: Any = manager._journal
    begin, append, commit = journal.begin, journal.append, journal.commit
    dying: list[bool] = []

    def kill() -> None:
        os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(60)

    def on_append(batch: Batch) -> None:
        if all(event.key != "last" for event in batch.events):
            append(batch)
            return
        if step == "begun":
            kill()
        if step == "half appended":
            append(Batch(events=batch.events))
            kill()
        append(batch)
        if step == "appended":
            kill()
        dying.append(True)

    def on_commit() -> None:
        commit()
        if dying and step == "committed":
            kill()

    journal.begin, journal.append, journal.commit = begin, on_append, on_commit


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
