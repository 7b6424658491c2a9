"""The beginning of a property: what is done before any server runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from houseway.errors import InputError
from houseway.manager.commands import Envelope, read_envelope
from houseway.manager.core.engine import SYSTEM, Engine
from houseway.manager.server.edge import without_tokens
from houseway.manager.store import migrations, urls
from houseway.manager.store.keys import Keys, create_keys
from houseway.manager.store.manager import open_manager
from houseway.manager.store.powerup import check_is_database
from houseway.manager.store.store_errors import StoreUnavailableError


def create_property(
    url: str, keys_folder: Path, name: str, licence: str, people: list[dict[str, Any]]
) -> dict[str, Any]:
    """Draw keys, make the journal and write its first event; what can be refused is refused before anything is made."""
    command = {"kind": "property.create", "name": name, "licence": licence, "people": people}
    _rehearse(command)
    with opening():
        _check_free(url)
        keys = _new_keys(keys_folder)
        envelope = property_envelope(without_tokens(command, keys.fingerprint))
        with open_manager(url, keys_folder) as manager:
            answer = manager.call(envelope)
    return {"seq": answer.seq, "hash": answer.hash, **answer.answer}


@contextmanager
def opening() -> Iterator[None]:
    """Tell a store that cannot be opened as just that: nobody has sent a command yet that could be repeated."""
    try:
        yield
    except StoreUnavailableError as error:
        raise InputError.of("store-unavailable", "database", f"{error.reason}: nothing was begun") from error


def _check_free(url: str) -> None:
    """Refuse a database that holds a journal, or that cannot be made, before keys are drawn for it."""
    if urls.is_sqlite(url):
        path = urls.sqlite_path(url)
        if not path.parent.is_dir():
            raise InputError.of("journal-missing", "database", f"there is no folder {path.parent}: make it first")
        if not os.access(path.parent, os.W_OK):
            message = f"this user may not write in {path.parent}: name a database in another folder"
            raise InputError.of("unwritable-file", "database", message)
        if not path.exists():
            return
        check_is_database(path)
        name = str(path)
    else:
        name = "this database"
    if migrations.holds_events(url):
        message = f"{name} holds a property already: serve it with its keys, or name another database"
        raise InputError.of("property-exists", "database", f"{message}; nothing was written")


def _new_keys(folder: Path) -> Keys:
    try:
        return create_keys(folder)
    except OSError as error:
        where, why = error.filename or folder, error.strerror or error
        message = f"{where} cannot be made: {why}; name a folder where this user may write"
        raise InputError.of("unwritable-file", "keys", message) from None


def property_envelope(do: object) -> Envelope:
    """The command that begins a property."""
    return read_envelope({"key": "property.create", "actor": SYSTEM, "do": do})


def _rehearse(command: dict[str, Any]) -> None:
    """Refuse faulty people before keys and a database are made for them."""
    Engine().decide(property_envelope(without_tokens(command, lambda token: f"{token}.")), 1, bytes)
