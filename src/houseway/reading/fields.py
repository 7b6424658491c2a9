"""The typed reader of an object or table: takes values out by their keys, and notes all that do not fit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from houseway.reading.faults import Faults
from houseway.reading.places import Place

MAX_TEXT: Final = 1000
"""The longest text that a key may hold, unless it says otherwise."""


class Fields:
    """The fields of one table with its place in the document; a value that does not fit is noted and read as None."""

    def __init__(self, values: Mapping[str, object], place: Place, faults: Faults) -> None:
        """Read `values`, which stand at `place`."""
        self.values = values
        self.place = place
        self.faults = faults

    @property
    def name(self) -> str:
        """What messages call the table."""
        return self.place.name

    def only(self, required: Iterable[str], optional: Iterable[str] = ()) -> None:
        """Note every required key that is absent and every key that is neither required nor optional."""
        needed = tuple(required)
        for key in needed:
            if key not in self.values:
                self.faults.missing(self.place, self.name, key)
        self.faults.keys(self.values, (*needed, *optional), self.place)

    def fault(self, code: str, key: str, message: str) -> None:
        """Note a fault about one key."""
        self.faults.add(code, self.place.key(key), message)

    def text(self, key: str, most: int = MAX_TEXT) -> str | None:
        """A text of one line that is not empty."""
        value = self.values.get(key)
        return None if value is None else self.faults.text(value, self.place.key(key), most)

    def word(self, key: str, words: Collection[str], code: str | None = None) -> str | None:
        """A word from a closed list."""
        value = self.values.get(key)
        return None if value is None else self.faults.choice(value, words, self.place.key(key), code)

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts, empty if the key is absent."""
        value = self.values.get(key)
        if value is None:
            return ()
        place = self.place.key(key)
        read = [
            self.faults.text(element, place.element(index), MAX_TEXT)
            for index, element in enumerate(self.faults.sequence(value, place, "texts"))
        ]
        return tuple(text for text in read if text is not None)

    def words(self, key: str, words: Collection[str]) -> tuple[str, ...]:
        """A list of different words from a closed list."""
        value = self.values.get(key)
        return () if value is None else self.faults.words(value, words, self.place.key(key))

    def flag(self, key: str) -> bool | None:
        """True or false."""
        value = self.values.get(key)
        return None if value is None else self.faults.boolean(value, self.place.key(key))

    def whole(self, key: str, least: int, most: int) -> int | None:
        """A whole number in a range."""
        value = self.values.get(key)
        return None if value is None else self.faults.integer(value, self.place.key(key), least, most)

    def wholes(self, key: str, least: int, most: int) -> tuple[int, ...]:
        """A list of whole numbers in a range, empty if the key is absent."""
        value = self.values.get(key)
        if value is None:
            return ()
        place = self.place.key(key)
        read = [
            self.faults.integer(element, place.element(index), least, most)
            for index, element in enumerate(self.faults.sequence(value, place, "whole numbers"))
        ]
        return tuple(number for number in read if number is not None)

    def table(self, key: str, name: str) -> Fields | None:
        """A table inside this one."""
        value = self.values.get(key)
        return None if value is None else self._table(value, self.place.key(key), name)

    def tables(self, key: str, name: str) -> list[Fields]:
        """A list of tables; each is named by its number, from 1."""
        value = self.values.get(key)
        if value is None:
            return []
        place = self.place.key(key)
        read = [
            self._table(element, place.element(index), f"{name} {index + 1}")
            for index, element in enumerate(self.faults.sequence(value, place, "tables"))
        ]
        return [table for table in read if table is not None]

    def _table(self, value: object, place: Place, name: str) -> Fields | None:
        if isinstance(value, dict):
            return Fields(value, place.called(name), self.faults)
        self.faults.expected(place.called(name) if isinstance(place.parts[-1], int) else place, "a table", value)
        return None
