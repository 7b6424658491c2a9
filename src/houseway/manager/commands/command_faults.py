"""Why a message is not a command: every fault of it, in plain words."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from typing import Final

import msgspec

from houseway.errors import InputError
from houseway.manager.core.authority import AUTHORITY
from houseway.manager.core.command import AnyCommand
from houseway.manager.core.texts import is_plain, text_faults
from houseway.reading.codes import Codes
from houseway.reading.described import note_faults
from houseway.reading.faults import MOST_FAULTS, Faults
from houseway.reading.places import excerpt

CODES: Final = Codes.only("bad-message")
LONGEST_KEY: Final = 200


def refusal(error: Exception, data: object, wire: object, commands: Mapping[str, type[AnyCommand]]) -> InputError:
    """The error with every fault of a message that the decoder refused as a `wire` of these commands."""
    faults = Faults(CODES)
    try:
        plain = msgspec.json.decode(data) if isinstance(data, bytes | str) else data
    except (msgspec.DecodeError, RecursionError):
        faults.add("bad-message", "", f"not a command: {error}")
        return faults.error()
    # The decoder looks at both values of a key that appears twice, and whoever reads the message sees one.
    for key in _named_twice(data) if isinstance(data, bytes | str) else ():
        faults.add("bad-message", "", f"the key {excerpt(key)!r} appears twice in one object: name it once")
    note_faults(plain, wire, "", faults, called="every command", reason=str(error), offered=_offered(commands))
    if isinstance(plain, dict):
        # What is refused may be nested as deeply as nothing that is accepted.
        with suppress(RecursionError):
            note_texts(faults, plain.get("key"), plain.get("do"))
    return faults.error()


def refusal_of_fields(
    error: Exception, fields: object, command: object, commands: Mapping[str, type[AnyCommand]]
) -> InputError:
    """The error with every fault of fields that are none of these commands."""
    faults = Faults(CODES)
    note_faults(fields, command, "do", faults, called="every command", reason=str(error), offered=_offered(commands))
    return faults.error()


def _offered(commands: Mapping[str, type[AnyCommand]]) -> list[str]:
    """The commands that somebody other than the manager may give."""
    return [name for name, each in commands.items() if not AUTHORITY[each].is_for_manager_only]


def note_texts(faults: Faults, key: object, do: object) -> None:
    """Note what types do not show: a key of no use, and texts that no screen can show as they are."""
    if isinstance(key, str) and not 0 < len(key) <= LONGEST_KEY:
        message = f"every command needs a key of 1 to {LONGEST_KEY} characters, made once for it"
        faults.add("bad-message", "key", message)
    if not is_plain(do):
        faults.note_all(islice(text_faults(do, "do"), MOST_FAULTS + 1))


def _named_twice(text: bytes | str) -> list[str]:
    """The keys that some object of a JSON text names twice."""
    found: dict[str, None] = {}

    def look(pairs: list[tuple[str, object]]) -> None:
        found.update((name, None) for name, count in Counter(name for name, _ in pairs).items() if count > 1)

    try:
        json.loads(text, object_pairs_hook=look)
    except (ValueError, RecursionError):
        return []
    return [*found]
