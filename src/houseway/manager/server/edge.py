"""The edge: badge tokens and secrets become fingerprints here, and a device may speak only for itself.

Behind this module nobody sees a token: commands carry fingerprints, and so do the journal and its answers. A message
that already holds a fingerprint gains nothing by it, since what comes in is always taken for a token. Only where a
command has a field for a token does one become a fingerprint: anywhere else, answers might quote it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from hmac import compare_digest
from typing import Final

from houseway.errors import InputError
from houseway.manager.commands import COMMANDS, Envelope, read_envelope
from houseway.manager.commands.house_commands import RecordIncident
from houseway.manager.core.authority import AUTHORITY, BADGE_FIELDS, SYSTEM, refuse_manager_only, table_of
from houseway.manager.core.floor import Floor
from houseway.manager.core.house_entities import Device
from houseway.manager.core.pins import BESIDE, beside
from houseway.manager.core.texts import as_json
from houseway.manager.server.strength import check_strength

SECRET_FIELDS: Final = BADGE_FIELDS | {"secret", "session", "pin"}
"""Fields whose text is a token of a badge, a device or a session, or a PIN."""
_QUOTED: Final = tuple(f'"{name}"' for name in sorted(SECRET_FIELDS))
LONGEST_TOKEN: Final = 500
LONGEST_PIN: Final = 64
FURTHER_PLACES: Final = {"property.create": frozenset({"people[].badge"})}
"""Where commands hold tokens below their own fields."""
DEEPEST: Final = 32
"""Objects and lists within one another; no command needs more than a handful."""

OF_A_TABLE: Final = frozenset({"table", "round", "award"})
"""Fields by which a command says whose it is (`table_of`)."""

Fingerprint = Callable[[str], str]


@dataclass
class GivenPins:
    """The PINs that came with a command, as fingerprints: they go to the gate and nowhere else."""

    by_field: dict[str, str] = field(default_factory=dict)
    """Those beside badges, by the field of the badge."""
    new_digits: int = 0
    """How long a PIN is that is to be set."""


def pin_fingerprint(pin: str, fingerprint: Fingerprint) -> str:
    """What becomes of a PIN at once; no badge has the same."""
    return fingerprint(beside("PIN", pin))


@cache
def token_places(kind: str) -> frozenset[str]:
    """Where a command of a kind holds tokens.

    >>> sorted(token_places("person.add")), sorted(token_places("change.propose"))
    (['badge', 'second_badge'], [])
    """
    return SECRET_FIELDS.intersection(COMMANDS[kind].__struct_fields__) | FURTHER_PLACES.get(kind, frozenset())


def without_tokens(value: object, fingerprint: Fingerprint, path: str = "do", pins: GivenPins | None = None) -> object:
    """The command with every token in it replaced by its fingerprint; refused where a token is out of place.

    >>> without_tokens({"kind": "dealer.in", "badge": "4711"}, lambda token: f"<{len(token)}>")
    {'kind': 'dealer.in', 'badge': '<4>'}
    """
    if not isinstance(value, dict):
        return value
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in COMMANDS:
        # It will be refused for its kind: nothing else of it is looked at, or could be quoted.
        return {name: value[name] for name in value if name == "kind"}
    check_strength(value, path)
    text = as_json(value)
    if text is not None and text.count("[") + text.count("{") <= DEEPEST and not any(map(text.count, _QUOTED)):
        # A press at a table: no field of it can be a token, and nothing lies deep in it.
        return value
    return _Walk(kind, token_places(kind), fingerprint, path, pins or GivenPins()).walked(value, "", 0)


@dataclass(frozen=True)
class _Walk:
    """A walk through one command."""

    kind: str
    places: frozenset[str]
    fingerprint: Fingerprint
    path: str
    pins: GivenPins

    def walked(self, value: object, place: str, depth: int) -> object:
        if not isinstance(value, dict | list):
            return value
        if depth >= DEEPEST:
            message = f"objects and lists are nested more than {DEEPEST} deep: no command needs that"
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
                return self._token(name, value, f"{self.path}.{place_of_token}")
        return self.walked(value, place, depth)

    def _token(self, name: str, value: str, path: str) -> str:
        """The fingerprint of a token; a PIN, beside a badge or a new one, is kept apart for the gate."""
        if name == "pin":
            self.pins.new_digits = len(value)
            return pin_fingerprint(value, self.fingerprint)
        if name in BADGE_FIELDS and BESIDE in value:
            value, _, pin = value.partition(BESIDE)
            if not 0 < len(pin) <= LONGEST_PIN or BESIDE in pin:
                raise InputError.of("bad-message", path, f"a PIN has 1 to {LONGEST_PIN} characters")
            self.pins.by_field[name] = pin_fingerprint(pin, self.fingerprint)
        return _of_token(value, self.fingerprint, path)

    def _misplaced(self, place: str) -> InputError:
        takes = ", ".join(sorted(self.places)) or "nowhere"
        message = f"a badge, a secret or a session does not belong here: {self.kind} takes one in: {takes}"
        return InputError.of("token-misplaced", f"{self.path}.{place}"[:60], message)


def _of_token(token: str, fingerprint: Fingerprint, path: str) -> str:
    """The fingerprint of a token."""
    if not 0 < len(token) <= LONGEST_TOKEN:
        raise InputError.of("bad-message", path, f"a token is a text of 1 to {LONGEST_TOKEN} characters")
    return fingerprint(token)


def read_command(
    message: object, fingerprint: Fingerprint, device: str | None, pins: GivenPins | None = None
) -> Envelope:
    """The command of a message, with fingerprints for tokens and the device that really sent it.

    PINs that came along go into `pins`; where nobody asks for them, they are dropped.
    """
    if not isinstance(message, dict):
        raise InputError.of("bad-message", "command", "a command is an object with key, actor and do")
    named = message.get("device")
    if named is not None and named != device:
        raise InputError.of("wrong-device", "device", f"this connection is {device}: leave the device out, or name it")
    token = message.get("session")
    # What is no text at all, the reader of the message says with its other faults.
    session = _of_token(token, fingerprint, "session") if isinstance(token, str) else token
    do = without_tokens(message.get("do"), fingerprint, pins=pins)
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


def known_device(floor: Floor, device: str, secret: str, fingerprint: Fingerprint) -> Device:
    """The device that a greeting names, if its secret is right; takes the same time whichever of the two is wrong."""
    found = floor.devices.get(device)
    given = fingerprint(secret) if 0 < len(secret) <= LONGEST_TOKEN else ""
    right = compare_digest((found.secret if found else "-" * 64).encode(), given.encode())
    if found is None or not right or not found.active:
        message = (
            "no device is registered under this id with this secret: check both, or register it (houseway device add)"
        )
        raise InputError.of("wrong-secret", "hello", message)
    return found


def check_sender(device: Device, message: object) -> None:
    """Refuse a command that a kind of device never sends, by its `kind` alone: nothing else of it is read for that.

    A display sends none, a controller those of a table.
    """
    if device.kind == "display":
        raise InputError.of("wrong-device", "device", f"{device.id} is a display: it may ask, not command")
    if device.kind == "controller":
        do = message.get("do") if isinstance(message, dict) else None
        kind = do.get("kind") if isinstance(do, dict) else None
        command = COMMANDS.get(kind) if isinstance(kind, str) else None
        if command is not None and command is not RecordIncident and not OF_A_TABLE & {*command.__struct_fields__}:
            raise _elsewhere(device, None)


def check_reach(device: Device, command: object) -> None:
    """Refuse what a device may not send: a controller only commands of its own table."""
    if device.kind == "service":
        return
    if isinstance(command, RecordIncident):
        _check_incident(device, command)
        return
    table = table_of(command)
    if table != device.table:
        raise _elsewhere(device, table)


def _elsewhere(device: Device, table: str | None) -> InputError:
    whose = f"of table {table}" if table else "of no table"
    return InputError.of("wrong-device", "do", f"{device.id} speaks for table {device.table}: this command is {whose}")


def _check_incident(device: Device, command: RecordIncident) -> None:
    """An incident that is recorded at a controller is its table's, or its own."""
    if command.device not in (device.id, device.table):
        message = (
            f"{device.id} speaks for table {device.table}: an incident there is about {device.table} or {device.id}"
        )
        raise InputError.of("wrong-device", "do.device", message)
