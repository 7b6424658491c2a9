"""What a server proves itself with, read again when its files change: a renewed certificate needs no restart."""

from __future__ import annotations

import datetime as dt
import ssl
from pathlib import Path
from typing import Final

from houseway.certificates.pem_files import read_certificate
from houseway.errors import InputError

LOOK_SECONDS: Final = 30.0
"""How often a server looks whether its certificate was renewed."""
REMINDER: Final = dt.timedelta(days=14)
"""How long before a certificate ends somebody is told."""


class ServerTls:
    """The certificate of a server with its key, and the authority whose devices may connect, if only such may."""

    def __init__(self, certificate: Path, key: Path, devices: Path | None = None) -> None:
        """Read the files; `InputError` where they cannot be used."""
        self.certificate = certificate
        self.key = key
        self._devices = devices
        self._state = self._seen()
        self.context = self._loaded(asks_devices=True)
        """For devices: they show a certificate too where an authority for them is named."""
        self.open_context = self._loaded(asks_devices=False)
        """For whoever only watches."""
        self.ends_at = read_certificate(certificate, "tls-cert").not_valid_after_utc

    @property
    def asks_devices(self) -> bool:
        """Whether devices prove themselves by a certificate too."""
        return self._devices is not None

    def refresh(self) -> bool:
        """Take over files that have changed; whether they had. `InputError` leaves what is in use as it was."""
        state = self._seen()
        if state == self._state:
            return False
        # A pair that does not fit would spoil a context in use: it is tried on another one first.
        self._loaded(asks_devices=True)
        for context in (self.context, self.open_context):
            context.load_cert_chain(self.certificate, self.key)
        self.ends_at = read_certificate(self.certificate, "tls-cert").not_valid_after_utc
        self._state = state
        return True

    def _seen(self) -> tuple[tuple[int, int, int], ...]:
        found = []
        for path in (self.certificate, self.key):
            try:
                status = path.stat()
            except OSError as error:
                message = f"{str(path)[:200]} cannot be read: {error.strerror}"
                raise InputError.of("unreadable-file", "tls-cert", message) from None
            found.append((status.st_mtime_ns, status.st_ino, status.st_size))
        return tuple(found)

    def _loaded(self, *, asks_devices: bool) -> ssl.SSLContext:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        try:
            context.load_cert_chain(self.certificate, self.key)
        except OSError as error:
            raise InputError.of("unreadable-file", "tls-cert", f"certificate and key cannot be used: {error}") from None
        if asks_devices and self._devices is not None:
            context.verify_mode = ssl.CERT_REQUIRED
            try:
                context.load_verify_locations(self._devices)
            except OSError as error:
                message = f"{str(self._devices)[:200]} holds no certificate of an authority: {error}"
                raise InputError.of("unreadable-file", "tls-devices", message) from None
        return context
