"""Strangers at the HTTP port: however many connect, say nothing or say it slowly, others are served."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from houseway.manager.http import entrance, guard, http_connection
from houseway.manager.http.entrance import Entrance, StrangersPace
from houseway.manager.http.http_server import HttpServer
from houseway.manager.http.own_book import OwnBook
from houseway.manager.views.floor_questions import HealthQuestion
from tests.manager.floors import DEALER, EXECUTIVE, SUPERVISOR, badge
from tests.manager.http.running_http import DEVICE, Served, free_port, serving
from tests.manager.server.house import House, secret
from tests.manager.server.test_life import certificate

LONG = 60
"""Seconds within which everything here has happened; it only matters when it does not."""

MOST_STRANGERS, MOST_OF_NETWORK = 40, 10


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entrance with few places."""
    monkeypatch.setattr(entrance, "MOST_STRANGERS", MOST_STRANGERS)
    monkeypatch.setattr(entrance, "MOST_OF_NETWORK", MOST_OF_NETWORK)


Stranger = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def network(number: int) -> str:
    return f"127.3.0.{number + 1}"


class Strangers:
    """Connections that are held open."""

    def __init__(self, served: Served) -> None:
        self._host, port = served.base.removeprefix("http://").split(":")
        self._port = int(port)
        self.held: list[Stranger] = []

    async def come(self, number: int, said: bytes = b"", count: int = 1) -> list[Stranger]:
        """So many connections from an address."""
        come = [
            await asyncio.open_connection(self._host, self._port, local_addr=(network(number), 0)) for _ in range(count)
        ]
        for _, writer in come:
            writer.write(said)
        self.held += come
        return come

    async def answer(self, number: int, said: bytes) -> bytes:
        """What one connection is answered until it ends."""
        ((reader, _),) = await self.come(number, said)
        return await reader.read()

    def leave(self) -> None:
        for _, writer in self.held:
            writer.close()


@asynccontextmanager
async def crowd(house: House) -> AsyncIterator[tuple[Served, Strangers]]:
    async with serving(house, listen=True) as served, asyncio.timeout(LONG):
        strangers = Strangers(served)
        try:
            yield served, strangers
        finally:
            strangers.leave()


async def is_ended(stranger: Stranger) -> bool:
    """Whether the server has ended a connection, as soon as it is known."""
    try:
        async with asyncio.timeout(0.2):
            return not await stranger[0].read(1)
    except TimeoutError:
        return False
    except ConnectionError:
        return True


HALF_A_HEAD = b"GET /v1/tables HTTP/1.1\r\nHost: 127"
HALF_A_BODY = (
    b"POST /v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"
)


@pytest.mark.parametrize("said", [b"", HALF_A_HEAD, HALF_A_BODY], ids=["silent", "half a head", "half a body"])
def test_strangers_who_hold_connections_make_room_and_others_are_served(house: House, said: bytes) -> None:
    async def scenario() -> None:
        async with crowd(house) as (served, strangers):
            who = await served.sign_in(EXECUTIVE)
            for number in range(MOST_STRANGERS // MOST_OF_NETWORK + 2):
                await strangers.come(number, said, MOST_OF_NETWORK + 10)
            # Who is signed in asks by the connection that was there before, newcomers sign in and look.
            assert (await served.http.get("/v1/tables", headers=who)).status_code == 200
            async with httpx.AsyncClient(base_url=served.base, timeout=LONG) as newcomer:
                signed_in = await newcomer.post("/v1/session", json={"badge": badge(DEALER)})
                assert signed_in.status_code == 200
                own = {"Authorization": f"Bearer {signed_in.json()['token']}"}
                assert (await newcomer.get("/v1/tables", headers=own)).status_code == 200

    asyncio.run(scenario())


def test_the_oldest_of_the_same_network_go_first(house: House) -> None:
    async def scenario() -> None:
        async with crowd(house) as (_, strangers):
            (other,) = await strangers.come(0)
            many = await strangers.come(1, count=MOST_OF_NETWORK + 5)
            assert [await is_ended(one) for one in many[:6]] == [True] * 5 + [False]
            assert not await is_ended(other)

    asyncio.run(scenario())


def test_greetings_of_tls_that_do_not_end_make_room_as_well(tmp_path: Path) -> None:
    """Each holds a socket of the process: one that made room gives it back at once, not when its time is over."""
    cert, key = certificate(tmp_path)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(cert, key)

    async def app(_: Any, __: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    async def scenario() -> None:
        server, port = HttpServer(app, lambda _: None, tls), free_port()
        await server.open("127.0.0.1", port)
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3 * MOST_OF_NETWORK)]
        trusted = ssl.create_default_context(cafile=str(cert))
        async with asyncio.timeout(LONG), httpx.AsyncClient(verify=trusted) as client:
            assert (await client.get(f"https://127.0.0.1:{port}/")).status_code == 204
            while len(server._arriving) > MOST_OF_NETWORK:
                await asyncio.sleep(0.01)
            assert len(server._connections) <= MOST_OF_NETWORK + 1
        for _, writer in held:
            writer.close()
        await server.close()

    asyncio.run(scenario())


def test_who_is_known_has_places_apart() -> None:
    class Place:
        def __init__(self, at: str) -> None:
            self.network, self.is_answered, self.gone = at, False, False

        def turn_away(self) -> None:
            self.gone = True

    found = Entrance(most_known=2)
    known = [Place("a") for _ in range(3)]
    for one in known:
        found.enter(one)
    assert [found.show(one, "key:signs") for one in known] == [True, True, False]
    answered = Place("b")
    found.enter(answered)
    answered.is_answered = True
    for _ in range(2 * MOST_STRANGERS):
        found.enter(Place("b"))
    assert (found.strangers, found.known) == (MOST_OF_NETWORK + 1, 2)
    assert not any(one.gone for one in (*known, answered)), "who is being answered goes last, other networks not at all"
    # A token that counts no more makes a stranger of its connection again.
    assert found.show(known[0], None)
    assert found.known == 1
    for one in known:
        found.leave(one)
    assert (found.known, found._of_caller) == (0, {})


def test_a_stream_goes_on_while_strangers_flood(house: House) -> None:
    async def scenario() -> None:
        async with crowd(house) as (served, strangers):
            who, boss = await served.sign_in(EXECUTIVE), await served.sign_in(SUPERVISOR)
            async with served.http.stream("GET", "/v1/events/stream", headers=who) as stream:
                lines = stream.aiter_lines()
                await anext(lines)
                for number in range(MOST_STRANGERS // MOST_OF_NETWORK + 2):
                    await strangers.come(number, b"", MOST_OF_NETWORK + 10)
                deck = {"table": "T1", "deck": "A-1", "counted": 53}
                seq = (await served.command("table.deck", boss, "deck", **deck)).json()["seq"]
                async for line in lines:
                    if line == f"id: {seq}":
                        break

    asyncio.run(scenario())


def test_requests_of_strangers_wait_for_their_turn_and_nobody_else_does(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One network after the other has its turn: a flood of one holds up neither callers who are known nor others."""
    listening = HttpServer.__init__

    def slow(self: HttpServer, *given: Any) -> None:
        listening(self, *given)
        self.pace = StrangersPace(per_second=1.0, at_once=2)

    monkeypatch.setattr(HttpServer, "__init__", slow)
    alive = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"

    async def scenario() -> None:
        async with crowd(house) as (served, strangers):
            who = await served.sign_in(EXECUTIVE)
            flood = [asyncio.create_task(strangers.answer(1, alive)) for _ in range(MOST_OF_NETWORK)]
            await asyncio.sleep(0.1)
            for _ in range(20):
                assert (await served.http.get("/v1/tables", headers=who)).status_code == 200
            assert (await strangers.answer(2, alive)).startswith(b"HTTP/1.1 200")
            assert not all(one.done() for one in flood)
            for one in flood:
                one.cancel()
            await asyncio.gather(*flood, return_exceptions=True)

    asyncio.run(scenario())


def test_what_takes_too_long_or_is_too_long_ends(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_connection, "HEAD_SECONDS", 0.05)
    monkeypatch.setattr(http_connection, "BODY_SECONDS", 0.05)

    async def scenario() -> None:
        async with crowd(house) as (_, strangers):
            assert await strangers.answer(1, b"") == b""
            assert await strangers.answer(1, HALF_A_HEAD) == b""
            late = await strangers.answer(1, HALF_A_BODY)
            assert late.startswith(b"HTTP/1.1 408")
            assert b'"code":"idle-timeout"' in late
            long = await strangers.answer(1, b"GET / HTTP/1.1\r\nX: " + b"x" * (2 * http_connection.MOST_HEAD))
            assert long.startswith(b"HTTP/1.1 431")
            assert (await strangers.answer(1, b"\x16\x03\x01 what is this\r\n\r\n")).startswith(b"HTTP/1.1 400")
            body = b"x" * (guard.MOST_BODY + 10)
            head = HALF_A_BODY.replace(b"99\r\n\r\n{", b"%d\r\n\r\n" % len(body))
            with contextlib.suppress(ConnectionError):
                assert (await strangers.answer(1, head + body)).startswith(b"HTTP/1.1 413")

    asyncio.run(scenario())


def test_a_client_that_does_not_read_holds_little(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest answer goes out in pieces, and who leaves it unread is let go."""
    monkeypatch.setattr(http_connection, "WRITE_SECONDS", 0.3)

    async def scenario() -> None:
        async with crowd(house) as (_, strangers):
            big = b"GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
            ((reader, _),) = await strangers.come(1, big * 8)
            await asyncio.sleep(0)
            reader._transport.pause_reading()  # type: ignore[attr-defined]
            await asyncio.sleep(1.5)
            reader._transport.resume_reading()  # type: ignore[attr-defined]
            with contextlib.suppress(ConnectionError):
                text = await reader.read()
                assert text.count(b"HTTP/1.1 200") < 8

    asyncio.run(scenario())


def test_requests_follow_each_other_on_one_connection(house: House) -> None:
    async def scenario() -> None:
        async with crowd(house) as (_, strangers):
            one = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n"
            answer = await strangers.answer(1, one % b"" * 3 + one % b"Connection: close\r\n" + one % b"")
            assert answer.count(b"HTTP/1.1 200") == answer.count(b'{"ready":true}') == 4
            assert answer.lower().count(b"\r\ndate: ") == 4
            head = (await strangers.answer(1, one.replace(b"GET", b"HEAD") % b"Connection: close\r\n")).lower()
            assert head.startswith(b"http/1.1 405")
            chunked = HALF_A_BODY.replace(b"Content-Length: 99\r\n\r\n{", b"Transfer-Encoding: chunked\r\n")
            shown = b'{"badge": "nobody\'s badge"}'
            parts = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (shown[:9], shown[9:])) + b"0\r\n\r\n"
            said = await strangers.answer(1, chunked + b"Connection: close\r\nExpect: 100-continue\r\n\r\n" + parts)
            assert b"HTTP/1.1 403" in said

    asyncio.run(scenario())


def test_however_many_ask_whether_it_is_ready_the_manager_is_asked_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("houseway.manager.http.service.STATE_SECONDS", 600.0)
    asked: list[object] = []

    async def scenario() -> None:
        async with serving(house) as served:
            ask = served.service.ask

            async def counted(question: Any, *given: Any) -> Any:
                asked.append(question)
                return await ask(question, *given)

            monkeypatch.setattr(served.service, "ask", counted)
            answers = await asyncio.gather(*(served.http.get("/readyz") for _ in range(50)))
            assert {one.status_code for one in answers} == {200}

    asyncio.run(scenario())
    assert len([one for one in asked if isinstance(one, HealthQuestion)]) == 1


def test_files_are_kept_for_what_needs_them(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    from houseway.manager.http import http_server

    monkeypatch.setattr(http_server.resource, "getrlimit", lambda _: (2_000, 2_000))
    monkeypatch.setattr(http_server.resource, "setrlimit", lambda *_: None)
    assert http_server.places_for_known() == 2_000 - 1_024 - entrance.RESERVED_FILES
    assert "LimitNOFILE" in caplog.text


def test_hundreds_of_readers_with_a_key_come_at_once_from_one_address(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after a restart: each is a stranger until its first request is read, and none of them makes room for it."""
    monkeypatch.undo()
    count = 200

    async def scenario() -> None:
        book = OwnBook.open(tmp_path / "http.book", secret(DEVICE))
        key = book.add_key("signs", ("ask:events",), None)
        book.close()
        async with serving(house, book=tmp_path / "http.book", listen=True) as served, asyncio.timeout(LONG):
            strangers = Strangers(served)
            head = f"GET /v1/events/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {key}\r\n\r\n"
            come = await strangers.come(1, b"", count)
            for _, writer in come:
                writer.write(head.encode())
            for reader, _ in come:
                assert (await reader.readline()).startswith(b"HTTP/1.1 200")
            strangers.leave()

    asyncio.run(scenario())
