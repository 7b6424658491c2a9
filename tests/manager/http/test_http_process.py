"""`houseway serve` and `houseway http` as processes: both by one command, with TLS, and HTTP alone at an address."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from houseway.manager.commands.round_commands import StartRound
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.client import ManagerClient
from tests.cli.runner import call
from tests.manager.floors import DEALER, EXECUTIVE, badge
from tests.manager.http.running_http import free_port
from tests.manager.server.house import House, secret, swiped
from tests.manager.server.processes import Served
from tests.manager.server.test_life import certificate


def secret_file(folder: Path) -> str:
    file = folder / "svc.secret"
    file.touch(mode=0o600)
    file.write_text(secret("SVC-1"))
    return str(file)


@contextmanager
def process(*words: str) -> Iterator[tuple[subprocess.Popen[bytes], list[dict[str, Any]]]]:
    """A process that serves, with what it says when it is ready: a line for each port."""
    started = subprocess.Popen([sys.executable, "-m", "houseway", *words, "--json"], stdout=subprocess.PIPE)
    assert started.stdout is not None
    try:
        count = 2 if words[0] == "serve" else 1
        yield started, [json.loads(started.stdout.readline()) for _ in range(count)]
    finally:
        if started.poll() is None:
            started.kill()
        started.wait()
        started.stdout.close()


def test_one_command_serves_tables_and_http_with_tls_and_ends_in_order(house: House, tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    listen, http = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}"
    book, own = str(tmp_path / "http.book"), secret_file(tmp_path)
    tls = ["--tls-cert", str(cert), "--tls-key", str(key)]
    where = ["--device", "SVC-1", "--secret-file", own, "--book", book]
    with process("serve", house.url, "--keys", str(house.keys), "--listen", listen, "--http", http, *where, *tls) as (
        served,
        said,
    ):
        assert [next(iter(line)) for line in said] == ["http", "listening"]
        trusted = ssl.create_default_context(cafile=str(cert))
        sessions = {DEALER: swiped("T1")}
        access = ManagerAccess.at(listen, "C-T1", secret("C-T1"), tls_ca=cert)
        with (
            ManagerClient.connect(access, sessions=sessions) as table,
            httpx.Client(base_url=f"https://{http}", verify=trusted, timeout=60) as web,
        ):
            answer = web.post("/v1/session", json={"badge": badge(EXECUTIVE)})
            who = {"Authorization": f"Bearer {answer.json()['token']}"}
            assert "strict-transport-security" in answer.headers
            with web.stream("GET", "/v1/events/stream", headers=who) as stream:
                lines = stream.iter_lines()
                next(lines)
                seq = table.send(StartRound("T1"), actor=DEALER).seq
                numbers = (int(line.removeprefix("id:")) for line in lines if line.startswith("id:"))
                # The sign-in itself may come as an event.
                assert next(number for number in numbers if number > seq - 1) == seq
                kept = ["--book", book, "--secret-file", own, "--json"]
                made = call("http", "key", "add", "signs", "--scope", "ask:meters", *kept)
                token = {"Authorization": f"Bearer {json.loads(made.out)['key']}"}
                assert web.get("/v1/meters", headers=token).status_code == 200
                assert web.get("/v1/tables", headers=token).status_code == 403
                # An open stream does not hold up the end.
                served.send_signal(signal.SIGTERM)
                assert served.wait(60) == 0
    # Whoever was signed in over HTTP is so no more.
    with house.open() as manager:
        assert EXECUTIVE not in manager.view(lambda floor: floor.devices["SVC-1"].signed_in)


def http_process_of(served: subprocess.Popen[bytes]) -> int:
    """The process in which a server has HTTP."""
    (found,) = Path(f"/proc/{served.pid}/task/{served.pid}/children").read_text().split()
    return int(found)


def test_http_ends_and_begins_apart_from_the_tables(house: House, tmp_path: Path) -> None:
    """Whatever ends the HTTP process, tables play on and it is started again; when the server goes it goes too."""
    listen, http, own = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}", secret_file(tmp_path)
    where = ["--listen", listen, "--http", http, "--device", "SVC-1", "--secret-file", own]
    with process("serve", house.url, "--keys", str(house.keys), *where) as (served, _):
        access = ManagerAccess.at(listen, "C-T1", secret("C-T1"))
        with ManagerClient.connect(access, sessions={DEALER: swiped("T1")}) as table:
            first = http_process_of(served)
            os.kill(first, signal.SIGKILL)
            assert table.send(StartRound("T1"), actor=DEALER).answer.round == "T1-1"
            until = time.monotonic() + 60
            while True:
                with contextlib.suppress(httpx.TransportError):
                    if httpx.post(f"http://{http}/v1/session", json={"badge": badge(EXECUTIVE)}).status_code == 200:
                        break
                assert time.monotonic() < until, "HTTP was not started again"
                time.sleep(0.05)
            second = http_process_of(served)
            assert second != first
        served.kill()
        served.wait()
        until = time.monotonic() + 60
        while Path(f"/proc/{second}").exists() and "Z" not in Path(f"/proc/{second}/stat").read_text().split()[2]:
            assert time.monotonic() < until, "the HTTP process outlived the server"
            time.sleep(0.05)


def test_a_service_that_the_manager_does_not_know_is_refused_as_such(house: House, tmp_path: Path) -> None:
    listen, http, own = f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}", secret_file(tmp_path)
    words = ["serve", house.url, "--keys", str(house.keys), "--listen", listen, "--http", http]
    result = call(*words, "--device", "SVC-9", "--secret-file", own, "--json")
    assert result.code == 2
    assert json.loads(result.out)["error"]["faults"][0]["code"] == "wrong-secret"


def test_http_alone_at_a_managers_address(house: House, tmp_path: Path) -> None:
    http, own = f"127.0.0.1:{free_port()}", secret_file(tmp_path)
    with Served(house) as manager:
        words = ["--manager", manager.address, "--device", "SVC-1", "--secret-file", own, "--http", http]
        with process("http", "serve", *words) as (served, said), httpx.Client(base_url=f"http://{http}") as web:
            assert said == [{"http": {"host": "127.0.0.1", "port": int(http.split(":")[1])}}]
            assert web.get("/readyz").status_code == 200
            assert web.post("/v1/session", json={"badge": badge(DEALER)}).json()["person"] == DEALER
            served.send_signal(signal.SIGTERM)
            assert served.wait(60) == 0


@pytest.mark.parametrize(
    ("words", "code", "path"),
    [
        (["--http", "0.0.0.0:7380"], "tls-needed", "http"),
        (["--http", "nonsense:port"], "bad-address", "http"),
        (["--tls-cert", "only-one.pem"], "missing-argument", "tls-cert"),
    ],
)
def test_a_service_that_should_not_begin_does_not(
    house: House, tmp_path: Path, words: list[str], code: str, path: str
) -> None:
    own = secret_file(tmp_path)
    where = ["serve", house.url, "--keys", str(house.keys), "--device", "SVC-1", "--secret-file", own, "--json"]
    result = call(*where, *words)
    assert result.code == 2
    fault = json.loads(result.out)["error"]["faults"][0]
    assert (fault["code"], fault["path"]) == (code, path)


def test_keys_and_webhooks_are_made_listed_and_ended(tmp_path: Path) -> None:
    kept = ["--book", str(tmp_path / "http.book"), "--secret-file", secret_file(tmp_path)]

    def http(*words: str) -> Any:
        result = call("http", *words, *kept, "--json")
        assert result.code == 0, result.out
        return json.loads(result.out)

    def refused(*words: str) -> str:
        result = call("http", *words, *kept, "--json")
        assert result.code == 2
        return str(json.loads(result.out)["error"]["faults"][0]["code"])

    key = http("key", "add", "signs", "--scope", "ask:meters", "--scope", "ask:awards", "--days", "30")["key"]
    (listed,) = http("key", "list")["keys"]
    assert (listed["name"], listed["scopes"]) == ("signs", ["ask:meters", "ask:awards"])
    assert key not in json.dumps(listed)
    url = "https://books.example/hook"
    assert http("webhook", "add", "books", url, "--kind", "jackpot.*", "--after", "0")["secret"].startswith("whsec_")
    (hook,) = http("webhook", "list")["webhooks"]
    assert (hook["url"], hook["kinds"], hook["waiting"], hook["dead"]) == (url, ["jackpot.*"], 0, 0)
    assert http("webhook", "resume", "books") == {"name": "books", "letters": 0}
    assert refused("key", "add", "Signs!", "--scope", "ask:meters") == "bad-id"
    assert refused("key", "add", "signs", "--scope", "ask:meters") == "bad-id"
    assert refused("key", "add", "more", "--scope", "do:round.start") == "unknown-scope"
    assert refused("key", "add", "more", "--scope", "ask:*", "--days", "0") == "out-of-range"
    assert refused("webhook", "add", "b", "http://books.example", "--kind", "*", "--after", "0") == "bad-address"
    assert refused("webhook", "add", "b", url, "--kind", "jackpot pay", "--after", "0") == "bad-value"
    assert refused("webhook", "resume", "nothing") == "bad-value"
    for words in (["key", "end", "signs"], ["webhook", "remove", "books"]):
        assert http(*words)["ended"] is True
        assert refused(*words) == "bad-value"
    assert "signs" not in call("http", "key", "list", *kept).out
