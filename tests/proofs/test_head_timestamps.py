"""Timestamps on signed heads, by an authority that openssl makes here: asked for, carried, checked and refused."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from houseway.cli import main
from houseway.errors import InputError, MissingPartError
from houseway.manager.store.keys import create_keys
from houseway.proofs.notes import LOG_KEY, NoteKey, SignedNote, sign_note
from houseway.proofs.tree_heads import SignedHead, TreeHead, read_head
from houseway.witness import head_timestamps
from houseway.witness.head_timestamps import ask_authority, check_timestamp, request_for
from tests.programs import installed

_CONFIG = """
[req]
distinguished_name = name
prompt = no
[name]
CN = {name}
[ca]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[authority]
basicConstraints = CA:FALSE
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = tsa_config
[tsa_config]
serial = {folder}/serial
signer_digest = sha256
default_policy = 1.3.6.1.4.1.32473.7
digests = sha256
accuracy = secs:1
ess_cert_id_alg = sha256
tsa_name = yes
"""


@dataclass(frozen=True)
class Authority:
    """A timestamp authority with certificates of its own."""

    folder: Path

    @property
    def ca(self) -> Path:
        return self.folder / "ca.pem"

    def reply(self, request: bytes) -> bytes:
        """What it answers."""
        (self.folder / "query.tsq").write_bytes(request)
        signer = ["-signer", "authority.pem", "-inkey", "authority.key", "-chain", "ca.pem"]
        openssl(
            self.folder, "ts", "-reply", "-queryfile", "query.tsq", *signer, "-config", "config", "-out", "reply.tsr"
        )
        return (self.folder / "reply.tsr").read_bytes()


def openssl(folder: Path, *words: str) -> None:
    done = subprocess.run([installed("openssl"), *words], cwd=folder, capture_output=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr.decode()


def make_authority(folder: Path, name: str) -> Authority:
    folder.mkdir()
    (folder / "serial").write_text("01\n")
    (folder / "config").write_text(_CONFIG.format(folder=folder, name=name))
    new = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-config", "config"]
    openssl(folder, "req", "-x509", *new, "-keyout", "ca.key", "-out", "ca.pem", "-days", "30", "-extensions", "ca")
    openssl(folder, "req", *new, "-keyout", "authority.key", "-out", "authority.csr")
    signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "30"]
    extra = ["-extfile", "config", "-extensions", "authority"]
    openssl(folder, "x509", "-req", "-in", "authority.csr", *signed, *extra, "-out", "authority.pem")
    return Authority(folder)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("tsa") / "one", "Example Time Authority")


def signed_head(folder: Path, size: int = 4188) -> SignedHead:
    keys = create_keys(folder)
    head = TreeHead("room.example/journal", size, bytes(range(32)))
    key = NoteKey(head.origin, LOG_KEY, bytes.fromhex(keys.public))
    line = sign_note(head.text(), key, lambda text: bytes.fromhex(keys.sign(text)))
    return SignedHead(head, SignedNote(head.text(), (line,)))


@pytest.fixture(scope="module")
def head(tmp_path_factory: pytest.TempPathFactory) -> SignedHead:
    return signed_head(tmp_path_factory.mktemp("head") / "keys")


@pytest.fixture
def address(authority: Authority) -> Iterator[str]:
    """The authority behind an address."""

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            assert self.headers["Content-Type"] == "application/timestamp-query"
            reply = authority.reply(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.send_header("Content-Type", "application/timestamp-reply")
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_timestamp_says_when_a_head_was_there(head: SignedHead, authority: Authority) -> None:
    before = int(time.time())
    reply = authority.reply(request_for(head))
    found = check_timestamp(head, reply, authority.ca)
    assert before <= found.at <= time.time()
    assert (found.policy, "Example Time Authority" in found.authority) == ("1.3.6.1.4.1.32473.7", True)
    assert int(found.serial, 16) > 1


def test_cosignatures_leave_a_timestamp_as_it_is(head: SignedHead, authority: Authority, tmp_path: Path) -> None:
    reply = authority.reply(request_for(head))
    witness = create_keys(tmp_path / "witness")
    key = NoteKey("regulator.example/witness", LOG_KEY, bytes.fromhex(witness.public))
    line = sign_note(head.head.text(), key, lambda text: bytes.fromhex(witness.sign(text)))
    cosigned = read_head(head.note.joined([line]).written())
    assert check_timestamp(cosigned, reply, authority.ca) == check_timestamp(head, reply, authority.ca)


def refused(head: SignedHead, reply: bytes, trusted: Path) -> str:
    with pytest.raises(InputError) as error:
        check_timestamp(head, reply, trusted)
    (fault,) = error.value.faults
    assert fault.code == "bad-timestamp"
    return fault.message


def test_a_timestamp_of_another_head_is_refused(head: SignedHead, authority: Authority, tmp_path: Path) -> None:
    other = signed_head(tmp_path / "other", 4189)
    assert "message imprint mismatch" in refused(other, authority.reply(request_for(head)), authority.ca)


def test_an_authority_that_nobody_vouches_for_is_refused(
    head: SignedHead, authority: Authority, tmp_path: Path
) -> None:
    stranger = make_authority(tmp_path / "stranger", "Example Time Authority")
    assert "certificate" in refused(head, stranger.reply(request_for(head)), authority.ca)


@pytest.mark.parametrize("how", ["altered", "shortened", "nothing", "text"])
def test_a_damaged_reply_is_refused(head: SignedHead, authority: Authority, how: str) -> None:
    reply = authority.reply(request_for(head))
    damaged = {
        "altered": reply[:-9] + bytes([reply[-9] ^ 1]) + reply[-8:],
        "shortened": reply[:-20],
        "nothing": b"",
        "text": b"<html>busy</html>",
    }[how]
    refused(head, damaged, authority.ca)


def test_certificates_that_are_not_there_are_named(head: SignedHead, authority: Authority, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.pem is not there"):
        check_timestamp(head, authority.reply(request_for(head)), tmp_path / "nowhere.pem")


def test_without_openssl_it_says_what_to_install(head: SignedHead, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(head_timestamps.shutil, "which", lambda _: None)
    with pytest.raises(MissingPartError, match="install it"):
        request_for(head)


def test_an_authority_at_an_address(head: SignedHead, authority: Authority, address: str) -> None:
    reply = ask_authority(address, request_for(head))
    assert check_timestamp(head, reply, authority.ca).at <= time.time()


@pytest.mark.parametrize(
    ("url", "code"), [("file:///etc/passwd", "bad-timestamp"), ("http://127.0.0.1:9/", "authority-away")]
)
def test_an_address_that_is_none_or_does_not_answer(head: SignedHead, url: str, code: str) -> None:
    with pytest.raises(InputError) as error:
        ask_authority(url, request_for(head))
    assert [fault.code for fault in error.value.faults] == [code]


def test_the_commands(
    head: SignedHead, authority: Authority, address: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, request, reply = tmp_path / "head", tmp_path / "head.tsq", tmp_path / "head.tsr"
    file.write_text(head.note.written(), encoding="utf-8")
    command = ["proof", "timestamp"]
    assert main([*command, "request", str(file), "--to", str(request)]) == 0
    (tmp_path / "carried.tsr").write_bytes(authority.reply(request.read_bytes()))
    trusted = ["--ca", str(authority.ca)]
    assert main([*command, "ask", str(file), "--authority", address, *trusted, "--to", str(reply)]) == 0
    assert "proven: the head of 4188 events of room.example/journal was there at" in capsys.readouterr().out
    for each in (reply, tmp_path / "carried.tsr"):
        assert main([*command, "check", str(file), str(each), *trusted, "--json"]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert (shown["proven"], shown["size"], shown["policy"]) == (True, 4188, "1.3.6.1.4.1.32473.7")
    assert main([*command, "check", str(file), str(request), *trusted]) == 1
    assert "refused: reply: openssl refuses it" in capsys.readouterr().out
    assert main([*command, "ask", str(file), "--authority", address, *trusted, "--to", str(reply)]) == 2
    assert "exists already" in capsys.readouterr().err
