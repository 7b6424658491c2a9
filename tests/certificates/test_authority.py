"""The house's own authority: what it signs holds, what it renews goes on, and nobody else's passes."""

from __future__ import annotations

import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.runner import Run, call

HOSTS = ("--host", "localhost", "--host", "127.0.0.1")


def tls(*arguments: str | Path) -> Run:
    return call("tls", *map(str, arguments), "--json")


def signed(folder: Path, name: str, *of: str) -> dict[str, Any]:
    """A certificate for a fresh key in FOLDER/NAME.key, at FOLDER/NAME.pem."""
    asked = tls("request", folder / name, *of).json
    to = folder / f"{name}.pem"
    run = tls("sign", folder / "authority", folder / f"{name}.csr", "--fingerprint", asked["key"], "--to", to)
    assert run.code == 0, run.out
    found: dict[str, Any] = run.json
    return found


@pytest.fixture
def house(tmp_path: Path) -> Path:
    assert tls("authority", tmp_path / "authority", "--name", "The Card Room").code == 0
    return tmp_path


def test_what_it_signs_is_what_openssl_takes(house: Path) -> None:
    server, device = signed(house, "manager", *HOSTS), signed(house, "c-t1", "--device", "C-T1")
    assert (server["name"], server["hosts"]) == ("localhost", ["localhost", "127.0.0.1"])
    assert (device["name"], device["hosts"]) == ("C-T1", [])
    for purpose, name, holds in (
        ("sslserver", "manager", True), ("sslclient", "manager", False),
        ("sslclient", "c-t1", True), ("sslserver", "c-t1", False),
    ):  # fmt: skip
        words = ["openssl", "verify", "-x509_strict", "-purpose", purpose, "-CAfile", house / "authority/authority.pem"]
        run = subprocess.run([*words, house / f"{name}.pem"], capture_output=True, check=False)
        assert (run.returncode == 0) is holds, (purpose, name, run.stderr)


def test_keys_are_their_owner_s_alone_and_never_overwritten(house: Path) -> None:
    signed(house, "manager", *HOSTS)
    keys = [house / "authority/authority.key", house / "manager.key"]
    assert [stat.S_IMODE(key.stat().st_mode) for key in keys] == [0o600, 0o600]
    before = [key.read_bytes() for key in keys]
    assert tls("authority", house / "authority", "--name", "Another").codes == ["keys-exist"]
    assert tls("request", house / "manager", *HOSTS).codes == ["keys-exist"]
    (house / "half.csr").write_text("something else")
    assert tls("request", house / "half", *HOSTS).codes == ["keys-exist"]
    assert not (house / "half.key").exists()
    assert [key.read_bytes() for key in keys] == before
    keys[0].chmod(0o640)
    assert tls("renew", house / "authority", house / "manager.pem").codes == ["keys-open"]


def test_a_request_that_was_exchanged_on_the_way_is_not_signed(house: Path) -> None:
    true = tls("request", house / "c-t1", "--device", "C-T1").json
    tls("request", house / "thief", "--device", "C-T1")
    (house / "c-t1.csr").write_bytes((house / "thief.csr").read_bytes())
    run = tls("sign", house / "authority", house / "c-t1.csr", "--fingerprint", true["key"], "--to", house / "c.pem")
    assert (run.code, run.codes) == (2, ["wrong-request"])
    assert not (house / "c.pem").exists()


def test_renewal_keeps_key_and_names_and_leaves_alone_what_holds(house: Path) -> None:
    old = signed(house, "manager", *HOSTS)
    text = (house / "manager.pem").read_bytes()
    stays = tls("renew", house / "authority", house / "manager.pem").json["certificates"][0]
    assert (stays["renewed"], (house / "manager.pem").read_bytes()) == (False, text)
    (row,) = tls("renew", house / "authority", house / "manager.pem", "--within", "91").json["certificates"]
    assert row["renewed"]
    assert [row[name] for name in ("name", "hosts", "key")] == [old[name] for name in ("name", "hosts", "key")]
    assert (house / "manager.pem").read_bytes() != text
    assert tls("show", house / "manager.pem").code == 0
    assert tls("show", house / "manager.pem", "--within", "91").code == 1


def test_nothing_is_renewed_if_one_of_them_is_another_authority_s(house: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    tls("authority", other / "authority", "--name", "The Card Room")
    signed(other, "foreign", *HOSTS)
    signed(house, "manager", *HOSTS)
    before = (house / "manager.pem").read_bytes()
    run = tls("renew", house / "authority", house / "manager.pem", other / "foreign.pem", "--within", "91")
    assert (run.code, run.codes) == (2, ["wrong-authority"])
    assert (house / "manager.pem").read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("request", "FILE"), "missing-argument"),
        (("request", "FILE", "--host", "a", "--device", "C-T1"), "conflicting-options"),
        (("request", "FILE", "--host", "manager.house:7300"), "bad-address"),
        (("request", "FILE", "--host", "_x"), "bad-address"),
        (("request", "FILE", "--device", " C-T1"), "unknown-device"),
        (("authority", "FILE", "--name", " "), "bad-name"),
        (("sign", "nowhere", "FILE", "--fingerprint", "x", "--to", "y"), "unreadable-file"),
        (("renew", "nowhere", "FILE"), "unreadable-file"),
        (("show", "FILE"), "unreadable-file"),
    ],
)
def test_bad_input_is_told_and_writes_nothing(tmp_path: Path, arguments: tuple[str, ...], code: str) -> None:
    run = tls(*(str(tmp_path / "file") if word == "FILE" else word for word in arguments))
    assert (run.code, run.codes) == (2, [code])
    assert not list(tmp_path.iterdir())
