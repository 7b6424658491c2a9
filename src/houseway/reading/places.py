"""Where a value stands: the one notion of a place that all faults have.

In JSON a place is written as a path, `seats[2].wagers.main`; an argument's place is its name. In a file it is found by
its line, so there it is a `Place`: its way through the document, and what a sentence calls it.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Parts: TypeAlias = tuple[str | int, ...]
"""A way into a document, by keys of objects and indexes of lists: `("lines", 2, "pays")`."""

LONGEST_SHOWN: Final = 40
"""Characters of a word from the input that a message repeats."""


class Place:
    """A place in a file, and its name in a sentence.

    >>> place = Place("the table").key("lines").element(2, "line 3").key("pays")
    >>> place.parts, place.name, str(place)
    (('lines', 2, 'pays'), '"pays" of line 3', 'lines[2].pays')
    """

    # Every value of a file has one, and few are ever looked at: what it says is put together when it is asked for.
    __slots__ = ("_above", "_name", "_part")

    def __init__(self, name: str = "", above: Place | None = None, part: str | int = "") -> None:
        """The whole document, or a part of what stands above; without a name it is called after its key or number."""
        self._name = name
        self._above = above
        self._part = part

    def key(self, key: str) -> Place:
        """The place of a key of the table that stands here."""
        return Place("", self, key)

    def element(self, index: int, name: str = "") -> Place:
        """The place of an element of the list that stands here."""
        return Place(name, self, index)

    def called(self, name: str) -> Place:
        """The same place under another name."""
        return Place(name, self._above, self._part)

    @property
    def parts(self) -> Parts:
        """The way here from the top of the document."""
        return () if self._above is None else (*self._above.parts, self._part)

    @property
    def name(self) -> str:
        """What a sentence calls it; elements of lists are counted from 1."""
        if self._name or self._above is None:
            return self._name
        if isinstance(self._part, int):
            return f"element {self._part + 1} of {self._above.name}"
        return f'"{excerpt(self._part)}" of {self._above.name}'

    def __str__(self) -> str:
        """The place as a path."""
        path = ""
        for part in self.parts:
            path = f"{path}[{part}]" if isinstance(part, int) else below(path, part)
        return path


AnyPlace: TypeAlias = str | Place


def below(path: str, key: str) -> str:
    """The path of a key of the object at a path.

    >>> below("", "seats"), below("do", "round")
    ('seats', 'do.round')
    """
    return f"{path}.{key}" if path else key


def key_of(place: AnyPlace, key: str) -> AnyPlace:
    """The place of a key of the object or table at a place."""
    return below(place, excerpt(key)) if isinstance(place, str) else place.key(key)


def element_of(place: AnyPlace, index: int) -> AnyPlace:
    """The place of an element of the list at a place."""
    return f"{place}[{index}]" if isinstance(place, str) else place.element(index)


def excerpt(text: str) -> str:
    r"""A word from the input, short and printable enough for a message.

    >>> excerpt("a\x1b[2J" + "b" * 50)
    'a?[2Jbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb...'
    """
    # Only what is shown is looked at: an input may be a text of a megabyte.
    cut = text[:LONGEST_SHOWN]
    clean = cut if cut.isprintable() else "".join(one if one.isprintable() else "?" for one in cut)
    return f"{clean}..." if len(text) > LONGEST_SHOWN else clean
