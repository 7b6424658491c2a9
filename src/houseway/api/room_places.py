"""Where a room is: in memory, on a database or at an address, and what can be done only there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from houseway.api.arguments import database_url
from houseway.errors import InputError

if TYPE_CHECKING:
    from houseway.manager.interface.auditing import AuditReport
    from houseway.manager.interface.local import LocalManager
    from houseway.manager.interface.resting import RestingManager

People = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class RoomPlace:
    """A place in words, and the database there with the folder of its keys, if there is one."""

    words: str
    url: str | None = None
    keys: Path | None = None

    @classmethod
    def of(cls, database: str | Path | None, keys: str | Path | None) -> RoomPlace:
        """A database with its keys, or memory without either."""
        if database is None:
            if keys is not None:
                message = "keys go with a database: give it too, or leave them out"
                raise InputError.of("conflicting-options", "keys", message)
            return cls("in memory")
        if keys is None:
            message = "a database needs the folder of its keys: give keys=FOLDER"
            raise InputError.of("missing-argument", "keys", message)
        return cls(f"on {database}", database_url(str(database)), Path(keys))

    def begun(self, name: str, licence: str, people: People) -> LocalManager:
        """A property that begins here."""
        from houseway.manager.interface.opening import begin_in_memory, begin_on

        if self.url is None or self.keys is None:
            return begin_in_memory(name, licence, people)
        return begin_on(self.url, self.keys, name, licence, people)

    def opened(self, *, only_read: bool) -> LocalManager | RestingManager:
        """The property that is here."""
        from houseway.manager.interface.opening import open_database
        from houseway.manager.interface.resting import RestingManager

        url, keys = self._database()
        return RestingManager(url, keys) if only_read else open_database(url, keys)

    def audit(self) -> AuditReport:
        """Verify the whole journal with its keys."""
        from houseway.manager.interface.auditing import audit

        return audit(*self._database())

    def _database(self) -> tuple[str, Path]:
        if self.url is None or self.keys is None:
            message = f"this room is {self.words}: an audit reads a database, open it with Room.open"
            raise InputError.of("journal-missing", "database", message)
        return self.url, self.keys
