"""PINs as argon2id hashes, made and compared in one thread of its own: away from the loop and from the writer.

What is hashed is the PIN's fingerprint under the property's pepper, never the PIN: whoever has the database but not the
keys cannot try the few PINs there are, however fast. One thread, so that whatever comes in at most one processor and
`MEMORY_KIB` of memory are busy with it.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import Type, hash_secret

ROUNDS: Final = 2
MEMORY_KIB: Final = 19 * 1024
LENGTH: Final = 32
SALT_BYTES: Final = 16


class PinHasher:
    """Makes and compares hashes of PINs."""

    def __init__(self) -> None:
        """Begin the thread with the first PIN."""
        self._thread = ThreadPoolExecutor(1, "houseway-pins")
        self._verifier = PasswordHasher()
        self._nobodys: str | None = None

    async def made(self, pin: str, salt: bytes) -> str:
        """The hash that is kept of a PIN."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, _hashed, pin, salt)

    async def is_right(self, kept: str | None, pin: str) -> bool:
        """Whether a PIN is the one that is kept; where none is, the answer takes as long."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._compared, kept, pin)

    def _compared(self, kept: str | None, pin: str) -> bool:
        if kept is None and self._nobodys is None:
            self._nobodys = _hashed("nobody's", bytes(SALT_BYTES))
        try:
            self._verifier.verify(kept or self._nobodys or "", pin)
        except (VerificationError, InvalidHashError):
            return False
        return kept is not None

    def close(self) -> None:
        """Let the thread go."""
        self._thread.shutdown(wait=True, cancel_futures=True)


def _hashed(pin: str, salt: bytes) -> str:
    return hash_secret(
        pin.encode(),
        salt,
        time_cost=ROUNDS,
        memory_cost=MEMORY_KIB,
        parallelism=1,
        hash_len=LENGTH,
        type=Type.ID,
    ).decode()
