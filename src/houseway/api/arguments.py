"""Reading the values of arguments: each reader returns a usable value or notes a fault and goes on.

The command line parser only tells arguments and options apart; what they say is read here, so that a run names every
fault at once instead of the first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from houseway.cards.card import Card, parse_cards
from houseway.errors import Fault, InputError
from houseway.wording import did_you_mean, in_known_case, kind_of

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.paytables import PayTable

_Value = TypeVar("_Value")
CardsLike: TypeAlias = str | Iterable[str | Card]
"""Cards as a text such as "As Kd Th 9c Jk", or one by one."""

WHEELS: Final = ("second", "lowest")
LONGEST_SHOWN: Final = 40
_DOLLARS: Final = re.compile(r"\$ ?[0-9]{1,20}(\.[0-9]{2})?|[0-9]{1,20}\.[0-9]{2}")
_WHOLE_NUMBER: Final = re.compile(r"[+-]?[0-9]+")


class Arguments:
    """The faults found in the arguments so far."""

    def __init__(self) -> None:
        """Begin with none."""
        self.faults: list[Fault] = []

    def refuse_if_any(self) -> None:
        """Raise an InputError with all faults, if there are any."""
        if self.faults:
            raise InputError(self.faults)

    def read(self, reader: Callable[[], _Value]) -> _Value | None:
        """What the reader returns, or None with its faults noted."""
        try:
            return reader()
        except InputError as error:
            self.faults.extend(error.faults)
            return None

    def add(self, code: str, path: str, message: str) -> None:
        """Note one fault."""
        self.faults.append(Fault(code, path, message))

    def text(self, value: object, path: str) -> str | None:
        """The text that somebody gave, or None with a fault noted: a program can hand in anything."""
        if isinstance(value, str):
            return value
        self.add("wrong-type", path, f"expected a text, found {kind_of(value, 'an object')}")
        return None

    def cards(self, given: CardsLike) -> tuple[Card, ...] | None:
        """The cards of a text, or of texts one by one; a hand without any is a fault."""
        if not hasattr(given, "__iter__"):
            self.add("wrong-type", "cards", 'expected cards as a text, for example "As Kd Th 9c Jk"')
            return None
        text = cards_text(given)
        if not text.replace(",", " ").split():
            self.add("missing-argument", "cards", 'name the cards, for example "As Kd Th 9c Jk"')
            return None
        return self.read(lambda: parse_cards(text, "cards"))

    def choice(self, value: str | None, choices: Iterable[str], path: str, code: str = "bad-choice") -> str | None:
        """The choice that the value names, in any case, or None where it was not given; else a fault and None."""
        known = list(choices)
        if value is not None and self.text(value, path) is None:
            return None
        if value is None or (value := in_known_case(value, known)) in known:
            return value
        self.add(code, path, f"{value[:LONGEST_SHOWN]!r} is not known: {hint(value, known)}")
        return None

    def whole_number(self, text: str, path: str, least: int, most: int) -> int | None:
        """The number that the text says if it lies within its bounds, else a fault and None."""
        shown = text[:LONGEST_SHOWN]
        digits = text.replace("_", "").replace(",", "")
        if not _WHOLE_NUMBER.fullmatch(digits):
            self.add("not-an-integer", path, f"{shown!r} is no whole number")
            return None
        if len(digits) > LONGEST_SHOWN or not least <= int(digits) <= most:
            self.add("out-of-range", path, f"{shown} is outside {least:,} to {most:,}")
            return None
        return int(digits)

    def amount(self, text: str, path: str, most: int) -> int | None:
        """The cents that the text says: a whole number of them, or dollars with a sign or a point as in $1,000.00."""
        plain = text.strip().replace(",", "").replace("_", "")
        if _DOLLARS.fullmatch(plain):
            whole, _, rest = plain.lstrip("$ ").partition(".")
            return self.whole_number(f"{whole}{rest or '00'}", path, 0, most)
        if not _WHOLE_NUMBER.fullmatch(plain):
            shown = text[:LONGEST_SHOWN]
            self.add("not-an-integer", path, f"{shown!r} is no amount: give whole cents, or dollars as in 1000.00")
            return None
        return self.whole_number(plain, path, 0, most)

    def game(self, name: str) -> Game | None:
        """The game of that id, or None with its fault noted."""
        from houseway.definitions import find_game, game, game_ids

        if self.text(name, "game") is None:
            return None
        # The list of all games, for a name in another case, is looked at only where it is needed.
        return find_game(name) or self.read(lambda: game(in_known_case(name, game_ids())))

    def paytable(self, table_id: str, path: str = "paytable") -> PayTable | None:
        """The shipped pay table of that id, or None with its fault noted."""
        from houseway.paytables import paytable, paytable_ids

        if self.text(table_id, path) is None:
            return None
        return self.read(lambda: paytable(in_known_case(table_id, paytable_ids()), path))

    def seats(self, text: str | None) -> tuple[int, ...] | None:
        """The seat numbers of a list such as 1,2,5; None where none was given."""
        if text is None:
            return None
        numbers: list[int] = []
        before = len(self.faults)
        for word in text.replace(",", " ").split():
            if word.isascii() and word.isdigit() and len(word) <= 3:
                numbers.append(int(word))
            else:
                shown = word[:LONGEST_SHOWN]
                self.add("bad-seat", "seats", f"{shown!r} is not a seat number: list seats as in 1,2,5")
        # With nothing readable left, a fault about an empty table would only repeat it.
        return tuple(numbers) if numbers or len(self.faults) == before else None


def cards_text(given: CardsLike) -> str:
    """Cards as one text."""
    return given if isinstance(given, str) else " ".join(map(str, given))


def database_url(text: str) -> str:
    """The URL of a database that is named by a URL or by a file.

    >>> database_url("postgresql://house@db/manager")
    'postgresql://house@db/manager'
    """
    return text if "://" in text else f"sqlite:///{Path(text).absolute()}"


def hint(value: str, known: Sequence[str]) -> str:
    """What was probably meant, or all there is to choose from."""
    return did_you_mean(value[:LONGEST_SHOWN], known) or f"choose one of {', '.join(known)}"
