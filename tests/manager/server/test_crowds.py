"""Crowds at the door, floods of subscriptions, and two controllers with one secret: the floor stays alive."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import socket
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from houseway.errors import InputError
from houseway.manager.commands.house_answers import RecordIncidentAnswer
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Paper, Person, Proposal
from houseway.manager.handlers.incidents import MOST_OPEN
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.contract import RefusedError
from houseway.manager.interface.requests import command_of
from houseway.manager.interface.whole_answers import ask_all
from houseway.manager.server import door, session
from houseway.manager.server import server as server_module
from houseway.manager.server.asks import answer_ask
from houseway.manager.server.door import Door, GrowingReader
from houseway.manager.server.state_messages import read_subscription
from houseway.manager.server.wire import to_line
from houseway.manager.store.supervisor import Supervisor
from houseway.manager.views.floor_questions import PapersQuestion, ProposalsQuestion, question
from tests.manager.floors import DEALER
from tests.manager.server.house import House, access, sessions
from tests.manager.server.processes import Served, Wire
from tests.manager.server.prompt import HICCUP, assert_prompt
from tests.manager.server.raw import Raw, codes
from tests.manager.server.running import recorded, running


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    with Served(house) as found:
        yield found


def memory(process: int) -> int:
    """Megabytes that a process holds."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmRSS"))


def sensor(number: int, table: str = "T1") -> dict[str, object]:
    return {"kind": "sensor.set", "table": table, "sensor": "1", "seat": 1 + number % 6, "lit": number % 12 < 6}


async def connected(port: int, device: str) -> AsyncManagerClient:
    return await AsyncManagerClient(access(port, device), sessions=sessions(device)).connect()


# ---------------------------------------------------------------- at the door


def test_strangers_who_take_every_connection_keep_no_device_out(served: Served) -> None:
    """Six hundred of them, each with a long line that never ends: they cost little, and devices still connect."""
    before, strangers = memory(served.process.pid), []
    try:
        for _ in range(600):
            one = socket.create_connection(("127.0.0.1", served.port), 10)
            one.setblocking(False)
            with contextlib.suppress(OSError):
                one.send(b'{"hello": {"device": "' + b"x" * 250_000)
            strangers.append(one)
        took = []
        for device in ("C-T1", "C-T2", "SVC-1", "SIGN-1"):
            began = time.monotonic()
            with served.client(device) as client:
                health = client.request({"ask": "health"})
            took.append(time.monotonic() - began)
            assert health["strangers"] <= door.MOST_OF_ADDRESS
        assert_prompt(took)
        assert [alert["code"] for alert in health["alerts"]] == ["too-many-clients"]
        assert memory(served.process.pid) - before < 40
    finally:
        for one in strangers:
            one.close()


def test_one_address_takes_no_more_than_its_share_and_the_fullest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "MOST_STRANGERS", 10)
    monkeypatch.setattr(door, "MOST_OF_ADDRESS", 6)
    gone: list[str] = []

    class Task:
        def __init__(self, name: str) -> None:
            self.name = name

        def cancel(self) -> None:
            gone.append(self.name)

    async def nobody(*_: object) -> None:
        return

    at_the_door = Door(nobody, lambda _: None, Supervisor())

    def comes(address: str, number: int) -> door.Arrival:
        arrival = door.Arrival(address, Task(f"{address}/{number}"))  # type: ignore[arg-type]
        at_the_door._waiting.setdefault(arrival.network, {})[arrival] = None
        at_the_door._make_room(arrival.network)
        return arrival

    for number in range(8):
        comes("192.0.2.1", number)
    assert gone == ["192.0.2.1/0", "192.0.2.1/1"]
    for number in range(4):
        comes(f"192.0.2.{10 + number}", 0)
    kept = comes("192.0.2.99", 0)
    # Whoever comes from elsewhere is let in, and the address that has most makes room.
    assert gone[2:] == ["192.0.2.1/2"]
    at_the_door.proved(kept)
    assert at_the_door.strangers == 9


def test_devices_have_their_turn_between_any_two_strangers_who_come() -> None:
    """Whoever connects faster than connections are taken does not keep the loop to itself."""

    async def crowd() -> tuple[int, int]:
        turns, at_turn, together = 0, set[int](), 0

        async def serve(reader: GrowingReader, writer: asyncio.StreamWriter, _: object) -> None:
            await reader.read()
            writer.close()

        async def device() -> None:
            nonlocal turns
            while True:
                turns += 1
                await asyncio.sleep(0)

        class Watched(Door):
            def _taken(self, *connection: Any) -> None:
                nonlocal together
                together += turns in at_turn
                at_turn.add(turns)
                super()._taken(*connection)

        opened = Watched(serve, lambda _: None, Supervisor())
        _, port = await opened.open("127.0.0.1", 0, None)
        # All of them are there before the first is taken.
        strangers = [socket.create_connection(("127.0.0.1", port)) for _ in range(100)]
        other = asyncio.create_task(device())
        async with asyncio.timeout(60):
            while len(at_turn) + together < len(strangers):
                await asyncio.sleep(0)
        other.cancel()
        opened.close()
        for stranger in strangers:
            stranger.close()
        await opened.wait()
        return len(at_turn), together

    assert asyncio.run(crowd()) == (100, 0)


def test_whoever_dawdles_over_the_greeting_is_let_go(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """A byte now and then does not help: the time is for the whole line."""
    monkeypatch.setattr(session, "HELLO_SECONDS", 0.5)

    async def check() -> float:
        async with running(house) as (server, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            began = time.monotonic()
            with contextlib.suppress(OSError):
                while not reader.at_eof() and time.monotonic() - began < 10:
                    writer.write(b" ")
                    await asyncio.sleep(0.05)
                    if reader._buffer:  # type: ignore[attr-defined] - whether anything has been said
                        break
            writer.close()
            took = time.monotonic() - began
            while server.door.strangers:
                await asyncio.sleep(0.02)
            return took

    assert asyncio.run(check()) < 9, "it was let go, and did not give up by itself"


def test_a_first_line_is_short_and_later_ones_may_be_long(served: Served) -> None:
    with Raw(served.port) as raw:
        raw.send({"hello": {"protocol": 1, "device": "C-T1", "secret": "x" * 5_000}})
        assert codes(raw.read()) == ["line-too-long"]
    with Raw(served.port) as raw:
        raw.hello()
        assert "answer" in raw.ask({"ask": "table", "table": "T1", "id": "?"})
        raw.send(json.dumps({"id": "x" * 16_000, "ping": 1}).encode() + b"\n")
        while "pong" not in (line := raw.read()):
            assert line
        assert len(line["id"]) == 16_000


def test_one_device_opens_only_so_many_connections(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "MOST_OF_DEVICE", 3)

    async def check() -> None:
        async with running(house) as (_, port):
            clients = [await connected(port, "SIGN-1") for _ in range(3)]
            with pytest.raises(RefusedError) as caught:
                await connected(port, "SIGN-1")
            assert caught.value.code == "too-many-clients"
            clients.append(await connected(port, "SVC-1"))
            await clients[0].close()
            clients.append(await connected(port, "SIGN-1"))
            for client in clients:
                await client.close()

    asyncio.run(check())


# ---------------------------------------------------------------- commands


def incident(number: int, about: str = "SVC-1") -> dict[str, object]:
    return {
        "kind": "incident.record",
        "code": "other",
        "device": about,
        "text": f"{number} " + "x" * 1_900,
        "known_at": 1,
    }


def test_a_flood_of_commands_holds_up_no_other_device(house: House) -> None:
    """Twenty connections of one service, sixty commands each: another device waits for a handful of them."""
    in_hand: Counter[str | None] = Counter()
    most: Counter[str | None] = Counter()

    async def check() -> None:
        async with running(house) as (server, port):
            submit = server.manager.submit

            def counted(envelope: Any) -> Any:
                in_hand[envelope.device] += 1
                most[envelope.device] = max(most[envelope.device], in_hand[envelope.device])
                done = submit(envelope)
                done.add_done_callback(lambda _: in_hand.update({envelope.device: -1}))
                return done

            server.manager.submit = counted  # type: ignore[method-assign]
            table = await connected(port, "C-T1")
            flood = [await connected(port, "SVC-1") for _ in range(20)]
            sent = [
                asyncio.create_task(client.send(command_of(do), actor="device:SVC-1", key=f"{place}/{number}"))
                for place, client in enumerate(flood)
                for number in range(60)
                for do in [incident(number)]
            ]
            while not any(one.done() for one in sent):
                await asyncio.sleep(0)
            for number in range(10):
                await table.send(command_of(sensor(number)), actor="device:C-T1", key=f"s{number}")
            waiting = sum(not one.done() for one in sent)
            answers = await asyncio.gather(*sent, return_exceptions=True)
            for client in (table, *flood):
                await client.close()
            # Ten commands of the table were answered long before the flood's backlog was.
            assert waiting > 600
            refused = [one for one in answers if isinstance(one, RefusedError)]
            assert {one.code for one in refused} == {"too-many-incidents"}
            assert len(refused) == len(sent) - MOST_OPEN

    asyncio.run(check())
    assert most["SVC-1"] <= server_module.MOST_IN_HAND
    tried = [one for one in recorded(house) if one["faults"][0]["code"] == "too-many-incidents"]
    assert sum(one.get("times", 1) for one in tried) == 20 * 60 - MOST_OPEN
    assert len(tried) == 6


def test_lines_that_have_come_are_read_in_turn(house: House) -> None:
    """Commands that are refused at the edge wait for nothing: still, clients whose lines are there take turns."""
    order: list[object] = []

    async def check() -> None:
        async with running(house) as (server, port):
            read = server.read

            def noted(one: Any, message: object, request: int | str | None) -> Any:
                order.append(one)
                return read(one, message, request)

            with Raw(port) as first, Raw(port) as second:
                for raw in (first, second):
                    await asyncio.to_thread(raw.hello)
                server.read = noted  # type: ignore[method-assign]
                for raw in (first, second):
                    raw.send(b'{"command": {"do": {}}}\n' * 60)
                async with asyncio.timeout(60):
                    while len(order) < 120:
                        await asyncio.sleep(0.01)

    asyncio.run(check())
    runs = [len(list(run)) for _, run in itertools.groupby(order)]
    # A few of the first one's may be read before the second one's have come.
    assert len(runs) > 60


def test_an_incident_at_a_controller_is_its_table_s(house: House) -> None:
    async def check() -> None:
        async with running(house) as (_, port):
            table = await connected(port, "C-T1")
            for about in ("T1", "C-T1"):
                told = await table.send(command_of(incident(1, about)), actor="device:C-T1", key=about)
                assert isinstance(told.answer, RecordIncidentAnswer)
            for about in ("T2", "SVC-1", "L1", "property"):
                with pytest.raises(RefusedError) as caught:
                    await table.send(command_of(incident(1, about)), actor="device:C-T1", key=about)
                assert caught.value.code == "wrong-device"
            await table.close()

    asyncio.run(check())


# ---------------------------------------------------------------- pages


class PagedFloor:
    """Answers from a floor, and how long each line of them is."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.lengths: list[int] = []

    def ask(self, asked: Any, /) -> Any:
        answer = answer_ask(1, self.floor, asked, 1)
        self.lengths.append(len(to_line(answer.to_json())))
        return answer


def test_no_answer_grows_without_bound() -> None:
    """However much there is, a page is short; all pages together are everything, once and in order."""
    floor = Floor()
    for number in range(1_000):
        fields = {"text": "x" * (9_000 if number < 300 else 10)}
        floor.put("paper", f"P{number:04}", Paper(f"P{number:04}", "document", "x", fields, 1, None, "E1"))
        person = Person(f"E{number:04}", "Ann", "pit", ("dealer",), ())
        floor.put("person", person.id, person)
        bound = ("0" * 64, ("executive",), "now")
        floor.put("proposal", f"P{number}", Proposal(f"P{number}", SETTING, "x" * 500, "E1", number // 2, *bound))
    for name, order in (("papers", floor.papers), ("people", floor.people)):
        told = PagedFloor(floor)
        assert [one.id for one in getattr(ask_all(told, question(name)), name)] == list(order)
        assert len(told.lengths) >= 10
        assert max(told.lengths) < 1.1 * 1024 * 1024
    found = [one.id for one in ask_all(told, ProposalsQuestion()).proposals]
    assert sorted(found) == sorted(floor.proposals)
    assert [floor.proposals[id_].made_at for id_ in found] == sorted(one.made_at for one in floor.proposals.values())
    assert len(ask_all(told, PapersQuestion(register="document")).papers) == 1_000
    for wrong in ({"after": 7}, {"register": "none"}, {"register": []}):
        with pytest.raises(InputError):
            told.ask(question("papers", **wrong))


SETTING = {"change": "setting", "name": "badge_tries", "value": 4, "since": 1}


# ---------------------------------------------------------------- subscriptions


def test_a_flood_of_subscriptions_freezes_no_sign(served: Served) -> None:
    """Thousands of them from one client, unread: the others hear of every change in a moment."""
    everything = json.dumps({"subscribe": ["meters", "tables", "awards"]}).encode() + b"\n"
    with Raw(served.port) as flood, served.client("SIGN-1") as sign, served.client() as desk:
        told = sign.subscribe("tables", tables=["T1"])
        next(told.changes(seconds=10))
        flood.hello("SVC-1")
        flood.socket.setblocking(False)
        left = everything * 20_000
        took = []
        for number in range(12):
            with contextlib.suppress(OSError):
                left = left[flood.socket.send(left) :]
            desk.send(command_of(sensor(number)), actor=DEALER)
            began = time.monotonic()
            next(told.changes(seconds=20))
            took.append(time.monotonic() - began)
    assert_prompt(took)


def test_a_client_waits_for_one_state_at_a_time(house: House) -> None:
    """Asked again before it was told, it is told once: what it asked for last."""

    async def check() -> None:
        async with running(house) as (server, port):
            client = await connected(port, "SVC-1")
            found = next(iter(server.hub.clients))
            tables = [f"T{number % 4 + 1}" for number in range(500)]
            wanted = [read_subscription({"subscribe": ["tables"], "tables": [one]}, "service") for one in tables]
            for one in wanted:
                server.hub.subscribe(found, one)
            assert len(server.hub._joining) == 1
            async with asyncio.timeout(60):
                while server.hub.clients.wanted_by(found) is not wanted[-1]:
                    await asyncio.sleep(0.02)
            await client.close()

    asyncio.run(check())


# ---------------------------------------------------------------- one controller


def test_a_second_controller_with_the_same_secret_is_kept_out_with_an_alarm(house: House) -> None:
    """However often it tries, the first plays on; record and health tell it."""

    async def check() -> None:
        async with running(house) as (_, port):
            first = await connected(port, "C-T1")
            for _ in range(7):
                with pytest.raises(RefusedError) as caught:
                    await connected(port, "C-T1")
                assert caught.value.code == "controller-connected"
            assert (await first.send(command_of(sensor(1)), actor="device:C-T1", key="k")).seq
            desk = await connected(port, "SVC-1")
            alerts = (await desk.request({"ask": "health"}))["alerts"]
            assert [(one["code"], one["about"]) for one in alerts] == [("controller-connected", "C-T1")]
            await first.close()
            await desk.close()
            # Once it is gone, the other may come.
            async with asyncio.timeout(60):
                second = await connected(port, "C-T1")
            await second.close()

    asyncio.run(check())
    tried = [one for one in recorded(house) if one["faults"][0]["code"] == "controller-connected"]
    assert [one.get("times", 1) for one in tried] == [1, 1, 1, 1, 1, 2]
    assert all(one["actor"] == "device:C-T1" for one in tried)


def test_a_controller_that_was_cut_off_is_back_in_a_moment(served: Served) -> None:
    """Its old connection is half open and answers nothing: it makes way for the new one."""
    wire = Wire(served.port)
    try:

        async def check() -> float:
            old = await AsyncManagerClient(access(wire.port, "C-T1")).connect()
            wire.swallow_answers = wire.swallow_requests = True
            began = time.monotonic()
            new = await connected(served.port, "C-T1")
            took = time.monotonic() - began
            assert (await new.send(command_of(sensor(1)), actor="device:C-T1", key="k")).seq
            await new.close()
            await old.close()
            return took

        assert asyncio.run(check()) < session.PROBE_SECONDS + HICCUP < session.IDLE_SECONDS
    finally:
        wire.close()


def test_two_controllers_that_come_at_once_do_not_both_get_in(house: House) -> None:
    async def check() -> list[Any]:
        async with running(house) as (server, port):
            found = await asyncio.gather(*(connected(port, "C-T1") for _ in range(5)), return_exceptions=True)
            assert len([one for one in server.hub.clients if one.device.id == "C-T1"]) == 1
            for one in found:
                if isinstance(one, AsyncManagerClient):
                    await one.close()
            return found

    found = asyncio.run(check())
    assert sum(isinstance(one, AsyncManagerClient) for one in found) == 1
    assert all(isinstance(one, AsyncManagerClient) or one.code == "controller-connected" for one in found)
