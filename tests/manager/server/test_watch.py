"""Metrics, health, readiness and logs: what watchers are told, that it is bounded, and that it gives nothing away."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from houseway.cli.app import main
from houseway.errors import InputError
from houseway.manager.commands.house_commands import ChangeDeck
from houseway.manager.commands.round_commands import PayJackpot
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.client import ManagerClient
from houseway.manager.interface.contract import RefusedError
from houseway.manager.server import logs, watch_port
from houseway.manager.server.metrics import Metrics
from houseway.manager.server.metrics_text import Histogram, MetricFamily, Sample, exposition
from houseway.manager.server.server import MOST_CLIENTS
from houseway.manager.server.server_process import SPARE_FILES
from houseway.manager.server.service_notice import show_life, tell
from houseway.manager.server.watch_port import MOST_WATCHERS, WatchPort
from tests.manager.floors import PEOPLE, SUPERVISOR, badge
from tests.manager.server.house import House, secret, session, swiped
from tests.manager.server.processes import Served
from tests.manager.server.running import running

ROOT = Path(__file__).resolve().parents[3]
DEPLOY = ROOT / "deploy"


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """The socket of a service manager."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as found, tempfile.TemporaryDirectory() as folder:
        # A socket's path may have about 100 characters only.
        found.bind(f"{folder}/n")
        found.settimeout(20)
        monkeypatch.setenv("NOTIFY_SOCKET", f"{folder}/n")
        yield found


class Watched(Served):
    """A server process with a port for watchers and a log of access."""

    def __init__(self, house: House, *options: str) -> None:
        self.access = house.folder / "access.log"
        super().__init__(house, "--watch", "127.0.0.1:0", "--access-log", str(self.access), *options)

    def get(self, path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.watch_port}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def metrics(self) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
        """Every sample by its name and labels, as another program reads them."""
        # The same are told for a moment.
        time.sleep(2 * watch_port.TOLD_SECONDS)
        _, text = self.get("/metrics")
        return {
            (sample.name, tuple(sorted(sample.labels.items()))): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }


def test_a_floor_is_measured_and_its_access_logged(house: House, told: socket.socket) -> None:
    with Watched(house, "--log-format", "json") as served, served.client() as client:
        assert told.recv(100) == b"READY=1", "systemd hears of it"
        before = served.metrics()
        assert before["houseway_state", (("state", "serving"),)] == 1
        assert before["houseway_meter_dollars", (("level", "main"), ("link", "L1"))] == 10_000
        assert before["houseway_tables", (("status", "open"),)] == 4
        deck = ChangeDeck("T1", "another", counted=53)
        done = client.send(deck, actor=SUPERVISOR)
        with pytest.raises(RefusedError):
            client.send(deck, actor=SUPERVISOR)
        client.request({"ask": "meters"})
        after = served.metrics()
        assert after["houseway_journal_events_total", ()] == done.seq
        for outcome in ("done", "refused"):
            assert after["houseway_commands_total", (("kind", "table.deck"), ("outcome", outcome))] == 1
        assert after["houseway_command_seconds_count", ()] == 2
        assert after["houseway_questions_total", (("question", "meters"),)] == 1
        assert after["houseway_clients", ()] == 1
        assert served.get("/ready")[0] == 200
        health = json.loads(served.get("/health")[1])
        assert (health["state"], health["seq"], health["faults"]) == ("serving", done.seq, [])
        assert served.get("/")[0] == 404
        served.end()
    assert told.recv(100) == b"STOPPING=1"
    lines = [json.loads(line) for line in served.access.read_text().splitlines()]
    assert served.access.stat().st_mode & 0o777 == 0o600
    commands = [line for line in lines if line["event"] == "command"]
    assert [(line["what"], line["actor"], line["outcome"]) for line in commands] == [
        ("table.deck", SUPERVISOR, "done"), ("table.deck", SUPERVISOR, "refused"),
    ]  # fmt: skip
    assert (commands[0]["seq"], commands[0]["device"], commands[0]["address"]) == (done.seq, "SVC-1", "127.0.0.1")
    assert commands[1]["codes"]
    assert next(line["event"] for line in lines if line["event"] != "command") == "connected"
    # The log itself is JSON, too, and nothing anywhere shows a token.
    log = [json.loads(line) for line in served.log.read_text().splitlines()]
    assert any("listening" in line["message"] for line in log)
    said = served.log.read_text() + served.access.read_text()
    tokens = [badge(person) for person in PEOPLE] + [session(person) for person in PEOPLE] + [secret("SVC-1")]
    assert not [token for token in tokens if token in said]


def test_refused_badges_and_greetings_leave_no_token_in_logs_or_metrics(house: House) -> None:
    with Watched(house) as served:
        with pytest.raises(RefusedError):
            ManagerClient.connect(ManagerAccess.at(served.address, "SVC-1", "a guessed secret"))
        with served.client("C-T1") as client:
            for shown in ("a badge that nobody has", badge(SUPERVISOR)):
                with pytest.raises(RefusedError):
                    client.send(PayJackpot("none", shown), actor="Dealer 5")
            text = served.get("/metrics")[1] + served.get("/health")[1]
        served.end()
    said = text + served.log.read_text() + served.access.read_text()
    for token in ("a guessed secret", "a badge that nobody has", badge(SUPERVISOR), secret("C-T1"), swiped("T1")):
        assert token not in said
    assert 'outcome="refused"' in text


# ---------------------------------------------------------------- the port


def test_the_port_takes_little_and_never_waits_long(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def raw(port: int, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(request)
        try:
            return await reader.read()
        except ConnectionError:
            return b""
        finally:
            writer.close()

    async def scenario() -> None:
        async with running(house) as (server, _):
            port = WatchPort(Metrics(server))
            _, number = await port.open("127.0.0.1", 0)
            for request, status in (
                (b"GET /ready HTTP/1.1\r\nHost: x\r\n\r\n", b"200"),
                (b"GET /ready?a=b HTTP/1.0\r\n\r\n", b"200"),
                (b"POST /metrics HTTP/1.1\r\n\r\n", b"405"),
                (b"GET /../etc/passwd HTTP/1.1\r\n\r\n", b"404"),
                (b"nonsense\r\n\r\n", b"400"),
                (b"GET / HTTP/1.1\r\nX: " + b"x" * 10_000 + b"\r\n\r\n", b"400"),
            ):
                assert (await raw(number, request)).split(b" ", 2)[1:2] == [status], request
            head = await raw(number, b"HEAD /metrics HTTP/1.1\r\n\r\n")
            assert head.endswith(b"\r\n\r\n")
            # Who says nothing holds a place for a moment, and less when others come: nobody keeps a watcher out.
            with monkeypatch.context() as patch:
                patch.setattr(watch_port, "SECONDS", 60.0)
                silent = [await asyncio.open_connection("127.0.0.1", number) for _ in range(4 * MOST_WATCHERS)]
                assert b"200 OK" in await raw(number, b"GET /ready HTTP/1.1\r\n\r\n")
                assert port.watchers <= MOST_WATCHERS
                for _, writer in silent:
                    writer.close()
                while port.watchers:
                    await asyncio.sleep(0)
                patch.setattr(watch_port, "SECONDS", 0.01)
                assert await raw(number, b"") == b"", "whoever says nothing is let go"
            assert b"200 OK" in await raw(number, b"GET /ready HTTP/1.1\r\n\r\n")
            # A manager that cannot write is alive and not ready.
            server.manager._pause("the disk is full")
            answer = await raw(number, b"GET /ready HTTP/1.1\r\n\r\n")
            assert b"503" in answer.split(b"\r\n")[0]
            assert b"the disk" not in answer, "codes alone"
            assert b"200 OK" in await raw(number, b"GET /health HTTP/1.1\r\n\r\n")
            await port.close()

    asyncio.run(scenario())


def test_a_port_beyond_this_machine_needs_tls(house: House, capsys: pytest.CaptureFixture[str]) -> None:
    serve = ["manager", "serve", house.url, "--keys", str(house.keys), "--listen", "127.0.0.1:0", "--json"]
    assert main([*serve, "--watch", "0.0.0.0:0"]) == 2
    assert json.loads(capsys.readouterr().out)["error"]["faults"][0]["code"] == "tls-needed"
    assert main([*serve, "--log-format", "xml"]) == 2
    assert main([*serve, "--access-log", str(house.folder / "no" / "file")]) == 2


# ---------------------------------------------------------------- text


def test_text_is_exact_and_nothing_in_a_label_breaks_a_line() -> None:
    strange = 'a"b\\c\nd'
    found = exposition([
        MetricFamily("x_dollars", "gauge", "Two\nlines", [Sample("12345678901.234567", {"link": strange})]),
    ])  # fmt: skip
    assert b"12345678901.234567" in found
    (family,) = text_string_to_metric_families(found.decode())
    assert (family.documentation, family.samples[0].labels["link"]) == ("Two\nlines", strange)


def test_a_histogram_counts_each_value_below_its_bound() -> None:
    histogram = Histogram((0.1, 1.0))
    for value in (0.05, 0.1, 0.5, 1.5, 2.0):
        histogram.add(value)
    assert [sample.value for sample in histogram.samples()] == [2, 3, 5, pytest.approx(4.15), 5]


@pytest.fixture
def line() -> logging.LogRecord:
    """A line with a stranger's text in it."""
    made = logging.LogRecord("houseway.test", logging.WARNING, "", 0, "%s came", ('x\n<0>1 "forged"] \x1b[2J',), None)
    made.entry = {"event": "command", "device": 'x"]\n', "codes": ["a", "b"]}
    return made


def test_lines_are_one_line_in_every_format(line: logging.LogRecord) -> None:
    for name in logs.LOG_FORMATS:
        text = logs._FORMATTERS[name]().format(line)
        assert "\n" not in text
        assert "\x1b" not in text
    entry = json.loads(logs._FORMATTERS["json"]().format(line))
    assert (entry["device"], entry["codes"], entry["level"]) == ('x"]\n', ["a", "b"], "WARNING")
    syslog = logs._FORMATTERS["rfc5424"]().format(line)
    pattern = (
        r"<132>1 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z \S+ houseway \d+ houseway\.test "
        r'\[houseway@32473 event="command" device="x\\"\\\]\\\\n" codes="a,b"\] .+'
    )
    assert re.fullmatch(pattern, syslog), syslog


def test_a_log_of_access_that_was_moved_away_is_made_again(tmp_path: Path) -> None:
    file, access = tmp_path / "access.log", logging.getLogger("houseway.access")
    try:
        logs.log_access(str(file), "text")
        access.info("one")
        file.rename(tmp_path / "access.log.1")
        access.info("two")
        assert file.read_text().endswith("two\n")
        assert file.stat().st_mode & 0o777 == 0o600
        with pytest.raises(InputError):
            logs.log_access(str(tmp_path / "no" / "file"))
    finally:
        for handler in access.handlers:
            handler.close()
        access.handlers, access.propagate, access.level = [], True, logging.NOTSET


# ---------------------------------------------------------------- the service manager


def test_systemd_is_told(told: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WATCHDOG_USEC", "20000")

    async def live() -> None:
        living = asyncio.create_task(show_life())
        told.setblocking(False)
        async with asyncio.timeout(60):
            heard = [await asyncio.get_running_loop().sock_recv(told, 100) for _ in range(3)]
        living.cancel()
        assert heard == [b"WATCHDOG=1"] * 3

    asyncio.run(live())
    told.close()
    tell("nobody listens any more")
    monkeypatch.delenv("NOTIFY_SOCKET")
    tell("nobody ever did")


# ---------------------------------------------------------------- what is shipped for it


@pytest.fixture(scope="module")
def families(pattern: House, tmp_path_factory: pytest.TempPathFactory) -> dict[str, MetricFamily]:
    """Every family that a server on SQLite tells."""
    house = pattern.copied(tmp_path_factory.mktemp("measured") / "house")

    class Keeper:
        newest = 1

    async def collected() -> list[MetricFamily]:
        async with running(house) as (server, _):
            return Metrics(server, Keeper(), house.folder / "house.db").collect()  # type: ignore[arg-type]

    return {family.name: family for family in asyncio.run(collected())}


def names_in(expression: str) -> set[str]:
    """The metrics of an expression; a histogram goes by its family."""
    found = re.findall(r"\b(?:houseway|process)_[a-z_]+", expression)
    return {re.sub(r"_(?:bucket|sum|count)$", "", name) for name in found}


def test_dashboard_and_alerts_ask_for_what_is_told(families: dict[str, MetricFamily]) -> None:
    dashboard = json.loads((DEPLOY / "grafana-dashboard.json").read_text())
    expressions = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    places = [tuple(panel["gridPos"].values()) for panel in dashboard["panels"]]
    assert len(places) == len(set(places)) > 10
    assert len({panel["id"] for panel in dashboard["panels"]}) == len(places)
    rules = [
        rule
        for group in yaml.safe_load((DEPLOY / "prometheus-rules.yml").read_text())["groups"]
        for rule in group["rules"]
    ]
    expressions += [rule["expr"] for rule in rules]
    asked = set[str]().union(*map(names_in, expressions))
    assert asked <= families.keys()
    assert len(asked) > 20
    for expression in expressions:
        for label in re.findall(r"by \(([^)]*)\)", expression):
            told = {
                name for metric in names_in(expression) for sample in families[metric].samples for name in sample.labels
            }
            empty = any(not families[metric].samples for metric in names_in(expression))
            assert empty or set(label.split(", ")) <= told | {"instance", "le"}, expression


def test_the_page_lists_every_metric(families: dict[str, MetricFamily]) -> None:
    page = (ROOT / "docs" / "operations.md").read_text()
    listed = set(re.findall(r"^\| `((?:houseway|process)_[a-z_]+)", page, re.MULTILINE))
    assert listed == families.keys()
    assert all(
        family.about and family.name.endswith("_total") == (family.kind == "counter") for family in families.values()
    )


def unit(name: str = "houseway.service") -> dict[str, list[str]]:
    """The settings of a systemd unit, with lines that go on put together."""
    text = re.sub(r"\\\n\s*", "", (DEPLOY / name).read_text())
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE):
        found.setdefault(name, []).append(value)
    return found


def test_unit_and_container_start_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    settings = unit()
    assert int(settings["LimitNOFILE"][0]) >= MOST_CLIENTS + SPARE_FILES
    assert settings["Type"] == ["notify"]
    words: Any = settings["ExecStart"][0].split()[1:]
    container = re.sub(r"\\\n\s*", "", (DEPLOY / "Containerfile").read_text())
    command = json.loads(re.search(r"^CMD (\[.*\])$", container, re.MULTILINE)[1])  # type: ignore[index]
    limit = re.search(r"--ulimit nofile=(\d+)", container)
    assert limit is not None
    assert int(limit[1]) >= MOST_CLIENTS + SPARE_FILES
    main(["manager", "serve", "--help"])
    offered = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    for line in (words, command):
        assert line[:2] == ["manager", "serve"]
        assert {word for word in line if word.startswith("--")} <= offered
    health = re.search(r"127\.0\.0\.1:(\d+)/ready", container)
    assert health is not None
    assert f"127.0.0.1:{health[1]}" in command


def test_the_backup_unit_makes_a_backup(house: House, tmp_path: Path) -> None:
    """What the unit has the shell do, with the folders of this test."""
    (line,) = unit("houseway-backup.service")["ExecStart"]
    command = re.fullmatch(r"/bin/sh -c '(.*)'", line)
    assert command is not None
    script = command[1].replace("%%", "%").replace("/opt/houseway/bin/houseway", f"{sys.executable} -m houseway")
    for path, own in (
        ("/var/lib/houseway/house.db", house.folder / "house.db"),
        ("/etc/houseway/keys", house.keys),
        ("/var/backups/houseway", tmp_path / "backups"),
    ):
        assert path in script
        script = script.replace(path, str(own))
    (tmp_path / "backups").mkdir()
    subprocess.run(["/bin/sh", "-c", script], check=True, capture_output=True)
    (made,) = (tmp_path / "backups").iterdir()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d{4}", made.name)
    assert (made / "manifest.json").is_file()
