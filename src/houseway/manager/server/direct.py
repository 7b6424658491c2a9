"""A manager of the own process, told and asked like one behind a socket: for tools on the machine of the database."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from houseway.errors import InputError
from houseway.manager.server.asks import answer_ask, check_ask
from houseway.manager.server.client import CommandResult, new_key
from houseway.manager.server.edge import read_command
from houseway.manager.server.following import Following
from houseway.manager.server.pages import all_pages
from houseway.manager.server.state_messages import TOPICS, read_subscription
from houseway.manager.store.clock import wall_micros
from houseway.manager.store.keys import Keys
from houseway.manager.store.manager import Manager
from houseway.manager.store.powerup import look
from houseway.manager.views.health_view import HealthView
from houseway.manager.views.view_base import plain


class Direct:
    """The same words as `ManagerClient`; tokens become fingerprints here too."""

    def __init__(self, manager: Manager, fingerprint: Callable[[str], str]) -> None:
        """Take a manager that is open, and what turns tokens into fingerprints."""
        self._manager = manager
        self._fingerprint = fingerprint
        self._following: Following | None = None

    def command(self, do: dict[str, Any], *, actor: str, key: str | None = None) -> CommandResult:
        """Have a command carried out."""
        message = {"key": key or new_key("local"), "actor": actor, "do": do}
        answer = self._manager.call(read_command(message, self._fingerprint, None))
        return msgspec.convert(msgspec.to_builtins(answer), CommandResult)

    def subscribe(self, *topics: str, tables: list[str] | None = None, links: list[str] | None = None) -> None:
        """Have changes told from now on, beginning with the state as it is; `events` gives them."""
        wanted = read_subscription({"subscribe": list(topics), "tables": tables, "links": links}, "service")
        self._leave()
        self._following = Following(self._manager, wanted)

    def events(self, seconds: float | None = None) -> Iterator[dict[str, Any]]:
        """The changes as they come; ends after so many seconds, or never."""
        if self._following is None:
            raise InputError.of("unknown-topic", "subscribe", f"subscribe first, to one of {', '.join(TOPICS)}")
        return map(plain, self._following.events(seconds))

    def sign_in(self, card: str) -> dict[str, Any]:
        """Tell whose badge this is: whoever holds database and keys acts for anybody, and signs in nowhere."""
        kept = self._fingerprint(card)
        person = self._manager.view(
            lambda floor: next((one for one in floor.people.values() if one.active and kept in one.cards), None)
        )
        if person is None:
            raise InputError.of("unknown-card", "card", "this is nobody's badge here: give the person one")
        return {"person": person.id, "roles": list(person.roles)}

    def sign_out(self, person: str) -> None:
        """Nothing is left to end: nobody is signed in at the database itself."""

    def close(self) -> None:
        """Close the manager."""
        self._leave()
        self._manager.close()

    def _leave(self) -> None:
        if self._following is not None:
            self._following.close()
            self._following = None

    def ask(self, what: str, **arguments: object) -> dict[str, Any]:
        """Ask a question about the floor."""
        check_ask(what, arguments, "service")
        if what == "health":
            return plain(own_health(self._manager.health()))
        seq, _, floor = self._manager.seen()
        return plain(answer_ask(seq, floor, what, arguments, wall_micros()))


def ask_at_rest(url: str, keys: Keys, what: str, arguments: dict[str, Any] | None = None) -> dict[str, Any]:
    """The whole answer to a question without a manager: the journal is read and checked, and stays as it is."""
    check_ask(what, arguments or {}, "service")
    engine = look(url, keys).engine
    if what == "health":
        return plain(own_health({"state": "at rest", "seq": engine.seq, "hash": engine.head, "faults": []}))

    def ask(what: str, **given: object) -> dict[str, Any]:
        return plain(answer_ask(engine.seq, engine.floor, what, given, wall_micros()))

    return all_pages(ask, what, **(arguments or {}))


def own_health(known: dict[str, Any]) -> HealthView:
    """How a manager is that no server serves."""
    return msgspec.convert({**known, "now": wall_micros()}, HealthView)
