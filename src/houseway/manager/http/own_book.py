"""What the service keeps in a file of its own: API keys as digests, webhooks with sealed secrets, and their letters.

The operator of the machine writes it, by the command line; nothing that comes over HTTP adds a key or an address.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from houseway.errors import InputError
from houseway.manager.http.bearers import digest_of
from houseway.manager.interface.own_files import connect, driver

KEY_PREFIX: Final = "hwk_"
SECRET_PREFIX: Final = "whsec_"  # noqa: S105 - how Standard Webhooks marks one
_NONCE_BYTES: Final = 12
_SECRET_BYTES: Final = 32
_TABLES: Final = (
    """CREATE TABLE IF NOT EXISTS api_keys (
        name TEXT PRIMARY KEY, digest TEXT NOT NULL UNIQUE, scopes TEXT NOT NULL, made_at INTEGER NOT NULL,
        until INTEGER
    ) STRICT""",
    """CREATE TABLE IF NOT EXISTS webhooks (
        name TEXT PRIMARY KEY, url TEXT NOT NULL, kinds TEXT NOT NULL, sealed BLOB NOT NULL, told INTEGER NOT NULL,
        stopped TEXT
    ) STRICT""",
    """CREATE TABLE IF NOT EXISTS letters (
        webhook TEXT NOT NULL REFERENCES webhooks (name) ON DELETE CASCADE, seq INTEGER NOT NULL, body BLOB NOT NULL,
        tries INTEGER NOT NULL, due REAL NOT NULL, dead INTEGER NOT NULL, problem TEXT NOT NULL,
        PRIMARY KEY (webhook, seq)
    ) STRICT""",
    "CREATE INDEX IF NOT EXISTS letters_due ON letters (webhook, dead, due)",
)


class ApiKey(NamedTuple):
    """A key of a program: its name and what it may do, never the key itself."""

    name: str
    scopes: tuple[str, ...]
    made_at: int
    until: int | None


class Webhook(NamedTuple):
    """An address to which events are told."""

    name: str
    url: str
    kinds: tuple[str, ...]
    told: int
    """Up to which event letters were written."""
    stopped: str | None
    """Why nothing is sent any more, if so."""


class Letter(NamedTuple):
    """An event on its way to an address."""

    webhook: str
    seq: int
    body: bytes
    tries: int
    due: float
    dead: int
    problem: str


class OwnBook:
    """The file of one service."""

    def __init__(self, connection: Any, secret: str) -> None:  # noqa: ANN401 - DB-API
        """Use `OwnBook.open`."""
        self._connection = connection
        self._seal = AESGCM(hashlib.sha256(b"houseway http " + secret.encode()).digest())
        self._lock = threading.Lock()

    @classmethod
    def open(cls, path: Path, secret: str) -> Self:
        """Open the file, or make it; `secret` is the device's, with which the secrets of webhooks are sealed."""
        connection = connect(path, create=True)
        try:
            for statement in _TABLES:
                connection.execute(statement)
        except driver().Error as error:
            connection.close()
            raise InputError.of("unreadable-file", str(path), f"this is no file of an HTTP service: {error}") from None
        return cls(connection, secret)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _rows(self, statement: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._connection.execute(statement, tuple(values)).fetchall()  # type: ignore[no-any-return]

    @contextmanager
    def _writing(self) -> Iterator[Any]:
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    # ------------------------------------------------------------ keys

    def add_key(self, name: str, scopes: Sequence[str], until: int | None) -> str:
        """Make a key; it is told once, and kept as a digest."""
        key = KEY_PREFIX + secrets.token_urlsafe(32)
        values = (name, digest_of(key), " ".join(scopes), time.time_ns() // 1_000, until)
        with self._writing() as connection:
            if connection.execute("SELECT 1 FROM api_keys WHERE name = ?", (name,)).fetchone():
                raise InputError.of("bad-id", "name", f"there is a key {name!r} already: choose another name")
            connection.execute("INSERT INTO api_keys VALUES (?, ?, ?, ?, ?)", values)
        return key

    def remove_key(self, name: str) -> bool:
        """End a key at once; False where there is none of that name."""
        with self._writing() as connection:
            return bool(connection.execute("DELETE FROM api_keys WHERE name = ?", (name,)).rowcount)

    def keys(self) -> list[ApiKey]:
        """All keys."""
        rows = self._rows("SELECT name, scopes, made_at, until FROM api_keys ORDER BY name")
        return [ApiKey(name, tuple(scopes.split()), made_at, until) for name, scopes, made_at, until in rows]

    def key_of(self, token: str, now: int) -> ApiKey | None:
        """The key that a token is, while it lasts."""
        rows = self._rows("SELECT name, scopes, made_at, until FROM api_keys WHERE digest = ?", (digest_of(token),))
        if not rows or (rows[0][3] is not None and now >= rows[0][3]):
            return None
        name, scopes, made_at, until = rows[0]
        return ApiKey(name, tuple(scopes.split()), made_at, until)

    # ------------------------------------------------------------ webhooks

    def add_webhook(self, name: str, url: str, kinds: Sequence[str], after: int) -> str:
        """Tell events after a number to an address; the secret that signs them is told once."""
        secret = secrets.token_bytes(_SECRET_BYTES)
        nonce = secrets.token_bytes(_NONCE_BYTES)
        sealed = nonce + self._seal.encrypt(nonce, secret, name.encode())
        with self._writing() as connection:
            if connection.execute("SELECT 1 FROM webhooks WHERE name = ?", (name,)).fetchone():
                raise InputError.of("bad-id", "name", f"there is a webhook {name!r} already: choose another name")
            connection.execute(
                "INSERT INTO webhooks VALUES (?, ?, ?, ?, ?, NULL)", (name, url, " ".join(kinds), sealed, after)
            )
        return SECRET_PREFIX + base64.b64encode(secret).decode()

    def remove_webhook(self, name: str) -> bool:
        """Tell an address no more, and forget its letters; False where there is none of that name."""
        with self._writing() as connection:
            connection.execute("DELETE FROM letters WHERE webhook = ?", (name,))
            return bool(connection.execute("DELETE FROM webhooks WHERE name = ?", (name,)).rowcount)

    def webhooks(self) -> list[Webhook]:
        """All webhooks."""
        rows = self._rows("SELECT name, url, kinds, told, stopped FROM webhooks ORDER BY name")
        return [Webhook(name, url, tuple(kinds.split()), told, stopped) for name, url, kinds, told, stopped in rows]

    def signing_secret(self, name: str) -> bytes:
        """The secret that signs the letters of a webhook."""
        sealed = bytes(self._rows("SELECT sealed FROM webhooks WHERE name = ?", (name,))[0][0])
        try:
            return self._seal.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], name.encode())
        except InvalidTag:
            message = f"the secret of webhook {name} was sealed with another secret of the device: add it again"
            raise InputError.of("wrong-secret", name, message) from None

    def stop(self, name: str, why: str) -> None:
        """Send nothing to an address any more."""
        with self._writing() as connection:
            connection.execute("UPDATE webhooks SET stopped = ? WHERE name = ?", (why, name))

    def write_letters(self, name: str, told: int, letters: Sequence[tuple[int, bytes]]) -> None:
        """Write letters, and up to which event that was done, in one step."""
        with self._writing() as connection:
            connection.executemany(
                "INSERT OR IGNORE INTO letters VALUES (?, ?, ?, 0, 0, 0, '')", [(name, *one) for one in letters]
            )
            connection.execute("UPDATE webhooks SET told = max(told, ?) WHERE name = ?", (told, name))

    def due(self, name: str, now: float, limit: int) -> list[Letter]:
        """Letters that are to be sent now, the oldest first."""
        rows = self._rows(
            "SELECT * FROM letters WHERE webhook = ? AND dead = 0 AND due <= ? ORDER BY seq LIMIT ?", (name, now, limit)
        )
        return [Letter._make(row) for row in rows]

    def next_due(self, name: str) -> float | None:
        """When the next letter is to be sent; None where none waits."""
        found: float | None = self._rows("SELECT min(due) FROM letters WHERE webhook = ? AND dead = 0", (name,))[0][0]
        return found

    def delivered(self, letter: Letter) -> None:
        """A letter has arrived."""
        with self._writing() as connection:
            connection.execute("DELETE FROM letters WHERE webhook = ? AND seq = ?", (letter.webhook, letter.seq))

    def failed(self, letter: Letter, problem: str, due: float | None) -> None:
        """A letter has not arrived: try again at a time, or never by itself."""
        values = (letter.tries + 1, due or 0.0, int(due is None), problem[:200], letter.webhook, letter.seq)
        with self._writing() as connection:
            connection.execute(
                "UPDATE letters SET tries = ?, due = ?, dead = ?, problem = ? WHERE webhook = ? AND seq = ?", values
            )

    def dead(self, name: str | None = None, after: int = 0, limit: int = 100) -> list[Letter]:
        """Letters that are not tried again by themselves."""
        rows = self._rows(
            "SELECT * FROM letters WHERE dead = 1 AND (? IS NULL OR webhook = ?) AND seq > ? ORDER BY seq LIMIT ?",
            (name, name, after, limit),
        )
        return [Letter._make(row) for row in rows]

    def waiting(self, name: str) -> tuple[int, int]:
        """How many letters of a webhook wait, and how many are dead."""
        rows = dict(self._rows("SELECT dead, count(*) FROM letters WHERE webhook = ? GROUP BY dead", (name,)))
        return rows.get(0, 0), rows.get(1, 0)

    def try_again(self, name: str) -> int:
        """Have the dead letters of a webhook tried again, and its sending resumed; how many there were."""
        with self._writing() as connection:
            connection.execute("UPDATE webhooks SET stopped = NULL WHERE name = ?", (name,))
            statement = "UPDATE letters SET dead = 0, tries = 0, due = 0 WHERE webhook = ? AND dead = 1"
            return int(connection.execute(statement, (name,)).rowcount)
