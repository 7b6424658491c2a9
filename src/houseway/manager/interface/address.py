"""Where a manager is, and which certificate to trust there."""

from __future__ import annotations

import ssl
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from houseway.errors import InputError

DEFAULT_PORT: Final = 7300


def read_address(text: str, path: str = "manager") -> tuple[str, int]:
    """Host and port of an address such as 127.0.0.1:7300, [::1]:7300 or localhost.

    >>> read_address("[::1]:7400"), read_address("pit.example")
    (('::1', 7400), ('pit.example', 7300))
    """
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port if parts.port is not None else DEFAULT_PORT
    except ValueError:
        host, port, parts = None, 0, None
    if parts is None or not host or parts.netloc != text or "@" in text:
        raise InputError.of(
            "bad-address", path, f"{text[:80]!r} is not an address: write host:port, as in 127.0.0.1:7300"
        )
    return host, port


def tls_client(ca: str | Path | None) -> ssl.SSLContext | None:
    """What a client needs to trust a server; None without TLS."""
    if ca is None:
        return None
    try:
        return ssl.create_default_context(cafile=ca)
    except OSError as error:
        raise InputError.of("unreadable-file", "tls-ca", f"{str(ca)[:200]} holds no certificate: {error}") from None
