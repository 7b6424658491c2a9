"""Which signing key counts where: from the start that announces it up to the start that announces the next.

A property takes a new signing key because the old one may be known to others. From then on the old one vouches for what
it signed before, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from houseway.manager.core.house_entities import SigningKey
from houseway.manager.core.records import Event
from houseway.manager.store.journal import Checkpoint
from houseway.manager.store.keys import key_id_of

_STARTED = "system.started"


class SigningOrder:
    """The key in force, and those that were replaced, as far as events were followed."""

    def __init__(self, known: Iterable[SigningKey] = ()) -> None:
        """Begin where the state knows these keys; without any, the key of the first checkpoint is the one in force.

        The starts that have announced them may lie in archives.
        """
        found = list(known)
        self.in_force: str | None = next((key.id for key in found if key.replaced is None), None)
        self.replaced: dict[str, int] = {key.id: key.replaced for key in found if key.replaced is not None}
        """By id of a key: the start that announced the next one."""
        self._announced: tuple[str, int] | None = None

    def see(self, event: Event) -> None:
        """Follow an event: a start announces the key of its own group."""
        if event.kind == _STARTED and (key := announced_key(event)) is not None:
            self._announced = key, event.seq

    def see_all(self, events: Iterable[Event]) -> None:
        """Follow the events of a group; few of them are starts."""
        for event in events:
            if event.kind == _STARTED:
                self.see(event)

    def fault(self, checkpoint: Checkpoint) -> str | None:
        """Why the key of a checkpoint does not count there; the events of its group must have been seen."""
        key = checkpoint.key_id
        announced = self.in_force if self._announced is None else self._announced[0]
        if announced is not None and key != announced:
            return f"it is signed with the key {key[:80]}, and {announced} was in force: no start announces the other"
        if key in self.replaced:
            return f"it is signed with the key {key[:80]}, which the start in event {self.replaced[key]} had replaced"
        self._take_over()
        self.in_force = key
        return None

    def _take_over(self) -> None:
        if self._announced is None:
            return
        (key, seq), self._announced = self._announced, None
        if self.in_force not in (None, key):
            self.replaced[str(self.in_force)] = seq
        self.in_force = key


def announced_key(event: Event) -> str | None:
    """The id of the signing key that a start announces, if it can be read."""
    try:
        digits = msgspec.json.decode(event.body)["do"]["fingerprints"]["signing-key"]
        return key_id_of(Ed25519PublicKey.from_public_bytes(bytes.fromhex(digits)))
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError):
        return None
