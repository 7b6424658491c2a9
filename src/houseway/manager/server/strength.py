"""How strong a badge or a secret must be when it is given out: nobody can look into a fingerprint later.

A reader that takes a handful of wrong badges in minutes needs no long ones; it needs badges that are not the first
guess. Secrets are for machines, never typed, and can be guessed over the network: they are longer.
"""

from __future__ import annotations

import itertools
from typing import Final, NamedTuple

from houseway.errors import Fault, InputError


class LeastStrength(NamedTuple):
    """The least that a token must have."""

    what: str
    length: int
    different: int
    """Characters that differ from each other."""


BADGE: Final = LeastStrength("badge", 8, 4)
SECRET: Final = LeastStrength("secret", 16, 6)
PIN: Final = LeastStrength("PIN", 4, 3)
"""The property may ask for more digits."""
SESSION: Final = LeastStrength("session's token", 22, 8)
"""128 bits, as a program draws them, have 22 characters or more."""

MOST_DIGITS: Final = 12

ISSUED: Final[dict[str, dict[str, LeastStrength]]] = {
    "person.add": {"badge": BADGE},
    "person.change": {"badge": BADGE},
    "device.add": {"secret": SECRET},
    "person.sign-in": {"session": SESSION},
    "dealer.in": {"session": SESSION},
    "person.pin": {"pin": PIN},
}
"""Commands that give out a token, and its field; a property begins with people, who have a badge each."""


def is_weak(token: str, least: LeastStrength) -> bool:
    """Whether a token is too short, too plain, a row such as 12345678, or a repetition such as 12341234.

    >>> [is_weak(token, BADGE) for token in ("1", "12345678", "13571357", "0004811736")]
    [True, True, True, False]
    """
    if len(token) < least.length or len(set(token)) < least.different:
        return True
    steps = {ord(after) - ord(before) for before, after in itertools.pairwise(token)}
    return len(steps) == 1 or token in (token + token)[1:-1]


def check_strength(do: object, path: str = "do") -> None:
    """Refuse a command that gives out a token which is easily guessed."""
    if not isinstance(do, dict):
        return
    kind, faults = do.get("kind"), list[Fault]()
    for name, least in ISSUED.get(kind, {}).items() if isinstance(kind, str) else ():
        faults += _faults(do.get(name), least, f"{path}.{name}")
    people = do.get("people") if kind == "property.create" else None
    for place, person in enumerate(people if isinstance(people, list) else ()):
        if isinstance(person, dict):
            faults += _faults(person.get("badge"), BADGE, f"{path}.people[{place}].badge")
    if faults:
        raise InputError(faults)


def _faults(token: object, least: LeastStrength, path: str) -> list[Fault]:
    # Whether a token must be there, and is a text, others say.
    if not isinstance(token, str) or not token:
        return []
    if least is PIN and not (token.isascii() and token.isdigit() and len(token) <= MOST_DIGITS):
        return [Fault("weak-token", path, f"a PIN is {least.length} to {MOST_DIGITS} digits, and nothing else")]
    if not is_weak(token, least):
        return []
    message = (
        f"this {least.what} is easily guessed: it needs at least {least.length} characters, {least.different} of them "
        f"different, and no sequence or repetition; have one drawn"
    )
    return [Fault("weak-token", path, message)]
