"""The Game Manager under load, on SQLite and PostgreSQL, beside bare SQL that writes the same rows.

- `rounds`: rounds a second with six jackpot wagers each, 64 tables that wait for their answers; then the rows of the
  same groups are written again into a second database, which grows alike, by the store's own statements and nothing
  else. The ratio says what checking, chaining, signing and answering cost on top. Processor time is this process's own,
  tables and SQLite included, a PostgreSQL server not; beside other work it says more than rounds a second.
- `display`: a server process, 200 tables each with its own connection and sign; from START GAME to the changed meter on
  another table's sign, and the processor time of the server meanwhile.
- `growth`: what a transfer costs in a ledger of ten million transfers and in new ones of ten thousand, in turns.

    python -m bench.manager [rounds] [display] [growth] [--stores sqlite,postgres] [--transfers 10000000]
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import select

from houseway.manager.commands import Envelope
from houseway.manager.commands.house_commands import AddDevice, CreateTable, DealerIn
from houseway.manager.commands.link_commands import CreateLink
from houseway.manager.commands.round_commands import EndRound, StartRound
from houseway.manager.core.link_entities import LevelParameters
from houseway.manager.demo.floorplan import ACCOUNTING, TECHNICIAN, FloorPlan, dealer_of, office, set_up, token
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.contract import ChangeMessage
from houseway.manager.interface.opening import begin
from houseway.manager.server.server_process import spare_the_collector
from houseway.manager.store import journal as journals
from houseway.manager.store import migrations, schema, urls
from houseway.manager.store.keys import create_keys, load_keys
from houseway.manager.store.manager import Manager, open_manager
from houseway.manager.store.reading import open_view
from houseway.manager.store.sql import SqlJournal
from houseway.manager.store.writer import Answer
from tests.manager.postgres import PostgresServer

SEATS = {"1": [1, 2, 3, 4, 5, 6]}
GAME, PAYTABLE = "six-card-fortune", "6CFPGPP-2"
LEVELS = {"main": LevelParameters(1_000_000, "1/5", "1/100")}


@contextmanager
def database(store: str) -> Iterator[tuple[str, Path, PostgresServer | None]]:
    """A new database with durable settings, and a key folder."""
    with tempfile.TemporaryDirectory(prefix="houseway-bench-", dir=os.environ.get("BENCH_FOLDER")) as folder:
        create_keys(Path(folder) / "keys")
        if store == "sqlite":
            yield f"sqlite:///{folder}/house.db", Path(folder) / "keys", None
            return
        server = PostgresServer(fsync="on", full_page_writes="on", autovacuum="on", shared_buffers="512MB")
        try:
            yield server.new_database(), Path(folder) / "keys", server
        finally:
            server.stop()


def plan(tables: int, sensors: int = 1) -> FloorPlan:
    """One link (or two) over many tables."""
    if sensors == 2:
        shares = {level: LevelParameters(100_000, "1/10", "1/100") for level in ("mega", "major", "minor")}
        links = tuple(CreateLink(f"L{n}", "progressive", "FPGPP-ML2", shares) for n in (1, 2))
        game = "fortune"
    else:
        links, game = (CreateLink("L1", "progressive", PAYTABLE, LEVELS),), GAME
    names = [f"T{number}" for number in range(1, tables + 1)]
    joined = {name: {str(n): f"L{n}" for n in range(1, sensors + 1)} for name in names}
    return FloorPlan("Bench", links, tuple(CreateTable(name, game) for name in names), joined)


class Tables:
    """The dealers of all tables, each waiting for the answer before the next press."""

    def __init__(self, manager: Manager, names: list[str], seats: dict[str, list[int]]) -> None:
        self.manager = manager
        self.keys = dict.fromkeys(names, 0)
        self.dealers = {name: dealer_of(name) for name in names}
        self.starts = {name: StartRound(name, sensors=seats) for name in names}

    def _all(self, commands: dict[str, Any]) -> dict[str, Answer]:
        futures = {}
        for table, command in commands.items():
            self.keys[table] += 1
            envelope = Envelope(f"{table}:1:{self.keys[table]:09d}", self.dealers[table], command)
            futures[table] = self.manager.submit(envelope)
        return {table: future.result() for table, future in futures.items()}

    def round(self) -> None:
        """START GAME and END GAME at every table."""
        started = self._all(self.starts)
        self._all({table: EndRound(answer.answer["round"]) for table, answer in started.items()})


def opened(url: str, keys: Path, floor: FloorPlan, snapshot_every: int = 10_000) -> Manager:
    """A manager whose floor is set up."""
    manager = open_manager(url, keys, snapshot_every=snapshot_every)
    begun = begin(manager, load_keys(keys).fingerprint, floor.name, "commercial", office())
    set_up(floor, begun, time.time_ns() // 1_000)
    return manager


# ---------------------------------------------------------------- rounds a second


def groups_of(url: str, after: int) -> list[journals.Batch]:
    """The rows beyond an event, in the groups in which they were committed."""
    batches = []
    with open_view(f"{url}") as view:
        for checkpoint in view.checkpoints(after):
            low, high = checkpoint.first - 1, checkpoint.seq
            batch = journals.Batch(list(view.events(low, high)), checkpoint=checkpoint)
            for name in ("transfers", "rounds", "lines", "hits"):
                setattr(batch, name, view.window(TABLE[name], low, high))
            batches.append(batch)
    return batches


TABLE = {name: schema.metadata.tables[name] for name in ("transfers", "rounds", "lines", "hits")}


def write_bare(journal: SqlJournal, batches: list[journals.Batch]) -> float:
    """Seconds to write these groups with nothing but SQL, each with a commit."""
    begun = time.perf_counter()
    for batch in batches:
        journal.begin()
        journal.append(batch)
        journal.commit()
    return time.perf_counter() - begun


@contextmanager
def bare_database(url: str) -> Iterator[SqlJournal]:
    """An empty journal that follows the manager's, so that both have the same tables with the same rows in them."""
    migrations.upgrade(url)
    journal = urls.journal_at(url)
    try:
        yield journal
    finally:
        journal.close()


def rounds(store: str, tables: int = 64, seconds: float = 4.0, repeats: int = 5) -> dict[str, Any]:
    """Rounds a second of the manager and of bare SQL, in turns, in two ledgers that grow alike."""
    figures, processor = [], []
    with ExitStack() as stack:
        url, keys, server = stack.enter_context(database(store))
        manager = stack.enter_context(opened(url, keys, plan(tables), snapshot_every=10**9))
        bare = stack.enter_context(bare_database(server.new_database() if server else f"{url}.bare"))
        floor = Tables(manager, [f"T{number}" for number in range(1, tables + 1)], SEATS)
        floor.round()
        write_bare(bare, groups_of(url, 0))
        for _ in range(repeats):
            spare_the_collector()
            before, played, begun, worked = manager.health()["seq"], 0, time.perf_counter(), time.process_time()
            while time.perf_counter() - begun < seconds:
                floor.round()
                played += tables
            ours = (time.perf_counter() - begun) / played
            processor.append((time.process_time() - worked) / played)
            gc.unfreeze()
            batches = groups_of(url, before)
            spare_the_collector()
            others = write_bare(bare, batches) / played
            gc.unfreeze()
            figures.append((ours, others, sum(len(batch.events) for batch in batches) / len(batches)))
            del batches
    ratios = [others / ours for ours, others, _ in figures]
    return {
        "store": store,
        "tables": tables,
        "rounds_per_second": round(1 / statistics.median(ours for ours, _, _ in figures)),
        "bare_rounds_per_second": round(1 / statistics.median(others for _, others, _ in figures)),
        "processor_micros_per_round": round(statistics.median(processor) * 1e6),
        "commands_per_group": round(statistics.median(group for _, _, group in figures), 1),
        "ratio": round(statistics.median(ratios), 3),
        "ratios": [round(each, 3) for each in ratios],
    }


# ---------------------------------------------------------------- START GAME to the sign


def display(store: str, tables: int = 200, seconds: float = 30.0, every: float = 20.0) -> dict[str, Any]:
    """Milliseconds from START GAME at one table to the changed meter on another's sign, at a floor's pace."""
    with database(store) as (url, keys, _):
        names = [f"T{number}" for number in range(1, tables + 1)]
        with opened(url, keys, plan(tables)) as manager:
            fingerprint = load_keys(keys).fingerprint
            for number, name in enumerate(names):
                secret = fingerprint(f"secret {name}")
                command = AddDevice(f"C-{name}", "controller", secret, name, fingerprint(token(ACCOUNTING)))
                manager.call(Envelope(f"device:{number}", TECHNICIAN, command))
                swiped = DealerIn(name, fingerprint(token(dealer_of(name))), fingerprint(swipe(name)))
                manager.call(Envelope(f"dealer:{number}", f"device:C-{name}", swiped))
        arguments = ["manager", "serve", url, "--keys", str(keys), "--listen", "127.0.0.1:0", "--json"]
        with subprocess.Popen([sys.executable, "-m", "houseway", *arguments], stdout=subprocess.PIPE) as server:
            assert server.stdout is not None
            port = json.loads(server.stdout.readline())["listening"]["port"]
            try:
                paced = asyncio.run(_watch(port, names, seconds, every, lambda: processor_seconds(server.pid)))
            finally:
                server.terminate()
    return {"store": store, "tables": tables, "seconds": seconds, "round_every": every, **paced}


def processor_seconds(process: int) -> float:
    """The processor time that a process has used, with all its threads and the processes that it has started."""
    started = [child for file in Path(f"/proc/{process}/task").glob("*/children") for child in file.read_text().split()]
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(processor_seconds(int(child)) for child in started)


def swipe(table: str) -> str:
    """The token of the session in which a table's dealer works its controls."""
    return f"drawn for the swipe at {table}"


class _Sign:
    """What a sign has seen: the time at which the meter reached each event."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, float]] = []

    def heard(self, change: ChangeMessage) -> None:
        self.seen.append((change.seq, time.perf_counter()))


async def _watch(
    port: int, names: list[str], seconds: float, every: float, worked: Callable[[], float]
) -> dict[str, Any]:
    signs = {name: _Sign() for name in names}
    clients = {}
    for name in names:
        access = ManagerAccess("127.0.0.1", port, f"C-{name}", f"secret {name}", answer_seconds=30.0)
        client = AsyncManagerClient(access, sessions={dealer_of(name): swipe(name)}, on_change=signs[name].heard)
        await client.connect()
        await client.subscribe("meters", links=["L1"])
        clients[name] = client
    starts: list[tuple[str, float, int]] = []
    until, before = time.perf_counter() + seconds, worked()
    await asyncio.gather(*(play(name, clients[name], starts, until, every) for name in names))
    await asyncio.sleep(1.0)
    paced = _delays(starts, signs, names) | {"server_processor_ms": round((worked() - before) * 1_000)}
    starts.clear()
    before = worked()
    await asyncio.gather(*(_one(name, clients[name], starts, 0) for name in names))
    await asyncio.sleep(2.0)
    burst = _delays(starts, signs, names) | {"server_processor_ms": round((worked() - before) * 1_000)}
    await asyncio.gather(*(client.close() for client in clients.values()))
    return {"paced": paced, "all_at_once": burst}


async def play(
    name: str, client: AsyncManagerClient, starts: list[Any], until: float, every: float, run: str = ""
) -> None:
    """Rounds at a table until a time, with pauses as people make them; `run` keeps the keys of two runs apart."""
    rng = random.Random(name)
    await asyncio.sleep(rng.uniform(0, every))
    number = 0
    while time.perf_counter() < until:
        number += 1
        round_ = await _one(name, client, starts, number, run)
        await asyncio.sleep(every * rng.uniform(0.4, 0.8))
        do = EndRound(round_)
        await client.send(do, actor=dealer_of(name), key=f"{name}:{run}e{number}")
        await asyncio.sleep(every * rng.uniform(0.2, 0.4))


async def _one(name: str, client: AsyncManagerClient, starts: list[Any], number: int, run: str = "") -> str:
    do = StartRound(name, SEATS)
    begun = time.perf_counter()
    carried = await client.send(do, actor=dealer_of(name), key=f"{name}:{run}s{number}")
    starts.append((name, begun, carried.seq))
    return carried.answer.round


def _delays(starts: list[tuple[str, float, int]], signs: dict[str, _Sign], names: list[str]) -> dict[str, Any]:
    """The delays at a sign of another table, for every START GAME."""
    found = []
    for number, (name, begun, seq) in enumerate(starts):
        other = names[(names.index(name) + 1 + number) % len(names)]
        arrived = min((at for seen, at in signs[other].seen if seen >= seq), default=None)
        found.append(float("inf") if arrived is None else (arrived - begun) * 1_000)
    found.sort()
    pick = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    shown = {name: round(found[min(len(found) - 1, int(len(found) * share))], 1) for name, share in pick.items()}
    return {"starts": len(found), **shown, "max": round(found[-1], 1)}


# ---------------------------------------------------------------- a growing ledger


def growth(store: str, transfers: int = 10_000_000, small: int = 10_000, repeats: int = 7) -> dict[str, Any]:
    """Microseconds a transfer in a large ledger and in new small ones, in turns; two sensors with three levels each."""
    costs: dict[str, list[float]] = {"small": [], "large": []}
    with _ledger(store) as (floor, url):
        _fill(floor, url, transfers, store)
        for _ in range(repeats):
            with _ledger(store) as (other, other_url):
                _fill(other, other_url, small)
                costs["small"].append(_cost(other, other_url))
            costs["large"].append(_cost(floor, url))
        done = _transfers(url)
    first, last = (round(statistics.median(costs[name]), 2) for name in ("small", "large"))
    shown = {"store": store, "transfers": done, "micros_per_transfer_small": first, "micros_per_transfer_large": last}
    ratios = [large / little for little, large in zip(costs["small"], costs["large"], strict=True)]
    return {**shown, "ratio": round(statistics.median(ratios), 3), "ratios": [round(each, 3) for each in ratios]}


@contextmanager
def _ledger(store: str) -> Iterator[tuple[Tables, str]]:
    names = [f"T{number}" for number in range(1, 65)]
    with database(store) as (url, keys, _), opened(url, keys, plan(64, sensors=2)) as manager:
        yield Tables(manager, names, {"1": SEATS["1"], "2": SEATS["1"]}), url


def _fill(floor: Tables, url: str, transfers: int, name: str | None = None) -> None:
    """Play until there are so many transfers; with a name, show how far it is."""
    begun, done = time.perf_counter(), 0
    while done < transfers:
        for _ in range(20 if name else 1):
            floor.round()
        done = _transfers(url)
        if name:
            print(f"{name}: {done:,} transfers after {time.perf_counter() - begun:,.0f} s", file=sys.stderr, flush=True)


def _transfers(url: str) -> int:
    with open_view(url) as view:
        seq = TABLE["transfers"].c.seq
        (high,) = view.rows(select(seq).order_by(seq.desc()).limit(1)) or [(0,)]
        # Every START GAME posts the same lines; counting ten million rows each time would take longer than writing.
        started: int = max(0, high[0] - 1_100) // 2
        return started * 14


def _cost(floor: Tables, url: str) -> float:
    """The cost of a transfer in ten rounds at every table, in microseconds."""
    before, begun = _transfers(url), time.perf_counter()
    for _ in range(10):
        floor.round()
    spent = time.perf_counter() - begun
    return round(spent / (_transfers(url) - before) * 1e6, 2)


MEASUREMENTS = {"rounds": rounds, "display": display, "growth": growth}


def run(stores: tuple[str, ...] = ("sqlite", "postgres"), transfers: int = 10_000_000) -> dict[str, Any]:
    """All figures of all stores."""
    return {
        "rounds": [rounds(store) for store in stores],
        "display": [display(store) for store in stores],
        "growth": [growth(store, transfers) for store in stores],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("measurements", nargs="*", choices=[*MEASUREMENTS, []], help="which ones; all by default")
    parser.add_argument("--stores", default="sqlite,postgres")
    parser.add_argument("--transfers", type=int, default=10_000_000)
    chosen = parser.parse_args()
    result: dict[str, list[Any]] = {}
    for name in chosen.measurements or MEASUREMENTS:
        for store in chosen.stores.split(","):
            more = {"transfers": chosen.transfers} if name == "growth" else {}
            result.setdefault(name, []).append(MEASUREMENTS[name](store, **more))
            print(json.dumps(result[name][-1]), file=sys.stderr, flush=True)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
