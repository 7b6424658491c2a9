"""The dealer's session at this controller: a token drawn at the swipe, kept beside the outbox for this account alone.

Without it nobody acts for the dealer, whoever knows the device's secret. It outlasts a restart of the controller; when
it is lost, the dealer swipes again and the round in play goes on.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import stat
from pathlib import Path
from typing import Final

LOG: Final = logging.getLogger("houseway.manager.controller")


class KeptSession:
    """Who deals here, by a badge that was read here, and the token of that swipe."""

    def __init__(self, path: Path | None = None) -> None:
        """Take over what the file holds; without a file, or with one that others may read, nobody is here."""
        self._path = path
        self.dealer: str | None = None
        self._token: str | None = None
        if path is not None:
            self._read(path)

    def _read(self, path: Path) -> None:
        try:
            if stat.S_IMODE(path.stat().st_mode) & 0o077:
                LOG.warning("%s can be read by others: it is not used, the dealer swipes again", path)
                return
            kept = json.loads(path.read_text(encoding="utf-8"))
            self.dealer, self._token = str(kept["dealer"]), str(kept["session"])
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError, KeyError):
            LOG.warning("%s holds no session that can be read: the dealer swipes again", path)

    def of(self, dealer: str) -> str | None:
        """The token of a dealer's swipe here; None if it was another one's, or is lost."""
        return self._token if self.dealer == dealer else None

    def holds(self, token: object) -> bool:
        """Whether this is the token of the session."""
        return self._token is not None and token == self._token

    def keep(self, dealer: str, token: str) -> None:
        """Keep the session of a swipe that was carried out; on a full disk until the end of this process only."""
        self.dealer, self._token = dealer, token
        if self._path is None:
            return
        part = self._path.with_name(f".{self._path.name}.{secrets.token_hex(4)}")
        try:
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as new:
                new.write(json.dumps({"dealer": dealer, "session": token}) + "\n")
                new.flush()
                os.fsync(new.fileno())
            part.replace(self._path)
        except OSError as error:
            LOG.warning("the dealer's session cannot be kept in %s (%s): a restart asks for a swipe", self._path, error)
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
            # One of before must not come back with the next start.
            self._remove()

    def forget(self) -> None:
        """The dealer has left, or the session counts no more."""
        if self._token is not None:
            self.dealer = self._token = None
            self._remove()

    def _remove(self) -> None:
        if self._path is not None:
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)
