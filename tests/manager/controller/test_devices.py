"""The lines between a controller and its devices, and a controller that the manager does not know or understand."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from houseway.manager.controller import sign
from houseway.manager.controller.controller import Controller
from houseway.manager.controller.devices import Devices
from houseway.manager.controller.link import ManagerLink
from houseway.manager.controller.outbox import Outbox
from houseway.manager.interface import wire_lines
from houseway.manager.interface.access import ManagerAccess
from tests.manager.controller.table import RefusedByControllerError, Table
from tests.manager.floors import SUPERVISOR, badge
from tests.manager.server.house import House, secret
from tests.manager.server.processes import Served

REFUSED_SIGN = "NO JACKPOT WAGERS: the Game Manager does not accept this table's controller"


@pytest.fixture(scope="module")
def served(pattern: House, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(pattern.copied(tmp_path_factory.mktemp("devices") / "house")) as found:
        yield found


@pytest.fixture(scope="module")
def table(served: Served) -> Iterator[Table]:
    with Table(served.house, served.address) as found:
        found.wait_live()
        yield found


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({}, "bad-message"),
        ({"key": 7}, "bad-message"),
        ({"key": "NONSENSE"}, "unknown-button"),
        ({"badge": 7}, "bad-message"),
        ({"shuffler": "deal"}, "bad-message"),
        ({"shuffler": {"deal": True}}, "no-round"),
        ({"sensor": 3}, "bad-message"),
        ({"sensor": {"seat": "3", "on": True}}, "bad-message"),
        ({"sensors": {"1": ["x"]}}, "bad-message"),
        ({"sensors": [1]}, "bad-message"),
        ({"hello": 1}, "bad-message"),
        ({"hello": {"protocol": 0}}, "protocol-too-old"),
        ({"hello": {"protocol": 2}}, "protocol-too-new"),
        ({"hello": {"protocol": 1, "parts": ["roulette"]}}, "bad-message"),
        ({"key": "SPOT"}, "bad-message"),
        ({"key": "SPOT", "spot": "3"}, "bad-message"),
        ({"key": "HAND", "hand": "flush", "spot": 1}, "no-round"),
        ({"key": "PAY JACKPOT"}, "no-round"),
        ({"key": "END GAME"}, "no-round"),
    ],
    ids=str,
)
def test_what_makes_no_sense_is_refused(table: Table, message: dict[str, Any], code: str) -> None:
    with pytest.raises(RefusedByControllerError) as caught:
        table.send(message)
    assert caught.value.codes == [code]


@pytest.mark.parametrize(
    ("message", "places"),
    [
        ({"sensor": {"seat": "3", "off": True}}, {"sensor.seat", "sensor.on", "sensor.off"}),
        ({"sensors": {"1": ["x", 2, None], "2": 5}}, {"sensors.1[0]", "sensors.1[2]", "sensors.2"}),
        (
            {"hello": {"protocol": 1, "parts": ["roulette", "sign", 7], "token": 5}},
            {"hello.parts[0]", "hello.parts[2]", "hello.token"},
        ),
    ],
    ids=["change", "report", "hello"],
)
def test_a_device_is_told_every_fault_of_its_line(table: Table, message: dict[str, Any], places: set[str]) -> None:
    with pytest.raises(RefusedByControllerError) as caught:
        table.send(message)
    assert {fault["path"] for fault in caught.value.faults} == places


def test_a_line_that_is_no_json_is_refused_and_a_long_one_ends_the_device(table: Table) -> None:
    with socket.socket(socket.AF_UNIX) as raw:
        raw.connect(str(table.socket_path))
        file = raw.makefile("rb")
        raw.sendall(b"no json\n")
        lines = [json.loads(file.readline()) for _ in range(6)]
        assert lines[-1]["error"]["faults"][0]["code"] == "bad-message"
        raw.sendall(b"x" * 100_000)
        assert json.loads(file.readline())["error"]["faults"][0]["code"] == "line-too-long"
        assert file.readline() == b""
        file.close()
    assert table.press("CANCEL") == {"answers": []}


def test_a_new_device_is_told_everything_that_is_shown(table: Table) -> None:
    with socket.socket(socket.AF_UNIX) as raw, raw.makefile("rb") as file:
        raw.connect(str(table.socket_path))
        told: dict[str, Any] = {}
        for _ in range(5):
            told |= json.loads(file.readline())
    assert told["sign"]["state"] == "live"
    assert told["display"]["keys"] == ["START GAME"]
    assert set(told) == {"sign", "lights", "display", "start", "open"}


def test_slips_are_put_right_at_the_table(served: Served, table: Table) -> None:
    """A missed wager, a round ended too early, a dispute, a void: each with its reason and its badge."""
    table.send({"sensors": {"1": [1, 2]}})
    table.wait("lights", lambda lit: lit == {"1": [1, 2]})
    round_ = table.press("START GAME")["answers"][0]["round"]
    table.send({"sensors": {}})
    corrected = table.press("CORRECT", spot=5, made=True, reason="chip-beside")["answers"][0]
    assert corrected["taken"]["1"]["seats"] == [1, 2, 5]
    table.press("HAND", spot=5, hand="five-aces")
    # Now a supervisor must stand by it: the manager says so, and the display asks.
    with pytest.raises(RefusedByControllerError) as caught:
        table.press("CORRECT", spot=1, made=False, reason="no-chip")
    assert caught.value.codes in (["badge-needed"], ["award-open"])
    table.press("CANCEL")
    table.press("HAND", spot=5, hand="five-aces")
    table.press("END GAME")
    table.press("REOPEN", reason="missed-winner")
    assert table.display["role"] == "supervisor"
    table.swipe(badge(SUPERVISOR))
    assert table.display["keys"][-1] == "END GAME"
    table.press("HOLD", reason="disputed-hand", evidence={"camera": "4"})
    table.swipe(badge(SUPERVISOR))
    with served.client() as client:
        assert client.request({"ask": "table", "table": "T1"})["table"]["held"] == [round_]
    table.press("START GAME")
    table.press("VOID", reason="wrong-wagers")
    table.press("CANCEL")
    assert table.display["asks"] is None
    table.press("VOID", reason="wrong-wagers")
    assert table.swipe(badge(SUPERVISOR))["answers"][0]["approved_by"] == SUPERVISOR
    assert table.display["keys"] == ["START GAME"]


# ---------------------------------------------------------------- other ways to be connected


def test_devices_on_standard_input_and_output(served: Served, tmp_path: Path) -> None:
    secret_file = tmp_path / "secret"
    secret_file.touch(mode=0o600)
    secret_file.write_text(secret("C-T2"))
    command = [
        sys.executable, "-m", "houseway", "controller", "--table", "T2", "--manager", served.address,
        "--secret-file", str(secret_file), "--outbox", str(served.house.folder / "T2.outbox"),
    ]  # fmt: skip
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write('{"sensors": {}}\n')
    process.stdin.flush()
    state = ""
    while state != "live":
        line = json.loads(process.stdout.readline())
        state = line.get("sign", {}).get("state", "")
    process.stdin.write('{"id": 1, "key": "START GAME"}\n')
    process.stdin.flush()
    while line.get("id") != 1:
        line = json.loads(process.stdout.readline())
    assert line["done"]["answers"][0]["round"] == "T2-1"
    # Its input ends, and so does the controller.
    err = process.communicate(timeout=20)[1]
    assert process.returncode == 0, err
    assert "Traceback" not in err


@contextlib.contextmanager
def ended_on_failure(process: subprocess.Popen[str]) -> Iterator[None]:
    """A failed check must not wait for a process that nobody ends."""
    try:
        yield
    except BaseException:
        process.kill()
        raise


def test_devices_on_a_port_of_this_machine_and_an_orderly_end(tmp_path: Path) -> None:
    """Without any manager: the table says so, and ends when it is told to."""
    secret_file = tmp_path / "secret"
    secret_file.touch(mode=0o600)
    secret_file.write_text("x")
    command = [
        sys.executable, "-m", "houseway", "controller", "--table", "T1", "--manager", "127.0.0.1:1",
        "--secret-file", str(secret_file), "--outbox", str(tmp_path / "o"), "--devices", "tcp:127.0.0.1:0",
    ]  # fmt: skip
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        told = process.stderr.readline()
        port = int(told.partition(", with the token in ")[0].rpartition(":")[2])
        token_file = tmp_path / "o.devices-token"
        assert told.strip().endswith(str(token_file))
        assert token_file.stat().st_mode & 0o777 == 0o600
        with (
            ended_on_failure(process),
            socket.create_connection(("127.0.0.1", port), 10) as raw,
            raw.makefile("rb") as file,
        ):
            shown: dict[str, Any] = {}
            hello = {"hello": {"protocol": 1, "parts": ["keypad"], "token": token_file.read_text().strip()}}
            raw.sendall(json.dumps(hello).encode() + b"\n")
            assert json.loads(file.readline()) == {"done": {"parts": ["keypad"]}}
            while shown.get("state") != "link-lost":
                shown = json.loads(file.readline()).get("sign", {})
            assert shown["message"] == "NO JACKPOT WAGERS: the Game Manager cannot be reached"
            raw.sendall(b'{"id": 1, "key": "START GAME"}\n')
            answer: dict[str, Any] = {}
            while answer.get("id") != 1:
                answer = json.loads(file.readline())
            assert answer["error"]["faults"][0]["code"] == "manager-away"
        process.send_signal(signal.SIGTERM)
        rest = process.stderr.read()
        assert process.wait(20) == 0, rest
        # Where it was sought is for whoever looks after the machine.
        assert "no manager answers at 127.0.0.1:1" in rest


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--devices", "tcp:0.0.0.0:0"], "bad-address"),
        (["--devices", "tcp:nonsense:x"], "bad-address"),
        (["--devices", "usb"], "bad-address"),
        (["--devices", "unix:/nonexistent/devices"], "bad-address"),
        (["--devices", "stdio"], "bad-address"),
        (["--manager", "nonsense:x:y"], "bad-address"),
        (["--secret-file", "/nonexistent"], "unreadable-file"),
    ],
)
def test_a_controller_that_is_started_wrongly_says_so(tmp_path: Path, options: list[str], code: str) -> None:
    secret_file = tmp_path / "secret"
    secret_file.touch(mode=0o600)
    secret_file.write_text("x")
    given = {
        "--table": "T1",
        "--manager": "127.0.0.1:1",
        "--secret-file": str(secret_file),
        "--outbox": str(tmp_path / "o"),
    }
    given |= dict(zip(options[::2], options[1::2], strict=True))
    command = [sys.executable, "-m", "houseway", "controller", *(word for pair in given.items() for word in pair)]
    with secret_file.open() as file:
        run = subprocess.run(command, stdin=file, capture_output=True, text=True, check=False, timeout=60)
    assert run.returncode == 2
    assert f"[{code}]" in run.stderr


def test_a_secret_that_others_may_read_is_not_used(tmp_path: Path) -> None:
    secret_file = tmp_path / "secret"
    secret_file.write_text("x")
    secret_file.chmod(0o644)
    command = [sys.executable, "-m", "houseway", "controller", "--table", "T1", "--manager", "127.0.0.1:1"]
    run = subprocess.run(
        [*command, "--secret-file", str(secret_file)], capture_output=True, text=True, check=False, timeout=60
    )
    assert (run.returncode, "[secret-open]" in run.stderr) == (2, True)


# ---------------------------------------------------------------- a manager that refuses


async def shown_when_refused(served: Served, folder: Path, given: str) -> dict[str, Any]:
    """What a refused controller shows."""
    told: list[dict[str, Any]] = []
    outbox = Outbox.open(folder / "T1.outbox", "T1", given)
    controller = Controller("T1", "C-T1", outbox, told.append)
    link = ManagerLink(controller, ManagerAccess("127.0.0.1", served.port, controller.device, given))
    task = asyncio.create_task(link.run())
    async with asyncio.timeout(60):
        while not any(line.get("sign", {}).get("state") == sign.REFUSED for line in told):
            await asyncio.sleep(0.02)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    outbox.close()
    assert not controller.is_live()
    assert told[0]["sign"]["state"] == sign.NO_NEWS, "nothing is lost before the first attempt"
    return {what: value for line in told for what, value in line.items()}


def test_an_older_controller_says_that_it_must_be_updated(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wire_lines, "PROTOCOL", 0)
    shown = asyncio.run(shown_when_refused(served, tmp_path, secret("C-T1")))
    assert "version 0" in shown["display"]["text"]
    assert "update the device" in shown["display"]["text"]
    assert shown["sign"]["message"] == REFUSED_SIGN


def test_a_controller_with_a_wrong_secret_takes_no_wagers(served: Served, tmp_path: Path) -> None:
    shown = asyncio.run(shown_when_refused(served, tmp_path, "guess"))
    assert "register it at the desk" in shown["display"]["text"]
    assert shown["sign"]["message"] == REFUSED_SIGN


# ---------------------------------------------------------------- a port is everybody's on the machine


@contextlib.asynccontextmanager
async def devices_at_a_port(token: str) -> AsyncIterator[tuple[int, list[dict[str, Any]]]]:
    """The devices' port of a table, and what came through it."""
    heard: list[dict[str, Any]] = []

    async def handle(message: dict[str, Any]) -> dict[str, Any]:
        heard.append(message)
        return {"answers": []}

    devices = Devices()
    devices.serve(handle, lambda: [{"sign": {"state": "live"}}], lambda _: None)
    await devices.open("tcp:127.0.0.1:0", token)
    assert devices.address is not None
    try:
        yield int(devices.address.rpartition(":")[2]), heard
    finally:
        await devices.close()


async def told(port: int, *lines: bytes) -> bytes:
    """All that the port says until it ends the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    with contextlib.suppress(OSError):
        writer.write(b"".join(lines))
        await writer.drain()
    async with asyncio.timeout(60):
        found = await reader.read()
    writer.close()
    return found


PRESS = b'{"key": "START GAME", "sensors": {}}\n'
FORM = (
    b"POST / HTTP/1.1\r\nHost: 127.0.0.1:7400\r\nOrigin: https://example.com\r\nContent-Type: text/plain\r\n"
    b"Content-Length: 39\r\n\r\n"
)


@pytest.mark.parametrize(
    "lines",
    [
        [FORM, PRESS],
        [PRESS],
        [b'{"hello": {"protocol": 1}}\n', PRESS],
        [b'{"hello": {"protocol": 1, "token": "wrong"}}\n', PRESS],
        [b'{"hello": {"protocol": 1, "token": null}}\n', PRESS],
        [b'{"hello": {"protocol": 1, "token": "\\u00e4"}}\n', PRESS],
        [b"\x16\x03\x01\x02\x00\x01\n", PRESS],
        [b"x" * 100_000 + b"\n", PRESS],
    ],
    ids=["form of a web page", "no hello", "no token", "wrong token", "null", "not ascii", "tls", "long"],
)
def test_nobody_presses_a_key_at_the_port_without_the_token(lines: list[bytes]) -> None:
    """Neither a program nor a web page of the machine: nothing is carried out, and nothing is shown to it."""

    async def check() -> tuple[bytes, list[dict[str, Any]]]:
        async with devices_at_a_port("the token of this table") as (port, heard):
            return await told(port, *lines), heard

    said, heard = asyncio.run(check())
    assert heard == []
    assert b"live" not in said
    if lines[0] == FORM:
        assert said == b""


def test_a_web_page_that_knows_the_token_is_still_let_go() -> None:
    """Whatever it holds, what looks like a request of a browser ends the connection."""

    async def check() -> list[dict[str, Any]]:
        async with devices_at_a_port("the token of this table") as (port, heard):
            hello = b'{"hello": {"protocol": 1, "token": "the token of this table"}}\n'
            await told(port, hello, FORM, PRESS)
            return heard

    assert asyncio.run(check()) == []


def test_whoever_does_not_show_the_token_makes_room() -> None:
    async def check() -> None:
        async with devices_at_a_port("the token of this table") as (port, heard):
            idle = [await asyncio.open_connection("127.0.0.1", port) for _ in range(60)]
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b'{"hello": {"protocol": 1, "token": "the token of this table"}}\n' + PRESS)
            async with asyncio.timeout(60):
                for _ in range(3):
                    await reader.readline()
            assert len(heard) == 1
            for _, one in [*idle, (reader, writer)]:
                one.close()

    asyncio.run(check())
