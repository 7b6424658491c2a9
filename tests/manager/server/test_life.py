"""The life of a server process: the check before it listens, an orderly end, a power cut, a store that goes away."""

from __future__ import annotations

import http.client
import json
import os
import random
import resource
import signal
import ssl
import subprocess
import sys
import threading
import time
import urllib.request
import zipfile
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from houseway.errors import InputError
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.client import ManagerClient
from houseway.manager.interface.contract import ManagerAwayError, RefusedError
from houseway.manager.interface.requests import command_of
from houseway.manager.server.server import MOST_CLIENTS
from houseway.manager.server.server_process import SPARE_FILES, ServerSetup, run
from houseway.manager.store.marks import read_anchor
from tests.manager.floors import DEALER, OTHER_DEALER
from tests.manager.server.house import House, session
from tests.manager.server.processes import Served
from tests.manager.server.raw import Raw

START = {"kind": "round.start", "table": "T1", "sensors": {"1": [1, 3]}}


def events_of(house: House) -> list[Any]:
    """All events of a journal whose servers have ended; opening it checks the chain."""
    found: list[Any] = []
    with house.open() as manager:
        manager.subscribe(found.extend, after=0)
    return found


def test_an_orderly_end_answers_what_is_in_hand_and_notes_how_far_the_journal_came(house: House) -> None:
    with Served(house) as served, Raw(served.port) as raw:
        raw.hello()
        for number in range(200):
            do = {"kind": "sensor.set", "table": "T1", "sensor": "1", "seat": 1, "lit": number % 2 == 0}
            raw.send(
                {"id": number, "command": {"key": f"k{number}", "actor": DEALER, "session": session(DEALER), "do": do}}
            )
        raw.read()
        served.process.send_signal(signal.SIGTERM)
        last, answers = {}, []
        while message := raw.read():
            last = message
            if "answer" in message:
                answers.append(message["answer"]["seq"])
        assert served.process.wait(20) == 0
        assert last["error"]["faults"][0]["code"] == "server-ending"
    anchor = read_anchor(house.keys)
    assert anchor is not None
    events = events_of(house)
    assert {event.seq for event in events if event.key.startswith("k")} >= set(answers)
    assert anchor.seq >= max(answers)
    assert events[anchor.seq - 1].hash == anchor.hash


def test_ctrl_c_ends_in_order_too(house: House) -> None:
    with Served(house) as served:
        served.process.send_signal(signal.SIGINT)
        assert served.process.wait(20) == 0
        assert "ended in order" in served.log.read_text()


def test_a_start_is_on_record_with_the_fingerprints_in_force(house: House) -> None:
    """The same ones whoever starts, a server or a command on the database, and those that health tells."""
    with Served(house) as served:
        with served.client() as client:
            health = client.request({"ask": "health"})
        served.end()
    started = [json.loads(event.body)["do"] for event in events_of(house) if event.kind == "system.started"]
    served_at, at_hand = started[-2:]
    assert at_hand["fingerprints"] == served_at["fingerprints"]
    assert health["in_force"].items() <= served_at["fingerprints"].items()
    assert served_at["version"]
    assert {"paytables", "signing-key", "software/manager", "game/fortune"} <= set(served_at["fingerprints"])


@pytest.mark.slow
def test_after_power_cuts_every_answered_command_is_there_once(house: House) -> None:
    luck = random.Random(7)
    answered: dict[str, int] = {}
    rounds = {"T1": (DEALER, 0), "T2": (OTHER_DEALER, 0)}
    for cut in range(3):
        with Served(house) as served:
            stop = threading.Event()
            threads = [
                threading.Thread(target=_play, args=(served, table, dealer, cut, answered, stop))
                for table, (dealer, _) in rounds.items()
            ]
            for thread in threads:
                thread.start()
            time.sleep(0.3 + luck.random())
            served.kill()
            stop.set()
            for thread in threads:
                thread.join()
    events = events_of(house)
    by_key = {event.key: event.seq for event in events}
    assert len(answered) > 20
    assert {key: by_key.get(key) for key in answered} == answered
    assert len(by_key) == len(events)


def _play(served: Served, table: str, dealer: str, cut: int, answered: dict[str, int], stop: threading.Event) -> None:
    """Play rounds until the server goes, noting what was answered."""
    number = 0
    try:
        with served.client(answer_seconds=3) as client:
            while not stop.is_set():
                round_ = client.request({"ask": "table", "table": table})["table"]["round"]
                do = {"kind": "round.end", "round": round_} if round_ else {**START, "table": table}
                key = f"{table}/{cut}/{number}"
                number += 1
                answered[key] = client.send(command_of(do), actor=dealer, key=key).seq
    except (ManagerAwayError, OSError):
        return


@pytest.mark.slow
def test_a_store_that_goes_away_pauses_the_server_and_comes_back(house: House) -> None:
    database, aside = house.folder / "house.db", house.folder / "aside.db"
    with Served(house) as served, Raw(served.port) as raw, served.client() as client:
        raw.hello("SIGN-1")
        database.rename(aside)
        with pytest.raises(RefusedError) as caught:
            client.send(command_of(START), actor=DEALER, key="k1")
        assert (caught.value.code, caught.value.retry) == ("store-unavailable", True)
        beat: dict[str, Any] = {}
        while beat.get("state") != "paused":
            beat = raw.read().get("heartbeat", {})
        assert str(database) in beat["faults"][0]["message"]
        assert client.request({"ask": "health"})["state"] == "paused"
        with pytest.raises(RefusedError) as caught:
            client.request({"ask": "tables"})
        assert caught.value.retry
        with Raw(served.port) as late:
            assert "welcome" in late.hello(), "whoever asks how the manager is gets in"
        aside.rename(database)
        carried = client.send(command_of(START), actor=DEALER, key="k1", retry_for=10)
        assert carried.answer.round == "T1-1"
        while raw.read().get("heartbeat", {}).get("state") != "serving":
            pass


def test_it_may_hold_as_many_files_as_it_takes_clients(house: House) -> None:
    """Started with the few files that systems give by default."""
    needed = MOST_CLIENTS + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(256, soft), hard))
    try:
        served = Served(house)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    with served:
        limits = Path(f"/proc/{served.process.pid}/limits").read_text()
        (line,) = [line for line in limits.splitlines() if line.startswith("Max open files")]
        assert int(line.split()[3]) == (needed if hard == resource.RLIM_INFINITY else min(needed, hard))


# ---------------------------------------------------------------- before it listens


def refused(house: House, **changes: Any) -> list[str]:
    setup = {"database": house.url, "keys": house.keys, "host": "127.0.0.1", "port": 0, **changes}
    with pytest.raises(InputError) as caught:
        run(ServerSetup(**setup), lambda host, port: pytest.fail("it listens"))
    return [fault.code for fault in caught.value.faults]


def test_a_damaged_journal_is_not_served(house: House) -> None:
    database = house.folder / "house.db"
    data = database.read_bytes()
    assert b'"name":"Example Card Room"' in data
    database.write_bytes(data.replace(b'"name":"Example Card Room"', b'"name":"Another Card Room"'))
    assert refused(house) == ["journal-damaged"]


def test_an_empty_database_is_not_served(house: House, tmp_path: Path) -> None:
    assert refused(house, database=f"sqlite:///{tmp_path / 'other.db'}") == ["journal-missing"]


def test_without_tls_nobody_listens_beyond_this_machine(house: House) -> None:
    assert refused(house, host="0.0.0.0") == ["tls-needed"]
    assert refused(house, host="pit.example") == ["tls-needed"]


def test_a_taken_port_is_told(house: House) -> None:
    with Served(house) as served, served.client() as client:
        before = client.request({"ask": "health"})["seq"]
        assert refused(house, port=served.port) == ["bad-address"]
        # It has not started, so nothing says that it has.
        assert client.request({"ask": "health"})["seq"] == before
    assert refused(house, host="no.such.host.invalid", plain_network=True) == ["bad-address"]


def test_a_file_that_never_was_a_database_is_told_as_such(house: House, tmp_path: Path) -> None:
    (tmp_path / "desk.secret").write_text("x" * 32)
    assert refused(house, database=f"sqlite:///{tmp_path / 'desk.secret'}") == ["no-journal"]


def test_a_database_that_cannot_be_opened_promises_nothing_about_commands(house: House, tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    setup = ServerSetup(f"sqlite:///{tmp_path / 'folder.db'}", house.keys, "127.0.0.1", 0)
    with pytest.raises(InputError) as caught:
        run(setup, lambda host, port: pytest.fail("it listens"))
    assert caught.value.faults[0].code == "database-open"
    assert "repeating the command" not in str(caught.value)


@pytest.mark.slow
def test_a_changed_program_is_not_served(house: House, tmp_path: Path) -> None:
    """An installed copy of the program, of which one file was changed afterwards."""
    site = tmp_path / "site"
    source = Path(__file__).resolve().parents[3]
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(source)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    # Unpacked, a wheel is an installed program with the list of its files.
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    serve = [sys.executable, "-m", "houseway", "manager", "serve", house.url, "--keys", str(house.keys), "--json"]
    environment = {**os.environ, "PYTHONPATH": str(site)}
    changed = site / "houseway" / "definitions" / "clauses.py"
    changed.write_text(changed.read_text() + "# changed\n")
    run_ = subprocess.run(serve, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert run_.returncode == 2
    faults = json.loads(run_.stdout)["error"]["faults"]
    assert [(fault["code"], fault["path"]) for fault in faults] == [
        ("program-damaged", "houseway/definitions/clauses.py")
    ]


# ---------------------------------------------------------------- TLS


def certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "manager")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    cert, private = folder / "cert.pem", folder / "key.pem"
    cert.write_bytes(made.public_bytes(Encoding.PEM))
    private.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return cert, private


def test_with_tls_the_server_proves_itself(house: House, tmp_path: Path) -> None:
    cert, key = certificate(tmp_path)
    with Served(house, "--tls-cert", str(cert), "--tls-key", str(key), "--watch", "127.0.0.1:0") as served:
        trusting = ssl.create_default_context(cafile=str(cert))
        with served.client(tls=trusting) as client:
            assert client.send(command_of(START), actor=DEALER).answer.round == "T1-1"
        watched = f"127.0.0.1:{served.watch_port}/ready"
        with urllib.request.urlopen(f"https://{watched}", context=trusting, timeout=10) as answer:
            assert json.load(answer)["state"] == "serving"
        with pytest.raises(OSError, match="certificate verify failed"):
            urllib.request.urlopen(f"https://{watched}", timeout=10)
        with pytest.raises((OSError, http.client.HTTPException)):
            urllib.request.urlopen(f"http://{watched}", timeout=10)
        with pytest.raises(ManagerAwayError):
            served.client(tls=ssl.create_default_context())
        with pytest.raises(ManagerAwayError):
            ManagerClient.connect(ManagerAccess.at(served.address, "SVC-1", "x", answer_seconds=1))
