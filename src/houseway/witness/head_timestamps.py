"""Timestamps of third parties on signed heads (RFC 3161): when a head was there, on the word of somebody else.

A timestamp authority signs the digest of a head's text with its own clock. The text is what the log and all witnesses
sign, so a timestamp also holds for a head that gets cosignatures later. The program `openssl` makes requests and
verifies replies; nothing here is sent anywhere unless the address of an authority is named.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from houseway.errors import InputError, MissingPartError, present
from houseway.proofs.tree_heads import SignedHead

MOST_BYTES: Final = 1 << 20
"""Of a reply; a usual one has some thousand."""
_SECONDS: Final = 30
_TIME: Final = re.compile(r"^Time stamp: (\w{3}) +(\d+) (\d\d:\d\d:\d\d)(?:\.\d+)? (\d{4}) GMT$", re.MULTILINE)
_FIELDS: Final = {"serial": "Serial number", "policy": "Policy OID", "authority": "TSA"}


class HeadTimestamp(NamedTuple):
    """What an authority says about a head."""

    at: int
    """When the head was there, in seconds since 1970 by the authority's clock; fractions are left out."""
    authority: str
    """The name in the timestamp, or `unspecified`."""
    policy: str
    serial: str


def request_for(signed: SignedHead) -> bytes:
    """The request to timestamp a head, to be sent to an authority or carried there."""
    return _openssl(["-query", "-digest", _digest(signed), "-sha256", "-cert"])


def ask_authority(url: str, request: bytes) -> bytes:
    """The reply of an authority at an address; refused if it cannot be reached or answers with something else."""
    if urlsplit(url).scheme not in ("http", "https"):
        raise InputError.of("bad-timestamp", "authority", f"{url[:200]!r} is not an address: begin it with https://")
    headers = {"Content-Type": "application/timestamp-query", "Accept": "application/timestamp-reply"}
    try:
        with urlopen(Request(url, request, headers), timeout=_SECONDS) as answer:  # noqa: S310 - the scheme was checked
            reply: bytes = answer.read(MOST_BYTES + 1)
    except (URLError, OSError, ValueError) as error:
        message = f"the authority at {url[:200]} does not answer ({error}): try again, or carry the request there"
        raise InputError.of("authority-away", "authority", message) from None
    if not 0 < len(reply) <= MOST_BYTES:
        raise InputError.of("bad-timestamp", "authority", f"{url[:200]} answers with something that is no timestamp")
    return reply


def check_timestamp(signed: SignedHead, reply: bytes, trusted: Path, untrusted: Path | None = None) -> HeadTimestamp:
    """What a reply says about a head; refused unless it is of this head, by an authority that `trusted` vouches for.

    `trusted` holds certificates in PEM; `untrusted` those between them and the authority's own, if the reply lacks any.
    """
    for path, name in ((trusted, "ca"), (untrusted, "untrusted")):
        if path is not None and not path.is_file():
            raise InputError.of("unreadable-file", name, f"{path} is not there: name a file with certificates (PEM)")
    with tempfile.TemporaryDirectory(prefix="houseway-timestamp-") as folder:
        file = Path(folder) / "reply.tsr"
        file.write_bytes(reply)
        chain = [] if untrusted is None else ["-untrusted", str(untrusted.resolve())]
        given = ["-in", str(file), "-digest", _digest(signed), "-CAfile", str(trusted.resolve()), *chain]
        _openssl(["-verify", *given])
        text = _openssl(["-reply", "-in", str(file), "-text"]).decode(errors="replace")
    return _read(text)


def _digest(signed: SignedHead) -> str:
    return sha256(signed.head.text().encode()).hexdigest()


def _openssl(words: Sequence[str]) -> bytes:
    """Run `openssl ts`; what it refuses is refused with its own reason."""
    program = shutil.which("openssl")
    if program is None:
        raise MissingPartError("timestamps need the program openssl: install it (apt-get install openssl)")
    try:
        done = subprocess.run([program, "ts", *words], capture_output=True, check=False, timeout=_SECONDS)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise InputError.of("bad-timestamp", "reply", "openssl did not come to an end: the reply is damaged") from None
    if done.returncode != 0:
        raise InputError.of("bad-timestamp", "reply", f"openssl refuses it: {_reason(done.stderr + done.stdout)}")
    return done.stdout


def _reason(said: bytes) -> str:
    """The first line in which openssl says what is wrong, without its numbers and source files."""
    lines = [line for line in said.decode(errors="replace").splitlines() if ":error:" in line]
    parts = lines[0].split(":") if lines else ["verification failed"]
    told = [part for part in parts if " " in part and not part.endswith("routines")]
    return "; ".join(dict.fromkeys(told)) or parts[-1]


def _read(text: str) -> HeadTimestamp:
    """The time and the names in a reply that was verified."""
    time = present(_TIME.search(text), "time in a timestamp")
    at = datetime.strptime(f"{time[1]} {time[2]} {time[3]} {time[4]}", "%b %d %H:%M:%S %Y").replace(tzinfo=UTC)
    found = {}
    for field, name in _FIELDS.items():
        match = re.search(rf"^{name}: (.*)$", text, re.MULTILINE)
        found[field] = "unspecified" if match is None else match[1].strip()
    return HeadTimestamp(int(at.timestamp()), found["authority"], found["policy"], found["serial"])
