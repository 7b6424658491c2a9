"""Reading decoded JSON without trusting it: each getter returns a usable value or notes a fault and goes on."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from typing import Any, Final

from houseway.errors import Fault, InputError

MOST_CENTS: Final = 10**15
"""Ten thousand billion dollars: more than any table or meter holds, small enough for every program that reads us."""


def kind_of(value: object) -> str:
    """What a JSON value is, in the words of a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true/false"
    names = {int: "a whole number", float: "a number with a fraction", str: "text", list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)


def suggestion(name: str, known: Iterable[str]) -> str:
    """A hint for a misspelt name, or the list of what there is."""
    choices = list(known)
    near = difflib.get_close_matches(name, choices, n=1)
    return f"did you mean {near[0]}?" if near else f"there is {', '.join(choices)}"


class Faults:
    """The faults found so far."""

    def __init__(self) -> None:
        """Begin with none."""
        self.found: list[Fault] = []

    def add(self, code: str, path: str, message: str) -> None:
        """Note one fault."""
        self.found.append(Fault(code, path, message))

    def refuse_if_any(self) -> None:
        """Raise an InputError with all faults, if there are any."""
        if self.found:
            raise InputError(self.found)

    def mapping(self, value: object, path: str) -> dict[str, Any]:
        """The value if it is an object, else a fault and an empty object."""
        if isinstance(value, dict):
            return value
        self.add("wrong-type", path, f"expected an object, found {kind_of(value)}")
        return {}

    def sequence(self, value: object, path: str) -> list[Any]:
        """The value if it is a list, else a fault and an empty list."""
        if isinstance(value, list):
            return value
        self.add("wrong-type", path, f"expected a list, found {kind_of(value)}")
        return []

    def keys(self, value: dict[str, Any], known: Collection[str], path: str) -> None:
        """Note every key that nobody reads: a misspelt one must not pass in silence."""
        for key in value:
            if key not in known:
                where = f"{path}.{key}" if path else str(key)
                self.add("unknown-key", where, f"{key!r} is not read here: {suggestion(str(key), known)}")

    def boolean(self, value: object, path: str) -> bool:
        """The value if it is true or false, else a fault and False."""
        if isinstance(value, bool):
            return value
        self.add("wrong-type", path, f"expected true or false, found {kind_of(value)}")
        return False

    def choice(self, value: object, choices: Collection[str], path: str, code: str = "bad-setting") -> str | None:
        """The value if it is one of the choices, else a fault and None."""
        if isinstance(value, str) and value in choices:
            return value
        shown = value if isinstance(value, str) else kind_of(value)
        self.add(code, path, f"{shown!r} is not one of {', '.join(choices)}")
        return None

    def integer(self, value: object, path: str, least: int = 0, most: int = MOST_CENTS) -> int | None:
        """The value if it is a whole number within bounds, else a fault and None."""
        if not isinstance(value, int) or isinstance(value, bool):
            self.add("not-an-integer", path, f"expected a whole number, found {kind_of(value)}")
        elif not least <= value <= most:
            self.add("out-of-range", path, f"{_short(value)} is outside {least} to {most}")
        else:
            return value
        return None


def _short(value: int) -> str:
    """A number for a message; a giant one by its size, since printing it in full can be refused by Python itself."""
    return str(value) if abs(value) < 10**30 else f"a number of about {value.bit_length() * 3 // 10} digits"
