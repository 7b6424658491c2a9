"""A manager of the own process, told and asked like one behind a socket: for tools on the machine of the database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from houseway.manager.core.floor import Floor
from houseway.manager.server.asks import answer_ask, check_ask
from houseway.manager.server.client import Carried, new_key
from houseway.manager.server.edge import read_command
from houseway.manager.server.pages import all_pages
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.keys import Keys
from houseway.manager.store.manager import Manager
from houseway.manager.store.powerup import look


class Direct:
    """The same two words as `ManagerClient`; tokens become fingerprints here too."""

    def __init__(self, manager: Manager, fingerprint: Callable[[str], str]) -> None:
        """Take a manager that is open, and what turns tokens into fingerprints."""
        self._manager = manager
        self._fingerprint = fingerprint

    def command(self, do: dict[str, Any], *, actor: str, key: str | None = None) -> Carried:
        """Have a command carried out."""
        message = {"key": key or new_key("local"), "actor": actor, "do": do}
        answer = self._manager.call(read_command(message, self._fingerprint, None))
        return msgspec.convert(msgspec.to_builtins(answer), Carried)

    def ask(self, what: str, **arguments: object) -> dict[str, Any]:
        """Ask a question about the floor."""
        check_ask(what, arguments, "service")
        if what == "health":
            return {**self._manager.health(), "now": wall_micros()}
        return self._manager.view_at(lambda seq, floor: _answer(seq, floor, what, arguments))


def ask_at_rest(url: str, keys: Keys, what: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    """The whole answer to a question without a manager: the journal is read and checked, and stays as it is."""
    check_ask(what, arguments or {}, "service")
    engine = look(url, keys).engine
    if what == "health":
        return {"state": "at rest", "seq": engine.seq, "hash": engine.head, "faults": [], "now": wall_micros()}
    return all_pages(lambda what, **asked: _answer(engine.seq, engine.floor, what, asked), what, **(arguments or {}))


def _answer(seq: int, floor: Floor, what: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"seq": seq, "at": floor.last_at, **answer_ask(floor, what, arguments)}
