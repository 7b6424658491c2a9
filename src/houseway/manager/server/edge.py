"""The edge: card tokens and secrets become fingerprints here, and a device may speak only for itself.

Behind this module nobody sees a token: commands carry fingerprints, and so do the journal and its answers. A message
that already holds a fingerprint gains nothing by it, since what comes in is always taken for a token. Only where a
command has a field for a token does one become a fingerprint: anywhere else, answers might quote it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hmac import compare_digest
from typing import Final

from houseway.errors import InputError
from houseway.manager.commands import COMMANDS, Envelope, read_envelope
from houseway.manager.commands.house_commands import RecordIncident
from houseway.manager.core.authority import AUTHORITY, CARD_FIELDS, SYSTEM, refuse_manager_only, table_of
from houseway.manager.core.entities import Device
from houseway.manager.core.floor import Floor
from houseway.manager.server.strength import check_strength

SECRET_FIELDS: Final = CARD_FIELDS | {"secret", "session"}
"""Fields whose text is a token of a card, a device or a session."""
LONGEST_TOKEN: Final = 500
FURTHER_PLACES: Final = {"property.create": frozenset({"people[].card"})}
"""Where commands hold tokens below their own fields."""
DEEPEST: Final = 32
"""Objects and lists within one another; no command needs more than a handful."""

Fingerprint = Callable[[str], str]


def token_places(kind: str) -> frozenset[str]:
    """Where a command of a kind holds tokens.

    >>> sorted(token_places("person.add")), sorted(token_places("change.propose"))
    (['card', 'second_card'], [])
    """
    return SECRET_FIELDS.intersection(COMMANDS[kind].__struct_fields__) | FURTHER_PLACES.get(kind, frozenset())


def without_tokens(value: object, fingerprint: Fingerprint, path: str = "do") -> object:
    """The command with every token in it replaced by its fingerprint; refused where a token is out of place.

    >>> without_tokens({"kind": "dealer.in", "card": "4711"}, lambda token: f"<{len(token)}>")
    {'kind': 'dealer.in', 'card': '<4>'}
    """
    if not isinstance(value, dict):
        return value
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in COMMANDS:
        # It will be refused for its kind: nothing else of it is looked at, or could be quoted.
        return {name: value[name] for name in value if name == "kind"}
    check_strength(value, path)
    return _Walk(kind, token_places(kind), fingerprint, path).walked(value, "", 0)


@dataclass(frozen=True)
class _Walk:
    """A walk through one command."""

    kind: str
    places: frozenset[str]
    fingerprint: Fingerprint
    path: str

    def walked(self, value: object, place: str, depth: int) -> object:
        if not isinstance(value, dict | list):
            return value
        if depth >= DEEPEST:
            message = f"objects and lists lie more than {DEEPEST} deep in one another: no command is made so"
            raise InputError.of("bad-message", f"{self.path}.{place}"[:60], message)
        if isinstance(value, list):
            return [self.walked(inner, f"{place}[]", depth + 1) for inner in value]
        return {name: self._field(name, inner, f"{place}.{name}", depth + 1) for name, inner in value.items()}

    def _field(self, name: str, value: object, place: str, depth: int) -> object:
        if name in SECRET_FIELDS:
            place_of_token = place.removeprefix(".")
            if place_of_token not in self.places:
                raise self._misplaced(place_of_token)
            if isinstance(value, str):
                return _of_token(value, self.fingerprint, f"{self.path}.{place_of_token}")
        return self.walked(value, place, depth)

    def _misplaced(self, place: str) -> InputError:
        takes = ", ".join(sorted(self.places)) or "nowhere"
        message = f"a card, a secret or a session does not belong here: {self.kind} takes one in: {takes}"
        return InputError.of("token-misplaced", f"{self.path}.{place}"[:60], message)


def _of_token(token: object, fingerprint: Fingerprint, path: str) -> str:
    """The fingerprint of a token."""
    if not isinstance(token, str) or not 0 < len(token) <= LONGEST_TOKEN:
        raise InputError.of("bad-message", path, f"a token is a text of 1 to {LONGEST_TOKEN} characters")
    return fingerprint(token)


def read_command(message: object, fingerprint: Fingerprint, device: str | None) -> Envelope:
    """The command of a message, with fingerprints for tokens and the device that really sent it."""
    if not isinstance(message, dict):
        raise InputError.of("bad-message", "command", "a command is an object with key, actor and do")
    named = message.get("device")
    if named is not None and named != device:
        raise InputError.of("wrong-device", "device", f"this connection is {device}: leave the device out, or name it")
    token = message.get("session")
    session = None if token is None else _of_token(token, fingerprint, "session")
    do = without_tokens(message.get("do"), fingerprint)
    envelope = read_envelope({**message, "device": device, "session": session, "do": do})
    _check_actor(envelope.actor, device)
    refuse_manager_only(envelope.do, AUTHORITY[type(envelope.do)])
    return envelope


def _check_actor(actor: str, device: str | None) -> None:
    """Nobody acts as the manager itself, and a device acts only as itself."""
    if actor == SYSTEM:
        raise InputError.of("wrong-role", "actor", "the manager itself does this: name the person who acts")
    if actor.startswith("device:") and actor != f"device:{device}":
        raise InputError.of("wrong-device", "actor", f"this connection is {device}: it cannot act as {actor[:60]}")


def known_device(floor: Floor, device: object, secret: object, fingerprint: Fingerprint) -> Device:
    """The device that a greeting names, if its secret is right; takes the same time whichever of the two is wrong."""
    found = floor.devices.get(device) if isinstance(device, str) else None
    given = fingerprint(secret) if isinstance(secret, str) and 0 < len(secret) <= LONGEST_TOKEN else ""
    right = compare_digest((found.secret if found else "-" * 64).encode(), given.encode())
    if found is None or not right or not found.active:
        message = "no device is registered under this id with this secret: check both, or register it with device.add"
        raise InputError.of("wrong-secret", "hello", message)
    return found


def check_reach(device: Device, command: object) -> None:
    """Refuse what a device may not send: a display sends no commands, a controller only those of its own table."""
    if device.kind == "service":
        return
    if device.kind == "display":
        raise InputError.of("wrong-device", "device", f"{device.id} is a display: it may ask, not command")
    if isinstance(command, RecordIncident):
        _check_incident(device, command)
        return
    table = table_of(command)
    if table != device.table:
        whose = f"of table {table}" if table else "of no table"
        message = f"{device.id} speaks for table {device.table}: this command is {whose}"
        raise InputError.of("wrong-device", "do", message)


def _check_incident(device: Device, command: RecordIncident) -> None:
    """An incident that is recorded at a controller is its table's, or its own."""
    if command.device not in (device.id, device.table):
        message = (
            f"{device.id} speaks for table {device.table}: an incident there is about {device.table} or {device.id}"
        )
        raise InputError.of("wrong-device", "do.device", message)
