"""Reading the values of arguments: each reader returns a usable value or notes a fault and goes on.

The command line parser only tells arguments and options apart; what they say is read here, so that a run names every
fault at once instead of the first.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from houseway.cards.card import Card, parse_cards
from houseway.reading.codes import Codes
from houseway.reading.faults import Faults
from houseway.reading.places import LONGEST_SHOWN, AnyPlace, excerpt
from houseway.wording import in_known_case

if TYPE_CHECKING:
    from houseway.definitions import Game
    from houseway.paytables import PayTable

CardsLike: TypeAlias = str | Iterable[str | Card]
"""Cards as a text such as "As Kd Th 9c Jk", or one by one."""

ARGUMENT: Final = Codes(
    missing="missing-argument",
    unknown="unknown-option",
    kind="wrong-type",
    number="not-an-integer",
    bounds="out-of-range",
    text="bad-argument",
    word="bad-choice",
)
WHEELS: Final = ("second", "lowest")
_DOLLARS: Final = re.compile(r"\$ ?[0-9]{1,20}(\.[0-9]{2})?|[0-9]{1,20}\.[0-9]{2}")
_WHOLE_NUMBER: Final = re.compile(r"[+-]?[0-9]+")


class Arguments(Faults):
    """The faults found in the arguments so far."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__(ARGUMENT)

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

    def choice(self, value: object, choices: Collection[str], place: AnyPlace, code: str | None = None) -> str | None:
        """The choice that the value names, in any case, or None where it was not given; else a fault and None."""
        if value is None:
            return None
        known = tuple(choices)
        return super().choice(in_known_case(value, known) if isinstance(value, str) else value, known, place, code)

    def whole_number(self, text: str, path: str, least: int, most: int) -> int | None:
        """The number that the text says if it lies within its bounds, else a fault and None."""
        digits = text.replace("_", "").replace(",", "")
        if not _WHOLE_NUMBER.fullmatch(digits):
            self.add("not-an-integer", path, f"{excerpt(text)!r} is not a whole number")
            return None
        if len(digits) > LONGEST_SHOWN or not least <= int(digits) <= most:
            self.add("out-of-range", path, f"{excerpt(text)} is outside {least:,} to {most:,}")
            return None
        return int(digits)

    def amount(self, text: str, path: str, most: int) -> int | None:
        """The cents that the text says: a whole number of them, or dollars with a sign or a point as in $1,000.00."""
        plain = text.strip().replace(",", "").replace("_", "")
        if _DOLLARS.fullmatch(plain):
            whole, _, rest = plain.lstrip("$ ").partition(".")
            return self.whole_number(f"{whole}{rest or '00'}", path, 0, most)
        if not _WHOLE_NUMBER.fullmatch(plain):
            message = f"{excerpt(text)!r} is not an amount: give whole cents, or dollars as in 1000.00"
            self.add("not-an-integer", path, message)
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
        before = self.count
        for word in text.replace(",", " ").split():
            if word.isascii() and word.isdigit() and len(word) <= 3:
                numbers.append(int(word))
            else:
                self.add("bad-seat", "seats", f"{excerpt(word)!r} is not a seat number: list seats as in 1,2,5")
        # With nothing readable left, a fault about an empty table would only repeat it.
        return tuple(numbers) if numbers or self.count == before else None


def cards_text(given: CardsLike) -> str:
    """Cards as one text."""
    return given if isinstance(given, str) else " ".join(map(str, given))


def database_url(text: str) -> str:
    """The URL of a database that is named by a URL or by a file.

    >>> database_url("postgresql://house@db/manager")
    'postgresql://house@db/manager'
    """
    return text if "://" in text else f"sqlite:///{Path(text).absolute()}"
