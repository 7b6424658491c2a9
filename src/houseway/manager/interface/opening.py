"""Ways to a manager of this process: begin a property in memory or on a database, and open its database."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from houseway.manager.interface.local import LocalManager
from houseway.manager.server.edge import without_tokens
from houseway.manager.server.setup import create_property, property_envelope
from houseway.manager.store.keys import load_keys
from houseway.manager.store.manager import Manager, open_manager
from houseway.manager.store.memory_journal import MemoryJournal

_KEY_BYTES: Final = 32

People = Sequence[Mapping[str, Any]]
"""The first people of a property, each with `id`, `name`, `department`, `roles` and a badge in `badge`."""


def begin_in_memory(name: str, licence: str, people: People) -> LocalManager:
    """Begin a property whose journal is in memory, and gone when the program ends."""
    return begin(*_in_memory(), name, licence, people)


def begin(manager: Manager, fingerprint: Callable[[str], str], name: str, licence: str, people: People) -> LocalManager:
    """Begin a property at a manager whose journal is empty; it is closed again if that is refused."""
    do = {"kind": "property.create", "name": name, "licence": licence, "people": [dict(one) for one in people]}
    try:
        manager.call(property_envelope(without_tokens(do, fingerprint)))
    except BaseException:
        manager.close()
        raise
    return LocalManager(manager, fingerprint)


def begin_on(url: str, keys: Path, name: str, licence: str, people: People) -> LocalManager:
    """Begin a property on a new database, with keys in a new folder, and open it."""
    create_property(url, keys, name, licence, [dict(one) for one in people])
    return open_database(url, keys)


def open_database(url: str, keys: Path) -> LocalManager:
    """Open the database of a property with the folder of its keys."""
    fingerprint = load_keys(keys).fingerprint
    return LocalManager(open_manager(url, keys, create=False), fingerprint)


def _in_memory() -> tuple[Manager, Callable[[str], str]]:
    """A manager whose journal is in memory, and what turns its tokens into fingerprints."""
    secret = secrets.token_bytes(_KEY_BYTES)
    manager = Manager(MemoryJournal(), None)
    return manager, lambda token: hmac.new(secret, token.encode(), hashlib.sha256).hexdigest()
