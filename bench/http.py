"""The event feed of the HTTP API under load: many clients that all get every event while many tables play.

One `houseway serve` process on SQLite, tables with connections of their own, a round each so many seconds, and clients
of `/v1/events/stream`. Every client checks that no number is missing. Measured: milliseconds from START GAME to each
client, the processor time of the server with and without clients, and the generator's own.

    python -m bench.http [--clients 500] [--tables 200] [--seconds 600] [--every 20]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import time
from array import array
from typing import Any

from bench.manager import database, opened, plan, play, processor_seconds, swipe
from houseway.manager.commands import Envelope
from houseway.manager.commands.house_commands import AddDevice, DealerIn
from houseway.manager.demo.floorplan import ACCOUNTING, TECHNICIAN, dealer_of, token
from houseway.manager.http.own_book import OwnBook
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.store.keys import load_keys

SECRET = "the secret of the HTTP service"


class FeedClient:
    """A reader of the stream: the first event that it saw, and when each one after it came."""

    def __init__(self) -> None:
        self.first = 0
        self.times = array("d")
        self.lost = 0

    async def read(self, port: int, key: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        head = ["GET /v1/events/stream HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {key}", "", ""]
        writer.write("\r\n".join(head).encode())
        try:
            while line := await reader.readline():
                if line.startswith(b"id: "):
                    self._saw(int(line[4:]))
        finally:
            writer.close()

    def _saw(self, seq: int) -> None:
        self.first = self.first or seq
        expected = self.first + len(self.times)
        self.lost += abs(seq - expected)
        self.times.append(time.perf_counter())


def feed(clients: int = 500, tables: int = 200, seconds: float = 600.0, every: float = 20.0) -> dict[str, Any]:
    """Every event at every client while tables play, beside the same tables without any client."""
    with database("sqlite") as (url, keys, _):
        names = [f"T{number}" for number in range(1, tables + 1)]
        fingerprint = load_keys(keys).fingerprint
        with opened(url, keys, plan(tables)) as manager:
            for number, name in enumerate(names):
                command = AddDevice(
                    f"C-{name}", "controller", fingerprint(f"secret {name}"), name, fingerprint(token(ACCOUNTING))
                )
                manager.call(Envelope(f"device:{number}", TECHNICIAN, command))
                swiped = DealerIn(name, fingerprint(token(dealer_of(name))), fingerprint(swipe(name)))
                manager.call(Envelope(f"dealer:{number}", f"device:C-{name}", swiped))
            service = AddDevice("HTTP-1", "service", fingerprint(SECRET), None, fingerprint(token(ACCOUNTING)))
            manager.call(Envelope("device:http", TECHNICIAN, service))
        book, secret_file = keys.parent / "http.book", keys.parent / "http.secret"
        secret_file.touch(mode=0o600)
        secret_file.write_text(SECRET)
        kept = OwnBook.open(book, SECRET)
        key = kept.add_key("bench", ["ask:events"], None)
        kept.close()
        words = ["serve", url, "--keys", str(keys), "--listen", "127.0.0.1:0", "--http", "127.0.0.1:7390", "--device",
                 "HTTP-1", "--secret-file", str(secret_file), "--book", str(book), "--json"]  # fmt: skip
        with subprocess.Popen([sys.executable, "-m", "houseway", *words], stdout=subprocess.PIPE) as server:
            assert server.stdout is not None
            said: dict[str, Any] = {}
            while "listening" not in said:
                said |= json.loads(server.stdout.readline())
            ports = said["listening"]["port"], said["http"]["port"]
            try:
                found = asyncio.run(_measure(server.pid, ports, key, names, clients, seconds, every))
            finally:
                server.terminate()
    return {"clients": clients, "tables": tables, "seconds": seconds, "round_every": every, **found}


async def _measure(
    process: int, ports: tuple[int, int], key: str, names: list[str], clients: int, seconds: float, every: float
) -> dict[str, Any]:
    seats: dict[str, AsyncManagerClient] = {}
    for name in names:
        access = ManagerAccess("127.0.0.1", ports[0], f"C-{name}", f"secret {name}", answer_seconds=30.0)
        seats[name] = AsyncManagerClient(access, sessions={dealer_of(name): swipe(name)})
        await seats[name].connect()
    alone = await _played(process, names, seats, seconds / 4, every, "alone")
    readers = [FeedClient() for _ in range(clients)]
    reading = [asyncio.create_task(reader.read(ports[1], key)) for reader in readers]
    await asyncio.sleep(2.0)
    starts: list[tuple[str, float, int]] = []
    watched = await _played(process, names, seats, seconds, every, "watched", starts)
    await asyncio.sleep(1.0)
    for task in reading:
        task.cancel()
    await asyncio.gather(*reading, return_exceptions=True)
    await asyncio.gather(*(client.close() for client in seats.values()))
    last = max(seq for _, _, seq in starts)
    delays = sorted(
        (reader.times[seq - reader.first] - begun) * 1_000
        for reader in readers
        for _, begun, seq in starts
        if reader.first <= seq < reader.first + len(reader.times)
    )
    all_of_them = [one for one in readers if one.first and one.first + len(one.times) > last and not one.lost]
    shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    pick = {name: round(delays[int(len(delays) * share)], 1) for name, share in shares.items()}
    return {
        "alone": alone, "watched": watched, "starts": len(starts),
        "events_told": sum(len(one.times) for one in readers),
        "clients_with_every_event": len(all_of_them), "lost": sum(one.lost for one in readers),
        "start_to_client_ms": pick,
    }  # fmt: skip


async def _played(
    process: int, names: list[str], seats: dict[str, AsyncManagerClient], seconds: float, every: float, run: str,
    starts: list[Any] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Play for some time; the processor time of server and generator a second."""
    begun, server, own = time.perf_counter(), processor_seconds(process), time.process_time()
    until = begun + seconds
    noted: list[Any] = [] if starts is None else starts
    await asyncio.gather(*(play(name, seats[name], noted, until, every, run) for name in names))
    took = time.perf_counter() - begun
    return {
        "rounds": len(noted),
        "server_processor_share": round((processor_seconds(process) - server) / took, 3),
        "generator_processor_share": round((time.process_time() - own) / took, 3),
    }


def run(clients: int = 500, tables: int = 200, seconds: float = 600.0, every: float = 20.0) -> dict[str, Any]:
    """All figures."""
    return feed(clients, tables, seconds, every)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--clients", type=int, default=500)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--every", type=float, default=20.0)
    given = parser.parse_args()
    print(json.dumps(run(given.clients, given.tables, given.seconds, given.every)))
