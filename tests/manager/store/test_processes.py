"""Several processes on one journal, and processes that die: one chain, exact books, nothing twice and nothing half."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from houseway.manager.core.ledger import check_balanced
from houseway.manager.core.records import canonical
from tests.manager.store.acts import moved, people
from tests.manager.store.pressing import amount, press
from tests.manager.store.stores import SqlStore, check_chain, check_ledger, check_snapshots
from tests.manager.store.test_manager import until

ROOT = Path(__file__).resolve().parents[3]


def process(store: SqlStore, name: str, threads: int, presses: int, **more: Any) -> subprocess.Popen[str]:
    options = {"url": store.url, "keys": str(store.keys_folder), "name": name, "threads": threads, "presses": presses}
    command = [sys.executable, "-m", "tests.manager.store.pressing", json.dumps(options | more)]
    return subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def check(store: SqlStore, acknowledged: set[str]) -> set[str]:
    """Chain, books and acknowledged commands; returns the keys of all moves."""
    events = store.events()
    check_chain(events)
    check_snapshots(events)
    keys = {event.key for event in events if event.kind == "test.move"}
    assert acknowledged <= keys
    assert check_ledger(store.transfers())["tray/T1"] == sum(amount(key) if key != "last" else 1 for key in keys)
    check_balanced(store.writer().engine.floor.balances)
    return keys


@pytest.mark.slow
def test_sixty_four_writers_in_five_managers_of_four_processes(store: SqlStore) -> None:
    with store.manager(clock=None) as first, store.manager(clock=None, snapshot_every=40) as second:
        first.call(people())
        others = [process(store, f"p{number}", threads=16, presses=4) for number in range(3)]
        own: list[str] = []
        threads = [
            threading.Thread(target=press, args=(manager, f"{name}-{number}", 4, own.append))
            for name, manager in (("a", first), ("b", second))
            for number in range(8)
        ]
        for thread in threads:
            thread.start()
        said = [other.communicate(timeout=300) for other in others]
        for thread in threads:
            thread.join()
        assert [other.returncode for other in others] == [0, 0, 0], said
        acknowledged = {key for out, _ in said for key in out.split()}
        assert (len(acknowledged), len(own)) == (3 * 16 * 4, 2 * 8 * 4)
        assert len(check(store, acknowledged | set(own))) == 64 * 4
        snapshot = canonical(store.writer().engine.floor.snapshot())
        for manager in (first, second):
            until(lambda manager=manager: manager.view(lambda floor: canonical(floor.snapshot())) == snapshot)


STEPS = {"begun": False, "half appended": False, "appended": False, "committed": True}


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_a_process_that_dies_at_any_step_leaves_all_or_nothing(store: SqlStore, step: str) -> None:
    with store.manager(clock=None) as manager:
        manager.call(people())
    dying = process(store, "p", threads=2, presses=3, die_at=step)
    out, err = dying.communicate(timeout=120)
    assert dying.returncode == -signal.SIGKILL, err
    written = STEPS[step]
    acknowledged = set(out.split())
    assert len(acknowledged) == 6
    assert check(store, acknowledged) == acknowledged | ({"last"} if written else set())
    with store.manager(clock=None) as manager:
        assert manager.call(moved("last")).repeated == written
    check(store, acknowledged | {"last"})


@pytest.mark.slow
def test_processes_killed_at_random_while_another_one_plays_on(store: SqlStore) -> None:
    rng = random.Random(20)
    acknowledged: list[str] = []
    with store.manager(clock=None, snapshot_every=40) as manager:
        manager.call(people())
        for number in range(3):
            victim = process(store, f"v{number}", threads=4, presses=1000)
            assert victim.stdout is not None
            acknowledged.append(victim.stdout.readline().strip())
            playing = threading.Thread(target=press, args=(manager, f"own{number}", 20, acknowledged.append))
            playing.start()
            time.sleep(0.2 * rng.random())
            victim.kill()
            out, _ = victim.communicate()
            acknowledged += out.split()
            playing.join()
        keys = check(store, set(acknowledged))
    # What was written and not acknowledged is at most one command of each thread that was killed.
    assert len(keys - set(acknowledged)) <= 3 * 4
