"""How long a client waits when its server is killed: two servers on one PostgreSQL, over and over.

A client sends commands one after the other to the active server, which is killed (SIGKILL) at a random moment. The
client notices that its connection is gone, connects to the other server, repeats the command without an answer under
its key, and goes on there. Measured is the time from the kill to the first acknowledged command at the other server.
Then the killed server is started again, and they change places.

    python -m bench.failover [--kills 20]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import Any

from tests.manager.floors import DEALER
from tests.manager.postgres import PostgresServer
from tests.manager.server.house import House, built, session
from tests.manager.server.processes import Served
from tests.manager.server.raw import Raw


def run(kills: int = 20) -> dict[str, Any]:
    """Milliseconds from each kill to the first acknowledged command, and what became of the command in flight."""
    database = PostgresServer(fsync="on", full_page_writes="on")
    try:
        with tempfile.TemporaryDirectory(prefix="hw-failover-") as folder:
            house = built(Path(folder), database.new_database())
            return _run(house, kills)
    finally:
        database.stop()


def _run(house: House, kills: int) -> dict[str, Any]:
    luck, numbers, waits, written = random.Random(12), count(1), list[float](), 0
    load = os.getloadavg()[0]
    with ExitStack() as stack:
        active, other = stack.enter_context(Served(house)), stack.enter_context(Served(house))
        for _ in range(kills):
            killed = _Kill(active, luck.uniform(0.2, 0.6))
            pending = _play_until_cut(active, numbers)
            with Raw(other.port) as raw:
                raw.hello()
                done = raw.ask(pending)["answer"]
                waits.append((time.perf_counter() - killed.moment()) * 1000)
            written += done["repeated"]
            active, other = other, stack.enter_context(Served(house))
    waits.sort()
    return {
        "kills": kills,
        "milliseconds": {
            "least": round(waits[0], 1),
            "median": round(statistics.median(waits), 1),
            "p90": round(waits[int(0.9 * (len(waits) - 1))], 1),
            "most": round(waits[-1], 1),
        },
        "in flight and written": written,
        "load before": round(load, 2),
    }


class _Kill:
    """Kills a server after a while, and remembers when."""

    def __init__(self, served: Served, after: float) -> None:
        self._moment = 0.0
        self._served = served
        self._after = after
        self._thread = threading.Thread(target=self._kill)
        self._thread.start()

    def _kill(self) -> None:
        time.sleep(self._after)
        self._moment = time.perf_counter()
        self._served.kill()

    def moment(self) -> float:
        self._thread.join()
        return self._moment


def _play_until_cut(active: Served, numbers: Any) -> dict[str, Any]:  # noqa: ANN401 - a counter
    """Send commands until the connection is gone; returns the one that was not answered."""
    with Raw(active.port) as raw:
        raw.hello()
        while True:
            number = next(numbers)
            do = {"kind": "sensor.set", "table": "T1", "sensor": "1", "seat": 1, "lit": number % 2 == 0}
            command = {"command": {"key": f"k{number}", "actor": DEALER, "session": session(DEALER), "do": do}}
            try:
                if not raw.ask(command):
                    return command
            except OSError:
                return command


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    figures = run(parser.parse_args().kills)
    print(json.dumps(figures))
    print(figures, file=sys.stderr)
