"""A machine's request for a certificate: its key is drawn where it is used, and stays there."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.serialization import Encoding

from houseway.certificates.house_authority import LONGEST_NAME
from houseway.certificates.pem_files import key_text, new_key, write_new
from houseway.errors import InputError

_LABEL: Final = r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_HOST: Final = re.compile(rf"(?=.{{1,253}}\Z){_LABEL}(\.{_LABEL})*")


def request_for_server(file: Path, hosts: Sequence[str]) -> x509.CertificateSigningRequest:
    """Draw a server's key into FILE.key, and ask for a certificate for these names and addresses in FILE.csr."""
    names = [_host_name(host) for host in hosts]
    return _requested(file, hosts[0][:LONGEST_NAME], x509.SubjectAlternativeName(names))


def request_for_device(file: Path, device: str) -> x509.CertificateSigningRequest:
    """Draw a device's key into FILE.key, and ask for a certificate in its name in FILE.csr."""
    if not device or len(device) > LONGEST_NAME or not device.isprintable() or device.strip() != device:
        message = f"{device[:LONGEST_NAME]!r} is not the id of a device"
        raise InputError.of("unknown-device", "device", message)
    return _requested(file, device, None)


def _host_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        if not _HOST.fullmatch(host):
            message = f"{host[:80]!r} is neither a name nor an address: write manager.house or 10.0.0.5, without a port"
            raise InputError.of("bad-address", "host", message) from None
        return x509.DNSName(host)


def _requested(file: Path, name: str, hosts: x509.SubjectAlternativeName | None) -> x509.CertificateSigningRequest:
    key = new_key()
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    builder = x509.CertificateSigningRequestBuilder().subject_name(subject)
    if hosts is not None:
        builder = builder.add_extension(hosts, critical=False)
    made = builder.sign(key, hashes.SHA256())
    key_file, request_file = file.with_name(f"{file.name}.key"), file.with_name(f"{file.name}.csr")
    write_new(
        {key_file: key_text(key), request_file: made.public_bytes(Encoding.PEM)},
        "file",
        f"{key_file.name} or {request_file.name} is there already, and a key is never overwritten: name another file",
    )
    return made
