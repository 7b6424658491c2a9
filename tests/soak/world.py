"""A floor on a database with its servers, tables and controllers: what is killed, and what must hold afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import random
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from houseway.manager.store.journal_audit import verify_database
from houseway.manager.store.reading import open_view
from houseway.manager.store.trust import trust_in
from tests.manager.postgres import PostgresServer
from tests.soak.books import Books
from tests.soak.check import Checker
from tests.soak.claims import Claims, Failure
from tests.soak.connection import Voice
from tests.soak.controls import ControlledTable
from tests.soak.floor import SERVICE, build, device_of, tables
from tests.soak.gate import Gate
from tests.soak.office import Office
from tests.soak.servers import Slot, release_ports
from tests.soak.table import Table

AUDIT_EVERY: Final = 25
"""Kills between two audits of the new part of the journal."""


@dataclass(frozen=True)
class Size:
    """How large the floor is and how fast it plays."""

    direct: int = 24
    controlled: int = 3
    pace: float = 0.1
    """Seconds between two presses at a table, on average."""


@dataclass
class Figures:
    """What was done and found, for the report."""

    store: str
    seed: int
    kills: Counter[str] = field(default_factory=Counter)
    """SIGKILLs of servers by the moment at which they came."""
    database: Counter[str] = field(default_factory=Counter)
    """Kills of the database."""
    freezes: int = 0
    seconds: float = 0.0
    slowest_start: float = 0.0
    found: dict[str, Any] = field(default_factory=dict)

    @property
    def killed(self) -> int:
        """How often a server was killed."""
        return sum(self.kills.values())


class World:
    """Everything that runs."""

    def __init__(
        self, store: str, folder: Path, seed: int, size: Size, postgres: PostgresServer | None,
        say: Callable[[str], None], program: str = "houseway", *, own_sessions: bool = False,
    ) -> None:  # fmt: skip
        self.store = store
        self._program = program
        self._own_sessions = own_sessions
        self.folder = folder
        self.luck = random.Random(f"{seed}:{store}")
        self.say = say
        self.postgres = postgres
        self.figures = Figures(store, seed)
        self.url = postgres.new_database() if postgres else f"sqlite:///{folder / 'house.db'}"
        self.keys = folder / "keys"
        self.planned = tables(size.direct, size.controlled)
        self.claims = Claims(folder / "claims.jsonl")
        self.gate = Gate()
        self.books = Books(self.url)
        self.slots: list[Slot] = []
        self._seed = seed
        self._size = size
        self._begun = time.monotonic()
        self.stopping = asyncio.Event()
        """Somebody wants an end."""

    # ------------------------------------------------------------ building

    def build(self) -> None:
        """Set the floor up, and check it."""
        for envelope, answer in build(self.url, self.keys, self.planned):
            do = msgspec.to_builtins(envelope.do)
            claim = self.claims.sent(envelope.key, envelope.actor, None, do, tokens=False)
            self.claims.answered(claim, answer.seq, answer.at, answer.hash, answer.answer, doubt=False)
        self.checker = Checker(self.books, self.keys, self.claims, self.planned)
        self.checker.follow(books=True)
        self.slots = [
            Slot(number, self.url, self.keys, self.folder, program=self._program, own_session=self._own_sessions)
            for number in (1, 2)
        ]
        self.in_use = 1
        self.tables = [
            Table(
                plan,
                self._voice(device_of(plan.id), plan.id),
                self._desk(plan.id),
                self._luck(plan.id),
                self._size.pace,
            )
            for plan in self.planned
            if plan.devices is None
        ]
        self.controlled = [
            ControlledTable(
                plan,
                self.folder,
                self.ports,
                self.books,
                self.claims,
                self._desk(plan.id),
                self._luck(plan.id),
                3 * self._size.pace,
                own_session=self._own_sessions,
            )
            for plan in self.planned
            if plan.devices is not None
        ]
        names = [plan.id for plan in self.planned]
        self.office = Office(self._voice(SERVICE, None), names, self._luck("office"), 8 * self._size.pace)

    def _luck(self, whose: str) -> random.Random:
        return random.Random(f"{self._seed}:{self.store}:{whose}")

    def _voice(self, device: str, table: str | None) -> Voice:
        return Voice(device, table, self.ports, self.claims, self.gate, self._luck(f"voice {device}"))

    def _desk(self, table: str) -> Voice:
        """The service, for those who have to do with a table and do not deal there."""
        name = f"{SERVICE}/{table}"
        return Voice(SERVICE, None, self.ports, self.claims, self.gate, self._luck(f"voice {name}"), name)

    def ports(self) -> list[int]:
        """Where a client may find a server: those that are up, else all that are in use."""
        used = self.slots[: self.in_use]
        return [slot.port for slot in used if slot.is_up] or [slot.port for slot in used]

    # ------------------------------------------------------------ playing

    @contextlib.asynccontextmanager
    async def playing(self) -> AsyncIterator[None]:
        """The floor plays inside; at the end every round is played to its end. Whoever fails ends it all."""
        await asyncio.gather(*(slot.start() for slot in self.slots[: self.in_use]))
        names = {f"table {table.id}": table.play() for table in self.tables}
        names |= {f"controlled table {table.id}": table.play() for table in self.controlled}
        names["office"] = self.office.work()
        names["watch"] = self._watch()
        try:
            async with asyncio.TaskGroup() as group:
                tasks = {name: group.create_task(work, name=name) for name, work in names.items()}
                yield
                await self._drain(tasks)
        finally:
            closing = [*(table.close() for table in self.controlled), *(table.voice.close() for table in self.tables)]
            closing += [table.desk.close() for table in self.tables]
            await asyncio.gather(*closing, self.office.voice.close(), return_exceptions=True)
            await asyncio.gather(*(slot.kill() for slot in self.slots))
            self.claims.close()
            release_ports()

    async def _watch(self) -> None:
        """No server ends by itself."""
        while True:
            await asyncio.sleep(0.5)
            for slot in self.slots:
                slot.check_alive()

    async def _drain(self, tasks: dict[str, asyncio.Task[None]]) -> None:
        self.gate.open()
        for table in self.tables:
            table.stopping = True
        for controlled in self.controlled:
            controlled.stopping = True
        self.office.stopping = True
        tasks["watch"].cancel()
        _, late = await asyncio.wait([task for name, task in tasks.items() if name != "watch"], timeout=180)
        if late:
            raise Failure(f"stuck at the end: {sorted(task.get_name() for task in late)}")
        for task in tasks.values():
            if not task.cancelled() and task.done() and task.exception() is not None:
                return
        await self.check("end", books=True)
        await self.check_tables()
        await asyncio.gather(*(slot.end() for slot in self.slots))

    # ------------------------------------------------------------ checking

    async def check(self, what: str, *, books: bool = False) -> None:
        """The independent check of all that is new."""
        seq = await asyncio.to_thread(lambda: self.checker.follow(books=books))
        self._progress(what, seq)

    def _progress(self, what: str, seq: int) -> None:
        claims, figures = self.claims, self.figures
        self.say(
            f"{self.store:8} {figures.killed:4d} kills  {what:12}  {time.monotonic() - self._begun:7.1f} s  "
            f"event {seq:,}  acknowledged {len(claims.acknowledged):,}  unanswered "
            f"{claims.doubtful_there} there, {claims.doubtful_gone} not  resumed {self.resumed():,}"
        )

    def resumed(self) -> int:
        """How often a table was found as it was."""
        return sum(table.looked for table in self.tables) + sum(table.resumed for table in self.controlled)

    def audit(self, since: int | None = None) -> None:
        """`houseway audit verify` finds nothing."""
        trust = trust_in(self.keys)
        with open_view(self.url) as view:
            report = verify_database(view, trust, since=since)
        if not report.is_clean:
            raise Failure(f"the audit found: {[finding.to_json() for finding in report.findings[:5]]}")

    async def check_tables(self) -> None:
        """Every server in use shows every table as its dealer knows it, and the database says the same."""
        for slot in self.slots[: self.in_use]:
            voice = Voice(SERVICE, None, lambda port=slot.port: [port], self.claims, self.gate, self._luck("look"))  # type: ignore[misc]
            for table in self.tables:
                answer = None
                until = time.monotonic() + 20
                while answer is None or answer["seq"] < table.voice.last_seq:
                    if time.monotonic() > until:
                        raise Failure(f"server {slot.number} does not come to event {table.voice.last_seq}")
                    answer = await voice.ask("table", table=table.id)
                table.compare(answer["table"])
            await voice.close()
        for table in self.tables:
            stored = self.checker.entities["table"][table.id]
            ended_with, played = stored.get("round"), stored.get("rounds", 0)
            if (ended_with, played) != (None, table.rounds):
                raise Failure(f"{table.id} ended with {ended_with} after {played} rounds")

    async def finish(self) -> None:
        """Everything once more from the first event on, after all servers have ended in order."""
        for slot in self.slots:
            if slot.log.exists():
                slot.check_log()
        await asyncio.to_thread(self._finish)

    def _finish(self) -> None:
        self.checker = Checker(self.books, self.keys, self.claims, self.planned)
        seq = self.checker.follow(books=True)
        self.checker.finish()
        anchor = msgspec.json.decode((self.keys / "anchor.json").read_bytes())
        if (anchor["seq"], anchor["hash"]) != (seq, self.checker.head):
            raise Failure(f"the anchor was not set at the end: it notes event {anchor['seq']}, the last one is {seq}")
        self.audit()
        claims, kinds = self.claims, self.checker.kinds
        self.figures.slowest_start = max(slot.slowest_start for slot in self.slots)
        self.figures.seconds = time.monotonic() - self._begun
        self.figures.found = {
            "events": seq,
            "rounds": kinds["round.start"],
            "awards locked": kinds["jackpot.hit"],
            "awards paid by badge": kinds["jackpot.pay"],
            "awards rejected": kinds["jackpot.reject"],
            "rounds voided": kinds["round.void"],
            "wagers corrected": kinds["round.correct"],
            "snapshots": kinds["system.snapshot"],
            "acknowledged": len(claims.acknowledged) + len(claims.told),
            "refused": sum(claim.state == "refused" for claim in claims.closed),
            "taken back": kinds["message.withdraw"],
            "unanswered, written": claims.doubtful_there,
            "unanswered, not written": claims.doubtful_gone,
            "tables found as they were": self.resumed(),
            "controllers cut off": sum(table.cuts for table in self.controlled),
            "controllers killed": sum(table.kills for table in self.controlled),
        }


def to_stderr(text: str) -> None:
    """Progress, for whoever watches."""
    print(text, file=sys.stderr, flush=True)
