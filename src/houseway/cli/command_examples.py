"""An example of every command for people, made from its options: help texts show it, and the tests read it back."""

from __future__ import annotations

from typing import Any, Final, Literal, get_args, get_origin, get_type_hints

import msgspec

from houseway.cli.command_options import CommandOption
from houseway.cli.typed_values import is_object, plain_type
from houseway.cli.words import is_amount, is_time, part_name

_SAMPLES: Final = {
    "table": "T1", "round": "T1-17", "award": "T1-17/1", "payout": "T1-17/1", "link": "L1", "level": "main",
    "person": "D17", "name": "'Dealer 17'", "device": "C-T1", "seat": "3", "sensor": "1", "game": "six-card-fortune",
    "paytable": "6CFPGPP-2", "paytables": "6CFPGP-1", "deck": "A-2", "counted": "53", "shift": "swing",
    "slip": "WIN-000007", "hand": "full-house", "proposal": "P12", "code": "malfunction",
    "text": "'sensor 3 stays dark'", "register": "game-approval", "paper": "'Approval 12'",
    "subject": "six-card-fortune", "reason": "'wrong button'",
    "reference": "'camera 4, 12:31'", "opening": "main:seed=10,000", "levels": "main:seed=10,000,contribution=20%",
    "posted": "2026-01-31", "first": "812", "last": "815", "hash": "0" * 64, "seats": "6", "to": "run",
}  # fmt: skip
"""What stands for a value of a name."""


def example(words: tuple[str, ...], options: tuple[CommandOption, ...]) -> str:
    """A command line with all that is required."""
    said = ["houseway", *words]
    for option in options:
        if not option.required:
            continue
        if plain_type(option.hint) is bool:
            said.append(option.name)
        elif option.is_argument:
            said.append(_sample(option.hint, option.field))
        else:
            said += [option.name, _sample(option.hint, option.field)]
    return " ".join(said)


def _sample(hint: Any, name: str) -> str:  # noqa: ANN401 - any annotation
    plain = plain_type(hint)
    given = get_args(plain)
    if name in _SAMPLES and get_origin(plain) is not Literal:
        return _SAMPLES[name]
    if get_origin(plain) is dict:
        inner = _sample(given[1], part_name(name, "name"))
        return f"NAME{':' if is_object(given[1]) else '='}{inner}"
    if isinstance(plain, type) and issubclass(plain, msgspec.Struct):
        return ",".join(f"{part}={_sample(each, part)}" for part, each in get_type_hints(plain).items())
    if get_origin(plain) is Literal or get_origin(plain) in (list, tuple):
        return str(given[0]) if get_origin(plain) is Literal else _sample(given[0], name)
    if is_amount(name):
        return "10,000"
    if is_time(name):
        return "2026-01-31T18:30"
    return "12" if plain is int else "text"
