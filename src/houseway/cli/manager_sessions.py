"""Sessions of people who signed in at a service from the command line: kept between commands, for their user alone."""

from __future__ import annotations

import hashlib
from pathlib import Path

from houseway.cli.manager_tokens import read_token, write_private
from houseway.errors import InputError


class KeptSessions:
    """The tokens of the sign-ins at one service, each in a file that only the user of this account may read."""

    def __init__(self, folder: Path) -> None:
        """Keep them in this folder, which is made with the first one."""
        self._folder = folder

    def _file(self, person: str) -> Path:
        # Ids of people may hold what no file name may.
        return self._folder / hashlib.sha256(person.encode("utf-8", "surrogatepass")).hexdigest()[:32]

    def get(self, person: str, /) -> str | None:
        """The token of a person's sign-in; None if nobody has signed in as that person from here."""
        file = self._file(person)
        return read_token(str(file), "actor") if file.exists() else None

    def __setitem__(self, person: str, token: str, /) -> None:
        """Keep the token of a new sign-in, instead of the one before."""
        try:
            write_private(self._file(person), f"{token}\n")
        except OSError as error:
            message = (
                f"the session cannot be kept in {self._folder}: {error.strerror}; name another folder by "
                "XDG_STATE_HOME, or sign in for one command with --sign-in"
            )
            raise InputError.of("unwritable-file", "sign-in", message) from None

    def pop(self, person: str, default: None = None, /) -> str | None:
        """Forget a person's session."""
        self._file(person).unlink(missing_ok=True)
        return default
