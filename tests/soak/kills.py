"""When a server is killed, and the database: moments spread over all that a server does.

- `load`: at any time while the floor plays; `idle`: while nobody wants anything.
- `group`: all tables press at once, and the server dies within the next hundredth of a second or so.
- `commit`: at the moment the commit is seen from outside, before its answers can have gone out.
- `answer`: when the first answers of a group have arrived.
- `start`: while a new process checks itself and reads the journal; `ready`: as soon as it listens.
- `both`: two servers at once; `frozen`: after it has stood still for a while, with whatever it held.
"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
from collections import Counter
from itertools import cycle
from typing import Final

import psycopg

from tests.soak.books import CommitWatch
from tests.soak.claims import Failure
from tests.soak.servers import Slot
from tests.soak.world import AUDIT_EVERY, World

ALONE: Final = ("load", "commit", "start", "group", "idle", "answer", "ready", "commit", "load", "group")
TWO: Final = ("group", "both", "commit", "frozen", "answer", "start", "load", "idle", "commit", "ready")
"""Moments with one server and with two, in turn; none is left to luck."""
DATABASE: Final = ("quit", "backend", "together", "terminate")
"""What happens to PostgreSQL: ended at once; its writing process killed; ended with a server; a connection closed."""


class Killer:
    """Kills servers one after the other, and starts them again."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.luck: random.Random = world.luck
        self._since = 0
        self._started = time.monotonic()

    async def run(self, kills: int, *, until: float | None = None) -> None:
        """So many kills, or as many as there is time for: first with one server, then with two."""
        world = self.world
        moments, harms = {1: cycle(ALONE), 2: cycle(TWO)}, cycle(DATABASE)
        turns = Counter[int]()
        while self._goes_on(kills, until):
            if self._share(kills, until) >= 0.5 and world.in_use == 1:
                await world.slots[1].start()
                world.in_use = 2
            await self._kill(next(moments[world.in_use]))
            turns[world.in_use] += 1
            if world.postgres is not None and turns.total() % 3 == 0:
                await self._hurt_database(next(harms))
            if world.in_use == 2 and turns[2] % 10 == 0:
                await self._freeze()
            if world.figures.killed - self._since >= AUDIT_EVERY:
                await self._audit()

    def _share(self, kills: int, until: float | None) -> float:
        """How much of the run is done."""
        if until is None:
            return self.world.figures.killed / max(1, kills)
        return 1 - max(0.0, until - time.monotonic()) / max(1.0, until - self._started)

    def _goes_on(self, kills: int, until: float | None) -> bool:
        if self.world.stopping.is_set():
            return False
        return time.monotonic() < until if until is not None else self.world.figures.killed < kills

    async def _audit(self) -> None:
        world = self.world
        self._since = world.figures.killed
        await asyncio.to_thread(world.audit, max(1, world.checker.seq - 20_000))
        await world.check("audited", books=True)

    # ------------------------------------------------------------ servers

    async def _kill(self, moment: str) -> None:
        world = self.world
        slot = self.luck.choice(world.slots[: world.in_use])
        other = next((each for each in world.slots[: world.in_use] if each is not slot), None)
        await getattr(self, f"_{moment}")(slot, other)
        world.figures.kills[moment] += 1
        if self.luck.random() < 0.5:
            # Sometimes the check is the first to open the database after the kill, sometimes the server is.
            await world.check(moment)
        await self._restart()
        await world.check(moment)

    async def _restart(self) -> None:
        world = self.world
        down = [slot for slot in world.slots[: world.in_use] if not slot.is_up]
        await asyncio.gather(*(slot.start() for slot in down))
        world.gate.open()

    async def _load(self, slot: Slot, _other: Slot | None) -> None:
        await asyncio.sleep(self.luck.uniform(0.0, 1.5))
        await slot.kill()

    async def _idle(self, slot: Slot, _other: Slot | None) -> None:
        await self.world.gate.close()
        await asyncio.sleep(self.luck.uniform(0.0, 0.3))
        await slot.kill()
        self.world.gate.open()

    async def _group(self, slot: Slot, _other: Slot | None) -> None:
        await self._gather()
        self.world.gate.open()
        await asyncio.sleep(self.luck.uniform(0.0, 0.03))
        await slot.kill()

    async def _answer(self, slot: Slot, _other: Slot | None) -> None:
        await self._gather()
        slot.doomed = True
        self.world.gate.after(self.luck.randint(1, 3), slot.kill_now)
        self.world.gate.open()
        assert slot.process is not None
        async with asyncio.timeout(60):
            await slot.process.wait()
        await slot.kill()

    async def _commit(self, slot: Slot, other: Slot | None) -> None:
        """The watch is a thread: it must not wait for the loop that it interrupts."""
        await self._gather()
        watch = await asyncio.to_thread(CommitWatch, self.world.url)
        deadline = time.monotonic() + 10
        # The first commit after the gate opens holds one or two commands; the next one holds all that came meanwhile.
        nth = self.luck.choice((1, 2, 2, 2))
        too = other is not None and self.luck.random() < 0.5
        interval = sys.getswitchinterval()
        sys.setswitchinterval(0.0002)

        def kill_at_commit() -> None:
            if all(watch.wait(lambda: time.monotonic() > deadline) for _ in range(nth)):
                slot.kill_now()
                if other is not None and too:
                    other.kill_now()

        try:
            waiting = asyncio.create_task(asyncio.to_thread(kill_at_commit))
            await asyncio.sleep(0.01)
            slot.doomed = True
            if other is not None:
                other.doomed = too
            self.world.gate.open()
            await waiting
        finally:
            sys.setswitchinterval(interval)
            watch.close()
        await slot.kill()
        if other is not None and too:
            await other.kill()
            self.world.figures.kills["commit"] += 1

    async def _start(self, slot: Slot, _other: Slot | None) -> None:
        """The server is killed, and its successor while it starts."""
        await slot.kill()
        self.world.figures.kills["load"] += 1
        await slot.spawn()
        await asyncio.sleep(self.luck.uniform(0.2, 1.1) * slot.start_seconds)
        await slot.kill()

    async def _ready(self, slot: Slot, _other: Slot | None) -> None:
        await slot.kill()
        self.world.figures.kills["load"] += 1
        await slot.start()
        await asyncio.sleep(self.luck.uniform(0.0, 0.1))
        await slot.kill()

    async def _both(self, slot: Slot, other: Slot | None) -> None:
        await asyncio.sleep(self.luck.uniform(0.0, 1.0))
        assert other is not None
        slot.kill_now()
        other.kill_now()
        await asyncio.gather(slot.kill(), other.kill())
        self.world.figures.kills["both"] += 1

    async def _frozen(self, slot: Slot, _other: Slot | None) -> None:
        slot.send(signal.SIGSTOP)
        await asyncio.sleep(self.luck.uniform(0.1, 1.5))
        await slot.kill()

    async def _freeze(self) -> None:
        """A server stands still until its clients have gone elsewhere, and then goes on with what it had."""
        slot = self.luck.choice(self.world.slots[: self.world.in_use])
        self.world.figures.freezes += 1
        slot.send(signal.SIGSTOP)
        await asyncio.sleep(self.luck.uniform(3.5, 5.0))
        slot.send(signal.SIGCONT)
        await self._warm()
        await self.world.check("freeze")

    async def _gather(self) -> None:
        """Hold the tables back until nearly all of them want to press something."""
        await self._warm()
        await self.world.gate.close()
        await self.world.gate.gathered(len(self.world.tables) * 9 // 10, 1.0)

    async def _warm(self) -> None:
        """Let the floor play for a moment, so that a kill finds it in the middle of something."""
        await asyncio.sleep(self.luck.uniform(0.1, 0.6))

    # ------------------------------------------------------------ PostgreSQL

    async def _hurt_database(self, how: str) -> None:
        """The database dies under the servers: they pause, and go on by themselves when it is back."""
        world, postgres = self.world, self.world.postgres
        assert postgres is not None
        world.figures.database[how] += 1
        if how in ("quit", "together"):
            slot = self.luck.choice(world.slots[: world.in_use])
            await self._gather()
            world.gate.open()
            await asyncio.sleep(self.luck.uniform(0.0, 0.03))
            ending = asyncio.to_thread(postgres.kill)
            if how == "together":
                slot.doomed = True
                await asyncio.gather(ending, slot.kill())
                world.figures.kills["together"] += 1
            else:
                await ending
            # Long enough, now and then, for a START GAME to be too old when the database is back.
            await asyncio.sleep(self.luck.choice((0.0, self.luck.uniform(0.0, 2.0), 6.0)))
            await asyncio.to_thread(postgres.start)
        else:
            await self._warm()
            await asyncio.to_thread(self._hurt_connection, how)
        await self._restart()
        await self._serving()
        await world.check(f"pg {how}")

    def _hurt_connection(self, how: str) -> None:
        """Kill the process behind a server's connection, so that PostgreSQL recovers as a whole; or only close it."""
        with psycopg.connect(self.world.url, autocommit=True) as connection:
            found = connection.execute(
                "SELECT pid FROM pg_stat_activity WHERE application_name = 'houseway' AND datname = current_database()"
            ).fetchall()
            pid = int(self.luck.choice(found)[0])
            if how == "terminate":
                connection.execute("SELECT pg_terminate_backend(%s)", (pid,))
                return
        os.kill(pid, signal.SIGKILL)
        time.sleep(0.2)
        until = time.monotonic() + 30
        while True:
            try:
                psycopg.connect(self.world.url).close()
            except psycopg.OperationalError:
                if time.monotonic() > until:
                    raise Failure("PostgreSQL does not recover") from None
                time.sleep(0.05)
            else:
                return

    async def _serving(self) -> None:
        """Every server in use serves again."""
        for slot in self.world.slots[: self.world.in_use]:
            await slot.serving()
