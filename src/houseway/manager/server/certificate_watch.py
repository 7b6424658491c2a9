"""Watches the server's certificate: takes a renewed one over, and tells in time of one that ends."""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
from typing import Final

from houseway.certificates.server_tls import LOOK_SECONDS, REMINDER, ServerTls
from houseway.errors import InputError
from houseway.manager.server.alerts import Alerts
from houseway.manager.store.clock import wall_micros

_STANDS_MICROS: Final = 120_000_000
"""How long an alert stands after the look that found its cause."""
LOG: Final = logging.getLogger("houseway.manager.server")


class CertificateWatch:
    """Looks at the files of a certificate again and again."""

    def __init__(self, tls: ServerTls, alerts: Alerts) -> None:
        """Nothing is looked at yet."""
        self._tls = tls
        self._alerts = alerts

    async def run(self) -> None:
        """Look for ever."""
        while True:
            self.look()
            await asyncio.sleep(LOOK_SECONDS)

    def look(self) -> None:
        """Take over files that have changed, and say what somebody must see to."""
        about = str(self._tls.certificate)
        now = wall_micros()
        try:
            if self._tls.refresh():
                LOG.info("the certificate was renewed: it holds until %s", self._tls.ends_at.date())
        except InputError as error:
            message = f"the renewed certificate cannot be used, and the one before it stays in use: {error}"
            if self._alerts.note("certificate-unusable", about, message, now + _STANDS_MICROS):
                LOG.warning("%s", message)
        left = self._tls.ends_at - dt.datetime.fromtimestamp(now / 1_000_000, dt.UTC)
        if left <= REMINDER:
            ended = "has ended" if left <= dt.timedelta() else "ends"
            message = (
                f"the server's certificate {ended} on {self._tls.ends_at.date()}, and then no device connects: "
                "renew it with houseway tls renew"
            )
            if self._alerts.note("certificate-ends", about, message, now + _STANDS_MICROS):
                LOG.warning("%s", message)
