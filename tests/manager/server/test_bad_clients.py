"""Clients that flood, dawdle, fall silent or talk rubbish: they harm nobody but themselves."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Iterator

import pytest

from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.requests import command_of
from houseway.manager.server import mailbox, session
from tests.manager.floors import DEALER, OTHER_DEALER
from tests.manager.server.house import House, access, sessions
from tests.manager.server.processes import Served
from tests.manager.server.prompt import assert_prompt
from tests.manager.server.raw import Raw, codes
from tests.manager.server.running import running


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    with Served(house) as found:
        yield found


def sensor(number: int, table: str = "T1") -> dict[str, object]:
    return {"kind": "sensor.set", "table": table, "sensor": "1", "seat": 1 + number % 6, "lit": number % 12 < 6}


def test_more_requests_than_may_wait_are_answered_all_the_same(served: Served) -> None:
    with Raw(served.port) as raw:
        raw.hello()
        for number in range(1000):
            command = {"key": f"k{number}", "actor": DEALER, "session": sessions()[DEALER], "do": sensor(number)}
            raw.send({"id": number, "command": command})
        answers = [raw.read() for _ in range(1000)]
        lines = [answer for answer in answers if "answer" in answer]
        while len(lines) < 1000:
            message = raw.read()
            lines += [message] if "answer" in message else []
    assert [answer["id"] for answer in lines] == list(range(1000))
    seqs = [answer["answer"]["seq"] for answer in lines]
    assert seqs == sorted(seqs)


def test_a_client_that_reads_nothing_holds_up_nobody(served: Served) -> None:
    """It asks for large answers and subscribes to everything, and leaves it all unread."""
    with Raw(served.port) as slow, served.client() as client:
        slow.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.hello()
        slow.send({"subscribe": ["meters", "tables", "events"]})
        slow.socket.settimeout(0.5)
        try:
            for _ in range(20_000):
                slow.send({"id": "x" * 5000, "ask": "tables"})
        except TimeoutError:
            pass
        else:
            pytest.fail("the server reads without end what it cannot answer")
        took = []
        for number in range(100):
            began = time.monotonic()
            client.send(command_of(sensor(number)), actor=DEALER)
            took.append(time.monotonic() - began)
        assert client.request({"ask": "health"})["clients"] == 2
    assert_prompt(took)


def test_rubbish_after_the_greeting_is_answered_and_others_play_on(served: Served) -> None:
    with Raw(served.port) as raw, served.client() as client:
        raw.hello()
        for line in (b"\n", b"null\n", b"{}\n", b'{"id": 1}\n', b"[" * 50_000 + b"\n", b"\x00\xff\n", b'{"ask": {}}\n'):
            raw.send(line)
            assert codes(raw.read()) in (["bad-message"], ["unknown-ask"])
        raw.send(b"x" * 300_000)
        assert codes(raw.read()) == ["line-too-long"]
        assert raw.read() == {}
        client.send(command_of(sensor(1)), actor=DEALER)


def test_a_client_that_goes_in_mid_line_or_mid_command_leaves_no_trace(served: Served) -> None:
    for number in range(20):
        with Raw(served.port) as raw:
            raw.hello()
            command = {"key": f"k{number}", "actor": OTHER_DEALER, "do": sensor(number, "T2")}
            raw.send({"id": 1, "command": {**command, "session": sessions()[OTHER_DEALER]}})
            raw.send(b'{"id": 2, "comm')
    with served.client() as client:
        client.send(command_of(sensor(1)), actor=DEALER)
        until = time.monotonic() + 20
        while client.request({"ask": "health"})["clients"] > 1:
            assert time.monotonic() < until
        # What was sent whole was carried out, though nobody waited for the answer.
        assert client.request({"ask": "key", "key": "k7"})["kind"] == "sensor.set"


# ---------------------------------------------------------------- limits of time, in this process


async def ended(port: int, *lines: bytes) -> bytes:
    """Everything that a connection brings until the server ends it."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.writelines(lines)
    async with asyncio.timeout(60):
        found = await reader.read()
    writer.close()
    return found


def test_whoever_does_not_greet_is_sent_away(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "HELLO_SECONDS", 0.2)

    async def check() -> bytes:
        async with running(house) as (_, port):
            return await ended(port)

    assert b'"code":"idle-timeout"' in asyncio.run(check())


def test_whoever_falls_silent_is_sent_away_and_a_ping_is_a_word(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "IDLE_SECONDS", 0.5)

    async def check() -> None:
        async with running(house) as (server, port):
            client = await AsyncManagerClient(access(port), sessions=sessions()).connect()
            began = asyncio.get_running_loop().time()
            while asyncio.get_running_loop().time() - began < 1.2:
                await client.request({"ask": "health"})
                await asyncio.sleep(0.1)
            assert not client.gone.is_set()
            async with asyncio.timeout(60):
                await client.gone.wait()
            await client.close()
            assert not server.hub.clients

    asyncio.run(check())


def test_whoever_leaves_events_unread_begins_anew(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of states the newest is enough; of single events none may be missing."""
    monkeypatch.setattr(mailbox, "MOST_EVENTS", 50)
    monkeypatch.setattr(mailbox, "MOST_BYTES_AT_ONCE", 1)

    async def check() -> None:
        async with running(house) as (server, port):
            slow = await AsyncManagerClient(access(port)).connect()
            await slow.request({"subscribe": ["events"]}, 5)
            client = await AsyncManagerClient(access(port, "C-T1")).connect()
            found = next(one for one in server.hub.clients if one.mailbox is not None and one.device.id == "SVC-1")
            # The client's side is left unread by never letting the writer through.
            found._writer.transport.pause_reading()
            monkeypatch.setattr(found.mailbox, "take", _never)
            for number in range(60):
                await client.send(command_of(sensor(number)), actor="device:C-T1", key=f"k{number}")
            async with asyncio.timeout(60):
                while found in server.hub.clients:
                    await asyncio.sleep(0.02)
            await client.send(command_of(sensor(0)), actor="device:C-T1", key="last")
            await slow.close()
            await client.close()

    asyncio.run(check())


async def _never() -> bytes:
    await asyncio.Event().wait()
    return b""


def test_a_state_that_nobody_reads_is_replaced_by_the_newer_one() -> None:
    async def check() -> bytes:
        box = mailbox.Mailbox()
        for number in range(1000):
            box.state("meters", "L1", f"L1 {number}\n".encode())
            box.state("meters", "L2", f"L2 {number}\n".encode())
        box.answer(b"answer\n")
        assert len(box) == 3
        return await box.take()

    assert asyncio.run(check()) == b"answer\nL1 999\nL2 999\n"


def test_a_client_that_is_called_off_while_it_greets_leaves_no_socket_behind() -> None:
    """A controller that ends in that moment would else hold its place at the manager until it is collected."""

    async def check() -> bytes:
        left: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readline()
            connecting.cancel()
            left.set_result(await reader.read())
            writer.close()

        async with await asyncio.start_server(silent, "127.0.0.1", 0) as listening:
            port = listening.sockets[0].getsockname()[1]
            client = AsyncManagerClient(ManagerAccess("127.0.0.1", port, "C-T1", "secret"))
            connecting = asyncio.create_task(client.connect())
            with pytest.raises(asyncio.CancelledError):
                await connecting
            async with asyncio.timeout(60):
                return await left

    assert asyncio.run(check()) == b""
