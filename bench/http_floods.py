"""Strangers who flood the HTTP port: what a table, somebody who is signed in and a reader of events notice of it.

One `houseway serve` on SQLite, one table that plays as fast as it is answered, one person who asks over HTTP all the
time, one client of the event feed, and a process that floods: wrong sign-ins with long bodies, requests without a
token, and silent or slow connections from several addresses.

    python -m bench.http_floods [--seconds 20] [--connections 4200]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import multiprocessing
import os
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any

from bench.http import SECRET, FeedClient
from bench.manager import database, opened, plan, processor_seconds, swipe
from houseway.manager.commands import Envelope
from houseway.manager.commands.house_commands import AddDevice, DealerIn
from houseway.manager.commands.round_commands import EndRound, StartRound
from houseway.manager.demo.floorplan import ACCOUNTING, TECHNICIAN, dealer_of, token
from houseway.manager.http.own_book import OwnBook
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.store.keys import load_keys

HTTP_PORT = 7391
ADDRESSES = 12
LONG_BADGE = "x" * 400


def run(seconds: float = 20.0, connections: int = 4_200) -> dict[str, Any]:
    """Figures without a flood, and with each kind."""
    with database("sqlite") as (url, keys, _):
        fingerprint = load_keys(keys).fingerprint
        with opened(url, keys, plan(1)) as manager:
            table = AddDevice("C-T1", "controller", fingerprint("secret T1"), "T1", fingerprint(token(ACCOUNTING)))
            manager.call(Envelope("device:table", TECHNICIAN, table))
            swiped = DealerIn("T1", fingerprint(token(dealer_of("T1"))), fingerprint(swipe("T1")))
            manager.call(Envelope("dealer", "device:C-T1", swiped))
            service = AddDevice("HTTP-1", "service", fingerprint(SECRET), None, fingerprint(token(ACCOUNTING)))
            manager.call(Envelope("device:http", TECHNICIAN, service))
        book, secret_file = keys.parent / "http.book", keys.parent / "http.secret"
        secret_file.touch(mode=0o600)
        secret_file.write_text(SECRET)
        kept = OwnBook.open(book, SECRET)
        key = kept.add_key("bench", ["ask:events"], None)
        kept.close()
        words = ["serve", url, "--keys", str(keys), "--listen", "127.0.0.1:0", "--http", f"127.0.0.1:{HTTP_PORT}",
                 "--device", "HTTP-1", "--secret-file", str(secret_file), "--book", str(book), "--json"]  # fmt: skip
        with subprocess.Popen(
            [sys.executable, "-m", "houseway", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as server:
            assert server.stdout is not None
            said: dict[str, Any] = {}
            while "listening" not in said:
                said |= json.loads(server.stdout.readline())
            try:
                return asyncio.run(_all(server.pid, said["listening"]["port"], key, seconds, connections))
            finally:
                server.terminate()


async def _all(process: int, port: int, key: str, seconds: float, connections: int) -> dict[str, Any]:
    access = ManagerAccess("127.0.0.1", port, "C-T1", "secret T1", answer_seconds=60.0)
    table = await AsyncManagerClient(access, sessions={dealer_of("T1"): swipe("T1")}).connect()
    bearer = await _signed_in()
    found: dict[str, Any] = {}
    floods: dict[str, tuple[Callable[[int], Coroutine[Any, Any, None]], int] | None] = {
        "no flood": None,
        "long sign-ins": (_sign_ins, 400),
        "requests without a token": (_requests, 200),
        "silent connections": (_silent, connections),
        "slow heads and bodies": (_slow, connections),
    }
    for name, flood in floods.items():
        flooding = None
        if flood is not None:
            flooding = multiprocessing.Process(target=_flood, args=flood, daemon=True)
            flooding.start()
            await asyncio.sleep(3.0)
        found[name] = await _figures(process, table, bearer, key, seconds)
        if flooding is not None:
            flooding.kill()
            flooding.join()
            await asyncio.sleep(2.0)
    await table.close()
    return found


async def _figures(process: int, table: AsyncManagerClient, bearer: str, key: str, seconds: float) -> dict[str, Any]:
    until, spent = time.perf_counter() + seconds, processor_seconds(process)
    feed = FeedClient()
    reading = asyncio.create_task(feed.read(HTTP_PORT, key))
    presses, asked = await asyncio.gather(_played(table, until), _asked(bearer, until))
    await asyncio.sleep(1.0)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    newcomer = await _newcomer()
    return {
        "rounds_a_second": round(len(presses) / 2 / seconds, 1), "press_ms": _shares(presses),
        "asked_a_second": round(len(asked[0]) / seconds, 1), "ask_ms": _shares(asked[0]), "asks_failed": asked[1],
        "events_read": len(feed.times), "events_lost": feed.lost, "newcomer": newcomer,
        "server_processor_share": round((processor_seconds(process) - spent) / seconds, 2),
    }  # fmt: skip


def _shares(seconds: list[float]) -> dict[str, float]:
    times = sorted(seconds)
    if not times:
        return {}
    picked = {"p50": times[len(times) // 2], "p95": times[int(len(times) * 0.95)], "most": times[-1]}
    return {name: round(one * 1_000, 1) for name, one in picked.items()}


async def _played(table: AsyncManagerClient, until: float) -> list[float]:
    """A table that plays as fast as it is answered; how long each press took."""
    took: list[float] = []
    while time.perf_counter() < until:
        began = time.perf_counter()
        started = await table.send(StartRound("T1"), actor=dealer_of("T1"))
        between = time.perf_counter()
        await table.send(EndRound(started.answer.round), actor=dealer_of("T1"))
        took += [between - began, time.perf_counter() - between]
    return took


async def _asked(bearer: str, until: float) -> tuple[list[float], int]:
    """Somebody who is signed in asks ten times a second; how long each answer took, and how many did not come."""
    took: list[float] = []
    failed = 0
    while time.perf_counter() < until:
        began = time.perf_counter()
        try:
            async with asyncio.timeout(10):
                status = await _exchanged(f"GET /v1/tables HTTP/1.1\r\nAuthorization: Bearer {bearer}")
            failed += status != 200
        except (OSError, TimeoutError, EOFError, ValueError):
            failed += 1
        took.append(time.perf_counter() - began)
        await asyncio.sleep(max(0.0, 0.1 - took[-1]))
    return took, failed


async def _newcomer() -> str:
    """Somebody who comes anew from an address of their own, and signs in."""
    began = time.perf_counter()
    try:
        async with asyncio.timeout(20):
            return f"{await _sign_in(token(TECHNICIAN))} in {(time.perf_counter() - began) * 1_000:.0f} ms"
    except (OSError, TimeoutError, EOFError, ValueError) as error:
        return f"{type(error).__name__} after {time.perf_counter() - began:.1f} s"


async def _sign_in(badge: str, own: str = "127.0.0.1") -> int:
    body = json.dumps({"badge": badge})
    head = f"POST /v1/session HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return await _exchanged(head, body, own)


async def _exchanged(head: str, body: str = "", own: str = "127.0.0.1") -> int:
    reader, writer = await asyncio.open_connection("127.0.0.1", HTTP_PORT, local_addr=(own, 0))
    try:
        writer.write(f"{head}\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n{body}".encode())
        first = (await reader.readline()).split()
        await reader.read()
        if len(first) < 2:
            raise EOFError
        return int(first[1])
    finally:
        writer.close()


async def _signed_in() -> str:
    reader, writer = await asyncio.open_connection("127.0.0.1", HTTP_PORT)
    body = json.dumps({"badge": token(ACCOUNTING)})
    head = "POST /v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close"
    writer.write(f"{head}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode())
    answer = await reader.read()
    writer.close()
    return str(json.loads(answer[answer.index(b"{") : answer.rindex(b"}") + 1])["token"])


# ---------------------------------------------------------------- floods


def _flood(kind: Callable[[int], Coroutine[Any, Any, None]], number: int) -> None:
    os.nice(10)
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    asyncio.run(kind(number))


def _address(number: int) -> str:
    return f"127.2.0.{number % ADDRESSES + 1}"


async def _sign_ins(number: int) -> None:
    async def one(place: int) -> None:
        while True:
            with contextlib.suppress(OSError, EOFError, ValueError):
                await _sign_in(f"{LONG_BADGE}{time.time_ns()}{place}", _address(place))

    await asyncio.gather(*(one(place) for place in range(number)))


async def _requests(number: int) -> None:
    async def one(place: int) -> None:
        while True:
            with contextlib.suppress(OSError, EOFError, ValueError):
                await _exchanged("GET /v1/tables HTTP/1.1", own=_address(place))

    await asyncio.gather(*(one(place) for place in range(number)))


async def _held(number: int, first: bytes, next_: bytes) -> None:
    async def one(place: int) -> None:
        while True:
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection("127.0.0.1", HTTP_PORT, local_addr=(_address(place), 0))
                writer.write(first)
                while not writer.is_closing():
                    await asyncio.sleep(2.0)
                    writer.write(next_)
                    await writer.drain()
            await asyncio.sleep(0.5)

    await asyncio.gather(*(one(place) for place in range(number)))


async def _silent(number: int) -> None:
    await _held(number, b"", b"")


async def _slow(number: int) -> None:
    lines = ["POST /v1/session HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json", "Content-Length: 999"]
    head = "".join(f"{line}\r\n" for line in [*lines, ""]).encode()
    half = number // 2
    await asyncio.gather(_held(half, head, b"x"), _held(number - half, b"GET / HTTP/1.1\r\n", b"x"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--connections", type=int, default=4_200)
    given = parser.parse_args()
    for name, figures in run(given.seconds, given.connections).items():
        print(json.dumps({name: figures}))
