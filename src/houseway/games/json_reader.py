"""Reading decoded JSON without trusting it: each getter returns a usable value or notes a fault and goes on."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from houseway import wording
from houseway.errors import Fault, InputError

MOST_CENTS: Final = 10**15
"""Ten thousand billion dollars: more than any table or meter holds, small enough for every program that reads us."""

MOST_FAULTS: Final = 500
MOST_HINTS: Final = 20
_TEXT: Final = frozenset({str})


def kind_of(value: object) -> str:
    """What a JSON value is, in the words of a message."""
    return wording.kind_of(value, "an object")


class Faults:
    """The faults found so far."""

    def __init__(self) -> None:
        """Begin with none."""
        self._found: dict[Fault, None] = {}

    @property
    def any(self) -> bool:
        """Whether there are any."""
        return bool(self._found)

    def add(self, code: str, path: str, message: str) -> None:
        """Note one fault."""
        self.note(Fault(code, path, message))

    def note(self, fault: Fault) -> None:
        """Note one fault, once; past a number that anybody reads, only that there are more."""
        if len(self._found) < MOST_FAULTS:
            self._found[fault] = None
        else:
            self._found[Fault("too-many-faults", "", f"there are more faults than these {MOST_FAULTS}")] = None

    def error(self) -> InputError:
        """The error with all faults found; there is at least one."""
        return InputError(self._found)

    def refuse_if_any(self) -> None:
        """Raise an InputError with all faults, if there are any."""
        if self._found:
            raise self.error()

    def mapping(self, value: object, path: str) -> dict[str, Any]:
        """The value if it is an object, else a fault and an empty object."""
        if isinstance(value, dict):
            if _TEXT.issuperset(map(type, value)):
                return value
            self.add("wrong-type", path, "the keys of an object are text")
            return {}
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
                shown = key[:40]
                where = f"{path}.{shown}" if path else shown
                # A hint costs time: a thousand misspelt keys do not each need one.
                hint = f": {wording.suggestion(shown, known)}" if len(self._found) < MOST_HINTS else ""
                self.add("unknown-key", where, f"{shown!r} is not read here{hint}")

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
        shown = value[:40] if isinstance(value, str) else kind_of(value)
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


def cents(faults: Faults, value: object, path: str, least: int = 0) -> int | None:
    """An amount of money within bounds, else a fault that says how amounts are written."""
    if type(value) is int and least <= value <= MOST_CENTS:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        if value == 0 and least == 1:
            faults.add("out-of-range", path, "a wager of 0 is none: leave it out")
            return None
        return faults.integer(value, path, least)
    faults.add("not-an-integer", path, f"amounts are whole cents, 2500 for $25.00; found {kind_of(value)}")
    return None


def _short(value: int) -> str:
    """A number for a message; a giant one by its size, since printing it in full can be refused by Python itself."""
    return str(value) if abs(value) < 10**30 else f"a number of about {value.bit_length() * 3 // 10} digits"
