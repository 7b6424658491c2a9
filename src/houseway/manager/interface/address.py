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


def tls_client(
    ca: str | Path | None, certificate: str | Path | None = None, key: str | Path | None = None
) -> ssl.SSLContext | None:
    """What a client needs to trust a server, and to prove itself where it has a certificate; None without TLS."""
    if (certificate is None) is not (key is None) or (certificate is not None and ca is None):
        message = "a device's certificate needs its key and, for the server, the authority to trust: give all three"
        raise InputError.of("missing-argument", "device-cert", message)
    if ca is None:
        return None
    try:
        context = ssl.create_default_context(cafile=ca)
    except OSError as error:
        raise InputError.of("unreadable-file", "tls-ca", f"{str(ca)[:200]} holds no certificate: {error}") from None
    if certificate is not None:
        try:
            context.load_cert_chain(certificate, key)
        except OSError as error:
            message = f"certificate and key of the device cannot be used: {error}"
            raise InputError.of("unreadable-file", "device-cert", message) from None
    return context
