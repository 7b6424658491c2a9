"""A table with a real controller process: pressed by devices, cut off and killed in the middle of its rounds.

What a press brings is known when the controller answers it. Where it does not, because the link was cut or the
controller killed, the table must afterwards stand as it was before the press, or as it is after it, and nothing else;
and the controller must show what the manager knows.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sys
import time
from collections.abc import Callable, Set
from pathlib import Path
from typing import Any, Final

import psycopg

from houseway.manager.demo.floorplan import EXECUTIVE, SUPERVISOR, SURVEILLANCE, dealer_of, token
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.contract import ManagerAwayError, RefusedError
from houseway.manager.store.sqlite import driver
from houseway.paytables import paytable
from tests.manager.server.processes import Wire
from tests.soak.books import Books
from tests.soak.claims import Claims, Failure
from tests.soak.connection import STUCK_SECONDS, Voice
from tests.soak.floor import SERVICE, TablePlan, device_of, secret_of, swipe_of
from tests.soak.servers import free_port
from tests.soak.table import PAYTABLES, SEATS, seen

WORDS: Final = {
    "nexus-2": {"start": "START GAME", "hit": "HIT JACKPOT", "pay": "PAY JACKPOT", "end": "END GAME"},
    "nexus": {"start": "START GAME", "hit": "CALL", "pay": "CONFIRM", "end": "END GAME"},
    "aquarius": {"start": "COIN IN", "hit": "KEY JPH", "pay": "J-POT", "end": "GAME OVER", "run": "KEY RUN"},
}
AWAY: Final = frozenset({"manager-away"})
State = dict[str, Any]


class ControllerLostError(Exception):
    """The controller is gone, or did not answer: what became of the press is open."""


class Process:
    """The controller and the connection of its devices."""

    def __init__(self, plan: TablePlan, folder: Path, manager: str, *, own_session: bool) -> None:
        self.plan = plan
        self._own_session = own_session
        self.log = folder / f"{plan.id}.log"
        self.outbox = folder / f"{plan.id}.outbox"
        self._secret = folder / f"{plan.id}.secret"
        self._secret.touch(mode=0o600)
        self._secret.write_text(secret_of(device_of(plan.id)))
        # The dealer's badge was read when the floor was set up; this is what the controller has kept of it.
        kept = folder / f"{plan.id}.outbox.session"
        kept.touch(mode=0o600)
        kept.write_text(json.dumps({"dealer": dealer_of(plan.id), "session": swipe_of(plan.id)}))
        where = {"unix": f"unix:{folder / plan.id}.sock", "tcp": f"tcp:127.0.0.1:{free_port()}", "stdio": "stdio"}
        self._devices = where[plan.devices or "stdio"]
        self._command = [
            sys.executable, "-m", "houseway", "controller", "--table", plan.id, "--manager", manager,
            "--secret-file", str(self._secret), "--devices", self._devices, "--outbox", str(self.outbox),
        ]  # fmt: skip
        self._process: asyncio.subprocess.Process | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._reading: asyncio.Task[None] | None = None
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._requests = 0
        self.shown: dict[str, Any] = {}
        """What the devices were told last."""
        self.changed = asyncio.Event()

    async def boot(self) -> None:
        """Start the process and connect as its devices."""
        stdio = self.plan.devices == "stdio"
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=asyncio.subprocess.PIPE if stdio else asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE if stdio else log, stderr=log, start_new_session=self._own_session,
            )  # fmt: skip
        if stdio:
            assert self._process.stdout is not None
            reader, self._writer = self._process.stdout, self._process.stdin
        else:
            reader, self._writer = await self._connect()
        self.shown = {}
        self._reading = asyncio.create_task(self._read(reader))

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        assert self._process is not None
        until = time.monotonic() + 60
        kind, _, where = self._devices.partition(":")
        while True:
            with contextlib.suppress(OSError):
                if kind == "unix":
                    return await asyncio.open_unix_connection(where)
                host, _, port = where.partition(":")
                reader, writer = await asyncio.open_connection(host, int(port))
                token = Path(f"{self.outbox}.devices-token").read_text().strip()
                writer.write(json.dumps({"hello": {"protocol": 1, "token": token}}).encode() + b"\n")
                return reader, writer
            if self._process.returncode is not None or time.monotonic() > until:
                raise Failure(f"the controller of {self.plan.id} does not start: {self.log.read_text()[-1500:]}")
            await asyncio.sleep(0.05)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := await reader.readline():
                message = json.loads(line)
                future = self._waiting.get(message.get("id", 0))
                if future is not None and not future.done():
                    future.set_result(message)
                elif "id" not in message:
                    self.shown.update(message)
                self.changed.set()
        for future in self._waiting.values():
            if not future.done():
                future.cancel()

    async def send(self, message: dict[str, Any]) -> dict[str, Any]:
        """Send a line as a device: what came of it. ControllerLostError if nobody answers."""
        self._requests += 1
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._waiting[self._requests] = future
        try:
            assert self._writer is not None
            self._writer.write(json.dumps({"id": self._requests, **message}).encode() + b"\n")
            async with asyncio.timeout(30):
                await asyncio.wait([future])
        except (OSError, TimeoutError) as error:
            raise ControllerLostError(str(error)) from error
        finally:
            self._waiting.pop(self._requests, None)
        if future.cancelled():
            raise ControllerLostError("the controller went away")
        return future.result()

    async def kill(self) -> None:
        """A power cut of the controller."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.wait()
        if self._writer is not None:
            self._writer.close()
        if self._reading is not None:
            await self._reading

    def unresolved(self) -> int:
        """How many commands are left without an answer; the controller must have ended."""
        with contextlib.closing(driver().connect(f"file:{self.outbox}?mode=rw", uri=True)) as outbox:
            (left,) = outbox.execute("SELECT count(*) FROM outbox").fetchone()
        return int(left)

    async def end(self) -> None:
        """End it in order."""
        assert self._process is not None
        self._process.terminate()
        async with asyncio.timeout(30):
            code = await self._process.wait()
        if self._writer is not None:
            self._writer.close()
        if self._reading is not None:
            await self._reading
        if code != 0:
            raise Failure(f"the controller of {self.plan.id} ended with {code}: {self.log.read_text()[-1500:]}")
        logged = self.log.read_text()
        if "Traceback" in logged:
            fault = logged[logged.index("Traceback") :][:3_000]
            raise Failure(f"the controller of {self.plan.id} hit an internal error: {fault}")


class ControlledTable:
    """The dealer of a table with a controller, and whoever cuts its wire."""

    def __init__(
        self, plan: TablePlan, folder: Path, ports: Callable[[], list[int]], books: Books, claims: Claims,
        desk: Voice, luck: random.Random, pace: float, *, own_session: bool = False,
    ) -> None:  # fmt: skip
        self.plan = plan
        self.id = plan.id
        self.luck = luck
        self._ports = ports
        self._books = books
        self._claims = claims
        self._desk = desk
        self._pace = pace
        self.wire = Wire(luck.choice(ports()))
        self.process = Process(plan, folder, self.wire.address, own_session=own_session)
        self._words = WORDS[plan.vocabulary]
        self._asking: AsyncManagerClient | None = None
        self.state: State = {}
        """The table as it must be."""
        self.stopping = False
        self._calm_for = luck.randint(2, 6)
        """Presses until the next cut or kill."""
        self.cuts = 0
        self.kills = 0
        self.resumed = 0
        self._lit: list[int] = []

    # ------------------------------------------------------------ life

    async def play(self) -> None:
        """Play until it is told to stop, and then to the end of the round."""
        await self.process.boot()
        await self.report([])
        self.state = await self.truth()
        while not (self.stopping and self.state["round"] is None):
            await asyncio.sleep(0 if self.stopping else self.luck.expovariate(1 / self._pace))
            await self.step()
        await self.report([])
        await self.live()
        await self.until("the sensors go dark", lambda: self.process.shown.get("lights") == {})
        await self.until_truth("the sensors are dark in the manager", lambda now: not now["lit"])
        await self.process.end()
        if self.process.unresolved():
            # It was ended between an answer and its note of it: the next start finds out.
            await self.process.boot()
            await self.report([])
            await self.live()
            await asyncio.sleep(0.5)
            await self.process.end()
        if left := self.process.unresolved():
            raise Failure(f"{left} commands of {self.id} were never resolved")

    async def close(self) -> None:
        """Let everything go."""
        await self.process.kill()
        self.wire.close()
        await self._desk.close()
        if self._asking is not None:
            await self._asking.close()

    # ------------------------------------------------------------ one press

    async def step(self) -> None:
        """One press, with a cut or a kill in the middle of it now and then."""
        await self.live()
        if self.state["round"] is None:
            await self.lay()
        press, allowed = self.next()
        if allowed is _paid:
            await self.verify()
        before = self.state
        harm = asyncio.create_task(self.harm()) if self.harmful() else None
        try:
            answers = await self._press_or_lose(press)
            if harm is not None:
                await harm
        finally:
            if harm is not None:
                harm.cancel()
                await asyncio.gather(harm, return_exceptions=True)
        if answers is None or harm is not None:
            await self.recover(press, before, allowed, answers)
        else:
            self.state = await self.truth()
            if not allowed(before, self.state):
                raise Failure(f"{self.id}: {press} was answered {answers}, from {before} to {self.state}")
        if self.state["round"] is not None and self.luck.random() < 0.3:
            await self.report([])

    async def verify(self) -> None:
        """Surveillance puts its reference on record for the award that is paid next."""
        hit = [(award[0], id_, award) for id_, award in self.state["awards"].items() if award[3] == "hit"]
        _, payout, (_, _, hand, _, cents) = max(hit)
        do = {
            "kind": "surveillance.reference", "round": self.state["round"], "payout": payout, "hand": hand,
            "cents": cents, "reference": "camera 3",
        }  # fmt: skip
        if await self._desk.send(SURVEILLANCE, do) is None:
            raise Failure(f"{self.id}: surveillance was refused: {do}")

    async def _press_or_lose(self, press: dict[str, Any]) -> list[dict[str, Any]] | None:
        """Press; None where the controller was lost in the middle of it."""
        try:
            return await self.press(press)
        except ControllerLostError:
            return None

    async def lay(self) -> None:
        """Wagers are laid on the sensors, and the sensors light."""
        seats = sorted(self.luck.sample(range(1, SEATS[self.plan.game] + 1), self.luck.randint(1, 4)))
        until = time.monotonic() + STUCK_SECONDS
        while self.process.shown.get("lights") != {"1": seats}:
            await self.report(seats)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(2.0):
                    await self.until("the sensors light", lambda: self.process.shown.get("lights") == {"1": seats})
            if time.monotonic() > until:
                raise Failure(f"{self.id}: the sensors {seats} do not light; it shows {self.process.shown}")
        self.state = await self.truth()

    async def press(self, message: dict[str, Any]) -> list[dict[str, Any]] | None:
        """Press a key and swipe the badge that the display asks for: the answers, or None if the manager is away."""
        answers = await self._send(message)
        asks = self.process.shown.get("display", {})
        if answers is None or asks.get("asks") != "badge":
            return answers
        if _kinds(answers) == ["jackpot.hit"] and not any(award["status"] == "hit" for award in answers[0]["awards"]):
            # Small pays are paid at once: there is nothing that the key could confirm.
            return answers
        badge = EXECUTIVE if asks["role"] == "executive" else SUPERVISOR
        more = await self._send({"badge": token(badge)}, {"badge-refused"})
        return None if more is None else answers + more

    async def _send(self, message: dict[str, Any], harmless: Set[str] = frozenset()) -> list[dict[str, Any]] | None:
        told = await self.process.send(message)
        if "error" in told:
            codes = {fault["code"] for fault in told["error"]["faults"]}
            if codes <= AWAY | harmless:
                return None
            raise Failure(f"{self.id}: {message} was refused in the state {self.state}: {told['error']}")
        answers: list[dict[str, Any]] = told["done"].get("answers", [])
        for kind, answer in zip(_kinds(answers), answers, strict=True):
            self._claims.device_told(device_of(self.id), kind, answer)
        return answers

    def next(self) -> tuple[dict[str, Any], Callable[[State, State], bool]]:
        """What is pressed now, and what may come of it."""
        awards = self.state["awards"]
        first = self.plan.vocabulary == "aquarius"
        if self.state["round"] is None:
            return {"key": self._words["start"]}, self._started
        waiting = any(award[3] == "hit" for award in awards.values())
        if waiting and (self.state["key"] or not first):
            return {"key": self._words["pay"]}, _paid
        if waiting or any(award[3] == "pressed" for award in awards.values()):
            return {"key": self._words["hit"]}, _hit
        if self.state["key"]:
            return {"key": self._words["run"]}, _key_back
        if not awards and not self.stopping and self.luck.random() < 0.6:
            seat = self.luck.choice(self.state["taken"]["1"])
            hand = self.luck.choice([line.hand for line in paytable(PAYTABLES[self.plan.sensors["1"]]).lines])
            return {"key": "HAND", "spot": seat, "hand": hand}, _one_more_award
        return {"key": self._words["end"]}, _ended

    # ------------------------------------------------------------ cuts

    def harmful(self) -> bool:
        """Whether something goes wrong with this press."""
        self._calm_for -= 1
        if self.stopping or self._calm_for > 0:
            return False
        self._calm_for = self.luck.randint(3, 12)
        return True

    async def harm(self) -> None:
        """In a moment: the wire is cut, falls silent, or the controller is killed."""
        await asyncio.sleep(self.luck.choice((0.0, self.luck.uniform(0, 0.01), self.luck.uniform(0, 0.05))))
        chance = self.luck.random()
        if chance < 0.4:
            self.kills += 1
            await self.process.kill()
            await self.process.boot()
            await self.report(self._lit)
            return
        self.cuts += 1
        if chance < 0.7:
            self.wire.swallow_answers = True
            await asyncio.sleep(self.luck.uniform(0.1, 0.6))
            self.wire.swallow_answers = False
        else:
            self.wire.refusing = True
        self.wire.target = self.luck.choice(self._ports())
        self.wire.cut()
        await asyncio.sleep(self.luck.uniform(0, 0.4))
        self.wire.refusing = False

    async def recover(
        self, press: dict[str, Any], before: State, allowed: Callable[[State, State], bool], answers: Any
    ) -> None:
        """The table resumes: as it was before the press, or after it."""
        await self.live()
        self.state = await self.truth()
        carried_out = allowed(before, self.state)
        if answers is not None and answers != [] and not carried_out:
            raise Failure(f"{self.id}: {press} was answered {answers}, and the table stands at {self.state}")
        if not carried_out and not _same_round(before, self.state):
            raise Failure(f"{self.id}: {press} led from {before} to {self.state}")
        lights = self.state["taken"] if self.state["round"] else self.state["lit"]
        if self.state["round"]:
            await self.until("the lights are as before", lambda: self.process.shown.get("lights") == lights)
        self.resumed += 1

    async def live(self) -> None:
        """Wait until the controller has the manager again."""
        await self.until(
            "the sign is live", lambda: self.process.shown.get("sign", {}).get("state") in {"live", "pending"}
        )

    async def report(self, seats: list[int]) -> None:
        """The sensors report the wagers that lie on them."""
        self._lit = seats
        with contextlib.suppress(ControllerLostError):
            await self.process.send({"sensors": {"1": seats} if seats else {}})

    async def until(self, what: str, holds: Callable[[], bool]) -> None:
        """Wait until something is shown."""
        until = time.monotonic() + STUCK_SECONDS
        while not holds():
            self.process.changed.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.5):
                    await self.process.changed.wait()
            if time.monotonic() > until:
                raise Failure(f"{self.id}: not in {STUCK_SECONDS:g} seconds: {what}; it shows {self.process.shown}")
            self.wire.target = (
                self.wire.target if self.wire.target in self._ports() else self.luck.choice(self._ports())
            )

    # ------------------------------------------------------------ what the manager knows

    async def truth(self) -> State:
        """The table as the manager has it, asked past the controller and its wire."""
        until = time.monotonic() + STUCK_SECONDS
        while time.monotonic() < until:
            try:
                view = await self._asked()
            except (ManagerAwayError, RefusedError, psycopg.Error):
                view = None
                if self._asking is not None:
                    await self._asking.close()
                self._asking = None
            if view is None:
                await asyncio.sleep(0.05)
                continue
            return seen(view) | {"key": bool((view["in_play"] or {}).get("key_turned"))}
        raise Failure(f"{self.id}: the manager does not say how it stands")

    async def _asked(self) -> dict[str, Any] | None:
        """The table up to the last event of the journal; None if the server has not read that far yet."""
        with self._books.opened() as query:
            ((head,),) = query("SELECT max(seq) FROM events")
        if self._asking is not None and self._asking.gone.is_set():
            await self._asking.close()
            self._asking = None
        if self._asking is None:
            port = self.luck.choice(self._ports())
            client = AsyncManagerClient(ManagerAccess("127.0.0.1", port, SERVICE, secret_of(SERVICE)))
            self._asking = await client.connect()
        answer = await self._asking.request({"ask": "table", "table": self.id})
        return answer["table"] if answer["seq"] >= head else None

    async def until_truth(self, what: str, holds: Callable[[State], bool]) -> None:
        """Wait until the manager knows something."""
        until = time.monotonic() + STUCK_SECONDS
        while not holds(await self.truth()):
            if time.monotonic() > until:
                raise Failure(f"{self.id}: not in {STUCK_SECONDS:g} seconds: {what}")
            await asyncio.sleep(0.1)

    def _started(self, before: State, now: State) -> bool:
        return bool(now["round"] == f"{self.id}-{before['rounds'] + 1}" and now["taken"].get("1", []) == self._lit)


def _kinds(answers: list[dict[str, Any]]) -> list[str]:
    """Which commands answers are of."""
    return [_kind(answer) for answer in answers]


def _kind(answer: dict[str, Any]) -> str:
    if "on" in answer:
        return "hand.press"
    if "key" in answer:
        return "key.turn"
    if "paid_by" in answer:
        return "jackpot.pay"
    if "awards" in answer:
        return "jackpot.hit"
    return "round.start" if "taken" in answer else "round.end"


def _same_round(before: State, now: State) -> bool:
    """Nothing has happened: lit sensors may follow the hardware."""
    return all(before[name] == now[name] for name in ("round", "rounds", "taken", "awards", "key"))


def _one_more_award(before: State, now: State) -> bool:
    return bool(now["round"] == before["round"] and len(now["awards"]) == len(before["awards"]) + 1)


def _hit(before: State, now: State) -> bool:
    left = [award for award in now["awards"].values() if award[3] == "pressed"]
    return now["round"] == before["round"] and now["awards"].keys() == before["awards"].keys() and not left


def _paid(before: State, now: State) -> bool:
    def count(state: State) -> int:
        return sum(award[3] == "paid" for award in state["awards"].values())

    return now["round"] == before["round"] and count(now) == count(before) + 1


def _key_back(before: State, now: State) -> bool:
    return bool(now["round"] == before["round"] and not now["key"])


def _ended(before: State, now: State) -> bool:
    return bool(now["round"] is None and now["rounds"] == before["rounds"])
