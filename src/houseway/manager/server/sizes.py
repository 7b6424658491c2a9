"""How large a message may be: bytes of a line, and values in it, by who sends it and what it is.

The server's loop reads the lines of every device. What one line costs there is bounded here, before anything in it is
looked at: a press is short, and only a few commands of the desk are long.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from houseway.errors import InputError
from houseway.manager.server.wire import LONGEST_REQUEST

SHORT: Final = 16 * 1024
"""Bytes of a line of a controller or a display, and of every command of a service that is not among the long ones."""
LONG_COMMANDS: Final = frozenset({"property.create", "paper.record", "table.create", "link.create", "change.propose"})
"""What is written at a desk: with the people, fields, settings and levels of a whole thing."""
MOST_IN_COMMAND: Final = 1_000
MOST_IN_LONG_COMMAND: Final = 5_000
MOST_IN_SUBSCRIPTION: Final = 2_500
"""Names of tables and links; a floor has fewer."""
MOST_IN_OTHERS: Final = 100


def longest_line(kind: str) -> int:
    """Bytes of the longest line of a kind of device.

    >>> longest_line("controller"), longest_line("service")
    (16384, 65536)
    """
    return LONGEST_REQUEST if kind == "service" else SHORT


def check_size(message: Mapping[str, object], length: int) -> None:
    """Refuse a message of so many bytes that is larger than its kind may be; no value of it is looked at twice."""
    most = _most_values(message)
    if length > SHORT and most != MOST_IN_LONG_COMMAND and "subscribe" not in message:
        text = f"{length} bytes: only {', '.join(sorted(LONG_COMMANDS))} may be longer than {SHORT}"
        raise InputError.of("line-too-long", "", text)
    # Every value takes two bytes at least, with what follows it: a short line is not counted through.
    if length > most and values_of(message, most) > most:
        text = f"a message of this kind holds at most {most} values, and this one holds more: it is none of a table"
        raise InputError.of("bad-message", "", text)


def _most_values(message: Mapping[str, object]) -> int:
    command = message.get("command")
    if "command" in message:
        do = command.get("do") if isinstance(command, dict) else None
        kind = do.get("kind") if isinstance(do, dict) else None
        return MOST_IN_LONG_COMMAND if isinstance(kind, str) and kind in LONG_COMMANDS else MOST_IN_COMMAND
    return MOST_IN_SUBSCRIPTION if "subscribe" in message else MOST_IN_OTHERS


def values_of(value: object, most: int) -> int:
    """How many values a message holds, at any depth; past `most` some number above it, found without further looking.

    >>> values_of({"command": {"do": {"seats": [1, 2, 3]}}}, 10), values_of({"seats": [0] * 80_000}, 10)
    (6, 80001)
    """
    found, waiting = 0, [value]
    while waiting and found <= most:
        one = waiting.pop()
        inner: Iterable[object] = one.values() if isinstance(one, dict) else one if isinstance(one, list) else ()
        found += len(one) if isinstance(one, dict | list) else 0
        if found <= most:
            waiting.extend(inner)
    return found
