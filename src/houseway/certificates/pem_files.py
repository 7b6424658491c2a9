"""Keys, requests and certificates in files: read with a reason where they cannot be, written once or in one step."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.types import PublicKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from houseway.errors import InputError


def new_key() -> ec.EllipticCurvePrivateKey:
    """A fresh key that every program that speaks TLS takes."""
    return ec.generate_private_key(ec.SECP256R1())


def key_text(key: ec.EllipticCurvePrivateKey) -> bytes:
    """A key as its file holds it."""
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def fingerprint(key: PublicKeyTypes) -> str:
    """What two people compare to know that they speak of one key."""
    digest = hashlib.sha256(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()
    return f"sha256:{digest}"


def names_of(extensions: x509.Extensions) -> x509.SubjectAlternativeName | None:
    """The hosts that a certificate or a request is for; None for a device."""
    try:
        return extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return None


def hosts_of(certificate: x509.Certificate | x509.CertificateSigningRequest) -> list[str]:
    """The hosts by name; none for a device."""
    found = names_of(certificate.extensions)
    return [] if found is None else [str(name.value) for name in found]


def common_name(certificate: x509.Certificate | x509.CertificateSigningRequest) -> str:
    """The name of the machine."""
    found = certificate.subject.get_attributes_for_oid(x509.NameOID.COMMON_NAME)
    return str(found[0].value) if found else ""


def read_certificate(path: Path, option: str) -> x509.Certificate:
    """The first certificate in a file."""
    try:
        return x509.load_pem_x509_certificate(path.read_bytes())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it holds no certificate"
        raise InputError.of("unreadable-file", option, f"{str(path)[:200]} cannot be used: {reason}") from None


def read_request(path: Path, option: str) -> x509.CertificateSigningRequest:
    """The request in a file."""
    try:
        return x509.load_pem_x509_csr(path.read_bytes())
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it holds no request for a certificate"
        raise InputError.of("unreadable-file", option, f"{str(path)[:200]} cannot be used: {reason}") from None


def check_alone(path: Path, option: str) -> None:
    """Refuse a key that other accounts can read or change."""
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise InputError.of("unreadable-file", option, f"{str(path)[:200]} cannot be read: {error.strerror}") from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InputError.of("keys-open", option, f"others may read or change {path}: chmod 600 {path}")


def write_new(files: Mapping[Path, bytes], option: str, why: str) -> None:
    """Write files that only their owner may read, none of which was there before; all of them or none."""
    written: list[Path] = []
    try:
        for path, content in files.items():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            written.append(path)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
    except OSError as error:
        for path in written:
            path.unlink(missing_ok=True)
        if isinstance(error, FileExistsError):
            raise InputError.of("keys-exist", option, why) from None
        message = f"{str(error.filename)[:200]} cannot be written: {error.strerror}"
        raise InputError.of("unwritable-file", option, message) from None
