"""Who may connect: protocol versions, secrets, retired devices, strangers on record."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from houseway.manager.server.wire import PROTOCOL
from tests.manager.floors import TECHNICIAN
from tests.manager.server.house import House, secret
from tests.manager.server.processes import Served
from tests.manager.server.raw import Raw, codes


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
    for more in ({"secret": "guess"}, {"device": "C-T99"}, {"secret": ""}, {"secret": 7}, {"device": None}):
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
        (b"[" * 100_000 + b"\n", "bad-message"),
        (b'"' + b"x" * 300_000, "line-too-long"),
    ],
    ids=["http", "list", "ask", "no-object", "text", "flag", "not-utf8", "deep", "long"],
)
def test_whatever_else_comes_first_ends_the_connection(shared: Served, line: bytes, code: str) -> None:
    with Raw(shared.port) as raw:
        raw.send(line)
        assert codes(raw.read()) == [code]
        assert raw.read() == {}
    with shared.client() as client:
        assert client.ask("health")["state"] == "serving"


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


def test_strangers_cannot_fill_the_journal(served: Served) -> None:
    """The same attempt goes on record once in a while, and of different ones not too many."""
    with served.client() as client:
        before = client.ask("tables")["seq"]
        for number in range(140):
            with Raw(served.port) as raw:
                raw.hello("C-T1" if number < 70 else f"C-{number}", secret="guess")
        until = time.monotonic() + 20
        while client.ask("tables")["seq"] < before + 50 and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.3)
        after = client.ask("tables")["seq"]
    assert after - before == 50


def test_a_retired_device_is_cut_off(served: Served) -> None:
    with Raw(served.port) as raw, served.client() as client:
        raw.hello("SIGN-1")
        client.command({"kind": "device.retire", "device": "SIGN-1"}, actor=TECHNICIAN)
        assert codes(raw.read()) == ["wrong-secret"]
        assert raw.read() == {}
    with Raw(served.port) as raw:
        assert codes(raw.hello("SIGN-1")) == ["wrong-secret"]
