"""Certificates in use: servers and devices prove themselves to each other, and a renewal needs no restart."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import ssl
import urllib.request
from pathlib import Path

import pytest
from cryptography.x509 import load_pem_x509_certificate

from houseway.certificates.server_tls import ServerTls
from houseway.errors import InputError
from houseway.manager.interface.access import ManagerAccess
from houseway.manager.interface.client import ManagerClient
from houseway.manager.interface.contract import ManagerAwayError
from houseway.manager.server import certificate_watch
from houseway.manager.server.alerts import Alerts
from houseway.manager.server.certificate_watch import CertificateWatch
from houseway.manager.server.server import Server
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.keys import load_keys
from tests.certificates.test_authority import HOSTS, signed, tls
from tests.manager.server.house import House, secret
from tests.manager.server.processes import Served
from tests.manager.server.running import recorded


@pytest.fixture
def papers(tmp_path: Path) -> Path:
    """An authority, a server's certificate, and those of two devices."""
    assert tls("authority", tmp_path / "authority", "--name", "The Card Room").code == 0
    signed(tmp_path, "manager", *HOSTS)
    for device in ("SVC-1", "SIGN-1"):
        signed(tmp_path, device, "--device", device)
    return tmp_path


def connected(port: int, papers: Path, device: str, certificate: str | None) -> ManagerClient:
    cert, key = (None, None) if certificate is None else (papers / f"{certificate}.pem", papers / f"{certificate}.key")
    access = ManagerAccess.at(
        f"127.0.0.1:{port}", device, secret(device), tls_ca=papers / "authority/authority.pem", device_cert=cert,
        device_key=key, answer_seconds=20,
    )  # fmt: skip
    return ManagerClient.connect(access, sessions={})


def test_only_a_device_with_its_own_certificate_and_secret_gets_in(house: House, papers: Path) -> None:
    authority = str(papers / "authority/authority.pem")
    own = (
        "--tls-cert",
        str(papers / "manager.pem"),
        "--tls-key",
        str(papers / "manager.key"),
        "--tls-devices",
        authority,
    )
    with Served(house, *own, "--watch", "127.0.0.1:0") as served:
        with connected(served.port, papers, "SVC-1", "SVC-1") as client:
            assert client.request({"ask": "health"})["state"] == "serving"
        with pytest.raises(ManagerAwayError):
            connected(served.port, papers, "SVC-1", None)
        with pytest.raises(InputError) as caught:
            connected(served.port, papers, "SVC-1", "SIGN-1")
        assert [fault.code for fault in caught.value.faults] == ["wrong-certificate"]
        stranger = papers / "stranger"
        tls("authority", stranger / "authority", "--name", "The Card Room")
        signed(stranger, "SVC-1", "--device", "SVC-1")
        for name in ("SVC-1.pem", "SVC-1.key"):
            (papers / f"foreign-{name}").write_bytes((stranger / name).read_bytes())
        with pytest.raises(ManagerAwayError):
            connected(served.port, papers, "SVC-1", "foreign-SVC-1")
        # Who only watches needs none.
        trusting = ssl.create_default_context(cafile=authority)
        with urllib.request.urlopen(
            f"https://127.0.0.1:{served.watch_port}/health", context=trusting, timeout=20
        ) as answer:
            assert json.load(answer)["state"] == "serving"
        assert served.end() == 0
    (attempt,) = [one for one in recorded(house) if one["faults"][0]["code"] == "wrong-certificate"]
    assert attempt["actor"] == "device:SVC-1"


def serial(port: int, papers: Path) -> int:
    """Of the certificate that the server shows now."""
    text = ssl.get_server_certificate(("127.0.0.1", port), ca_certs=str(papers / "authority/authority.pem"), timeout=20)
    return load_pem_x509_certificate(text.encode()).serial_number


def test_a_renewed_certificate_is_taken_over_and_a_bad_one_is_not(papers: Path) -> None:
    serving, alerts = ServerTls(papers / "manager.pem", papers / "manager.key"), Alerts()
    watch = CertificateWatch(serving, alerts)
    watch.look()
    assert alerts.current(wall_micros()) == []
    assert not serving.refresh()
    ends_at = serving.ends_at
    assert tls("renew", papers / "authority", papers / "manager.pem", "--within", "91", "--days", "5").code == 0
    watch.look()
    assert serving.ends_at < ends_at
    assert [alert["code"] for alert in alerts.current(wall_micros())] == ["certificate-ends"]
    assert tls("renew", papers / "authority", papers / "manager.pem", "--days", "60").code == 0
    watch.look()
    assert serving.ends_at - dt.datetime.now(dt.UTC) > dt.timedelta(days=59)
    good = serving.ends_at
    (papers / "manager.pem").write_bytes((papers / "SVC-1.pem").read_bytes())
    watch.look()
    codes = [alert["code"] for alert in alerts.current(wall_micros())]
    assert "certificate-unusable" in codes
    assert serving.ends_at == good
    (papers / "manager.pem").unlink()
    watch.look()
    assert serving.ends_at == good


def test_a_server_shows_the_renewed_certificate_without_a_restart(
    house: House, papers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(certificate_watch, "LOOK_SECONDS", 0.05)
    serving = ServerTls(papers / "manager.pem", papers / "manager.key")

    async def check() -> None:
        manager = house.open()
        server = Server(manager, "test", load_keys(house.keys).fingerprint)
        _, port = await server.start("127.0.0.1", 0, serving.context)
        watching = asyncio.create_task(CertificateWatch(serving, server.alerts).run())
        try:
            before = await asyncio.to_thread(serial, port, papers)
            tls("renew", papers / "authority", papers / "manager.pem", "--within", "91")
            async with asyncio.timeout(60):
                while await asyncio.to_thread(serial, port, papers) == before:
                    await asyncio.sleep(0.02)
        finally:
            watching.cancel()
            await server.close()
            manager.close()

    asyncio.run(check())


@pytest.mark.parametrize("missing", ["ca", "key"])
def test_a_device_s_certificate_needs_its_key_and_an_authority(papers: Path, missing: str) -> None:
    authority = None if missing == "ca" else papers / "authority/authority.pem"
    key = None if missing == "key" else papers / "SVC-1.key"
    with pytest.raises(InputError) as caught:
        ManagerAccess.at(
            "127.0.0.1:1", "SVC-1", "x", tls_ca=authority, device_cert=papers / "SVC-1.pem", device_key=key
        )
    assert [fault.code for fault in caught.value.faults] == ["missing-argument"]
