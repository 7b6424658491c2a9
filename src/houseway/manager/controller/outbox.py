"""The outbox: what a controller sends is written down first, and stays until the manager has answered.

A small SQLite file beside the controller. A command gets its key here: table, boot and counter for who reads a log, and
random digits, so that no two commands of a table ever share one, whatever becomes of the file, and nobody foresees the
next. Commands can hold the token of a badge or a session, therefore they are sealed with the device's secret and wiped
when they are answered.
"""

from __future__ import annotations

import contextlib
import secrets
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Self

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from houseway.errors import InputError
from houseway.manager.commands import AnyCommand, SentCommand, kind_of
from houseway.manager.interface.async_client import AsyncManagerClient
from houseway.manager.interface.contract import CommandResult
from houseway.manager.interface.field_types import CommandAnswer
from houseway.manager.interface.own_files import connect, driver

_NONCE_BYTES: Final = 12
_KEY_BYTES: Final = 12
"""Random bytes of a key."""
_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT",
    """CREATE TABLE IF NOT EXISTS outbox (
        number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, made_at REAL NOT NULL,
        only_fresh INTEGER NOT NULL, sealed BLOB NOT NULL
    ) STRICT""",
)


class OutboxMessage(msgspec.Struct, frozen=True):
    """A command, who gives it, and in which session."""

    actor: str
    do: SentCommand
    session: str | None = None


@dataclass(frozen=True)
class OutboxEntry:
    """A command that waits for its answer."""

    key: str
    made_at: float
    """Seconds since 1970, to tell whether it is still fresh."""
    only_fresh: bool
    message: OutboxMessage

    @property
    def command(self) -> AnyCommand:
        """The command."""
        return self.message.do

    @property
    def kind(self) -> str:
        """What it is called."""
        return kind_of(self.message.do)

    async def sent_to(self, manager: AsyncManagerClient) -> CommandResult[CommandAnswer]:
        """Have it carried out."""
        message = self.message
        return await manager.send(message.do, actor=message.actor, key=self.key, session=message.session)


class Outbox:
    """The commands of one controller that the manager has not answered yet."""

    def __init__(self, connection: Any, path: Path, table: str, secret: str) -> None:  # noqa: ANN401 - DB-API
        """Use `Outbox.open`."""
        self._connection = connection
        self._path = path
        self._seal = AESGCM(sha256(b"houseway outbox " + secret.encode()).digest())
        self._counter = 0
        owner = self._meta("table", table)
        if owner != table:
            message = f"it is the outbox of {owner}, not of {table}: name another file"
            raise InputError.of("outbox-foreign", str(path), message)
        self.boot = int(self._meta("boot", "0")) + 1
        connection.execute("UPDATE meta SET value = ? WHERE name = 'boot'", (str(self.boot),))
        self._table = table

    @classmethod
    def open(cls, path: Path, table: str, secret: str) -> Self:
        """Open the file of a table, or make it, and begin a new boot; a second controller on it is refused."""
        errors = driver().Error
        try:
            path.touch(mode=0o600, exist_ok=True)
            connection = connect(path, create=True, busy_milliseconds=1000)
        except (OSError, InputError) as error:
            if isinstance(error, InputError) and error.__cause__ is None:
                raise  # it says itself what to do, such as of a file that others may write
            raise _translated(error.__cause__ or error, path) from error
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE")
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("BEGIN EXCLUSIVE")
            for statement in _TABLES:
                connection.execute(statement)
            found = cls(connection, path, table, secret)
            connection.execute("COMMIT")
        except errors as error:
            connection.close()
            raise _translated(error, path) from error
        except InputError:
            connection.close()
            raise
        return found

    def _meta(self, name: str, otherwise: str) -> str:
        """A value of the file, which gets this one if it has none yet."""
        self._connection.execute("INSERT OR IGNORE INTO meta VALUES (?, ?)", (name, otherwise))
        return str(self._connection.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()[0])

    def add(self, message: OutboxMessage, now: float, *, only_fresh: bool = False) -> OutboxEntry:
        """Write a command down, on the disk, and give it its key; only then may it be sent."""
        self._counter += 1
        key = f"{self._table}:{self.boot}.{self._counter}:{secrets.token_hex(_KEY_BYTES)}"
        entry = OutboxEntry(key, now, only_fresh, message)
        nonce = secrets.token_bytes(_NONCE_BYTES)
        sealed = nonce + self._seal.encrypt(nonce, msgspec.json.encode(message), key.encode())
        self._write(
            "INSERT INTO outbox (key, made_at, only_fresh, sealed) VALUES (?, ?, ?, ?)",
            (key, now, int(only_fresh), sealed),
        )
        return entry

    def settle(self, entry: OutboxEntry) -> None:
        """A command is answered: wipe it."""
        self._write("DELETE FROM outbox WHERE key = ?", (entry.key,))

    def waiting(self) -> list[OutboxEntry]:
        """Commands without an answer, in the order in which they were given."""
        try:
            rows = self._connection.execute("SELECT key, made_at, only_fresh, sealed FROM outbox ORDER BY number")
            return [OutboxEntry(key, at, bool(fresh), self._opened(key, sealed)) for key, at, fresh, sealed in rows]
        except driver().Error as error:
            raise _translated(error, self._path) from error

    def _opened(self, key: str, sealed: bytes) -> OutboxMessage:
        try:
            plain = self._seal.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], key.encode())
            return msgspec.json.decode(plain, type=OutboxMessage)
        except (InvalidTag, ValueError):
            message = (
                "a command that was never answered cannot be opened: start once with the device's former secret, or "
                "remove the file after you have looked at the table's state in the manager"
            )
            raise InputError.of("outbox-damaged", str(self._path), message) from None

    def _write(self, sql: str, values: tuple[Any, ...]) -> None:
        try:
            self._connection.execute(sql, values)
        except driver().Error as error:
            raise _translated(error, self._path) from error

    def close(self) -> None:
        """Close the file."""
        with contextlib.suppress(driver().Error):
            self._connection.close()


def _translated(error: BaseException, path: Path) -> InputError:
    """What went wrong with the file, and what to do."""
    text = str(error)
    if "locked" in text:
        return InputError.of("outbox-in-use", str(path), "another controller uses this outbox: stop it first")
    if isinstance(error, OSError) or "full" in text or "readonly" in text or "I/O" in text:
        message = (
            f"the outbox cannot be written ({text}): nothing is sent until it can; free some space or check the disk"
        )
        return InputError.of("outbox-unwritable", str(path), message)
    message = f"the outbox is damaged ({text}): look at the table in the manager, then remove the file and start again"
    return InputError.of("outbox-damaged", str(path), message)
