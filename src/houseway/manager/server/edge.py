"""The edge: card tokens and secrets become fingerprints here, and a device may speak only for itself.

Behind this module nobody sees a token: commands carry fingerprints, and so do the journal and its answers. A message
that already holds a fingerprint gains nothing by it, since what comes in is always taken for a token.
"""

from __future__ import annotations

from collections.abc import Callable
from hmac import compare_digest
from typing import Final

from houseway.errors import InputError
from houseway.manager.commands import Envelope, read_envelope
from houseway.manager.core.authority import AUTHORITY, CARD_FIELDS, SYSTEM, refuse_manager_only, table_of
from houseway.manager.core.entities import Device
from houseway.manager.core.floor import Floor
from houseway.manager.server.strength import check_strength

SECRET_FIELDS: Final = CARD_FIELDS | {"secret"}
"""Fields whose text is a token of a card or a device."""
LONGEST_TOKEN: Final = 500
DEEPEST: Final = 32
"""Objects and lists within one another; no command needs more than a handful."""

Fingerprint = Callable[[str], str]


def without_tokens(value: object, fingerprint: Fingerprint, path: str = "do") -> object:
    """The value with every token in it replaced by its fingerprint.

    >>> without_tokens({"kind": "dealer.in", "card": "4711"}, lambda token: f"<{len(token)}>")
    {'kind': 'dealer.in', 'card': '<4>'}
    """
    check_strength(value, path)
    return _without_tokens(value, fingerprint, path, 0)


def _without_tokens(value: object, fingerprint: Fingerprint, path: str, depth: int) -> object:
    if not isinstance(value, dict | list):
        return value
    if depth >= DEEPEST:
        message = f"objects and lists lie more than {DEEPEST} deep in one another: no command is made so"
        raise InputError.of("bad-message", path[:60], message)
    if isinstance(value, list):
        return [_without_tokens(inner, fingerprint, f"{path}[{place}]", depth + 1) for place, inner in enumerate(value)]
    return {name: _field(name, inner, fingerprint, f"{path}.{name}", depth + 1) for name, inner in value.items()}


def _field(name: str, value: object, fingerprint: Fingerprint, path: str, depth: int) -> object:
    if name not in SECRET_FIELDS or not isinstance(value, str):
        return _without_tokens(value, fingerprint, path, depth)
    if not 0 < len(value) <= LONGEST_TOKEN:
        raise InputError.of("bad-message", path, f"a token has 1 to {LONGEST_TOKEN} characters")
    return fingerprint(value)


def read_command(message: object, fingerprint: Fingerprint, device: str | None) -> Envelope:
    """The command of a message, with fingerprints for tokens and the device that really sent it."""
    if not isinstance(message, dict):
        raise InputError.of("bad-message", "command", "a command is an object with key, actor and do")
    named = message.get("device")
    if named is not None and named != device:
        raise InputError.of("wrong-device", "device", f"this connection is {device}: leave the device out, or name it")
    envelope = read_envelope({**message, "device": device, "do": without_tokens(message.get("do"), fingerprint)})
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
    found = floor.device.get(device) if isinstance(device, str) else None
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
    table = table_of(command)
    if table != device.table:
        whose = f"of table {table}" if table else "of no table"
        message = f"{device.id} speaks for table {device.table}: this command is {whose}"
        raise InputError.of("wrong-device", "do", message)
