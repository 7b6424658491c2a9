"""A house's own authority: it signs the certificates of servers and devices, and renews them.

The authority is a folder that stays with whoever may let machines in; no server needs it to run. A machine makes its
own key and a request (`certificate_requests.py`), so that no key of a machine ever travels.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.types import CertificatePublicKeyTypes
from cryptography.hazmat.primitives.serialization import Encoding, load_pem_private_key
from cryptography.x509.oid import ExtendedKeyUsageOID

from houseway.certificates.pem_files import (
    check_alone,
    key_text,
    names_of,
    new_key,
    read_certificate,
    write_new,
)
from houseway.errors import InputError

KEY: Final = "authority.key"
CERTIFICATE: Final = "authority.pem"
YEARS: Final = 10
DAYS: Final = 90
"""How long a certificate holds unless somebody says otherwise."""
MOST_DAYS: Final = 825
LONGEST_NAME: Final = 64
"""Characters that a common name may have."""
_BACKDATED: Final = dt.timedelta(minutes=5)
"""Clocks of a house differ a little: a certificate that was just signed holds everywhere at once."""
_SERVER, _DEVICE = ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH

Clock = Callable[[], dt.datetime]


@dataclass(frozen=True)
class CertificateAuthority:
    """The key and the certificate by which a house vouches for its machines."""

    key: ec.EllipticCurvePrivateKey
    certificate: x509.Certificate
    clock: Clock

    @classmethod
    def begin(cls, folder: Path, name: str, clock: Clock) -> CertificateAuthority:
        """Draw the key of a new authority into a folder of its own."""
        if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
            message = f"name the house in 1 to {LONGEST_NAME} printable characters"
            raise InputError.of("bad-name", "name", message)
        key, now = new_key(), clock()
        own = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, f"{name.strip()}")])
        made = (
            x509.CertificateBuilder()
            .subject_name(own)
            .issuer_name(own)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _BACKDATED)
            .not_valid_after(now + dt.timedelta(days=365 * YEARS))
            .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
            .add_extension(_usage(signs_certificates=True), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .sign(key, hashes.SHA256())
        )
        write_new(
            {folder / KEY: key_text(key), folder / CERTIFICATE: made.public_bytes(Encoding.PEM)},
            "folder",
            "an authority in that folder is never overwritten: name another folder",
        )
        return cls(key, made, clock)

    @classmethod
    def open(cls, folder: Path, clock: Clock) -> CertificateAuthority:
        """The authority in a folder; refused where others can read its key."""
        path = folder / KEY
        check_alone(path, "folder")
        try:
            key = load_pem_private_key(path.read_bytes(), None)
        except (OSError, ValueError) as error:
            message = f"{path} holds no key of an authority ({error}): begin one with houseway tls authority"
            raise InputError.of("unreadable-file", "folder", message) from None
        certificate = read_certificate(folder / CERTIFICATE, "folder")
        if not isinstance(key, ec.EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
            message = f"{path} and {CERTIFICATE} do not belong together: restore the folder as it was"
            raise InputError.of("wrong-keys", "folder", message)
        return cls(key, certificate, clock)

    def sign(self, request: x509.CertificateSigningRequest, days: int = DAYS) -> x509.Certificate:
        """The certificate that a machine's request asks for: of a server if it names hosts, else of a device."""
        if not request.is_signature_valid:
            message = "the request is not signed with its own key: make it again with houseway tls request"
            raise InputError.of("wrong-request", "request", message)
        hosts = names_of(request.extensions)
        return self._signed(request.subject, hosts, request.public_key(), days)

    def renew(self, old: x509.Certificate, days: int = DAYS) -> x509.Certificate:
        """Another certificate for the same machine, names and key, from now on."""
        self.check_own(old)
        return self._signed(old.subject, names_of(old.extensions), old.public_key(), days)

    def check_own(self, certificate: x509.Certificate) -> None:
        """Refuse a certificate that this authority has not signed."""
        try:
            certificate.verify_directly_issued_by(self.certificate)
        except (ValueError, TypeError, InvalidSignature):
            message = "another authority signed this certificate: renew it there, or sign a new request here"
            raise InputError.of("wrong-authority", "certificate", message) from None

    def _signed(
        self, subject: x509.Name, hosts: x509.SubjectAlternativeName | None, key: CertificatePublicKeyTypes, days: int
    ) -> x509.Certificate:
        if not 1 <= days <= MOST_DAYS:
            raise InputError.of("bad-amount", "days", f"a certificate holds 1 to {MOST_DAYS} days")
        now = self.clock()
        ends = min(now + dt.timedelta(days=days), self.certificate.not_valid_after_utc)
        if ends <= now:
            message = "the authority's own certificate has ended: begin another one, and give its certificate out"
            raise InputError.of("authority-ended", "folder", message)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self.certificate.subject)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - _BACKDATED)
            .not_valid_after(ends)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_usage(signs_certificates=False), critical=True)
            .add_extension(x509.ExtendedKeyUsage([_DEVICE if hosts is None else _SERVER]), critical=False)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self.key.public_key()), critical=False)
        )
        if hosts is not None:
            builder = builder.add_extension(hosts, critical=False)
        return builder.sign(self.key, hashes.SHA256())


def _usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates, content_commitment=False, key_encipherment=False,
        data_encipherment=False, key_agreement=False, key_cert_sign=signs_certificates, crl_sign=signs_certificates,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
