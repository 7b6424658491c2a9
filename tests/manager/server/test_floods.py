"""Lines that are made to cost: whatever one device sends, reading it is soon done, and the others are answered."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Generator
from functools import partial
from types import FrameType
from typing import Any, Final

import pytest
from msgspec import inspect

from houseway.errors import Fault, InputError
from houseway.manager.commands import COMMANDS
from houseway.manager.commands.round_commands import SetSensor
from houseway.manager.handlers.changes import CHANGES
from houseway.manager.server.pace import ADVANCE, SHARE, Pace
from houseway.manager.server.session import Session
from houseway.manager.server.sizes import MOST_IN_COMMAND, SHORT, longest_line
from houseway.manager.server.wire import LONGEST_TOLD, MOST_TOLD, refusal, to_line
from tests.manager.floors import DEALER, OTHER_DEALER
from tests.manager.server.house import House
from tests.manager.server.processes import Served
from tests.manager.server.prompt import assert_prompt
from tests.manager.server.raw import Raw, codes
from tests.manager.server.running import running

MOST_CALLS: Final = 100_000
"""Calls of functions for one line: some hundredths of a second. A line of the attack took millions."""
MOST_BYTES: Final = 40_000


def command(do: dict[str, Any], actor: str = "device:SIGN-1", **more: Any) -> dict[str, Any]:
    return {"command": {"key": "k", "actor": actor, "do": do, **more}}


def many(count: int, value: Any = 1) -> dict[str, Any]:
    return {f"{number:x}": value for number in range(count)}


START: Final = {"kind": "round.start", "table": "T1"}
PERSON: Final = {"kind": "person.add", "person": "a", "name": "a", "department": "pit"}
PAPER: Final = {"kind": "paper.record", "register": "approvals", "paper": "p", "subject": "s", "since": 0}
LINES: Final[dict[str, Callable[[int], dict[str, Any]]]] = {
    "seats": lambda n: command({**START, "occupied": [""] * (n // 4)}),
    "roles": lambda n: command({**PERSON, "roles": [""] * (n // 4)}),
    "wagers": lambda n: command({**START, "wagers": many(n // 12, 0)}),
    "wagers of seats": lambda n: command({**START, "wagers": many(n // 250, many(20))}),
    "sensors": lambda n: command({**START, "sensors": many(n // 14, [1])}),
    "seats of a sensor": lambda n: command({**START, "sensors": {"1": list(range(n // 8))}}),
    "odd texts": lambda n: command({**START, "x": ["\u200b"] * (n // 10)}),
    "unknown fields": lambda n: command({**START, **many(n // 11)}),
    "unknown fields beside": lambda n: command(START, **many(n // 11)),
    "people": lambda n: command({"kind": "property.create", "name": 1, "licence": 1, "people": [{}] * (n // 4)}),
    "fields": lambda n: command({**PAPER, "fields": many(n // 11), "until": ""}),
    "what": lambda n: command({"kind": "change.propose", "reason": 1, "what": {"change": "roles", **many(n // 11)}}),
    "arguments": lambda n: {"ask": "health", **many(n // 11)},
    "names": lambda n: {"subscribe": ["meters"], "tables": [f"{number:x}" for number in range(n // 9)]},
    "topics": lambda n: {"subscribe": [f"{number:x}" for number in range(n // 9)]},
}


class Steps:
    """A coroutine that counts the calls of its own steps; what the loop does while it waits is not charged to it."""

    def __init__(self, coroutine: Coroutine[Any, Any, None]) -> None:
        self.coroutine = coroutine
        self.calls = 0
        self._measuring: FrameType | None = None

    def _count(self, frame: FrameType, event: str, _: object) -> None:
        """Count a call, unless the measuring of coverage makes it, which works now and then in the middle of a step."""
        if self._measuring is not None:
            if event == "return" and frame is self._measuring:
                self._measuring = None
        elif event == "call" and "slipcover" in frame.f_code.co_filename:
            self._measuring = frame
        else:
            self.calls += event in ("call", "c_call")

    def _step(self, step: Callable[[], Any]) -> Any:
        sys.setprofile(self._count)
        try:
            return step()
        finally:
            sys.setprofile(None)

    def __await__(self) -> Generator[Any, Any, None]:
        step: Callable[[], Any] = partial(self.coroutine.send, None)
        while True:
            try:
                waits_for = self._step(step)
            except StopIteration:
                return
            try:
                step = partial(self.coroutine.send, (yield waits_for))
            except BaseException as error:  # noqa: BLE001 - whatever ends the wait is the coroutine's to handle
                step = partial(self.coroutine.throw, error)


@pytest.fixture
def costs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many functions were called for each line that a server took."""
    found: list[int] = []
    take = Session._take

    async def counted(session: Session, line: bytes) -> None:
        steps = Steps(take(session, line))
        try:
            await steps
        finally:
            found.append(steps.calls)

    monkeypatch.setattr(Session, "_take", counted)
    return found


@pytest.mark.parametrize("device", ["SIGN-1", "C-T1", "SVC-1"])
def test_no_line_costs_much_or_is_answered_at_length(house: House, costs: list[int], device: str) -> None:
    """As long as the device may send, and as long as a short command may be."""
    answers: list[tuple[str, int, int]] = []

    async def check() -> None:
        async with running(house) as (server, port):
            server.pace = Pace(spent=lambda: 0.0)
            with Raw(port) as raw:
                welcome = await asyncio.to_thread(raw.hello, device)
                longest = welcome["welcome"]["limits"]["line"]
                for name, line in LINES.items():
                    for length in sorted({SHORT - 500, longest - 500}):
                        raw.send(json.dumps({"id": name, **line(length)}, separators=(",", ":")).encode() + b"\n")
                        while f'"id":"{name}"'.encode() not in (answer := await asyncio.to_thread(raw.file.readline)):
                            assert answer, name
                        answers.append((name, length, len(answer)))

    asyncio.run(check())
    assert len(answers) == len(costs) >= len(LINES)
    assert max(costs) <= MOST_CALLS, list(zip(answers, costs, strict=True))
    assert max(answered for _, _, answered in answers) <= MOST_BYTES, answers


def test_every_list_and_object_of_a_command_is_bounded_by_its_type() -> None:
    found: list[str] = []

    def look(kind: inspect.Type, where: str) -> None:
        match kind:
            case inspect.Metadata():
                look(kind.type, where)
            case inspect.UnionType():
                for each in kind.types:
                    look(each, where)
            case inspect.StructType():
                for field in kind.fields:
                    look(field.type, f"{where}.{field.name}")
            case inspect.DictType():
                found.extend([where] if kind.max_length is None else [])
                look(kind.value_type, where)
            case inspect.ListType() | inspect.VarTupleType() | inspect.SetType() | inspect.FrozenSetType():
                found.extend([where] if kind.max_length is None else [])
                look(kind.item_type, where)

    for name, struct in (*COMMANDS.items(), *CHANGES.items()):
        look(inspect.type_info(struct), name)
    assert found == []


def test_a_refusal_tells_as_much_as_anybody_reads() -> None:
    many_faults = InputError([Fault("bad-message", f"do.x[{number}]", "expected text") for number in range(15_000)])
    told = refusal(many_faults, 1)
    assert codes(told) == ["bad-message"] * MOST_TOLD + ["too-many-faults"]
    long_faults = InputError([Fault("bad-message", "do", "x" * 10_000) for _ in range(40)])
    assert len(to_line(refusal(long_faults, 1))) < LONGEST_TOLD + 1_000
    assert codes(refusal(InputError.of("bad-message", "do", "x" * 2 * LONGEST_TOLD), 1)) == ["bad-message"]


def test_a_device_that_has_used_its_share_waits_and_no_other_one() -> None:
    now, spent = [100.0], [0.0]
    pace = Pace(lambda: now[0], lambda: spent[0])

    def work(device: str, seconds: float) -> None:
        with pace.charged(device):
            spent[0] += seconds

    work("SIGN-1", ADVANCE)
    assert pace.seconds("SIGN-1") == 0
    work("SIGN-1", 1.0)
    assert pace.seconds("SIGN-1") == pytest.approx(1.0 / SHARE)
    assert pace.seconds("C-T1") == 0
    now[0] += 0.5 / SHARE
    assert pace.seconds("SIGN-1") == pytest.approx(0.5 / SHARE)
    # Over any long time it has its share of the loop, however many lines it sends.
    began, done = now[0], 0.0
    while now[0] < began + 100:
        now[0] += pace.seconds("SIGN-1") + 0.01
        work("SIGN-1", 0.01)
        done += 0.01
    assert done <= 100 * SHARE + 1


def test_looking_for_garbage_is_charged_to_nobody() -> None:
    pace, many_things = Pace(lambda: 100.0), [[number] for number in range(200_000)]
    began = time.thread_time()
    with pace.charged("C-T1"):
        while time.thread_time() - began < 4 * ADVANCE:
            gc.collect()
    assert pace.seconds("C-T1") == 0
    assert len(many_things) == 200_000
    began = time.thread_time()
    with pace.charged("SIGN-1"):
        while time.thread_time() - began < 4 * ADVANCE:
            pass
    assert pace.seconds("SIGN-1") > 0


@pytest.mark.parametrize("kind", ["controller", "display"])
def test_only_a_service_sends_long_lines(kind: str) -> None:
    assert longest_line(kind) == SHORT < longest_line("service")


def test_a_command_that_is_not_among_the_long_ones_is_short(house: House) -> None:
    text = "x" * SHORT
    long = command({"kind": "incident.record", "code": "x", "device": "T1", "known_at": 0, "text": text})
    seats = command({**START, "occupied": [1] * (MOST_IN_COMMAND + 1)}, DEALER)

    async def check() -> None:
        async with running(house) as (_, port):
            with Raw(port) as raw:
                await asyncio.to_thread(raw.hello)
                assert codes(await asyncio.to_thread(raw.ask, long)) == ["line-too-long"]
                assert codes(await asyncio.to_thread(raw.ask, seats)) == ["bad-message"]
                # The connection stays: somebody at a desk has only pasted too much.
                health = await asyncio.to_thread(raw.ask, {"ask": "health"})
                assert health["answer"]["state"] == "serving"

    asyncio.run(check())


def test_a_display_s_secret_stops_no_table(house: House) -> None:
    """Eight connections send the costliest lines without waiting for an answer, and come again when they are ended."""
    over = threading.Event()
    lines = [
        json.dumps({"id": 1, **LINES["seats"](length)}, separators=(",", ":")).encode() + b"\n"
        for length in (252_000, SHORT - 500)
    ]

    def flood(port: int, line: bytes) -> None:
        while not over.is_set():
            try:
                with Raw(port, 2) as raw:
                    raw.hello("SIGN-1")
                    raw.socket.settimeout(0.2)
                    while not over.is_set():
                        raw.socket.sendall(line)
            except OSError:
                time.sleep(0.05)

    with Served(house) as served:
        attackers = [threading.Thread(target=flood, args=(served.port, lines[place % 2])) for place in range(8)]
        with served.client("C-T2") as table:
            for one in attackers:
                one.start()
            try:
                time.sleep(0.5)
                took = []
                for number in range(10):
                    began = time.monotonic()
                    lit = SetSensor("T2", "1", seat=2, lit=number % 2 == 0)
                    table.send(lit, actor=OTHER_DEALER)
                    took.append(time.monotonic() - began)
            finally:
                over.set()
                for one in attackers:
                    one.join()
    assert_prompt(took)
