"""The collector of faults, with the checks of single values: each returns a usable value, or notes a fault and goes on.

Input is never trusted and never refused at its first fault. Whoever reads something makes a `Faults`, reads all of it,
and refuses once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, Final, TypeVar

from houseway.errors import Fault, InputError
from houseway.reading.codes import ROUND, Codes
from houseway.reading.places import AnyPlace, element_of, excerpt, key_of
from houseway.wording import kind_of, suggestion

MOST_CENTS: Final = 10**15
"""Ten thousand billion dollars: more than any table or meter holds, small enough for every program that reads us."""

MOST_FAULTS: Final = 500
MOST_HINTS: Final = 20
_TEXT: Final = frozenset({str})
_Value = TypeVar("_Value")


class Faults:
    """The faults found so far, in the order in which they were found, each once."""

    mapping_word = "an object"
    """What people who write this kind of input call a dictionary."""

    def __init__(self, codes: Codes = ROUND) -> None:
        """Begin with none; `codes` are those of the kind of input."""
        self.codes = codes
        self._found: dict[Fault, None] = {}

    @property
    def any(self) -> bool:
        """Whether there are any."""
        return bool(self._found)

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self._found)

    @property
    def full(self) -> bool:
        """Whether there are more than are told: whoever looks for further ones can stop."""
        return len(self._found) > MOST_FAULTS

    def add(self, code: str, place: AnyPlace, message: str) -> None:
        """Note one fault."""
        self.note(Fault(code, place if isinstance(place, str) else str(place), message))

    def note(self, fault: Fault) -> None:
        """Note one fault, once; past a number that anybody reads, only that there are more."""
        if len(self._found) < MOST_FAULTS:
            self._found[fault] = None
        else:
            self._found[Fault("too-many-faults", "", f"there are more faults than these {MOST_FAULTS}")] = None

    def note_all(self, faults: Iterable[Fault]) -> None:
        """Note the faults that another reader has found."""
        for fault in faults:
            self.note(fault)
            if self.full:
                return

    def read(self, reader: Callable[[], _Value]) -> _Value | None:
        """What the reader returns, or None with its faults noted."""
        try:
            return reader()
        except InputError as error:
            self.note_all(error.faults)
            return None

    def found(self) -> list[Fault]:
        """All faults found."""
        return [*self._found]

    def error(self) -> InputError:
        """The error with all faults found; there is at least one."""
        return InputError(self.found())

    def refuse_if_any(self) -> None:
        """Raise an InputError with all faults, if there are any."""
        if self._found:
            raise self.error()

    def expected(self, place: AnyPlace, wanted: str, value: object, code: str | None = None) -> None:
        """Note that a value is not of the kind that is wanted."""
        self._say(code or self.codes.kind, place, f"expected {wanted}, found {kind_of(value, self.mapping_word)}")

    def missing(self, owner: AnyPlace, owner_name: str, key: str) -> None:
        """Note that something lacks a key that it must have."""
        # A path can name what is not there; in a file it has no line of its own.
        place = key_of(owner, key) if isinstance(owner, str) else owner
        self.add(self.codes.missing, place, f'{owner_name} needs "{key}": add it')

    def mapping(self, value: object, place: AnyPlace) -> dict[str, Any]:
        """The value if it is an object, else a fault and an empty object."""
        if isinstance(value, dict):
            if _TEXT.issuperset(map(type, value)):
                return value
            self._say(self.codes.kind, place, "the keys of an object are text")
            return {}
        self.expected(place, self.mapping_word, value)
        return {}

    def sequence(self, value: object, place: AnyPlace, of: str = "") -> list[Any]:
        """The value if it is a list, else a fault and an empty list."""
        if isinstance(value, list):
            return value
        self.expected(place, f"a list of {of}" if of else "a list", value)
        return []

    def keys(self, value: Iterable[str], known: Collection[str], place: AnyPlace) -> None:
        """Note every key that nobody reads: a misspelt one must not pass in silence."""
        for key in value:
            if self.full:
                return
            if key not in known:
                where = key_of(place, key)
                subject = repr(excerpt(key)) if isinstance(where, str) else where.name
                self.add(self.codes.unknown, where, f"{subject} is not read here{self._hint(key, known)}")

    def boolean(self, value: object, place: AnyPlace) -> bool:
        """The value if it is true or false, else a fault and False."""
        if isinstance(value, bool):
            return value
        self.expected(place, "true or false", value)
        return False

    def text(self, value: object, place: AnyPlace, most: int | None = None) -> str | None:
        """The value if it is text; with `most`, one printable line of so many characters that is not blank."""
        if not isinstance(value, str):
            self.expected(place, "text", value)
        elif most is not None and not (0 < len(value) <= most and value.isprintable() and not value.isspace()):
            self._say(self.codes.text, place, f"expected 1 to {most} printable characters")
        else:
            return value
        return None

    def choice(self, value: object, choices: Collection[str], place: AnyPlace, code: str | None = None) -> str | None:
        """The value if it is a word of the closed list, else a fault and None; `code` is that of an unknown word."""
        word = self.text(value, place)
        if word is None or word in choices:
            return word
        self._say(code or self.codes.word, place, f"{excerpt(word)!r} is not known{self._hint(word, choices)}")
        return None

    def words(self, value: object, choices: Collection[str], place: AnyPlace) -> tuple[str, ...]:
        """The different words of a closed list that a list has; a fault for every other element."""
        good: list[str] = []
        for index, item in enumerate(self.sequence(value, place, "words")):
            if self.full:
                break
            where = element_of(place, index)
            word = self.choice(item, choices, where)
            if word in good:
                self._say(self.codes.word, where, f"{word!r} appears twice")
            elif word is not None:
                good.append(word)
        return tuple(good)

    def integer(
        self, value: object, place: AnyPlace, least: int | None = 0, most: int | None = MOST_CENTS
    ) -> int | None:
        """The value if it is a whole number within bounds, else a fault and None; a bound of None is none."""
        if not isinstance(value, int) or isinstance(value, bool):
            has_own_bounds = (least, most) != (0, MOST_CENTS) and least is not None and most is not None
            bounds = f" from {least} to {most}" if has_own_bounds else ""
            self.expected(place, f"a whole number{bounds}", value, self.codes.number)
        elif least is not None and most is not None and not least <= value <= most:
            self._say(self.codes.bounds, place, f"{in_digits(value)} is outside {least} to {most}")
        elif least is not None and value < least:
            self._say(self.codes.bounds, place, f"{in_digits(value)} is below {least}")
        elif most is not None and value > most:
            self._say(self.codes.bounds, place, f"{in_digits(value)} is above {most}")
        else:
            return value
        return None

    def cents(self, value: object, place: AnyPlace, least: int = 0) -> int | None:
        """An amount of money within bounds, else a fault that says how amounts are written."""
        if type(value) is int and least <= value <= MOST_CENTS:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            if value == 0 and least == 1:
                self._say(self.codes.bounds, place, "a wager of 0 is not a wager: leave it out")
                return None
            return self.integer(value, place, least)
        self.expected(place, "whole cents, as in 2500 for $25.00", value, self.codes.number)
        return None

    def _say(self, code: str, place: AnyPlace, sentence: str) -> None:
        """Note a fault whose sentence leaves its subject to the place: a line of a file does not name a key."""
        self.add(code, place, sentence if isinstance(place, str) else f"{place.name}: {sentence}")

    def _hint(self, word: str, known: Collection[str]) -> str:
        # A hint costs time: a thousand misspelt keys do not each need one.
        return f": {suggestion(word, known)}" if len(self._found) < MOST_HINTS else ""


def in_digits(value: int) -> str:
    """A number for a message; a giant one by its size, since printing it in full can be refused by Python itself."""
    return str(value) if abs(value) < 10**30 else f"a number of about {value.bit_length() * 3 // 10} digits"
