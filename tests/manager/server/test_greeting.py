"""Who may connect: protocol versions, secrets, retired devices, strangers on record."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from houseway.manager.commands.house_commands import RetireDevice
from houseway.manager.server import session
from houseway.manager.server.wire import PROTOCOL
from tests.manager.floors import TECHNICIAN
from tests.manager.server.house import House, secret
from tests.manager.server.processes import Served
from tests.manager.server.raw import Raw, codes
from tests.manager.server.running import recorded, running


@pytest.fixture
def served(house: House) -> Iterator[Served]:
    with Served(house) as found:
        yield found


def test_a_known_device_is_welcome(shared: Served) -> None:
    with Raw(shared.port) as raw:
        welcome = raw.hello("C-T1")["welcome"]
    assert welcome["protocol"] == PROTOCOL
    assert welcome["device"] == {"id": "C-T1", "kind": "controller", "table": "T1"}
    assert welcome["heartbeat_ms"] == 2000


def test_an_older_protocol_is_refused_and_told_what_to_do(shared: Served) -> None:
    with Raw(shared.port) as raw:
        refused = raw.hello(protocol=PROTOCOL - 1)
        assert codes(refused) == ["protocol-too-old"]
        message = refused["error"]["faults"][0]["message"]
        assert f"version {PROTOCOL - 1}" in message
        assert f"version {PROTOCOL}" in message
        assert "update the device" in message
        assert raw.read() == {}


def test_a_newer_protocol_is_refused_and_told_what_to_do(shared: Served) -> None:
    with Raw(shared.port) as raw:
        refused = raw.hello(protocol=PROTOCOL + 1)
        assert codes(refused) == ["protocol-too-new"]
        assert "update the manager" in refused["error"]["faults"][0]["message"]


def test_wrong_secret_and_unknown_device_are_told_the_same(shared: Served) -> None:
    said = []
    for more in ({"secret": "guess"}, {"device": "C-T99"}, {"secret": ""}, {"secret": "x" * 501}, {"device": ""}):
        with Raw(shared.port) as raw:
            said.append(raw.hello(**{"device": "C-T1", **more}) if "device" in more else raw.hello("C-T1", **more))
            assert raw.read() == {}
    assert [codes(one) for one in said] == [["wrong-secret"]] * 5
    assert len({str(one) for one in said}) == 1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"GET / HTTP/1.1\r\n", "bad-message"),
        (b"[1, 2]\n", "bad-message"),
        (b'{"ask": "health"}\n', "bad-message"),
        (b'{"hello": 1}\n', "bad-message"),
        (b'{"hello": {"protocol": "1"}}\n', "bad-message"),
        (b'{"hello": {"protocol": true}}\n', "bad-message"),
        (b"\xff\xfe\n", "bad-message"),
        (b"[" * 3_000 + b"\n", "bad-message"),
        (b"[" * 100_000 + b"\n", "line-too-long"),
        (b'"' + b"x" * 300_000, "line-too-long"),
    ],
    ids=["http", "list", "ask", "no-object", "text", "flag", "not-utf8", "deep", "deeper", "long"],
)
def test_whatever_else_comes_first_ends_the_connection(shared: Served, line: bytes, code: str) -> None:
    with Raw(shared.port) as raw:
        raw.send(line)
        assert set(codes(raw.read())) == {code}
        assert raw.read() == {}
    with shared.client() as client:
        assert client.request({"ask": "health"})["state"] == "serving"


def test_a_greeting_is_refused_with_every_fault_and_without_what_it_holds(shared: Served) -> None:
    with Raw(shared.port) as raw:
        raw.send({"hello": {"protocol": "1", "secret": ["guessed-secret"], "software": 5}})
        told = raw.read()
    places = [fault["path"] for fault in told["error"]["faults"]]
    assert sorted(places) == ["hello.device", "hello.protocol", "hello.secret", "hello.software"]
    assert "guessed" not in str(told)
    with Raw(shared.port) as raw:
        # Another version may greet in another form: what to do about that comes first.
        raw.send({"hello": {"protocol": PROTOCOL + 1}})
        assert codes(raw.read()) == ["protocol-too-new"]


def test_strangers_are_on_record_without_what_they_tried(served: Served) -> None:
    with Raw(served.port) as raw:
        raw.hello("C-T1", secret="guessed-secret")
    served.end()
    with served.house.open() as manager:
        found = []
        manager.subscribe(lambda events: found.extend(events), after=0)
        manager.close()
    attempts = [event for event in found if event.kind == "system.refused"]
    assert len(attempts) == 1
    assert "device:C-T1" in attempts[0].body
    assert not any("guessed-secret" in event.body or secret("C-T1") in event.body for event in found)
    assert "guessed-secret" not in served.log.read_text()


def test_a_retired_device_is_cut_off(served: Served) -> None:
    with Raw(served.port) as raw, served.client() as client:
        raw.hello("SIGN-1")
        client.send(RetireDevice("SIGN-1"), actor=TECHNICIAN)
        assert codes(raw.read()) == ["wrong-secret"]
        assert raw.read() == {}
    with Raw(served.port) as raw:
        assert codes(raw.hello("SIGN-1")) == ["wrong-secret"]


def test_a_flood_of_made_up_names_hides_nobody(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of one stranger's many names the first are on record in full; who comes next shows too, and all count."""

    def flood(port: int) -> None:
        for number in range(80):
            with Raw(port) as raw:
                raw.hello(f"C-{number:03}", secret="guess")
        for _ in range(8):
            with Raw(port) as raw:
                raw.hello("C-T1", secret="guess")
        with Raw(port) as raw:
            raw.hello("C-T2", protocol=PROTOCOL + 1)

    async def check() -> None:
        async with running(house) as (_, port):
            await asyncio.to_thread(flood, port)

    monkeypatch.setattr(session, "REFUSED_SECONDS", 0.0)
    asyncio.run(check())
    tried = recorded(house)
    assert all(one["address"] == "127.0.0.1" for one in tried)
    made_up = [one for one in tried if one["actor"].startswith("device:C-0")]
    assert len(made_up) == 6
    assert sum(one.get("times", 1) for one in made_up) == 80
    named = [one for one in tried if one["actor"] == "device:C-T1"]
    assert [one.get("times", 1) for one in named] == [1] * 5 + [3]
    assert [one["faults"][0]["code"] for one in tried if one["actor"] == "device:C-T2"] == ["protocol-too-new"]


HOSTILE = ["\\u0000", "\0", "\x1b[2J", "x" * 1_000, "\u202e", "", "\ufffe", "'\"%s{}"]


@pytest.mark.parametrize("text", HOSTILE, ids=[ascii(text)[:12] for text in HOSTILE])
def test_hostile_text_in_a_greeting_is_refused_and_on_record(house: House, text: str) -> None:
    """In every field of the greeting; the secret itself is never kept."""
    fields = ("device", "secret", "software", "protocol")

    def greet(port: int) -> list[str]:
        said = []
        for field in fields:
            with Raw(port) as raw:
                said += codes(raw.hello(**{"device": "C-T1", "secret": "guess", field: text}))
        return said

    async def check() -> list[str]:
        async with running(house) as (_, port):
            return await asyncio.to_thread(greet, port)

    assert asyncio.run(check()) == ["wrong-secret"] * 3 + ["bad-message"]
    tried = recorded(house)
    assert sum(one.get("times", 1) for one in tried) == 4
    assert all(len(one["actor"]) < 200 and one["actor"].isprintable() for one in tried)
